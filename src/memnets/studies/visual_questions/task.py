"""Learn to answer questions about pictures, and measure it beside what needs no picture."""

from collections.abc import Iterator, Mapping
from typing import Any

import torch
from jaxtyping import Bool
from torch import Tensor, nn

from memnets.attention import Readout
from memnets.models.dmn import VisualDMN
from memnets.studies.visual_questions.encoding import NumberedQuestions
from memnets.tasks.pointing import MARGIN, Objects, on_objects, pointed
from memnets.training.task import Ratio, Step, Task, shuffled

EVALUATION_BATCH = 50
"""Pictures whose questions are answered at once when nothing is learnt."""
LOOKED_AT = 200
"""Training pictures that are measured at the end: the first ones."""


class VisualTask(Task):
    """Answer: the loss is the mean negative log-likelihood of the right answers.

    A batch is of pictures, with all that is asked of each, so that a picture is seen once.

    Args:
        questions: the splits by name.
        batch: pictures in an update.
        kinds: names of the kinds of questions, by their numbers.
        groups: numbers of the kinds that are reported together, by name.
        side: height and width of a picture.
    """

    unit = "questions"

    def __init__(
        self,
        questions: Mapping[str, NumberedQuestions],
        batch: int,
        kinds: tuple[str, ...],
        groups: Mapping[str, tuple[int, ...]],
        side: tuple[int, int],
    ) -> None:
        self.questions, self.batch = questions, batch
        self.kinds, self.groups, self.side = kinds, groups, side

    @property
    def updates_per_epoch(self) -> int:
        return -(-len(self.questions["train"].images) // self.batch)

    def batches(
        self, split: str, generator: torch.Generator, position: int
    ) -> Iterator[tuple[Tensor, ...]]:
        return shuffled(len(self.questions[split].images), self.batch, generator, position)

    def collate(self, split: str, batch: tuple[Tensor, ...]) -> NumberedQuestions:
        return self.questions[split].about(*batch)

    def loss(
        self, model: nn.Module, batch: NumberedQuestions, state: Any, generator: torch.Generator
    ) -> Step:
        assert isinstance(model, VisualDMN)
        said = batch.answer.unsqueeze(1)
        lost, _ = model.loss(batch.pictures, batch.question, said, batch.of)
        total = lost.sum()
        return Step(total, len(said), state, {"answers": total.detach()})

    @torch.no_grad()
    def evaluate(self, model: nn.Module, split: str) -> dict[str, Ratio]:
        """Return loss and accuracy, whole, of groups and of kinds, and what stands beside them.

        `prior` is the accuracy of the most frequent answer to the same question in training;
        `shuffled`, of the test questions, that with another picture in the place of each. `named/2`
        is how often the second hop reads that region most which holds the object that the question
        names, `meant/2` that which it asks for, `place` what a random region gets; `moved/2`, how
        often its most read region is another than the hop before had.
        """
        assert isinstance(model, VisualDMN)
        data = self.questions.get(split)
        if data is None or not len(data.answer):
            return {}
        most = LOOKED_AT if split == "train" else len(data.images)
        pictures = torch.arange(min(most, len(data.images)), device=data.of.device)
        found: dict[str, Ratio] = {}
        for some in pictures.split(EVALUATION_BATCH):
            batch = data.about(some)
            if len(batch.answer):
                _add(found, self._measured(model, batch, split == "test"))
        return found

    def _measured(
        self, model: VisualDMN, batch: NumberedQuestions, fully: bool
    ) -> dict[str, Ratio]:
        reply = model(batch.pictures, batch.question, batch.of)
        said = model.head.words(reply.scores).squeeze(1)
        right = said == batch.answer
        lost = model.head.loss(reply.memory, reply.asked, batch.answer.unsqueeze(1))
        found = {"loss": Ratio.of(lost)} | self._by_kind("accuracy", "", right, batch)
        found |= self._by_kind("prior", "prior/", batch.floor, batch)
        if batch.people.shape[1]:
            found["people"] = Ratio.of(batch.people.gather(1, said.unsqueeze(1)))
        if fully and len(batch.images) > 1:
            other = model(batch.pictures.roll(1, 0), batch.question, batch.of)
            by_other = model.head.words(other.scores).squeeze(1) == batch.answer
            found |= self._by_kind("shuffled", "shuffled/", by_other, batch)
        return found | self._looked(model, reply.hops, batch)

    def _by_kind(
        self,
        whole: str,
        begins: str,
        right: Bool[Tensor, " question"],
        batch: NumberedQuestions,
    ) -> dict[str, Ratio]:
        """Return a figure of all questions, of each group and each kind of them."""
        found = {whole: Ratio.of(right)}
        kinds = {name: (number,) for number, name in enumerate(self.kinds)}
        for name, members in (kinds | dict(self.groups)).items():
            asked = torch.isin(batch.kind, torch.tensor(members, device=batch.kind.device))
            found[f"{begins}{name}"] = Ratio.of(right[asked])
        return found

    def _looked(
        self, model: VisualDMN, hops: tuple[Readout, ...], batch: NumberedQuestions
    ) -> dict[str, Ratio]:
        """Return where each hop looked, of questions whose objects are known."""
        maps = [model.regions.on_grid(hop.weights.squeeze(1)).flatten(1) for hop in hops]
        found = {
            f"moved/{hop}": Ratio.of(maps[hop - 1].argmax(-1) != maps[hop - 2].argmax(-1))
            for hop in range(2, len(maps) + 1)
        }
        if not maps or not batch.centres.shape[1]:
            return found
        grid = model.regions.grid
        none = batch.named.unsqueeze(1)
        cell = self.side[0] / grid[0], self.side[1] / grid[1]
        whole = (cell[0] ** 2 + cell[1] ** 2) ** 0.5 / 2 - float(batch.radii[0, 0])
        objects = Objects(batch.centres, batch.radii, none)
        there = on_objects(objects, grid, self.side, max(MARGIN, whole))[batch.of]
        for hop, weights in enumerate(maps, 1):
            for name, owner in (("named", batch.named), ("meant", batch.meant)):
                seen = pointed(weights.unsqueeze(1), owner.unsqueeze(1), there)
                found[f"{name}/{hop}"] = Ratio(seen.right, seen.words)
                if (name, hop) == ("named", 1):
                    found["place"] = Ratio(seen.chance, seen.words)
        return found


def _add(found: dict[str, Ratio], more: Mapping[str, Ratio]) -> None:
    """Add sums to those of the same name."""
    for name, ratio in more.items():
        before = found.get(name, Ratio(0.0, 0.0))
        found[name] = Ratio(before.total + ratio.total, before.weight + ratio.weight)
