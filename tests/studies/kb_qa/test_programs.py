"""Questions of several facts take a program where one fact did not answer."""

from dataclasses import replace

import pytest

from memnets.cli.tables import evidence_table
from memnets.evidence import Answer, Step, Support
from memnets.kb.linking.opened import open_names
from memnets.kb.programs.parsing import Doubts, Parser
from memnets.kb.questions.matching import StringMatcher
from memnets.kb.store.store import Store, build
from memnets.studies.kb_qa.inference import UNSURE, KBAnswer
from memnets.studies.kb_qa.programs import with_programs
from memnets.studies.kb_qa.weighing import LEAST, WEIGHTS, Voices, features

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
    said = kb.weighed(asked)
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


def test_weak_evidence_is_no_answer(kb):
    asked = given("Why did Ada buy purple shoes in Paris?", "Bo", 0.3)
    said = kb.weighed(asked)
    assert said.declined
    assert (said.text, said.objects) == (UNSURE, ())
    assert said.answer.runners_up[0][0] == "Bo"
    assert said.probability == pytest.approx(1 - said.answer.runners_up[0][1])


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
        understood = replace(kb.parser.parse(question), doubts=Doubts(unread=unread))
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
    assert found.keys() == WEIGHTS.keys()
