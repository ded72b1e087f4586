"""The bibliography: every paper that a docstring names under `Cite:`, as BibTeX."""

import difflib
import re
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from memnets import __version__

SOFTWARE = "memnets"
"""What the software itself is cited by."""
TITLE = "memnets: memory and attention networks, verified"
AUTHORS = "The memnets maintainers"


@cache
def bibliography() -> dict[str, str]:
    """Return every entry of `bibliography.bib` by its key."""
    text = files("memnets").joinpath("bibliography.bib").read_text(encoding="utf-8")
    # An entry begins with @ in the first column and ends with a brace in it.
    entries = re.finditer(r"^@\w+\{([^,\s]+),.*?^\}", text, re.MULTILINE | re.DOTALL)
    return {entry[1]: entry[0] for entry in entries}


def cite(keys: Sequence[str]) -> str:
    """Return the BibTeX of some papers, in the order asked for.

    Raises:
        ValueError: a key is unknown.
    """
    known = bibliography()
    for key in keys:
        if key not in known:
            close = difflib.get_close_matches(key, known, n=1)
            hint = f"Did you mean {close[0]}?" if close else f"Known are {', '.join(known)}."
            raise ValueError(f"bibliography.bib has no entry {key!r}. {hint}")
    return "\n\n".join(known[key] for key in dict.fromkeys(keys))


def software() -> str:
    """Return the BibTeX of memnets itself, as CITATION.cff has it."""
    return f"""@software{{{SOFTWARE},
  title = {{{TITLE}}},
  author = {{{{{AUTHORS}}}}},
  version = {{{__version__}}},
  license = {{MIT}}
}}"""
