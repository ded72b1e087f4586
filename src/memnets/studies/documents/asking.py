"""Questions put to a store of documents, and what is learnt from them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from memnets.data.qa.placed import PlacedQuestion, read_placed
from memnets.kb.documents import docstore
from memnets.kb.documents.clues import Clues, clues
from memnets.kb.documents.docstore import DocStore
from memnets.kb.documents.reranking import DECAY, Example, fit

FOLDER = Path("examples") / "documents"
"""Where documents and questions are, in a checkout of the repository."""
HANDBOOK = "handbook"
CHOOSING, REPORTING = "choosing.tsv", "reporting.tsv"
LEARNING = (CHOOSING, "learning.tsv")
"""Questions that weights are learnt from; they are about other files than those that report."""
TOPS = (1, 3, 10)


class Heard(NamedTuple):
    """A question, and the sentences that were found for it."""

    file: str
    """That the answer is in."""
    clues: NDArray[np.float64]
    """A row a sentence, in the order of BM25."""
    right: int | None
    """Which of them is the answer; None where it was not found."""

    def rank(self, weights: Clues | None = None) -> int | None:
        """Return where the answer stands, from 1, in the order of BM25 or of some weights."""
        if self.right is None or weights is None:
            return None if self.right is None else self.right + 1
        scores = self.clues @ np.array(weights)
        mine = scores[self.right]
        # Of equal ones those that BM25 has first stay first.
        ahead = np.count_nonzero(scores > mine) + np.count_nonzero(scores[: self.right] == mine)
        return 1 + int(ahead)


def read_questions(path: Path) -> list[PlacedQuestion]:
    """Read questions of the repository's documents.

    Raises:
        FileNotFoundError: they are not there.
    """
    if not path.is_file():
        raise FileNotFoundError(
            f"{path}: no such file. Run this in a checkout of the repository, or name the folder "
            f"of {path.name} with --data."
        )
    return read_placed(path)


def hear(store: DocStore, questions: Iterable[PlacedQuestion]) -> list[Heard]:
    """Return what is found for questions."""
    return [_heard(store, question) for question in questions]


def learn(heard: Iterable[Heard], decay: float = DECAY) -> Clues:
    """Return the weights that some questions teach; those whose answer is not found teach nothing.

    Raises:
        ValueError: no answer is found.
    """
    return fit([Example(one.clues, one.right) for one in heard if one.right is not None], decay)


def crossed(heard: Sequence[Heard], decay: float = DECAY) -> list[int | None]:
    """Return ranks by weights that were learnt from the questions about all other files."""
    found: list[int | None] = [None] * len(heard)
    for file in sorted({one.file for one in heard}):
        weights = learn((one for one in heard if one.file != file), decay)
        for place, one in enumerate(heard):
            if one.file == file:
                found[place] = one.rank(weights)
    return found


def _within(top: int) -> Callable[[int | None], float]:
    return lambda rank: float(rank is not None and rank <= top)


FIGURES: dict[str, Callable[[int | None], float]] = {
    **{f"top {top}": _within(top) for top in TOPS},
    "MRR": lambda rank: 1 / rank if rank else 0.0,
}
"""What the rank of an answer counts for."""


def _heard(store: DocStore, question: PlacedQuestion) -> Heard:
    asked, candidates = store.candidates(question.text)
    places = [store.place(one.slot) for one in candidates]
    answer = question.file, question.line
    right = places.index(answer) if answer in places else None
    return Heard(question.file, clues(asked, candidates), right)


@contextmanager
def handbook(folder: Path) -> Iterator[DocStore]:
    """Give the handbook as a store, which is there until the end of the block."""
    with TemporaryDirectory() as aside:
        docstore.build(folder / HANDBOOK, Path(aside) / "handbook.docs")
        yield DocStore.open(Path(aside) / "handbook.docs")


def digest(folder: Path, *names: str) -> str:
    """Return the checksum of the documents, and of some files beside them."""
    whole = sha256()
    for path in (*sorted((folder / HANDBOOK).rglob("*.md")), *(folder / name for name in names)):
        whole.update(path.relative_to(folder).as_posix().encode() + b"\0" + path.read_bytes())
    return whole.hexdigest()
