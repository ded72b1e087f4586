"""Nouns that only say of what kind the answers are: "which people", "how many big towns"."""

from collections.abc import Collection, Iterator

from memnets.kb.index.ngrams import INTERROGATIVES, STOP_WORDS
from memnets.kb.programs.forms import singulars, word_set
from memnets.kb.programs.lexicon import DEGREES, NOT

HEADED = frozenset(
    {"which", "what", "list", "show", "name", "find", "count", "all", "every", "give"}
)
HEADED_BY_TWO = (
    *(("how", "many"), ("number", "of"), ("list", "of")),
    *(("kind", "of"), ("type", "of"), ("sort", "of")),
)
"""After them a noun may stand that says of what kind the answers are."""
FOLLOWED_BY_PLURALS = frozenset({"list", "show", "name", "find", "count", "all", "give"})
DETERMINERS = frozenset(
    {"the", "our", "your", "these", "those", "all", "other", "different", "a", "an"}
)
BEFORE_HEADS = DETERMINERS | {"me", "of", "please", "more", "lying", "new", "big", "small"}
"""May stand before such a noun."""
NO_NOUNS = STOP_WORDS | INTERROGATIVES | NOT | {"'s"}
HAPPENS = word_set(
    "leaves lies stands runs goes stops sits hangs lives grows takes starts ends departs arrives "
    "sails comes begins opens"
)
"""Verbs that look like the plurals of nouns."""
IS: tuple[list[str], ...] = ([], ["is"], ["are"], ["was"], ["were"])
SOME = frozenset({"which", "what", "one", "all", "most", "any", "many", "some", "each", "both"})
"""Before "of the towns" they say that towns are asked for."""
_OBJECTS = frozenset({"how", "which", "what", "whom", "a", "an"})
"""Behind a name and a word in "s" they show that this is a verb."""
THAT = frozenset({"that", "who", "which", "where", "whose"})


def asked_noun(words: list[str], heads: Collection[int]) -> int | None:
    """Return where a noun says of what kind the answers are; None where none does.

    That of "who is the keeper of the room that ..." says it of something else.

    Args:
        words: of a question.
        heads: where such nouns may stand.
    """
    if words[:2] == ["of", "all"] and not {"which", "what"}.isdisjoint(words):
        return min(heads, default=None)  # "of all the towns, which one ..."
    asked = [at for at in heads if words[at - 1 : at] in (["which"], ["what"])]
    if asked:  # "is in charge of which town"
        return min(asked)
    first = min(heads, default=None)
    if first is None:
        return None
    if words[max(0, first - 2) : first] == ["of", "the"] and words[first - 3] not in SOME:
        return None  # "county of the town that ..."
    if words[first - 1 : first] == ["the"] and not {"do", "does", "did"}.isdisjoint(words[:first]):
        return None  # "what does the wine that replaced Rust cost"
    before = {word for word in words[:first] if word in INTERROGATIVES}
    if "how" in before and "many" not in words[:first]:  # "how tall is the oldest tree"
        return None
    # "Who is the tallest player", but no "who is the oldest head of government".
    ordered = bool(first) and words[first - 1] in DEGREES and words[first + 1 : first + 2] != ["of"]
    ordered = ordered and bool(DEGREES[words[first - 1]].hints)
    return first if before <= {"which", "what", "how"} or ordered else None


def asked_words(words: list[str], said: Collection[int]) -> Iterator[int]:
    """Yield where the words of the noun stand that is asked for: "which record label"."""
    for at, word in enumerate(words):
        if word in ("which", "what") or words[at - 1 : at + 1] == ["how", "many"]:
            for place in range(at + 1, len(words)):
                if words[place] in NO_NOUNS or place in said:
                    break
                yield place


def head_nouns(words: list[str], said: frozenset[int]) -> Iterator[int]:
    """Yield where nouns stand that say what the answers are: "which big towns", "list all towns".

    Args:
        words: of a question.
        said: places of names and values, which may stand before such a noun: "French towns".
    """
    starts = [
        at + 1
        for at, word in enumerate(words)
        if (word in HEADED or word in DEGREES)
        and not (word.endswith("er") and words[at - 1 : at] in IS)  # "is older, Ada or Bo"
    ]
    starts += [at + 1 for at in range(len(words)) if tuple(words[at - 1 : at + 1]) in HEADED_BY_TWO]
    for first in sorted({0, *starts, *(at + 1 for at in said)}):
        at = first
        while at < len(words) and (at in said or words[at] in BEFORE_HEADS or words[at] in DEGREES):
            at += 1
        if at == len(words) or at + 1 in said or words[at] in NO_NOUNS:
            continue
        if words[at - 1 : at] == ["what"] and words[at] in HAPPENS:
            continue  # "what leaves from Rome"
        if at - 1 in said and words[at + 1 : at + 2] != [] and words[at + 1] in _OBJECTS:
            continue  # "Ada supervises how many"
        plural = words[at].endswith("s") and len(words[at]) > 3
        asked = first > 0 and (first - 1 not in said)
        if plural or (asked and words[first - 1] not in FOLLOWED_BY_PLURALS):
            yield at
    for at in range(2, len(words)):  # "Italy's towns"
        owned = words[at - 1] == "'s" and at - 2 in said and at not in said
        if owned and singulars(words[at]) and words[at + 1 : at + 2] in ([], ["but"]):
            yield at
    for at in range(len(words) - 1):  # "the company that", "station with"
        begins = at == 0 and words[1] == "with" and words[0] not in NO_NOUNS
        of = words[at + 1] in THAT | {"with"} and words[at - 1 : at] == ["the"]
        if (of or begins) and at not in said:
            yield at


def is_done(words: list[str], at: int) -> bool:
    """Whether a word is a verb though it may be a plural.

    So it is in "who grooms Ada", "works as a cook" and, at the end, "Ada sponsors which clubs".
    """
    before, behind = words[at - 1 : at], words[at + 1 : at + 2]
    ends = behind in (["which"], ["what"], ["whom"]) and at + 3 >= len(words)
    ends = ends and before != [] and before[0] not in STOP_WORDS  # "of the duos which sold"
    return before in (["who"], ["that"], ["whom"]) or behind == ["as"] or ends
