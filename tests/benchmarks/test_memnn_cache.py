"""The benchmark of MemNN's cache, on tiny memories."""

import importlib
import itertools
from pathlib import Path

import pytest
import torch

from memnets import results

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
TEXTS = ["mary went home", "john took the milk", "the milk was sour"]


@pytest.fixture
def bench(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module("memnn_cache")


@pytest.mark.slow
def test_every_size_has_a_row_for_each_way_to_do_without(bench, tmp_path):
    bench.main(["--sizes", "3", "5", "--repeats", "7", "--results", str(tmp_path)])
    rows = results.read(tmp_path / "bench-memnn-cache.json").rows
    assert [(row.row, row.baseline_name) for row in rows] == [
        ("3 texts, texts numbered and embedded anew", "texts numbered and embedded anew"),
        ("3 texts, bags embedded anew", "bags embedded anew"),
        ("5 texts, texts numbered and embedded anew", "texts numbered and embedded anew"),
        ("5 texts, bags embedded anew", "bags embedded anew"),
    ]
    assert {row.metric for row in rows} == {"time of an answer (ms)"}
    assert all("written once in" in row.note for row in rows)


def test_the_best_text_is_that_of_the_highest_score(bench):
    scorer = bench.Scorer(TEXTS, dim=5)
    with torch.no_grad():
        scorer.match.features.weight.normal_()
        vectors = scorer.embed(TEXTS)
        asked = scorer.embed_bags(scorer.number(["who took the milk"]), bench.QUESTION)
        scores = [float(asked[0] @ vector) for vector in vectors]
        assert scorer.best("who took the milk", vectors) == scores.index(max(scores))


def test_another_text_is_no_match(bench, monkeypatch):
    numbers = itertools.count()
    monkeypatch.setattr(bench.Scorer, "best", lambda *_: next(numbers))
    with pytest.raises(ValueError, match="our output differs from that of texts numbered"):
        list(bench.rows(7, bench.Options()))


def test_an_unknown_word_is_nil(bench):
    scorer = bench.Scorer(TEXTS, dim=5)
    assert scorer.number(["the moon", "sour milk went"]).tolist() == [[6, 0, 0], [9, 7, 2]]


def test_a_question_is_about_one_of_the_texts(bench):
    texts, question = bench.told(31)
    assert len(texts) == 31
    assert question.startswith("what ")
    assert any(set(question.split()) & set(text.split()) for text in texts)
