"""Turing machines on sequences: as runs, asked, and as tables, on a few short sequences."""

from dataclasses import fields
from types import SimpleNamespace
from unittest.mock import Mock

import numpy as np
import pytest
import torch

import memnets
from memnets.attention import (
    Additive,
    Cosine,
    Dot,
    General,
    KeyStrengthCosine,
    ScaledDot,
)
from memnets.cli.main import main
from memnets.data.sequences import PROBLEMS, Drawn, line_of, written
from memnets.data.sequences.written import FORMS
from memnets.experiments.configs.ntm import BesideCore, ContentCore, NTMCore
from memnets.memories.external import ControlledMemory
from memnets.models.sequences import SequenceModel
from memnets.studies import recipe, table
from memnets.studies.sequences.data import SequencesData, digest
from memnets.studies.sequences.inference import answer, one_of
from memnets.studies.sequences.recipes import (
    RECIPES,
    ContentSequences,
    LSTMSequences,
    NTMSequences,
    SequencesAnswerer,
    SequencesTraining,
)
from memnets.studies.sequences.task import SequencesTask
from memnets.training.clipping import EachNumber
from memnets.training.rmsprop import GravesRMSProp

pytestmark = pytest.mark.usefixtures("shapes_unchecked")
SMALL = {
    "core.hidden": 6,
    "core.slots": 5,
    "core.width": 4,
    "training.batch": 3,
    "training.updates": 2,
    "data.most": 3,
    "data.tested": (4,),
    "data.sequences": 4,
}


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "copy"
    return memnets.train("ntm/copy", SMALL, out=folder, show=False)


def changed(kind, /, **values):
    """Return a configuration of which every field is told, and is not the usual one."""
    usual = kind()
    assert values.keys() == {field.name for field in fields(kind)}
    assert not [name for name, value in values.items() if value == getattr(usual, name)]
    return kind(**values)


def test_every_setting_reaches_what_is_trained():
    data = changed(
        SequencesData, problem="repeat-copy", least=2, most=3, times=4, tested=(5,), sequences=3
    )
    training = changed(
        SequencesTraining,
        **{"optimizer": "adam", "batch": 7, "updates": 8, "learning_rate": 0.5, "clip": 3.0},
        evaluate_every=3,
        curriculum=2,
    )
    core = changed(
        NTMCore,
        **{"hidden": 6, "slots": 5, "width": 4, "reads": 2, "writes": 3, "reach": 2},
        **{"controller": "feed-forward", "memory": "learned", "weights": "uniform"},
        **{"carried": "zeros", "order": "read first", "key": "tanh", "add": "tanh"},
        strength=2.0,
    )
    experiment = NTMSequences(data=data, training=training, core=core).prepare().experiment
    machine = experiment.model.core
    assert (machine.controller.hidden, machine.slots, machine.dim) == (6, 5, 4)
    assert (machine.heads, machine.read.move.reach, machine.order) == ((2, 3), 2, "read first")
    assert type(machine.controller).__name__ == "FeedForward"
    assert machine.start.memory is not None
    assert machine.start.reading is machine.start.reads is None
    assert machine.read.content.activation == machine.write.activation == "tanh"
    assert experiment.model.answer_weight.weight.shape == (9, core.output)
    assert isinstance(experiment.optimizer, torch.optim.Adam)
    assert isinstance(SequencesTraining().build(machine), GravesRMSProp)
    told = machine.interface.bias[machine.dim]
    assert torch.nn.functional.softplus(told).item() == pytest.approx(2.0)
    assert experiment.clip == EachNumber(3.0)
    first, phase = experiment.phases
    assert (first.name, first.stream, first.updates) == ("repeat-copy, 1 of 2", "1 of 2", 4)
    assert (phase.updates, phase.evaluate_every, phase.learning_rate(3)) == (4, 3, 0.5)
    assert sorted(experiment.task.held["test"]) == [2, 3, 5]
    shown, said, asked = next(experiment.task.batches("train", torch.Generator(), 0))
    assert len(shown) == len(said) == len(asked) == 7


def test_a_curriculum_grows_from_the_least_to_all():
    data = SequencesData(problem="repeat-copy", least=2, most=10, times=5, sequences=1)
    grown = data.streams(4)
    sizes = {name: (one.least, one.most, one.times) for name, one in grown.items()}
    assert sizes == {
        "1 of 4": (2, 4, 2),
        "2 of 4": (2, 6, 3),
        "3 of 4": (2, 8, 4),
        "train": (2, 10, 5),
    }
    task = SequencesTask(data, 1, grown)
    for name, (_, most, times) in sizes.items():
        drawn = task.batches(name, torch.Generator(), 0)
        steps = [next(drawn)[0].shape[1] for _ in range(60)]
        assert max(steps) <= most + 2 + most * times + 1
        assert name == "1 of 4" or max(steps) > 4 + 2 + 4 * 2 + 1
    phases = list(SequencesTraining(updates=11, curriculum=4).phases("copy", list(grown)))
    assert [phase.updates for phase in phases] == [2, 2, 2, 5]


def test_a_curriculum_of_more_phases_than_updates_is_refused():
    with pytest.raises(ValueError, match=r"at most training.updates, 3"):
        SequencesTraining(updates=3, curriculum=4)


def test_cores_that_are_compared():
    beside = changed(BesideCore, hidden=5, layers=2)
    assert beside.build(3).cells.num_layers == 2
    kinds = {"dot": Dot, "scaled-dot": ScaledDot, "general": General, "additive": Additive}
    kinds |= {"cosine": Cosine, "strength": KeyStrengthCosine}
    for name, kind in kinds.items():
        core = ContentCore(hidden=5, slots=4, width=3, score=name)
        built = core.build(9)
        assert type(built.read.score) is kind
        model = SequenceModel(built, core.output, 8)
        model(torch.randn(2, 6, 9)).square().sum().backward()
        for weight in model.parameters():
            assert weight.grad.isfinite().all()
            assert weight.grad.any()


def test_cores_are_of_as_many_parameters():
    counts = [
        sum(weight.numel() for weight in kind().build().parameters())
        for kind in (NTMSequences, LSTMSequences)
    ]
    assert counts[0] == pytest.approx(counts[1], rel=0.01)


@pytest.mark.parametrize("name", ["copy", "repeat-copy"])
def test_a_batch_depends_on_its_place_alone(name):
    task = SequencesTask(SequencesData(problem=name, most=4, times=3, sequences=1), 5)
    stream = task.batches("train", torch.Generator().manual_seed(3), 0)
    whole = [next(stream) for _ in range(6)]
    later = next(task.batches("train", torch.Generator().manual_seed(3), 5))
    assert len({part[0].shape[1] for part in whole}) > 1
    for one, same in zip(whole[5], later, strict=True):
        assert torch.equal(one, same)


class Sure(torch.nn.Module):
    """Says what it is told to, and is sure of it."""

    def __init__(self, said, logit):
        super().__init__()
        self.logits = torch.where(said > 0.5, logit, -logit)

    def forward(self, shown):
        return self.logits[: len(shown)]


def test_bits_are_counted():
    task = SequencesTask(SequencesData(least=3, most=3, sequences=4), 5)
    held = task.held["test"][3]
    even = task.evaluate(Sure(held.said, torch.tensor(0.0)), "test")
    assert even["bits_3"].mean == pytest.approx(24)
    assert even["loss"].mean == pytest.approx(24 * np.log(2))
    right = task.evaluate(Sure(held.said, torch.tensor(50.0)), "test")
    assert right["bits"].mean == pytest.approx(0, abs=1e-9)
    assert right["right"].mean == right["right_3"].mean == 1
    bits = SequencesData(problem="n-grams", least=20, most=20, sequences=50)
    task = SequencesTask(bits, 5)
    held = task.held["test"][20]
    even = task.evaluate(Sure(held.said, torch.tensor(0.0)), "test")
    assert even["bits"].mean == pytest.approx(20)
    assert even["above"].mean == pytest.approx(20 - float(held.floor))
    assert 0 < even["above"].mean < 10


def test_a_run_is_measured_and_asked(run, capsys):
    assert {"bits", "bits_4", "right"} <= run.metrics["test"].keys()
    loaded = memnets.load(run.folder.path)
    found = loaded.ask("01101001 11000101")
    assert found.gold == "01101001 11000101"
    assert len(found.text) == len(found.gold)
    steps = [step.name for step in found.steps]
    assert steps[:2] == ["1: write", "1: read"]
    assert steps[-1] == "5 says: read"
    assert len(steps) == 10
    for step in found.steps:
        assert sum(one.weight for one in step.supports) == pytest.approx(1, abs=0.05)
    example = next(loaded.examples("test", 0))
    again = loaded.ask(*example.given)
    assert (again.text, again.gold) == (example.text, example.gold)
    assert main(["ask", str(run.folder.path), "--question", "01101001"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("\n01101001\n")
    assert "slot" in said


def test_a_line_that_is_no_sequence_is_refused(run):
    with pytest.raises(ValueError, match="is nothing that copy can be asked: expected vectors"):
        memnets.load(run.folder.path).ask("0110100")


WRITTEN = {
    "copy": ("01101001 11000101", ["", "0", "01101002", "01101001,11000101"]),
    "repeat-copy": ("01101001 11000101 x3", ["01101001", "01101001 x0", "x3", "01101001 y3"]),
    "associative-recall": (
        "000111/010101/111000 001100/110011/101010 ? 000111/010101/111000",
        [
            "000111/010101/111000 ? 000111/010101/111000",
            "000111/010101/111000 001100/110011/101010 ? 001100/110011/101010",
            "000111/010101/111000 001100/110011/101010 000111/010101/111000",
            "000111/010101 001100/110011 ? 000111/010101",
            "? 000111/010101/111000",
        ],
    ),
    "n-grams": ("0110100111", ["01101", "0110 1001", "012012"]),
    "priority-sort": (
        "01101001:0.5 11000101:-0.25 11111111:1",
        [
            "01101001:0.5",
            "01101001 11000101",
            "01101001:2 11000101:0",
            "01101001:x 11000101:0",
            "01101001:nan 11000101:0",
            "01101001:0 11000101:-1.5",
        ],
    ),
}


@pytest.mark.parametrize("name", PROBLEMS)
def test_what_is_written_is_laid_out_as_what_is_drawn(name):
    problem, (line, wrong) = PROBLEMS[name], WRITTEN[name]
    found = written(problem, line)
    size = {"n-grams": 10, "priority-sort": 3}.get(name, 2)
    drawn = problem.draw(np.random.default_rng(0), 2, size, 3)
    for one, other in zip(found, one_of(drawn, 0), strict=True):
        assert (one.shape, one.dtype) == (other.shape, other.dtype)
    assert found.said.any()
    assert written(problem, FORMS[name].partition("such as ")[2]).said.any()
    for other in wrong:
        with pytest.raises(ValueError, match=f"is nothing that {name} can be asked: expected "):
            written(problem, other)


def test_a_line_has_a_thousand_parts_at_most():
    problem, parts = PROBLEMS["copy"], ["01101001"] * 1001
    assert len(written(problem, " ".join(parts[1:])).shown[0]) > 1000
    with pytest.raises(ValueError, match="of at most 1,000 parts"):
        written(problem, " ".join(parts))


@pytest.mark.parametrize("size", [6, 20])
@pytest.mark.parametrize("name", PROBLEMS)
def test_what_is_drawn_is_written_as_it_would_be_asked(name, size):
    problem = PROBLEMS[name]
    drawn = one_of(problem.draw(np.random.default_rng(size), 2, size, 3), 1)
    for one, other in zip(written(problem, line_of(problem, drawn)), drawn, strict=True):
        np.testing.assert_array_equal(one, other)


def test_where_heads_stood_is_told_of_the_slots_that_some_of_them_took():
    """Two write heads and one that reads, over four slots and three steps."""
    writing = torch.tensor([
        [[0.9, 0.005, 0.095, 0.0], [0.992, 0.003, 0.005, 0.0]],
        [[1.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]],
        [[1.0, 0.0, 0.0, 0.0], [0.99, 0.009, 0.001, 0.0]],
    ])  # fmt: skip
    reading = torch.tensor([[[1.0, 0.0, 0.0, 0.0]], [[0.988, 0.0, 0.001, 0.011]], [[0.0] * 4]])
    seen = []

    def watch(shown):
        seen.append(shown)
        return SimpleNamespace(writing=writing[None], reading=reading[None])

    logits = torch.tensor([[[0.0, 0.0], [2.0, -1.0], [-3.0, 0.5]]])
    model = Mock(spec=SequenceModel, side_effect=lambda shown: logits)
    model.core = Mock(spec=ControlledMemory, watch=watch)
    model.parameters = lambda: iter([torch.zeros(1)])
    shown, said = np.zeros((1, 3, 5), np.float32), np.array([[[9, 9], [1, 1], [0, 1]]], np.float32)
    found = answer(model, Drawn(shown, said, np.array([False, True, True])), "what?")
    assert torch.equal(seen[0], torch.from_numpy(shown))
    assert (found.question, found.text, found.gold) == ("what?", "10 01", "11 01")
    sure = [1 / (1 + np.exp(-one)) for one in (2.0, 1.0, 3.0, 0.5)]
    assert found.probability == pytest.approx(np.prod(sure))
    names = ("1: write 1", "1: write 2", "1: read", "2 says: write 1")
    assert tuple(step.name for step in found.steps[:4]) == names
    assert len(found.steps) == 9
    expected = [*zip(writing[:, 0], writing[:, 1], reading[:, 0], strict=True)]
    for step, weights in zip(found.steps, [one for row in expected for one in row], strict=True):
        told = [(one.slot, one.text, one.weight) for one in step.supports]
        assert told == [(slot, f"slot {slot}", float(weights[slot])) for slot in (0, 2, 3)]


def test_examples_are_of_the_split_that_is_named_the_longest_first():
    class Repeats(SequencesAnswerer):
        def __init__(self, run):
            self.run, self.model, self.device = run, run.build(), "cpu"

    data = SequencesData(least=2, most=3, tested=(5,), sequences=2)
    answerer = Repeats(ContentSequences(data=data, core=ContentCore(hidden=4, slots=5, width=3)))
    for split, drawn, sizes in (
        ("test", "test", (5, 3, 2)), ("valid", "valid", (3, 2)), ("train", "valid", (3, 2)),
    ):  # fmt: skip
        held = data.held_out(drawn)
        wanted = [(row, size) for row in range(2) for size in sizes]
        told = list(answerer.examples(split, 0))
        assert [one.question for one in told] == [f"copy of {n} ({row + 1})" for row, n in wanted]
        for one, (row, size) in zip(told, wanted, strict=True):
            bits = held[size].said[row][held[size].asked].astype(int)
            assert one.gold == " ".join("".join(map(str, line)) for line in bits)
    assert answerer.data_sha256() == digest(data)
    with pytest.raises(ValueError, match="is nothing that copy can be asked"):
        answerer.expect_readable("012")
    answerer.expect_readable("01101001")


def test_an_lstm_has_no_heads_to_show():
    model = LSTMSequences(core=BesideCore(hidden=4)).build()
    drawn = PROBLEMS["copy"].draw(np.random.default_rng(0), 2, 3)
    assert answer(model, one_of(drawn, 1), "copy of 3").steps == ()


def test_data_are_told_apart_and_refused():
    assert digest(SequencesData(sequences=1)) != digest(SequencesData(sequences=1, most=5))
    with pytest.raises(ValueError, match=r"data\.tested is 2000: expected 1 to 1,000 \(length\)"):
        SequencesData(tested=(2000,))
    with pytest.raises(ValueError, match=r"data\.least is 1: expected .*2"):
        SequencesData(problem="associative-recall")
    with pytest.raises(ValueError, match=r"core\.memory is constant and core\.weights is uniform"):
        NTMCore(weights="uniform")


def test_recipes_and_tables_are_of_these_problems():
    assert {recipe(name)().data.problem for name in RECIPES} == PROBLEMS.keys()
    planned = table("ntm-copy")
    assert [entry.seeds for entry in planned.entries if entry.seeds] == [5, *[1] * 6]
    scores = {
        one.run.core.score for one in planned.entries if isinstance(one.run, ContentSequences)
    }
    assert scores == {"dot", "scaled-dot", "general", "additive", "cosine", "strength"}
