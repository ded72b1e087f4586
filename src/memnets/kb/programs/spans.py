"""Which part of a question may be asked first: "who owns [the server that Payday runs on]"."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from memnets.kb.index.ngrams import INTERROGATIVES, STOP_WORDS
from memnets.kb.linking.words import question_words
from memnets.kb.programs.arguments import Argument
from memnets.kb.programs.forms import word_set
from memnets.kb.programs.lexicon import FILLING, PEOPLE
from memnets.kb.programs.reading import OWNING, Reading
from memnets.kb.questions.english import PREPOSITIONS

PLACE = "qqx"
"""Stands for what answers a part."""
ANYTHING = word_set("something somebody someone anybody anyone anything whoever whatever one those")
"""They may be narrowed by a name alone: "something in the Cellar"."""
OPENING = ANYTHING | word_set("the a an any some every whichever another what who")
"""Words that a part begins with."""
RELATIVE = frozenset({"that", "which", "who", "whom", "something", "somebody", "someone"})
"""Behind them what is named does what is meant: "the server that Payday runs on"."""
BEING = frozenset({"is", "are", "was", "were", "s"})
"""Behind "where" they ask for the place of what is named next."""
ASKED_AS = {"whoever": "who", "whatever": "what", "whichever": "which"}
"""What asks within a part, and how it asks alone."""
TELLING_NOTHING = STOP_WORDS | INTERROGATIVES | OPENING | PEOPLE | FILLING | {"'s"}
PRONOUNS = OWNING | {"it", "he", "she", "they", "them"}
ANAPHOR = re.compile(
    r"\b((that|this)( other| last)? one"
    r"|(that|this|those|the) (other|last)( one)?( \w+)?"
    r"|(that|those|this) (?!is|are|was|has|does|did|the|a)\w+"
    rf"|that|those|{'|'.join(sorted(PRONOUNS, key=len, reverse=True))})\b",
    re.IGNORECASE,
)
"""What stands for something that was told before."""


class Part(NamedTuple):
    """A question without a part of it, and that part."""

    inner: str
    outer: str
    """With `PLACE` in place of it."""
    hinted: bool = False
    """Whether of that is only asked where it is, or when."""
    brought: bool = False
    """Whether the part says no relation that its words may bring to mind."""
    told: bool = False
    """Whether it is told before the rest is asked."""
    pronoun: bool = False
    """Whether only a pronoun refers to it, which may as well mean what is named."""


def parts(question: str, reading: Reading, rows: frozenset[str]) -> Iterator[Part]:
    """Yield what may be asked first, the shortest first, and what was told before.

    Args:
        question: as it was typed.
        reading: of it.
        rows: nouns for what a row of the table is.
    """
    if reading.words:
        yield from _Spans(question, reading, rows).parts()
        yield from _told_before(question)


def _told_before(question: str) -> Iterator[Part]:
    """Yield what is told and then asked about: "Payday needs a printer; who owns that one?"."""
    for stop in re.finditer(r"[.;:!?,] (and )?", question):
        told, asks = question[: stop.start()], question[stop.end() :]
        meant = ANAPHOR.search(asks)
        if meant and len(told.split()) > 2 and len(asks.split()) > 2:
            word = meant[0].casefold()
            place = PLACE + "'s" * (word in OWNING)
            outer = f"{asks[: meant.start()]}{place}{asks[meant.end() :]}"
            yield Part(told, outer, told=True, pronoun=word in PRONOUNS)


class _Spans:
    """The spans of a question that are noun phrases by themselves, as word order has it.

    A span goes from piece to piece, which may be several words: "Payday's".
    """

    def __init__(self, question: str, reading: Reading, rows: frozenset[str]) -> None:
        self._pieces, self._words, self._rows = question.split(), reading.words, rows
        self._first = [0]  # the place of the first word of every piece, and the end
        for piece in self._pieces:
            self._first.append(self._first[-1] + len(question_words(piece)))
        self._named = [one for one in reading.arguments if one.names]
        self._asked = reading.asked
        self._said = [one for one in reading.asked if not one.hints]
        self._things = {one.begin for one in self._named if one.out_of}
        self._values = {one.end - 1 for one in self._named if not one.out_of}
        self._owners = {one.begin for one in self._named if self._owns(one)}
        self._within = {at for one in self._named for at in range(one.begin + 1, one.end)}

    def parts(self) -> Iterator[Part]:
        """Yield what stands in spans that may be asked first, the shortest first."""
        first, ends = self._first, self._ends()
        starts = [n for n, low in enumerate(first[:-1]) if low < first[n + 1] and self._begins(low)]
        stops = [
            n for n in range(1, len(first)) if first[n] in ends or self._pieces[n - 1][-1] in ",;:"
        ]
        spans = [(end - begin, begin, end) for begin in starts for end in stops if end - begin > 1]
        for _, begin, end in sorted(spans):
            yield from self._of_span(begin, end)

    def _begins(self, low: int) -> bool:
        """Whether a part may begin at a word."""
        word, behind = self._words[low], self._words[low + 1 : low + 2]
        if low in self._owners:
            return self._words[low - 1 : low] != ["the"]
        if (not low and word in INTERROGATIVES) or low in self._within:
            return False  # it is the question that begins, or a name goes on: "post mills"
        if low in self._things:  # "the server that Payday runs on"
            return low - 1 in self._values or self._words[low - 1] in self._rows | RELATIVE
        if word == "one":
            return behind != [] and behind[0] in RELATIVE | {"of"}
        thing = low + 1 in self._things and low + 1 not in self._owners  # "the Red Lion" alone
        return word in self._rows or (word in OPENING and not thing and bool(behind))

    def _ends(self) -> set[int]:
        """Return behind which words a part may end."""
        words = self._words
        ends = {len(words)}
        ends.update(one.end for one in self._named)
        ends.update(one.end for one in self._said)
        ends |= {
            one.end + 1
            for one in self._said
            if words[one.end : one.end + 1] and words[one.end] in PREPOSITIONS
        }
        ends |= {one.end + n for one in self._named if one.begin in self._owners for n in (2, 3)}
        ends -= {at for one in self._said for at in range(one.begin + 1, one.end)}
        if (
            words[-1] in PREPOSITIONS
        ):  # it belongs to what stands before it: "the band it split from"
            ends.discard(len(words) - 1)
        return ends

    def _of_span(self, begin: int, end: int) -> Iterator[Part]:
        words, low, high = self._words, self._first[begin], self._first[end]
        inside = [one for one in self._named if low <= one.begin and one.end <= high]
        asked = [one for one in self._said if low <= one.begin and one.end <= high]
        rest = [one for one in self._asked if one.end <= low or one.begin >= high]
        if not inside or not rest or end - begin == len(self._pieces):
            return
        if not {"do", "does", "did"}.isdisjoint(words[low:high]):
            return
        open_ = not RELATIVE.isdisjoint(words[low + 1 : high])
        if open_ and any(one.begin == high for one in self._said):
            return  # "the server that Payday", which goes on with "runs on"
        values = [one for one in inside if one.begin <= low + 1 and not one.out_of]
        if any(a.end == b.begin and b.end == high for a in values for b in asked):
            return  # "the Defence ministry"
        some = words[low] in ANYTHING or (
            words[low] in ("a", "an") and words[low - 1] in PREPOSITIONS
        )
        some = some or (low in self._owners and words[high - 1] in self._rows)  # "Ada's books"
        brought = not asked and not some
        if brought and not self._may_bring(low, high, inside):
            return
        hinted = all(one.hints for one in rest)
        if hinted and (brought or words[low - 1] not in BEING):
            return
        part = self._part(begin, end)._replace(hinted=hinted, brought=brought)
        yield part
        kind = next((one.end for one in values if one.begin == low + 1), len(words))
        later = [n for n in range(begin, end) if self._first[n] > kind]
        if later and words[kind] in RELATIVE:  # "the band that inspired Ada": what inspired her
            told = part.inner.split()[later[0] - begin :]
            yield part._replace(inner=" ".join(("what", *told)))

    def _may_bring(self, low: int, high: int, inside: list[Argument]) -> bool:
        """Whether words beside a name may bring a relation to mind."""
        taken = {place for one in inside for place in range(one.begin, one.end)}
        free = (self._words[at] for at in range(low, high) if at not in taken)
        telling = any(word not in TELLING_NOTHING | self._rows for word in free)
        return telling and any(one.out_of for one in inside)

    def _owns(self, one: Argument) -> bool:
        """Whether something of what is named is meant: "Payday's", "the Sparrows' drummer"."""
        ends = zip(self._pieces, self._first[1:], strict=True)
        last = (piece for piece, end in ends if end in (one.end, one.end + 1))
        return any(re.search(r"(['’]s|s['’])$", piece) for piece in last)

    def _part(self, begin: int, end: int) -> Part:
        inner = " ".join(self._pieces[begin:end]).rstrip("?!.,;:")
        owned = re.search(r"['’]s?$", inner)
        if owned:
            inner = inner[: owned.start()]
        head, _, behind = inner.partition(" ")
        place = PLACE + "'s" * bool(owned) + "?" * (end == len(self._pieces))
        outer = " ".join((*self._pieces[:begin], place, *self._pieces[end:]))
        return Part(f"{ASKED_AS.get(head.casefold(), head)} {behind}", outer)
