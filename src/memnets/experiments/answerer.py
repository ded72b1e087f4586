"""What a run leaves behind: a trained model that answers. Imports no torch.

An answerer declares what it takes and what it gives, so that whoever asks (Python, the command
line, a report) need not know which one it is.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from memnets.evidence import Answer
from memnets.experiments.judging import JudgedFile, StrPath
from memnets.experiments.measure import measure

if TYPE_CHECKING:
    from torch import nn

    from memnets.evidence import ReadText

PARTS = {
    "story": "a list of sentences, the oldest first, or one text",
    "sentences": "a list of those that may answer, or a text of lines",
    "facts": "a list of subject<TAB>relation<TAB>object, or a text of lines",
    "steps": "a list of steps such as k12 v3, or a text of lines",
    "image": "the file of a picture",
    "question": "a text, or a list of several",
    "text": "a text, or a list of several",
    "points": "a Path of a CSV file, a text of lines such as 0.25,0.75, or a list of points",
    "picture": "the file of a picture, or a list of several",
}
"""All that an answerer may take, and how each is written."""
ASKED = ("question", "text", "points", "picture")
"""Of these, what is asked; the others are the context in which it is."""
QUESTION_MARKS = "?？؟\u037e"
"""Marks that a question ends with: also the full-width, the Arabic and the Greek one."""
QUOTES = {'"': '"', "'": "'", "“": "”", "„": "“”", "«": "»", "»": "«", "‘": "’", "「": "」"}
"""Marks that a question may stand between, and those that close them."""
_SENTENCE_END = re.compile(r"(?<=[.!])\s+")


def as_question(line: str) -> str | None:
    """Return a line that asks as models read it: without quotes around it, with a plain "?".

    None for a line that tells: it does not end with a question mark.
    """
    text, asks = line.strip(), False
    while text:
        if text[-1] in QUESTION_MARKS:
            text, asks = text[:-1].rstrip(), True
        elif len(text) > 1 and text[-1] in QUOTES.get(text[0], ""):
            text = text[1:-1].strip()
        else:
            break
    return f"{text}?" if asks else None


def without_frames(error: ValueError) -> ValueError:
    """Return an error that stands in the place of an answer, without where it was raised.

    The frames of its traceback hold the model, the files that are open, and the list that the
    error is put into: together they would stay until a search for garbage.
    """
    error.__traceback__ = error.__context__ = error.__cause__ = None
    return error


class Answerer(ABC):
    """A trained model and all that it needs to answer.

    A study says how its vocabulary is read, how its model is built, and how one question is
    answered.

    Args:
        run: what was trained.
        folder: of the run.

    Raises:
        FileNotFoundError: there is no run, or not all of it.
        ValueError: it is damaged, or of another version.
    """

    takes: ClassVar[tuple[str, ...]] = ("story", "question")
    """What has to be given to `ask`, in this order; names of `PARTS`."""
    may_take: ClassVar[tuple[str, ...]] = ()
    """What may be given after those."""
    gives: ClassVar[Literal["answer", "text"]] = "answer"
    """An answer with its evidence, or how a text goes on (then there is `write` too)."""
    reads_data: ClassVar[bool] = False
    """Whether answers are read from the run's own data, so that these have to be at hand."""
    devices: ClassVar[tuple[str, ...]] = ("cpu", "cuda", "mps")
    """Where it can be asked."""
    run: Any

    def __init__(self, run: Any, folder: Path) -> None:
        from memnets.training.runs import RunFolder

        self.run = run
        self.folder: RunFolder = RunFolder.open(folder)
        try:
            self.vocabulary: Any = self.read_vocabulary()
        except (KeyError, TypeError, AttributeError, IndexError) as error:
            raise ValueError(
                f"{self.folder.path / 'vocabulary.json'}: not as a run writes it "
                f"({type(error).__name__}: {error}). Restore it from a copy, or train anew."
            ) from None
        self.device = "cpu"

    def read_vocabulary(self) -> Any:
        """Return the words, features or symbols that the model knows; None where it has none."""
        return None

    def build(self) -> "nn.Module":
        """Build the model, its weights yet to be loaded."""
        model: nn.Module = self.run.model.build(self.vocabulary)
        return model

    @cached_property
    def model(self) -> Any:
        """The trained model, in evaluation."""
        model = self.build()
        self.folder.load_weights(model)
        return model.eval()

    @abstractmethod
    def answer(self, context: Sequence[str], asked: str) -> Answer:
        """Answer one question, or go on with one text, after the lines of its context."""

    @abstractmethod
    def examples(self, split: str, task: int) -> Iterator[Answer]:
        """Answer the questions of a task of the run's own data."""

    def expect_readable(self, line: str) -> None:
        """Refuse a line of a context that cannot be read, whatever is asked after it.

        Raises:
            ValueError: it is too long, or not written as it should be.
        """
        return

    @abstractmethod
    def data_sha256(self) -> str:
        """Return the checksum of the run's own data as they are now."""

    def check_data(self) -> None:
        """Refuse data that have changed since the training.

        Raises:
            ValueError: they have.
        """
        self.folder.check_data(self.data_sha256())

    def read_texts(self) -> "Iterator[ReadText]":
        """Read pieces of the run's own data, and tell what was read at every word of them.

        None by default: it takes a memory that every word reads.
        """
        return iter(())

    def ask(self, *given: Any, **named: Any) -> Any:
        """Answer a question, or each of a list of them, and tell what was read for it.

        What is given is what `takes` names, in that order: `ask(story, question)`,
        `ask(question)` or `ask(text)`.

        Returns:
            An `Answer`; a list of them for a list of questions.

        Raises:
            ValueError: something else came; the text says what this answerer takes.
        """
        context, asked = self._read(self._bound(given, named))
        with self.placed():
            if isinstance(asked, str):
                return self.reply(context, self._as_asked(asked))
            questions = map(self._as_asked, self._texts("questions", asked))
            return [self.reply(context, one) for one in questions]

    def ask_each(self, given: Sequence[Mapping[str, Any]]) -> list[Any]:
        """Answer several questions, each with a context of its own; many at once where that pays.

        Args:
            given: what `ask` takes by name, with one question each.

        Returns:
            What `ask` returns of each; in the place of one that cannot be answered, its error.
        """
        read: list[Any] = []
        for one in given:
            try:
                read.append(self._read(self._bound((), one)))
            except ValueError as error:
                read.append(without_frames(error))
        asked = [(one[0], self._as_asked(one[1])) for one in read if isinstance(one, tuple)]
        with self.placed():
            replies = iter(self.reply_each(asked))
        return [next(replies) if isinstance(one, tuple) else one for one in read]

    def reply_each(self, asked: Sequence[tuple[Sequence[str], str]]) -> list[Any]:
        """Return what `reply` does of each context and question, or its error; one by one."""
        replies: list[Any] = []
        for context, question in asked:
            try:
                replies.append(self.reply(context, question))
            except ValueError as error:
                replies.append(without_frames(error))
        return replies

    def _read(self, parts: dict[str, Any]) -> tuple[list[str], Any]:
        """Return the context as lines, and what is asked."""
        asked = next(parts.pop(name) for name in ASKED if name in parts)
        return [line for name, part in parts.items() for line in self._lines(name, part)], asked

    def _as_asked(self, text: str) -> str:
        """Return a question in plain form; a text that is gone on with is left as it is."""
        return text if self.takes_text else as_question(text) or text

    def reply(self, context: Sequence[str], asked: str) -> Any:
        """Return what `ask` gives for one question."""
        return self.answer(context, asked)

    def evaluate(self, split: str = "test") -> dict[str, float]:
        """Measure it on a part of the run's own data: "train", "valid" or "test"."""
        return measure(self.run, self.folder, split)

    def judge(self, questions: StrPath) -> JudgedFile:
        """Answer all questions of a file, many at once, and judge the answers.

        Args:
            questions: a file in the form of the questions of the run's own data.

        Raises:
            FileNotFoundError: there is no such file.
            ValueError: a line of it cannot be read, or no file of questions is taken.
        """
        raise ValueError(
            f"{questions}: {self.name} answers no file of questions. Measure it on a split of its "
            f"own data: memnets eval {self.folder.path} --split test"
        )

    def to(self, device: str) -> "Answerer":
        """Move the model to a device, such as "cuda".

        Raises:
            ValueError: there is no such device here.
        """
        model = self.model
        if device.partition(":")[0] not in self.devices:
            raise ValueError(
                f"device={device!r}: {self.name} can be asked on {' or '.join(self.devices)}."
            )
        try:
            self.model = model.to(device)
        except (RuntimeError, AssertionError) as error:
            reason = str(error).splitlines()[0].rstrip(".")
            raise ValueError(
                f"device={device!r} cannot be used here ({reason}). Leave it out for the CPU."
            ) from None
        self.device = device
        return self

    def placed(self) -> AbstractContextManager[Any]:
        """Return the context in which new tensors lie where the model is."""
        if self.device == "cpu":
            return nullcontext()
        import torch

        return torch.device(self.device)

    @property
    def takes_text(self) -> bool:
        """Whether a text, or a file, is asked about as it is written, and not as a question."""
        return "text" in self.takes or "picture" in self.takes

    @property
    def name(self) -> str:
        """The recipe's name, or that of the kind of run where no recipe made it."""
        return str(self.folder.record.get("recipe") or self.folder.record.get("kind"))

    @property
    def metrics(self) -> dict[str, Any]:
        """What the training ended with, by split; nothing while it has not ended."""
        metrics: dict[str, Any] = (self.folder.result or {}).get("metrics", {})
        return metrics

    @property
    def usage(self) -> str:
        """How to ask it, in words."""
        names = [*self.takes, *(f"{name}=None" for name in self.may_take)]
        parts = (f"{name} is {PARTS[name]}" for name in (*self.takes, *self.may_take))
        return f"ask({', '.join(names)}), where {'; '.join(parts)}"

    def __repr__(self) -> str:
        ended = "" if self.folder.result else ", whose training has not ended"
        return f"{type(self).__name__}({self.name} in {self.folder.path}{ended}: {self.usage})"

    def _refused(self, came: str) -> ValueError:
        return ValueError(f"{came}, but {self.name} takes {self.usage}.")

    def _bound(self, given: Sequence[Any], named: Mapping[str, Any]) -> dict[str, Any]:
        names = (*self.takes, *self.may_take)
        came = f"{len(given) + len(named)} things came"
        if len(given) <= len(names):
            parts = dict(zip(names, given, strict=False))
            twice, strange = parts.keys() & named, named.keys() - names
            parts |= named
            missing = [name for name in self.takes if parts.get(name) is None]
            if not (twice or strange or missing):
                return {name: part for name, part in parts.items() if part is not None}
            if strange:
                came = f"there is no {min(strange)!r}"
            elif twice:
                came = f"{min(twice)} came twice"
            else:
                came = f"no {missing[0]} came"
        raise self._refused(came)

    def _lines(self, name: str, part: Any) -> list[str]:
        """Return a context as lines; a story that is one text is cut into its sentences."""
        if isinstance(part, str):
            part = part.splitlines()
            if name == "story":
                part = [sentence for line in part for sentence in _SENTENCE_END.split(line)]
        lines = [line.strip() for line in self._texts(name, part) if line.strip()]
        if name == "story" and (asking := [line for line in lines if as_question(line)]):
            raise self._refused(f"{asking[0]!r} came in the story")
        return lines

    def _texts(self, name: str, part: Any) -> Sequence[str]:
        texts = list(part) if isinstance(part, Sequence) and not isinstance(part, str) else None
        if texts is None or not all(isinstance(text, str) for text in texts):
            raise self._refused(f"{name} came as {part!r:.60}")
        return texts
