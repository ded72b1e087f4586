"""Plant faults in a copy of the tree, and say which of them no test sees."""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import tyro
from coverage import CoverageData
from rich.console import Console
from rich.progress import track

from tools.mutants.faults import Fault, draw
from tools.mutants.reached import SECONDS, reaching, seconds

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = Path("src/memnets")
WHERE = ("attention", "memories", "models", "tasks", "training", "data", "kb")
MARKED = ("-m", "not slow and not data and not browser")
MOST_SECONDS = 60.0
"""Of the tests that reach a line, the quickest are run for as long."""
OF_ONE = 3
"""So many parameters of a test function are tried before all others were."""
LOST = r"^ERROR: not found: \S*?(?=tests/)(\S+)"
"""What pytest says of a test that is not there."""
ENDLESS, ENDS_WITHIN = "a test that does not end", 300.0
"""A fault is seen as well where the tests take more seconds than these by the clock."""


@dataclass(frozen=True)
class Options:
    """Plant faults at random, and list those that no test sees."""

    number: int = 40
    """Number of faults."""
    seed: int = 0
    """Seed of the draws."""
    only: tuple[str, ...] = WHERE
    """Folders or modules of the package that are drawn from."""
    cache: Path = ROOT / ".mutants"
    """Folder of what is known of the tests; delete it after larger changes."""
    json: Path | None = None
    """File for every fault and what became of it."""


def main() -> int:
    """Return 1 where a fault was not seen."""
    options, console = tyro.cli(Options, description=__doc__), Console()
    options.cache.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(dir=options.cache) as folder:
        tree = Path(folder) / "tree"
        subprocess.run(["git", "clone", "-q", "--shared", str(ROOT), str(tree)], check=True)
        known = Known.of(options.cache, tree, console)
        files = [file for name in options.only for file in modules(tree / PACKAGE / name)]
        records = []
        for fault in track(draw(files, options.number, options.seed), console=console):
            seen = known.seen(fault)
            told = str(fault._replace(path=fault.path.relative_to(tree)))
            records.append({"fault": told, "seen": seen})
            if seen is None:
                console.print(f"not seen: {told}", markup=False, highlight=False)
    passed = sum(record["seen"] is None for record in records)
    console.print(f"{len(records) - passed} of {len(records)} faults were seen by a test")
    if options.json is not None:
        options.json.write_text(json.dumps(records, indent=1) + "\n", encoding="utf-8")
    return 1 if passed else 0


def modules(path: Path) -> Iterator[Path]:
    """Yield the modules of a folder, or the one of this name."""
    module = path.with_suffix(".py")
    yield from path.rglob("*.py") if path.is_dir() else [module]


@dataclass(frozen=True)
class Known:
    """Which tests of a tree reach which lines, and how long they take."""

    tree: Path
    data: CoverageData
    took: dict[str, float]

    @classmethod
    def of(cls, cache: Path, tree: Path, console: Console) -> "Known":
        """Return what is known; the suite is run once where nothing is."""
        kept, times = cache / "coverage", cache / "seconds.jsonl"
        if not kept.exists():
            console.print("running the suite once, to see which tests reach which lines")
            times.unlink(missing_ok=True)
            settings = cache / "coveragerc"
            settings.write_text(
                f"[run]\nsource = memnets\nrelative_files = True\ndata_file = {kept}.now\n"
            )
            command = ["-m", "coverage", "run", f"--rcfile={settings}", "-m", "pytest", "-q"]
            plugin = ("-p", "tools.mutants.reached", "-p", "no:xdist", *MARKED)
            run(tree, [*command, *plugin, "tests"], {SECONDS: str(times)})
            Path(f"{kept}.now").rename(kept)
        data = CoverageData(str(kept))
        data.read()
        return cls(tree, data, seconds(times))

    def seen(self, fault: Fault) -> str | None:
        """Return the first test that fails with a fault, or None."""
        whole = fault.path.read_text("utf-8")
        tests = reaching(self.data, fault.path.relative_to(self.tree), fault.line, self.took)
        try:
            fault.path.write_text(fault.text, encoding="utf-8")
            for some in self._turns(tests):
                done = self._tested(some)
                if done == ENDLESS:
                    return done
                if failed := re.search(r"^(?:FAILED|ERROR) (\S+)", done, re.M):
                    return failed[1]
        finally:
            fault.path.write_text(whole, encoding="utf-8")
        return None

    def _tested(self, tests: Sequence[str]) -> str:
        """Run tests, and return what was printed.

        A part that is found by its class is only tried where its module was imported. Of one test
        that is not there pytest runs none at all: those of its function are left out then.
        """
        words = ["-m", "pytest", "-xq", "-p", "no:xdist", *MARKED]
        done = run(self.tree, [*words, *tests], {}, ENDS_WITHIN)
        lost = {name.partition("[")[0] for name in re.findall(LOST, done, re.M)}
        there = [test for test in tests if not test.partition("[")[0].endswith(tuple(lost))]
        return done if not lost or not there else self._tested(there)

    def _turns(self, tests: Sequence[str]) -> Iterator[list[str]]:
        """Yield the tests that are run first, and the others."""
        first, second = list[str](), list[str]()
        of_one, total = dict[str, int](), 0.0
        for test in tests:
            function = test.partition("[")[0]
            of_one[function] = of_one.get(function, 0) + 1
            total += self.took[test]
            if total > MOST_SECONDS:
                break
            (first if of_one[function] <= OF_ONE and total < 10 else second).append(test)
        yield from filter(None, (first, second))


def run(tree: Path, words: Sequence[str], more: dict[str, str], within: float | None = None) -> str:
    """Run Python in a tree, and return what was printed; `ENDLESS` where it takes too long.

    No process that it has begun outlives it: one with a fault may never end.
    """
    alone = {"OMP_NUM_THREADS": "1", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": f"{tree}/src"}
    env = {name: value for name, value in os.environ.items() if name != "MEMNETS_DATA"}
    with tempfile.TemporaryFile("w+") as said:  # a pipe would stay open for what is left running
        begun = subprocess.Popen(
            [sys.executable, *words],
            cwd=tree,
            env=env | alone | more,
            stdout=said,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            begun.wait(within)
        except subprocess.TimeoutExpired:
            return ENDLESS
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(begun.pid, signal.SIGKILL)
            begun.wait()
        said.seek(0)
        return said.read()


if __name__ == "__main__":
    sys.exit(main())
