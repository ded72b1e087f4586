"""SimpleQuestions v2: each question is answered by one fact of Freebase.

A line is ``subject<TAB>relation<TAB>object<TAB>question``. The facts, FB2M and FB5M, are read by
`freebase.read_facts`; their names are not part of the set.

The mini set is cut from the official *test* file. So its figures are never compared with published
ones, and what was trained on it is never tested on the official test questions. It holds little
more than the facts behind its questions: add distractors before quoting an accuracy.
"""

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass

from memnets.data import official
from memnets.data.facts import Fact, Triple
from memnets.data.qa.freebase import identifier, read_facts, read_names
from memnets.data.rows import BadRows, fields, records, wrong

COUNTS = {"train": 75_910, "valid": 10_845, "test": 21_687}
"""Questions as published."""

WIKIDATA_COUNTS = {"train": 34_374, "valid": 4_867, "test": 9_961}
"""Questions mapped to Wikidata, as published."""

ANSWERABLE_COUNTS = {"train": 19_481, "valid": 2_820, "test": 5_621}
"""Those of them that Wikidata answers, counted in the files; the set's README says fewer."""

_FORM = "subject\trelation\tobject\tquestion"


@dataclass(frozen=True, slots=True)
class SimpleQuestion:
    """A question and the fact that answers it.

    Args:
        subject: an identifier, ``m.0f3xg_`` or ``Q126399``.
        relation: ``people.person.place_of_birth``, ``P19``, or ``R19``: P19 asked backwards.
        object: the answer.
        text: as it was asked: any case, double spaces, with or without a question mark.
    """

    subject: str
    relation: str
    object: str
    text: str

    @property
    def fact(self) -> Triple:
        """The fact as a knowledge base holds it: ``R19`` is P19 from object to subject."""
        if re.fullmatch(r"R\d+", self.relation):
            return Triple(self.object, f"P{self.relation[1:]}", self.subject)
        return Triple(self.subject, self.relation, self.object)


@dataclass(frozen=True, slots=True)
class Mini:
    """The mini set: facts, names of their entities, and questions."""

    facts: tuple[Fact, ...]
    names: dict[str, str]
    train: tuple[SimpleQuestion, ...]
    valid: tuple[SimpleQuestion, ...]


def load_questions(
    split: str, path: str | os.PathLike[str] | None = None
) -> tuple[SimpleQuestion, ...]:
    """Load the official questions of a split.

    Args:
        split: "train", "valid" or "test".
        path: the folder of the set, or one that contains it; by default MEMNETS_DATA.

    Raises:
        FileNotFoundError: the file is not at hand; the text has its digest and how to get it.
        ValueError: there is no such split, or a line is not in the format.
    """
    _check_split(split)
    name = f"annotated_fb_data_{split}.txt"
    names = (f"SimpleQuestions_v2/{name}", name, f"official_{split}.txt")
    file = official.find("simplequestions", names, path)
    questions = tuple(read_questions(file))
    official.check_count(file, len(questions), COUNTS[split])
    return questions


def load_wikidata(
    split: str, path: str | os.PathLike[str] | None = None, answerable: bool = False
) -> tuple[SimpleQuestion, ...]:
    """Load the questions that could be mapped to Wikidata: a set of its own, never compared.

    Args:
        split: "train", "valid" or "test".
        path: the folder of the set, or one that contains it; by default MEMNETS_DATA.
        answerable: take only those whose fact is in Wikidata.
    """
    _check_split(split)
    name = f"annotated_wd_data_{split}{'_answerable' if answerable else ''}.txt"
    file = official.find("simplequestions-wikidata", (name,), path)
    questions = tuple(read_wikidata(file))
    counts = ANSWERABLE_COUNTS if answerable else WIKIDATA_COUNTS
    official.check_count(file, len(questions), counts[split])
    return questions


def load_mini(path: str | os.PathLike[str] | None = None) -> Mini:
    """Load the mini set; never compare its figures with published ones.

    Args:
        path: the folder of the set, or one that contains it; by default MEMNETS_DATA.
    """
    facts, names, train, valid = (
        official.find("simplequestions-mini", (name,), path)
        for name in ("kb.tsv", "names.tsv", "train.tsv", "valid.tsv")
    )
    return Mini(
        tuple(read_facts(facts)),
        read_names(names),
        tuple(read_questions(train)),
        tuple(read_questions(valid)),
    )


def read_questions(
    path: str | os.PathLike[str], bad: BadRows | None = None
) -> Iterator[SimpleQuestion]:
    """Stream questions, ``www.freebase.com/m/..<TAB>www.freebase.com/..<TAB>..<TAB>question``."""

    def read(line: str) -> SimpleQuestion:
        subject, relation, item, text = fields(line, "\t", _FORM)
        return SimpleQuestion(identifier(subject), identifier(relation), identifier(item), text)

    return records(path, read, bad)


def read_wikidata(
    path: str | os.PathLike[str], bad: BadRows | None = None
) -> Iterator[SimpleQuestion]:
    """Stream questions, ``Q126399<TAB>R272<TAB>Q7428297<TAB>question``."""

    def read(line: str) -> SimpleQuestion:
        subject, relation, item, text = fields(line, "\t", _FORM)
        if not (_is("Q", subject) and _is("[PR]", relation) and _is("Q", item)):
            raise wrong(line, "Q<number>\tP<number> or R<number>\tQ<number>\tquestion")
        return SimpleQuestion(subject, relation, item, text)

    return records(path, read, bad)


def _is(letter: str, text: str) -> bool:
    return re.fullmatch(rf"{letter}\d+", text, re.ASCII) is not None


def _check_split(split: str) -> None:
    if split not in COUNTS:
        raise ValueError(f"{split!r}: there is no such split. Choose train, valid or test.")
