"""The words of WikiQA, and the two baselines that count them (Yang, Yih and Meek, 2015).

A question and a sentence share a word where it stands in both, small words left out.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from memnets.data.qa.wikiqa import WikiQAQuestion
from memnets.kb.index.ngrams import INTERROGATIVES, STOP_WORDS

SMALL = STOP_WORDS | INTERROGATIVES
"""Words that are not counted."""
ASKING = INTERROGATIVES | {"many", "much"}
"""Small words that a question keeps where it is read: they say what kind of answer it wants."""
LONGEST_NUMBER = 5
"""Numbers of more digits are read as if they had so many."""

_WORD = re.compile(r"\w+")


def words(text: str) -> list[str]:
    """Return the words of a sentence that tell something, in lower case."""
    return [word for word in _WORD.findall(text.lower()) if word not in SMALL]


def asking_words(text: str) -> list[str]:
    """Return the words of a question: those that tell something, and those that ask."""
    return [word for word in _WORD.findall(text.lower()) if word not in SMALL or word in ASKING]


def shape(word: str) -> str | None:
    """Return a word that stands for all numbers of as many digits; None for other words."""
    return "#" * min(len(word), LONGEST_NUMBER) if word.isdigit() else None


def shared(question: str, sentence: str) -> list[str]:
    """Return the words that a question and a sentence share, each once."""
    asked = set(words(question))
    return [word for word in dict.fromkeys(words(sentence)) if word in asked]


@dataclass(frozen=True)
class Rarity:
    """How rare words are: ln(N / n), n of N sentences having the word; one for unknown ones.

    Args:
        sentences: N.
        having: n of each word.
    """

    sentences: int
    having: Mapping[str, int]

    @classmethod
    def of(cls, questions: Iterable[WikiQAQuestion]) -> "Rarity":
        """Count the words of all candidate sentences."""
        texts = [candidate.sentence for one in questions for candidate in one.candidates]
        return cls(len(texts), Counter(chain.from_iterable(set(words(text)) for text in texts)))

    def __getitem__(self, word: str) -> float:
        return math.log(max(self.sentences, 1) / self.having.get(word, 1))

    def to_json(self) -> dict[str, Any]:
        return {"sentences": self.sentences, "having": dict(sorted(self.having.items()))}


def word_count(question: WikiQAQuestion) -> list[float]:
    """Score every candidate by how many words it shares with the question."""
    return [float(len(shared(question.text, one.sentence))) for one in question.candidates]


def weighted_word_count(question: WikiQAQuestion, rarity: Rarity) -> list[float]:
    """Score every candidate by the rarity of the words that it shares with the question."""
    return [
        math.fsum(rarity[word] for word in shared(question.text, one.sentence))
        for one in question.candidates
    ]


def ordered(scores: Sequence[float], numbers: Sequence[float]) -> list[float]:
    """Return scores of the same order, of which equal ones are told apart by further numbers."""
    order = sorted(range(len(scores)), key=lambda place: (scores[place], numbers[place]))
    ranks = [0.0] * len(scores)
    for rank, place in enumerate(order):
        ranks[place] = float(rank)
    return ranks
