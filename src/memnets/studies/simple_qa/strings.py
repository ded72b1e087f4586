"""Facts in strings, attached to what a model has learnt from a knowledge base: module G."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

import torch
from torch import Tensor

from memnets.data.qa.reverb import Extraction
from memnets.kb import BordesCandidates, Entity, Index
from memnets.models.simple_qa import NO_FACT
from memnets.studies.simple_qa.memory import (
    Aliases,
    FactQuestions,
    SimpleQAVocabulary,
    bags_of,
    padded,
    question_words,
    singular,
)


def linked(text: str, aliases: Aliases) -> str | None:
    """Return the one entity that a string names; None where it names none, or several."""
    entities = aliases.get(" ".join(question_words(text)), ())
    return entities[0].name if len(entities) == 1 else None


class StringBags:
    """Facts in strings as bags of words, and of symbols where a string could be linked.

    Nothing is learnt: a linked string counts as its entity, all else as words.

    Args:
        extractions: the facts.
        aliases: the names that strings are linked by; none to link nothing.
        vocabulary: what the model knows.
    """

    def __init__(
        self, extractions: Sequence[Extraction], aliases: Aliases, vocabulary: SimpleQAVocabulary
    ) -> None:
        self.extractions, self.vocabulary = extractions, vocabulary
        strings = dict.fromkeys(text for one in extractions for text in (one.subject, one.object))
        self.links = {text: linked(text, aliases) for text in strings}
        self.bags = bags_of(padded([self._features(one) for one in extractions], 0))
        self._by_subject: defaultdict[str, list[int]] = defaultdict(list)
        for number, one in enumerate(extractions):
            self._by_subject[" ".join(question_words(one.subject))].append(number)
        counts = Counter({key: len(rows) for key, rows in self._by_subject.items()})
        self.aliases = {key: (Entity(key, count),) for key, count in counts.items() if key}
        self._rule = BordesCandidates(Index(), self.aliases)

    @property
    def share_linked(self) -> float:
        """Share of the distinct strings that were linked."""
        return sum(link is not None for link in self.links.values()) / max(1, len(self.links))

    def candidates(self, words: Sequence[str]) -> list[int]:
        """Return the facts about the strings that a question names."""
        named = self._rule.entities(words)
        return [number for entity in named for number in self._by_subject[entity.name]]

    def _features(self, one: Extraction) -> list[int]:
        features = self.vocabulary.known(map(singular, question_words(one.relation)))
        for text in (one.subject, one.object):
            link = self.links[text]
            if link is None:
                words = question_words(text)
                features += self.vocabulary.known(
                    dict.fromkeys((*map(singular, words), " ".join(words)))
                )
            else:
                features.append(self.vocabulary.entity_rows[link])
        return features


def ask_strings(
    texts: Sequence[str], strings: StringBags, names: Mapping[str, object]
) -> FactQuestions:
    """Turn questions into tensors, with facts in strings as candidates; none is known as right."""
    words = [question_words(text) for text in texts]
    return FactQuestions(
        bags_of(padded([strings.vocabulary.bag(some, names) for some in words], 0)),
        padded([strings.candidates(some) for some in words], NO_FACT),
        torch.full((len(texts),), NO_FACT),
    )


def hits(chosen: Tensor, right: Sequence[frozenset[int]]) -> Tensor:
    """Return whether the fact chosen for each question is one of those that answer it."""
    pairs = zip(chosen.tolist(), right, strict=True)
    return torch.tensor([fact in some for fact, some in pairs], dtype=torch.bool)
