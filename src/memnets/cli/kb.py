"""`memnets kb`: build a knowledge base of facts, learn to answer questions to it, and ask."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import tyro
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from memnets import kb
from memnets.cli.kb_ask import Ask
from memnets.cli.kb_train import Train
from memnets.inference.kb import build
from memnets.kb.store.facts import Form

SHOWN = 5
"""So many bad rows are shown."""
HEADERS = {"look": None, "yes": True, "no": False}


@dataclass(frozen=True)
class Build:
    """Build a knowledge base of a file of facts.

    One fact a line, subject, relation and object, parted by TABs, commas, semicolons or bars, or
    N-Triples; in UTF-8, also gzipped. Rows that are none are counted and named. What was there
    before stays in force until the new one is whole.
    """

    facts: tyro.conf.Positional[Path]
    """The file."""
    out: Path
    """The folder of the knowledge base, e.g. my.kb."""
    form: Form | None = None
    """Of the file; by default as its first line looks."""
    header: Literal["look", "yes", "no"] = "look"
    """Whether the first row names the columns; look: if it does so in usual words."""
    names: Path | None = None
    """A file of further names: an entity, a TAB and a name a line."""
    table: bool = False
    """The file is a table: a row an entity, a column a relation, a cell its objects."""
    subject: str | None = None
    """The column of a table that names what a row is about; by default the first."""

    def __post_init__(self) -> None:
        if self.subject is not None and not self.table:
            raise ValueError(
                f"--subject {self.subject!r} names a column of a table. Pass --table too."
            )

    def run(self) -> int:
        with _Facts(self.facts) as progress:
            built = build(
                self.facts,
                self.out,
                form=self.form,
                header=HEADERS[self.header],
                names=self.names or (),
                table=self.table,
                subject=self.subject,
                tell=progress.tell,
            )
        again = f" ({built.repeated:,} came again)" if built.repeated else ""
        rate = built.facts / max(built.seconds, 1e-3)
        _say(
            f"{self.out}: {built.facts:,} facts{again}, {built.entities:,} entities, "
            f"{built.relations:,} relations; {built.seconds:.1f} s, {rate:,.0f} facts a second"
        )
        bad = built.bad
        if bad.count:
            _say(f"{bad.count:,} bad row{'s' * (bad.count > 1)} left out:")
            for complaint in bad.first[:SHOWN]:
                _say(f"  {complaint}")
            if bad.count > SHOWN:
                _say(f"  and {bad.count - SHOWN:,} more")
        _say(f"next: memnets kb train {self.out}")
        return 0


COMMANDS: dict[str, Callable[..., Build | Train | Ask]] = {
    "build": Build,
    "train": Train,
    "ask": Ask,
}


def main(arguments: Sequence[str]) -> int:
    """Run one of the commands."""
    command = tyro.extras.subcommand_cli_from_dict(
        COMMANDS, args=list(arguments), prog="memnets kb", description=__doc__
    )
    return command.run()


def _say(text: str) -> None:
    # Paths must stay whole, for those who copy them or read them by program.
    Console().print(text, highlight=False, soft_wrap=True, markup=False)


class _Facts:
    """A progress bar: how much of the file is read, and how many facts a second."""

    def __init__(self, path: Path) -> None:
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.fields[facts]:,} facts, {task.fields[rate]:,.0f} a second"),
            TimeElapsedColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        size = path.stat().st_size if path.is_file() else None
        self._task = self._bar.add_task(str(path), total=size, facts=0, rate=0.0)

    def __enter__(self) -> "_Facts":
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def tell(self, so_far: kb.StoreProgress) -> None:
        task = self._bar.tasks[0]
        rate = so_far.facts / max(task.elapsed or 0.0, 1e-3)
        if so_far.step == "read":
            self._bar.update(self._task, completed=so_far.read, facts=so_far.facts, rate=rate)
        else:
            self._bar.update(self._task, description="laying out what leads to them", total=None)
