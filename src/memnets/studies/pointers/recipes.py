"""Pointer networks (Vinyals et al., 2015) and the paper's baselines, small.

The paper trains 256 or 512 units on a million sets by SGD, from weights that hardly move in short
runs. Sizes and training are ours, for one core and less than half an hour: Adam, points embedded,
Xavier's start. `model.embed 0`, `model.start paper` and `training.optimizer sgd` are the paper's.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from memnets.data.geometry import listed_points, load_points, parse_points
from memnets.evidence import Answer
from memnets.experiments.answerer import Answerer
from memnets.experiments.run import DataRecord, Prepared, Run
from memnets.studies.pointers.data import PointsData, digest
from memnets.training.config import expect_above, expect_at_least

if TYPE_CHECKING:
    import torch

    from memnets.models.pointer import PointNetwork


@dataclass(frozen=True)
class PointerModel:
    """The model."""

    decoder: Literal["pointer", "notes", "attention", "lstm"] = "pointer"
    """Pointers to the encoder's states, or, as the study notes have it, to the points themselves;
    indices of a fixed vocabulary, chosen with attention or without."""
    hidden: int = 128
    """Width of a state."""
    embed: int = 64
    """Width that points are embedded in; with 0 the network is given their numbers themselves."""
    start: Literal["xavier", "paper"] = "xavier"
    """First weights; the paper's are uniform between -0.08 and 0.08."""

    def __post_init__(self) -> None:
        expect_at_least("model", self, hidden=1, embed=0)

    def build(self, data: PointsData) -> "PointNetwork":
        from memnets.models import pointer
        from memnets.models.seq2seq import modern_initial

        initial = pointer.paper_initial if self.start == "paper" else modern_initial
        sizes: dict[str, Any] = {
            "dim": data.asked.dim,
            "hidden": self.hidden,
            "inputs": self.embed or None,
            "initial": initial,
        }
        most = max(data.sizes("test"))
        builders: dict[str, Callable[[], PointNetwork]] = {
            "pointer": lambda: pointer.paper(**sizes),
            "notes": lambda: pointer.notes(**sizes),
            "attention": lambda: pointer.attentive(most, **sizes),
            "lstm": lambda: pointer.plain(most, **sizes),
        }
        return builders[self.decoder]()


@dataclass(frozen=True)
class PointerTraining:
    """The training: the mean cross entropy of the choices, at a rate that falls to 0."""

    optimizer: Literal["adam", "sgd"] = "adam"
    """SGD, without momentum, is the paper's."""
    batch: int = 128
    """Sets in an update, all of one size."""
    updates: int = 8000
    """How many."""
    learning_rate: float = 0.003
    """Of the first update; it falls in a straight line."""
    clip: float = 2.0
    """The longest gradient; a longer one is shortened."""
    evaluate_every: int = 1000
    """Updates between two lines of the log."""

    def __post_init__(self) -> None:
        expect_at_least("training", self, batch=1, updates=1, evaluate_every=1)
        expect_above("training", self, learning_rate=0, clip=0)

    def build(self, model: "torch.nn.Module") -> "torch.optim.Optimizer":
        from torch import optim

        kind: Any = optim.Adam if self.optimizer == "adam" else optim.SGD
        built: optim.Optimizer = kind(model.parameters(), lr=self.learning_rate)
        return built


@dataclass(frozen=True, kw_only=True)
class Pointers(Run):
    """A network that is asked about points."""

    kind: ClassVar[str] = "pointers"

    data: PointsData = PointsData()
    model: PointerModel = PointerModel()
    training: PointerTraining = PointerTraining()

    @property
    def cite(self) -> tuple[str, ...]:
        return ("vinyals2015",)

    def prepare(self) -> Prepared:
        from memnets.studies.pointers.task import PointsTask
        from memnets.training.best import Best
        from memnets.training.clipping import GlobalNorm
        from memnets.training.experiment import Experiment, Phase
        from memnets.training.schedules import linear_decay, seeded

        model = self.model.build(self.data)
        model.reset_parameters(seeded(self.loop.seed))
        training, data = self.training, self.data
        rate = linear_decay(training.learning_rate, training.updates)
        every = min(training.evaluate_every, training.updates)
        experiment = Experiment(
            model=model,
            task=PointsTask(data, training.batch),
            optimizer=training.build(model),
            phases=(Phase(data.problem, training.updates, rate, every),),
            reduction="mean",
            clip=GlobalNorm(training.clip),
            keep=Best("valid/loss"),
        )
        record = DataRecord(f"points, {data.problem}, generated, {data.found_by}", digest(data))
        return Prepared(experiment, {}, record)

    def restore(self, folder: Path) -> "PointsAnswerer":
        return PointsAnswerer(self, folder)


class PointsAnswerer(Answerer):
    """A trained network that is asked about points."""

    takes = ("points",)
    run: Pointers

    def build(self) -> "PointNetwork":
        return self.run.model.build(self.run.data)

    @cached_property
    def problem(self) -> Any:
        """What is asked."""
        return self.run.data.asked

    def data_sha256(self) -> str:
        return digest(self.run.data)

    def ask(self, *given: Any, **named: Any) -> Answer:
        """Answer about points: a file of them as a Path, a text of lines, or a list.

        Raises:
            FileNotFoundError: there is no such file.
            OSError: it cannot be read.
            ValueError: something else came, or points that have no answer.
        """
        points = self._bound(given, named)["points"]
        if isinstance(points, Path):
            found, name = load_points(points, self.problem), points.name
        elif isinstance(points, str):
            found, name = parse_points(points.splitlines(), self.problem), ""
        else:
            found, name = listed_points(points, self.problem), ""
        return self._answer(found, name)

    def answer(self, context: Sequence[str], asked: str) -> Answer:
        return self._answer(parse_points(asked.splitlines(), self.problem), "")

    def _answer(self, points: Any, name: str) -> Answer:
        from memnets.studies.pointers.inference import answer

        with self.placed():
            return answer(self.model, self.problem, points, name)

    def examples(self, split: str, task: int) -> Iterator[Answer]:
        """Answer about the sets of a split, one of each size after the other; there is one task."""
        held = self.run.data.held_out("test" if split == "test" else "valid")
        for place in range(self.run.data.sets):
            for drawn in held.values():
                yield self._answer(drawn.points[place].astype(float), "")


def hull() -> Pointers:
    """A pointer network learns the convex hulls of 5 points; minutes."""
    return Pointers()


def hull_10() -> Pointers:
    """A pointer network learns the convex hulls of 10 points; minutes."""
    return Pointers(data=PointsData(least=10, most=10), training=PointerTraining(updates=5000))


def hull_sizes() -> Pointers:
    """A pointer network learns the hulls of 5 to 50 points, tested at up to 200; minutes."""
    return Pointers(
        data=PointsData(least=5, most=50, tested=(10, 100, 200), sets=300),
        training=PointerTraining(batch=64, updates=5000),
    )


def delaunay() -> Pointers:
    """A pointer network learns the Delaunay triangulations of 5 points; minutes."""
    return Pointers(
        data=PointsData(problem="delaunay"), training=PointerTraining(batch=64, updates=6000)
    )


def delaunay_by_number() -> Pointers:
    """The same as the paper writes triangles: their corners in increasing order; minutes."""
    return replace(delaunay(), data=PointsData(problem="delaunay-by-number"))


def tours() -> Pointers:
    """A pointer network learns the shortest tours of 5 cities; minutes."""
    return Pointers(data=PointsData(problem="tour"), training=PointerTraining(updates=3000))


def tours_10() -> Pointers:
    """A pointer network learns the shortest tours of 10 cities; minutes."""
    data = PointsData(problem="tour", least=10, most=10)
    return Pointers(data=data, training=PointerTraining(updates=6000))


def sorting() -> Pointers:
    """A pointer network sorts 5 numbers; seconds."""
    return Pointers(
        data=PointsData(problem="sorting"),
        model=PointerModel(hidden=32, embed=16),
        training=PointerTraining(batch=64, updates=1500, learning_rate=0.01, evaluate_every=250),
    )


RECIPES = {
    "pointers/hull": hull,
    "pointers/hull-10": hull_10,
    "pointers/hull-5-50": hull_sizes,
    "pointers/delaunay": delaunay,
    "pointers/delaunay-by-number": delaunay_by_number,
    "pointers/tour": tours,
    "pointers/tour-10": tours_10,
    "pointers/sorting": sorting,
}
