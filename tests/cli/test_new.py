"""`memnets new study`: what it writes, and that it is a study once it is filled in."""

import os
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from memnets import studies
from memnets.cli import new
from memnets.cli.main import main
from memnets.cli.new import FILES, LONGEST, left, write_study
from memnets.cli.status import USAGE
from memnets.experiments.execute import start
from memnets.studies import kinds, recipes, tables

ROOT = Path(__file__).resolve().parents[2]

# What is filled in, by file: a pattern and what stands in its place. The page has the code.
BLANK = r" +raise NotImplementedError\(\n.*?\n +\)\n"
BLOCKS = dict(
    re.findall(
        r'^```python title="(.+?)"\n(.*?)^```',
        (ROOT / "docs/extending.md").read_text("utf-8"),
        re.DOTALL | re.MULTILINE,
    )
)
FILLED = {
    "data.py": {
        "import dataclass\n": "import dataclass\nfrom random import Random\n",
        "import Story": "import Question, Statement, Story",
        BLANK: BLOCKS["data.py"],
    },
    "recipes.py": {
        BLANK: BLOCKS["recipes.py"],
        r"FILL IN one line.*\.": "One hop of MemN2N learns which symbol was shown first.",
    },
    "task.py": {
        "import StoryQuestions": "import StoryQuestions, recency",
        BLANK: BLOCKS["task.py"],
    },
    "tables.py": {"FILL IN .*table": "MemN2N on the first of four symbols"},
    "__init__.py": {r"FILL IN .*data\.": "MemN2N learns which of four symbols was shown first."},
    "test_first_symbol.py": {"LEAST = .*": "LEAST = 0.9  # one in five by chance"},
    "first-symbol.md": {"FILL IN .*": "Which of four symbols was shown first? MemN2N can tell."},
}


def fill_in(paths: list[Path]) -> int:
    """Fill a new study in, and return how many lines that takes."""
    lines = 0
    for path in paths:
        text = path.read_text("utf-8")
        for old, filled in FILLED.get(path.name, {}).items():
            text, times = re.subn(old, filled, text, flags=0 if old != BLANK else re.DOTALL)
            assert times == 1, (path, old)
            lines += max(1, filled.count("\n"))
        path.write_text(text, "utf-8")
    return lines


@pytest.fixture
def written(tmp_path, monkeypatch):
    """The files of a new study, beside those of the package."""
    paths = write_study("first_symbol", tmp_path)
    folder = str(tmp_path / "src/memnets/studies")
    monkeypatch.setattr(studies, "__path__", [*studies.__path__, folder])
    _forget()
    yield paths
    _forget()
    for name in [name for name in sys.modules if name.startswith("memnets.studies.first_symbol")]:
        del sys.modules[name]


def _forget() -> None:
    for found in (studies.recipes, studies.tables, studies.kinds):
        found.cache_clear()


def test_its_folder_its_tests_and_its_page_are_written_and_nothing_else(tmp_path):
    written = write_study("first_symbol", tmp_path)
    assert {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()} == {
        *(f"src/memnets/studies/first_symbol/{name}" for name in FILES if name.endswith("s.py")),
        *(f"src/memnets/studies/first_symbol/{name}.py" for name in ("__init__", "data", "task")),
        "src/memnets/studies/first_symbol/inference.py",
        "tests/studies/first_symbol/test_first_symbol.py",
        "docs/first-symbol.md",
    }
    wanted = {path.name for path, _, _ in left(written)}
    assert wanted == FILLED.keys()


@pytest.mark.parametrize("name", ["xy", "first_symbol", "a" * LONGEST, "ab_cd_ef_gh_ij_kl_mn_opq"])
def test_what_is_written_is_in_our_style(name, tmp_path):
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    write_study(name, tmp_path)
    ours = ["--config", 'lint.isort.known-first-party = ["memnets"]']  # most of it is not here
    for words in (["check"], ["format", "--check"]):
        ruff = [sys.executable, "-m", "ruff", *words, *ours, "--no-cache", "."]
        done = subprocess.run(ruff, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("First", "'First' cannot be a study's folder: expected lower-case words joined by _"),
        ("first-symbol", "cannot be a study's folder"),
        ("class", "cannot be a study's folder"),
        ("a" * (LONGEST + 1), "has 25 characters: expected at most 24"),
        ("memn2n", "'memn2n' names a recipe, a table or a kind of run already"),
        ("babi", "src/memnets/studies/babi: this is there already, and nothing is overwritten"),
        ("data", "docs/data.md: this is there already"),
    ],
)
def test_a_name_that_cannot_be_is_refused(name, message, capsys):
    assert main(["new", "study", name]) == USAGE
    assert message in capsys.readouterr().err


def test_names_of_tables_are_taken_and_a_name_may_be_as_long_as_is_said():
    new._check("a" * LONGEST)
    others = {*kinds(), *(recipe.partition("/")[0] for recipe in recipes())}
    taken = next(name for name in tables() if name not in others and len(name) <= LONGEST)
    with pytest.raises(ValueError, match=f"'{taken}' names a recipe, a table or a kind"):
        new._check(taken.replace("-", "_"))


def test_an_installed_package_is_no_place_for_a_study(tmp_path, monkeypatch, capsys):
    installed = tmp_path / "lib/site-packages/memnets"
    monkeypatch.setattr(new, "__file__", str(installed / "cli/new.py"))
    assert main(["new", "study", "first_symbol"]) == USAGE
    said = capsys.readouterr().err
    assert f"{installed}: no checkout of memnets" in said
    assert "pip install --editable" in said


def test_a_study_that_is_not_filled_in_is_listed_and_says_what_it_wants(written, tmp_path, capsys):
    assert main(["list"]) == 0
    assert "first-symbol/base" in capsys.readouterr().out
    with pytest.raises(NotImplementedError, match="FILL IN the stories of a split"):
        start(studies.recipe("first-symbol/base")(), tmp_path / "run")


def test_the_study_of_the_page_takes_less_than_forty_lines(written, tmp_path, capsys):
    assert fill_in(written) <= 40
    assert list(left(written)) == []
    from memnets.studies.first_symbol import recipes

    exec(BLOCKS["another recipe"], vars(recipes) | {"replace": replace}, more := {})
    assert more["narrow"]().model.dim == 10
    run = str(tmp_path / "run")
    assert main(["train", "first-symbol/base", "--out", run]) == 0
    story = tmp_path / "story.txt"
    story.write_text("b\na\ne\ne\n")
    capsys.readouterr()
    assert main(["ask", run, "--story", str(story), "--question", "which was first?"]) == 0
    assert re.search(r"^b  99\.\d%", capsys.readouterr().out, re.MULTILINE)


@pytest.mark.slow
def test_its_tests_fail_until_it_is_filled_in_and_its_table_is_filled(tmp_path):
    skipped = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "src/memnets", tmp_path / "src/memnets", ignore=skipped)
    shutil.copytree(ROOT / "tests/house", tmp_path / "tests/house", ignore=skipped)
    for name in ("conftest", "lean_checks"):
        shutil.copy(ROOT / f"tests/{name}.py", tmp_path / "tests")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    (tmp_path / "tests/studies").mkdir()
    (tmp_path / "docs").mkdir()

    def python(*words: str) -> subprocess.CompletedProcess[str]:
        given = {**os.environ, "PYTHONPATH": "src", "COLUMNS": "100"}
        command = [sys.executable, "-m", *words]
        return subprocess.run(command, cwd=tmp_path, env=given, capture_output=True, text=True)

    made = python("memnets", "new", "study", "first_symbol")
    assert made.returncode == 0, made.stderr
    assert "Fill in, in this order:\n  src/memnets/studies/first_symbol/data.py:" in made.stdout
    tests = ("pytest", "-q", "-p", "no:cacheprovider", "tests/studies/first_symbol")
    house = tuple(f"tests/house/test_{name}.py" for name in ("source", "imports", "discovery"))
    failed = python(*tests)
    assert failed.returncode == 1
    assert "passed" not in failed.stdout
    assert "FILL IN the stories of a split" in failed.stdout
    kept = python("pytest", "-q", "-p", "no:cacheprovider", *house)
    assert kept.returncode == 0, kept.stdout
    fill_in(
        [
            tmp_path / path.format(name="first_symbol", page="first-symbol.md")
            for path in FILES.values()
        ]
    )
    passed = python(*tests, *house)
    assert passed.returncode == 0, passed.stdout
    filled = python("memnets", "reproduce", "first-symbol", "--results", "results")
    assert filled.returncode == 0, filled.stderr
    assert re.search(r"base +100\.0 ± 0\.0 +done", filled.stdout)
