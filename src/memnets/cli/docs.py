"""`memnets docs`: build a store of documents, ask it, read facts from it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import tyro
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from memnets.cli.options import parse
from memnets.cli.streams import print_json
from memnets.cli.terminal import say
from memnets.data.qa.wikimovies import read_entities
from memnets.evidence.heat import visible
from memnets.files import check_new, write_bytes
from memnets.kb.documents import docstore
from memnets.kb.documents.docstore import DocStore, FoundSentence
from memnets.kb.documents.extraction import ExtractedTriple, extract
from memnets.kb.documents.reranking import LEARNT
from memnets.kb.documents.stems import plain_words
from memnets.kb.store.layouts import Find

WEIGHED = "Sentences that best match the question, weighed by what other documents taught."
RETRIEVED = "Sentences that share the rarest words with the question (BM25). Nothing is learnt."
NOTHING = "I don't know: no sentence shares a telling word with this question."


@dataclass(frozen=True)
class Build:
    """Build a store from the text and Markdown files of a folder and its subfolders.

    An existing store stays in use until the new one is complete.
    """

    folder: tyro.conf.Positional[Path]
    """Folder of the documents: files ending in .txt, .text, .md or .markdown."""
    out: Path
    """Folder for the store, such as my.docs."""

    def run(self) -> int:
        with _bar("files") as bar:
            line = bar.add_task("0 sentences", total=None)

            def tell(so_far: docstore.DocumentsProgress) -> None:
                sentences = f"{so_far.sentences:,} sentences"
                bar.update(line, total=so_far.of, completed=so_far.files, description=sentences)

            built = docstore.build(self.folder, self.out, tell)
        say(
            f"{self.out}: {built.sentences:,} sentences, {built.words:,} words, of "
            f"{built.documents:,} documents in {built.files:,} files, in {built.seconds:.1f} s"
        )
        if built.skipped:
            say(f"not read: {len(built.skipped):,} files that are no text, {built.skipped[0]} ...")
        if built.links:
            say(f"not followed: {len(built.links):,} links, {built.links[0]} ...")
        for complaint in built.bad.first:
            say(complaint)
        if built.bad.count > len(built.bad.first):
            say(f"... and {built.bad.count - len(built.bad.first):,} lines more")
        say(f'\nmemnets docs ask {self.out} "What do you want to know?"')
        return 0


@dataclass(frozen=True)
class Ask:
    """Show the sentences that best match a question, and where they stand.

    This is retrieval by shared words, in any of their forms, which may also stand in a heading
    above, the title or the file's name; the best are weighed by further clues. No model is trained
    on your documents, and no answer is generated. To get answers, extract facts (`docs facts`),
    build a knowledge base from them and ask that.
    """

    store: tyro.conf.Positional[Path]
    """Folder of the store (`memnets docs build`)."""
    question: tyro.conf.Positional[str]
    """Question, in quotes."""
    most: int = 5
    """Number of sentences to show."""
    learnt: bool = True
    """Whether the sentences found are weighed by what was learnt from questions to other documents;
    otherwise their order is that of BM25."""
    json: bool = False
    """Whether to print JSON, one record a sentence."""

    def __post_init__(self) -> None:
        if self.most < 1:
            raise ValueError(f"--most {self.most}: expected at least 1. Pass --most 1.")

    def run(self) -> int:
        reranker = LEARNT if self.learnt else None
        found = DocStore.open(self.store).ask(self.question, self.most, reranker)
        if self.json:
            for one in found:
                print_json(one._asdict())
            return 0
        said = WEIGHED if self.learnt else RETRIEVED
        say(said if found else NOTHING)
        for one in found:
            Console().print(_shown(one), soft_wrap=True)
        return 0


@dataclass(frozen=True)
class Facts:
    """Extract facts from the sentences: subject, relation and object, as a file for `kb build`.

    The words between two names become their relation. Such facts are noisy: check and correct the
    file before you build a knowledge base from it.
    """

    store: tyro.conf.Positional[Path]
    """Folder of the store (`memnets docs build`)."""
    out: Path
    """File for the facts, such as facts.tsv."""
    entities: Path | None = None
    """File of entity names, one a line; by default capitalised words and numbers."""
    overwrite: bool = False
    """Whether an existing file of facts is replaced."""

    def run(self) -> int:
        check_new(self.out, self.overwrite)
        store = DocStore.open(self.store)
        find = None if self.entities is None else read_entities(self.entities).mentions
        rows = self._rows(store, find)
        if not rows:
            raise ValueError(
                f"{self.store}: no sentence relates two names; expected one at least. Pass the "
                f"names with --entities."
            )
        write_bytes(self.out, "".join(rows).encode())
        say(f"{self.out}: {len(rows):,} facts of {len(store):,} sentences")
        say(f"\nmemnets kb build {self.out} --out {self.out.with_suffix('.kb')}")
        return 0

    def _rows(self, store: DocStore, find: Find | None) -> list[str]:
        """Extract the rows, each once, and show how far it is."""
        rows: dict[str, None] = {}
        with _bar("sentences") as bar:
            line = bar.add_task("0 facts", total=len(store))
            for reading in store.readings(find):
                rows.update(dict.fromkeys(_rows(extract(reading))))
                bar.update(line, advance=len(reading.sentences), description=f"{len(rows):,} facts")
        return list(rows)


Docs = (
    Annotated[Build, tyro.conf.subcommand("build")]
    | Annotated[Ask, tyro.conf.subcommand("ask")]
    | Annotated[Facts, tyro.conf.subcommand("facts")]
)


def main(arguments: Sequence[str]) -> int:
    """Run one of the commands."""
    command: Build | Ask | Facts = parse(Docs, arguments, prog="memnets docs", description=__doc__)
    return command.run()


def _rows(statements: Iterator[ExtractedTriple]) -> Iterator[str]:
    for subject, relation, item, _ in statements:
        cells = subject, "_".join(relation), item
        yield "\t".join(" ".join(cell.split()) for cell in cells) + "\n"


def _shown(found: FoundSentence) -> Text:
    """A sentence with the words of the question in bold, and where it stands."""
    text = Text(f"{found.score:6.2f}  ")
    said = Text(visible(found.text))
    for word in re.finditer(r"\w+(?:['’]\w+)*", said.plain):
        if not set(plain_words(word[0])).isdisjoint(found.matched):
            said.stylize("bold", *word.span())
    text.append_text(said)
    below = " > ".join((found.title, *found.headings))
    where = visible(f"{below}, {found.file}:{found.line}")
    return text.append(f"\n        {where}", style="dim")


def _bar(what: str) -> Progress:
    """Return a bar: how many are done of how many, how long it has taken and how long it will."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn(what),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
