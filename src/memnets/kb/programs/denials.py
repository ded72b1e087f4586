"""What a question denies, and where it says so: "not", "nobody", "no longer", "other than"."""

from collections.abc import Collection, Iterable, Iterator

from memnets.kb.programs.arguments import Argument
from memnets.kb.programs.asked import BEING
from memnets.kb.programs.reading import Reading

NOBODY = frozenset({"nobody", "none", "noone", "nothing"})
NO_MORE = (("no", "longer"), ("not", "any", "more"), ("out", "of"), ("no", "more"))
"""Deny that something is so, as in "out of print"."""
ANYBODY = frozenset(
    {"someone", "somebody", "anyone", "anybody", "something", "anything", "somewhere", "anywhere"}
)
"""Before "other than" they say that something is so of another: "led by someone other than Ada"."""
_WHICH_ARE = ["which", "are"]
_LACKING = frozenset({"without", "no", "lack", "lacks", "lacking"})


def of_others(reading: Reading, excepting: Iterable[int]) -> list[int]:
    """Return where "other than" says that something is so of another, which leaves nobody out.

    Args:
        reading: of the question.
        excepting: where words stand that leave something out.
    """
    words = reading.words
    some = [at for at in excepting if words[at - 2 : at - 1] and words[at - 2] in ANYBODY]
    return some + [at for at in excepting if _is_of_another(reading, at)]


def denied(reading: Reading, denies: Collection[int]) -> frozenset[int]:
    """Return the arguments that are not to hold.

    Args:
        reading: of the question.
        denies: where words deny.
    """
    words, arguments = reading.words, reading.arguments
    found = (_denied_at(reading, at) for at in denies)
    neither = words.index("neither") if "neither" in words else len(words)
    if "nor" in [words[at] for at in denies]:
        neither = len(words)
    both = (n for n, one in enumerate(arguments) if one.begin > neither)
    return frozenset([*(n for n in found if n is not None), *both])


def following(arguments: tuple[Argument, ...], places: Iterable[int]) -> Iterator[int]:
    """Yield the argument that follows each of some places, where one does."""
    yield from (n for at in places if (n := _after(arguments, at)) is not None)


def _denied_at(reading: Reading, at: int) -> int | None:
    """Return the argument of which a word denies something; None if that is said of none."""
    words, arguments = reading.words, reading.arguments
    before = _subject_of(words, arguments, at)  # "which does Ada not have"
    behind = _after(arguments, at)
    if before is not None or behind is None:
        return before
    apart = all(one.begin != at + 1 for one in arguments)
    if words[at] == "non" and apart:  # "non-organic shops" are shops
        return None
    if _lacks_itself(reading, at, behind):  # "without any neighbours in the Orchid Room"
        return None
    nobody_does = words[at] in NOBODY and any(one.begin == at + 1 for one in reading.asked)
    parted = _is_parted(reading, at, arguments[behind].begin)  # "have no mayor but lie in Rome"
    flagged = at + 1 in reading.flags  # "that are not robotic"
    return None if nobody_does or parted or flagged else behind


def comes_out(words: list[str], at: int) -> bool:
    """Whether "out of" says where something is from: "came out of the shaft"."""
    return words[at] == "out" and at > 0 and words[at - 1] not in BEING


def _is_of_another(reading: Reading, at: int) -> bool:
    """Whether some have another of something: "a captain other than Ada"."""
    ends = {one.end: one for one in reading.asked}
    said = ends.get(at - 1) if reading.words[at] == "than" else None
    before = reading.words[max(0, said.begin - 1) : said.begin] if said else []
    return before in (["a"], ["an"], ["any"], ["some"])


def _is_parted(reading: Reading, at: int, begin: int) -> bool:
    """Whether what is denied ends before an argument, at "but" or "and"."""
    ends = (n for n in range(at, begin) if reading.words[n] in ("but", "and", "yet"))
    end = next(ends, at)
    return any(at < one.begin < end for one in reading.asked)


def _lacks_itself(reading: Reading, at: int, behind: int) -> bool:
    """Whether a noun stands behind "without" or "no" that has nothing to do with what follows."""
    words = reading.words
    if words[at] not in _LACKING:
        return False
    first = at + 1 + (words[at + 1 : at + 2] in (["any"], ["a"], ["an"]))
    argument = reading.arguments[behind]
    said = next((one for one in reading.asked if one.begin == first), None)
    if said is None or words[said.end : said.end + 1] not in (["in"], ["at"], ["on"]):
        return False
    return said.options.weights.keys().isdisjoint(argument.into)


def _subject_of(words: list[str], arguments: tuple[Argument, ...], at: int) -> int | None:
    """Return the argument of "does Ada not like", of which it is denied."""
    for n, one in enumerate(arguments):
        helped = words[one.begin - 1 : one.begin]
        last = n == len(arguments) - 1  # "whom is Ada not the keeper of"
        does = helped in (["does"], ["did"], ["do"]) or (last and helped in (["is"], ["was"]))
        if one.end == at and words[at] == "not" and does:
            return n
        placed = words[one.begin - 1 : one.begin] in (["where"], ["that"], ["which"], ["when"])
        if (
            last
            and placed
            and not (one.plural or [words[one.begin - 1], words[at - 1]] == _WHICH_ARE)
            and words[one.end : at] in (["is"], ["was"], ["were"], ["are"])
        ):
            return n  # "drills where Ada was not used"
    return None


def _after(arguments: tuple[Argument, ...], at: int) -> int | None:
    """Return the argument that follows a place."""
    return next((n for n, one in enumerate(arguments) if one.begin > at), None)
