"""The hashing experiment, on a tiny world."""

import dataclasses
import importlib.util
from pathlib import Path

import numpy as np
import pytest
import torch

from memnets import results

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "hashing_a_million.py"
TINY = {
    "statements": 211,
    "names": 31,
    "words": 23,
    "relations": 3,
    "train": 53,
    "asked": 19,
    "updates": 5,
    "batch": 7,
    "rivals": 6,
    "dim": 11,
    "clusters": 13,
    "max_df": 60,
}


@pytest.fixture(scope="module")
def example():
    spec = importlib.util.spec_from_file_location("hashing_a_million", EXAMPLE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def words_of(options, folder):
    fields = {name.replace("_", "-"): value for name, value in options.items()}
    words = [word for name, value in fields.items() for word in (f"--{name}", f"{value}")]
    return [*words, "--results", f"{folder}", "--parts", f"{folder / 'parts'}"]


@pytest.fixture(scope="module")
def written(example, tmp_path_factory):
    """The folder of a tiny run of two seeds."""
    folder = tmp_path_factory.mktemp("hashing")
    example.main([*words_of(TINY, folder), "--seeds", "0", "1"])
    return folder


def test_a_tiny_run_writes_a_row_for_each_way_and_figure(written):
    rows = results.read(written / "hashing-a-million.json").rows
    ways = ["no hashing", "word hashing", "cluster hashing"]
    assert list(dict.fromkeys(row.row for row in rows)) == ways
    figures = {(row.row, row.metric): row.measured for row in rows}
    assert len(figures) == len(rows) == 12
    assert {row.seeds for row in rows} == {(0, 1)}
    assert figures["no hashing", "supports kept"] == 100
    assert figures["no hashing", "candidates of a question"] == 211
    assert figures["no hashing", "speed-up"] == 1
    _, word, cluster = (figures[way, "candidates of a question"] for way in ways)
    assert 0 < word < cluster <= 211


def test_what_a_seed_measured_is_kept(example, written, monkeypatch):
    monkeypatch.setattr(example, "one_world", lambda *_: pytest.fail("measured again"))
    example.main([*words_of(TINY, written), "--seeds", "1"])
    assert results.read(written / "hashing-a-million.json").rows[0].seeds == (1,)


def test_a_seed_measured_with_other_options_is_refused(example, written):
    other = words_of({**TINY, "clusters": 7}, written)
    with pytest.raises(
        ValueError, match=r"0\.json: seed 0 .*'clusters': 13.*'clusters': 7.*Remove"
    ):
        example.main([*other, "--seeds", "0"])


@pytest.fixture(scope="module")
def memory(example, tmp_path_factory):
    world = example.StatementWorld(211, 0, 31, 23, 3)
    questions = world.questions(53, seed=1, renamed=0.3)
    folder = tmp_path_factory.mktemp("memory") / "words"
    return world, questions, example.remember(world, questions, 60, folder)


def test_statements_are_read_without_their_objects(memory):
    world, _, memory = memory
    for statement, bag in zip(world.triples(), memory.bags.tolist(), strict=True):
        words = [memory.numbers[word] for word in statement.subject + statement.relation]
        assert [word for word in bag if word] == words


def test_words_that_only_questions_use_come_last(memory):
    world, questions, memory = memory
    told = {word for one in world.triples() for word in one.subject + one.relation}
    asked = {word for question in questions for word in question.words}
    assert set(list(memory.numbers)[: memory.told]) == told
    assert set(list(memory.numbers)[memory.told :]) == asked - told


def test_shared_words_are_counted(example):
    questions = torch.randint(0, 7, (5, 3))
    statements = torch.randint(0, 11, (13, 4))
    expected = [
        [sum(a == b != 0 for a in asked for b in told) for told in statements.tolist()]
        for asked in questions.tolist()
    ]
    assert example.shared(questions, statements).tolist() == expected


def test_the_index_counts_the_same_matches(example, memory):
    _, questions, memory = memory
    for question in questions[:7]:
        rare = example.rarer(question, memory)
        counted = example.exact_matches(question, memory).tolist()
        told = [set(bag) for bag in memory.bags.tolist()]
        assert counted == [sum(word in bag for word in rare) for bag in told]
    frequent = {word for word in memory.numbers if memory.lookup.frequency(word) >= 60}
    asked = {word for question in questions for word in question.words}
    assert frequent & asked  # and these are in no count


def test_hashing_gives_the_answer_of_all_slots_where_its_winner_is_a_candidate(example, memory):
    """(e): the same best slot, whatever else the candidates are."""
    _, questions, memory = memory
    table = torch.randn(len(memory.numbers) + 1, 2, 5)
    slots = example.embed(memory.bags, table, example.STATEMENT)
    rng = np.random.default_rng(0)
    for question in questions[:11]:
        scores = example.score([question], memory.bags, memory, table, 0.7)[0]
        best = int(scores.argmax())
        chosen = np.union1d(rng.permutation(211)[:23], [best]).astype(np.int32)
        asked = dataclasses.replace(question, supports=(best,))
        found = example.answer([asked], lambda _, c=chosen: c, slots, memory, table, 0.7)
        assert (found.accuracy, found.recall, found.kept) == (100, 100, len(chosen))


def test_rivals_are_alike(example, memory):
    _, questions, memory = memory
    for question in questions[:11]:
        drawn = example.with_rivals(question, memory, 6, np.random.default_rng(0))
        assert drawn[0] == question.supports[0]
        assert len(drawn) == 1 + 6
        alike = memory.lookup.candidates(question.words, memory.rule)
        assert set(drawn[1:].tolist()) <= set(alike.tolist())
