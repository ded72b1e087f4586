"""A memory network whose R is a classifier of scikit-learn, where that is installed."""

import importlib
from pathlib import Path

import pytest

from memnets.data.babi.generate import make_stories

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture
def script(monkeypatch):
    monkeypatch.syspath_prepend(str(EXAMPLES))
    return importlib.import_module("answer_with_a_classifier")


def test_the_memory_empties_what_is_superseded(script):
    class Recite:
        """Stands where a classifier is fitted: answers with the last word found."""

        def predict(self, bags):
            return [[key for key in bag if key.startswith("found ")][-1].split()[1] for bag in bags]

    answerer = script.network(Recite())
    memory = answerer.tell((), "Mary is here.", "John is there.", "Mary is off.")
    assert memory == ((), ("john", "is", "there"), ("mary", "is", "off"))
    assert answerer.ask(memory, "Where is Mary?").response == "off"
    assert script.accuracy(answerer, list(make_stories(1, 50, 0, "test"))) == 1.0


def test_a_decision_tree_answers_from_its_support(script, capsys):
    pytest.importorskip("sklearn")
    assert script.main(questions=300) == 1.0
    shown = capsys.readouterr().out
    assert "slot 0: (superseded)" in shown
    assert "Where is Mary? office, from slot 2" in shown
