"""Which bAbI stories a run is trained on. Shared by the recipes of all models."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, NamedTuple

from memnets.data.babi import TASKS, Story, fingerprint, load_task, task_file
from memnets.recipes.run import DataRecord
from memnets.training.config import expect_at_least

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
        expect_at_least("data", self, validation=0)
        if self.validation >= 1:
            raise ValueError(
                f"data.validation is {self.validation}: nothing would be left to train on. "
                f"Pass --data.validation 0.1, a share below 1."
            )
        if self.source == "generated" and (self.path is not None or self.language != "en"):
            raise ValueError(
                "data.source is generated, so data.path and data.language would be ignored. "
                "Leave them out, or pass --data.source official."
            )

    @property
    def folder(self) -> str:
        return self.language + ("-10k" if self.size == "10k" else "")

    @property
    def name(self) -> str:
        which = "generated" if self.source == "generated" else self.folder
        return f"bAbI {which}, tasks {_ranges(self.tasks)}"

    def load(self) -> BabiStories:
        """Read or generate the stories.

        Raises:
            FileNotFoundError: the official files are not at hand.
        """
        if self.source == "generated":
            return self._generate()
        train, test, files = [], [], []
        for task in self.tasks:
            train += load_task(task, "train", folder=self.folder, path=self.path)
            test += load_task(task, "test", folder=self.folder, path=self.path)
            files.append(task_file(task, "train", folder=self.folder, path=self.path))
            files.append(task_file(task, "test", folder=self.folder, path=self.path))
        return BabiStories(train, test, DataRecord(self.name, fingerprint(files)))

    def _generate(self) -> BabiStories:
        from memnets.data.babi_world import make_stories, story_fingerprint

        train, test = [], []
        for task in self.tasks:
            train += make_stories(task, 1000 if self.size == "1k" else 10_000, seed=0)
            test += make_stories(task, 1000, seed=1)
        return BabiStories(train, test, DataRecord(self.name, story_fingerprint(train + test)))

    def without_path(self) -> "BabiData":
        """Return the same without the place on this machine, for published records."""
        return replace(self, path=None)

    def set_aside(self, questions: int, seed: int) -> tuple[list[int], list[int]]:
        """Split question numbers into those to train on and those to validate with."""
        order = list(range(questions))
        if self.validate == "random":
            random.Random(seed).shuffle(order)
        kept = questions - int(self.validation * questions)
        return order[:kept], order[kept:]


def _ranges(tasks: Sequence[int]) -> str:
    if len(tasks) > 2 and list(tasks) == list(range(tasks[0], tasks[-1] + 1)):
        return f"{tasks[0]}-{tasks[-1]}"
    return ", ".join(str(task) for task in tasks)
