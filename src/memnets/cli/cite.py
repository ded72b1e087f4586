"""`memnets cite`: the papers of a recipe."""

from collections.abc import Sequence
from dataclasses import dataclass

import tyro

from memnets.citations import SOFTWARE, cite, software
from memnets.cli.options import parse
from memnets.studies import recipe


@dataclass(frozen=True)
class Cite:
    """Print the papers behind a recipe as BibTeX; of memnets itself for the name memnets."""

    recipe: tyro.conf.Positional[str]
    """Its name; `memnets list` shows them all. Or memnets."""


def main(arguments: Sequence[str]) -> int:
    """Print BibTeX."""
    options = parse(Cite, arguments, prog="memnets cite")
    print(software() if options.recipe == SOFTWARE else cite(recipe(options.recipe)().cite))
    return 0
