"""What is told of the answers to questions that chose nothing: printed, and kept as a result."""

from collections.abc import Iterable, Mapping, Sequence

from memnets.data.qa.judged import ALL, Judged, Tally, tallies
from memnets.results import Row, Table, measured
from tools.weighing.hearing import LACKING

NAME = "strangers-unread"
SELECTION = (
    "networks that saw no question about the knowledge base that is asked; but for the last line "
    "nobody who mended the parser read one"
)


def as_result(
    unread: Sequence[Judged], made: Sequence[Judged], read: Sequence[Judged], kbs: int
) -> Table:
    """Return the shares of questions that were answered rightly and wrongly, by kind.

    Args:
        unread: questions about knowledge bases of which none was read.
        made: other questions to them, among them about relations that were left out, which have no
            answer then.
        read: questions about the other knowledge bases.
        kbs: how many knowledge bases were not read.
    """
    left_out = [one for one in made if one.asked.kind == LACKING]
    told = [
        *tallies(unread),
        *(one._replace(kind="of a relation left out") for one in tallies(left_out)),
        *(one._replace(kind="all that were read") for one in tallies(read)[-1:]),
    ]
    rows = [row for tally in told for row in _rows(tally)]
    config = {
        **{"knowledge bases": kbs, "questions": len(unread)},
        **{"left out": len(left_out), "read": len(read)},
    }
    return Table(
        name=NAME, command="python -m tools.weighing", config=config, data=None, rows=tuple(rows)
    )


def _rows(tally: Tally) -> Iterable[Row]:
    """Yield how many of a kind were asked, and the shares of right, wrong and sure answers."""
    kind = "all questions" if tally.kind == ALL else tally.kind
    shares: Mapping[str, int] = {"right": tally.right, "wrong": tally.wrong, "sure": tally.sure}
    names = {"right": "right", "wrong": "wrong", "sure": "wrong and above 90 %"}
    for name, count in shares.items():
        yield measured(
            names[name],
            f"{kind} ({tally.asked:,})",
            {0: 100 * count / max(1, tally.asked)},
            unit="%",
            better="higher" if name == "right" else "lower",
            selection=SELECTION,
        )


def table(rows: Sequence[Tally]) -> Iterable[str]:
    """Yield lines of figures, a kind each."""
    yield f"{'':24}{'asked':>6}{'right':>8}{'wrong':>7}{'sure':>6}{'declined':>10}"
    yield from map(line, rows)


def line(row: Tally) -> str:
    """Return the figures of a kind."""
    kind = "all" if row.kind == ALL else row.kind
    share = f"{row.right / max(1, row.asked):.1%}"
    return f"{kind:24}{row.asked:6}{share:>8}{row.wrong:7}{row.sure:6}{row.declined:10}"
