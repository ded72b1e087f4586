"""What is learnt of a KB from its own facts alone: answers given, declined and wrongly declined."""

from memnets.experiments.seeds import Entry, Figure, SeedsTable
from memnets.kb.questions.questions import UNANSWERABLE
from memnets.studies.kb_qa.recipes import films, towns
from memnets.studies.kb_qa.strangers import strangers

FIGURES = (
    Figure(metric="accuracy", words="answered rightly, with all objects"),
    Figure(metric="refused", words="answerable, but declined", better="lower", target=5.0),
    Figure(metric="declined", words="unanswerable, and declined", target=90.0),
    *(Figure(metric=f"declined/{kind}", words=f"declined: {kind}") for kind in UNANSWERABLE),
)


def own_kb() -> SeedsTable:
    """Questions to a KB that nobody wrote questions for, asked in ways that were held out.

    Facts, ways of asking and weights are a seed's.
    """
    runs = {"films": films(), "towns": towns()}
    return SeedsTable(
        title="A KB of 1,000 facts, learnt from its facts alone",
        data=f"{runs['films'].data.rows:,} invented facts a seed",
        entries=tuple(Entry(row=world, run=run) for world, run in runs.items()),
        figures=FIGURES,
        seeds=5,
        selection="mean over all seeds; when to decline is set on ways of asking of their own",
        generated=True,
    )


TABLES = {
    "own-kb": own_kb,
    "strangers": strangers,
}
