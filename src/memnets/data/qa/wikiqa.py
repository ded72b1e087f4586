"""WikiQA: questions, each with the sentences of an article, marked as answers or not.

The licence is for research only: the data is read where it lies, and never passed on.

Two forms: ``WikiQA-*.tsv`` with a header and seven columns, ``WikiQASent-*.txt`` with question,
sentence and label. Quotation marks are text. The rows of a question follow each other.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from memnets.data import official
from memnets.data.rows import BadRows, decoded, existing, fields, numbered, records, wrong

HEADER = "QuestionID\tQuestion\tDocumentID\tDocumentTitle\tSentenceID\tSentence\tLabel"
"""The first row of the first form."""

ROWS = {"train": 20_360, "dev": 2_733, "test": 6_165}
"""Sentences as published."""

_SENTENCE = "question\tsentence\tlabel"


class Candidate(NamedTuple):
    """A sentence, and whether it answers the question."""

    sentence: str
    right: bool


@dataclass(frozen=True, slots=True)
class WikiQAQuestion:
    """A question with its candidates, in the order of the article.

    Args:
        text: the question.
        candidates: at least one.
        name: its id; empty in the second form.
        title: of the article; empty in the second form.
    """

    text: str
    candidates: tuple[Candidate, ...]
    name: str = ""
    title: str = ""

    @property
    def answered(self) -> bool:
        """Whether some candidate is right: published figures are of these questions only."""
        return any(one.right for one in self.candidates)

    @property
    def mixed(self) -> bool:
        """Whether some candidates are right and some are not, so that their order matters."""
        return self.answered and not all(one.right for one in self.candidates)


class Ranking(NamedTuple):
    """Means over questions, and over how many."""

    average_precision: float
    """MAP."""
    reciprocal_rank: float
    """MRR."""
    questions: int
    unanswered: int
    """How many of them have no right candidate; these count 0."""


class _Row(NamedTuple):
    name: str
    text: str
    title: str
    candidate: Candidate


def load_questions(
    split: str, path: str | os.PathLike[str] | None = None
) -> tuple[WikiQAQuestion, ...]:
    """Load the questions of a split, from either form.

    Args:
        split: "train", "dev" or "test".
        path: the folder of the set, or one that contains it; by default MEMNETS_DATA.

    Raises:
        FileNotFoundError: the file is not at hand; the text has its digest and how to get it.
        ValueError: there is no such split, or a row is not in the format.
    """
    if split not in ROWS:
        raise ValueError(f"{split!r}: there is no such split. Choose one of {', '.join(ROWS)}.")
    names = (f"WikiQA-{split}.tsv", f"WikiQASent-{split}.txt")
    file = official.find("wikiqa", names, path)
    read = read_questions if file.suffix == ".tsv" else read_sentences
    questions = tuple(read(file))
    official.check_count(file, sum(len(one.candidates) for one in questions), ROWS[split])
    return questions


def read_questions(
    path: str | os.PathLike[str], bad: BadRows | None = None
) -> Iterator[WikiQAQuestion]:
    """Stream the questions of a file with header and seven columns."""

    def read(line: str) -> _Row | None:
        if line == HEADER:
            return None
        name, text, _, title, _, sentence, label = fields(line, "\t", HEADER)
        return _Row(name, text, title, Candidate(sentence, _label(label, line, HEADER)))

    return _questions(path, read, bad)


def read_sentences(
    path: str | os.PathLike[str], bad: BadRows | None = None
) -> Iterator[WikiQAQuestion]:
    """Stream the questions of a file ``question<TAB>sentence<TAB>label``."""

    def read(line: str) -> _Row | None:
        text, sentence, label = fields(line, "\t", _SENTENCE)
        return _Row("", text, "", Candidate(sentence, _label(label, line, _SENTENCE)))

    return _questions(path, read, bad)


def read_either(path: str | os.PathLike[str]) -> tuple[WikiQAQuestion, ...]:
    """Read the questions of a file of either form; one with the header has seven columns.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: a row is not in the form; the text names file and line.
    """
    path = existing(path)
    first = next((data for _, data in numbered(path)), b"")
    try:
        read = read_questions if decoded(first) == HEADER else read_sentences
    except ValueError as error:
        raise ValueError(f"{path}:1: {error}") from None
    return tuple(read(path))


def ranking(questions: Iterable[WikiQAQuestion], scores: Iterable[Sequence[float]]) -> Ranking:
    """Return MAP and MRR of candidates in the order of their scores.

    AP = mean over the right candidates of (right ones up to its rank) / rank; RR = 1 / rank of
    the first right one. Equal scores keep the order of the article. A question without a right
    candidate counts 0: pass only those that are `answered` for figures as they are published, and
    say so.

    Args:
        questions: which ones is the caller's choice, and part of the result.
        scores: for each question one a candidate; higher is better.

    Raises:
        ValueError: there are no questions, or the scores are not as many as the candidates.
    """
    precision = reciprocal = 0.0
    count = unanswered = 0
    for question, given in zip(questions, scores, strict=True):
        if len(given) != len(question.candidates):
            raise ValueError(
                f"{question.text!r}: {len(given)} scores for {len(question.candidates)} "
                f"candidates. Expected one a candidate."
            )
        order = sorted(range(len(given)), key=lambda index: -given[index])
        ranks = [
            rank for rank, index in enumerate(order, start=1) if question.candidates[index].right
        ]
        count += 1
        unanswered += not ranks
        if ranks:
            precision += sum(n / rank for n, rank in enumerate(ranks, start=1)) / len(ranks)
            reciprocal += 1 / ranks[0]
    if not count:
        raise ValueError("no questions were given to rank; expected at least one.")
    return Ranking(precision / count, reciprocal / count, count, unanswered)


def _questions(
    path: str | os.PathLike[str], read: Callable[[str], _Row | None], bad: BadRows | None
) -> Iterator[WikiQAQuestion]:
    rows = (row for row in records(path, read, bad) if row is not None)
    for (name, text, title), group in groupby(rows, key=lambda row: row[:3]):
        yield WikiQAQuestion(text, tuple(row.candidate for row in group), name, title)


def _label(label: str, line: str, expected: str) -> bool:
    if label not in ("0", "1"):
        raise wrong(line, f"{expected} with 0 or 1")
    return label == "1"
