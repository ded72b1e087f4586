"""Divide questions so that no side has a template, an entity or a question of another.

WikiMovies' own training questions share both with its test questions. Where only the 10,000
published dev questions are at hand, training on some and testing on others would measure how well
templates are remembered, unless they are divided by both.
"""

import hashlib
import os
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from memnets.data.qa.wikimovies.entities import Entities
from memnets.data.qa.wikimovies.questions import SLOT, EntityQuestion, MovieQuestion, analyse
from memnets.data.rows import fields, records
from memnets.files import write_bytes

SHARES: Mapping[str, float] = MappingProxyType({"train": 0.4, "valid": 0.2, "test": 0.4})
"""The sides, and about how much of the questions each one gets."""

_FORM = "side\tcategory\ttemplate\tentity\tanswer|answer"


@dataclass(frozen=True)
class Split:
    """Questions by side.

    Args:
        sides: each side's questions, with template and entity.
        dropped: how many questions were left out: asked before, without an entity, or with the
            template of one side and the entity of another.
    """

    sides: Mapping[str, tuple[EntityQuestion, ...]]
    dropped: int

    @property
    def sha256(self) -> str:
        """The digest of the file that `write_split` writes."""
        return hashlib.sha256(_written(self)).hexdigest()

    def templates(self, side: str) -> frozenset[str]:
        return frozenset(asked.template for asked in self.sides[side])

    def entities(self, side: str) -> frozenset[str]:
        return frozenset(asked.entity for asked in self.sides[side])

    def entities_elsewhere(self, side: str) -> frozenset[str]:
        """Return what the other sides ask about."""
        return frozenset[str]().union(
            *(self.entities(other) for other in self.sides if other != side)
        )


def split_by_template_and_entity(
    questions: Iterable[MovieQuestion],
    entities: Entities,
    shares: Mapping[str, float] = SHARES,
) -> Split:
    """Divide questions by template and by the entity that they ask about.

    Each class's templates are dealt to the sides, a rare class's too, so that every side has each
    class that has as many templates as there are sides. An entity goes where most of its questions
    are; the few questions elsewhere are dropped. The order of the questions has no influence, and
    every machine gives the same split. An answer may be on several sides: there are few genres.

    Args:
        questions: with their classes.
        entities: they say what a question asks about.
        shares: the sides, and the part of each class's questions that each one should get.

    Raises:
        ValueError: the shares do not sum to 1, or one is not positive.
    """
    if abs(sum(shares.values()) - 1) > 1e-9 or min(shares.values(), default=0) <= 0:
        raise ValueError(
            f"shares={dict(shares)}: expected a positive share for each side, 1 in all. "
            f"For example {dict(SHARES)}."
        )
    questions = list(questions)
    asked = sorted(analyse(questions, entities), key=_order)
    side_of_template = _deal_templates(asked, shares)
    votes: dict[str, Counter[str]] = {}
    for one in asked:
        votes.setdefault(one.entity, Counter())[side_of_template[one.template]] += 1
    side_of_entity = {
        entity: min(count, key=lambda side: (-count[side], _hash(f"{entity}\0{side}")))
        for entity, count in votes.items()
    }
    kept: dict[str, list[EntityQuestion]] = {side: [] for side in shares}
    for one in asked:
        side = side_of_template[one.template]
        if side == side_of_entity[one.entity]:
            kept[side].append(one)
    return Split(
        {side: tuple(ones) for side, ones in kept.items()},
        len(questions) - sum(map(len, kept.values())),
    )


def write_split(split: Split, path: str | os.PathLike[str]) -> None:
    """Write a split, one question a line: side, class, template, entity, answers."""
    write_bytes(Path(path), _written(split))


def read_split(path: str | os.PathLike[str]) -> Split:
    """Read a split that `write_split` wrote.

    Raises:
        FileNotFoundError: there is no such file.
        ValueError: a line is not in the format, or a template or an entity is on two sides.
    """
    sides: dict[str, list[EntityQuestion]] = {}
    dropped = 0
    seen: dict[tuple[str, str], str] = {}
    for side, category, words, entity, answers in records(path, _columns):
        if side == "dropped":
            dropped = int(answers)
            continue
        for kind, value in (("template", words), ("entity", entity)):
            before = seen.setdefault((kind, value), side)
            if before != side:
                raise ValueError(
                    f"{path}: the {kind} {value!r} is on two sides, {before} and {side}. "
                    f"Expected each on one. Generate the split anew."
                )
        question = MovieQuestion(words.replace(SLOT, entity), tuple(answers.split("|")), category)
        sides.setdefault(side, []).append(EntityQuestion(question, words, entity))
    return Split({side: tuple(ones) for side, ones in sides.items()}, dropped)


def _deal_templates(asked: list[EntityQuestion], shares: Mapping[str, float]) -> dict[str, str]:
    """Give each template a side: class by class, to the side that lacks the most questions."""
    sizes: dict[str, Counter[str]] = {}
    for one in asked:
        sizes.setdefault(one.question.category, Counter())[one.template] += 1
    side_of: dict[str, str] = {}
    for _, templates in sizes.items():  # in order of classes, as the questions are
        whole = templates.total()
        have: Counter[str] = Counter()
        for words in templates:
            if words in side_of:  # as in a class before
                have[side_of[words]] += templates[words]
        for words in sorted(templates, key=lambda one: (-templates[one], _hash(one))):
            if words not in side_of:
                lacks = {side: share - have[side] / whole for side, share in shares.items()}
                side_of[words] = max(lacks, key=lambda side: (have[side] == 0, lacks[side]))
                have[side_of[words]] += templates[words]
    return side_of


def _order(asked: EntityQuestion) -> tuple[str, str, str, tuple[str, ...]]:
    return asked.question.category, asked.template, asked.entity, asked.question.answers


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _written(split: Split) -> bytes:
    lines = [f"dropped\t-\t-\t-\t{split.dropped}\n"]
    lines += [
        f"{side}\t{one.question.category or '-'}\t{one.template}\t{one.entity}"
        f"\t{'|'.join(one.question.answers)}\n"
        for side, ones in sorted(split.sides.items())
        for one in ones
    ]
    return "".join(lines).encode()


def _columns(line: str) -> list[str]:
    side, category, *others = fields(line, "\t", _FORM)
    return [side, "" if category == "-" else category, *others]
