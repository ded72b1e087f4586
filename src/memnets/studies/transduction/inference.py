"""Say what a sequence becomes, and see what was read: for each symbol said, and as heads."""

import math
from typing import Any, NamedTuple

import torch
from torch import Tensor

from memnets.data.pairs import END, Words, split_words
from memnets.data.pairs.vocabulary import said as up_to_the_end
from memnets.evidence import Answer, Step, Support
from memnets.layers.decoding import by_length
from memnets.models.seq2seq import Seq2Seq, WithHeads
from memnets.tasks.numbered_pairs import EXTRA, TIMES

BEAM = 3
MOST_SYMBOLS = 500
"""Of a source: longer ones are refused."""


class Symbols(NamedTuple):
    """What is read, and what is said."""

    source: Words
    target: Words

    def to_json(self) -> dict[str, Any]:
        return {"source": self.source.to_json(), "target": self.target.to_json()}

    @classmethod
    def from_json(cls, record: dict[str, Any]) -> "Symbols":
        return cls(Words.from_json(record["source"]), Words.from_json(record["target"]))


@torch.no_grad()
def transduce(model: Seq2Seq, symbols: Symbols, text: str, gold: str | None = None) -> Answer:
    """Say what a sequence becomes.

    A step of the evidence is a symbol that was said: how much of each symbol of the source was
    read. Where words have heads, a step for each of them follows: what it read of the others.

    Args:
        model: a trained model.
        symbols: that it was trained with.
        text: its symbols between spaces; an empty one becomes nothing.
        gold: what it should become, where that is known.

    Raises:
        ValueError: it is too long.
    """
    words, numbers = split_words(text), symbols.source.numbers(text)
    if len(words) > MOST_SYMBOLS:
        raise ValueError(
            f'"{text[:40]}..." has {len(words):,} symbols; expected at most {MOST_SYMBOLS:,}. '
            f"Part it."
        )
    if not words:
        return Answer(text, "", 1.0, (), (), gold=gold, unit="word")
    asked, length = torch.tensor([numbers]), torch.tensor([len(numbers)])
    longest = TIMES * len(numbers) + EXTRA
    found = model.translate(asked, length, END, longest, BEAM, by_length(1.0))
    count = int(found.lengths[0, 0])
    spoken = symbols.target.pieces(up_to_the_end(found.words[0, 0, :count].tolist()))
    read = found.evidence.weights[0, 0, : len(spoken), : len(words)]
    others = tuple(
        (
            " ".join(symbols.target.pieces(up_to_the_end(row[:size].tolist()))),
            math.exp(float(log_prob)),
        )
        for row, size, log_prob in zip(
            found.words[0, 1:], found.lengths[0, 1:].tolist(), found.log_prob[0, 1:], strict=True
        )
        if size
    )
    return Answer(
        text,
        " ".join(spoken),
        math.exp(float(found.log_prob[0, 0])),
        others,
        (*_steps(spoken, words, read), *_heads(model, words, asked, length)),
        tuple(dict.fromkeys(symbols.source.unknown(text))),
        gold,
        unit="word",
        caution="" if bool(found.ended[0, 0]) else f"cut off after {count} symbols",
    )


def _heads(model: Seq2Seq, words: list[str], asked: Tensor, length: Tensor) -> tuple[Step, ...]:
    """Return what each word reads of the others, where it does."""
    if not isinstance(model.source, WithHeads) or model.source.heads is None:
        return ()
    embedded = model.source_embedding(asked)
    states = model.source.reader(embedded, length).states
    found = model.source.read_heads(states, embedded, length).weights[0]
    return _steps([f"head of {word}" for word in words], words, found)


def _steps(names: list[str], words: list[str], weights: Tensor) -> tuple[Step, ...]:
    return tuple(
        Step(name, tuple(Support(slot, words[slot], weight) for slot, weight in enumerate(row)))
        for name, row in zip(names, weights.tolist(), strict=True)
    )
