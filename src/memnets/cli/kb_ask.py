"""`memnets kb ask`: questions to a knowledge base, with the facts that were read for the answer."""

from dataclasses import dataclass
from pathlib import Path

import tyro

from memnets.cli.kb_asked import ask


@dataclass(frozen=True)
class Ask:
    """Ask a knowledge base questions, and see which facts were read.

    Without a question on the command line, questions are read from the keyboard or a pipe, one a
    line.
    """

    kb: tyro.conf.Positional[Path]
    """Folder of the knowledge base, built and trained."""
    question: tyro.conf.Positional[tuple[str, ...]] = ()
    """Questions, each in quotes."""
    trained: Path | None = None
    """Folder of the trained model; by default KB.trained, beside the knowledge base."""
    synonyms: Path | None = None
    """Folder of WordNet's database files, or file of word vectors in GloVe's text format."""
    json: bool = False
    """Whether to print answers as JSON, one record with its evidence a line."""
    report: Path | None = None
    """HTML file for a page with the answers and their evidence."""
    overwrite: bool = False
    """Whether an existing page is replaced."""

    def run(self) -> int:
        return ask(
            self.kb,
            self.question,
            trained=self.trained,
            synonyms=self.synonyms,
            json=self.json,
            report=self.report,
            overwrite=self.overwrite,
        )
