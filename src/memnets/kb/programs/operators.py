"""The operators of which programs are made: plain records, which say what is to be done.

A set of entities is named, reached over relations, or narrowed; a program gives a set, a number, or
yes or no. A relation with "!" before it is read from its object to its subject.

    Path(Named(("Bo Li",)), ("Manager", "salary"))           # what does Bo Li's manager earn?
    Count(And((Having("department", Named(("IT",))), Having("languages", Named(("Welsh",))))))
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from typing import Literal

from memnets.kb.store.layouts import REVERSED

MOST_HOPS = 3
"""Relations of one path."""
How = Literal["more than", "less than", "at least", "at most", "in"]
"""Of dates: after, before, since, until, and within."""


@dataclass(frozen=True)
class Named:
    """Entities by their names; several where a name is ambiguous."""

    names: tuple[str, ...]


@dataclass(frozen=True)
class Path:
    """What is reached over one to three relations, each from all that the last one read."""

    start: "Set"
    relations: tuple[str, ...]

    def __post_init__(self) -> None:
        if not 1 <= len(self.relations) <= MOST_HOPS:
            raise ValueError(
                f"Path: {len(self.relations)} relations; expected 1 to {MOST_HOPS}. Put a path "
                f"into the start of another one to go on."
            )


@dataclass(frozen=True)
class Having:
    """All that have a relation to one of some objects, or to anything."""

    relation: str
    value: "Set | None" = None


@dataclass(frozen=True)
class Not:
    """All of which the relation is known, and that have it to none of some objects."""

    relation: str
    value: "Set"


@dataclass(frozen=True)
class Compared:
    """All whose value of a relation is more, or less, than one that is written, or than another's.

    A set stands for its own values of the relation: more than the greatest, less than the least.
    """

    relation: str
    how: How
    value: "str | Set"


@dataclass(frozen=True)
class Between:
    """All whose value of a relation lies between two that are written, both included."""

    relation: str
    low: str
    high: str


@dataclass(frozen=True)
class Several:
    """All that have a relation to more objects than a number, or to fewer; of none nothing is said.

    Of a relation read backwards, all that are the object of so many.
    """

    relation: str
    how: How
    number: str


@dataclass(frozen=True)
class And:
    """What is in every one of some sets."""

    parts: tuple["Set", ...]


@dataclass(frozen=True)
class Or:
    """What is in any one of some sets."""

    parts: tuple["Set", ...]


@dataclass(frozen=True)
class OtherThan:
    """What is in a set, without what is in another."""

    of: "Set"
    but: "Set"


@dataclass(frozen=True)
class Most:
    """Those of the greatest value of a relation, or of the least; of equal ones all."""

    relation: str
    of: "Set | None" = None
    least: bool = False


@dataclass(frozen=True)
class Oftenest:
    """The objects that most of a set have as their relation, or fewest; of equal ones all.

    Of a relation read backwards, those who have the most objects.
    """

    relation: str
    of: "Set | None" = None
    least: bool = False


@dataclass(frozen=True)
class Compare:
    """The one of two of the greater value of a relation, or the lesser; of equal ones both."""

    one: "Set"
    other: "Set"
    relation: str
    least: bool = False


@dataclass(frozen=True)
class Count:
    """How many are in a set."""

    of: "Set"


@dataclass(frozen=True)
class IsThere:
    """Whether a set has any, or whether it has none."""

    of: "Set"
    none: bool = False


@dataclass(frozen=True)
class IsIt:
    """Whether an entity has a relation to one of some objects; nothing where it has it to none."""

    entity: "Set"
    relation: str
    value: "Set"


Set = (
    Named | Path | Having | Not | Compared | Between | Several | And | Or | OtherThan | Most
    | Oftenest | Compare
)  # fmt: skip
"""What gives entities."""
Program = Set | Count | IsThere | IsIt
"""What answers a question."""


def parts_of(program: Program) -> Iterator[Program]:
    """Yield a program, and those in it."""
    yield program
    for field in fields(program):
        inner = getattr(program, field.name)
        for one in inner if isinstance(inner, tuple) else (inner,):
            if is_dataclass(one):
                yield from parts_of(one)  # type: ignore[arg-type]


def relations_of(program: Program | str | None) -> Iterator[str]:
    """Yield every relation that a program reads, without the "!" of those read backwards."""
    if program is None or isinstance(program, str):
        return
    for field in fields(program):
        value = getattr(program, field.name)
        if field.name == "relation":
            yield value.removeprefix(REVERSED)
        elif field.name == "relations":
            yield from (one.removeprefix(REVERSED) for one in value)
        elif field.name == "parts":
            for part in value:
                yield from relations_of(part)
        elif field.name in ("start", "value", "of", "but", "one", "other", "entity"):
            yield from relations_of(value)


DATE_WORDS = {
    **{"more than": "after", "less than": "before", "at least": "since", "at most": "until"},
    "in": "in",
}


def in_words(program: Program) -> str:
    """Return what a program does, in words.

    Args:
        program: any.
    """
    match program:
        case Named(names):
            return " or ".join(names)
        case Path(start, relations):
            said = in_words(start)
            for relation in relations:
                said = f"{_relation(relation)} of ({said})"
            return said
        case Having(relation, value):
            what = "anything" if value is None else in_words(value)
            return f"those with {_relation(relation)}: {what}"
        case Not(relation, value):
            return f"those with {_relation(relation)}, but not {in_words(value)}"
        case Compared(relation, how, value):
            than = value if isinstance(value, str) else f"that of {in_words(value)}"
            return f"those with {_relation(relation)} {how} {than}"
        case Between(relation, low, high):
            return f"those with {_relation(relation)} between {low} and {high}"
        case Several(relation, how, number):
            much = how.replace("in", "exactly").replace("less", "fewer")
            return f"those with {much} {number} {_relation(relation)}"
        case And(parts):
            return " and ".join(f"({in_words(part)})" for part in parts)
        case Or(parts):
            return " or ".join(f"({in_words(part)})" for part in parts)
        case OtherThan(of, but):
            return f"{in_words(of)}, other than {in_words(but)}"
        case Most(relation, of_, least) | Oftenest(relation, of_, least):
            among = f" among {in_words(of_)}" if of_ is not None else ""
            if relation.startswith(REVERSED):
                much = "fewest" if least else "most"
                return f"those with the {much} {relation.removeprefix(REVERSED)}{among}"
            often = "commonest " if isinstance(program, Oftenest) and not least else ""
            often = "rarest " if isinstance(program, Oftenest) and least else often
            degree = often or ("least " if least else "most ")
            return f"the {degree}{_relation(relation)}{among}"
        case Compare(one, other, relation, least):
            degree = "lesser" if least else "greater"
            return f"the {degree} {_relation(relation)}: {in_words(one)} or {in_words(other)}"
        case Count(of):
            return f"how many: {in_words(of)}"
        case IsThere(of, none):
            return f"whether there is {'none' if none else 'any'}: {in_words(of)}"
        case IsIt(entity, relation, value):
            return f"whether {_relation(relation)} of {in_words(entity)} is {in_words(value)}"


def _relation(relation: str) -> str:
    if relation.startswith(REVERSED):
        return f"what has as {relation.removeprefix(REVERSED)}"
    return relation
