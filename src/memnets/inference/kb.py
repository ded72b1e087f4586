"""A knowledge base of one's own: built of facts, learnt from them alone, asked."""

import os
import shutil
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

from memnets import kb
from memnets.data.rows import fields, records
from memnets.experiments.execute import finished, start
from memnets.experiments.judging import JudgedFile
from memnets.files import UNFINISHED
from memnets.inference.runs import StrPath, open_run, shown
from memnets.kb.linking.opened import open_names, relations_of
from memnets.kb.questions.phrase_files import taught, write_phrases
from memnets.kb.questions.phrases import ways_of_asking
from memnets.kb.questions.questions import examples_of
from memnets.kb.questions.synonyms import read_synonyms
from memnets.kb.store.facts import Form
from memnets.kb.store.from_table import FromTable, build_table, keep
from memnets.kb.store.store import FORMAT, Source, Store
from memnets.kb.values.columns import open_columns
from memnets.studies.kb_qa.data import MEASURED, KBData, facts_of
from memnets.studies.kb_qa.recipes import KBQA, KBAnswerer, KBQATraining
from memnets.training.config import Loop

SMALL = 2**26
"""A knowledge base of up to so many bytes is compared with its checksums before it is asked; a
larger one, which would take longer than a question, only before it is learnt."""

FurtherNames = StrPath | Mapping[str, str] | Iterable[tuple[str, str]]


class KB:
    """A knowledge base on disk, and the trained model beside it.

        kb = memnets.load("films.kb")
        kb.train()
        kb.ask("who directed Alien?")

    Args:
        path: its folder.
        trained: the folder of the trained model; by default PATH.trained, beside it.
        device: where it computes, such as "cuda"; by default the CPU.
        synonyms: the folder of WordNet's database files, or a file of vectors in GloVe's text
            format, for words that mean nearly what a relation is called.

    Raises:
        ValueError: there is no knowledge base, or it is of another version, or damaged.
    """

    def __init__(
        self,
        path: StrPath,
        trained: StrPath | None = None,
        device: str | None = None,
        synonyms: StrPath | None = None,
    ) -> None:
        self.path, self.device = Path(path), device
        self.trained = beside(self.path, "trained") if trained is None else Path(trained)
        self.store = Store.open(self.path)
        self._synonyms = None if synonyms is None else read_synonyms(Path(synonyms))

    @cached_property
    def answerer(self) -> KBAnswerer:
        """The trained model, and the facts that it reads.

        Raises:
            FileNotFoundError: it was not trained yet.
            ValueError: what was trained is something else, or the knowledge base is damaged.
        """
        if not self.trained.is_dir():
            raise FileNotFoundError(
                f"{self.trained}: no trained model is here. "
                f"Train one: memnets kb train {self.path} (in Python: kb.train())"
            )
        if sum(file.stat().st_size for file in self.path.rglob("*.npy")) <= SMALL:
            kb.verify(self.path, FORMAT)
        run = open_run(self.trained).run
        if run.kind != KBQA.kind:
            raise ValueError(
                f"{self.trained}: a run of another kind ({run.kind}); expected one of "
                f"`memnets kb train`. Ask it with memnets ask {self.trained}, or name another."
            )
        names = taught(beside(self.path, "phrases.toml"), relations_of(self.store))
        answerer = KBAnswerer(
            run,  # type: ignore[arg-type]
            self.trained,
            self.store,
            names,
            self._synonyms,
        )
        answerer.to(self.device or "cpu")
        return answerer

    def ask(self, *given: Any, **named: Any) -> Any:
        """Answer a question, or each of a list of them; see `Answerer.ask`.

        Where the knowledge base has changed since the training, a warning says so.

        Returns:
            A `KBAnswer`: the answer, the facts that were read, and how the question was understood.
        """
        if self.changes:
            warnings.warn(self.changes, stacklevel=2)
        return self.answerer.ask(*given, **named)

    def judge(self, questions: StrPath) -> JudgedFile:
        """Ask all questions of a file and judge the answers: how well people's own are answered.

            kb.judge("questions.tsv").metrics["accuracy"]

        Args:
            questions: a table with a question a line and its answers; see `read_asked`.

        Returns:
            The shares of questions answered rightly or declined, and every answer.

        Raises:
            FileNotFoundError: there is no such file, or it was not trained yet.
            ValueError: a row cannot be read; the text names file and line.
        """
        return self.answerer.judge(questions)

    def train(
        self,
        questions: int = KBQATraining.questions,
        *,
        seed: int = 0,
        threads: int = 1,
        phrases: StrPath | None = None,
        show: Any = True,
    ) -> "KB":
        """Learn to answer questions that are made of the facts; nobody has to write any.

        Two models are trained. From the first some ways of asking are held out: its figures on
        made-up questions that are asked in these are `metrics`. The second learns all ways of
        asking, and is the one that answers. How well it answers what people ask tells `judge`.

        Args:
            questions: how many are made to learn from.
            seed: of the questions, the order and the weights.
            threads: CPU threads.
            phrases: the file of ways of asking; by default PATH.phrases.toml, beside the KB,
                written if it is missing.
            show: whether progress is printed; or who is told of it.

        Raises:
            FileNotFoundError: there are no such phrases.
            ValueError: the phrases or the facts are damaged, or the model's folder holds something
                else.
        """
        kb.verify(self.path, FORMAT)
        run = KBQA(
            data=KBData(path=self.path, phrases=self.phrases(phrases, seed), held_out=False),
            training=KBQATraining(questions=questions),
            loop=Loop(seed=seed, threads=threads),
        )
        try:
            _train_aside(run, self.trained, shown(show))
        finally:
            facts_of.cache_clear()
        open_names(self.store)  # all are written now, so that the first question need not wait
        from memnets.kb.programs.vectors import RelationVectors
        from memnets.kb.questions.ranking import ranker

        RelationVectors(ranker(), open_columns(self.store), self.store).prepare()
        self.__dict__.pop("answerer", None)
        return self

    def teach(self, phrase: str, relation: str) -> str:
        """Say what a relation is called as well; it is understood at once, without training.

            kb.teach("boss", "Manager")

        Args:
            phrase: what it is called, or a question with "{it}" in the place of a name.
            relation: of the KB; with a "!" before it, its subjects are asked for.

        Returns:
            The relation as the KB has it.

        Raises:
            ValueError: there is no such relation, or the phrase will not do.
        """
        from memnets.kb.questions.teaching import teach

        name = teach(self.phrases(), phrase, relation, relations_of(self.store))
        self.__dict__.pop("answerer", None)
        return name

    def phrases(self, path: StrPath | None = None, seed: int = 0) -> Path:
        """Return the file of ways of asking; the default one is written if it is missing."""
        phrases = beside(self.path, "phrases.toml") if path is None else Path(path)
        if path is None and not phrases.exists():
            kb.verify(self.path, FORMAT)
            write_phrases(phrases, ways_of_asking(examples_of(self.store), seed))
        elif not phrases.is_file():
            raise FileNotFoundError(
                f"{phrases}: no such file. Leave --phrases out to have it written beside the KB."
            )
        return phrases

    @property
    def metrics(self) -> dict[str, Any]:
        """How well made-up questions are answered, asked in ways that were held out; by split.

        They are of the model that had not learnt these ways; the one that answers has. Nobody
        typed these questions: see `judge` for people's own.
        """
        measured = self.trained / MEASURED
        if not measured.is_dir():  # trained before all ways of asking were learnt
            return self.answerer.metrics
        result = finished(measured)
        return result["metrics"] if result else {}

    @property
    def changes(self) -> str:
        """What the trained model cannot know of the KB; nothing where it has not changed."""
        if not self.answerer.changed:
            return ""
        new = ", ".join(self.answerer.never_learnt)
        return (
            f"the knowledge base has changed since the training"
            f"{f'; never learnt: {new}' if new else ''}. "
            f"New facts are read; to learn new relations: memnets kb train {self.path}"
        )

    def __repr__(self) -> str:
        facts, relations = len(self.store.facts), len(self.store.relations)
        state = "ask(question)" if self.trained.is_dir() else "not trained yet: train() comes first"
        return f"KB({self.path}: {facts:,} facts, {relations:,} relations; {state})"


def build_kb(
    source: StrPath | Iterable[Any],
    out: StrPath,
    *,
    form: Form | None = None,
    header: bool | None = None,
    names: FurtherNames = (),
    table: bool = False,
    subject: str | None = None,
    key: str | None = None,
) -> KB:
    """Build a knowledge base of facts, and return it, to be trained and asked.

        memnets.build_kb("films.csv", "films.kb").train().ask("who directed Alien?")

    Args:
        source: a file of facts, one a line; a workbook of Excel, of which the first sheet is read,
            or JSON, a list of records or a record a line; "-" for standard input; or an iterable of
            subjects, relations and objects.
        out: its folder; what was there before stays until the new one is whole.
        form: of the file; by default as its first line looks.
        header: whether the first row names the columns; by default if it does in usual words.
        names: further names: a file of an entity, a TAB and a name a line, or pairs of these.
        table: whether the file is a table: a row an entity, a column a relation.
        subject: the column of a table that names what a row is about; by default the first.
        key: the column of a table that tells rows of one name apart, such as an id; see
            `kb.store.from_table`.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: it holds no facts, or its form cannot be told.
    """
    built = build(
        source, out, form=form, header=header, names=names, table=table, subject=subject, key=key
    )
    if built.bad.count:
        first = "; ".join(built.bad.first[:1])
        warnings.warn(f"{built.bad.count:,} bad rows left out: {first}", stacklevel=2)
    if told := namesakes_in_words(built, 1):
        warnings.warn(told, stacklevel=2)
    return KB(out)


def build(
    source: StrPath | Iterable[Any],
    out: StrPath,
    *,
    form: Form | None,
    header: bool | None,
    names: FurtherNames,
    table: bool,
    subject: str | None,
    key: str | None = None,
    tell: Callable[[kb.StoreProgress], None] = lambda _: None,
) -> kb.BuiltStore:
    """Build a knowledge base, and return what was built and what was left out; see `build_kb`."""
    if isinstance(names, str | os.PathLike):
        names = list(records(names, _name))
    further = list(names.items()) if isinstance(names, Mapping) else list(names)
    if not isinstance(source, str | os.PathLike):
        return _build(_checked(source), Path(out), form, header, further, tell)
    from memnets.kb.store.sources import as_text

    with as_text(source) as text:
        if table if text.table is None else text.table:
            built = build_table(
                text.path, Path(out), subject, key, names=further, tell=tell, named=text.named
            )
        elif text.table is None:
            built = _build(text.path, Path(out), form, header, further, tell)
        else:  # the form in which what was named was brought
            built = _build(text.path, Path(out), "tsv", None, further, tell)
        built.bad.first[:] = map(text.named, built.bad.first)
        return built


def _build(
    facts: Source,
    out: Path,
    form: Form | None,
    header: bool | None,
    names: Iterable[tuple[str, str]],
    tell: Callable[[kb.StoreProgress], None],
) -> kb.BuiltStore:
    """Build a knowledge base of facts, and forget what a table said of an earlier one."""
    built = kb.build(facts, out, form=form, header=header, names=names, tell=tell)
    keep(FromTable(), Store.open(out).generation, out)
    return built


def namesakes_in_words(built: kb.BuiltStore, most: int) -> str:
    """Say what was made of names that stand in rows which contradict each other, and what to do.

    Args:
        built: of a table; nothing is said where it has no such names.
        most: so many examples are given.
    """
    if built.apart:
        some = ", ".join(map(repr, built.apart[: 2 * most]))
        return (
            f"{len(built.apart):,} rows share their name with another that contradicts them, and "
            f"were told apart: {some}{', ...' if len(built.apart) > 2 * most else ''}. To tell "
            f"them apart by another column, such as an id, name it with --key; if they are one, "
            f"correct the rows; and build again."
        )
    if not built.merged:
        return ""
    merged, one = built.merged, len(built.merged) == 1
    return (
        f"{len(merged):,} name{' stands' if one else 's stand'} in several rows that contradict "
        f"each other. These are too many for namesakes, so the facts of their rows were put "
        f"together: {'; '.join(merged[:most])}{'; ...' if len(merged) > most else ''}. "
        f"If each row is another one, name a column that tells them apart, such as an id, with "
        f"--key, and build again."
    )


def is_kb(path: Path) -> bool:
    """Whether a folder looks like a knowledge base, damaged or not."""
    return (path / "index.json").is_file() and not (path / "run.json").exists()


def beside(path: Path, name: str) -> Path:
    """Return the path of a file or folder beside a KB."""
    return path.with_name(f"{path.name}.{name}")


def _train_aside(run: KBQA, out: Path, show: Any) -> None:
    """Train aside, and put the run in the place of the one before when it has ended.

    Within its folder stands the run that is measured: the same, with ways of asking held out.
    """
    aside = out.with_name(f".{out.name}.{os.getpid()}{UNFINISHED}")
    first = out.with_name(f".{out.name}.{os.getpid()}.{MEASURED}{UNFINISHED}")
    before = out.with_name(f".{out.name}.{os.getpid()}.before")
    tell = show.note if show else lambda _: None
    if out.exists() and not (out / "run.json").is_file():
        raise ValueError(
            f"{out}: this is there already, and is no trained model. Choose another --out."
        )
    try:
        tell("1 of 2: a model to be measured, by phrases that are held out of its training")
        start(replace(run, data=replace(run.data, held_out=True)), first, show=show)
        tell("2 of 2: the model to be asked, which learns all phrases")
        start(run, aside, show=show)
        os.replace(first, aside / MEASURED)
        if out.exists():
            os.replace(out, before)
        os.replace(aside, out)
    finally:
        for folder in (first, aside, before):
            shutil.rmtree(folder, ignore_errors=True)


def _checked(triples: Iterable[Any]) -> Iterator[tuple[str, str, str]]:
    for number, fact in enumerate(triples, start=1):
        parts = (fact,) if isinstance(fact, str) else tuple(fact)
        if len(parts) != 3 or not all(isinstance(part, str) for part in parts):
            raise ValueError(
                f"fact {number} came as {fact!r:.80}; expected three texts: a subject, a relation "
                f"and an object."
            )
        yield parts


def _name(line: str) -> tuple[str, str]:
    entity, name = fields(line, "\t", "entity\tname")
    return entity, name
