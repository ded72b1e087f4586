"""Which bAbI stories a run is trained on. Shared by the recipes of all models."""

import hashlib
import random
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from memnets.data.babi import TASKS, Story, fingerprint, load_task, read_stories, task_file
from memnets.data.babi.generate import Variant, make_stories, story_fingerprint
from memnets.evidence import Answer
from memnets.experiments.answerer import Answerer
from memnets.experiments.judging import ASKED, JudgedFile, StrPath, some
from memnets.experiments.run import DataRecord
from memnets.tasks.asking import QUESTIONS, Asked, judged_stories

if TYPE_CHECKING:
    from memnets.training.task import Task

ALL_TASKS = tuple(TASKS)


class BabiStories(NamedTuple):
    """The stories of a run, before any validation question is set aside."""

    train: list[Story]
    test: list[Story]
    record: DataRecord


@dataclass(frozen=True)
class BabiData:
    """Which stories, and how many questions are set aside."""

    tasks: tuple[int, ...] = (1,)
    """1 to 20; several are learnt by one model ("joint")."""
    size: Literal["1k", "10k"] = "1k"
    """Training questions a task."""
    language: Literal["en", "hn", "shuffled"] = "en"
    """English, romanised Hindi, or English with its letters permuted."""
    source: Literal["official", "generated"] = "official"
    """Generated stories are never put in the place of official ones unasked."""
    test_source: Literal["official", "generated"] | None = None
    """Where the test questions are from; by default as the training ones."""
    variant: Variant = Variant()
    """In what generated stories differ from the official ones."""
    path: Path | None = None
    """Folder that holds tasks_1-20_v1-2; by default MEMNETS_DATA, then the download cache."""
    validation: float = 0.1
    """Share of the training questions that is set aside."""
    validate: Literal["last", "random"] = "last"
    """Which: the last ones (single tasks), or any (joint)."""

    def __post_init__(self) -> None:
        unknown = [task for task in self.tasks if task not in TASKS]
        if unknown or not self.tasks:
            raise ValueError(
                f"data.tasks names {unknown[0] if unknown else 'no task'}: expected numbers from "
                f"1 to 20. Pass --data.tasks 1, or several: --data.tasks 1 2 3."
            )
        if len(set(self.tasks)) < len(self.tasks):
            twice = next(task for task in self.tasks if self.tasks.count(task) > 1)
            raise ValueError(
                f"data.tasks names {twice} twice: its questions would count double. "
                f"Name each task once."
            )
        if not 0 < self.validation < 1:
            raise ValueError(
                f"data.validation is {self.validation}: expected a share above 0 and below 1, so "
                f"that there are questions to validate with and to train on. "
                f"Pass --data.validation 0.1."
            )
        sources = {self.source, self.test_source or self.source}
        if self.variant != Variant() and "generated" not in sources:
            raise ValueError(
                f"data.variant is {self.variant}, and would be ignored: the stories are official. "
                f"Leave it out, or pass --data.source generated."
            )
        generated = sources == {"generated"}
        if generated and (self.path is not None or self.language != "en"):
            raise ValueError(
                "data.source is generated, so data.path and data.language would be ignored. "
                "Leave them out, or pass --data.source official."
            )

    @property
    def folder(self) -> str:
        return self.language + ("-10k" if self.size == "10k" else "")

    @property
    def name(self) -> str:
        """What the data are called in records: generated stories are always named as such."""
        made = f"generated {self.variant}".strip()
        kinds = {"official": self.folder, "generated": made}
        train, test = kinds[self.source], kinds[self.test_source or self.source]
        sources = train if train == test else f"{train}, tested on {test}"
        return f"bAbI {sources}, task{'s' * (len(self.tasks) > 1)} {_ranges(self.tasks)}"

    def load(self) -> BabiStories:
        """Read or generate the stories.

        Raises:
            FileNotFoundError: the official files are not at hand.
        """
        train, first = self._load(self.source, "train")
        test, second = self._load(self.test_source or self.source, "test")
        digest = hashlib.sha256(f"{first}\n{second}\n".encode()).hexdigest()
        return BabiStories(train, test, DataRecord(self.name, digest))

    def _load(self, source: str, split: Literal["train", "test"]) -> tuple[list[Story], str]:
        """Return the stories of a split and their checksum."""
        if source == "official":
            where: dict[str, Any] = {"folder": self.folder, "path": self.path}
            files = [task_file(task, split, **where) for task in self.tasks]
            stories = [story for task in self.tasks for story in load_task(task, split, **where)]
            return stories, fingerprint(files)
        questions = 10_000 if self.size == "10k" and split == "train" else 1000
        stories = [
            story
            for task in self.tasks
            for story in make_stories(task, questions, 0, split, self.variant)
        ]
        return stories, story_fingerprint(stories)

    def set_aside(self, questions: int, seed: int) -> tuple[list[int], list[int]]:
        """Split question numbers into those to train on and those to validate with."""
        order = list(range(questions))
        if self.validate == "random":
            random.Random(seed).shuffle(order)
        kept = questions - int(self.validation * questions)
        if not 0 < kept < questions:
            raise ValueError(
                f"data.validation is {self.validation}: of {questions} training questions, "
                f"{kept} would be left to train on and {questions - kept} to validate with; "
                f"expected some of both. Pass --data.validation 0.1, or more questions."
            )
        return order[:kept], order[kept:]


class BabiAnswerer(Answerer):
    """A trained model that answers the questions of the stories it was trained on, and others."""

    @cached_property
    def stories(self) -> BabiStories:
        data: BabiData = self.run.data
        return data.load()

    def data_sha256(self) -> str:
        return self.stories.record.sha256

    @abstractmethod
    def answer_asked(self, asked: Asked) -> Answer:
        """Answer a question about a story."""

    @abstractmethod
    def task_of(self, stories: Sequence[Story]) -> "Task":
        """Number stories, as the split `ASKED` of a task."""

    @abstractmethod
    def given(self, task: Any) -> list[tuple[str, float]]:
        """Return the answer to each question of the split `ASKED`, and its probability."""

    def answer(self, context: Sequence[str], asked: str) -> Answer:
        return self.answer_asked(Asked(context, asked))

    def judge(self, questions: StrPath) -> JudgedFile:
        """Answer the questions of a file of bAbI stories."""
        import torch

        stories = read_stories(questions)
        some([one for story in stories for one in story.questions], questions, QUESTIONS)
        task = self.task_of(stories)
        task.to(torch.device(self.device))
        judged = judged_stories(stories, self.given(task))
        return JudgedFile.of(task.evaluate(self.model, ASKED), judged)

    def examples(self, split: str, task: int) -> Iterator[Answer]:
        for story in self.stories.train if split == "train" else self.stories.test:
            if story.task == task:
                for question in story.questions:
                    asked = Asked.of(story, question)
                    yield replace(self.answer_asked(asked), given=tuple(asked.context))


def _ranges(tasks: Sequence[int]) -> str:
    if len(tasks) > 2 and list(tasks) == list(range(tasks[0], tasks[-1] + 1)):
        return f"{tasks[0]}-{tasks[-1]}"
    return ", ".join(str(task) for task in tasks)
