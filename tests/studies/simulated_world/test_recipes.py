"""The simulated world as a run: its stories, its readers, and what a trained one says."""

from dataclasses import replace
from itertools import islice

import pytest

from judging import check_judged, check_like_asked
from memnets.data.babi import write_stories
from memnets.data.worlds.simulated import Simulation
from memnets.experiments.execute import start
from memnets.experiments.run import from_json, to_json
from memnets.inference import open_run
from memnets.studies.simulated_world.recipes import (
    MemNNReader,
    RecurrentReader,
    SimulatedWorld,
    lstm,
    memnn,
    rnn,
)
from memnets.training.config import Loop

SMALL = Simulation("actor without before", 1, stories=61, statements=7, questions=3)


@pytest.mark.parametrize("kind", ["rnn", "lstm"])
def test_a_recurrent_reader_learns_to_name_the_last_place(kind, tmp_path):
    reader = RecurrentReader(kind, dim=23, hidden=29, epochs=30, learning_rate=0.01)
    run = SimulatedWorld(data=SMALL, reader=reader)
    metrics = start(run, tmp_path / "run")["metrics"]
    assert metrics["test"]["accuracy"] > 0.95
    answerer = open_run(tmp_path / "run").run.restore(tmp_path / "run")
    answer = answerer.ask(["Joe went to the office.", "Bilbo went to the garden."], "Where is Dan?")
    assert (answer.text, answer.steps, answer.unknown_words) == ("garden", (), ("bilbo",))
    assert answer.probability > sum(probability for _, probability in answer.runners_up)
    examples = list(islice(answerer.examples("test", 0), 19))
    assert sum(found.correct for found in examples) > 16
    assert answerer.ask(examples[0].given, examples[0].question).text == examples[0].text
    write_stories(tmp_path / "all.txt", answerer.world.test)
    check_judged(answerer, tmp_path / "all.txt", metrics["test"])


def test_every_seed_has_stories_of_its_own():
    first, second = (SimulatedWorld(data=SMALL, loop=Loop(seed=seed)).world() for seed in (0, 1))
    assert [len(part) for part in first] == [61, 6, 61]
    assert first.train != second.train
    assert first.train != first.test


def test_the_record_names_the_simulation():
    record = SimulatedWorld(data=SMALL).prepare().data
    assert record.name.startswith("simulated world, generated asks=actor without before, diff")
    assert record.sha256 != SimulatedWorld(data=replace(SMALL, stories=29)).prepare().data.sha256


def test_the_readers_are_told_apart_in_a_record():
    for run in (rnn(), lstm(), memnn()):
        assert from_json(SimulatedWorld, to_json(run), "run.json") == run


def test_a_size_of_zero_is_refused():
    with pytest.raises(ValueError, match=r"reader\.hidden is 0: .* Pass --reader\.hidden 1"):
        RecurrentReader(hidden=0)


@pytest.mark.parametrize("difficulty", [1, 5])
@pytest.mark.slow
def test_two_supports_and_time_solve_what_one_without_time_cannot(difficulty, tmp_path):
    world = Simulation("actor and object", difficulty, (), 41, 29, 13)
    error = {}
    for hops, time in ((2, True), (1, False)):
        reader = MemNNReader()
        reader = replace(reader, model=replace(reader.model, hops=hops, time=time))
        run = SimulatedWorld(data=world, reader=reader)
        folder = tmp_path / f"{hops}"
        error[hops] = 1 - start(run, folder)["metrics"]["test"]["accuracy"]
    assert error[2] < 0.15  # below 0.01 where all 100 stories are learnt from
    assert error[1] > 0.5


def test_memnn_shows_its_supports_in_order(tmp_path):
    run = SimulatedWorld(data=replace(SMALL, asks="actor and object"))
    start(run, tmp_path / "run")
    answerer = open_run(tmp_path / "run").run.restore(tmp_path / "run")
    told = ["Joe went to the office.", "Fred went to the garden.", "Joe took the milk there."]
    answer = answerer.ask(told, "Where is the milk?")
    assert answer.text == "office"
    assert [step.most_read.slot for step in answer.steps] == [2, 0]
    example = next(answerer.examples("test", 0))
    assert example.gold in ("kitchen", "office", "bathroom", "garden", "bedroom")
    assert any(support.gold for support in example.steps[0].supports)
    write_stories(tmp_path / "all.txt", answerer.world.test)
    judged = check_judged(answerer, tmp_path / "all.txt", answerer.metrics["test"]).judged
    check_like_asked(judged[:7], islice(answerer.examples("test", 0), 7))


@pytest.mark.slow
def test_names_never_seen_are_answered_by_their_contexts(tmp_path):
    world = Simulation("actor", 5, ("places",), stories=29, statements=23, questions=11)
    right = {}
    for dropout, exact_match in ((0.0, 0.0), (0.5, 5.0)):
        reader = MemNNReader(word_dropout=dropout)
        reader = replace(reader, model=replace(reader.model, exact_match=exact_match))
        run = SimulatedWorld(data=world, reader=reader)
        folder = tmp_path / f"{dropout}"
        right[dropout] = start(run, folder)["metrics"]["test"]["accuracy"]
    assert right[0.0] == 0.0  # the answer is a word that it cannot say
    assert right[0.5] > 0.3
    answerer = open_run(folder).run.restore(folder)
    told = ["Joe went to the shire.", "Dan journeyed to the garden."]
    answer = answerer.ask(told, "Where is Joe?")
    assert (answer.text, answer.unknown_words) == ("shire", ())
    assert answer.steps[0].most_read.slot == 0
    write_stories(tmp_path / "all.txt", answerer.world.test)
    check_judged(answerer, tmp_path / "all.txt", answerer.metrics["test"])


@pytest.mark.parametrize("dropout", [-0.1, 1.0])
def test_a_dropout_that_is_no_share_is_refused(dropout):
    with pytest.raises(ValueError, match=rf"reader\.word_dropout is {dropout}: expected a share"):
        MemNNReader(word_dropout=dropout)
