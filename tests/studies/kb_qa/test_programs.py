"""Questions of several facts take a program where one fact did not answer."""

from dataclasses import replace
from unittest.mock import Mock

import pytest

from memnets.cli.tables import evidence_table
from memnets.evidence import Answer, Step, Support
from memnets.kb.linking.opened import open_names
from memnets.kb.programs.parsing import Parser
from memnets.kb.programs.possible import Possibilities
from memnets.kb.programs.understood import Understood
from memnets.kb.questions.matching import StringMatcher
from memnets.kb.store.store import Store, build
from memnets.studies.kb_qa import programs
from memnets.studies.kb_qa.inference import UNSURE, KBAnswer, called
from memnets.studies.kb_qa.programs import voices_of, with_programs
from memnets.studies.kb_qa.weighing import LEAST, Weighed, weigh

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


def test_what_strings_alone_match_may_be_answered(monkeypatch):
    both = told("Rome", "Bari")
    asked = declined("town?")
    monkeypatch.setattr(programs, "weigh", lambda voices: [Weighed(voices.matched, 0.6)])
    said = with_programs(asked, *both)
    assert (said.text, said.objects) == ("Rome, Bari", ("Rome", "Bari"))
    assert (said.probability, said.answer.runners_up) == (0.6, ())
    monkeypatch.undo()
    assert with_programs(asked, *told()) is asked


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
        "Who is the manager of Cy?",  # nobody: the program gives nothing
        "Who is the manager of the manager of Bo?",
    ):
        said = kb.weighed(declined(question))
        assert (said.text, said.objects) == (UNSURE, ())


def test_facts_that_differ_from_hop_to_hop_have_a_line_each(kb):
    said = kb.weighed(declined("Who is the manager of Ada's manager?"))
    names, facts, _ = evidence_table(said.answer).columns
    assert [str(cell) for cell in facts.cells] == ["Ada manager Bo", "Bo manager Cy"]
    assert "(1 fact read)" in str(next(iter(names.cells)))
