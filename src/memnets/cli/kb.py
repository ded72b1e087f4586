"""`memnets kb`: build a knowledge base of facts, learn to answer questions to it, and ask."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import tyro
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from memnets import kb
from memnets.data.rows import fields, records
from memnets.kb.facts import Form

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

    def run(self) -> int:
        further = [] if self.names is None else list(records(self.names, _name))
        with _Facts(self.facts) as progress:
            built = kb.build(
                self.facts,
                self.out,
                form=self.form,
                header=HEADERS[self.header],
                names=further,
                tell=progress.tell,
            )
        again = f" ({built.repeated:,} came again)" if built.repeated else ""
        rate = built.facts / max(built.seconds, 1e-3)
        _say(
            f"{self.out}: {built.facts:,} facts{again}, {built.entities:,} entities, "
            f"{built.relations:,} relations; {built.seconds:.1f} s, {rate:,.0f} facts a second"
        )
        if built.bad.count:
            _say(f"{built.bad.count:,} bad row{'s' * (built.bad.count > 1)} left out:")
            for complaint in built.bad.first[:SHOWN]:
                _say(f"  {complaint}")
            if built.bad.count > SHOWN:
                _say(f"  and {built.bad.count - SHOWN:,} more")
        _say(f"next: memnets kb train {self.out}")
        return 0


COMMANDS: dict[str, Callable[..., Build]] = {"build": Build}


def main(arguments: Sequence[str]) -> int:
    """Run one of the commands."""
    command = tyro.extras.subcommand_cli_from_dict(
        COMMANDS, args=list(arguments), prog="memnets kb", description=__doc__
    )
    return command.run()


def _name(line: str) -> tuple[str, str]:
    entity, name = fields(line, "\t", "entity\tname")
    return entity, name


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

    def tell(self, so_far: kb.Progress) -> None:
        task = self._bar.tasks[0]
        rate = so_far.facts / max(task.elapsed or 0.0, 1e-3)
        if so_far.step == "read":
            self._bar.update(self._task, completed=so_far.read, facts=so_far.facts, rate=rate)
        else:
            self._bar.update(self._task, description="laying out what leads to them", total=None)
