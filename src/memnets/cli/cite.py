"""`memnets cite`: the papers of a recipe."""

from collections.abc import Sequence
from dataclasses import dataclass

import tyro

from memnets.citations import cite
from memnets.cli.options import parse
from memnets.studies import recipe


@dataclass(frozen=True)
class Cite:
    """Print the papers behind a recipe as BibTeX."""

    recipe: tyro.conf.Positional[str]
    """Its name; `memnets list` shows them all."""


def main(arguments: Sequence[str]) -> int:
    """Print BibTeX."""
    options = parse(Cite, arguments, prog="memnets cite")
    print(cite(recipe(options.recipe)().cite))
    return 0
