"""MetaQA: questions of one, two and three hops over the knowledge base of WikiMovies.

A line is ``question with [entity]<TAB>answer|answer``, the knowledge base ``head|relation|tail``.
Questions are lower-case apart from the entity and end without a question mark; a title may hold
one.
"""

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from memnets.data import official
from memnets.data.facts import Triple
from memnets.data.rows import BadRows, fields, records, wrong

COUNTS = {
    1: {"train": 96_106, "dev": 9_992, "test": 9_947},
    2: {"train": 118_980, "dev": 14_872, "test": 14_872},
    3: {"train": 114_196, "dev": 14_274, "test": 14_274},
}
"""Questions by hops and split, as published."""


@dataclass(frozen=True, slots=True)
class MetaQAQuestion:
    """A question about one entity.

    Args:
        words: the question with ``[]`` in place of the entity.
        entity: what it asks about, as the knowledge base has it.
        answers: each one is right.
        hops: how many facts lead from the entity to an answer.
    """

    words: str
    entity: str
    answers: tuple[str, ...]
    hops: int

    @property
    def text(self) -> str:
        """The question without brackets."""
        return self.words.replace("[]", self.entity)


def load_questions(
    hops: int, split: str, path: str | os.PathLike[str] | None = None
) -> tuple[MetaQAQuestion, ...]:
    """Load the questions of one file.

    Args:
        hops: 1, 2 or 3.
        split: "train", "dev" or "test".
        path: the folder of the set, or one that contains it; by default MEMNETS_DATA.

    Raises:
        FileNotFoundError: the file is not at hand; the text has its digest and how to get it.
        ValueError: there are no such questions, or a line is not in the format.
    """
    if hops not in COUNTS or split not in COUNTS[hops]:
        raise ValueError(
            f"hops={hops}, split={split!r}: there are no such questions. "
            f"Choose 1, 2 or 3 hops, and train, dev or test."
        )
    names = (f"{hops}-hop/vanilla/qa_{split}.txt", f"metaqa_{hops}hop_{split}.txt")
    file = official.find("metaqa", names, path)
    questions = tuple(read_questions(file, hops))
    official.check_count(file, len(questions), COUNTS[hops][split])
    return questions


def hops_of(path: str | os.PathLike[str]) -> int:
    """Return the number of hops that a path names as the published ones do; 0 where it does not.

    The last of several counts: ``1-hop/vanilla/qa_dev.txt``, ``metaqa_2hop_dev.txt``.
    """
    found = re.findall(r"(?<![0-9])([1-3])-?hop(?![a-z])", os.fspath(path))
    return int(found[-1]) if found else 0


def load_triples(path: str | os.PathLike[str] | None = None) -> tuple[Triple, ...]:
    """Load the knowledge base, 134,741 lines as published."""
    file = official.find("metaqa", ("kb.txt",), path)
    triples = tuple(read_triples(file))
    official.check_count(file, len(triples), 134_741)
    return triples


def read_questions(
    path: str | os.PathLike[str], hops: int, bad: BadRows | None = None
) -> Iterator[MetaQAQuestion]:
    """Stream questions, e.g. ``who directed [Kismet]<TAB>Vincente Minnelli``."""

    def read(line: str) -> MetaQAQuestion:
        text, answers = fields(line, "\t", _QUESTION)
        before, opened, rest = text.partition("[")
        entity, closed, after = rest.rpartition("]")
        if not (opened and closed and entity) or not all(names := answers.split("|")):
            raise wrong(line, _QUESTION)
        return MetaQAQuestion(f"{before}[]{after}", entity, tuple(names), hops)

    return records(path, read, bad)


def read_triples(path: str | os.PathLike[str], bad: BadRows | None = None) -> Iterator[Triple]:
    """Stream the knowledge base, ``head|relation|tail``."""
    return records(path, lambda line: Triple(*fields(line, "|", "head|relation|tail")), bad)


def read_numbered(
    path: str | os.PathLike[str],
    entities: Mapping[str, str],
    relations: Mapping[str, str],
    bad: BadRows | None = None,
) -> Iterator[Triple]:
    """Stream triples of the form with ids, ``id<TAB>relation id<TAB>id``, in words.

    Args:
        path: the file.
        entities: names by id, as `read_names` reads them from ``entity2text.txt``.
        relations: names by id, from ``relation2text.txt``.
        bad: counts bad rows; without it the first one is an error.
    """

    def read(line: str) -> Triple:
        head, relation, tail = fields(line, "\t", "id\trelation id\tid")
        return Triple(_named(head, entities), _named(relation, relations), _named(tail, entities))

    return records(path, read, bad)


def read_names(path: str | os.PathLike[str], bad: BadRows | None = None) -> dict[str, str]:
    """Read names by id, ``id<TAB>name``."""

    def read(line: str) -> tuple[str, str]:
        key, name = fields(line, "\t", "id\tname")
        return key, name

    return dict(records(path, read, bad))


_QUESTION = "question with [entity]\tanswer|answer"


def _named(key: str, names: Mapping[str, str]) -> str:
    if key not in names:
        raise ValueError(
            f"the id {key!r} has no name. Expected one of the {len(names):,} ids of the name "
            f"table. Take triples and names from one copy of the set."
        )
    return names[key]
