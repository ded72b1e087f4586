"""Pointer networks as runs, as commands and as tables, on a few sets of points."""

import io
import json
from dataclasses import fields, replace
from itertools import islice
from types import SimpleNamespace

import numpy as np
import pytest
import torch

import memnets
from memnets.cli.main import main
from memnets.data.geometry import PROBLEMS
from memnets.evidence import PointsAnswer
from memnets.inference import load_run
from memnets.models import pointer
from memnets.studies import recipe, table
from memnets.studies.pointers import inference
from memnets.studies.pointers.data import HELD_OUT, PointsData, digest
from memnets.studies.pointers.inference import answer, within_unit
from memnets.studies.pointers.recipes import PointerModel, Pointers, PointerTraining
from memnets.studies.pointers.task import BLOCK, PointsTask, said_of
from memnets.training.clipping import GlobalNorm
from memnets.training.schedules import seeded

SMALL = {
    "model.hidden": 6,
    "model.embed": 4,
    "training.batch": 8,
    "training.updates": 2,
    "data.sets": 5,
}


def small(**changed):
    return PointsData(**({"sets": 6} | changed))


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "hull"
    return memnets.train("pointers/hull", SMALL, out=folder, show=False)


def changed(kind, /, **values):
    """Return a configuration of which every field is told, and is not the usual one."""
    usual = kind()
    assert values.keys() == {field.name for field in fields(kind)}
    assert not [name for name, value in values.items() if value == getattr(usual, name)]
    return kind(**values)


def test_every_setting_reaches_what_is_trained():
    data = changed(PointsData, problem="sorting", least=3, most=4, tested=(6,), sets=2)
    model = changed(PointerModel, decoder="attention", hidden=7, embed=0, start="paper")
    training = changed(
        PointerTraining,
        **{"optimizer": "sgd", "batch": 9, "updates": 8, "learning_rate": 0.5, "clip": 3.0},
        **{"evaluate_every": 4},
    )
    experiment = Pointers(data=data, model=model, training=training).prepare().experiment
    network, task, (phase,) = experiment.model, experiment.task, experiment.phases
    assert isinstance(network.embedding, torch.nn.Identity)
    assert network.source.core.cells.hidden_size == 7
    assert network.decoder.output.out_features == 1 + 6
    assert network.initial is pointer.paper_initial
    assert (network.dim, task.batch, task.data) == (1, 9, data)
    assert isinstance(experiment.optimizer, torch.optim.SGD)
    assert experiment.optimizer.param_groups[0]["lr"] == 0.5
    assert (phase.updates, phase.evaluate_every) == (8, 4)
    assert [phase.learning_rate(at) for at in (0, 4)] == [0.5, 0.25]
    assert experiment.clip == GlobalNorm(3.0)
    assert list(task.held["test"]) == [3, 4, 6]
    assert task.held["valid"][3].points.shape == (2, 3, 1)


@pytest.mark.parametrize(
    ("name", "kind", "keys"),
    [
        ("pointer", pointer.PointerDecoder, pointer.by_states),
        ("notes", pointer.PointerDecoder, pointer.by_points),
        ("attention", pointer.AttentiveDecoder, None),
        ("lstm", pointer.PlainDecoder, None),
    ],
)
def test_decoders_are_those_that_are_named(name, kind, keys):
    built = PointerModel(decoder=name, hidden=5, embed=3).build(small())
    assert type(built.decoder) is kind
    assert getattr(built.decoder, "keys", None) is keys
    assert built.embedding.out_features == 3


def test_answers_say_how_they_were_found():
    assert small().found_by == "exact"
    assert small(problem="tour", most=10).found_by == "optimal"
    assert small(problem="tour", tested=(14,)).found_by == "optimal, nearest neighbour + 2-opt"


def test_what_is_held_back_is_always_the_same():
    data = small(least=5, most=50, tested=(60,))
    assert data.learnt == (5, 20, 35, 50)
    assert data.sizes("valid") == data.learnt
    assert data.sizes("test") == (5, 20, 35, 50, 60)
    first, again = data.held_out("test"), data.held_out("test")
    assert all((first[size].points == again[size].points).all() for size in first)
    both = [small().held_out(split)[5].points for split in HELD_OUT]
    assert (both[0] != both[1]).any()
    assert digest(small()) == digest(small()) != digest(small(sets=7))


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"least": 2}, r"data\.least is 2: expected at least 3\. Pass --data\.least 3, or more"),
        ({"least": 9}, r"data\.most is 5: expected at least 9"),
        ({"tested": (2,)}, r"data\.tested is 2: expected 3 to 1,000 points for data\.problem hull"),
        ({"most": 1001}, r"data\.most is 1001: expected 3 to 1,000 points"),
        ({"sets": 0}, r"data\.sets is 0: expected at least 1"),
    ],
)
def test_sizes_without_an_answer_are_refused(values, message):
    with pytest.raises(ValueError, match=message):
        PointsData(**values)


def test_batches_are_drawn_from_any_place_on():
    """Each is of one size; the same ones whenever they are asked for; other seeds draw others."""
    task = PointsTask(small(least=3, most=6), 4)
    whole = list(islice(task.batches("train", seeded(3), 0), BLOCK + 3))
    assert {part[0].shape[1] for part in whole} == {3, 4, 5, 6}
    for first in (1, BLOCK + 1):
        for one, other in zip(whole[first:], task.batches("train", seeded(3), first), strict=False):
            assert all(torch.equal(a, b) for a, b in zip(one, other, strict=True))
    points, length, target = whole[0]
    assert points.shape[0] == 4
    assert length.tolist() == [points.shape[1]] * 4
    found = PROBLEMS["hull"].solve(points.double().numpy())[0]
    assert (found == target.numpy()).all()
    other = next(task.batches("train", seeded(4), 0))
    assert other[0].shape != points.shape or not torch.equal(other[0], points)
    assert not torch.equal(whole[BLOCK][0][:1, :3], whole[0][0][:1, :3])


def test_the_loss_of_a_batch_is_that_of_its_choices():
    task = PointsTask(small(), 4)
    model = PointerModel(hidden=5, embed=3).build(small())
    batch = next(task.batches("train", seeded(3), 0))
    step = task.loss(model, batch, (), seeded(0))
    assert step.weight == int((batch[2] > 0).sum()) + 4
    torch.testing.assert_close(step.loss_sum, model.loss(*batch).sum())
    taught = model(*batch)
    expected = taught.log_prob.detach()[taught.told].exp().tolist()
    assert float(step.sums["probability"]) == pytest.approx(sum(expected), rel=1e-5)
    assert len(expected) == step.weight < taught.log_prob.numel()  # some outputs end before others


class Says(pointer.PointNetwork):
    """Says what it was told to, row by row of what it is asked."""

    def __init__(self, *said, ended=True):
        super().__init__(2, torch.nn.Identity(), 2, *_parts())
        self.said, self.ended, self.asked = said, ended, []

    def choose(self, points, length, longest, width=1, rule=pointer.anything):
        self.asked.append((len(points), longest, width, rule))
        words = torch.zeros(len(points), 1, longest, dtype=torch.long)
        for row, one in enumerate(self.said):
            words[row, 0, : len(one)] = torch.tensor(one)
        lengths = torch.tensor([[len(one) + 1] for one in self.said])
        zeros = torch.zeros(len(points), 1)
        evidence = torch.zeros(len(points), 1, longest, points.shape[1] + 1)
        ended = torch.full((len(points), 1), self.ended)
        return pointer.Chosen(words, lengths, zeros, zeros, ended, evidence)


def _parts():
    built = pointer.paper(2, 2)
    return built.source, built.decoder


def test_what_is_measured_is_worked_out_by_hand(monkeypatch):
    """Of three hulls one is right, one is turned round, and one is none."""
    task = PointsTask(small(sets=3), 4)
    right = [[n for n in row if n] for row in task.held["test"][5].target.tolist()]
    model = Says(right[0], right[1][::-1], [1, 2])
    found = task.evaluate(model, "test")
    for name in ("", "beam_"):
        for of_size in ("", "_5"):
            assert found[f"{name}accuracy{of_size}"] == (2, 3)
            assert found[f"{name}canonical{of_size}"] == (1, 3)
            assert found[f"{name}valid{of_size}"] == (2, 3)
            assert found[f"{name}area{of_size}"].mean == pytest.approx(1)
    assert model.asked == [(3, 7, width, pointer.anything) for width in (1, 3)]
    assert found["loss"].weight == sum(len(one) + 1 for one in right)
    assert "beam_accuracy" not in task.evaluate(model, "valid")
    assert "accuracy_5" not in task.evaluate(model, "valid")
    endless = Says(*right, ended=False)
    assert said_of(endless, PROBLEMS["hull"], torch.rand(3, 5, 2), 1, pointer.tour) == [[], [], []]


def test_tours_are_measured_as_valid_ones_and_as_they_come():
    task = PointsTask(small(problem="tour", sets=2), 4)
    right = task.held["test"][5].target.tolist()
    model = Says(right[0], right[1])
    found = task.evaluate(model, "test")
    assert [rule for *_, rule in model.asked] == [pointer.tour, pointer.tour, pointer.anything]
    assert found["valid_unruled_5"] == (2, 2)
    assert found["excess_5"] == (0, 2)
    assert found["length_5"].mean == pytest.approx(found["best_5"].mean)


def test_only_sizes_that_are_learnt_from_are_told_together():
    task = PointsTask(small(least=4, most=4, tested=(6,), sets=1), 4)
    said = [
        [[n for n in row if n] for row in task.held["test"][size].target.tolist()]
        for size in (4, 6)
    ]

    class Both(Says):
        def choose(self, points, *more):
            self.said = said[points.shape[1] == 6]
            return super().choose(points, *more)

    found = task.evaluate(Both(), "test")
    assert found["accuracy_6"] == found["accuracy_4"] == found["accuracy"] == (1, 1)
    assert found["loss"].weight == len(said[0][0]) + 1
    assert "loss_6" not in found


def test_points_are_moved_into_the_square_where_they_were_learnt():
    points = np.array([[2.0, 10], [6, 11], [4, 12]])
    np.testing.assert_allclose(within_unit(points), [[0, 0], [1, 0.25], [0.5, 0.5]])
    inside = np.array([[0.25, 0.5], [0.5, 0.75]])
    assert within_unit(inside) is inside
    assert within_unit(np.array([[3.0, 3]])).tolist() == [[0, 0]]


SQUARE = np.array([[0.0, 0], [1, 0], [1, 1], [0, 1]])


def test_an_answer_tells_what_every_choice_pointed_at():
    model = Says([2, 3, 4, 1, 2])
    found = answer(model, PROBLEMS["hull"], SQUARE, "square.csv")
    assert model.asked == [(1, 6, 3, pointer.closed_polygon)]
    assert found.question == "hull of 4 points (square.csv)"
    assert (found.text, found.gold, found.correct) == ("2 3 4 1 2", "2 3 4 1 2", True)
    assert [step.name for step in found.steps] == ["2", "3", "4", "1", "2", "end"]
    assert [one.text for one in found.steps[0].supports][:3] == ["stop", "1 (0, 0)", "2 (1, 0)"]
    assert found.points == ((0, 0), (1, 0), (1, 1), (0, 1))
    assert found.remarks == ("right, as computed",)
    wrong = answer(Says([1, 2, 3, 1]), PROBLEMS["hull"], SQUARE)
    assert (wrong.gold, wrong.correct) == ("1 2 3 4 1", False)
    assert wrong.remarks == ("wrong: computed was 1 2 3 4 1",)
    cut = answer(Says([1, 2, 3, 1], ended=False), PROBLEMS["hull"], SQUARE)
    assert cut.caution == "cut off after 5 choices"


def test_what_has_several_right_answers_has_no_gold(monkeypatch):
    """A square has two triangulations; the shortest tour of many cities is not known."""
    assert answer(Says([1, 2, 3, 1, 3, 4]), PROBLEMS["delaunay"], SQUARE).gold is None
    many = np.random.default_rng(0).random((13, 2))
    assert answer(Says(list(range(1, 14))), PROBLEMS["tour"], many).gold is None
    assert answer(Says(list(range(1, 13))), PROBLEMS["tour"], many[:12]).gold is not None
    monkeypatch.setattr(inference, "MOST_SOLVED", 3)
    assert answer(Says([1, 2, 3, 1]), PROBLEMS["hull"], SQUARE).gold is None


def test_an_answer_without_scipy_has_no_gold(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "scipy", None)
    points = np.random.default_rng(0).random((9, 2))
    assert answer(Says([1, 2, 3]), PROBLEMS["delaunay"], points).gold is None


def test_a_run_answers_about_files_texts_and_lists(run, tmp_path):
    path = tmp_path / "some.csv"
    path.write_text("x,y\n0,0\n1,0\n1,1\n0,1\n0.5,0.25\n")
    from_file = run.ask(path)
    assert isinstance(from_file, PointsAnswer)
    assert from_file.question == "hull of 5 points (some.csv)"
    text = run.ask(path.read_text())
    listed = run.ask(points=[(0, 0), (1, 0), (1, 1), (0, 1), (0.5, 0.25)])
    assert text == listed == replace(from_file, question="hull of 5 points")
    numbers = [int(word) for word in text.text.split()]
    assert numbers[0] == numbers[-1]
    assert len(set(numbers)) == len(numbers) - 1 >= 3
    reopened = load_run(run.folder.path)
    assert reopened.ask(path) == from_file
    assert "ask(points), where points is a Path of a CSV file" in repr(run)
    with pytest.raises(ValueError, match=r"no points came, but pointers/hull takes ask\(points\)"):
        run.ask()
    found = list(islice(run.examples("test", 0), 6))
    assert [one.question for one in found] == ["hull of 5 points"] * 5
    run.check_data()


def said(capsys, *arguments):
    status = main(["ask", *map(str, arguments)])
    out, err = capsys.readouterr()
    return status, out, err


def test_the_command_asks_about_a_file(run, tmp_path, capsys, monkeypatch):
    folder, path = run.folder.path, tmp_path / "some.csv"
    path.write_text("0,0\n1,0\n1,1\n0,1\n")
    status, out, _ = said(capsys, folder, "--points", path)
    assert status == 0
    assert "hull of 4 points (some.csv)" in out
    assert "computed" in out
    status, out, _ = said(capsys, folder, "--points", path, "--json")
    record = json.loads(out)
    assert record["points"] == [[0, 0], [1, 0], [1, 1], [0, 1]]
    assert record["shape"] == "polygon"
    monkeypatch.setattr("sys.stdin", io.StringIO("0 0\n1 0\n1 1\n"))
    assert "hull of 3 points" in said(capsys, folder)[1]
    path.write_text("0,0\n1,0\nNaN,1\n")
    status, out, err = said(capsys, folder, "--points", path)
    assert (status, out) == (2, "")
    assert f"{path}:3: NaN is no place of a point" in err
    status, _, err = said(capsys, folder, "--question", "Where?")
    assert status == 2
    assert "pointers/hull takes points, and nothing else. Pass --points FILE" in err


def test_points_are_for_networks_of_points():
    from memnets.cli import ask

    other = SimpleNamespace(takes=("text",), name="tagger", usage="ask(text)")
    with pytest.raises(ValueError, match=r"--points: tagger takes ask\(text\)\. Leave it out\."):
        ask._ask_points(other, ask.Ask("run"))


@pytest.mark.parametrize(("name", "rows"), [("pointers-hull", 43), ("pointers-tasks", 25)])
def test_tables_say_what_is_not_run(name, rows, tmp_path):
    planned = table(name)
    found = planned.collect(name, tmp_path, None)
    assert len(found.rows) == rows
    assert {row.status for row in found.rows} == {"not run"}
    assert len({row.row for row in found.rows}) == rows
    jobs = [job for stage in planned.stages(name, tmp_path, None, "") for job in stage]
    assert {job.seed for job in jobs} == {0, 1, 2}


@pytest.mark.usefixtures("shapes_unchecked")
def test_too_many_outputs_that_are_no_polygons_have_failed():
    planned = table("pointers-hull")
    entry = planned.entries[0]
    figure = next(one for one in entry.figures if one.metric == "area_5")

    def notes(valid, of=figure):
        done = SimpleNamespace(metrics={"test": {"valid_5": valid, "beam_valid_5": valid}})
        runs = SimpleNamespace(done={0: done}, lost=frozenset())
        return " ".join(filter(None, planned.notes(entry, of, runs, {0: 99.0})))

    assert "FAIL: 1.1% of the outputs are no simple polygons" in notes(0.989)
    assert "FAIL" not in notes(0.99)
    accuracy = next(one for one in entry.figures if one.metric == "accuracy_5")
    assert "FAIL" not in notes(0.5, accuracy)


def test_sorting_is_learnt_in_seconds(tmp_path):
    """List 9: of 5 numbers, most sets whole."""
    short = {"training.updates": 300, "training.batch": 32, "data.sets": 200}
    found = memnets.train("pointers/sorting", short, out=tmp_path / "sorting", show=False)
    assert found.metrics["test"]["places_5"] > 0.75
    assert found.metrics["test"]["accuracy_5"] > 0.4
    assert recipe("pointers/sorting")().data.problem == "sorting"
