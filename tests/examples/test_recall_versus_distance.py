"""The experiment on sizes that take no time."""

import importlib
import sys
from pathlib import Path

import pytest
import torch

from memnets import results

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture
def example(monkeypatch):
    monkeypatch.syspath_prepend(str(EXAMPLES))
    monkeypatch.setattr(results, "commit", lambda: "1234567")
    return importlib.import_module("recall_versus_distance")


def test_the_marked_symbol_stands_at_its_distance(example):
    distances = torch.tensor([0, 2, 6])
    x, symbols = example.sequences(distances, 7, torch.Generator().manual_seed(0))
    assert x.shape == (3, 7, example.STEP)
    for row, distance in enumerate(distances.tolist()):
        assert x[row, :, -1].nonzero().tolist() == [[6 - distance]]
        assert x[row, 6 - distance, symbols[row]] == 1
    assert (x[..., :-1].sum(-1) == 1).all()


def test_models_are_about_as_large(example):
    models = [example.within(10_000, make) for make in example.ENCODERS.values()]
    sizes = [example.count(model) for model in models]
    assert max(sizes) <= 10_000
    assert min(sizes) > 8_000
    sights = [example.described(model).split(" back")[0] for model in models]
    assert sights == [f"sees {n} steps" for n in (4, 8, 16, "all", "all")]


def test_training_learns(example):
    torch.manual_seed(0)
    trained = example.Options(steps=3, parameters=500, updates=100, learning_rate=0.02, asked=23)
    model = example.within(500, example.ENCODERS["convolution, 2 layers"])
    before = example.asked_at_each_distance(model, trained)
    example.train(model, trained, seed=0)
    after = example.asked_at_each_distance(model, trained)
    assert sum(after) > 2 * sum(before)


def test_the_mean_and_its_interval(example):
    series = example.by_distance("a", [[100.0, 50.0], [100.0, 40.0], [100.0, 30.0]])
    assert (series.x, series.y) == ((0.0, 1.0), (100.0, 40.0))
    assert series.spread == pytest.approx((0.0, 4.30265 * 10 / 3**0.5))
    assert example.by_distance("a", [[100.0, 50.0]]).spread is None


def test_the_command_writes_figures_and_picture(example, monkeypatch, tmp_path):
    sizes = {"steps": 7, "parameters": 500, "updates": 2, "batch": 3, "seeds": 2, "asked": 5}
    words = [word for name, size in sizes.items() for word in (f"--{name}", str(size))]
    paths = ["--results", str(tmp_path), "--picture", str(tmp_path / "recall.png")]
    monkeypatch.setattr(sys, "argv", ["recall_versus_distance.py", *words, *paths])
    example.main()
    table = results.read(tmp_path / "recall-distance.json")
    names = list(example.ENCODERS)
    assert [row.row for row in table.rows] == [series.name for series in table.series] == names
    assert list(example.STYLES) == names
    for row, series in zip(table.rows, table.series, strict=True):
        assert row.seeds == (0, 1)
        assert row.measured == pytest.approx(sum(series.y) / 7, rel=1e-3)
    assert (tmp_path / "recall.png").read_bytes().startswith(b"\x89PNG")
