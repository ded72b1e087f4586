"""What is counted and told of points, by hand: networks that say what they are told to."""

import hashlib
from itertools import islice
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from memnets.data.geometry import PROBLEMS
from memnets.models import pointer
from memnets.studies import table
from memnets.studies.pointers import inference, recipes, task
from memnets.studies.pointers.data import HELD_OUT, PointsData, digest
from memnets.studies.pointers.inference import answer, within_unit
from memnets.studies.pointers.recipes import PointerModel, Pointers, PointsAnswerer
from memnets.studies.pointers.task import PointsTask, said_of
from memnets.training.best import Best
from memnets.training.schedules import seeded

pytestmark = pytest.mark.usefixtures("shapes_unchecked")

SQUARE = np.array([[2.0, 0], [4, 0], [4, 2], [2, 2.5]])


class Scripted(pointer.PointNetwork):
    """Says hypotheses that were written down, row by row of what it is asked.

    Args:
        rows: of each set its hypotheses: words, and whether they ended.
    """

    def __init__(self, *rows):
        parts = pointer.paper(2, 3)
        super().__init__(2, torch.nn.Identity(), 2, parts.source, parts.decoder)
        self.rows, self.asked = list(rows), []

    def choose(self, points, length, longest, width=1, rule=pointer.anything):
        self.asked.append((points, longest, width, rule))
        rows = [self.rows.pop(0) for _ in points]
        sizes = len(points), max(map(len, rows))
        words = torch.zeros(*sizes, longest, dtype=torch.long)
        lengths, ended = torch.zeros(sizes, dtype=torch.long), torch.zeros(sizes).bool()
        for row, several in enumerate(rows):
            for place, (said, over) in enumerate(several):
                words[row, place, : len(said)] = torch.tensor(said)
                lengths[row, place], ended[row, place] = len(said) + over, over
        log_prob = torch.log(0.5 ** (1.0 + torch.arange(sizes[1]))).expand(sizes)
        evidence = torch.arange(longest * 20.0).view(longest, 20)[:, : points.shape[1] + 1] / 100
        evidence = evidence.expand(*sizes, -1, -1)
        return pointer.Chosen(words, lengths, log_prob, log_prob, ended, evidence)


def test_the_first_hypothesis_answers_and_the_others_are_rivals():
    model = Scripted([([1, 2, 3, 4, 1], True), ([2, 3, 1, 2], True), ([], True)])
    found = answer(model, PROBLEMS["hull"], SQUARE)
    ((given, longest, width, rule),) = model.asked
    assert given.dtype == torch.float32
    torch.testing.assert_close(
        given[0].double(), torch.tensor([[0, 0], [0.8, 0], [0.8, 0.8], [0, 1]]).double()
    )
    assert (longest, width, rule) == (6, 3, pointer.closed_polygon)
    assert (found.question, found.text) == ("hull of 4 points", "1 2 3 4 1")
    assert found.probability == pytest.approx(0.5)
    assert found.runners_up == (("2 3 1 2", pytest.approx(0.25)),)
    assert found.chosen == (1, 2, 3, 4, 1)
    assert (found.shape, found.points[3], found.caution) == ("polygon", (2.0, 2.5), "")
    assert [step.name for step in found.steps] == ["1", "2", "3", "4", "1", "end"]
    second = found.steps[1].supports
    assert [one.slot for one in second] == [0, 1, 2, 3, 4]
    assert [one.text for one in second] == [
        *("stop", "1 (2, 0)", "2 (4, 0)", "3 (4, 2)", "4 (2, 2.5)")
    ]
    assert [one.weight for one in second] == pytest.approx([0.2, 0.21, 0.22, 0.23, 0.24])
    assert inference._label(7, [0.12345, 10]) == "7 (0.123, 10)"


def test_a_right_answer_is_told_as_it_was_said_and_as_it_is_computed_otherwise(monkeypatch):
    turned = answer(Scripted([([4, 3, 2, 1, 4], True)]), PROBLEMS["hull"], SQUARE)
    assert (turned.gold, turned.correct) == ("4 3 2 1 4", True)
    wrong = answer(Scripted([([2, 1, 4, 2], True)]), PROBLEMS["hull"], SQUARE)
    assert (wrong.gold, wrong.correct) == ("1 2 3 4 1", False)
    monkeypatch.setattr(inference, "MOST_SOLVED", 4)
    assert answer(Scripted([([1, 2, 3], True)]), PROBLEMS["hull"], SQUARE).gold is not None
    assert inference.MOST_SOLVED == 4
    cut = answer(Scripted([([1, 2, 3, 1, 2], False)]), PROBLEMS["tour"], SQUARE)
    assert cut.caution == "cut off after 5 choices"
    assert (len(cut.steps), cut.text) == (5, "1 2 3 1 2")


def test_points_stay_as_they_are_only_where_all_lie_in_the_square():
    for inside in ([[0, 0.5], [1, 0.5]], [[0.5, 0], [0.5, 1]], [[0.25, 0.5], [0.5, 0.75]]):
        points = np.array(inside, dtype=float)
        assert within_unit(points) is points
    for outside, expected in (
        ([[0.5, 0.5], [0.75, 1.5]], [[0, 0], [0.25, 1]]),
        ([[0.5, 0.5], [2.5, 0.75]], [[0, 0], [1, 0.125]]),
        ([[-0.5, 0.25], [0.25, 0.5]], [[0, 0], [1, 1 / 3]]),
        ([[0.25, -0.5], [0.5, 0.25]], [[0, 0], [1 / 3, 1]]),
    ):
        np.testing.assert_allclose(within_unit(np.array(outside)), expected, rtol=1e-12)


def test_only_the_first_hypothesis_counts_and_only_where_it_ended(monkeypatch):
    rows = [
        [([1, 2], True), ([3], True)],
        [([2, 1], False), ([3], True)],
        [([4, 0, 1], True), ([3], False)],
    ]
    points = torch.rand(3, 5, 2)
    for together in (250, 2):
        monkeypatch.setattr(task, "TOGETHER", together)
        model = Scripted(*rows)
        said = said_of(model, PROBLEMS["hull"], points, 3, pointer.tour)
        assert said == [[1, 2], [], [4, 1]]
        assert [len(given) for given, *_ in model.asked] == ([3] if together == 250 else [2, 1])
        assert model.asked[0][1:] == (7, 3, pointer.tour)


def test_all_sizes_that_are_learnt_from_are_told_together_and_each_by_itself(monkeypatch):
    """Of 4 and 5 points; the loss is over all choices, however many sets are gone through."""
    found = PointsTask(PointsData(least=4, most=5, tested=(7,), sets=3), 4)
    right = {
        size: [[n for n in row if n] for row in sets.target.tolist()]
        for size, sets in found.held["test"].items()
    }

    class Some(Scripted):
        def choose(self, points, length, longest, width=1, rule=pointer.anything):
            size = points.shape[1]
            good = {4: 3, 5: 1, 7: 2}[size] if width == 1 else 0
            said = [one if n < good else [1] for n, one in enumerate(right[size])]
            self.rows = [[(one, True)] for one in said]
            return super().choose(points, length, longest, width, rule)

    model = Some()
    figures = found.evaluate(model, "test")
    shares = {"": (4, 6), "_4": (3, 3), "_5": (1, 3), "_7": (2, 3)}
    for name, share in shares.items():
        assert figures[f"accuracy{name}"] == figures[f"canonical{name}"] == share
        assert figures[f"beam_accuracy{name}"] == (0, share[1])
    sums = []
    for size in (4, 5):
        sets = found.held["test"][size]
        sums.append(float(model.loss(*sets).detach().sum()))
        weight = sum(len(one) + 1 for one in right[size])
        assert figures[f"loss_{size}"] == (pytest.approx(sums[-1], rel=1e-5), weight)
    assert figures["loss"].total == pytest.approx(sum(sums), rel=1e-5)
    valid = found.evaluate(pointer.paper(2, 3), "valid")
    assert valid.keys() == {"loss", "accuracy", "canonical", "area", "valid"}
    assert valid["accuracy"].weight == 6
    monkeypatch.setattr(task, "TOGETHER", 2)
    again = found.evaluate(model, "test")
    assert again["loss"] == (pytest.approx(figures["loss"].total, rel=1e-6), figures["loss"].weight)


def test_what_is_minimised_has_a_gradient_and_what_is_told_has_none():
    data = PointsData(sets=1)
    step = PointsTask(data, 2).loss(
        model := PointerModel(hidden=4, embed=3).build(data),
        next(PointsTask(data, 2).batches("train", seeded(0), 0)),
        (), seeded(0),
    )  # fmt: skip
    assert step.loss_sum.requires_grad
    assert not step.sums["probability"].requires_grad
    assert all(
        part is not None for part in torch.autograd.grad(step.loss_sum, list(model.parameters()))
    )


def test_what_is_held_back_is_drawn_with_its_own_seed_and_all_of_it_is_in_the_checksum():
    data = PointsData(least=3, most=4, tested=(6,), sets=2)
    found = hashlib.sha256()
    for split, seed, sizes in (("valid", 1_000_003, (3, 4)), ("test", 2_000_003, (3, 4, 6))):
        held = data.held_out(split)
        assert tuple(held) == sizes
        for size in sizes:
            points, targets = PROBLEMS["hull"].draw(np.random.default_rng([seed, size]), 2, size)
            assert (held[size].points == points).all()
            assert (held[size].targets == targets).all()
            found.update(f"{split} {size} (2, {size}, 2)".encode())
            found.update(points.tobytes() + targets.tobytes())
    assert digest(data) == found.hexdigest()
    assert list(HELD_OUT) == ["valid", "test"]
    assert PointsData(most=1000, tested=(3, 1000)).most == 1000


@pytest.mark.parametrize(
    ("problem", "pinned"),
    [
        ("hull", "3e0910afc0eb189d"),
        ("delaunay", "720ce577f23fbfd6"),
        ("delaunay-by-number", "64bfe72d41b8eec9"),
        ("tour", "dbeb2f3d4e9d40ec"),
        ("sorting", "197f95fc8d8b9d12"),
    ],
)
def test_what_is_drawn_is_the_same_everywhere(problem, pinned):
    """Figures are of them; if they are changed on purpose, renew the digests."""
    more = 7 if problem.startswith("delaunay") else 8
    data = PointsData(problem=problem, least=4, most=6, tested=(more,), sets=3)
    assert digest(data)[:16] == pinned


def test_what_is_learnt_from_is_the_same_everywhere():
    found = hashlib.sha256()
    stream = PointsTask(PointsData(least=4, most=6, sets=1), 3).batches("train", seeded(3), 0)
    for batch in islice(stream, task.BLOCK + 2):
        for part in batch:
            found.update(part.numpy().tobytes())
    assert found.hexdigest()[:16] == "a9fc003e2d8283cf"


def test_batches_have_sizes_alike_often_and_blocks_of_their_own():
    found = PointsTask(PointsData(least=3, most=4, sets=1), 2)
    stream = found.batches("train", seeded(0), 0)
    sizes = [next(stream).points.shape for _ in range(task.BLOCK)]
    assert {size[0] for size in sizes} == {2}
    assert 16 < sum(size[1] == 3 for size in sizes) < 48
    other = found.batches("train", seeded(0), task.BLOCK)
    following = next(stream), next(other)
    assert all(torch.equal(*pair) for pair in zip(*following, strict=True))


def test_examples_are_of_the_split_that_is_named_one_of_each_size_in_turn():
    class Repeats(PointsAnswerer):
        def __init__(self, run):
            self.run = run

        def _answer(self, found, name):
            assert found.dtype == np.float64
            return found.tolist(), name

    data = PointsData(least=3, most=4, tested=(6,), sets=2)
    answerer = Repeats(Pointers(data=data))
    for split, drawn, sizes in (
        ("test", "test", (3, 4, 6)), ("valid", "valid", (3, 4)), ("train", "valid", (3, 4)),
    ):  # fmt: skip
        held = data.held_out(drawn)
        expected = [(held[n].points[row].tolist(), "") for row in range(2) for n in sizes]
        assert list(answerer.examples(split, 0)) == expected
    assert answerer.data_sha256() == digest(data)
    assert answerer.answer(["never read"], "0 1\n\n2,3\n4 4") == ([[0, 1], [2, 3], [4, 4]], "")


def test_weights_are_chosen_by_the_loss_of_validation():
    prepared = Pointers(data=PointsData(problem="tour", least=13, most=13, sets=1)).prepare()
    assert prepared.experiment.keep == Best("valid/loss")
    assert prepared.experiment.reduction == "mean"
    assert prepared.experiment.phases[0].name == "tour"
    assert prepared.data.name == "points, tour, generated, nearest neighbour + 2-opt"
    assert prepared.data.sha256 == digest(prepared.experiment.task.data)


def test_a_table_says_fail_of_the_mean_of_its_seeds_and_of_the_same_outputs():
    planned = table("pointers-hull")
    entry = planned.entries[0]

    def notes(metric, *valid):
        figure = next(one for one in entry.figures if one.metric == metric)
        done = {
            seed: SimpleNamespace(metrics={"test": {"valid_5": one, "beam_valid_5": beam}})
            for seed, (one, beam) in enumerate(valid)
        }
        runs = SimpleNamespace(done=done, lost=frozenset())
        values = {seed: 90.0 + seed for seed in done}
        return [one for one in planned.notes(entry, figure, runs, values) if one]

    interval = "95 % interval 84.1 to 96.9"
    assert notes("area_5", (1.0, 1.0), (0.97, 1.0))[-2:] == [
        "FAIL: 1.5% of the outputs are no simple polygons, and have no area", interval
    ]  # fmt: skip
    assert notes("beam_area_5", (0.5, 1.0), (0.5, 0.99))[-1] == interval
    assert not [one for one in notes("beam_area_5", (0.5, 1.0), (0.5, 0.99)) if "FAIL" in one]
    assert "FAIL: 50.0% of" in " ".join(notes("area_5", (1.0, 1.0), (None, 1.0)))


def test_recipes_are_of_the_problem_and_the_sizes_of_their_names():
    found = {
        name.partition("/")[2]: (run.data.problem, run.data.least, run.data.most, run.data.tested)
        for name, made in recipes.RECIPES.items()
        for run in [made()]
    }
    assert found == {
        "hull": ("hull", 5, 5, ()),
        "hull-10": ("hull", 10, 10, ()),
        "hull-5-50": ("hull", 5, 50, (10, 100, 200)),
        "delaunay": ("delaunay", 5, 5, ()),
        "delaunay-by-number": ("delaunay-by-number", 5, 5, ()),
        "tour": ("tour", 5, 5, ()),
        "tour-10": ("tour", 10, 10, ()),
        "sorting": ("sorting", 5, 5, ()),
    }
    assert {made().model.decoder for made in recipes.RECIPES.values()} == {"pointer"}
    assert recipes.sorting().training.learning_rate == 0.01
    assert recipes.delaunay().training.updates == 6000
