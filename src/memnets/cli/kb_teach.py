"""`memnets kb teach`: what a relation is called as well, understood from now on."""

from dataclasses import dataclass
from pathlib import Path

import tyro

from memnets.cli.terminal import say
from memnets.inference.kb import KB, beside


@dataclass(frozen=True)
class Teach:
    """Teach a knowledge base another word for one of its relations.

    The word is added to the file of phrases beside the knowledge base. `memnets kb ask` understands
    it at once, and the next `memnets kb train` learns it.
    """

    kb: tyro.conf.Positional[Path]
    """Folder of the knowledge base."""
    phrase: tyro.conf.Positional[str]
    """The word or words, such as "boss"; or a question with {it} for the name."""
    relation: tyro.conf.Positional[str]
    """The relation; with a ! before it, for questions from its object to its subject."""

    def run(self) -> int:
        name = KB(self.kb).teach(self.phrase, self.relation)
        say(f"{beside(self.kb, 'phrases.toml')}: {self.phrase!r} now asks for {name!r}")
        return 0
