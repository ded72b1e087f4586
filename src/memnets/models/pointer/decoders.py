"""The three decoders that Vinyals et al. compare."""

from collections.abc import Callable
from typing import NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from memnets.attention import Align, AlignContext, Attention, Score, Softmax
from memnets.layers.recurrent import LSTM, FedLSTM, LSTMState
from memnets.models.pointer.network import Choices, Decoder, Remembered
from memnets.models.seq2seq.sources import Source
from memnets.ops.masking import widen
from memnets.ops.sizes import at_least_one

Keys = Callable[[Tensor, Tensor], Tensor]
"""`keys(points, states)`: what is pointed at, of the points themselves and of what was read."""


def by_states(
    points: Float[Tensor, "batch slot _"], states: Float[Tensor, "batch slot hidden"]
) -> Float[Tensor, "batch slot hidden"]:
    """Point at the encoder's states, $e_j$: the paper's."""
    return states


def by_points(
    points: Float[Tensor, "batch slot dim"], states: Float[Tensor, "batch slot _"]
) -> Float[Tensor, "batch slot dim"]:
    """Point at the points themselves, $x_n$, which know nothing of each other."""
    return points


class PointerDecoder(Decoder):
    r"""Choose a slot by how well it matches the state: the weights are the output.

    $$ d_i = \mathrm{LSTM}(P_{C_{i-1}}, d_{i-1}), \qquad
       u_{ij} = v^\top \tanh(W_1 e_j + W_2 d_i), \qquad
       p(C_i = j \mid C_{<i}, P) = \mathrm{softmax}_j(u_i) $$  (Vinyals et al., Eq. 3)

    Nothing is read: there are no values. $e_0$, a learned vector, is the stop. $W_1 e_j$ is
    computed once a set. No $d_i$ depends on a score: in training the LSTM runs over all choices at
    once, and all of its states are scored in one call.

    Deviations: the paper does not say how the stop is chosen.
    Cite: vinyals2015

    Args:
        core: the LSTM, over embedded points.
        score: for queries as wide as the LSTM's state.
        key_dim: width of a key.
        keys: what is pointed at, `by_states` or `by_points`.
        align: how scores become probabilities. One that gives 0 makes what it leaves out
            impossible, and its loss infinite.

    Raises:
        ValueError: the width is below 1, or a part looks back at earlier steps.
    """

    def __init__(
        self,
        core: LSTM,
        score: Score,
        key_dim: int,
        keys: Keys = by_states,
        align: Align | None = None,
    ) -> None:
        super().__init__()
        at_least_one("PointerDecoder", key_dim=key_dim)
        self.core, self.score, self.keys = core, score, keys
        self.align = align or Softmax()
        for part in (self.score, self.align):
            if part.looks_back:
                raise ValueError(
                    f"PointerDecoder: {type(part).__name__} looks back at earlier steps, expected "
                    f"a part that all steps can ask at once. Pass Additive(...) and Softmax()."
                )
        self.stop = nn.Parameter(torch.empty(key_dim))

    def remember(
        self, points: Float[Tensor, "batch slot _"], source: Source
    ) -> tuple[Float[Tensor, "batch _ _"], Float[Tensor, "batch _ _"]]:
        keys = self.keys(points, source.states)
        stop = self.stop.expand(len(keys), 1, -1)
        return self.score.remember(torch.cat([stop, keys], 1)), keys[..., :0]

    def forward(
        self, remembered: Remembered, state: LSTMState, inputs: Float[Tensor, "row step _"]
    ) -> Choices:
        hidden, state = self.core(inputs, state)
        asked = _by_set(hidden, remembered)
        context = _context(remembered)
        scores = self.score.match(asked, remembered.keys, context)
        weights = self.align(scores, remembered.mask, context)
        if isinstance(self.align, Softmax):  # of scores, so that the improbable has all its digits
            log_prob = widen(scores).masked_fill(~remembered.mask, -torch.inf).log_softmax(-1)
        else:
            log_prob = widen(weights).log()
        shape = *inputs.shape[:2], scores.shape[-1]
        return Choices(log_prob.reshape(shape), weights.reshape(shape), state)


class AttentiveState(NamedTuple):
    """What is carried where what was read is fed to the next step."""

    recurrent: LSTMState
    context: Float[Tensor, "row hidden"]


class AttentiveDecoder(Decoder):
    r"""Choose an index of a fixed vocabulary, by the state and by what it reads of the points.

    $$ d'_i = \sum_j a_{ij} e_j, \qquad
       p(C_i \mid C_{<i}, P) = \mathrm{softmax}(W [d_i; d'_i] + b) $$
    (Vinyals et al., section 2.2)

    $d'_i$ is fed to the next step, so that steps follow one another.

    Deviations: a step is given the point that was chosen, as a pointer network's is, so that the
    decoders differ in their outputs alone; indices of points that a set does not have are not
    chosen.
    Cite: vinyals2015

    Args:
        core: the LSTM, over embedded points and what was read.
        attention: for queries as wide as the LSTM's state; it reads the encoder's states.
        hidden: width of the states, the encoder's and the LSTM's.
        most: the largest index there is.

    Raises:
        ValueError: a size is below 1.
    """

    def __init__(self, core: FedLSTM, attention: Attention, hidden: int, most: int) -> None:
        super().__init__()
        at_least_one("AttentiveDecoder", hidden=hidden, most=most)
        self.core, self.attention, self.hidden = core, attention, hidden
        self.output = nn.Linear(2 * hidden, 1 + most)

    def remember(
        self, points: Float[Tensor, "batch slot _"], source: Source
    ) -> tuple[Float[Tensor, "batch _ _"], Float[Tensor, "batch _ _"]]:
        return self.attention.score.remember(source.states), source.states

    def start(self, source: Source) -> AttentiveState:
        return AttentiveState(source.start, torch.zeros_like(source.last))

    def forward(
        self, remembered: Remembered, state: AttentiveState, inputs: Float[Tensor, "row step _"]
    ) -> Choices:
        (recurrent, read), hidden, found = state, [], []
        mask, context = remembered.mask[..., 1:], _context(remembered)
        layers = self.core.opened()
        for given in self.core.given(inputs).unbind(1):
            d, recurrent = self.core.feed(layers, given, read, recurrent)
            asked = _by_set(d.unsqueeze(1), remembered)
            told = remembered.keys, remembered.values, mask, context
            readout = self.attention.attend(asked, *told)
            read = readout.value.reshape(d.shape)
            hidden.append(torch.cat([d, read], -1))
            found.append(readout.weights.reshape(len(d), mask.shape[-1]))
        log_prob = _indices(self.output(torch.stack(hidden, 1)), remembered)
        weights = F.pad(torch.stack(found, 1), (1, 0))
        return Choices(log_prob, weights, AttentiveState(recurrent, read))


class PlainDecoder(Decoder):
    r"""Choose an index of a fixed vocabulary, by the state alone.

    $$ p(C_i \mid C_{<i}, P) = \mathrm{softmax}(W d_i + b) $$  (Vinyals et al., section 2.1)

    The weights are zero: it looks at no point.

    Deviations: those of `AttentiveDecoder`.
    Cite: vinyals2015

    Args:
        core: the LSTM, over embedded points.
        most: the largest index there is.

    Raises:
        ValueError: there is no index.
    """

    def __init__(self, core: LSTM, most: int) -> None:
        super().__init__()
        at_least_one("PlainDecoder", most=most)
        self.core = core
        self.output = nn.Linear(core.cells.hidden_size, 1 + most)

    def remember(
        self, points: Float[Tensor, "batch slot _"], source: Source
    ) -> tuple[Float[Tensor, "batch _ _"], Float[Tensor, "batch _ _"]]:
        return source.states[..., :0], source.states[..., :0]

    def forward(
        self, remembered: Remembered, state: LSTMState, inputs: Float[Tensor, "row step _"]
    ) -> Choices:
        hidden, state = self.core(inputs, state)
        log_prob = _indices(self.output(hidden), remembered)
        return Choices(log_prob, torch.zeros_like(log_prob), state)


def _by_set(of_rows: Tensor, remembered: Remembered) -> Tensor:
    """Return rows as queries of their sets: the hypotheses of a set ask what it remembers."""
    sets, width = len(remembered.length), of_rows.shape[-1]
    rows, steps = of_rows.shape[:2]
    return of_rows.reshape(sets, rows // max(sets, 1) * steps, width)


def _context(remembered: Remembered) -> AlignContext:
    slots = remembered.keys.shape[1]
    positions = torch.arange(slots, device=remembered.length.device)
    return AlignContext(positions=positions, length=remembered.length)


def _indices(logits: Tensor, remembered: Remembered) -> Tensor:
    """Return the log-probabilities of the slots that there are.

    Raises:
        ValueError: a set has more points than there are indices.
    """
    slots, known = remembered.mask.shape[-1], logits.shape[-1]
    if slots > known:
        raise ValueError(
            f"a set of {slots - 1} points came to a network whose indices end at {known - 1}. Pass "
            f"no more points, or a pointer network, which has no vocabulary."
        )
    rows = len(logits) // max(len(remembered.mask), 1)
    there = remembered.mask.repeat_interleave(rows, 0)
    return widen(logits[..., :slots]).masked_fill(~there, -torch.inf).log_softmax(-1)
