"""`memnets kb build`: a knowledge base of a file of facts."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import tyro
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from memnets import kb
from memnets.cli.terminal import say
from memnets.evidence.heat import visible
from memnets.inference.kb import build, namesakes_in_words
from memnets.kb.store.facts import Form
from memnets.kb.store.store import Store

SHOWN = 5
"""So many bad rows are shown."""
LEAST_ROWS = 5
"""From so many facts on it is told whether they look like a table."""
HEADERS = {"look": None, "yes": True, "no": False}


@dataclass(frozen=True)
class Build:
    """Build a knowledge base from a file of facts.

    One fact a line: subject, relation and object, separated by tabs, commas, semicolons or bars; or
    N-Triples. UTF-8, optionally gzipped. A workbook (.xlsx), of which the first sheet is read, and
    JSON (a list of records, or a record a line) are tables. Malformed rows are counted and listed.
    An existing knowledge base stays in use until the new one is complete.
    """

    facts: tyro.conf.Positional[Path]
    """File of the facts; - for standard input."""
    out: Path
    """Folder for the knowledge base, such as my.kb."""
    form: Form | None = None
    """Format of the file; by default recognised from its first line."""
    header: Literal["look", "yes", "no"] = "look"
    """Whether the first row names the columns; look: yes if it holds usual column names."""
    names: Path | None = None
    """File of further names for entities: one entity, a tab and one name a line."""
    table: bool = False
    """Whether the file is a table: one row an entity, one column a relation."""
    subject: str | None = None
    """Name of the table column that holds the entity of each row; by default the first."""
    key: str | None = None
    """Name of the table column that tells rows of one name apart, such as an id. By default the
    first column that differs does, where few names come again."""

    def __post_init__(self) -> None:
        for option, column in (("subject", self.subject), ("key", self.key)):
            if column is not None and not self.table:
                raise ValueError(
                    f"--{option} {column!r} names a column of a table. Pass --table too."
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
                key=self.key,
                tell=progress.tell,
            )
        again = f" ({built.repeated:,} came again)" if built.repeated else ""
        rate = built.facts / max(built.seconds, 1e-3)
        say(
            f"{self.out}: {built.facts:,} facts{again}, {built.entities:,} entities, "
            f"{built.relations:,} relations; {built.seconds:.1f} s, {rate:,.0f} facts a second"
        )
        bad = built.bad
        if bad.count:
            say(f"{bad.count:,} bad row{'s' * (bad.count > 1)} left out:")
            for complaint in bad.first[:SHOWN]:
                say(f"  {complaint}")
            if bad.count > SHOWN:
                say(f"  and {bad.count - SHOWN:,} more")
        if not built.table and self.form != "ntriples":
            self._doubt(Store.open(self.out))
        if told := namesakes_in_words(built, SHOWN):
            say(f"memnets: {told}", error=True)
        say(f"next: memnets kb train {self.out}")
        return 0

    def _doubt(self, store: Store) -> None:
        """Say so where the facts look like the rows of a table."""
        if looks_like_a_table(store):
            first = ", ".join(store.facts[0])
            say(
                f"memnets: {self.facts}: {len(store.relations):,} relations in "
                f"{len(store.facts):,} facts, as of a table with a row an entity and a column a "
                f"relation. If it is one, and its first row names the columns ({first}), build it "
                f"again with --table.",
                error=True,
            )


def looks_like_a_table(store: Store) -> bool:
    """Whether facts were rather the rows of a table of three columns, read without --table.

    Relations come again and again, and so do subjects; what stands in the cells of a table hardly
    does.
    """
    facts, relations = len(store.facts), len(store.relations)
    if facts < LEAST_ROWS or 10 * relations <= facts:
        return False
    return 2 * relations > facts or 10 * len(np.unique(store.facts.subjects)) > 9 * facts


class _Facts:
    """A progress bar: how much of the file is read, and how many facts a second."""

    def __init__(self, path: Path) -> None:
        self._bar = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            TextColumn("{task.fields[facts]:,} facts, {task.fields[rate]:,.0f} a second"),
            TimeElapsedColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        size = path.stat().st_size if path.is_file() else None
        self._task = self._bar.add_task(visible(str(path)), total=size, facts=0, rate=0.0)

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
