"""The page on attention says what is so: every part, file and test that it names is there."""

import re
from pathlib import Path

import pytest
import torch

import memnets.attention
import memnets.layers
import memnets.memories
from memnets.attention import Align, Score
from memnets.attention.scores import InnerProduct
from memnets.models import show_attend_tell
from memnets.ops.additive import LIMITS, SEVERAL
from memnets.ops.windows import FEW_SLABS
from memnets.testing import discover
from memnets.testing.conformance.inputs import KEY_DIM, QUERY_DIM, draw

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "attention.md").read_text(encoding="utf-8")
CLASS = re.compile(r"`([A-Z][a-z]\w+)(?:\.(\w+))?(?:\(.*?\))?`")


def section(title):
    return re.search(rf"^## {title}\n(.*?)(?=^## |\Z)", PAGE, re.DOTALL | re.MULTILINE)[1]


def grid(title):
    """Return the cells of a section's first table by the name of the class they begin with."""
    lines = re.findall(r"^\| \[`(\w+)`\]\(.*$", section(title), re.MULTILINE)
    rows = [line for line in section(title).splitlines() if line.startswith("| [`")]
    cells = {name: row[2:-2].split(" | ") for name, row in zip(lines, rows, strict=True)}
    assert len(cells) == len(rows)
    return cells


def fields(cell):
    return set(re.findall(r"`(\w+)`", cell))


SCORES, ALIGNS = grid("Scores"), grid("Aligns")


def test_snippets_run():
    spaces = []
    for text in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL):
        spaces.append({})
        exec(compile(text, "docs/attention.md", "exec"), spaces[-1])
    (first,) = spaces
    assert first["value"].shape == (2, 3, 24)
    assert first["weights"].shape == (2, 3, 13)
    assert "batch query dim, (2, 3, 24); weights: batch query slot, (2, 3, 13)" in PAGE


def names(base):
    return {part.__name__ for part in discover(base)}


def test_every_part_is_on_the_page_and_no_other():
    assert SCORES.keys() == names(Score)
    assert ALIGNS.keys() == names(Align)


def test_every_part_has_its_advice():
    assert names(Score) - fields(section("Which score")) == set()
    assert names(Align) - fields(section("Which align")) == set()


def declared(*words):
    """Return what stands in the table for the words that hold."""
    return ", ".join(word for word, holds in words if holds) or "–"


def test_what_a_score_declares():
    assert {score: cells[2] for score, cells in SCORES.items()} == {
        score.__name__: declared(
            ("equal widths", score.needs_equal_widths),
            ("order matters", score.depends_on_positions),
            ("adds up", score.linear_in_keys),
        )
        for score in discover(Score)
    }


def test_what_an_align_declares():
    assert {align: tuple(cells[2:4]) for align, cells in ALIGNS.items()} == {
        align.__name__: (
            "not fixed" if align.sums_to is None else f"{align.sums_to:g}",
            declared(
                ("order matters", align.depends_on_positions),
                ("no gradient", not align.passes_gradient),
            ),
        )
        for align in discover(Align)
    }


def needed(call):
    """Return the fields of the context without which a call raises."""
    context, missed = draw().context(), set()
    for field in context._fields:
        try:
            call(context._replace(**{field: None}))
        except ValueError as error:
            missed |= set(re.findall(r"needs the context's `(\w+)`", str(error)))
    return missed


def what_a_score_needs(score):
    inputs = draw(QUERY_DIM, QUERY_DIM if score.needs_equal_widths else KEY_DIM)
    part = score.example(QUERY_DIM, inputs.keys.shape[-1]).double()
    return needed(lambda context: part(inputs.query, inputs.keys, context))


def what_an_align_needs(align):
    part, inputs = align.example().double(), draw()
    scores = torch.randn_like(inputs.previous)
    # The attention itself passes the query on.
    return needed(lambda context: part.align(scores, inputs.mask, context)) - {"query"}


@pytest.mark.parametrize(
    ("base", "cells", "needs"),
    [(Score, SCORES, what_a_score_needs), (Align, ALIGNS, what_an_align_needs)],
    ids=["scores", "aligns"],
)
def test_what_a_part_needs(base, cells, needs):
    told = {part: fields(row[-1]) for part, row in cells.items()}
    assert told == {part.__name__: needs(part) for part in discover(base)}
    assert any(told.values())


def test_every_class_that_is_named_exists():
    known = {
        name: getattr(package, name)
        for package in (memnets.attention, memnets.layers, memnets.memories, show_attend_tell)
        for name in package.__all__
    }
    named = CLASS.findall(PAGE)
    assert {name for name, _ in named} <= known.keys()
    for name, attribute in named:
        assert not attribute or hasattr(known[name], attribute), f"{name}.{attribute}"


def test_links_to_the_reference_are_rendered_there():
    names = set(re.findall(r"\]\(reference/attention\.md#memnets\.attention\.(\w+)\)", PAGE))
    assert names
    assert names <= set(memnets.attention.__all__)
    reference = (ROOT / "docs" / "reference" / "attention.md").read_text(encoding="utf-8")
    assert "::: memnets.attention\n\n" in reference  # with all members


def test_every_file_that_is_named_exists():
    paths = set(re.findall(r"`((?:tests|docs|examples)/[\w./-]+)", PAGE))
    assert len(paths) > 10
    for path in paths:
        assert (ROOT / path).is_file(), path
    for path in re.findall(r"\]\(([\w./-]+)(?:#[\w.-]+)?\)", PAGE):
        assert (ROOT / "docs" / path).is_file(), path


def test_every_test_that_is_named_exists():
    tests = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", PAGE)
    assert len(tests) > 30
    for path, test in tests:
        assert f"\ndef {test}(" in (ROOT / path).read_text(encoding="utf-8"), f"{path}::{test}"


def test_links_within_the_page_lead_somewhere():
    headings = re.findall(r"^## (.*)$", PAGE, re.MULTILINE)
    anchors = {re.sub(r"[^\w -]", "", head).lower().replace(" ", "-") for head in headings}
    wanted = set(re.findall(r"\]\(#([\w-]+)\)", PAGE))
    assert wanted
    assert wanted <= anchors


def test_the_thresholds_are_those_of_the_kernels():
    text = " ".join(PAGE.split())
    single, double = (LIMITS[dtype] for dtype in (torch.float32, torch.float64))
    assert f"From {SEVERAL} queries on" in text
    assert f"beyond {single:g} in size ({double:g} in float64)" in text
    assert f"less than {FEW_SLABS} slabs" in text


def test_the_scores_of_the_fused_kernel():
    (row,) = (line for line in section("Fast paths").splitlines() if "`memnets.ops.dot" in line)
    inner = {part.__name__ for part in discover(Score) if issubclass(part, InnerProduct)}
    assert {name for name, _ in CLASS.findall(row.split(" | ")[0])} == inner | {"Softmax"}


def test_the_modules_of_the_fast_paths_exist():
    for path in re.findall(r"`memnets\.ops\.([\w.]+)`", PAGE):
        module, _, function = path.partition(".")
        source = (ROOT / "src" / "memnets" / "ops" / f"{module}.py").read_text(encoding="utf-8")
        assert f"\ndef {function}(" in source if function else source, path
