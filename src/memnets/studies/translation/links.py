"""Whether attention reads the words that belong together: links of IBM model 1, or known ones."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from torch import Tensor

from memnets.data.pairs import SentencePair, SentenceVocabulary, split_words
from memnets.tasks.link_agreement import Agreement, agreement, over_words
from memnets.tasks.word_links import Links, WordLinks


@dataclass(frozen=True)
class LinkedWords:
    """Pairs of sentences whose words are linked, once somebody asks.

    Args:
        pairs: what attention is compared on.
        corpus: what the links are learnt from, besides the pairs themselves.
        step: of generated pairs, whose links are known: 1 where the target is the source, -1 where
            it is the source from behind.
    """

    pairs: Sequence[SentencePair]
    corpus: Sequence[SentencePair] = ()
    step: int | None = None

    @cached_property
    def links(self) -> list[Links]:
        """The links of every pair."""
        if self.step is not None:
            known = [np.eye(len(pair.source.split()), dtype=bool) for pair in self.pairs]
            return [Links(one[:: self.step], one[:: self.step]) for one in known]
        every = [*self.corpus, *self.pairs]
        sources = _numbered([pair.source for pair in every])
        targets = _numbered([pair.target for pair in every])
        found = WordLinks.of(sources, targets)
        asked = zip(sources[len(self.corpus) :], targets[len(self.corpus) :], strict=True)
        return [found.links(*pair) for pair in asked]

    def agreement(
        self,
        weights: Sequence[Tensor],
        source: SentenceVocabulary,
        target: SentenceVocabulary,
    ) -> Agreement:
        """Compare what was read for every symbol of the right translations with the links.

        Args:
            weights: of each pair, a row for each symbol of the target, a column for each of the
                source.
            source: vocabulary that it was cut by.
            target: likewise.
        """
        read = [
            over_words(
                one.double().cpu().numpy(),
                target.word_places(target.numbers(pair.target)),
                source.word_places(source.numbers(pair.source)),
            )
            for one, pair in zip(weights, self.pairs, strict=True)
        ]
        return agreement(read, self.links)


def _numbered(sentences: Sequence[str]) -> list[list[int]]:
    """Number the words of sentences from 1, capitals alike."""
    numbers: dict[str, int] = {}
    return [
        [numbers.setdefault(word, len(numbers) + 1) for word in split_words(sentence.lower())]
        for sentence in sentences
    ]
