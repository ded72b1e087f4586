"""Words of questions spelt right, where an error leaves no doubt: "who maed teh swan fidddle".

Two letters swapped, one doubled, or a double one single hardly ever make another English word. So
a word that nobody knows is the known one that it is but for such an error, if there is just one.
With any error a long word is a relation's, if it is like no name; a short one is with these alone,
or where it stands beside all other words of a relation's name: "exam dat" of `exam_date`.
One that was spelt by ear is what sounds the same: "who speeks polish". Other errors are left to
those who compare names and relations with what is nearly spelt so.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from memnets.kb.index.ngrams import INTERROGATIVES
from memnets.kb.linking.naming import Names
from memnets.kb.linking.parts import distance
from memnets.kb.linking.sounds import nearly_alike, sound_alike
from memnets.kb.linking.words import question_words
from memnets.kb.programs.associations import ALIKE
from memnets.kb.programs.everyday import (
    COMMONEST,
    everyday_sounding,
    everyday_stems,
    is_everyday,
    is_written,
)
from memnets.kb.programs.forms import singulars
from memnets.kb.programs.hurried import SHORTENED, as_typed, how_many, in_digits, parted
from memnets.kb.programs.lexicon import MISTYPED
from memnets.kb.programs.variants import as_named
from memnets.kb.programs.wordings import LITTLE
from memnets.kb.questions.english import ABBREVIATED, relation_words, stem

SHORTEST, LONGEST = 4, 30
"""Letters of a word that may be misspelt: a shorter one may be anything, a longer one is none."""
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
        question = in_digits(how_many(question, changed), self._is_name, changed)
        named = self._names.exactly_named(question_words(question))

        def right(found: re.Match[str]) -> str:
            typed = found[0]
            words = question_words(typed)
            if len(words) != 1 or words[0] in named:
                return typed
            capital = typed[0].isupper() and found.start() > 0 and question != question.upper()
            meant = (
                self._meant(words[0], capital) if len(typed) >= SHORTEST else self._short(words[0])
            )
            if meant is None:
                return typed
            changed[words[0]] = meant
            return as_typed(typed, meant)

        text = _WORD.sub(right, question)
        if beside := self._beside(question_words(text)):
            changed |= beside
            text = _WORD.sub(
                lambda found: as_typed(found[0], beside.get(found[0].casefold(), found[0])), text
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
        if word in SHORTENED or ABBREVIATED.get(word) in self._relations:
            return SHORTENED.get(word) or ABBREVIATED[word]
        spelt = {*_swapped(word), *_doubled(word)} & self._relations
        return None if self._is_known(word) or len(spelt) != 1 else spelt.pop()

    def _meant(self, word: str, capital: bool = False) -> str | None:
        """Return the known word that an unknown one is but for an error; None where in doubt.

        Args:
            word: of the question.
            capital: whether it is written as a name is, which only sounds like another word.
        """
        if len(word) > LONGEST or self._is_known(word):
            return None
        asked, heard = {*_asking(word)}, self._heard(word)
        spelt = {one for one in (*_swapped(word), *_doubled(word)) if len(one) >= SHORTEST}
        like = self._like_relations(word)
        own = {*filter(self._is_own, spelt)} | like | heard
        if not self._names.parts.nearly(word):
            spelt |= {one for one in like if max(len(one), len(word)) >= LONG}
        for found in (asked, own, {*filter(is_everyday, spelt)}):
            if found:
                sure = found <= spelt | asked | heard
                return found.pop() if sure and len(found) == 1 else None
        if is_written(word):
            return None
        if kind := self._kind(word):
            return kind
        if self._names.parts.nearly(word) or self._names.parts.within(word, 1):
            return None
        if of_stem := self._of_stem(word):
            return of_stem
        return None if capital else parted(word, self._is_word) or everyday_sounding(word)

    def _kind(self, word: str) -> str | None:
        """Return a kind that is nearly spelt so, in the plural if it is: "how many surgons"."""
        for form in (word, *singulars(word)):
            for _, near in self._names.parts.nearly(form)[:1]:
                if list(self._names.names.get(near, ()))[:1] == [near]:
                    return near + word[len(form) :]
        return None

    def _of_stem(self, word: str) -> str | None:
        """Return another form of a relation's word, but for an error: "swop" of `swapped_for`."""
        of = stem(word)
        found = {
            one + word[len(of) :]
            for one in map(_once, self._stems)
            if distance(of, one) == 1 and (nearly_alike(of, one) or len(of) >= LONG)
        }
        return found.pop() if len(found) == 1 else None

    def _heard(self, word: str) -> set[str]:
        """Return the words of relations' names that sound like one, if no name does."""
        near = self._names.parts.nearly(word)
        if any(sound_alike(word, name) for _, name in near):
            return set()
        return {one for one in self._relations if sound_alike(word, one)}

    def _like_relations(self, word: str) -> set[str]:
        """Return words of relations' names with one error at most: "mayr" is no "mary" there."""
        alike = self._beginning.get(word[0], ())
        return {one for one in alike if abs(len(one) - len(word)) < 2 and distance(one, word) == 1}

    def _is_known(self, word: str) -> bool:
        """Whether a word is English, or the knowledge base's, in any form."""
        if self._is_word(word) or stem(word) in self._stems:
            return True
        return stem(word) in everyday_stems(word[:ALIKE])

    def _is_word(self, word: str) -> bool:
        """Whether a word is known as it stands, or in the singular: "dat" is not, as "date" is."""
        forms = (word, *singulars(word))
        own = word in COMMONEST or any(map(self._is_own, forms))
        return own or any(map(is_everyday, forms))

    def _is_own(self, word: str) -> bool:
        """Whether a word is in the name of an entity or a relation."""
        return word in self._relations or len(self._names.parts.having(word)) > 0


def _once(of: str) -> str:
    """Return a stem without the second of two equal letters at its end: "swapp" of "swapped"."""
    return of[:-1] if of[-2:-1] == of[-1:] else of


def _without_little(parts: Sequence[str]) -> tuple[str, ...]:
    """Return the words of a relation's name without prepositions at its ends."""
    telling = [at for at, part in enumerate(parts) if part not in LITTLE]
    return tuple(parts[telling[0] : telling[-1] + 1]) if telling else ()


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
