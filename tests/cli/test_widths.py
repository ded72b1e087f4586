"""On a narrow terminal nothing is cut, and help stays inside its width."""

import io

import pytest
from rich.cells import cell_len
from rich.console import Console

from memnets.cli import data, listing
from memnets.cli.main import COMMANDS, main
from memnets.cli.options import Wrapping, wrapped
from memnets.cli.tables import evidence_table, metrics_table
from memnets.data.sources import SOURCES
from memnets.evidence import Answer, Step, Support
from memnets.report.tables import Terminal, cells
from memnets.results import read_all, results_folder
from memnets.studies import recipes, tables

BELOW = {"kb": ("build", "train", "ask"), "docs": ("build", "ask", "facts")}
BELOW["data"] = ("list", "get", "info", "generate")
PAGES = [[], *([name] for name in COMMANDS), ["train", "memn2n/babi-generated"]]
PAGES += [[name, below] for name, all_below in BELOW.items() for below in all_below]


@pytest.mark.parametrize("words", PAGES, ids=" ".join)
def test_help_fits_into_sixty_columns(words, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "60")
    assert main([*words, "--help"]) == 0
    said = capsys.readouterr().out
    assert max(map(cell_len, said.splitlines())) <= 60
    assert "…" not in said
    assert said.count("\n") > 3


def squeezed(text):
    """A text without all that a table may put between its letters."""
    return "".join(text.split())


@pytest.mark.parametrize("width", ["60", "80"])
def test_lists_lose_nothing(width, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", width)
    listing.main([])
    said = capsys.readouterr().out
    assert all(f"\n{name} " in said for name in (*recipes(), *tables()))
    data.main(["list"])
    said += capsys.readouterr().out
    assert all(f"\n{name} " in said for name in SOURCES)
    words = {
        word for known in SOURCES.values() for word in f"{known.title} {known.licence}".split()
    }
    assert all(word in said for word in words)
    assert max(map(cell_len, said.splitlines())) <= int(width)
    assert "…" not in said


def drawn(table, width):
    stream = io.StringIO()
    Console(file=stream, width=width).print(table)
    assert max(map(cell_len, stream.getvalue().splitlines())) <= width
    assert "…" not in stream.getvalue()
    return squeezed(stream.getvalue())


@pytest.mark.parametrize("width", [60, 80])
def test_tables_lose_nothing(width):
    long = "Longwordsthatcannotbebroken" * 3
    supports = (Support(0, long, 0.123, gold=True), Support(1, "Mary went.", 0.5))
    steps = tuple(Step(f"best of {hop} facts: cosine 0.12", supports) for hop in range(5))
    shown = drawn(evidence_table(Answer("Where?", "here", 0.5, (), steps)), width)
    assert shown.count("0.50") == 5
    figures = {f"accuracy/{lag}_{long}": lag / 7 for lag in range(3)}
    shown = drawn(metrics_table(dict.fromkeys(("train", "valid", "test"), figures)), width)
    assert shown.count("0.285714") == 3


@pytest.mark.parametrize("width", [40, 60, 80, 110])
def test_results_lose_nothing(width):
    known = read_all(results_folder())
    for name in ("memn2n-babi-1k-joint", "bench-cran", "recall-long"):
        shown = drawn(Terminal(known[name]), width)
        columns = set(cells(known[name]).columns) - {"note", "seeds", "pairs", "metric"}
        rows = cells(known[name], sorted(columns)).rows
        wide = squeezed("".join(map("".join, rows)))
        assert sum(map(shown.count, "0123456789.")) >= sum(map(wide.count, "0123456789."))
        words = {word for row in known[name].rows for word in row.note.split()}
        assert all(word in shown for word in words)


def test_a_line_is_broken_below_its_text():
    assert wrapped("  name  a text of words", 15) == "  name  a text\nof words"
    assert wrapped("  name  a text of words", 18) == "  name  a text of\n        words"
    assert wrapped("usage: memnets ask RUN", 18) == "usage: memnets ask\n       RUN"
    assert wrapped("\x1b[1musage:\x1b[0m ab", 9) == "\x1b[1musage:\x1b[0m ab"
    assert wrapped("a/path/that/is/long", 5) == "a/path/that/is/long"


def test_a_stream_that_wraps_is_still_the_stream(monkeypatch):
    monkeypatch.setenv("COLUMNS", "9")
    stream = io.StringIO()
    print("one two three", "four", sep="\n", file=Wrapping(stream))
    assert stream.getvalue() == "one two\nthree\nfour\n"
    assert not Wrapping(stream).isatty()
