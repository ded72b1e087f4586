"""The weights that come with the package are those that the repository's questions teach."""

from pathlib import Path

import pytest

from memnets.kb.documents.reranking import LEARNT
from memnets.studies.documents.asking import learn
from tools import reranking
from tools.reranking import DIGITS, heard_of, main

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "documents"


@pytest.fixture(scope="module")
def heard():
    return heard_of(FOLDER)


def test_the_weights_are_learnt_from_the_questions(heard):
    learnt = learn(heard)
    assert list(learnt) == pytest.approx(list(LEARNT.weights), abs=10**-DIGITS)


def test_what_is_printed_may_be_put_into_the_package(heard, monkeypatch, capsys):
    monkeypatch.setattr(reranking, "DECAYS", ())
    monkeypatch.setattr(reranking, "heard_of", lambda folder: heard)
    main()
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("185 questions; BM25 alone top 1 0.")
    assert lines[-len(LEARNT.weights)] == f"score={LEARNT.weights.score},"
