"""Names in other words than the knowledge base has them: "badger 2" of Badger II."""

import re
from collections.abc import Callable, Iterator, Sequence

from memnets.kb.linking.words import question_words

EQUAL = (
    *(("dr", "doctor"), ("mr", "mister"), ("prof", "professor"), ("mt", "mount"), ("no", "number")),
    *(("st", "saint", "sankt"), ("jr", "junior"), ("sr", "senior"), ("fort", "ft")),
    *(("1", "i", "one"), ("2", "ii", "two"), ("3", "iii", "three"), ("4", "iv", "four")),
    *(("5", "v", "five"), ("6", "vi", "six"), ("7", "vii", "seven"), ("8", "viii", "eight")),
    *(("9", "ix", "nine"), ("10", "x", "ten")),
)
"""Words that stand for each other in names."""
OTHERS = {word: tuple(one for one in equal if one != word) for equal in EQUAL for word in equal}
SHORTEST = 2
"""A word of so many letters is none in the genitive: "flat is" is not of Flat 1."""
MOST = 6
"""Words of a name that are looked at."""
_ENDS = re.compile(r"(['\u2019]s)?\W*$")


def as_named(question: str, is_name: Callable[[str], bool]) -> tuple[str, dict[str, str]]:
    """Return a question with names as the knowledge base has them, and what each of them was.

    Args:
        question: as it was typed.
        is_name: whether words, without case and punctuation, are a name.
    """
    pieces, changed, begin = question.split(), dict[str, str](), 0
    if not {"&", "and", *OTHERS} & {*pieces, *question_words(question)}:
        return question, changed
    while begin < len(pieces):
        step = 1
        for end in range(min(len(pieces), begin + MOST), begin, -1):
            typed = pieces[begin:end]
            last = _ENDS.search(typed[-1])
            assert last is not None  # it matches nothing, at the end
            words = question_words(" ".join([*typed[:-1], typed[-1][: last.start()]]))
            if words and is_name(" ".join(words)):
                step = end - begin  # what is in a name is no other one
                break
            both = "&" in typed
            name = next(filter(is_name, _variants(words, both)), None)
            owner = next(filter(is_name, _variants(_owner(words), both)), None)
            meant = name or (owner and f"{owner}'s")
            if meant and len(typed) > 1:
                changed[" ".join(words)] = meant
                pieces[begin:end] = [meant + last[0]]
                break
        begin += step
    return " ".join(pieces), changed


def _owner(words: Sequence[str]) -> Sequence[str]:
    """Return words without the s of a genitive that has no apostrophe: "doctor hoots keeper"."""
    *before, last = words or [""]
    return [*before, last[:-1]] if last.endswith("s") and len(last) > SHORTEST else ()


def _variants(words: Sequence[str], both: bool) -> Iterator[str]:
    """Yield words with one of them in another form; where two are joined, without or with "and"."""
    for at, word in enumerate(words):
        before, behind = words[:at], words[at + 1 :]
        for other in OTHERS.get(word, ()):
            yield " ".join((*before, other, *behind))
        if word == "and" and before and behind:
            yield " ".join((*before, *behind))
        if both:
            yield " ".join((*before, "and", word, *behind))
