"""The archives that `make dist` writes: what they hold, and what they must not."""

import shutil
import subprocess
from pathlib import Path

import pytest
from hatchling.builders.sdist import SdistBuilder
from hatchling.builders.wheel import WheelBuilder

from memnets import results
from memnets.cli.results import main
from memnets.results import provenance

ROOT = Path(__file__).resolve().parents[2]


def files_of(builder, root):
    return {Path(file.distribution_path) for file in builder(str(root)).recurse_included_files()}


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="an unpacked archive has no git")
def test_the_source_archive_holds_every_file_that_git_tracks():
    git = ["git", "-C", str(ROOT), "ls-files", "-z"]
    tracked = subprocess.run(git, capture_output=True, check=True, text=True).stdout
    there = {Path(name) for name in tracked.split("\0") if name and (ROOT / name).is_file()}
    assert there <= files_of(SdistBuilder, ROOT)


def test_the_source_archive_holds_nothing_that_commands_wrote(tmp_path):
    source = {"README.md", "examples/films.csv", "results/a.json", "src/memnets/__init__.py"}
    written = {
        ".venv/pyvenv.cfg",
        "dist/memnets.whl",
        "examples/films.kb/phrases.toml",
        "films.facts/kb.json",
        "films.kb/kb.json",
        "my.docs/docs.json",
        "my.txt",
        "runs/first/run.json",
        "site/index.html",
        "src/memnets/__pycache__/main.pyc",
    }
    for name in source | written:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    for name in ("pyproject.toml", ".gitignore"):
        shutil.copy(ROOT / name, tmp_path)
    held = files_of(SdistBuilder, tmp_path)
    assert held == {Path(name) for name in (*source, "pyproject.toml", ".gitignore")}


def test_the_wheel_holds_the_package_and_its_results():
    held = files_of(WheelBuilder, ROOT)
    shipped = {path for path in held if path.parent == Path("memnets/results/shipped")}
    assert {path.name for path in shipped} == {path.name for path in ROOT.glob("results/*.json")}
    assert {Path("memnets/py.typed"), Path("memnets/bibliography.bib")} <= held
    assert {path.parts[0] for path in held} == {"memnets"}


def test_an_installed_memnets_shows_the_results_it_was_shipped_with(tmp_path, monkeypatch, capsys):
    installed = tmp_path / "site-packages" / "memnets" / "results"
    shutil.copytree(ROOT / "results", installed / "shipped")
    monkeypatch.setattr(provenance, "__file__", str(installed / "provenance.py"))
    monkeypatch.chdir(tmp_path)
    assert main(["bench-memn2n"]) == 0
    assert "plain twin" in capsys.readouterr().out
    assert results.results_folder() == Path("results")  # what is measured here stays here
