"""Commands without a run: what they print and refuse, at the edge of what they take."""

import errno
import io
from pathlib import Path
from types import SimpleNamespace

import pytest

from memnets.cli import capacity, data, main, new, recall, report
from memnets.cli.capacity import Capacity
from memnets.cli.recall import Recall
from memnets.cli.report import REPORT
from memnets.cli.status import USAGE
from memnets.data.sources import source

# New studies


def test_a_new_study_says_what_to_fill_in_in_order(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(new, "checkout", lambda: tmp_path)
    assert new.main(["study", "first_symbol"]) == 0
    told = capsys.readouterr().out.splitlines()
    files = [
        place.format(name="first_symbol", page="first-symbol.md") for place in new.FILES.values()
    ]
    first, then = told.index(""), told.index("Its tests fail until then:")
    assert told[:first] == ["Written:", *(f"  {file}" for file in files)]
    assert told[first + 1] == "Fill in, in this order:"
    wanted = told[first + 2 : then - 1]
    expected = []
    for file in files:
        assert (tmp_path / file).is_file()
        for number, line in enumerate((tmp_path / file).read_text().splitlines(), start=1):
            if "FILL IN " in line:
                expected.append(f"  {file}:{number}: {line.split('FILL IN ')[1]}".rstrip("\"' ,."))
    assert wanted == expected
    assert len(wanted) > 5
    assert told[then + 1 :] == ["  python -m pytest tests/studies/first_symbol"]


# Data


def test_where_a_text_is_and_what_it_is(monkeypatch, capsys, tmp_path):
    asked = []

    def find(name, path):
        asked.append((name, path))
        return {
            "train": SimpleNamespace(path=Path("/a/train.txt"), sha256="a1"),
            "test": SimpleNamespace(path=Path("/a/test.txt"), sha256="b2"),
        }

    monkeypatch.setattr("memnets.data.text.find_parts", find)
    assert data.main(["info", "shakespeare", "--path", str(tmp_path)]) == 0
    known = source("shakespeare")
    head = [known.title, known.licence, *f"Please cite: {known.citation}".splitlines()]
    assert capsys.readouterr().out.splitlines() == [
        *head,
        "train: /a/train.txt (sha256 a1)",
        "test: /a/test.txt (sha256 b2)",
    ]
    assert asked == [("shakespeare", tmp_path)]


def test_files_of_a_published_list_are_told_by_their_place_or_name(monkeypatch, capsys, tmp_path):
    name = next(one.name for one in data.SOURCES.values() if one.checksums.startswith("checksums/"))
    asked = []
    states = {"a.txt": ("official", Path("/b/a.txt")), "b.txt": ("missing", None)}
    monkeypatch.setattr(data.official, "states", lambda *given: asked.append(given) or states)
    assert data.main(["info", name, "--path", str(tmp_path)]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[-2:] == ["official: /b/a.txt", "missing: b.txt"]
    assert told[0] == source(name).title
    assert asked == [(name, tmp_path)]


# Hopfield networks


@pytest.mark.parametrize(
    "given",
    [
        *({"noise": 0.0}, {"noise": 1.0}, {"overlap": 1.0}, {"overlap": 1e-6}, {"neurons": 1}),
        *({"seeds": 1}, {"seed": 0}, {"attractors": 1}, {"loads": (1e-9,)}, {"loads": (0.99, 5.0)}),
        {"rules": ("hebb",), "loads": (1.0, 2.0)},
    ],
)
def test_a_capacity_at_the_edge_is_measured(given):
    made = Capacity(**given)
    assert {name: getattr(made, name) for name in given} == given


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"noise": -0.01}, "--noise -0.01 --overlap 1: expected a noise from 0 to 1"),
        ({"noise": 1.01}, "--noise 1.01 --overlap 1: expected a noise from 0 to 1"),
        ({"overlap": 0.0}, "--noise 0.1 --overlap 0: expected a noise from 0 to 1"),
        ({"overlap": 1.01}, "--noise 0.1 --overlap 1.01: expected a noise"),
        ({"neurons": 0}, "--neurons 0: expected at least 1. Pass --neurons 10, say."),
        ({"seeds": 0}, "--seeds 0: expected at least 1. Pass --seeds 10, say."),
        ({"seed": -1}, "--seed -1: expected at least 0. Pass --seed 0."),
        ({"attractors": 0}, "--attractors 0: expected the number of patterns to store"),
        ({"loads": (0.0, 0.1)}, "--loads 0 0.1: expected finite loads above 0"),
        ({"loads": (0.1, 0.1)}, "--loads 0.1 0.1: expected finite loads above 0, from small"),
        ({"loads": ()}, "--loads : expected finite loads above 0"),
        ({"loads": (0.1, float("inf"))}, "--loads 0.1 inf: expected finite loads"),
        ({"loads": (1.0, 2.0)}, "--loads 1 2: the rule pseudo-inverse holds fewer patterns than"),
    ],
)
def test_a_capacity_beyond_the_edge_is_refused(given, said):
    with pytest.raises(ValueError) as refused:  # noqa: PT011, its text is compared
        Capacity(**given)
    assert str(refused.value).startswith(said)


def test_what_a_stable_state_is():
    patterns = [[1, 1, -1], [1, -1, -1]]
    states = ([1, 1, -1], [1, -1, -1], [-1, -1, 1], [-1, 1, 1], [1, 1, 1])
    assert [capacity._called(state, patterns) for state in states] == [
        *("stored 1", "stored 2", "negative of stored 1", "negative of stored 2", "neither")
    ]


def test_a_mean_has_an_interval_where_there_are_several():
    assert capacity._with_interval([0.25]) == "0.250"
    mean, _, half = capacity._with_interval([0.1, 0.2, 0.3]).split()
    assert mean == "0.200"
    assert float(half) == pytest.approx(4.303 * 0.1 / 3**0.5, abs=1e-3)  # Student's t, 2 degrees


def test_stable_states_are_listed_largest_basin_first_and_counted(capsys, tmp_path):
    words = ["--rules", "hebb", "--neurons", "6", "--attractors", "1", "--seed", "3"]
    assert capacity.main(words) == 0
    told = capsys.readouterr().out
    # One pattern alone: it and its negative are the two that are stable, each with half of all.
    lines = [line.split() for line in told.splitlines() if "stored" in line and "%" in line]
    assert sorted(" ".join(line[1:-2]) for line in lines) == ["negative of stored 1", "stored 1"]
    assert [line[0].translate(str.maketrans("#.", ".#")) for line in lines][::-1] == [
        line[0] for line in lines
    ]
    assert sum(float(line[-2][:-1]) for line in lines) == pytest.approx(100, abs=0.1)
    assert len({line[-1] for line in lines}) == 1
    assert "hebb, 6 neurons, 1 patterns: 2 stable states, 0 of them neither" in told


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"noise": 1.01}, "--noise 1.01: expected 0 to 1. Pass --noise 0.2, say."),
        ({"noise": -0.01}, "--noise -0.01: expected 0 to 1."),
        ({"side": 1}, "--side 1: expected at least 2. Pass more."),
        ({"seed": -1}, "--seed -1: expected at least 0. Pass more."),
        ({"cue": Path("c"), "noise": 0.0}, "the cue c came with --pattern or --noise"),
        ({"cue": Path("c"), "pattern": 1}, "the cue c came with --pattern or --noise"),
    ],
)
def test_a_recall_beyond_the_edge_is_refused(given, said):
    with pytest.raises(ValueError) as refused:  # noqa: PT011, its text is compared
        Recall(Path("p"), **given)
    assert str(refused.value).startswith(said)


@pytest.mark.parametrize(
    "given", [{"noise": 0.0}, {"noise": 1.0}, {"side": 2}, {"seed": 0}, {"cue": Path("c")}]
)
def test_a_recall_at_the_edge_is_made(given):
    assert Recall(Path("p"), **given).seed == 0


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (["a"], "a"),
        (["a", "b"], "a and b"),
        (["a", "b", "c"], "a, b and c"),
        (["a", "b", "c", "d"], "a, b, c and 1 more"),
        ([*"abcdef"], "a, b, c and 3 more"),
    ],
)
def test_some_names_are_listed_and_others_counted(names, said):
    assert recall._listed(names) == said


@pytest.mark.parametrize(
    ("words", "flipped", "cue"),
    [
        (["--noise", "0"], 0, "row 1"),
        (["--noise", "1"], 0, "row 1"),
        (["--noise", "0.25", "--pattern", "2"], 2, "row 2"),
        ([], 2, "row 1"),  # a fifth of eight, rounded
    ],
)
def test_so_much_of_a_stored_pattern_is_turned(words, flipped, cue, tmp_path, capsys):
    stored = tmp_path / "stored.csv"
    stored.write_text("1,0,1,1,0,0,1,0\n0,0,1,0,1,0,1,1\n")
    assert recall.main([str(stored), *words]) == 0
    told = " ".join(capsys.readouterr().out.split())
    if words[:2] == ["--noise", "1"]:
        assert "recalled the negative of row 1; 0 neurons flipped" in told
    else:
        assert f"{flipped} neurons flipped" in told
        assert cue in told


# Reports


def test_only_a_report_of_ours_is_written_over(tmp_path):
    page = tmp_path / "new" / "index.html"
    report._expect_ours(page)  # nothing is there
    page.parent.mkdir()
    report._expect_ours(page)
    page.write_bytes(b"<html>" + REPORT + b"</html>")
    report._expect_ours(page)
    page.write_text("mine")
    with pytest.raises(ValueError, match=r"index\.html: this page is no report of memnets, and"):
        report._expect_ours(page)
    page.unlink()
    page.mkdir()  # a folder of this name
    with pytest.raises(ValueError, match=r"index\.html: this page is no report of memnets, and"):
        report._expect_ours(page)
    (tmp_path / "file").touch()
    with pytest.raises(ValueError, match=r"a file is in the way\. .* with --out"):
        report._expect_ours(tmp_path / "file" / "below" / "index.html")


# What goes wrong


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OSError(errno.ENOSPC, "No space left", "a"), "a: no space left. Free some space on that"),
        (OSError(errno.EIO, "Input/output error", "a"), "a: input/output error. Check the path, a"),
        (OSError(errno.EMFILE, "Too many open files"), "too many open files. Close other programs"),
        (PermissionError(errno.EACCES, "Denied", "b"), "b: denied. Name a place that you may read"),
        (OSError("in words"), "in words"),
        (FileNotFoundError("x: no such file. Name one."), "x: no such file. Name one."),
        (MemoryError(), "there is not enough memory for this. Ask for less at once"),
        (ImportError("to serve takes uvicorn"), "to serve takes uvicorn"),
    ],
)
def test_what_went_wrong_is_said_with_what_to_do(error, said, monkeypatch, capsys):
    monkeypatch.delenv("MEMNETS_TRACEBACK", raising=False)

    def fail(words):
        raise error

    monkeypatch.setattr(main, "_dispatch", fail)
    assert main.main(["list"]) == USAGE
    assert capsys.readouterr().err.startswith(f"memnets: {said}")


def test_a_reader_that_has_left_is_told_nothing_more(monkeypatch, capsys):
    def fail(words):
        raise BrokenPipeError(errno.EPIPE, "Broken pipe")

    monkeypatch.setattr(main, "_dispatch", fail)
    monkeypatch.setattr("sys.stdout", io.StringIO())
    import sys

    before = sys.stdout
    assert main.main(["list"]) == 0
    with sys.stdout as opened:
        assert opened is not before
        assert opened.name == "/dev/null"
    assert capsys.readouterr().err == ""
