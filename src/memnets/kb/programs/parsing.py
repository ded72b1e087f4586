"""Questions of more than one fact, read into programs that are ranked by what they explain.

Nothing is learnt: names, values, words of relations and words of what is to be done are put
together in every way that the relations of the knowledge base allow.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import islice, product
from typing import Literal

from memnets.kb.index.ngrams import INTERROGATIVES
from memnets.kb.linking.naming import Names, question_words
from memnets.kb.programs.amounts import EXACTLY
from memnets.kb.programs.arguments import Argument, Standing
from memnets.kb.programs.asked import Asked
from memnets.kb.programs.associations import Associations
from memnets.kb.programs.cues import Cues, cues_of, is_compared, plainly
from memnets.kb.programs.doubting import STRANGE, doubts_of, says_nothing, strange_of, words_of
from memnets.kb.programs.frames import Assembly
from memnets.kb.programs.guessing import Guessing
from memnets.kb.programs.heads import asked_noun
from memnets.kb.programs.hops import BRIDGE, OTHER_BRIDGES, UNUSED
from memnets.kb.programs.lexicon import YES_OR_NO
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
from memnets.kb.programs.reading import OWNING, Reader, Reading
from memnets.kb.programs.roles import Filter, Frame
from memnets.kb.programs.running import Outcome, Programs
from memnets.kb.programs.saying import NO_OPTIONS
from memnets.kb.programs.shapes import Shapes
from memnets.kb.programs.spans import PRONOUNS
from memnets.kb.programs.statements import is_told
from memnets.kb.programs.understood import Candidate, Understood
from memnets.kb.programs.vectors import RelationVectors
from memnets.kb.programs.wordings import likeness
from memnets.kb.questions.english import PREPOSITIONS
from memnets.kb.questions.ranking import RelationRanker, ranker
from memnets.kb.questions.relations import fits
from memnets.kb.store.layouts import REVERSED
from memnets.kb.store.store import Store
from memnets.kb.values.columns import YEARS, Column
from memnets.kb.values.typed import Value, measures_alike, unit_of

MOST_ARGUMENTS = 6
"""A question of more names and values is not understood."""
COMBINATIONS = 256
"""Ways of taking the names of a question that are looked at."""
TRIED = 12
"""Of the programs that explain most so many are carried out, to prefer those with an answer."""
EMPTY = 0.75
"""What a program loses that gives nothing, in words explained."""
UNFIT = 2.0
"""What it loses whose answers the asking word rules out: "when" for a name, say."""
OF_KIND = 0.8
"""What a program counts whose answers are of the kind that a noun asks for: "which towns"."""
NARROWED = 0.3
"""What it counts less that is of the kind only by being narrowed to it."""
COMPOUND = 0.6
"""What it counts less if the noun is all that is said of a compound: "town" of `twin_town`."""
LEAST = 0.7
"""A program that explains less is none."""
STATED = 5.0
"""How strange it is that nothing is asked."""
BOTH = 5.0
"""What a program counts of what one is by two relations."""
OF_UNIT = 0.2
"""What a comparison counts whose column has a unit."""


WANTING = frozenset({"need", "want", "like", "wanted", "give", "tell", "know", "asking", "ask"})
"""Behind them a question may begin that no word asks."""
_YEARS = re.compile(r"\d+( to \d+)?")
_TIMES = frozenset({"before", "after", "since", "until", "from", "in", "during"})
"""Before a year they say that it is one."""
_DASHES = ("-", "\u2013", "\u2014")
"""Behind them a question may begin with its verb: "Rome - does Ada live there?"."""
_ASKS_ALONE = YES_OR_NO - {"can", "could", "would", "will", "have"}
"""Not "would" of "I'm new here, would you know ..."."""
_NOT_PLACING = frozenset({"of", "by", "with", "for"})
"""They stand before much: "used by Ada" is not `ruled_by`."""
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
        self._kinds = self._reader.kinds
        columns = self.programs.columns
        self._guessing = Guessing(Associations(self._reader.relations, columns), columns)
        by = by or ranker()
        meanings = Meanings(by, RelationVectors(by, columns, store))
        self.possibilities = Possibilities(self._reader, self._guessing, self.programs, meanings)
        self._nesting = Nesting(self._reader, self.programs)

    def parse(self, question: str) -> Understood:
        """Return the programs that a question may mean, and which of its words were understood.

        What is said before the question may be left out, as in "I have visitors, so which languages
        does Ada speak?"; a name in it stands for "its" and the like.
        """
        if self._is_told(question):
            return Understood((), (), STATED, told=True)
        question = _CONFIRMED.sub(r"Did \2 \4?", question)
        question = _IS_TRUE.sub("Did ", _CLEFT.sub(r"Did \2", question))
        asks_which = _SO_WHICH.sub(r"Which \3?", question)
        best = self._nesting.understood(asks_which, self._parse)
        if asks_which != question and not best.candidates:
            best = self._nesting.understood(question, self._parse)
        for at, how in _beginnings(question):
            if how != "asks" or best.score < LEAST:
                asked = self._from(question, at, how == "turns")
                found = self._nesting.understood(asked, self._parse) if asked else best
                best = found if found.score > best.score else best
        return best

    def _is_told(self, question: str) -> bool:
        """Whether a text asks for nothing."""
        first = self._reader.read(question).arguments[:1]
        return is_told(question, first[0].end if first and first[0].begin == 0 else 0)

    def _from(self, question: str, at: int, turned: bool) -> str | None:
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

    def _parse(self, question: str, standing: Standing, forwards: bool = False) -> Understood:
        """Return what a question may mean, without asking a part of it first.

        Args:
            question: as it was typed.
            standing: words that stand for entities.
            forwards: whether what is named is what something is said of.
        """
        reading = self._reader.read(question, standing, forwards)
        reading = reading.forwards() if forwards else reading
        said = self._of_reading(question, reading)
        guess = self._guessing.guessed(reading)
        if guess is None or (
            not said.strange and (_is_verdict(said) or _is_no_fact(said, reading))
        ):
            return said
        thought = self._of_reading(question, guess)
        return max(said, thought, key=lambda one: one.score)

    def _of_reading(self, question: str, reading: Reading) -> Understood:
        cues = cues_of(reading, self._reader.names_of(reading))
        cues = plainly(cues, reading.words) if reading.brought else cues
        at = asked_noun(reading.words, reading.heads)
        kind = None if at is None or cues.yes_or_no else self._kinds.of(reading.words[at])
        if any(
            at is not None
            and one.begin <= at < one.end - (not (one.parted and cues.counts))
            and one.options[0][1] == 1
            for one in reading.asked
        ):
            kind = None  # "how many record labels" are no records
        noun = next((one.options for one in reading.asked if one.begin == at), NO_OPTIONS)
        nouns = noun.weights
        compounds = {name for name in nouns if len(self._reader.relations[name]) > 1}
        best: dict[Program, float] = {}
        shared = not SHARING.isdisjoint(reading.words)
        for frame in islice(self._frames(reading, cues), COMBINATIONS):
            assembly = Assembly(self._reader, self._shapes, reading, cues, frame)
            for program, score in assembly.programs():
                relations = self._shapes.of(program)
                if relations is None or (reading.brought and not _is_one_hop(program)):
                    continue
                if kind and not compounds.isdisjoint(relations_of(program)):
                    score -= COMPOUND
                if kind and kind.relation in relations and not _leads(program, nouns):
                    of_kind = self._kinds.narrowed(program, kind)
                    if kind.value and of_kind != program:  # "which band" may be any act
                        best[program] = max(score, best.get(program, score))
                        for joined, cost in self._joined(program, kind):
                            best[joined] = max(score - cost, best.get(joined, 0.0))
                    score += OF_KIND - NARROWED * (of_kind != program)
                    if nouns and nouns.keys().isdisjoint(relations_of(program)):
                        score += UNUSED * noun[0][1] ** 2  # it is read, as the kind
                    program = of_kind
                elif kind and kind.relation not in relations and not _leads(program, nouns):
                    for longer, cost in self._further(program, relations, reading.words[at or 0]):
                        best[longer] = max(score - cost, best.get(longer, 0.0))
                    score -= OF_KIND
                score -= TURNED * (turns_back(program) and not shared)
                best[program] = max(score, best.get(program, score))
        for both in _of_both(reading):
            best[both] = max(BOTH, best.get(both, 0.0))
        more = reading.arguments or cues.degree or any(one.begin != at for one in reading.asked)
        done = (
            cues.degree
            or cues.denies
            or cues.compared
            or len(cues.left_out) < len(reading.arguments)
        )
        if kind and (not more or (kind.value and not done)):  # "how many towns are there"
            but = tuple(name for n in cues.left_out for name in reading.arguments[n].names)
            whole = self._kinds.whole(kind)
            every: Set = OtherThan(whole, Named(but)) if but else whole
            unread = sum(one.options[0][1] ** 2 for one in reading.asked if one.begin != at)
            score = 1 + OF_KIND * (1 + bool(kind.value)) - 2 * UNUSED * unread
            best[Count(every) if cues.counts else every] = score
        strange = strange_of(reading, cues, question, self._kinds.rows)
        if at is not None and kind is None and says_nothing(reading, at):
            strange += STRANGE
        enough = [(of, score - strange) for of, score in best.items() if score - strange >= LEAST]
        ranked = sorted(enough, key=lambda one: -one[1])
        tried = [self._tried(program, score, reading) for program, score in ranked[:TRIED]]
        candidates = sorted(tried, key=lambda one: -one.score)
        rest = [Candidate(program, score - EMPTY) for program, score in ranked[TRIED:]]
        first = candidates[0].program if candidates else None
        fits = first and kind and kind.relation in (self._shapes.of(first) or ())
        doubts = doubts_of(reading, first, at if fits else None)
        return Understood((*candidates, *rest), words_of(reading, cues), strange, doubts)

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

    def _tried(self, program: Program, score: float, reading: Reading) -> Candidate:
        outcome = self.programs.run(program)
        empty = not outcome.answers or (isinstance(program, Count) and outcome.answers == ("0",))
        rivalled = empty and self._is_rivalled(program, reading)
        unfit = not fits(reading.words, outcome.answers) or _is_named(program, outcome, reading)
        told = empty and self._is_surely_asked(program, reading)
        lost = EMPTY * (empty - told + rivalled) + UNFIT * unfit
        return Candidate(program, score - lost, outcome)

    def _is_surely_asked(self, program: Program, reading: Reading) -> bool:
        """Whether one relation of what is named is asked by its name: it may well have none."""
        if not isinstance(program, Path) or not isinstance(program.start, Named):
            return False
        said = [one for one in reading.asked if not one.hints]
        sure = len(said) == 1 and said[0].options[:1] == ((program.relations[0], 1.0),)
        return sure and len(program.relations) == 1 and len(program.start.names) == 1

    def _is_rivalled(self, program: Program, reading: Reading) -> bool:
        """Whether the words of a first hop say another as surely, and only that leads somewhere.

        "Lies" says `lies on river`, and `lies in` of what lies on none.
        """
        if not isinstance(program, Path) or not isinstance(program.start, Named):
            return False
        first = program.relations[0]
        said = (one.options.surely.weights for one in reading.asked)
        rivals = {name for names in said if first in names for name in names}
        one_hop = {name: Path(program.start, (name,)) for name in rivals}
        leading = {name for name, path in one_hop.items() if self.programs.run(path).answers}
        return bool(leading) and first not in leading

    def _frames(self, reading: Reading, cues: Cues) -> Iterator[Frame]:
        """Yield every way of taking names and values: as a start, or as what narrows a set."""
        said: dict[str, float] = {}
        for asked in reading.asked:
            said |= asked.options.weights
        options = [
            list(self._roles(reading, cues, number, argument, said))
            for number, argument in enumerate(reading.arguments)
        ]
        if len(options) > MOST_ARGUMENTS:
            return
        for chosen in product(*options):
            if sum(one is None for one in chosen) <= 2:
                yield Frame(chosen)

    def _roles(
        self,
        reading: Reading,
        cues: Cues,
        number: int,
        argument: Argument,
        said: dict[str, float],
    ) -> Iterator[Filter | None]:
        """Yield the relations by which an argument may narrow a set, and None for a start."""
        if number in cues.compared or (cues.between and number in cues.between):
            yield from self._comparable(reading, cues, number, said)
            return
        if argument.out_of or number in cues.left_out:
            yield None
        if number in cues.left_out:
            return
        owns = reading.words[argument.end : argument.end + 1] == ["'s"]
        asks = owns or any(not one.hints for one in reading.asked)
        into = set(argument.into)
        if cues.yes_or_no and argument.out_of:  # "no" is an answer too
            into |= {name for name in said if self.programs.columns.of(name).kind == "link"}
        of = sorted(into, key=lambda name: (-said.get(name, 0.0), name))
        for relation in of:
            placed = self._is_placed(reading.words, argument, relation)
            # Who is no row is asked about through the row that is theirs: a tenant's flat.
            sole = placed or (asks and not argument.out_of and self._shapes.is_own(relation))
            yield Filter(
                number, relation, said.get(relation, 0.0), 1 if sole else len(of), False, placed
            )
        if argument.value and not of:
            yield from self._comparable(reading, cues, number, said)

    def _is_of_unit(self, unit: str, column: Column) -> bool:
        """Whether a column may be of a unit: by its cells, or as its name tells."""
        named = (unit_of(word) for word in self._reader.relations[column.relation])
        bare = not unit and column.kind == "number"
        return bare or measures_alike(unit, column.unit) or unit in named

    def _are_years(self, column: Column) -> bool:
        """Whether numbers may all be years."""
        bounds = self.programs.columns.values(column.relation).bounds
        return not column.unit and all(int(bound) in YEARS for bound in (bounds[0], bounds[-1]))

    def _is_placed(self, words: list[str], argument: Argument, relation: str) -> bool:
        """Whether a preposition of a relation stands before an argument: "in Rome" of "lies in"."""
        before = [word for word in words[: argument.begin] if word not in ("the", "a", "an")]
        own = PREPOSITIONS.intersection(self._reader.relations[relation]) - _NOT_PLACING
        return before[-1:] != [] and before[-1] in own

    def _several(self, reading: Reading, cues: Cues, number: int) -> Filter | None:
        """Return the relation of whose objects a number is said: "more than two languages"."""
        argument = reading.arguments[number]
        behind = next((one for one in reading.asked if one.begin == argument.end), None)
        said = number in cues.compared or reading.words[argument.begin - 1] in EXACTLY
        if behind is None or not said or not _is_bare(argument.value):
            return None
        relation, weight = behind.options[0]
        if self.programs.columns.of(relation).kind not in ("link", "text"):
            return None
        return Filter(number, relation, weight, 1, compares=True, counts=True)

    def _comparable(
        self, reading: Reading, cues: Cues, number: int, said: dict[str, float]
    ) -> Iterator[Filter]:
        argument, asked_at = reading.arguments[number], reading.asked
        if several := self._several(reading, cues, number):
            yield several
            return
        columns: Sequence[Column] = self.programs.columns.compared
        value = argument.value
        degree = cues.adjectives.get(number)
        if degree:
            hints = degree.hints.split()
            hinted = [c for c in columns if _is_hinted(hints, self._reader.relations[c.relation])]
            # "A salary higher than" is no height.
            columns = [c for c in columns if said.get(c.relation) == 1] or hinted
        if value:
            # The unit of bare numbers may stand in the relation's name, as in "price_eur".
            fit = [c for c in columns if c.kind == value.kind and self._is_of_unit(value.unit, c)]
            if value.kind == "date" and _YEARS.fullmatch(argument.text):
                before = reading.words[: argument.begin][-1:]
                timed = not _TIMES.isdisjoint(before)  # "before 1990" is no price
                fit += [
                    c
                    for c in columns
                    if c.kind == "number"
                    and (c.relation in said or not timed or self._are_years(c))
                ]
        else:
            fit = [c for c in columns if c.relation in argument.out_of]
        with_unit = [c for c in fit if value and value.unit and measures_alike(c.unit, value.unit)]
        behind = [
            c
            for c in fit
            for asked in asked_at
            if c.relation in asked.options.weights
            and (asked.begin == argument.end or _is_measured(asked, argument, cues))
        ]  # "600 pages", "desk numbers above 370"
        for column in behind or with_unit or fit:
            weight = said.get(column.relation, 0.0)
            unlike = value is not None and value.kind != column.kind and weight < 1
            weight += OF_UNIT * bool(column.unit) + bool(behind or degree) - unlike
            of = behind or with_unit or fit
            yield Filter(number, column.relation, weight, len(of), True)


def _is_bare(value: Value | None) -> bool:
    """Whether a value is a number without a unit."""
    return value is not None and value.kind == "number" and not value.unit


def _is_measured(asked: Asked, argument: Argument, cues: Cues) -> bool:
    """Whether a relation's name is compared with a value."""
    return asked.options[0][1] == 1 and is_compared(asked, argument, cues)


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


def _beginnings(question: str) -> Iterator[tuple[int, Literal["ends", "turns", "asks"]]]:
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


def _is_named(program: Program, outcome: Outcome, reading: Reading) -> bool:
    """Whether only what a question names comes out again: "Ada the welder", Ada's boss's staff."""
    starts = [one.names for one in reading.arguments if one.out_of]
    if isinstance(program, Path):  # one of several of a name may well lead to another of them
        starts = [names for names in starts if len(names) == 1]
    named = {name for names in starts for name in names}
    there = isinstance(program, And | Path) and bool(outcome.answers)
    return there and named.issuperset(outcome.answers)


def _is_one_hop(program: Program) -> bool:
    """Whether a program reads one relation alone: more is not brought to mind."""
    path = program.of if isinstance(program, Count) else program
    return not isinstance(path, Path) or len(path.relations) == 1


def _leads(program: Program, relations: Collection[str]) -> bool:
    """Whether a set is followed by one of some relations, which then says no kind."""
    if not isinstance(program, Path) or isinstance(program.start, Named):
        return False
    return program.relations[-1].removeprefix(REVERSED) in relations


def _is_hinted(hints: list[str], relation: tuple[str, ...]) -> bool:
    return any(likeness(hint, relation) for hint in hints)
