"""What is said around a question: "I have visitors, so which languages does Ada speak?"."""

import re
from collections.abc import Iterator
from typing import Literal

from memnets.kb.index.ngrams import INTERROGATIVES
from memnets.kb.linking.words import question_words
from memnets.kb.programs.arguments import Argument
from memnets.kb.programs.lexicon import YES_OR_NO
from memnets.kb.programs.reading import OWNING, Reader
from memnets.kb.programs.spans import PRONOUNS
from memnets.kb.programs.statements import is_told

WANTING = frozenset({"need", "want", "like", "wanted", "give", "tell", "know", "asking", "ask"})
"""Behind them a question may begin that no word asks."""
_DASHES = ("-", "\u2013", "\u2014")
"""Behind them a question may begin with its verb: "Rome - does Ada live there?"."""
_ASKS_ALONE = YES_OR_NO - {"can", "could", "would", "will", "have"}
"""Not "would" of "I'm new here, would you know ..."."""
_ENDS = re.compile(r"\w{3}[.!?;:]$")
"""Ends a sentence: not "St." or "No."."""
_CLEFT = re.compile(r"^(Is|Was|is|was) it (?![a-z]+ that )(.+?) (who|that|which)(?= )")
"""Asks what could be asked without it: "is it Ada who owns it", but not "is it true that ..."."""
_CONFIRMED = re.compile(
    r"^it('s|\u2019s| is| was) (.+?) (who|that|which) (.+?),? "
    r"(right|correct|is(n['\u2019]t| not) it)\W*$",
    re.IGNORECASE,
)
"""Tells it, to be confirmed: "it's Ada who owns it, right?"."""
_IS_TRUE = re.compile(
    r"^(is it (true|right|correct|so) that|am i right (that|in thinking( that)?)|"
    r"(do|would) you (know|happen to know) (if|whether)|can you confirm( that)?) ",
    re.IGNORECASE,
)
"""Asks for yes or no of what follows."""
_SO_WHICH = re.compile(
    r"^(Is there|Are there|Does|Do|Has|Have)( any| an?|) (.+?)[?.!,;:-]+ *(and )?(if so,? )?"
    r"(which|who|what|give|name|tell)\b[^?]{,30}\??$",
    re.IGNORECASE,
)
"""Asks for names behind all: "is there a driver without a boss, and if so, who?"."""


def plain(question: str) -> str:
    """Return a question without what only wraps it: "can you confirm that ..."."""
    question = _CONFIRMED.sub(r"Did \2 \4?", question)
    return _IS_TRUE.sub("Did ", _CLEFT.sub(r"Did \2", question))


def asking_which(question: str) -> str:
    """Return the question for names that is asked behind one for yes or no."""
    return _SO_WHICH.sub(r"Which \3?", question)


class Asides:
    """Tells what is asked from what is told before it.

    Args:
        reader: of questions.
    """

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    def asks_nothing(self, question: str) -> bool:
        """Whether a text asks for nothing."""
        first = self._reader.read(question).arguments[:1]
        return is_told(question, first[0].end if first and first[0].begin == 0 else 0)

    def asked_from(self, question: str, at: int, turned: bool) -> str | None:
        """Return the rest of a question, with the name that was told before it.

        None where what was told would be lost, or where the question only turns to a name and
        none is told.
        """
        pieces = question.split()
        told, asked = " ".join(pieces[:at]), " ".join(pieces[at:])
        reading, end = self._reader.read(question), len(question_words(told))
        before = [one for one in reading.arguments if one.begin < end and self._is_whole(one)]
        if not before:
            return None if turned else asked
        meant = re.search(rf"\b({'|'.join(PRONOUNS)})\b", asked, re.IGNORECASE)
        said = any(one.begin < end for one in reading.asked)
        if said or len(before) > 1 or not before[0].out_of or not meant:
            return None
        owns = "'s" * (meant[0].casefold() in OWNING)
        return f"{asked[: meant.start()]}{before[0].names[0]}{owns}{asked[meant.end() :]}"

    def _is_whole(self, one: Argument) -> bool:
        """Whether it is a value, or a whole name, and not only a part of one."""
        words = one.end - one.begin
        return any(len(question_words(name)) == words for name in one.names) or not one.names


def beginnings(question: str) -> Iterator[tuple[int, Literal["ends", "turns", "asks"]]]:
    """Yield the places of words with which a question may begin, and how it does.

    Behind what ends a sentence; at its verb, where it turns to what was told: "Rome - is it big?";
    and at a word that asks, or behind "I need".
    """
    words = question.split()
    for at in range(1, len(words) - 1):
        before, word = (question_words(one)[:1] for one in words[at - 1 : at + 1])
        about = before[:1] in (["asking"], ["asks"]) and word[:1] in (["about"], ["for"], ["after"])
        turned = words[at - 1] in _DASHES or words[at - 1].endswith((",", ":"))
        if about or _ENDS.search(words[at - 1]):
            yield at, "ends"
        elif turned and _ASKS_ALONE.issuperset(word or ["?"]):
            yield at, "turns"
        elif WANTING.issuperset(before or ["?"]) or (
            INTERROGATIVES.issuperset(word or ["?"]) and at < len(words) - 2
        ):
            yield at, "asks"
