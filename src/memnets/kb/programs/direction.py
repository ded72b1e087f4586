"""In which direction a question reads a relation: who manages Ada, or whom does Ada manage?

Word order alone, as English has it. A positive number speaks for reading it backwards: for those
that have the named one as their object.
"""

from memnets.kb.programs.arguments import Argument
from memnets.kb.programs.asked import Asked
from memnets.kb.programs.forms import BASES, same_stem
from memnets.kb.programs.lexicon import AGENTS, GENERAL, INVERSE, PRONOUNS
from memnets.kb.questions.english import PREPOSITIONS

HELPING = frozenset({"does", "did", "do", "has", "have", "had", "will"})
SURE, RATHER, HARDLY = 2.0, 1.5, 0.3
"""What tells a direction: words that leave no doubt, the usual order of words, a mere order."""
_BEING = frozenset({"is", "are", "was", "were"})
NOT_DONE_TO = frozenset({"referee", "committee", "degree", "fee", "guarantee", "tree", "coffee"})
"""They end as "trainee" does, and are not those to whom something is done."""
AFTER = (PREPOSITIONS | {"after", "to", "from", "with", "before"}) - {"of"}
"""At the end of a relation's name its objects stand behind them."""
_OF_TIME = frozenset({"first", "last", "date", "year", "day", "when"})
_SMALL = frozenset({"the", "a", "an", "our", "one", "person", "who"})


def backwards(
    words: list[str], argument: Argument, asked: Asked, relation: tuple[str, ...]
) -> float:
    """Return how much speaks for reading a relation from its object to its subject.

    Of "manager" or "directed by" the object does something to the subject; of "lies in" or
    "borders" it is the subject that does; "pupil of" is said of the subject.

    Args:
        words: of the question.
        argument: the one that is named.
        asked: where the relation is said.
        relation: the words of its name.
    """
    if asked.sort:
        return RATHER if relation in asked.own else -RATHER
    said, between = words[asked.begin : asked.end], words[argument.end : asked.begin]
    before = words[asked.begin - 1] if asked.begin else "the"
    noun = words[asked.end : asked.end + 1] in (["of"], ["for"]) and before in ("the", "a", "an")
    is_one = len(between) > 1 and between[0] in _BEING and between[1] in ("a", "an", "the")
    noun = noun or is_one or "as" in between  # "the prerequisites of"
    if between[:1] == ["among"] or (words[0] in ("for", "of") and between in (["a"], ["an"])):
        return SURE  # "who has Ada among those she trained", "of whom is Ada a pupil"
    acts = relation[-1:] == ("by",) and asked.begin >= argument.end
    whom = words[asked.end : asked.end + 1] in (["whom"], ["who"], ["what"], ["which"])
    active = not between and (whom or _is_active(said[0])) and same_stem(said[0], relation[0])
    did = words[argument.begin - 1 : argument.begin] in (["that"], ["which"], ["whom"])
    active = active or (did and not between and same_stem(said[-1], relation[-2:][0]))
    acts = acts and (said[0].endswith("ing") or active)
    used = relation[-1].endswith("ed") and said[-1] == relation[-1] and len(relation) > 1
    used = used and relation[0] not in _OF_TIME and _is_passive(words, argument)
    if acts or used:
        return SURE  # "what is Ada funding" of `funded_by`, "where is Ada used" of `tools_used`
    both = relation[-1] in ("with", "beside") and asked.end <= argument.begin
    both = both and asked.options[0][1] == 1
    if both and not argument.out_of.isdisjoint(asked.options.weights):
        return -RATHER  # "what goes well with Ada": what is written down of her
    done = "by" in words[asked.end - 1 : asked.end + 1] and asked.begin >= argument.end
    told = between[:-1] if between and between[-1] in PRONOUNS else between  # "who was he ..."
    if relation[-1:] == ("by",) and done and (not told or told[-1] in _BEING):
        return -SURE  # "Ada was taught by which pianist"
    if _subject_acts(said, relation) and not noun:
        return _acting(words, argument, asked, relation)
    if is_one or between[:1] == ["as"]:
        score = SURE  # "Ada is the manager of whom", "who has Ada as a manager"
    elif "as" in between:
        score = -SURE  # "whom does Ada have as a manager"
    elif asked.begin >= argument.end:
        score = _behind(words, argument, asked)
    else:
        score = _before(words, argument, asked, relation)
    if "whose" in words[: asked.begin] and asked.begin - words.index("whose") <= 2:
        score = SURE
    inverse = (
        asked.inverse
        or relation[-1:] == ("of",)
        or not INVERSE.isdisjoint(said)
        or any(
            word.endswith(("ee", "ees")) and word.removesuffix("s") not in NOT_DONE_TO
            for word in said
        )
    )
    return -score if inverse else score


def _is_active(word: str) -> bool:
    """Whether a word is a verb of whom stands before it: "Ada funds", but no "Ada sponsors"."""
    return word.endswith("s") and not word.endswith("ss") and word.removesuffix("s") not in AGENTS


def _is_passive(words: list[str], argument: Argument) -> bool:
    """Whether "is" or the like stands before what is named."""
    return words[argument.begin - 1 : argument.begin] != [] and words[argument.begin - 1] in _BEING


def _subject_acts(said: list[str], relation: tuple[str, ...]) -> bool:
    """Whether a relation is a verb of its subject, and said as that verb."""
    if not GENERAL.isdisjoint(said):
        return True
    verb = relation[0]
    shaped = relation[-1] in PREPOSITIONS - {"by", "of"} if len(relation) > 1 else False
    shaped = shaped and verb not in BASES.values()  # a "stand-in" is one who stands in
    shaped = shaped or (verb.endswith("s") and not verb.endswith("ss"))
    return shaped and any(same_stem(word, verb) for word in said)


def _acting(words: list[str], argument: Argument, asked: Asked, relation: tuple[str, ...]) -> float:
    """The subject acts: "where does Rome lie", and "what lies in Rome"."""
    by = "by" in words[asked.end - 1 : asked.end + 1] or words[:1] == ["by"]
    done = by and any(same_stem(word, relation[0]) for word in words[asked.begin : asked.end])
    if asked.begin >= argument.end:
        return RATHER if done else -RATHER  # "the law that Ada's is amended by"
    if done:
        return -RATHER  # "the law that is amended by Ada's"
    between = [word for word in words[asked.end : argument.begin] if word not in _SMALL]
    return -RATHER if between and between[-1] in HELPING | _BEING else RATHER


def _behind(words: list[str], argument: Argument, asked: Asked) -> float:
    """The relation is said behind the name: "Ada's manager", "whom does Ada manage"."""
    between = words[argument.end : asked.begin]
    follows = words[asked.end] if asked.end < len(words) else ""
    before = [word for word in words[: argument.begin] if word not in ("the", "a", "an")]
    helped = bool(before) and before[-1] in HELPING
    doing = not between and words[asked.begin].endswith("ing")
    if doing and before and before[-1] in _BEING:
        return RATHER  # "who is Ada coaching"
    if between == ["'s"] or not (between or helped or words[asked.begin] in INVERSE):
        return -RATHER
    if follows in ("of", "to"):
        return SURE
    return RATHER if helped else HARDLY


def _before(words: list[str], argument: Argument, asked: Asked, relation: tuple[str, ...]) -> float:
    """The relation is said before the name: "manager of Ada", "managed by Ada"."""
    between = [word for word in words[asked.end : argument.begin] if word not in _SMALL]
    did = relation == tuple(words[asked.begin : asked.end]) and relation[0].endswith("ed")
    if did and not between and words[: asked.begin] in (["who"], ["what"]):
        return RATHER  # "what replaced Ada" of `replaced`
    ends = asked.end - asked.begin > 1 and words[asked.end - 1] == relation[-1]
    if ends and not between and relation[-1] in AFTER:
        return RATHER  # "named after Ada"
    last = between[-1] if between else ""
    if last == "by" or (not between and words[asked.end - 1] == "by"):
        return RATHER
    if last in ("of", "to", "for"):
        return -RATHER
    owned = [word for word in words[: asked.begin] if word not in ("the", "a", "an")][-1:]
    if not between and owned in (["with"], ["have"], ["has"], ["having"]):
        return RATHER  # "those with the manager Ada"
    return -1.0 if not between or last in HELPING else 0.0


def goes_back(words: list[str], asked: Asked, anchor: int, relation: tuple[str, ...]) -> bool:
    """Whether a later hop is read backwards.

    So is what somebody has, "people who have a manager who ...", and what the subject does to
    what comes behind it: "who lives in the capital of ...".

    Args:
        words: of the question.
        asked: where the relation is said.
        anchor: the place of the name where the path starts.
        relation: the words of its name.
    """
    before = words[max(0, asked.begin - 2) : asked.begin]
    if before[-1:] == ["whose"]:  # "whose boss lives in Rome"
        return True
    if before[-1:] in (["a"], ["an"]) and before[0] in ("have", "has", "having", "with"):
        return True
    if asked.inverse:
        return True
    acts = _subject_acts(words[asked.begin : asked.end], relation) and asked.end <= anchor
    return acts and (HELPING | _BEING).isdisjoint(words[asked.end : anchor])
