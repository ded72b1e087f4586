"""In which direction a question reads a relation: who manages Ada, or whom does Ada manage?

Word order alone, as English has it. A positive number speaks for reading it backwards: for those
that have the named one as their object.
"""

from memnets.kb.programs.lexicon import INVERSE
from memnets.kb.programs.reading import Argument, Asked

HELPING = frozenset({"does", "did", "do", "has", "have", "had", "will"})
_SMALL = frozenset({"the", "a", "an", "our", "one", "person", "who"})


def backwards(words: list[str], argument: Argument, asked: Asked) -> float:
    """Return how much speaks for reading a relation from its object to its subject.

    Args:
        words: of the question.
        argument: the one that is named.
        asked: where the relation is said.
    """
    if asked.begin >= argument.end:
        score = _behind(words, argument, asked)
    else:
        score = _before(words, argument, asked)
    if "whose" in words[: asked.begin] and asked.begin - words.index("whose") <= 2:
        score = 2.0
    said = words[asked.begin : asked.end]
    inverse = not INVERSE.isdisjoint(said) or any(word.endswith(("ee", "ees")) for word in said)
    return -score if inverse else score


def _behind(words: list[str], argument: Argument, asked: Asked) -> float:
    """The relation is said behind the name: "Ada's manager", "whom does Ada manage"."""
    between = words[argument.end : asked.begin]
    follows = words[asked.end] if asked.end < len(words) else ""
    helped = argument.begin > 0 and words[argument.begin - 1] in HELPING
    if between == ["'s"] or not (between or helped or words[asked.begin] in INVERSE):
        return -1.5
    if follows in ("of", "to"):
        return 2.0
    return 1.5 if helped else 0.3


def _before(words: list[str], argument: Argument, asked: Asked) -> float:
    """The relation is said before the name: "manager of Ada", "managed by Ada"."""
    between = [word for word in words[asked.end : argument.begin] if word not in _SMALL]
    last = between[-1] if between else ""
    if last == "by":
        return 1.5
    if last in ("of", "to", "for"):
        return -1.5
    return -1.0 if not between or last in HELPING else 0.0


def had(words: list[str], asked: Asked) -> bool:
    """Whether a relation is what somebody has: "people who have a manager who ..."."""
    before = words[max(0, asked.begin - 2) : asked.begin]
    return before[-1:] in (["a"], ["an"]) and before[0] in ("have", "has", "having", "with")
