"""Multinomial naive Bayes over words: the baseline that a network has to beat. Imports no torch."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping


class NaiveBayes:
    r"""Chooses a class by words: $\log P(c) + \sum_i \log P(w_i \mid c)$, by smoothed counts.

    $P(w \mid c) = (n_{wc} + s) / (n_c + s V)$ and $P(c) = (n_c + s) / (n + s C)$ with a smoothing
    s, V known words and C classes; words that no class has are passed over.

    Args:
        examples: words, and the class that they are of.
        known: words that a class has before any example, such as those of its name; a class is
            one of these or of the examples.
        weight: how often each of those counts.
        smoothing: what is added to every count.
    """

    def __init__(
        self,
        examples: Iterable[tuple[Iterable[str], str]],
        known: Mapping[str, Iterable[str]],
        weight: int,
        smoothing: float = 1.0,
    ) -> None:
        words: dict[str, Counter[str]] = {one: Counter() for one in known}
        often: Counter[str] = Counter()
        for found, one in examples:
            often[one] += 1
            words.setdefault(one, Counter()).update(found)
        for one, found in known.items():
            words[one].update(dict.fromkeys(found, weight))
        self.words = words
        self._known = {word for counts in words.values() for word in counts}
        self._smoothing = smoothing
        least = smoothing * len(self._known)
        self._size = {one: counts.total() + least for one, counts in words.items()}
        every = often.total() + smoothing * len(words)
        self._prior = {one: math.log((often[one] + smoothing) / every) for one in words}

    def scores(
        self, asked: Iterable[str], classes: Iterable[str] | None = None
    ) -> dict[str, float]:
        """Return the score of each class, or of some of them."""
        told = [word for word in asked if word in self._known]
        return {
            one: self._prior[one]
            + sum(
                math.log((self.words[one][word] + self._smoothing) / self._size[one])
                for word in told
            )
            for one in (self.words if classes is None else classes)
        }
