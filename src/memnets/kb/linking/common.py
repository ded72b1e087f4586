"""Words of anybody's questions, which are hardly names."""

import re
from functools import lru_cache

from memnets.kb.index.keeping import make_room
from memnets.kb.index.ngrams import INTERROGATIVES, STOP_WORDS
from memnets.kb.linking.parts import NearWords, distance, likeness
from memnets.kb.questions.english import stem

COMMON = frozenset(
    re.findall(
        r"\S+",
        """again anybody anyone answer anything ask asked belong belongs call called come comes
        could date day detail details dear dr each earn earns else every everyone ever everything
        exactly fact facts find first for found gave get gets getting give gives given go goes got
        had hello help here hey hi how's info information just kind know known last let like list
        listed live lives long look lost madam man many mean means miss month mr mrs ms must name
        named need needs never new now number old ok okay only pay paid people person place please
        pls plz plse put question quite really record recorded remind say says see seem shall should
        show shows sir somebody someone sorry still tell tells thank thanks that's thing things
        think time today told too try turn type understand until very want wanted wants was way
        week well what's when's where's who's whose woman wonder won work worked working works
        would write wrote year yes yet
        older oldest younger youngest taller tallest bigger biggest larger largest smaller smallest
        longer longest shorter shortest higher highest lower lowest heavier heaviest lighter
        lightest faster fastest slower slowest newer newest earlier earliest later latest cheaper
        cheapest dearer richer richest poorer more most less least better best worse worst"""
        " wat wats wich hows whats whos wheres whens im ive thx ty u ur r",
    )
)
"""Words of anybody's questions. A name beside another word may be a part of a longer name that the
KB lacks."""
FAMILY = frozenset(
    re.findall(r"\S+", "father mother parent son daughter brother sister husband wife")
)
"""Words that are no misspelt names."""
POSSESSIVE = "'s"
FEW = 4
"""Letters of a word that may be a misspelt word of questions, though not a misspelt name."""


class Everyday:
    """Words of questions, and those that are spelt nearly so.

    Args:
        ordinary: of a KB's questions, beside anybody's.
    """

    def __init__(self, ordinary: frozenset[str]) -> None:
        self._known = STOP_WORDS | INTERROGATIVES | COMMON | FAMILY | ordinary
        self._stems = frozenset(map(stem, ordinary))
        self._near = NearWords(self._known)
        self._lately: dict[str, float] = {}

    def __contains__(self, word: str) -> bool:
        asks = word == POSSESSIVE or word.removesuffix("s") in INTERROGATIVES
        return asks or word in self._known or stem(word) in self._stems

    def nearest(self, word: str) -> float:
        """Return how like the likest of these words another one is."""
        if word not in self._lately:
            make_room(self._lately)
            self._lately[word] = self._nearest(word)
        return self._lately[word]

    def _nearest(self, word: str) -> float:
        near = self._near.candidates(word)
        alike = max((likeness(word, one) for one in near), default=0.0)
        if not alike and len(word) == FEW:  # "basd": too short to be a name, but not beside one
            few = (one for one in near if len(one) in (FEW, FEW + 1))
            return 1 - 1 / FEW if any(distance(word, one) == 1 for one in few) else 0.0
        return alike


@lru_cache(2**4)
def everyday(ordinary: frozenset[str]) -> Everyday:
    """Return the words of a KB's questions, and of anybody's."""
    return Everyday(ordinary)
