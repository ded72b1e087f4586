"""The documents' tables are the results, or the check fails."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from memnets.results import write
from tools.render import first_difference, main, markdown, markdown_files, render

ROOT = Path(__file__).resolve().parents[2]
PAGE = """\
# A page

<!-- results: toy -->
<!-- /results -->

between

<!-- results: toy rows="task 1*" columns="row, measured" -->
whatever stood here
<!-- /results -->

```
<!-- results: toy -->
```
"""


@pytest.fixture
def page(tmp_path, table):
    write(table, tmp_path / "results")
    path = tmp_path / "docs" / "page.md"
    path.parent.mkdir()
    path.write_text(PAGE)
    return path


def run(page, *more):
    results = page.parents[1] / "results"
    return main([str(page.parent), "--results", str(results), *more])


def test_tables_are_filled_and_the_rest_is_left(page, table):
    assert run(page) == 0
    text = page.read_text()
    assert f"<!-- results: toy -->\n\n{markdown(table)}\n\n<!-- /results -->\n\nbetween" in text
    assert "| row | measured |\n| --- | ---: |\n| task 1 | 7.0 ± 1.4 |\n| task 10 | – |" in text
    assert "whatever" not in text
    assert text.endswith("```\n<!-- results: toy -->\n```\n")


def test_rows_stand_side_by_side(page, table):
    more = [
        replace(row, row=name, metric=metric, measured=value, target=target)
        for row in table.rows[:1]
        for name, metric, value, target in (
            ("a", "right", 5.0, None), ("b", "right", 6.0, 9.0), ("b", "wrong", 1.0, None)
        )
    ]  # fmt: skip
    write(replace(table, rows=tuple(more)), page.parents[1] / "results")
    page.write_text('<!-- results: toy across="rows" -->\n<!-- /results -->\n')
    assert run(page) == 0
    text = page.read_text()
    assert "| metric | a | b | target |\n| --- | ---: | ---: | ---: |" in text
    assert "| right (%) | 5.0 | 6.0 | ≤ 9.0 |" in text
    assert "| wrong (%) | – | 1.0 | – |" in text
    page.write_text('<!-- results: toy across="columns" -->\n<!-- /results -->\n')
    with pytest.raises(ValueError, match="unknown option 'across'"):
        run(page)


def test_a_filled_page_passes_and_is_filled_to_the_same(page, capsys):
    assert run(page, "--check") == 1
    assert "page.md:4: differs from the results" in capsys.readouterr().err
    assert page.read_text() == PAGE
    run(page)
    before = page.read_text()
    assert run(page, "--check") == 0
    assert run(page) == 0
    assert page.read_text() == before


def test_a_figure_typed_by_hand_is_caught(page, capsys):
    run(page)
    page.write_text(page.read_text().replace("7.0 ± 1.4 | 2", "6.0 ± 1.4 | 2"))
    assert run(page, "--check") == 1
    error = capsys.readouterr().err
    assert "page.md:7: differs from the results" in error
    assert "has      | task 1 | error (%) | 6.0" in error
    assert "expected | task 1 | error (%) | 7.0" in error


def test_a_changed_result_is_caught(page, table):
    run(page)
    changed = replace(table.rows[1], measured=13.5)
    write(
        replace(table, rows=(table.rows[0], changed, *table.rows[2:])), page.parents[1] / "results"
    )
    assert run(page, "--check") == 1


def test_a_longer_or_shorter_file_differs_at_its_end():
    assert "a.md:2: differs" in first_difference("x\n", "x\ny\n", "a.md")


@pytest.mark.parametrize(
    ("marker", "match"),
    [
        ("<!-- results: toi -->", r"a\.md:3: there is no result 'toi'. Did you mean toy"),
        ("<!-- results: -->", r"a\.md:3: there is no result ''"),
        ('<!-- results: toy rows="z*" -->', r"a\.md:3: toy has no row like 'z\*'"),
        ('<!-- results: toy columns="z" -->', r"a\.md:3: toy has no column 'z'"),
        ("<!-- results: toy colour=1 -->", r"a\.md:3: unknown option 'colour'. Write rows="),
        ('<!-- results: toy rows="z -->', r"a\.md:3: No closing quotation"),
    ],
)
def test_a_marker_that_means_nothing_is_refused(marker, match, table):
    with pytest.raises(ValueError, match=match):
        render(f"a\n\n{marker}\n<!-- /results -->\n", {"toy": table}, "a.md")


@pytest.mark.parametrize("rest", ["", "<!-- results: toy -->\n<!-- /results -->\n"])
def test_a_table_that_is_not_closed_is_refused(rest, table):
    with pytest.raises(ValueError, match=r"a\.md:1: this table is not closed. Put <!-- /results"):
        render(f"<!-- results: toy -->\n{rest}", {"toy": table}, "a.md")


def test_a_missing_path_is_named(tmp_path):
    with pytest.raises(ValueError, match=r"nowhere\.md: no such file or folder"):
        markdown_files([tmp_path / "nowhere.md"])


def test_no_path_at_all_is_refused():
    with pytest.raises(ValueError, match=r"no paths: nothing would be .* Pass docs README\.md"):
        markdown_files([])


def test_it_runs_as_a_module(page):
    command = [sys.executable, "-m", "tools.render", str(page), "--check", "--results"]
    done = subprocess.run([*command, str(page.parent)], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.startswith(f"memnets: {page}:3: there is no result 'toy'")
