"""What speaks for an answer, and against it: numbers, of the question and of what may be answered.

A clue of an answer says which of the ways that questions are understood in gives it, and how surely
beside what else may be answered; one of the question what is not certain about it whatever the
answer is. What they are worth is learnt (`memnets.studies.kb_qa.reranking`).
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import is_dataclass

import numpy as np

from memnets.kb.linking.mention import Mention
from memnets.kb.linking.words import question_words
from memnets.kb.programs import operators
from memnets.kb.programs.nesting import SHARING, turns_back
from memnets.kb.programs.operators import Path, Program, parts_of
from memnets.kb.programs.possible import WEIGHTS, Possible
from memnets.kb.programs.understood import Understood
from memnets.kb.questions.relations import fits
from memnets.kb.questions.sentences import Array
from memnets.studies.kb_qa.voices import Meant, Option, Voices

MOST_SCORE, MOST_LEAD = 8.0, 3.0
"""Beyond these a program is no surer, alone and beside another."""
MOST_MEANS = 10.0
"""Beyond this, either way, a relation is no more asked for."""
MOST_GUESSED = 3.0
"""Beyond this a relation is brought to mind no more strongly."""
UNLIKELY = 0.01
"""Less likely is the same."""
LAST = 7
"""The rank of what the names do not lead to."""
OPERATORS = tuple(name for name, of in vars(operators).items() if is_dataclass(of))
"""The names of what programs are made of."""
WAYS = tuple(name for name in WEIGHTS if name not in ("none", "means", "fits", "many", "absent"))
"""What tells of a relation, or a path of them, how it may be asked for."""
Clues = Mapping[str, float]


def clues(voices: Voices, meant: Sequence[Meant], options: Sequence[Option]) -> tuple[Array, Array]:
    """Return the clues of each answer, a row each, and those of the question.

    Args:
        voices: what was made of the question.
        meant: all that its names lead to, the likeliest first.
        options: the answers that may be given.
    """
    rows = [[*of_option(one, voices, meant, options).values()] for one in options]
    return np.array(rows, np.float32), np.array([*of_question(voices).values()], np.float32)


def of_question(voices: Voices) -> Clues:
    """Return the clues of a question."""
    answer, understood = voices.answer, voices.understood
    doubts = understood.doubts
    means = _means(voices.possible)
    absent = _means(one for one in voices.possible if not one.outcome.answers)
    return {
        **{f"doubt: {name}": float(value) for name, value in doubts._asdict().items()},
        "doubt: guessed": min(doubts.guessed, MOST_GUESSED),
        "strange": understood.strange,
        "nothing asked": float(understood.told),
        "programs": float(len(understood.candidates)),
        "score": min(understood.score, MOST_SCORE),
        **_of_empty(understood),
        "model declines": (not answer.objects) * answer.probability,
        "by words": float(answer.by_words),
        "likeness": answer.likeness,
        "mentions": float(len(answer.mentions)),
        "shares": float(not SHARING.isdisjoint(question_words(answer.answer.question))),
        "matched": float(bool(voices.matched)),
        "means": means,
        "absent means": absent,
    }


def _of_empty(understood: Understood) -> Clues:
    """Return how surely what is asked for is understood, and is not there."""
    if understood.gives or not understood.candidates:
        return {"empty": 0.0, "empty score": 0.0, "empty hops": 0.0}
    score = min(understood.score, MOST_SCORE) - understood.strange
    hops = _hops(understood.candidates[0].program)
    return {"empty": 1.0, "empty score": score, "empty hops": hops}


def of_option(
    option: Option, voices: Voices, meant: Sequence[Meant], options: Sequence[Option]
) -> Clues:
    """Return the clues of an answer.

    Args:
        option: the answer.
        voices, meant, options: as of `clues`.
    """
    answer, objects = voices.answer, option.objects
    modelled, matched, first = agreeing(option, voices)
    return {
        "model": modelled * answer.probability,
        "modelled": float(modelled),
        "all learnt": float(modelled and not answer.answer.unknown_words),
        "matching": float(matched),
        "agree": float(modelled + matched + first),
        "unfit": float(not fits(question_words(answer.answer.question), objects)),
        "many": math.log1p(len(objects)),
        "number": float(len(objects) == 1 and objects[0].replace(".", "").isdigit()),
        "yes or no": float(objects in (("yes",), ("no",))),
        "first program": float(first),
        "names unread": _unread(option, answer.mentions),
        **_of_program(option, options),
        **_of_meaning(option, voices.possible, meant),
    }


def agreeing(option: Option, voices: Voices) -> tuple[bool, bool, bool]:
    """Return whether the model, matching of strings and the likeliest program give an answer."""
    objects, likeliest = {*option.objects}, voices.understood.candidates[:1]
    return (
        {*voices.answer.objects} == objects,
        {*voices.matched} == objects,
        option.program is not None and option.program is likeliest[0],
    )


def _unread(option: Option, mentions: Sequence[Mention]) -> float:
    """Return which share of what a question names is in no program that gives an answer."""
    own = [option.program.program] if option.program else []
    own += [option.meant.strongest.program] if option.meant else []
    read = [{*_names_in(one)} for one in own]
    unread = (sum(names.isdisjoint(one.entities) for one in mentions) for names in read)
    return min(unread, default=len(mentions)) / max(1, len(mentions))


def _names_in(program: Program) -> Iterator[str]:
    """Yield what a program names, values among them."""
    for one in parts_of(program):
        match one:
            case operators.Named(names):
                yield from names
            case operators.Compared(_, _, str(value)):
                yield value
            case operators.Between(_, low, high):
                yield from (low, high)


def _of_program(option: Option, options: Sequence[Option]) -> Clues:
    """Return what the likeliest program that gives an answer says for it, beside all others."""
    own = option.program
    score = own.score if own else 0.0
    others = (one.program.score for one in options if one is not option and one.program)
    said = {type(one).__name__ for one in parts_of(own.program)} if own else set()
    return {
        "program": float(own is not None),
        "program's score": min(score, MOST_SCORE),
        "program's lead": _within(score - max(others, default=0.0), MOST_LEAD),
        "program's hops": _hops(own.program) if own else 0.0,
        "turns back": float(own is not None and turns_back(own.program)),
        **{f"program's {name}": float(name in said) for name in OPERATORS},
    }


def _hops(program: Program) -> float:
    """Return the most relations that lead from one thing to the next."""
    paths = (len(one.relations) for one in parts_of(program) if isinstance(one, Path))
    return float(max(paths, default=0))


def _of_meaning(option: Option, possible: Sequence[Possible], meant: Sequence[Meant]) -> Clues:
    """Return what speaks for an answer of all that the names lead to."""
    own = option.meant
    any_ = math.fsum(one.probability for one in meant) or 1.0
    likely = own.probability if own else 0.0
    rivals = (one.probability for one in meant if one is not own)
    means = _means([own.strongest] if own else [])
    others = _means(one.strongest for one in meant if one is not own)
    absent = _means(one for one in possible if not one.outcome.answers)
    ways = own.strongest.features if own else {}
    return {
        "meant": likely / any_,
        "log meant": math.log(likely + UNLIKELY),
        "other meant": max(rivals, default=0.0) / any_,
        "rank": float(next((at for at, one in enumerate(meant) if one is own), LAST)),
        "means": means,
        "means before others": _within(means - others, MOST_MEANS),
        "means before absent": _within(means - absent, MOST_MEANS),
        **{f"way: {name}": ways.get(name, 0.0) for name in WAYS},
    }


def _means(possible: Iterable[Possible]) -> float:
    """Return how strongly the strongest is asked for."""
    means = (one.features["means"] for one in possible)
    return _within(max(means, default=-MOST_MEANS), MOST_MEANS)


def _within(value: float, most: float) -> float:
    return max(-most, min(value, most))
