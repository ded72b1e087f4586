"""A network that reads points and says, one after the other, which of them come next."""

from abc import ABC, abstractmethod
from typing import Any, NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from memnets.layers.decoding import Hypotheses, beam_search, select_shared
from memnets.models.pointer.initial import paper_initial
from memnets.models.pointer.rules import Rule, anything
from memnets.models.seq2seq.initial import Initial
from memnets.models.seq2seq.sources import Source, SourceReader
from memnets.ops.bags import NIL
from memnets.ops.sizes import at_least_one


class Remembered(NamedTuple):
    r"""Points that were read, remembered once for all steps; one row a set.

    Slot 0 is no point. As an input it is $\Rightarrow$, which stands before the first choice; as a
    choice it is $\Leftarrow$, the stop.

    Attributes:
        inputs: what a step is given once a slot was chosen.
        keys: as the decoder's score remembers them; no wider than 0 where nothing is scored.
        values: what is read, where anything is.
        mask: True where there is a slot.
        length: how many points there are.
    """

    inputs: Float[Tensor, "batch slot dim"]
    keys: Float[Tensor, "batch _ _"]
    values: Float[Tensor, "batch _ _"]
    mask: Bool[Tensor, "batch 1 slot"]
    length: Int[Tensor, " batch"]

    def index_select(self, index: Int[Tensor, " row"]) -> "Remembered":
        """Return the sets in another order or number."""
        return Remembered._make(part.index_select(0, index) for part in self)


class Choices(NamedTuple):
    """What a decoder makes of some steps.

    Attributes:
        log_prob: of every slot; minus infinity where there is none.
        weights: of every slot: a pointer's are the probabilities, others say what was read.
        state: behind the last step.
    """

    log_prob: Float[Tensor, "row step slot"]
    weights: Float[Tensor, "row step slot"]
    state: Any


class Decoder(nn.Module, ABC):
    """Chooses slots, one after the other."""

    @abstractmethod
    def remember(
        self,
        points: Float[Tensor, "batch slot _"],
        source: Source,
    ) -> tuple[Float[Tensor, "batch _ _"], Float[Tensor, "batch _ _"]]:
        """Return the keys and the values of points, as they were given and as they were read."""

    def start(self, source: Source) -> Any:
        """Return the state before the first step."""
        return source.start

    @abstractmethod
    def forward(
        self, remembered: Remembered, state: Any, inputs: Float[Tensor, "row step _"]
    ) -> Choices:
        """Take steps, each given the input of the slot that was chosen before."""


class State(NamedTuple):
    """What is carried from choice to choice; hypotheses of a set share what is remembered of it."""

    remembered: Remembered
    decoder: Any

    def index_select(self, index: Int[Tensor, " row"]) -> "State":
        """Return the hypotheses in another order or number, with the sets that they need."""
        sets = len(self.remembered.length)
        return State(*select_shared(self.remembered, sets, self.decoder, index))


class Next(NamedTuple):
    """What may follow: log-probabilities of all slots, what is carried on, the weights."""

    log_prob: Float[Tensor, "row slot"]
    state: State
    weights: Float[Tensor, "row slot"]


class Taught(NamedTuple):
    """Targets that were given, choice by choice.

    Attributes:
        log_prob: of every right choice, the stop among them; 0 behind it.
        weights: of every slot at every step; 0 behind the stop.
        told: where a target has a choice.
    """

    log_prob: Float[Tensor, "batch step"]
    weights: Float[Tensor, "batch step slot"]
    told: Bool[Tensor, "batch step"]


Chosen = Hypotheses
"""What was found: `words` are slots, and `evidence` the weights of every slot at every step."""


class PointNetwork(nn.Module):
    r"""Read points, then say indices of theirs one by one, the stop last.

    $$ p(C \mid P) = \prod_i p(C_i \mid C_1, \dots, C_{i-1}, P) $$  (Vinyals et al., Eq. 1)

    A step is given the point that was chosen before it, embedded, and not what the encoder made of
    it. Points are numbered from 1. The paper does not say how the end of an output is said: here
    the stop is one more thing to choose, slot 0. Every part is given: `presets` has the models.

    Deviations: points are embedded where `embedding` does so; the paper gives the numbers
    themselves.
    Cite: vinyals2015

    Args:
        dim: width of a point.
        embedding: makes an input of a point, `nn.Linear(dim, inputs)` say; `nn.Identity()` is the
            paper's.
        inputs: width of what it makes.
        source: reads embedded points.
        decoder: chooses.
        initial: draws the first weights.

    Raises:
        ValueError: a width is below 1.
    """

    def __init__(
        self,
        dim: int,
        embedding: nn.Module,
        inputs: int,
        source: SourceReader,
        decoder: Decoder,
        initial: Initial = paper_initial,
    ) -> None:
        super().__init__()
        at_least_one("PointNetwork", dim=dim, inputs=inputs)
        self.dim, self.embedding = dim, embedding
        self.first = nn.Parameter(torch.empty(inputs))
        self.source, self.decoder = source, decoder
        self.initial = initial
        self.reset_parameters()

    def reset_parameters(self, generator: torch.Generator | None = None) -> None:
        """Draw the first weights."""
        with torch.no_grad():
            self.initial(self, generator)

    def start(
        self, points: Float[Tensor, "batch slot dim"], length: Int[Tensor, " batch"]
    ) -> State:
        """Read points, once for all that is chosen of them.

        Args:
            points: filled up with anything.
            length: how many there are.

        Raises:
            ValueError: a length is of more points than there are, or the points are not as wide as
                those that the network reads.
        """
        longest = int(length.max()) if len(length) else 0
        self._expect(points, longest)
        points = _cut(points, longest)
        there = torch.arange(points.shape[1], device=length.device) < length.unsqueeze(-1)
        points = points.masked_fill(~there.unsqueeze(-1), 0.0)
        embedded = self.embedding(points)
        source: Source = self.source(embedded, length)
        keys, values = self.decoder.remember(points, source)
        inputs = torch.cat([self.first.expand(len(points), 1, -1), embedded], 1)
        mask = F.pad(there, (1, 0), value=True).unsqueeze(1)
        remembered = Remembered(inputs, keys, values, mask, length)
        return State(remembered, self.decoder.start(source))

    def step(self, state: State, choice: Int[Tensor, " row"]) -> Next:
        """Return what may follow a choice: the step that `memnets.layers.decoding` searches.

        Args:
            state: `start`'s at first, then the one that the step before returned.
            choice: the slot before, 0 at first; one for each hypothesis.
        """
        found = self._choose(state, choice.unsqueeze(1))
        carried = State(state.remembered, found.state)
        return Next(found.log_prob.squeeze(1), carried, found.weights.squeeze(1))

    def forward(
        self,
        points: Float[Tensor, "batch slot dim"],
        length: Int[Tensor, " batch"],
        target: Int[Tensor, "batch _"],
    ) -> Taught:
        """Return the log-probability of every right choice, the right ones before it given.

        All steps are taken in one call.

        Args:
            points: filled up with anything.
            length: how many there are.
            target: numbers of points, from 1, in their order, and 0 behind the last. The stop needs
                no column of its own.

        Raises:
            ValueError: 0 stands before a point of a target, a point is not there, or a length is
                too large.
        """
        _expect_targets(target, length)
        chosen = (target != NIL).sum(-1)
        steps = int(chosen.max()) + 1 if len(chosen) else 1
        target = F.pad(target, (0, 1), value=NIL)[:, :steps]
        before = F.pad(target[:, :-1], (1, 0), value=NIL)
        found = self._choose(self.start(points, length), before)
        told = torch.arange(steps, device=target.device) <= chosen.unsqueeze(-1)
        right = found.log_prob.gather(-1, target.unsqueeze(-1)).squeeze(-1)
        weights = found.weights.masked_fill(~told.unsqueeze(-1), 0.0)
        return Taught(right.masked_fill(~told, 0.0), weights, told)

    def loss(
        self,
        points: Float[Tensor, "batch slot dim"],
        length: Int[Tensor, " batch"],
        target: Int[Tensor, "batch _"],
    ) -> Float[Tensor, " batch"]:
        r"""Return $-\log p$ of every target; `forward` has it choice by choice."""
        return -self(points, length, target).log_prob.sum(-1)

    def choose(
        self,
        points: Float[Tensor, "batch slot dim"],
        length: Int[Tensor, " batch"],
        longest: int,
        width: int = 1,
        rule: Rule = anything,
    ) -> Chosen:
        """Search for the likeliest outputs.

        Args:
            points: filled up with anything.
            length: how many there are.
            longest: the most choices of an output, its stop among them.
            width: of the beam; 1 takes the likeliest slot each time.
            rule: what may be chosen next.
        """
        with torch.no_grad():
            state = self.start(points, length)
        slots = state.remembered.mask.shape[-1]

        def allowed(said: Tensor, row: Tensor) -> Tensor:
            return rule(said, length.index_select(0, row), slots)

        first = torch.full_like(length, NIL)
        return beam_search(self.step, state, first, NIL, longest, width, allowed=allowed)

    def _choose(self, state: State, before: Int[Tensor, "row step"]) -> Choices:
        remembered = state.remembered
        rows, steps = before.shape
        sets, _, width = remembered.inputs.shape
        asked = rows // max(sets, 1) * steps  # hypotheses of a set ask it side by side
        place = before.reshape(sets, asked, 1).expand(-1, -1, width)
        inputs = remembered.inputs.gather(1, place).reshape(rows, steps, width)
        found: Choices = self.decoder(remembered, state.decoder, inputs)
        return found

    def _expect(self, points: Tensor, longest: int) -> None:
        if points.shape[-1] != self.dim:
            raise ValueError(
                f"PointNetwork: points of {points.shape[-1]} numbers came, expected {self.dim}. "
                f"Pass the points that it was built for, or build it with dim={points.shape[-1]}."
            )
        if longest > points.shape[1]:
            raise ValueError(
                f"PointNetwork: a length of {longest} points came, and sets of {points.shape[1]}, "
                f"expected {points.shape[1]} at most. Pass the number of points of each row, what "
                f"fills it up not counted."
            )


def _expect_targets(target: Tensor, length: Tensor) -> None:
    told = target != NIL
    if (told[:, 1:] & ~told[:, :-1]).any():
        raise ValueError(
            "PointNetwork: 0 stands before a point of a target, expected it behind the last point "
            "only. Number the points from 1, and fill rows up at their ends."
        )
    if ((target > length.unsqueeze(-1)) | (target < 0)).any():
        row = int(((target > length.unsqueeze(-1)) | (target < 0)).any(1).nonzero()[0])
        raise ValueError(
            f"PointNetwork: the target of row {row} names a point outside 1 to {int(length[row])}, "
            f"the points that the row has. Number them from 1 in the order in which they are given."
        )


def _cut(points: Tensor, longest: int) -> Tensor:
    """Return as many slots as the largest set has points, but one at least.

    More of them would regroup sums, and cost time.
    """
    longest = max(longest, 1)
    return F.pad(points[:, :longest], (0, 0, 0, max(0, longest - points.shape[1])))
