"""The task of recall: its order, its loss, what it reports, and that it can be learnt."""

import math
from itertools import islice

import pytest
import torch
from torch import nn
from torch.testing import assert_close

from memnets.data.worlds.recall import Episodes, NextItem, Rewritten, Stream, Zoned
from memnets.experiments.configs.cran import CRANCore
from memnets.experiments.execute import start
from memnets.layers.zone_choice import TopZones
from memnets.models.recall import Recall, Recalled
from memnets.studies.recall import task as task_module
from memnets.studies.recall.inference import ask, examples, read_windows
from memnets.studies.recall.recipes import CRANRecall, RecallTraining
from memnets.studies.recall.task import RecallTask, fingerprint
from memnets.training.task import fold_in

STREAM = Stream(keys=67, values=5, longest=31, window=11, unique=31)
EPISODES = Episodes(keys=23, values=5, pairs=7)
MEMORY = Zoned(3, 5)


@pytest.fixture(autouse=True)
def _soon_settled(monkeypatch):
    monkeypatch.setattr(task_module, "SETTLING", 20)


class PerfectReader(nn.Module):
    """Knows what every key was last told, for so many steps; guesses value 0 otherwise."""

    def __init__(self, world, reach: int) -> None:
        super().__init__()
        self.world, self.reach, self.core = world, reach, None

    def forward(self, keys, values, state):
        rows = [dict(row) for row in state[0]] if state else [{} for _ in keys]
        first = state[1] if state else 0
        logits = torch.zeros(*keys.shape, self.world.answers)
        for row, known in enumerate(rows):
            for time in range(keys.shape[1]):
                key, value, step = int(keys[row, time]), int(values[row, time]), first + time
                if value < self.world.values:
                    known[key] = step, value
                elif key in known and step - known[key][0] <= self.reach:
                    logits[row, time, known[key][1]] = 9.0
                else:
                    logits[row, time, 0] = 9.0
        return Recalled(logits, (rows, first + keys.shape[1]))


def cran(world, **parts):
    core = CRANCore(hidden=7, key_dim=5, zones=3, slots=5, k=2, **parts).build(5)
    return Recall(core, world.keys, world.values, world.answers, dim=5, hidden=7)


def task_of(world, model, counted=3, memory=MEMORY, **worlds):
    splits = dict.fromkeys(("train", "valid", "test"), world) | worlds
    init_state = getattr(model.core, "init_state", lambda rows: ())
    return RecallTask(
        splits,
        init_state,
        batch=13,
        memory=memory,
        counted=dict.fromkeys(("valid", "test", "cliff"), counted),
    )


def seeded(seed: int) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


@pytest.mark.parametrize("world", [STREAM, EPISODES], ids=lambda world: world.task)
def test_the_stream_goes_on_from_any_batch(world):
    task = task_of(world, cran(world))
    used = seeded(5)
    torch.rand(3, generator=used)
    whole = list(islice(task.batches("train", seeded(5), 0), 9))
    for position in (1, 4, 8):
        came = next(task.batches("train", used, position))
        assert all(torch.equal(e, c) for e, c in zip(whole[position], came, strict=True))
    other = next(task.batches("train", seeded(6), 0))
    assert not torch.equal(whole[0][0], other[0])
    # A generator as the loop forks them has a seed of 64 bits.
    assert len(next(task.batches("train", fold_in(seeded(5), 0, 0), 0))) == 4


def test_the_loss_is_that_of_the_questions_alone():
    model = cran(STREAM)
    task = task_of(STREAM, model)
    state = task.start("train", next(task.batches("train", seeded(5), 0)))
    for batch in islice(task.batches("train", seeded(5), 0), 3):
        keys, values, answers, lags = batch
        step = task.loss(model, batch, state, seeded(0))
        reply = model(keys, values, state)
        losses = [
            -reply.logits[row, time].log_softmax(-1)[answers[row, time]]
            for row, time in (lags > 0).nonzero().tolist()
        ]
        right = reply.logits.argmax(-1)[lags > 0] == answers[lags > 0]
        assert step.weight == len(losses)
        assert_close(step.loss_sum, torch.stack(losses).sum())
        assert step.sums["accuracy"] == right.sum()
        assert_close(step.state, reply.state)
        state = step.state.detach()
    assert (state.written == 33).all()


def test_episodes_carry_nothing():
    model = cran(EPISODES)
    task = task_of(EPISODES, model)
    batch = next(task.batches("train", seeded(5), 0))
    assert task.start("train", batch) == ()
    assert task.loss(model, batch, (), seeded(0)).state == ()


def test_a_reader_that_forgets_nothing_is_always_right():
    model = PerfectReader(STREAM, reach=10_000)
    ratios = task_of(STREAM, model).evaluate(model, "test")
    assert ratios["accuracy"].mean == ratios["accuracy_beyond"].mean == 1.0
    assert ratios["loss"].mean < 0.01
    assert {f"recall/{lag}" for lag in range(2, 32)} == {
        name for name in ratios if name.startswith("recall/")
    }
    assert math.isnan(ratios["gold_read"].mean)
    assert ratios["young/0"].mean == ratios["young/110"].mean == 1.0
    assert "young/220" not in ratios
    assert ratios["young/110"].weight > 3 * ratios["accuracy"].weight
    parts = [ratios[f"accuracy{part}"].weight for part in ("_near", "_beyond")]
    assert (
        sum(parts)
        == ratios["accuracy"].weight
        == sum(ratio.weight for name, ratio in ratios.items() if name.startswith("recall/"))
    )


def test_the_batches_before_a_stream_has_settled_count_nowhere(monkeypatch):
    """As many questions of each test as its counted batches have."""
    monkeypatch.setattr("memnets.studies.recall.task.SETTLING", 10)
    model = PerfectReader(STREAM, reach=10_000)
    ratios = task_of(STREAM, model, cliff=STREAM).evaluate(model, "test")
    for name, seed in (("recall", 2_000_003), ("cliff", 3_000_017)):
        counted = islice(STREAM.batches(seed, 13), 10, 13)
        weights = [ratio.weight for key, ratio in ratios.items() if key.startswith(f"{name}/")]
        assert sum(weights) == sum(int(steps.asked.sum()) for steps in counted)


def test_a_reader_that_forgets_is_right_as_far_as_it_reaches():
    model = PerfectReader(STREAM, reach=17)
    cliff = Stream(keys=67, values=5, longest=41, window=11, unique=41, once=True)
    ratios = task_of(STREAM, model, cliff=cliff, counted=40).evaluate(model, "test")
    for kind in ("recall", "cliff"):
        assert all(ratios[f"{kind}/{lag}"].mean == 1.0 for lag in range(2, 18))
        assert all(ratios[f"{kind}/{lag}"].mean < 0.6 for lag in range(18, 32))
    assert ratios["accuracy_near"].mean == 1.0
    assert 0.3 < ratios["accuracy_beyond"].mean < 0.8
    assert "cliff/41" in ratios
    assert ratios["ceiling_near"].mean == 1.0
    assert ratios["ceiling_beyond"].mean < 1.0


def test_evaluation_says_what_was_read():
    """Weights all on the slot told, then all on another: the metrics follow."""
    model = cran(STREAM)
    task = task_of(STREAM, model)
    trace = model.core.trace

    def reading(shift):
        def traced(x, state):
            told = torch.from_numpy(shown.pop(0)) + shift
            true = trace(x, state)
            hit = true.steps == told[..., None, None]
            return true._replace(zones=hit.any(-1).float(), slots=hit.float())

        return traced

    world = task.worlds["valid"]
    every = list(islice(world.batches(1_000_003, 13), 23))
    for shift in (0, -1):
        shown = [steps.told for steps in every[-5:]]
        model.core.trace = reading(shift)
        ratios = task.evaluate(model, "valid")
        if shift == 0:
            assert 0.3 < ratios["gold_read"].mean < 0.7  # up to 31 steps back, of which 11 to 15
            assert ratios["gold_zone"].mean == ratios["gold_read"].mean
        else:
            assert ratios["gold_read"].mean == 0.0
            assert 0.2 < ratios["gold_zone"].mean < 0.7


def test_what_was_read_is_told_alike_of_a_blank_memory():
    """The zone that told is among the chosen as often where all are read, blank ones or not."""
    ratios = []
    for blank in (False, True):
        model = cran(EPISODES, choice="top", blank=blank)
        model.core.cell.choice = TopZones(3)
        ratios.append(task_of(EPISODES, model).evaluate(model, "valid"))
    assert 0.9 < ratios[0]["gold_zone"].mean <= 1  # 14 steps of 15 that are remembered
    assert ratios[1]["gold_zone"] == ratios[0]["gold_zone"]
    assert ratios[1]["gold_read"].mean > 0


def test_zones_that_nothing_was_written_to_are_no_evidence():
    model, told = cran(EPISODES, blank=True), ["k3 v1", "k4 v2", "v1", "k22"]
    answer = ask(model, EPISODES, told, "k3?")
    assert [support.text for support in answer.steps[0].supports] == told
    assert [support.slot for support in answer.steps[0].supports] == [0, 1, 2, 3]
    for text in read_windows(model, EPISODES, "test"):
        assert text.first == 0
        assert not text.before.any()
        assert int(text.steps.max()) == len(text.words) - 2
    streaming = cran(STREAM, blank=True)
    assert len(list(islice(examples(streaming, STREAM, "test"), 3))) == 3


@pytest.mark.parametrize("world", [EPISODES, NextItem(), Rewritten()], ids=lambda world: world.task)
def test_every_world_can_be_evaluated(world):
    model = cran(world)
    ratios = task_of(world, model).evaluate(model, "test")
    assert ("young/0" in ratios) == world.carried
    assert 0 <= ratios["gold_read"].mean <= ratios["gold_zone"].mean <= 1
    assert ratios["accuracy"].mean <= 1
    assert ratios["ceiling"].mean > world.chance


def test_fingerprints_tell_worlds_apart():
    prints = {fingerprint(world) for world in (EPISODES, STREAM, NextItem(), Rewritten(), Stream())}
    assert len(prints) == 5
    assert fingerprint(Episodes(keys=23, values=5, pairs=7)) == fingerprint(EPISODES)


def test_asking_names_answer_and_evidence():
    model = cran(EPISODES)
    answer = ask(model, EPISODES, ["k3 v1", "k4 v2", "v1", "k22"], "k3?")
    assert answer.question == "k3"
    assert answer.text in {f"v{value}" for value in range(5)}
    assert [support.text for support in answer.steps[0].supports] == ["k3 v1", "k4 v2", "v1", "k22"]
    assert 0 < sum(support.weight for support in answer.steps[0].supports) <= 1.00001
    assert answer.gold is None


@pytest.mark.parametrize("world", [EPISODES, STREAM], ids=lambda world: world.task)
def test_examples_know_what_is_gold(world):
    model = cran(world)
    for answer in islice(examples(model, world, "test"), 3):
        golden = [s for s in answer.steps[0].supports if s.gold]
        assert len(golden) <= 1
        for support in golden:
            assert support.text == f"{answer.question} {answer.gold}"


@pytest.mark.parametrize(
    ("told", "question", "text"),
    [
        (["k3 w1"], "k3", r"'k3 w1' is no step: expected a key and a value, such as k12 v3"),
        (["k3 v1"], "", r"'' is no step"),
        (["k23 v1"], "k3", r"'k23 v1': there is no key 23; expected 0 to 22"),
        (["k3 v5"], "k3", r"'k3 v5': there is no value 5; expected 0 to 4"),
    ],
)
def test_what_is_no_step_is_refused(told, question, text):
    with pytest.raises(ValueError, match=text):
        ask(cran(EPISODES), EPISODES, told, question)


@pytest.mark.slow
def test_a_small_episode_task_is_learnt():
    world = Episodes(keys=23, values=5, pairs=5)
    torch.manual_seed(3)
    core = CRANCore(hidden=32, key_dim=32, zones=3, slots=5, k=3).build(32)
    model = Recall(core, 23, 5, 5, dim=32, hidden=32)
    task = task_of(world, model, memory=Zoned(3, 5), counted=20)
    adam = torch.optim.Adam(model.parameters(), 5e-3)
    task.batch = 32
    for update, batch in enumerate(islice(task.batches("train", seeded(5), 0), 300)):
        step = task.loss(model, batch, (), seeded(0))
        adam.param_groups[0]["lr"] = 5e-3 * min(1, (update + 1) / 50, (301 - update) / 100)
        adam.zero_grad()
        (step.loss_sum / step.weight).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        adam.step()
    ratios = task.evaluate(model, "test")
    assert ratios["accuracy"].mean >= 0.95
    assert ratios["gold_read"].mean >= 0.9


@pytest.mark.slow
def test_a_stream_is_recalled_beyond_the_window_and_not_beyond_the_memory(tmp_path):
    """40 steps are remembered, the gradient goes through 20: CRAN's promise, and its limit."""
    run = CRANRecall(training=RecallTraining(updates=1500))
    test = start(run, tmp_path / "run")["metrics"]["test"]
    assert test["accuracy_beyond"] >= 0.9
    cliff = {lag: test[f"cliff/{lag}"] for lag in range(2, 81)}
    assert min(cliff[lag] for lag in range(2, 31)) > 0.85
    later = [cliff[lag] for lag in range(41, 81)]
    assert sum(later) / len(later) == pytest.approx(1 / 8, abs=0.03)
