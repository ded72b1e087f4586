"""`memnets reproduce`: what it runs, where it writes, and what it shows meanwhile."""

import json
import os
from types import SimpleNamespace

import pytest
from rich.progress import Progress

from memnets import results
from memnets.cli import reproduce
from memnets.cli.main import main


class Planned:
    """A table of two stages; the second is only known when the first has ended."""

    def __init__(self, *stages):
        self.planned, self.asked, self.collected = stages, [], []

    def stages(self, name, runs, data, only):
        self.asked.append((name, runs, data, only))
        for number, stage in enumerate(self.planned):
            yield [SimpleNamespace(name=f"{number}", seed=s, folder=runs / one) for s, one in stage]

    def lacks(self, job, before):
        return (job.seed,) != before.rows[0].seeds

    def collect(self, name, runs, data, before):
        self.collected.append((name, runs, data, before))
        return made(name, command=f"{len(self.collected)}")


def made(name, command="x"):
    asked = {"unit": "%", "better": "lower", "selection": "mean over all seeds"}
    rows = (results.measured("our own", "error", {0: 12.5}, **asked),)
    return results.Table(name=name, command=command, config={}, data=None, rows=rows)


@pytest.fixture
def fill(tmp_path, monkeypatch, capsys):
    """Fill a table whose runs named "old" have ended; tell what was run and what the bar showed."""
    (tmp_path / "runs" / "old").mkdir(parents=True)
    (tmp_path / "runs" / "old" / "result.json").touch()
    shown, begun = [], []

    def carry_out(todo, workers, device):
        begun.append(([job.folder.name for job in todo], workers, device))
        yield from todo

    class Watched(Progress):
        def update(self, line, **changes):
            super().update(line, **changes)
            one = self.tasks[line]
            shown.append((one.description, one.completed, one.total))

    monkeypatch.setattr(reproduce, "_bar", lambda: Watched(disable=True))
    monkeypatch.setattr(reproduce, "carry_out", carry_out)

    def call(table, *words):
        monkeypatch.setattr(reproduce, "table_named", lambda name: table)
        places = ("--runs", str(tmp_path / "runs"), "--results", str(tmp_path / "results"))
        assert main(["reproduce", "toy", *places, *map(str, words)]) == 0
        return begun, shown, capsys.readouterr().out.splitlines()

    return call


def test_what_has_ended_is_counted_and_the_rest_is_run_stage_by_stage(fill, tmp_path):
    table = Planned([(0, "a"), (1, "old"), (2, "b")], [(7, "old"), (8, "c")])
    begun, shown, told = fill(table, "--only", "task 4", "--workers", 3, "--data", tmp_path)
    runs = tmp_path / "runs"
    assert table.asked == [("toy", runs, tmp_path, "task 4")]
    assert begun == [(["a", "b"], 3, "cpu"), (["c"], 3, "cpu")]
    assert shown == [
        ("toy", 1, 3),
        ("0, seed 0", 2, 3),
        ("0, seed 2", 3, 3),
        ("0, seed 2", 4, 5),
        ("1, seed 8", 5, 5),
    ]
    # Written after each run, and once more where nothing was left to run.
    assert table.collected == [("toy", runs, tmp_path, None)] * 4
    path = tmp_path / "results" / "toy.json"
    assert json.loads(path.read_text())["command"] == "4"
    assert told[-1] == f"{path}"
    assert any("our own" in line and "12.5" in line for line in told[:-1])


def test_how_far_it_is_goes_to_standard_error(capsys):
    with reproduce._bar() as bar:
        bar.add_task("toy", total=7)
    told = capsys.readouterr()
    assert (told.out, "toy" in told.err, "0/7" in told.err) == ("", True, True)


def test_one_run_at_a_time_is_least():
    assert reproduce.Reproduce("toy", workers=1).workers == 1
    with pytest.raises(ValueError, match=r"^--workers 0: expected at least 1"):
        reproduce.Reproduce("toy", workers=0)
    with pytest.raises(ValueError, match=r"^--only '\(' is no regular expression"):
        reproduce.Reproduce("toy", only="(")


def test_the_table_of_before_is_gone_on_with(fill, tmp_path):
    before = made("toy")
    results.write(before, tmp_path / "results")
    table = Planned([(1, "old")])
    begun, shown, _ = fill(table)
    assert begun == [([], os.cpu_count(), "cpu")]
    assert shown == [("toy", 1, 1)]
    assert table.asked == [("toy", tmp_path / "runs", None, "")]
    assert table.collected == [("toy", tmp_path / "runs", None, before)]


def test_only_seeds_that_the_table_lacks_are_run_where_that_is_asked(fill, tmp_path):
    begun, _, _ = fill(Planned([(0, "a"), (1, "b")]), "--missing")  # no table yet
    begun, shown, _ = fill(Planned([(0, "a"), (1, "b"), (2, "old")]), "--missing")
    assert [names for names, *_ in begun] == [["a", "b"], ["b"]]
    assert shown[-1] == ("0, seed 1", 3, 3)
    begun, *_ = fill(Planned([(0, "a")]))
    assert begun[-1][0] == ["a"]


@pytest.mark.parametrize(("commit", "refused"), [("a1-dirty", True), ("a1", False), (None, False)])
def test_figures_are_written_beside_the_source_that_made_them(commit, refused, monkeypatch):
    monkeypatch.setattr(results, "commit", lambda: commit)
    if refused:
        with pytest.raises(ValueError, match="the source has changes that no commit holds"):
            reproduce.committed_results()
    else:
        assert reproduce.committed_results() == results.results_folder()
