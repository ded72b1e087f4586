"""Predict the next symbol of a text: one stream, read in windows, with its state carried along."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from memnets.studies.language.neural_cache import Grid, Matches, find_matches, join, mix, tune
from memnets.training.task import Ratio, Step, Task

WINDOW = 1024
"""Steps read at once when nothing is learnt; the result does not depend on it."""
QUICK = "quick"
"""The look at `valid` during training: in many rows, each of which begins with an empty memory."""
MOST = 700.0
"""A loss above it is shown as a perplexity of e to this power."""
TUNING, REPORTING = "tuning", "reporting"
"""The halves of `valid`: the cache is tuned on the first and reported on the second."""


class LanguageTask(Task):
    """Predict every next symbol of a text, with the cross entropy as the loss.

    A model is called with `(words, state)` and returns logits, the state to carry, and the hidden
    states that the logits are made of (see `LanguageModel`). The training text is cut into rows of
    equal length which are read side by side, window by window; the state is carried from window to
    window without its gradient (truncated back-propagation), and begins anew with every epoch.

    Evaluation of `valid` and `test` reads one row, from the first symbol to the last, beginning
    with an empty memory, and counts every symbol but the first. `quick` is another figure: it reads
    `valid` in many rows, to be fast, which costs what each row forgets at its start.

    Args:
        streams: the numbers of every part of the text: "train", "valid", perhaps "test".
        start: from a number of rows to the state they begin with: the model's `init_state`.
        batch: rows read side by side in training.
        window: steps of an update, T.
        quick_rows: rows of the quick look.
        cache: what is tried for a neural cache in evaluation; None for no cache.
        unit: what one symbol is, in the plural.

    Raises:
        ValueError: the training text is too short for so many rows.
    """

    splits: ClassVar[tuple[str, ...]] = (QUICK,)
    final_splits: ClassVar[tuple[str, ...]] = ("valid", "test")

    def __init__(
        self,
        streams: Mapping[str, Int[Tensor, " token"]],
        start: Callable[[int], Any],
        batch: int,
        window: int,
        quick_rows: int = 64,
        cache: Grid | None = None,
        unit: str = "symbols",
    ) -> None:
        self.unit = unit  # type: ignore[misc]
        if len(streams["train"]) < 2 * batch:
            raise ValueError(
                f"batch={batch}: the training text has {len(streams['train'])} symbols, fewer than "
                f"two a row. Pass --training.batch {max(1, len(streams['train']) // 2)} or less."
            )
        self.streams, self.begin = streams, start
        self.batch, self.window = batch, window
        self.quick_rows, self.cache = quick_rows, cache

    @property
    def row_predictions(self) -> int:
        """How many symbols of each row are predicted in an epoch: all but the first."""
        return len(self.streams["train"]) // self.batch - 1

    @property
    def updates_per_epoch(self) -> int:
        return math.ceil(self.row_predictions / self.window)

    def updates_for(self, tokens: int) -> int:
        """Return how many updates it takes to learn from so many symbols."""
        epochs, rest = divmod(tokens, self.batch * self.row_predictions)
        return epochs * self.updates_per_epoch + math.ceil(rest / (self.batch * self.window))

    def batches(
        self, split: str, generator: torch.Generator, position: int
    ) -> Iterator[tuple[Tensor, ...]]:
        """Yield windows of all rows in the order of the text, epoch after epoch.

        A window is the symbols read, those that follow them, and whether the text begins.
        """
        rows = _side_by_side(self.streams[split], self.batch)
        ends = range(rows.shape[1] - 1)
        while True:
            number = position % math.ceil(len(ends) / self.window)
            place = ends[number * self.window :][: self.window]
            window = slice(place.start, place.stop)
            following = slice(place.start + 1, place.stop + 1)
            yield rows[:, window], rows[:, following], torch.full((self.batch,), number == 0)
            position += 1

    def start(self, split: str, batch: tuple[Tensor, ...]) -> Any:
        return self.begin(len(batch[0]))

    def loss(
        self, model: nn.Module, batch: tuple[Tensor, ...], state: Any, generator: torch.Generator
    ) -> Step:
        words, following, begins = batch
        found = model(words, self.begin(len(words)) if begins[0] else state)
        loss = F.cross_entropy(found.logits.flatten(0, 1), following.flatten(), reduction="sum")
        return Step(loss, words.numel(), found.state, {"bits": loss.detach() / math.log(2)})

    @torch.no_grad()
    def evaluate(self, model: nn.Module, split: str) -> dict[str, Ratio]:
        """Return loss, perplexity and bits a symbol; of `valid` also by halves, with a cache.

        Returns nothing of a part that the text does not have.
        """
        if split == QUICK:
            return _figures(read_in_rows(model, self.streams["valid"], self.quick_rows))
        if split not in self.streams:
            return {}
        reading = read(model, self.streams[split])
        figures = {
            **_figures(reading.log_prob),
            "predicted": Ratio(len(reading.log_prob), 1),
            **_bits("bits", reading.log_prob, split),
        }
        return figures if self.cache is None else figures | self._cached(model, split, reading)

    def _cached(self, model: nn.Module, split: str, reading: "StreamOutput") -> dict[str, Ratio]:
        """Return the figures with a cache whose scalars did best on the first half of `valid`."""
        assert self.cache is not None
        window = self.cache.window
        valid = reading if split == "valid" else read(model, self.streams["valid"])
        tuning = StreamOutput(*(part[: len(valid.following) // 2] for part in valid))
        matches = _matches(tuning, window, self.cache.flatness)
        mixture, joint = tune(tuning.log_prob, tuning.total, matches, self.cache)
        wanted, whole = _matches(reading, window, (mixture.flatness, joint.flatness))
        mixed = mix(reading.log_prob, wanted[0], whole[0], mixture.other)
        joined = join(reading.log_prob, reading.total, wanted[1], whole[1], joint.other)
        return {
            **_bits("cache_bits", mixed, split),
            "cache_flatness": Ratio(mixture.flatness, 1),
            "cache_share": Ratio(mixture.other, 1),
            **_bits("joint_bits", joined, split),
            "joint_flatness": Ratio(joint.flatness, 1),
            "joint_offset": Ratio(joint.other, 1),
        }


class StreamOutput(NamedTuple):
    """What a model made of a stream, for every symbol but the first.

    Attributes:
        log_prob: of the symbol that came.
        total: the logarithm of the sum of all exponentiated logits.
        hidden: what the logits were made of.
        following: the symbol that came.
    """

    log_prob: Float[Tensor, " time"]
    total: Float[Tensor, " time"]
    hidden: Float[Tensor, "time dim"]
    following: Int[Tensor, " time"]


@torch.no_grad()
def read(model: nn.Module, stream: Int[Tensor, " token"], window: int = WINDOW) -> StreamOutput:
    """Read a stream from its first symbol to its last, beginning with an empty memory.

    Args:
        model: see `LanguageTask`; it is in evaluation.
        stream: the numbers of the symbols.
        window: how many are read at once, which changes nothing but the speed.

    Raises:
        ValueError: there is nothing to predict.
    """
    if len(stream) < 2:
        raise ValueError(
            f"a text of {len(stream)} symbols: nothing of it is predicted, since the first symbol "
            f"is only read. Pass two symbols or more."
        )
    parts, state = [], None
    for words, following in zip(stream[:-1].split(window), stream[1:].split(window), strict=True):
        found = model(words[None], state)
        state = found.state
        total = found.logits[0].float().logsumexp(-1)
        chosen = found.logits[0].float().gather(-1, following[:, None].long()).squeeze(-1)
        parts.append(StreamOutput(chosen - total, total, found.hidden[0], following))
    return StreamOutput(*(torch.cat(part) for part in zip(*parts, strict=True)))


@torch.no_grad()
def read_in_rows(
    model: nn.Module, stream: Int[Tensor, " token"], rows: int, window: int = 64
) -> Float[Tensor, " time"]:
    """Return the log probability of every symbol but the first, read in many rows at once.

    A quick look: every row begins with an empty memory.
    """
    number = len(stream) - 1
    length = math.ceil(number / min(rows, number))
    # The last row is filled up; what is predicted there is not counted.
    words, following = (
        F.pad(part, (0, -number % length)).view(-1, length) for part in (stream[:-1], stream[1:])
    )
    log_probs, state = [], None
    for seen, next_ones in zip(words.split(window, 1), following.split(window, 1), strict=True):
        found = model(seen, state)
        state = found.state
        log_prob = found.logits.float().log_softmax(-1)
        log_probs.append(log_prob.gather(-1, next_ones[..., None].long()).squeeze(-1))
    return torch.cat(log_probs, 1).flatten()[:number]


def _matches(reading: StreamOutput, window: int, flatness: Sequence[float]) -> Matches:
    return find_matches(reading.hidden, reading.following, reading.following, window, flatness)


def _side_by_side(stream: Tensor, rows: int) -> Int[Tensor, "batch token"]:
    """Cut a stream into rows of equal length; what is left over at its end is dropped."""
    length = len(stream) // rows
    return stream[: rows * length].view(rows, length)


def _figures(log_prob: Tensor) -> dict[str, Ratio]:
    loss = _mean_loss(log_prob)
    return {
        "loss": loss,
        "bits": Ratio(loss.total / math.log(2), loss.weight),
        "perplexity": Ratio(math.exp(min(loss.mean, MOST)), 1),
    }


def _bits(name: str, log_prob: Tensor, split: str) -> dict[str, Ratio]:
    """Return the bits a symbol, of `valid` also by halves."""
    half = len(log_prob) // 2
    parts = {name: log_prob}
    if split == "valid":
        parts |= {f"{name}/{TUNING}": log_prob[:half], f"{name}/{REPORTING}": log_prob[half:]}
    losses = {key: _mean_loss(part) for key, part in parts.items()}
    return {key: Ratio(loss.total / math.log(2), loss.weight) for key, loss in losses.items()}


def _mean_loss(log_prob: Tensor) -> Ratio:
    return Ratio.of(-log_prob)
