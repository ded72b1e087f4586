"""Words of questions spelt right, where an error leaves no doubt: "who maed teh swan fidddle".

Two letters swapped, one doubled, or a double one single hardly ever make another English word. So
a word that nobody knows is the known one that it is but for such an error, if there is just one.
With any error a long word is a relation's, if it is like no name; a short one is with these alone,
or where it stands beside all other words of a relation's name: "exam dat" of `exam_date`.
Other errors are left to those who compare names and relations with what is nearly spelt so.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache

from memnets.kb.index.ngrams import INTERROGATIVES, STOP_WORDS
from memnets.kb.linking.loosely import COMMON
from memnets.kb.linking.naming import Names, question_words
from memnets.kb.linking.parts import distance
from memnets.kb.programs.associations import ALIKE, all_told
from memnets.kb.programs.forms import BASES, singulars
from memnets.kb.programs.lexicon import DEGREES, FILLING, MISTYPED, NOT, PEOPLE
from memnets.kb.programs.variants import as_named
from memnets.kb.programs.wordings import LITTLE, groups, rules
from memnets.kb.questions.english import PREPOSITIONS, relation_words, stem

SHORTEST, LONGEST = 4, 30
"""Letters of a word that may be misspelt: a shorter one may be anything, a longer one is none."""
COMMONEST = frozenset(
    STOP_WORDS | INTERROGATIVES | COMMON | FILLING | PEOPLE | NOT | DEGREES.keys() | PREPOSITIONS
)
LONG = 6
"""Letters of a word, or of the relation's that it is but for any error."""
_WORD = re.compile(r"[^\W\d_]{2,}")


class Respelling:
    """Spells words of questions right.

    Args:
        names: of the entities of a KB.
        relations: the names of its relations.
    """

    def __init__(self, names: Names, relations: Iterable[str]) -> None:
        self._names = names
        names_of = [*map(relation_words, relations)]
        self._relations = {word for parts in names_of for word in parts}
        self._phrases = {_without_little(parts) for parts in names_of}
        self._stems = {*map(stem, self._relations)}
        self._beginning: dict[str, list[str]] = {}
        for word in sorted(self._relations):
            self._beginning.setdefault(word[0], []).append(word)

    def respelt(self, question: str) -> tuple[str, tuple[tuple[str, str], ...]]:
        """Return a question with its misspelt words right, and each of these with what it became.

        Names in other words are put as the knowledge base has them, too.

        Args:
            question: as it was typed.
        """
        question, changed = as_named(question, self._is_name)

        def right(found: re.Match[str]) -> str:
            typed = found[0]
            words = question_words(typed)
            find = self._short if len(typed) < SHORTEST else self._meant
            meant = find(words[0]) if len(words) == 1 else None
            if meant is None:
                return typed
            changed[words[0]] = meant
            return _as_typed(typed, meant)

        text = _WORD.sub(right, question)
        if beside := self._beside(question_words(text)):
            changed |= beside
            text = _WORD.sub(
                lambda found: _as_typed(found[0], beside.get(found[0].casefold(), found[0])), text
            )
        return text, tuple(changed.items())

    def _beside(self, words: Sequence[str]) -> dict[str, str]:
        """Return words that but for an error are what one relation's name has beside the others."""
        found: dict[str, set[str]] = {}
        for parts in self._phrases:
            for at in range(len(words) - len(parts) + 1) if len(parts) > 1 else ():
                pairs = zip(words[at : at + len(parts)], parts, strict=True)
                wrong = [pair for pair in pairs if pair[0] != pair[1]]
                if len(wrong) == 1 and distance(*wrong[0]) == 1 and not self._is_word(wrong[0][0]):
                    found.setdefault(wrong[0][0], set()).add(wrong[0][1])
        return {word: meant.pop() for word, meant in found.items() if len(meant) == 1}

    def _is_name(self, name: str) -> bool:
        return bool(self._names.names.get(name) or self._names.aliases.get(name))

    def _short(self, word: str) -> str | None:
        """Return the question word or the relation's word that a short one is but for an error."""
        if self._is_own(word):
            return None
        if MISTYPED.get(word) in INTERROGATIVES:
            return MISTYPED[word]
        spelt = {*_swapped(word), *_doubled(word)} & self._relations
        return None if self._is_known(word) or len(spelt) != 1 else spelt.pop()

    def _meant(self, word: str) -> str | None:
        """Return the known word that an unknown one is but for an error; None where in doubt."""
        if len(word) > LONGEST or self._is_known(word):
            return None
        asked = {*_asking(word)}
        spelt = {one for one in (*_swapped(word), *_doubled(word)) if len(one) >= SHORTEST}
        like = self._like_relations(word)
        own = {*filter(self._is_own, spelt)} | like
        if not self._names.parts.nearly(word):
            spelt |= {one for one in like if max(len(one), len(word)) >= LONG}
        for found in (asked, own, {*filter(is_everyday, spelt)}):
            if found:
                return found.pop() if found <= spelt | asked and len(found) == 1 else None
        return None

    def _like_relations(self, word: str) -> set[str]:
        """Return words of relations' names with one error at most: "mayr" is no "mary" there."""
        alike = self._beginning.get(word[0], ())
        return {one for one in alike if abs(len(one) - len(word)) < 2 and distance(one, word) == 1}

    def _is_known(self, word: str) -> bool:
        """Whether a word is English, or the knowledge base's, in any form."""
        if self._is_word(word) or stem(word) in self._stems:
            return True
        return stem(word) in _everyday_stems(word[:ALIKE])

    def _is_word(self, word: str) -> bool:
        """Whether a word is known as it stands, or in the singular: "dat" is not, as "date" is."""
        forms = (word, *singulars(word))
        own = word in COMMONEST or any(map(self._is_own, forms))
        return own or any(map(is_everyday, forms))

    def _is_own(self, word: str) -> bool:
        """Whether a word is in the name of an entity or a relation."""
        return word in self._relations or len(self._names.parts.having(word)) > 0


def _as_typed(typed: str, meant: str) -> str:
    """Return what is meant with a capital where there was one."""
    return meant[:1].upper() + meant[1:] if typed[0].isupper() else meant


def _without_little(parts: Sequence[str]) -> tuple[str, ...]:
    """Return the words of a relation's name without prepositions at its ends."""
    telling = [at for at, part in enumerate(parts) if part not in LITTLE]
    return tuple(parts[telling[0] : telling[-1] + 1]) if telling else ()


@cache
def _asking_words() -> frozenset[str]:
    """Return the words by which relations are said, whatever a knowledge base calls them."""
    return COMMONEST.union(*groups(), *rules(), BASES.keys(), BASES.values())


@cache
def _told() -> str:
    """Return the words that bring relations to mind, each between spaces."""
    return all_told().replace("+", " ")


@lru_cache(2**16)
def is_everyday(word: str) -> bool:
    """Whether it is an English word by which questions are understood."""
    return word in _asking_words() or f" {word} " in _told()


@cache
def _everyday_stems(letters: str) -> frozenset[str]:
    """Return the stems of those that begin with some letters: of all would take too long."""
    told = re.findall(rf" ({letters}\S*)", _told())
    return frozenset(
        map(stem, {*told, *(one for one in _asking_words() if one.startswith(letters))})
    )


def _asking(word: str) -> Iterator[str]:
    """Yield the question words of which one is a letter lost, added, changed or swapped."""
    if word[0] == "w":
        yield from (one for one in INTERROGATIVES if len(one) > 3 and distance(word, one) == 1)


def _swapped(word: str) -> Iterator[str]:
    for at in range(len(word) - 1):
        if word[at] != word[at + 1]:
            yield word[:at] + word[at + 1] + word[at] + word[at + 2 :]


def _doubled(word: str) -> Iterator[str]:
    """Yield a word with a letter doubled, or a double one single."""
    for at, letter in enumerate(word):
        yield word[:at] + letter + word[at:]
        if word[at + 1 : at + 2] == letter:
            yield word[:at] + word[at + 1 :]
