"""Translate sentences, and see what was read for every word."""

import math
from collections.abc import Iterator, Sequence
from itertools import groupby, islice
from typing import Any, NamedTuple

import torch
from torch import Tensor

from memnets.data.pairs import (
    END,
    SPECIAL,
    UNKNOWN,
    SentencePair,
    SentenceVocabulary,
    join_words,
    split_words,
    vocabulary_from_json,
)
from memnets.evidence import Alignment, Answer
from memnets.layers.decoding import by_length
from memnets.models.seq2seq import Seq2Seq, replace_unknown
from memnets.tasks.link_agreement import over_words
from memnets.tasks.numbered_pairs import EXTRA, TIMES, NumberedPairs
from memnets.training.schedules import seeded

TOGETHER = 50
"""Sentences that are translated at once."""
MOST_SYMBOLS = 1000
"""Of a source: longer ones are refused."""


class Vocabularies(NamedTuple):
    """The symbols of both languages."""

    source: SentenceVocabulary
    target: SentenceVocabulary

    def to_json(self) -> dict[str, Any]:
        return {"source": self.source.to_json(), "target": self.target.to_json()}

    @classmethod
    def from_json(cls, record: dict[str, Any]) -> "Vocabularies":
        return cls(vocabulary_from_json(record["source"]), vocabulary_from_json(record["target"]))


def translate(
    model: Seq2Seq,
    vocabularies: Vocabularies,
    sentences: Sequence[str],
    beam: int = 5,
    references: Sequence[str] = (),
    longest: int = MOST_SYMBOLS,
) -> list[Answer]:
    """Translate sentences, many at once, with what was read for each word.

    A step of the evidence is a word that was said: how much of each word of the source was taken.
    Of pieces of words, those of a source word are added, those of a target word averaged. An
    unknown word is replaced by the source word that was read most for it (Luong et al., section
    4.1). The other hypotheses of the beam are the runners-up; hypotheses are ranked by the mean
    log-probability of their symbols.

    Args:
        model: a trained model.
        vocabularies: that it was trained with.
        sentences: to be translated; an empty one has an empty translation.
        beam: hypotheses of a sentence that are gone on with.
        references: the right translations, where they are known.
        longest: symbols of a sentence, at most.

    Raises:
        ValueError: the beam is below 1, or a sentence is too long.
    """
    numbers = [vocabularies.source.numbers(sentence.strip()) for sentence in sentences]
    for sentence, symbols in zip(sentences, numbers, strict=True):
        if told := unfit(sentence, len(symbols), longest):
            raise ValueError(told)
    golds: Sequence[str | None] = references or [None] * len(sentences)
    answers = [_nothing(one, gold) for one, gold in zip(sentences, golds, strict=True)]
    for some in _of_one_length(numbers):
        asked = torch.tensor([numbers[n] for n in some])
        length = torch.full((len(some),), asked.shape[1])
        steps = TIMES * asked.shape[1] + EXTRA
        found = model.translate(asked, length, END, steps, beam, by_length(1.0), seeded(0))
        for row, n in enumerate(some):
            said = [
                _Said(words[:number].tolist(), weights, float(log_prob), bool(ended))
                for words, number, weights, log_prob, ended in zip(
                    *(found.words[row], found.lengths[row], found.evidence.weights[row]),
                    *(found.log_prob[row], found.ended[row]),
                    strict=True,
                )
                if number
            ]
            answers[n] = _answer(vocabularies, sentences[n], numbers[n], said, golds[n])
    return answers


@torch.no_grad()
def aligned(model: Seq2Seq, vocabularies: Vocabularies, pair: SentencePair) -> Alignment:
    """Return what a model reads for each word of a translation that it is given.

    Pieces are put together to words as `translate` does it.

    Args:
        model: a trained model.
        vocabularies: that it was trained with.
        pair: a sentence and its translation, each of one word at least.
    """
    numbered = NumberedPairs.of([pair], *vocabularies)
    weights = model(*numbered[:3], seeded(0)).readout.weights[0, :-1]
    said = numbered.target[0, :-1].tolist()
    places = (
        vocabularies.target.word_places(said),
        vocabularies.source.word_places(numbered.source[0].tolist()),
    )
    read = over_words(weights.double().cpu().numpy(), *places).tolist()
    source, target = split_words(pair.source), split_words(pair.target)
    return Alignment(tuple(source), tuple(target), tuple(map(tuple, read)))


def unfit(sentence: str, symbols: int, longest: int) -> str:
    """Return why a sentence cannot be translated; nothing where it can."""
    if symbols <= longest:
        return ""
    return (
        f'"{sentence[:40]}..." has {symbols:,} symbols; expected a sentence of at most '
        f"{longest:,}. Part it."
    )


def _of_one_length(numbers: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """Yield the places of sentences of one length, which may grow as long as each alone."""
    by_size = sorted((n for n, one in enumerate(numbers) if one), key=lambda n: len(numbers[n]))
    for _, group in groupby(by_size, key=lambda n: len(numbers[n])):
        while some := list(islice(group, TOGETHER)):
            yield some


class _Said(NamedTuple):
    """A hypothesis: its symbols, what was read for each, how likely it is, whether it ended."""

    symbols: list[int]
    weights: Tensor
    log_prob: float
    ended: bool


def _nothing(sentence: str, gold: str | None) -> Answer:
    return Answer(sentence, "", 1.0, (), (), gold=gold, unit="word")


def _answer(
    vocabularies: Vocabularies,
    sentence: str,
    numbers: Sequence[int],
    said: Sequence[_Said],
    gold: str | None,
) -> Answer:
    words = split_words(sentence)
    first, *others = (_in_words(vocabularies, words, numbers, one) for one in said)
    text, target, weights = first
    rivals = [(other[0], one.log_prob) for other, one in zip(others, said[1:], strict=True)]
    alignment = Alignment(tuple(words), tuple(target), tuple(map(tuple, weights)))
    return Answer(
        sentence,
        text,
        math.exp(said[0].log_prob),
        tuple((rival, math.exp(log_prob)) for rival, log_prob in rivals),
        alignment.steps,
        tuple(dict.fromkeys(vocabularies.source.unknown(sentence))),
        gold,
        unit="word",
        caution="" if said[0].ended else f"cut off after {len(said[0].symbols)} symbols",
    )


def _in_words(
    vocabularies: Vocabularies, words: Sequence[str], numbers: Sequence[int], one: _Said
) -> tuple[str, list[str], list[list[float]]]:
    """Return a translation as text and as words, and what each word took of the source's."""
    source, target = vocabularies
    kept = [
        n for n, symbol in enumerate(one.symbols) if symbol == UNKNOWN or symbol >= len(SPECIAL)
    ]
    symbols = [one.symbols[n] for n in kept]
    places = target.word_places(symbols)
    read = one.weights[kept, : len(numbers)].double().cpu().numpy()
    weights = over_words(read, places, source.word_places(numbers))
    pieces = target.pieces(symbols)
    if UNKNOWN in symbols:
        said = replace_unknown(pieces, words, torch.tensor(weights), SPECIAL[UNKNOWN])
        return join_words(said), said, weights.tolist()
    text = target.text(symbols)
    said = split_words(text)
    if len(said) != len(weights):  # marks that stand otherwise in the text
        said = ["" for _ in weights]
        for place, piece in zip(places, pieces, strict=True):
            said[place] += piece
    return text, said, weights.tolist()
