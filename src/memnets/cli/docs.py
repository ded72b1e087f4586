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
from memnets.kb.documents.facts import LEAST, Fact, Statement, facts, stated
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

    A sentence is read where a few words join two of its names; forms of these words are one
    relation. Most sentences cannot be read so: how many could is told. Beside the facts, a file
    `.sources.tsv` tells how likely each is, and where it is said: check and correct the facts
    before you build a knowledge base from them.
    """

    store: tyro.conf.Positional[Path]
    """Folder of the store (`memnets docs build`)."""
    out: Path
    """File for the facts, such as facts.tsv."""
    least: float = LEAST
    """How likely a fact is to be at least, from 0 to 1; 0 keeps all."""
    entities: Path | None = None
    """File of entity names, one a line; by default capitalised words and numbers."""
    overwrite: bool = False
    """Whether existing files of facts are replaced."""

    def __post_init__(self) -> None:
        if not 0 <= self.least <= 1:
            raise ValueError(
                f"--least {self.least:g}: expected a number from 0 to 1. Pass --least {LEAST:g}."
            )

    def run(self) -> int:
        sources = self.out.with_suffix(".sources.tsv")
        for path in (self.out, sources):
            check_new(path, self.overwrite)
        store = DocStore.open(self.store)
        find = None if self.entities is None else read_entities(self.entities).mentions
        every = facts(self._stated(store, find))
        if not every:
            raise ValueError(
                f"{self.store}: no sentence relates two names; expected one at least. Pass the "
                f"names with --entities."
            )
        kept = [one for one in every if one.confidence >= self.least]
        if not kept:
            best = max(one.confidence for one in every)
            raise ValueError(
                f"{self.store}: none of {len(every):,} facts is likelier than {best:.2f}; expected "
                f"one of {self.least:g} at least. Pass a smaller --least."
            )
        write_bytes(self.out, "".join(map(_row, kept)).encode())
        write_bytes(sources, "".join(_source(one, store) for one in kept).encode())
        self._tell(store, every, kept)
        say(f"how likely each is, and where it is said: {sources}")
        say(f"\nmemnets kb build {self.out} --out {self.out.with_suffix('.kb')}")
        return 0

    def _tell(self, store: DocStore, every: list[Fact], kept: list[Fact]) -> None:
        read = len({sentence for one in kept for sentence in one.sentences})
        relations = len({one.relation for one in kept})
        say(
            f"{self.out}: {len(kept):,} facts of {relations:,} relations, read from {read:,} of "
            f"{len(store):,} sentences ({read / len(store):.0%})"
        )
        if less := len(every) - len(kept):
            say(f"left out: {less:,} facts less likely than {self.least:g}")

    def _stated(self, store: DocStore, find: Find | None) -> Iterator[tuple[int, Statement]]:
        """Yield what sentences state, each with its number, and show how far it is."""
        with _bar("sentences") as bar:
            line = bar.add_task("reading", total=len(store))
            for sentence, statement in stated(store.readings(find)):
                bar.update(line, completed=sentence)
                yield sentence, statement


Docs = (
    Annotated[Build, tyro.conf.subcommand("build")]
    | Annotated[Ask, tyro.conf.subcommand("ask")]
    | Annotated[Facts, tyro.conf.subcommand("facts")]
)


def main(arguments: Sequence[str]) -> int:
    """Run one of the commands."""
    command: Build | Ask | Facts = parse(Docs, arguments, prog="memnets docs", description=__doc__)
    return command.run()


def _row(fact: Fact) -> str:
    cells = fact.subject, fact.relation, fact.object
    return "\t".join(" ".join(cell.split()) for cell in cells) + "\n"


def _source(fact: Fact, store: DocStore) -> str:
    places = (store.place(sentence) for sentence in fact.sentences)
    said = " ".join(store.sentences[fact.sentences[0]].split())
    where = " ".join(f"{file}:{line}" for file, line in places)
    return f"{fact.confidence:.2f}\t{_row(fact).rstrip()}\t{where}\t{said}\n"


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
