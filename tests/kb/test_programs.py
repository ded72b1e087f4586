"""Every operator against plain loops over the facts, and what is told where nothing can be."""

import random
from decimal import Decimal

import pytest

from memnets.data.facts import Triple
from memnets.kb.programs.operators import (
    And,
    Between,
    Compare,
    Compared,
    Count,
    Having,
    IsIt,
    IsThere,
    Most,
    Named,
    Not,
    Oftenest,
    Or,
    OtherThan,
    Path,
    Several,
    in_words,
)
from memnets.kb.programs.running import MOST_ANSWERS, Programs
from memnets.kb.store.layouts import REVERSED
from memnets.kb.store.store import Store, build

PEOPLE = [f"p{n}" for n in range(14)]
TOWNS = ["Rome", "Oslo", "Bonn"]
LINKS = ("boss", "town", "tongue")
HOWS = ("more than", "less than", "at least", "at most", "in")


def invented(seed):
    """Return facts about people: of some several, of others none."""
    dice = random.Random(seed)
    facts = {Triple(town, "lies in", "Europe") for town in TOWNS}
    for person in PEOPLE:
        for relation, among in (("boss", PEOPLE), ("town", TOWNS), ("tongue", ["C", "Ada", "Lua"])):
            for _ in range(dice.randrange(3)):
                facts.add(Triple(person, relation, dice.choice(among)))
        if dice.random() < 0.8:
            facts.add(Triple(person, "salary", f"{dice.randrange(3, 9)}0.1 EUR"))
        if dice.random() < 0.8:
            facts.add(
                Triple(person, "born", f"19{dice.randrange(60, 64)}-0{dice.randrange(1, 9)}-07")
            )
        facts.add(Triple(person, "remote", dice.choice(["yes", "no"])))
    return sorted(facts)


def opened(facts, folder):
    build(facts, folder)
    return Programs(Store.open(folder))


class NothingToCompareError(Exception):
    """What is refused."""


class Loops:
    """The same programs, by loops over all facts, one after the other."""

    def __init__(self, facts):
        self.facts = facts

    def hop(self, start, relation):
        name = relation.removeprefix(REVERSED)
        if name != relation:
            return {s for s, r, o in self.facts if r == name and o in start}
        return {o for s, r, o in self.facts if r == name and s in start}

    def number(self, text):
        return Decimal(text.replace("-", "").split()[0])

    def values(self, ids, relation):
        return [(s, self.number(o)) for s, r, o in self.facts if r == relation and s in ids]

    def fits(self, number, how, low, high):
        return {
            "more than": number > high,
            "less than": number < low,
            "at least": number >= low,
            "at most": number <= high,
            "in": low <= number <= high,
        }[how]

    def run(self, program):
        match program:
            case Named(names):
                return set(names)
            case Path(start, relations):
                found = self.run(start)
                for relation in relations:
                    found = self.hop(found, relation)
                return found
            case Having(relation, value):
                some = None if value is None else self.run(value)
                return {
                    s for s, r, o in self.facts if r == relation and (some is None or o in some)
                }
            case Not(relation, value):
                return self.run(Having(relation)) - self.run(Having(relation, value))
            case And(parts):
                return set.intersection(*map(self.run, parts))
            case Or(parts):
                return set.union(*map(self.run, parts))
            case OtherThan(of, but):
                return self.run(of) - self.run(but)
            case Between(relation, low, high):
                low, high = self.number(low), self.number(high)
                return {s for s, n in self.values(PEOPLE, relation) if low <= n <= high}
            case Compared(relation, how, value):
                if isinstance(value, str):
                    known = [self.number(value)]
                else:
                    known = [n for _, n in self.values(self.run(value), relation)]
                if not known:
                    raise NothingToCompareError
                edge = min(known) if how in ("less than", "at most") else max(known)
                every = self.values(PEOPLE, relation)
                return {s for s, n in every if self.fits(n, how, edge, edge)}
            case Compare(one, other, relation, least):
                return self.run(Most(relation, Or((one, other)), least))
            case Most(relation, among, least):
                some = self.values(PEOPLE if among is None else self.run(among), relation)
                if not some:
                    raise NothingToCompareError
                best = (min if least else max)(n for _, n in some)
                return {s for s, n in some if n == best}
            case Oftenest(relation, among, least):
                some = PEOPLE if among is None else self.run(among)
                times = {}
                for s, r, o in self.facts:
                    if r == relation and s in some:
                        times[o] = times.get(o, 0) + 1
                if not times:
                    raise NothingToCompareError
                best = (min if least else max)(times.values())
                return {o for o, n in times.items() if n == best}
            case Several(relation, how, number):
                back, ends = relation.startswith("!"), {}
                for s, r, o in self.facts:
                    if r == relation.removeprefix("!"):
                        owner, end = (o, s) if back else (s, o)
                        ends.setdefault(owner, set()).add(end)
                many, edge = {one: len(of) for one, of in ends.items()}, int(number)
                return {one for one, n in many.items() if self.fits(n, how, edge, edge)}
            case Count(of):
                return {str(len(self.run(of)))}
            case IsThere(of):
                return {"yes" if self.run(of) else "no"}
            case IsIt(entity, relation, value):
                found = self.hop(self.run(entity), relation)
                if not found:
                    raise NothingToCompareError
                return {"yes" if found & self.run(value) else "no"}


def some_set(dice, depth=3):
    """Return a program that gives people, made by chance."""
    person = Named((dice.choice(PEOPLE),))
    object_ = Named((dice.choice(TOWNS),))
    number, date = f"{dice.randrange(2, 10)}0.1 EUR", f"19{dice.randrange(59, 65)}-04-07"
    relation, text = dice.choice((("salary", number), ("born", date)))
    if not depth or dice.random() < 0.2:
        return Having("town", object_)
    sets = [some_set(dice, depth - 1) for _ in range(2)]
    return dice.choice(
        (
            Path(person, ("boss", "boss", "boss")[: dice.randrange(1, 4)]),
            Path(sets[0], ("!boss", "boss")[: dice.randrange(1, 3)]),
            Having(dice.choice(LINKS)),
            Having("boss", sets[0]),
            Not("town", object_),
            Not("boss", sets[1]),
            And(tuple(sets)),
            Or(tuple(sets)),
            OtherThan(*sets),
            Compared(relation, dice.choice(HOWS), text),
            Compared(relation, dice.choice(HOWS), person),
            Between(
                relation, *sorted((text, {"salary": "60.1 EUR", "born": "1962-04-07"}[relation]))
            ),
            Several(dice.choice(("boss", "!boss", "town")), dice.choice(HOWS), dice.choice("123")),
            Most(relation, dice.choice((None, sets[0])), dice.random() < 0.5),
            Oftenest("boss", dice.choice((None, sets[0])), dice.random() < 0.5),
        )
    )


def test_programs_give_what_loops_give(tmp_path):
    seen, empty, refused = set(), 0, 0
    for seed in range(4):
        facts = invented(seed)
        programs, loops, dice = (
            opened(facts, tmp_path / str(seed)),
            Loops(facts),
            random.Random(seed),
        )
        for _ in range(150):
            of = some_set(dice)
            kind = dice.choice((None, Count, IsThere, Path, IsIt))
            person = Named((dice.choice(PEOPLE),))
            program = {
                None: of,
                Path: Path(of, (dice.choice(LINKS),)),
                IsIt: IsIt(person, "boss", of),
            }.get(kind) or kind(of)
            outcome = programs.run(program)
            try:
                expected = loops.run(program)
            except NothingToCompareError:
                assert outcome.refused, in_words(program)
                refused += 1
                continue
            assert outcome.refused == "", in_words(program)
            assert set(outcome.answers) == expected, in_words(program)
            assert outcome.found == len(expected)
            seen.add(type(program))
            empty += not expected
    assert len(seen) >= 14
    assert empty
    assert 0 < refused < 200


def test_two_are_compared_as_by_loops(tmp_path):
    facts = invented(9)
    programs, loops = opened(facts, tmp_path / "kb"), Loops(facts)
    told = set()
    for one, other in zip(PEOPLE, PEOPLE[1:] + PEOPLE[:1], strict=True):
        for relation in ("salary", "born"):
            for least in (False, True):
                sides = Named((one,)), Named((other,))
                both = all(loops.values({side}, relation) for side in (one, other))
                program = Compare(*sides, relation, least)
                outcome = programs.run(program)
                assert bool(outcome.refused) == (not both)
                assert set(outcome.answers) == (loops.run(program) if both else set())
                told.add(len(outcome.answers))
    assert {0, 1} <= told


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    facts = [
        ("Ada", "boss", "Bo"), ("Bo", "boss", "Cy"), ("Di", "boss", "Bo"),
        ("Ada", "salary", "100 EUR"), ("Bo", "salary", "300 EUR"), ("Cy", "salary", "300 EUR"),
        ("Di", "salary", "200 USD"), ("Ed", "salary", "a lot"),
        ("Ada", "born", "1970"), ("Bo", "born", "1970-05-01"), ("Cy", "born", "1971"),
        ("Ada", "likes", "tea"),
    ]  # fmt: skip
    return opened(facts, tmp_path_factory.mktemp("programs") / "kb")


def rows(programs, outcome):
    return [[" ".join(programs._facts[row]) for row in read.kept] for read in outcome.reads]


def test_the_evidence_of_a_path_is_its_facts_in_order(small):
    outcome = small.run(Path(Named(("Ada",)), ("boss", "salary")))
    assert outcome.answers == ("300 EUR",)
    assert rows(small, outcome) == [["Ada boss Bo"], ["Bo salary 300 EUR"]]
    first, second = small.steps(outcome)
    assert first.name == "boss of (Ada) (1 fact read)"
    assert second.most_read.text == "Bo salary 300 EUR"
    assert second.most_read.weight == 1


@pytest.mark.parametrize(
    ("program", "read", "kept"),
    [
        (Not("boss", Named(("Bo",))), 3, ["Bo boss Cy"]),
        (Oftenest("boss"), 3, ["Ada boss Bo", "Di boss Bo"]),
        (Several("!boss", "more than", "1"), 3, ["Ada boss Bo", "Di boss Bo"]),
        (Compared("salary", "less than", "200 EUR"), 3, ["Ada salary 100 EUR"]),
        (Between("born", "1971", "1980"), 3, ["Cy born 1971"]),
        (IsIt(Named(("Ada",)), "boss", Named(("Cy",))), 1, []),
    ],
)
def test_what_was_read_and_what_of_it_counts(small, program, read, kept):
    outcome = small.run(program)
    (one,) = outcome.reads
    assert (len(one.rows), rows(small, outcome)) == (read, [kept])
    (step,) = small.steps(outcome)
    weights = [support.weight for support in step.supports]
    assert weights == ([1 / len(kept)] * len(kept) if kept else [0.0])
    assert [support.text for support in step.supports] == (kept or ["Ada boss Bo"])
    salaries = isinstance(program, Compared)
    assert ("2 facts could not be compared" in outcome.caution) == salaries


def test_of_many_facts_the_first_are_shown_and_some_that_could_not_be_compared(tmp_path):
    facts = [(f"p{n:02}", "age", f"{n}") for n in range(30)]
    facts += [(f"q{n}", "age", f"odd {n}") for n in range(5)]
    programs = opened(facts, tmp_path / "kb")
    outcome = programs.run(Compared("age", "at least", "5"))
    (step,) = programs.steps(outcome)
    assert [support.text for support in step.supports] == [f"p{n:02} age {n}" for n in range(5, 25)]
    assert {support.weight for support in step.supports} == {1 / 25}
    assert step.name.endswith("(30 facts read)")
    assert outcome.caution.endswith("such as 'odd 0', 'odd 1', 'odd 2'")


def test_ties_are_all_given_and_every_fact_that_was_compared_was_read(small):
    outcome = small.run(Most("salary"))
    assert outcome.answers == ("Bo", "Cy")
    (read,) = outcome.reads
    assert len(read.rows) == 3
    assert rows(small, outcome) == [["Bo salary 300 EUR", "Cy salary 300 EUR"]]
    assert small.run(Most("salary", least=True)).answers == ("Ada",)


def test_cells_that_cannot_be_compared_are_told(small):
    said = small.run(Most("salary")).caution
    assert said == ("2 facts could not be compared and were left out, such as '200 USD', 'a lot'")
    assert small.run(Path(Named(("Ada",)), ("boss",))).caution == ""


def test_a_year_and_a_day_in_it_are_neither_before_the_other(small):
    assert small.run(Most("born", least=True)).answers == ("Ada", "Bo")
    assert small.run(Compared("born", "less than", "1970-06")).answers == ("Bo",)
    assert small.run(Compared("born", "in", "1970")).answers == ("Ada", "Bo")
    assert small.run(Compared("born", "more than", "1970")).answers == ("Cy",)


@pytest.mark.parametrize(
    ("program", "said"),
    [
        (Named(("Eve",)), "the knowledge base has no 'Eve'"),
        (Path(Named(("Ada",)), ("owns",)), "has no relation 'owns'"),
        (Compared("salary", "more than", "100 USD"), "cannot be compared"),
        (Compared("salary", "more than", "much"), "'much' is no number"),
        (Compared("likes", "more than", "1"), "its objects are text"),
        (Several("boss", "more than", "few"), "'few' is no number of 'boss'"),
        (Most("boss"), "its objects are names of entities"),
        (Most("salary", Named(("Ed",))), "nothing to compare"),
        (Oftenest("boss", Named(("Ed",))), "nothing to count"),
        (IsIt(Named(("Ed",)), "boss", Named(("Bo",))), "nothing is known of 'boss' of Ed"),
        (Compare(Named(("Di",)), Named(("Bo",)), "salary"), "no 'salary' of Di is known"),
        (Compare(Named(("Bo",)), Named(("Di",)), "salary"), "no 'salary' of Di is known"),
        (Compared("salary", "less than", Named(("Di",))), "no 'salary' of Di is known"),
        (And(()), "no sets to join"),
    ],
)
def test_what_cannot_be_carried_out_is_refused_and_told(small, program, said):
    outcome = small.run(program)
    assert (outcome.answers, outcome.found) == ((), 0)
    assert said in outcome.refused


def test_an_empty_set_is_no_refusal(small):
    nobody = Having("boss", Named(("Ada",)))
    assert small.run(nobody).answers == ()
    assert small.run(nobody).refused == ""
    assert small.run(Count(nobody)).answers == ("0",)
    assert small.run(IsThere(nobody)).answers == ("no",)
    assert small.run(Path(nobody, ("boss", "salary"))).answers == ()


def test_more_than_three_hops_are_refused():
    with pytest.raises(ValueError, match="4 relations; expected 1 to 3"):
        Path(Named(("Ada",)), ("boss",) * 4)


def test_answers_beyond_those_that_are_named_are_counted(small, monkeypatch):
    assert MOST_ANSWERS > 2
    monkeypatch.setattr("memnets.kb.programs.running.MOST_ANSWERS", 2)
    outcome = small.run(Having("salary"))
    assert (len(outcome.answers), outcome.found) == (2, 5)


@pytest.mark.parametrize(
    ("program", "said"),
    [
        (Count(Having("boss")), "how many: those with boss: anything"),
        (Path(Named(("Bo",)), ("!boss",)), "what has as boss of (Bo)"),
        (IsThere(Not("boss", Named(("Bo",)))), "whether there is any: those with boss, but not Bo"),
        (Most("salary", Having("boss"), True), "the least salary among those with boss: anything"),
        (Several("boss", "in", "2"), "those with exactly 2 boss"),
        (Several("!boss", "less than", "2"), "those with fewer than 2 what has as boss"),
        (Oftenest("boss"), "the commonest boss"),
        (Oftenest("!tongue", least=True), "those with the fewest tongue"),
        (Compared("born", "less than", Named(("A",))), "those with born less than that of A"),
        (OtherThan(Having("boss"), Named(("A",))), "those with boss: anything, other than A"),
    ],
)  # fmt: skip
def test_programs_in_words(program, said):
    assert in_words(program) == said
