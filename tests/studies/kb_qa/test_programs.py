"""Questions of several facts take a program where one fact did not answer."""

import math
from dataclasses import replace
from unittest.mock import Mock

import pytest

from memnets.cli.tables import evidence_table
from memnets.evidence import Answer, Step, Support
from memnets.kb.linking.opened import open_names
from memnets.kb.programs.operators import Having, Named, Path
from memnets.kb.programs.parsing import Parser
from memnets.kb.programs.possible import LARGE as POSSIBLE_BY_LARGE
from memnets.kb.programs.possible import SMALL as POSSIBLE
from memnets.kb.programs.possible import Possibilities, Possible
from memnets.kb.programs.running import Outcome
from memnets.kb.programs.understood import Candidate, Doubts, Understood
from memnets.kb.questions.matching import StringMatcher
from memnets.kb.store.store import Store, build
from memnets.studies.kb_qa import programs
from memnets.studies.kb_qa.inference import UNSURE, KBAnswer, called
from memnets.studies.kb_qa.programs import voices_of, with_programs
from memnets.studies.kb_qa.weighing import (
    ALONE,
    LARGE,
    LEAST,
    MATCHED,
    MOST_MEANS,
    SMALL,
    TOLD,
    Voices,
    features,
    meant_of,
    probability,
    weigh,
)

FACTS = [
    *(("Ada", "manager", "Bo"), ("Bo", "manager", "Cy"), ("Dan", "manager", "Bo")),
    *(("Ada", "town", "Rome"), ("Bo", "town", "Bari"), ("Cy", "town", "Rome")),
]


class Over:
    """A KB with all that asks it."""

    def __init__(self, folder):
        build(FACTS, folder)
        store = Store.open(folder)
        self.parser, self.matcher = Parser(store, open_names(store)), StringMatcher(store)

    def weighed(self, asked: KBAnswer) -> KBAnswer:
        return with_programs(asked, self.parser, self.matcher)


@pytest.fixture(scope="module")
def kb(tmp_path_factory):
    return Over(tmp_path_factory.mktemp("programs") / "kb")


def declined(question: str, *unknown: str) -> KBAnswer:
    steps = (Step("hop 1", (Support(0, "nothing", 1.0),)),)
    answer = Answer(question, UNSURE, 0.9, (("Bo", 0.1),), steps, unknown_words=unknown)
    return KBAnswer(answer, (), (), ())


def given(question: str, objects: str, sure: float = 0.9) -> KBAnswer:
    asked = declined(question)
    answer = replace(asked.answer, text=objects, probability=sure, runners_up=())
    return replace(asked, answer=answer, objects=(objects,))


def test_a_program_answers_what_one_fact_did_not(kb):
    asked = declined("Who is the manager of Ada's manager?", "manager", "nonsense")
    asked = replace(asked, corrected=(("manager", "mother"), ("nonsense", "sense")))
    said = kb.weighed(asked)
    assert said.corrected == (("nonsense", "sense"),)  # the program took the word as it is
    assert (said.text, said.objects) == ("Cy", ("Cy",))
    assert LEAST <= said.probability < 1
    assert [step.supports[0].text for step in said.answer.steps] == [
        "Ada manager Bo",
        "Bo manager Cy",
    ]
    assert said.answer.unknown_words == ("nonsense",)
    assert kb.weighed(declined("How many people are in Rome?")).objects == ("2",)


def test_what_both_say_is_surer_than_what_one_says(kb):
    question = "Who is the manager of Ada?"
    alone = kb.weighed(declined(question))
    agreed = kb.weighed(given(question, "Bo"))
    other = kb.weighed(given(question, "Rome"))
    assert alone.objects == agreed.objects == ("Bo",)
    assert agreed.probability > alone.probability
    assert other.objects != ("Rome",)


def test_no_answer_is_surer_than_that_the_name_is_meant(kb):
    asked = replace(given("Who is the manager of Ada?", "Bo"), likeness=0.6)
    assert kb.weighed(asked).probability == pytest.approx(0.6)


def test_what_was_told_apart_is_answered_by_its_name(kb):
    """Both of a name are one answer, and what only the name tells apart is the same answer."""
    labels = {"Bo": "Bo Reed", "Dan": "Bo Reed"}
    asked = replace(declined("q"), objects=("Bo", "Cy", "Dan"))
    asked = replace(asked, answer=replace(asked.answer, text="Bo, Cy, Dan"))
    assert called(asked, labels).objects == ("Bo Reed", "Cy")
    assert called(asked, labels).text == "Bo Reed, Cy"
    apart = replace(asked, answer=replace(asked.answer, text="Bo: Cy; Dan: Cy"))
    assert called(apart, labels).text == "Bo: Cy; Dan: Cy"
    said = with_programs(declined("Who is the manager of Ada?"), kb.parser, kb.matcher, labels)
    assert (said.text, said.objects) == ("Bo Reed", ("Bo Reed",))
    agreed = voices_of(given("Who is the manager of Ada?", "Dan"), kb.parser, kb.matcher, labels)
    assert agreed.answer.objects == agreed.matched == ("Bo Reed",)
    assert weigh(agreed)[0].objects == ("Bo Reed",)
    assert all("Bo" not in one.objects for one in weigh(agreed))


def test_weak_evidence_is_no_answer(kb):
    asked = given("Why did Ada buy purple shoes in Paris?", "Bo", 0.3)
    unknown = replace(asked.answer, unknown_words=("buy", "purple", "shoes", "paris"))
    asked = replace(asked, answer=unknown)
    said = kb.weighed(asked)
    assert said.declined
    assert (said.text, said.objects) == (UNSURE, ())
    voices = voices_of(asked, kb.parser, kb.matcher)
    assert said.answer.runners_up[0][0] == weigh(voices)[0].objects[0]
    assert said.probability == pytest.approx(1 - said.answer.runners_up[0][1])


def test_an_answer_that_is_not_likely_enough_stands_among_the_others(kb, monkeypatch):
    """The model declines, and what a program gives is not likely: it is told, but not as right."""
    monkeypatch.setattr(programs, "LEAST", 1.0)
    asked = declined("Who is the manager of Ada?", "nonsense")
    said = kb.weighed(asked)
    ((other, share),) = said.answer.runners_up
    assert (said.text, said.objects, other) == (UNSURE, (), "Bo")
    assert 0.5 < share < 1
    assert said.probability == asked.probability == 0.9
    assert said.answer == replace(asked.answer, runners_up=((other, share),))


def told(*matched):
    """Return a parser that understands nothing, and what matches strings, as it is told."""
    nothing = Mock(spec=Possibilities, of=lambda question: [], large=False)
    parser = Mock(spec=Parser, parse=lambda question: Understood((), ()), possibilities=nothing)
    return parser, Mock(spec=StringMatcher, ask=lambda question: matched)


def program(*answers, score=2.0, relations=("manager",)):
    outcome = Outcome(answers, len(answers), ()) if answers else None
    return Candidate(Path(Named(("Ada",)), relations), score, outcome)


def test_what_strings_match_is_answered_where_nothing_else_says_anything():
    both = told("Rome", "Bari")
    asked = replace(declined("town?"), likeness=0.9)
    said = with_programs(asked, *both)
    assert (said.text, said.objects) == ("Rome, Bari", ("Rome", "Bari"))
    assert said.probability == MATCHED
    assert said.answer.runners_up == ()
    assert with_programs(replace(asked, likeness=0.55), *both).probability == 0.55
    assert with_programs(asked, *told()) is asked


def test_what_speaks_for_an_answer_by_hand():
    """The model says Bo, a program Cy, another program less surely Bo, and strings match Cy."""
    understood = Understood(
        (program("Cy", score=7.0), program("Cy", score=6.75), program("Bo", score=5.5)),
        (), 0.8, Doubts(0.25, 2, True, 3),
    )  # fmt: skip
    asked = given("q", "Bo", 0.7)
    voices = Voices(replace(asked, by_words=True), understood, ("Cy",))
    both = {"1": 1.0, "model declines": 0.0, "empty": 0.0, "names": 1.0, "not meant": 1.0}
    both |= {"many": math.log(2), "very many": math.log(2) ** 2}
    both |= {"log meant": math.log(0.01), "log likely": math.log(0.01)}
    of_model = {
        "other strange": 0.8,
        **{"words": 1.0, "model": 0.7, "all learnt": 1.0, "other program": 1.0},
        "other margin": 1.5,
    }
    of_program = {
        **{"other words": 1.0, "program": 1.0, "score": 6.0, "margin": 1.5, "single": 1.0},
        "strange": 0.8,
        "margin meant": 1.5 * math.log(0.01),
        **{"matching": 1.0, "unsaid": 0.25, "rivals": math.log(3), "misspelt": 1.0},
    }
    nothing = dict.fromkeys(SMALL, 0.0)
    assert features(("Bo",), voices) == pytest.approx(nothing | both | of_model)
    assert features(("Cy",), voices) == pytest.approx(nothing | both | of_program)
    two = understood._replace(candidates=(program("Cy", relations=("a", "b")),))
    alone = features(("Cy", "Di"), voices._replace(understood=two))
    assert (alone["single"], alone["program"], alone["many"]) == (0.0, 0.0, math.log1p(2))
    far = features(("Cy",), voices._replace(understood=two))
    assert (far["single"], far["program"], far["score"], far["margin"]) == (0.0, 1.0, 2.0, 2.0)
    empty = understood._replace(candidates=(program(),), doubts=Doubts())
    weak = declined("q", "strange")
    voices = Voices(weak, empty, ("Cy",))
    little = both | {"model declines": 0.9, "empty": 1.0, "surely empty": 2.0, "names": 0.0}
    more = {"matching": 1.0, "other strange": 0.8}
    assert features(("Cy",), voices) == pytest.approx(nothing | little | more)
    doubts = Doubts(guessed=4.5, equal=0.25, unheard=0.5, strays=True)
    brought = understood._replace(candidates=(program("1"),), doubts=doubts)
    found = features(("1",), voices._replace(understood=brought))
    guessed = {"guess": 1.0, "guessed": 3.0, "equal": 0.25, "unheard": 0.5, "strays": 1.0}
    assert {name: found[name] for name in (*guessed, "counted")} == {**guessed, "counted": 1.0}
    found = features(("Cy",), voices._replace(understood=brought))
    assert {found[name] for name in (*guessed, "counted")} == {0.0}


def test_answers_are_weighed_and_the_likeliest_is_first():
    understood = Understood((program("Cy", "Di"), program("Bo", score=1.0)), ())
    asked = replace(given("q", "Bo", 0.7), likeness=0.95)
    voices = Voices(asked, understood, ("Di", "Cy"))
    found = weigh(voices)
    expected = {}
    for objects in (("Cy", "Di"), ("Bo",)):
        logit = sum(SMALL[name] * x for name, x in features(objects, voices).items())
        expected[objects] = 1 / (1 + math.exp(-logit))
    assert [(one.objects, one.outcome) for one in found] == [
        (("Cy", "Di"), understood.candidates[0].outcome),
        (("Bo",), None),
    ]
    assert [one.probability for one in found] == pytest.approx([*expected.values()])
    assert found[0].probability > found[1].probability
    # What one alone says is no surer than that; what words decided is as sure as they are.
    sure = Voices(replace(given("q", "Bo", 0.99), by_words=True), Understood((), ()), ())
    assert [one.probability for one in weigh(sure)] == [0.99]
    # But not beside two names that nobody knows, nor where a number of them is asked for.
    strange = sure._replace(understood=Understood((), (), strange=3.0))
    many = sure._replace(answer=replace(given("How many q", "Bo", 0.99), by_words=True))
    assert all(one.probability < 0.99 for doubted in (strange, many) for one in weigh(doubted))
    unlike = replace(sure.answer, likeness=0.75)
    assert [one.probability for one in weigh(sure._replace(answer=unlike))] == [0.75]
    # Of names that may be others, and relations that are hardly said, the program may be right.
    certain = dict.fromkeys(SMALL, 0.0) | {"program": 5.0}
    alone = Voices(declined("q"), Understood((program("Cy", score=6.0),), ()), ())
    assert [one.probability for one in weigh(alone, certain)] == [ALONE]
    assert weigh(alone._replace(matched=("Cy",)), certain)[0].probability > ALONE
    rivals = Understood((program("Cy", score=0.7), program("Di", score=0.7)), ())
    later = Voices(replace(given("q", "Bo", 0.99), by_words=True), rivals, ("Bo",))
    beside = {one.objects: one.probability for one in weigh(later)}
    assert beside.keys() == {("Bo",), ("Cy",)}
    assert beside[("Bo",)] == pytest.approx(probability(features(("Bo",), later)))
    assert beside[("Cy",)] == pytest.approx(min(ALONE, probability(features(("Cy",), later))))


def test_what_the_names_lead_to_is_weighed_beside_what_is_understood(kb):
    """No program is understood, but Ada has one town, and two relations lead to Bo."""
    town = Possible(
        Path(Named(("Ada",)), ("town",)), Outcome(("Rome",), 1, ()), {"said": 3.0, "means": 0.0}
    )
    hit = {"backwards": 1.0, "means": 0.0}
    first, second = (
        Possible(Having(name, Named(("Bo",))), Outcome(("Ada", "Dan"), 2, ()), hit)
        for name in ("manager", "deputy")
    )
    voices = Voices(declined("q"), Understood((), ()), (), {"Dan": "Di"}, [town, first, second])
    weights = dict.fromkeys(POSSIBLE, 0.0) | {"none": math.log(2), "said": math.log(4) / 3}
    found = meant_of(voices, weights)
    assert [(one.objects, one.outcome) for one in found] == [
        (("Rome",), town.outcome),
        (("Ada", "Di"), first.outcome),
    ]
    assert [one.probability for one in found] == pytest.approx([4 / 8, 2 / 8])
    rome = features(("Rome",), voices, found)
    one = Candidate(town.program, 2.0, town.outcome)
    by_program = features(("Rome",), voices._replace(understood=Understood((one,), ())), found)
    assert by_program["single meant"] == pytest.approx(4 / 6)
    assert by_program["margin meant"] == pytest.approx(2.0 * math.log(4 / 6 + 0.01))
    expected = {"meant": 4 / 6, "other meant": 2 / 6, "not meant": 0.0, "only meant": 1.0}
    assert {name: rome[name] for name in expected} == pytest.approx(expected)
    assert rome["log meant"] == pytest.approx(math.log(4 / 6 + 0.01))
    assert rome["log likely"] == pytest.approx(math.log(4 / 8 + 0.01))
    certain = dict.fromkeys(SMALL, 0.0) | {"meant": 5.0}
    best = weigh(voices, certain, weights)[0]
    assert (best.objects, best.outcome, best.probability) == (("Rome",), town.outcome, ALONE)
    told = voices._replace(understood=Understood((), (), told=True))
    assert {one.probability for one in weigh(told, certain, weights)} == {TOLD}


def test_how_strongly_it_is_asked_for_is_weighed_too():
    path = Path(Named(("Ada",)), ("town",))
    near, again = (Possible(path, Outcome(("Rome",), 1, ()), {"means": x}) for x in (-2.0, 3.0))
    voices = Voices(declined("q"), Understood((), ()), (), {}, [near, again], large=True)
    found = meant_of(voices, dict.fromkeys(POSSIBLE, 0.0))
    assert features(("Rome",), voices, found)["means"] == 3.0
    assert features(("Bari",), voices, found)["means"] == 0.0
    surely = [Possible(path, Outcome(("Rome",), 1, ()), {"means": 99.0})]
    bounded = voices._replace(possible=surely)
    found = meant_of(bounded, dict.fromkeys(POSSIBLE, 0.0))
    assert features(("Rome",), bounded, found)["means"] == MOST_MEANS
    assert SMALL.keys() == LARGE.keys()
    assert POSSIBLE.keys() == POSSIBLE_BY_LARGE.keys()
    flat = dict.fromkeys(SMALL, 0.0)
    by_large = [one.probability for one in weigh(voices)]
    assert by_large == [one.probability for one in weigh(voices, LARGE, POSSIBLE_BY_LARGE)]
    assert by_large != [one.probability for one in weigh(voices, flat, POSSIBLE_BY_LARGE)]


def test_what_is_hardly_likely_is_not_told(kb, monkeypatch):
    asked = declined("Who is the manager of Ada?")
    monkeypatch.setattr(programs, "SLIGHT", 0.0)
    (other, likely), *_ = kb.weighed(asked).answer.runners_up
    assert other != "Bo"  # another thing that Ada leads to
    monkeypatch.setattr(programs, "SLIGHT", likely * 1.01)
    assert kb.weighed(asked).answer.runners_up == ()


def test_what_no_program_fits_stays_declined(kb):
    for question in (
        "Will it rain?",
        "Who is the manager of the manager of Bo?",  # nobody: the program gives nothing
    ):
        said = kb.weighed(declined(question))
        assert (said.text, said.objects) == (UNSURE, ())


def test_facts_that_differ_from_hop_to_hop_have_a_line_each(kb):
    said = kb.weighed(declined("Who is the manager of Ada's manager?"))
    names, facts, _ = evidence_table(said.answer).columns
    assert [str(cell) for cell in facts.cells] == ["Ada manager Bo", "Bo manager Cy"]
    assert "(1 fact read)" in str(next(iter(names.cells)))


def test_what_is_asked_and_not_read_and_what_does_not_fit_are_doubts(kb):
    def doubts(question: str, objects: str, unread: float = 0.0) -> tuple[float, float]:
        understood = kb.parser.parse(question)._replace(doubts=Doubts(unread=unread))
        found = features((objects,), Voices(given(question, objects), understood, ()))
        return found["unread"], found["unfit"]

    assert doubts("Who is the manager of Ada?", "Bo") == (0, 0)
    assert doubts("Who is the manager of Ada?", "Bo", unread=0.6) == (0.6, 0)
    assert doubts("Who is the manager of Ada?", "Rome", unread=0.6) == (0, 0)  # no program's
    assert doubts("When is the manager of Ada?", "Bo") == (0, 1)


def test_every_feature_has_a_weight(kb):
    asked = given("Who is the manager of Ada?", "Bo")
    question = asked.answer.question
    voices = Voices(asked, kb.parser.parse(question), kb.matcher.ask(question))
    found = features(("Bo",), voices)
    assert found.keys() == SMALL.keys()
