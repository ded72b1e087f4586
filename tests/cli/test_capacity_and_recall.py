"""`memnets capacity` and `memnets recall`: what they print, draw and refuse."""

import numpy as np
import pytest
import torch
from PIL import Image

from memnets.cli.main import main
from memnets.cli.recall import _ending
from memnets.cli.status import USAGE
from memnets.data.patterns import Patterns
from memnets.memories.hopfield.dynamics import Recalled
from memnets.studies.hopfield import capacity as hopfield_capacity


@pytest.fixture
def said(capsys):
    """Run a command, and return what it prints in one line."""

    def call(*words, status=0):
        assert main(list(map(str, words))) == status
        found = capsys.readouterr()
        return " ".join((found.err if status else found.out).split())

    return call


@pytest.fixture
def letters(tmp_path):
    """Three small pictures, of other sizes."""
    folder = tmp_path / "letters"
    folder.mkdir()
    for name, (rows, columns), size in (
        ("bar", (slice(0, 4), slice(None)), (16, 12)),
        ("left", (slice(None), slice(0, 5)), (12, 12)),
        ("middle", (slice(4, 8), slice(4, 8)), (12, 16)),
    ):
        grey = np.full(size, 255, np.uint8)
        grey[rows, columns] = 0
        Image.fromarray(grey).save(folder / f"{name}.png")
    return folder


def opened(path):
    """Return how many frames a picture has, after a look at its size."""
    with Image.open(path) as image:
        assert image.size[0] > 400
        return getattr(image, "n_frames", 1)


def test_capacity_prints_every_rule_and_draws(said, tmp_path):
    picture = tmp_path / "curves.png"
    found = said(
        *("capacity", "--neurons", 40, "--seeds", 2, "--loads", 0.05, 0.5, 1.2, "--picture"),
        picture,
    )
    assert "hebb storkey pseudo-inverse" in found
    assert "0.05 100.0% 100.0% 100.0%" in found
    assert "1.2 0.0%" in found  # and no more than N by the pseudo-inverse:
    assert "–" in found
    assert "half recalled at" in found
    assert opened(picture) == 1


def test_attractors_are_all_listed(said, tmp_path):
    picture = tmp_path / "attractors.png"
    found = said(
        *("capacity", "--rules", "hebb", "--neurons", 12, "--attractors", 2, "--picture"),
        picture,
    )
    assert all(name in found for name in ("stored 1", "stored 2", "negative of stored 1"))
    shares = [float(word[:-1]) for word in found.split() if word.endswith("%")]
    assert sum(shares) == pytest.approx(100, abs=0.1)
    assert picture.exists()
    refused = said("capacity", "--rules", "exponential", "--attractors", 2, status=USAGE)
    assert "expected a rule that makes couplings" in refused
    refused = said("capacity", "--neurons", 30, "--attractors", 2, status=USAGE)
    assert "30 neurons came, expected 20 at most" in refused


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--neurons", 0), "--neurons 0: expected at least 1"),
        (("--noise", 1.5), "expected a noise from 0 to 1"),
        (("--loads", 0.2, 0.1), "from small to large"),
        (("--loads", "inf"), "expected finite loads above 0"),
        (("--loads", "nan"), "expected finite loads above 0"),
        (("--rules", "pseudo-inverse", "--loads", 1.5), "expected a load below 1"),
        (("--attractors", 0), "expected the number of patterns to store"),
    ],
)
def test_capacity_refuses(said, words, why):
    assert why in said("capacity", *words, status=USAGE)


def test_a_damaged_picture_is_recalled_and_drawn(said, letters, tmp_path):
    picture, film = tmp_path / "recall.png", tmp_path / "recall.gif"
    found = said("recall", letters, "--pattern", 2, "--side", 12, "--out", picture)
    assert "recalled exactly: left.png; " in found
    assert opened(picture) == 1
    damaged = np.full((12, 12), 255, np.uint8)
    damaged[:, :5] = 0
    damaged[0, :2] = 200
    Image.fromarray(damaged).save(tmp_path / "cue.png")
    found = said("recall", letters, tmp_path / "cue.png", "--side", 12, "--out", film)
    assert "recalled exactly: left.png" in found
    assert opened(film) > 1


def test_what_is_asked_of_a_capacity_is_measured(said, monkeypatch):
    asked, measure = [], hopfield_capacity.measure
    monkeypatch.setattr(
        hopfield_capacity,
        "measure",
        lambda curve, seeds: asked.append((curve, [*seeds])) or measure(curve, seeds),
    )
    said(
        *("capacity", "--rules", "hebb", "pseudo-inverse", "--neurons", 20, "--noise", 0.15),
        *("--loads", 0.05, 0.9, 1.0, "--overlap", 0.9, "--seeds", 3),
    )
    assert [seeds for _, seeds in asked] == [[0, 1, 2]] * 2
    assert [(curve.rule, curve.loads) for curve, _ in asked] == [
        ("hebb", (0.05, 0.9, 1.0)),
        ("pseudo-inverse", (0.05, 0.9)),  # as many patterns as neurons leave no room
    ]
    assert {(curve.neurons, curve.noise, curve.overlap) for curve, _ in asked} == {(20, 0.15, 0.9)}


STORED = Patterns(np.array([[1, 1, 1, 1], [1, -1, 1, -1], [1, 1, 1, -1]]), ("a", "b", "c"), (1, 4))


@pytest.mark.parametrize(
    ("state", "asked", "expected"),
    [
        ([1, -1, 1, -1], None, "recalled exactly: b; 5 neurons flipped."),
        ([1, -1, 1, -1], 1, "recalled exactly: b; 5 neurons flipped."),
        ([1, -1, 1, -1], 0, "recalled exactly: b; 5 neurons flipped; the cue was of a."),
        ([-1, 1, -1, 1], None, "recalled the negative of b; 5 neurons flipped."),
        ([1, 1, -1, -1], None, "no stored pattern: nearest is c, overlap 0.500; 5 neurons"),
        ([-1, 1, 1, 1], None, "no stored pattern: nearest is a, overlap 0.500; 5 neurons"),
        ([-1, -1, 1, -1], None, "no stored pattern: nearest is a and b, overlap"),
    ],
)
def test_what_was_recalled_is_said(state, asked, expected):
    if expected.endswith("a and b, overlap"):
        stored = STORED._replace(rows=np.array([[-1, -1, 1, 1], [-1, -1, -1, -1], [1, 1, 1, 1]]))
    else:
        stored = STORED
    ended = Recalled(
        torch.tensor([state]), torch.ones(1), torch.tensor([3]), torch.tensor([5]), torch.ones(1, 1)
    )
    assert _ending(stored, ended, asked).startswith(expected)


def test_rows_of_a_csv_are_recalled(said, tmp_path):
    stored, cue = tmp_path / "stored.csv", tmp_path / "cue.csv"
    stored.write_text("1,0,1,1,0,0,1,0\n0,0,1,0,1,0,1,1\n")
    cue.write_text("0,0,1,0,1,0,1,0\n")
    assert "recalled exactly: row 2; 1 neurons flipped" in said("recall", stored, cue)


@pytest.mark.parametrize(
    ("text", "words", "why"),
    [
        ("1,0\n1,0.5\n", (), "stored.csv:2: column 2 holds '0.5', expected 0 or 1"),
        ("1,0\n1\n", (), "stored.csv:2: 1 numbers, but the first line has 2"),
        ("1,0\n-1,1\n", (), "stored.csv:2: 0 and -1 both came in this file"),
        ("1;0\n0;1\n", (), "holds '1;0', expected 0 or 1, or -1 or 1. Part the numbers by commas"),
        ("one,two\n1,0\n", (), "stored.csv:1: column 1 holds 'one', expected 0 or 1"),
        ("\n", (), "the file is empty"),
        ("1,0,1\n", ("--pattern", 4), "--pattern 4: "),
        ("1,0,1\n", ("--noise", 3), "--noise 3: expected 0 to 1"),
        ("1,0\n0,0\n0,1\n", ("--rule", "pseudo-inverse"), "3 patterns span all 2 neurons"),
    ],
)
def test_recall_refuses(said, tmp_path, text, words, why):
    stored = tmp_path / "stored.csv"
    stored.write_text(text)
    assert why in said("recall", stored, *words, status=USAGE)


def test_recall_refuses_what_does_not_belong_together(said, letters, tmp_path):
    (tmp_path / "cue.csv").write_text("1,0,1\n")
    cue = tmp_path / "cue.csv"
    assert "3 numbers, but the patterns of" in said("recall", letters, cue, status=USAGE)
    refused = said("recall", letters, cue, "--noise", 0.1, status=USAGE)
    assert "would be ignored" in refused
    assert "there is no such file" in said("recall", tmp_path / "gone", status=USAGE)
    (tmp_path / "empty").mkdir()
    assert "no picture in this folder" in said("recall", tmp_path / "empty", status=USAGE)


def test_equal_patterns_are_all_named(said, tmp_path):
    stored = tmp_path / "stored.csv"
    stored.write_text("1,0,1,1,0,0,1,0\n" * 5)
    found = said("recall", stored, "--pattern", 4, "--rule", "hebb")
    assert "recalled exactly: row 1, row 2, row 3 and 2 more; 2 neurons flipped." in found


def test_more_patterns_than_neurons_end_somewhere_else_and_that_is_said(said, tmp_path):
    stored = tmp_path / "stored.csv"
    bits = np.random.default_rng(0).integers(0, 2, (20, 6))
    stored.write_text("\n".join(",".join(map(str, row)) for row in bits))
    for rule in ("hebb", "storkey"):
        endings = {said("recall", stored, "--pattern", n, "--rule", rule) for n in (1, 2, 3)}
        assert any("; the cue was of row " in found for found in endings)
    refused = said("recall", stored, "--rule", "pseudo-inverse", status=USAGE)
    assert "20 patterns span all 6 neurons" in refused


def test_a_picture_of_one_colour_is_no_pattern(said, letters, tmp_path):
    Image.fromarray(np.full((20, 30), 255, np.uint8)).save(tmp_path / "white.png")
    for words in ((tmp_path / "white.png",), (letters, tmp_path / "white.png")):
        refused = said("recall", *words, "--side", 12, status=USAGE)
        assert "white.png: the picture is of one colour" in refused
    Image.fromarray(np.zeros((5, 9), np.uint8)).save(tmp_path / "small.png")
    refused = said("recall", tmp_path / "small.png", "--side", 12, status=USAGE)
    assert "the picture has 9 x 5 pixels; expected" in refused
