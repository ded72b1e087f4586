"""Learn again how sentences that were found are weighed, from the questions that are there for it.

    python -m tools.reranking

Builds the handbook of `examples/documents` and asks it the questions of `choosing.tsv` and
`learning.tsv`. How far weights are kept small (L2) is tried out by leaving out the questions about
one file at a time, and so are the figures that are printed. The last lines are the weights to put
into `memnets.kb.documents.reranking`. The questions that report, `reporting.tsv`, are never read.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

from memnets.kb.documents import docstore
from memnets.kb.documents.docstore import DocStore
from memnets.studies.documents.asking import (
    FIGURES,
    FOLDER,
    HANDBOOK,
    LEARNING,
    Heard,
    crossed,
    hear,
    learn,
    read_questions,
)

DECAYS = (0.01, 0.03, 0.1, 0.3, 1.0)
DIGITS = 3
"""Of the weights."""


def heard_of(folder: Path) -> list[Heard]:
    """Return what is found for the questions that are learnt from."""
    with TemporaryDirectory() as aside:
        docstore.build(folder / HANDBOOK, Path(aside) / "handbook.docs")
        store = DocStore.open(Path(aside) / "handbook.docs")
        return [one for file in LEARNING for one in hear(store, read_questions(folder / file))]


def main() -> None:
    """Print figures and weights."""
    heard = heard_of(FOLDER)
    print(f"{len(heard)} questions; BM25 alone {_told([one.rank() for one in heard])}")
    for decay in DECAYS:
        print(f"decay {decay:g}, other files' weights {_told(crossed(heard, decay))}")
    for name, weight in learn(heard)._asdict().items():
        print(f"{name}={round(weight, DIGITS)},")


def _told(ranks: list[int | None]) -> str:
    figures = {name: sum(map(counts, ranks)) / len(ranks) for name, counts in FIGURES.items()}
    return ", ".join(f"{name} {figure:.4f}" for name, figure in figures.items())


if __name__ == "__main__":
    main()
