"""Questions of several facts take a program where one fact did not answer."""

import pytest

from memnets.cli.tables import evidence_table
from memnets.evidence import Answer, Step, Support
from memnets.kb.linking.opened import open_names
from memnets.kb.programs.parsing import Parser
from memnets.kb.store.store import Store, build
from memnets.studies.kb_qa.inference import UNSURE, KBAnswer
from memnets.studies.kb_qa.programs import SURE, by_program

FACTS = [
    *(("Ada", "manager", "Bo"), ("Bo", "manager", "Cy"), ("Dan", "manager", "Bo")),
    *(("Ada", "town", "Rome"), ("Bo", "town", "Bari"), ("Cy", "town", "Rome")),
]


@pytest.fixture(scope="module")
def parser(tmp_path_factory):
    folder = tmp_path_factory.mktemp("programs") / "kb"
    build(FACTS, folder)
    store = Store.open(folder)
    return Parser(store, open_names(store))


def declined(question: str, *unknown: str) -> KBAnswer:
    steps = (Step("hop 1", (Support(0, "nothing", 1.0),)),)
    answer = Answer(question, UNSURE, 0.9, (("Bo", 0.1),), steps, unknown_words=unknown)
    return KBAnswer(answer, (), (), ())


def test_a_program_answers_what_one_fact_did_not(parser):
    asked = declined("Who is the manager of Ada's manager?", "manager", "nonsense")
    said = by_program(asked, parser)
    assert (said.text, said.objects, said.probability) == ("Cy", ("Cy",), SURE)
    assert [step.supports[0].text for step in said.answer.steps] == [
        "Ada manager Bo",
        "Bo manager Cy",
    ]
    assert said.answer.runners_up == ()
    assert said.answer.unknown_words == ("nonsense",)
    assert by_program(declined("How many people are in Rome?"), parser).objects == ("2",)


def test_what_was_answered_stays_and_so_does_what_no_program_fits(parser):
    given = KBAnswer(declined("Who is the manager of Ada's manager?").answer, ("Bo",), (), ())
    assert by_program(given, parser) is given
    for question in (
        "Will it rain?",
        "What is Ada's town?",  # one fact: the model has looked at it
        "Who is the manager of the manager of Bo?",  # nobody: the program gives nothing
    ):
        asked = declined(question)
        assert by_program(asked, parser) is asked


def test_facts_that_differ_from_hop_to_hop_have_a_line_each(parser):
    said = by_program(declined("Who is the manager of Ada's manager?"), parser)
    names, facts, _ = evidence_table(said.answer).columns
    assert [str(cell) for cell in facts.cells] == ["Ada manager Bo", "Bo manager Cy"]
    assert "(1 fact read)" in str(next(iter(names.cells)))
