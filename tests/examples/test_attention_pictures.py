"""The pictures of attention: the scripts run at a tiny size, and draw what they say."""

import importlib
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from memnets import results
from memnets.attention import Align
from memnets.testing import discover

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
PNG = b"\x89PNG"


@pytest.fixture
def example(monkeypatch):
    monkeypatch.syspath_prepend(str(EXAMPLES))
    return importlib.import_module


def test_soft_against_hard_runs(example, tmp_path, monkeypatch):
    script = example("soft_against_hard")
    picture = tmp_path / "soft.png"
    sizes = "--seeds 2 --reads 5 --slots 7 --dim 3 --scales 0.5 8"
    written = f"--results {tmp_path} --picture {picture}"
    monkeypatch.setattr(sys, "argv", ["soft_against_hard.py", *f"{sizes} {written}".split()])
    script.main()
    table = results.read(tmp_path / "soft-against-hard.json")
    assert [series.name for series in table.series] == ["entropy", script.DISTANCE, script.GRADIENT]
    assert all(series.x == (0.5, 8.0) for series in table.series)
    assert [row.row for row in table.rows[-2:]] == ["share, scores ×0.5", "share, scores ×8"]
    assert table.series[0].y[0] > table.series[0].y[1]
    assert picture.read_bytes().startswith(PNG)


@pytest.fixture
def drawn(example):
    script = example("soft_against_hard")
    options = replace(script.Options(), seeds=2, reads=13, slots=7, dim=5, scales=(0.0, 1.0, 1e6))
    return script, options, [script.reads(seed, options) for seed in range(options.seeds)]


def test_the_ends_are_the_mean_and_the_hard_read(drawn):
    _, options, (first, _) = drawn
    assert torch.allclose(first.entropy[0], torch.tensor(options.slots).double().log())
    assert first.distance[0].min() > 0.1
    assert first.distance[-1].max() < 1e-12
    assert first.gradient[-1].max() < 1e-12


def test_the_gradient_is_that_of_autograd(example):
    script = example("soft_against_hard")
    scores, values = torch.randn(7, requires_grad=True), torch.randn(7, 3)
    weights = scores.softmax(-1).unsqueeze(0)
    found = script.jacobian(weights, values, weights @ values)
    expected = torch.autograd.functional.jacobian(lambda e: e.softmax(-1) @ values, scores)
    torch.testing.assert_close(found, expected.mT)


def test_reads_are_put_together_by_their_entropy(drawn):
    script, options, reads = drawn
    table = script.summed_up(reads, options)
    rows = {row.row: row for row in table.rows}
    near, far = rows["distance, 0 to 0.1 nats"], rows["distance, 1 to 2 nats"]
    assert near.measured < 1e-3 < far.measured
    assert near.seeds == (0, 1)
    inside = reads[1].distance[(reads[1].entropy >= 1) & (reads[1].entropy < 2)]
    assert far.values[1] == pytest.approx(inside.mean().item())


@pytest.mark.parametrize(
    ("gradient", "share"), [([1.0] * 10, 90.0), ([0.0, 91.0, 9.0, 0.0], 25.0), ([8.9, 1.1], 100.0)]
)
def test_the_share_that_carries_the_gradient(example, gradient, share):
    assert example("soft_against_hard").carriers(torch.tensor(gradient)) == pytest.approx(share)


def test_entropies_that_no_read_has_are_not_run(drawn):
    script, options, reads = drawn
    flat = [seed._replace(entropy=torch.zeros_like(seed.entropy)) for seed in reads]
    rows = script.summed_up(flat, options).rows
    assert [row.status for row in rows[:4]] == ["done", "not run", "not run", "not run"]


def test_aligns_side_by_side_runs(example, tmp_path, monkeypatch):
    picture = tmp_path / "aligns.png"
    monkeypatch.setattr(sys, "argv", ["aligns_side_by_side.py", "--picture", str(picture)])
    example("aligns_side_by_side").main()
    assert picture.read_bytes().startswith(PNG)


def test_heads_of_words_are_read_better_in_trees(example, tmp_path, monkeypatch, capsys):
    picture, script = tmp_path / "heads.png", example("heads_of_words")
    monkeypatch.setattr(sys, "argv", ["heads_of_words.py", "--picture", str(picture)])
    script.main()
    assert picture.read_bytes().startswith(PNG)
    assert "softmax: 52% of what is read are right heads" in capsys.readouterr().out
    shares = {name: script.right(weights) for name, weights in script.reads().items()}
    assert shares["no arcs cross"] > shares["any tree"] > shares["softmax"] > shares["sigmoid"]


def test_every_align_is_in_the_picture(example):
    script = example("aligns_side_by_side")
    lines = [line for group in script.groups().values() for line in group]
    assert {type(line.align) for line in lines} == set(discover(Align))
    for line in lines:
        assert line.label.startswith(type(line.align).__name__ + "(")
        weights = script.taken(line)
        assert weights[script.HIDDEN] == 0
        if line.align.sums_to is not None:
            assert sum(weights) == pytest.approx(line.align.sums_to)


def test_the_predicted_centre_is_where_the_label_says(example):
    script = example("aligns_side_by_side")
    centre = script.centred(script.LocalP).centre(torch.ones(1, 1), script.SLOTS)
    assert centre.item() == pytest.approx(script.CENTRE)


@pytest.mark.parametrize(
    ("weight", "shown"), [(0.0, "0"), (1e-6, "<.01"), (0.005, "0.01"), (-0.6, "-0.60")]
)
def test_exactly_nothing_is_told_from_nearly_nothing(example, weight, shown):
    assert example("aligns_side_by_side").in_digits(weight) == shown
