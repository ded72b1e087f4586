"""Questions of more than one fact, read into programs that are ranked by what they explain.

Nothing is learnt: names, values, words of relations and words of what is to be done are put
together in every way that the relations of the knowledge base allow.
"""

import math
from collections.abc import Collection, Iterator
from itertools import islice

from memnets.kb.linking.naming import Names
from memnets.kb.programs.arguments import Standing
from memnets.kb.programs.asides import Asides, asking_which, beginnings, plain
from memnets.kb.programs.associations import Associations
from memnets.kb.programs.cues import Cues, cues_of, plainly
from memnets.kb.programs.doubting import STRANGE, doubts_of, says_nothing, strange_of, words_of
from memnets.kb.programs.forms import singulars
from memnets.kb.programs.frames import Assembly
from memnets.kb.programs.framing import Framing
from memnets.kb.programs.guessing import Guessing
from memnets.kb.programs.heads import asked_noun
from memnets.kb.programs.hops import BRIDGE, OTHER_BRIDGES, UNUSED, Scored
from memnets.kb.programs.meaning import Meanings
from memnets.kb.programs.nesting import SHARING, TURNED, Nesting, turns_back
from memnets.kb.programs.operators import (
    MOST_HOPS,
    And,
    Count,
    Having,
    IsIt,
    Named,
    OtherThan,
    Path,
    Program,
    Set,
    relations_of,
)
from memnets.kb.programs.possible import Possibilities
from memnets.kb.programs.reading import Reader, Reading
from memnets.kb.programs.running import Programs
from memnets.kb.programs.saying import NO_OPTIONS
from memnets.kb.programs.shapes import Shapes
from memnets.kb.programs.trial import Trial
from memnets.kb.programs.understood import Understood
from memnets.kb.programs.unknowns import with_unknown
from memnets.kb.programs.vectors import RelationVectors
from memnets.kb.questions.ranking import RelationRanker, ranker
from memnets.kb.store.layouts import REVERSED
from memnets.kb.store.store import Store

COMBINATIONS = 256
"""Ways of taking the names of a question that are looked at."""
OF_KIND = 0.8
"""What a program counts whose answers are of the kind that a noun asks for: "which towns"."""
NARROWED = 0.3
"""What it counts less that is of the kind only by being narrowed to it."""
UNKNOWN = 0.2
"""What it counts less that also those answer of whom it is not known whether they are denied."""
COMPOUND = 0.6
"""What it counts less if the noun is all that is said of a compound: "town" of `twin_town`."""
LEAST = 0.7
"""A program that explains less is none."""
STATED = 5.0
"""How strange it is that nothing is asked."""
BOTH = 5.0
"""What a program counts of what one is by two relations."""


class Parser:
    """Reads questions into programs over a knowledge base.

    Args:
        store: a KB that was opened.
        names: of its entities.
        programs: carries programs out.
        by: ranks relations, if not what is part of this package.
    """

    def __init__(
        self,
        store: Store,
        names: Names,
        programs: Programs | None = None,
        by: RelationRanker | None = None,
    ) -> None:
        self.programs = programs or Programs(store)
        self._reader = Reader(store, names, self.programs.columns)
        self._shapes = Shapes(store, self.programs.columns)
        self._trial = Trial(self.programs)
        self._kinds = self._reader.kinds
        columns = self.programs.columns
        self._guessing = Guessing(Associations(self._reader.relations, columns), columns)
        by = by or ranker()
        meanings = Meanings(by, RelationVectors(by, columns, store))
        self.possibilities = Possibilities(self._reader, self._guessing, self.programs, meanings)
        self._nesting = Nesting(self._reader, self.programs)
        self._asides = Asides(self._reader)

    def parse(self, question: str) -> Understood:
        """Return the programs that a question may mean, and which of its words were understood.

        What is said before the question may be left out, as in "I have visitors, so which languages
        does Ada speak?"; a name in it stands for "its" and the like.
        """
        if self._asides.asks_nothing(question):
            return Understood((), (), STATED, told=True)
        question = plain(question)
        asks_which = asking_which(question)
        best = self._nesting.understood(asks_which, self._parse)
        if asks_which != question and not best.candidates:
            best = self._nesting.understood(question, self._parse)
        for at, how in beginnings(question):
            if how != "asks" or best.score < LEAST:
                asked = self._asides.asked_from(question, at, how == "turns")
                found = self._nesting.understood(asked, self._parse) if asked else best
                best = found if found.score > best.score else best
        return best

    def _parse(self, question: str, standing: Standing, forwards: bool = False) -> Understood:
        """Return what a question may mean, without asking a part of it first.

        Args:
            question: as it was typed.
            standing: words that stand for entities.
            forwards: whether what is named is what something is said of.
        """
        reading = self._reader.read(question, standing, forwards)
        reading = reading.forwards() if forwards else reading
        said, cues = self._of_reading(question, reading), cues_of(reading)
        guess = self._guessing.guessed(reading)
        if (
            guess is None
            or (said.candidates and (cues.adjectives or cues.left_out))
            or (not said.strange and (_is_verdict(said) or _is_no_fact(said, reading)))
        ):
            return said
        thought = self._of_reading(question, guess)
        return max(said, thought, key=lambda one: one.score)

    def _of_reading(self, question: str, reading: Reading) -> Understood:
        cues = cues_of(reading, self._reader.names_of(reading))
        cues = plainly(cues, reading.words) if reading.brought else cues
        at = asked_noun(reading.words, reading.heads)
        kind = None if at is None else self._kind_at(at, reading, cues)
        best = self._explaining(reading, cues, at, kind)
        strange = strange_of(reading, cues, question, self._kinds.rows)
        if at is not None and kind is None and says_nothing(reading, at):
            strange += STRANGE
        enough = [(of, score - strange) for of, score in best.items() if score - strange >= LEAST]
        ranked = sorted(enough, key=lambda one: -one[1])
        candidates = self._trial.of(ranked, reading)
        first = candidates[0].program if candidates else None
        fits = first and kind and kind.relation in (self._shapes.of(first) or ())
        doubts = doubts_of(reading, first, at if fits else None)
        return Understood(candidates, words_of(reading, cues), strange, doubts)

    def _kind_at(self, at: int, reading: Reading, cues: Cues) -> Having | None:
        """Return the kind that a noun asks for; None of "record labels", which are no records."""
        says_more = any(
            one.begin <= at < one.end - (not (one.parted and cues.counts))
            and one.options[0][1] == 1
            for one in reading.asked
        )
        noun = reading.words[at]
        counted = cues.counts and self._is_text(noun)
        return None if cues.yes_or_no or says_more or counted else self._kinds.of(noun)

    def _is_text(self, noun: str) -> bool:
        """Whether a noun is all of the name of a relation to texts: "how many clubs" of `club`."""
        forms = {(noun,), *((one,) for one in singulars(noun))}
        named = (name for name, words in self._reader.relations.items() if words in forms)
        return noun not in self._kinds.rows and any(self._reader.kind(n) == "text" for n in named)

    def _explaining(
        self, reading: Reading, cues: Cues, at: int | None, kind: Having | None
    ) -> dict[Program, float]:
        """Return programs with how much of a question they explain.

        Args:
            reading, cues: of the question.
            at: where the noun stands that is asked for.
            kind: what it means.
        """
        best: dict[Program, float] = {}
        framing = Framing(self._reader, self.programs.columns, self._shapes, reading, cues)
        shared = not SHARING.isdisjoint(reading.words)
        for frame in islice(framing.frames(), COMBINATIONS):
            assembly = Assembly(self._reader, self._shapes, reading, cues, frame)
            for assembled, explained in assembly.programs():
                if reading.brought and not _is_one_hop(assembled):
                    continue
                for program, score in self._of_kind(assembled, explained, reading, at, kind):
                    score -= TURNED * (turns_back(program) and not shared)
                    best[program] = max(score, best.get(program, score))
        for program, score in [*best.items()]:
            if more := with_unknown(program):
                best[more] = max(score - UNKNOWN, best.get(more, -math.inf))
        for both in _of_both(reading):
            best[both] = max(BOTH, best.get(both, 0.0))
        return best | dict(self._every(reading, cues, at, kind))

    def _of_kind(
        self, program: Program, score: float, reading: Reading, at: int | None, kind: Having | None
    ) -> Iterator[Scored]:
        """Yield a program that is possible, narrowed or followed to the kind that is asked for."""
        relations = self._shapes.of(program)
        if relations is None:
            return
        if kind is None or at is None:
            yield program, score
            return
        noun = next((one.options for one in reading.asked if one.begin == at), NO_OPTIONS)
        nouns, read = noun.weights, {*relations_of(program)}
        if any(len(self._reader.relations[name]) > 1 for name in read.intersection(nouns)):
            score -= COMPOUND
        if _leads(program, nouns):
            yield program, score
        elif kind.relation in relations:
            of_kind = self._kinds.narrowed(program, kind)
            if kind.value and of_kind != program:  # "which band" may be any act
                yield program, score
                for joined, cost in self._joined(program, kind):
                    yield joined, score - cost
            score += OF_KIND - NARROWED * (of_kind != program)
            if nouns and read.isdisjoint(nouns):
                score += UNUSED * noun[0][1] ** 2  # it is read, as the kind
            yield of_kind, score
        else:
            for longer, cost in self._further(program, relations, reading.words[at]):
                yield longer, score - cost
            yield program, score - OF_KIND

    def _every(
        self, reading: Reading, cues: Cues, at: int | None, kind: Having | None
    ) -> Iterator[Scored]:
        """Yield all of the kind that is asked for, if no more is asked: "how many towns"."""
        more = reading.arguments or cues.degree or any(one.begin != at for one in reading.asked)
        left_out = len(cues.left_out) == len(reading.arguments)
        done = cues.degree or cues.denies or cues.compared or not left_out
        if kind and (not more or (kind.value and not done)):
            but = tuple(name for n in cues.left_out for name in reading.arguments[n].names)
            whole = self._kinds.whole(kind)
            every: Set = OtherThan(whole, Named(but)) if but else whole
            unread = sum(one.options[0][1] ** 2 for one in reading.asked if one.begin != at)
            score = 1 + OF_KIND * (1 + bool(kind.value)) - 2 * UNUSED * unread
            yield Count(every) if cues.counts else every, score

    def _further(
        self, program: Program, relations: Collection[str], noun: str
    ) -> Iterator[tuple[Path, float]]:
        """Yield paths that go on to what a noun asks for: "on which island was Ada born".

        Args:
            program: what is asked, whose answers are of another kind: towns.
            relations: of these.
            noun: what is asked for.
        """
        if not isinstance(program, Path) or len(program.relations) == MOST_HOPS:
            return
        found = [name for name in self._kinds.leading(noun) if name in relations]
        for name in found:
            cost = BRIDGE - OF_KIND + OTHER_BRIDGES * (len(found) - 1)
            yield Path(program.start, (*program.relations, name)), cost

    def _joined(self, program: Program, kind: Having) -> Iterator[tuple[Having | Count, float]]:
        """Yield those of a sort that belong to another: "which routes use a refrigerated van"."""
        if isinstance(program, Count):
            for joined, cost in self._joined(program.of, kind):
                if isinstance(joined, Having):
                    yield Count(joined), cost
            return
        parts = program.parts if isinstance(program, And) else (program,)
        others = [one for one in parts if isinstance(one, Having) and one.relation == kind.relation]
        if len(others) == 1 and others[0] != kind and isinstance(program, And | Having):
            relations = self._kinds.sorts.between(kind, others[0])
            for relation in relations:
                rivals = len(relations) - 1
                yield Having(relation, program), BRIDGE - OF_KIND + OTHER_BRIDGES * rivals


def _of_both(reading: Reading) -> Iterator[And]:
    """Yield what one is by two relations: "of which is Ada both the owner and the captain"."""
    said = [one for one in reading.asked if not one.hints]
    if len(said) != 2 or len(reading.arguments) != 1:
        return
    (named,) = reading.arguments
    between = reading.words[said[0].end : said[1].begin]
    if "and" not in between or not {"the", "also", "and", "is"}.issuperset(between):
        return
    one, other = (
        next((name for name, _ in asked.options if name in named.into), "") for asked in said
    )
    if one and other and one != other:
        yield And(tuple(Having(name, Named(named.names)) for name in (one, other)))


def _is_no_fact(said: Understood, reading: Reading) -> bool:
    """Whether all that is asked, in one word, is one fact of what is named, which it has not."""
    words = [one.end - one.begin for one in reading.asked if not one.hints]
    first = next(iter(said.candidates), None) if words == [1] else None
    path = first.program if first else None
    one_hop = isinstance(path, Path) and len(path.relations) == 1 and isinstance(path.start, Named)
    return one_hop and first is not None and first.outcome is not None and not first.outcome.answers


def _is_verdict(said: Understood) -> bool:
    """Whether a question asks if a relation of what is named leads to something."""
    first = next(iter(said.candidates), None)
    return first is not None and isinstance(first.program, IsIt)


def _is_one_hop(program: Program) -> bool:
    """Whether a program reads one relation alone: more is not brought to mind."""
    path = program.of if isinstance(program, Count) else program
    return not isinstance(path, Path) or len(path.relations) == 1


def _leads(program: Program, relations: Collection[str]) -> bool:
    """Whether a set is followed by one of some relations, which then says no kind."""
    if not isinstance(program, Path) or isinstance(program.start, Named):
        return False
    return program.relations[-1].removeprefix(REVERSED) in relations
