"""What is measured, or from where, by the name of the relation that says so."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from memnets.kb.programs.arguments import Argument
from memnets.kb.programs.asked import Asked, hints_beside
from memnets.kb.programs.forms import singulars
from memnets.kb.programs.lexicon import DEGREES
from memnets.kb.programs.saying import Options
from memnets.kb.programs.wordings import LITTLE
from memnets.kb.values.columns import Columns

FROM = frozenset({"from", "to"})


def measured_from(
    arguments: Sequence[Argument],
    words: Sequence[str],
    relations: Mapping[str, tuple[str, ...]],
    columns: Columns,
) -> Iterator[tuple[Argument, str]]:
    """Yield names that only say what a relation measures, or from where.

    So does the sea of `distance_to_sea` where the question asks for the furthest or the like, or
    tells a distance, and the tower of `tower_height` beside "highest".

    Args:
        arguments: what a question names.
        words: of the question.
        relations: the words of each.
        columns: their types.
    """
    hints = {hint for word in words if word in DEGREES for hint in DEGREES[word].hints.split()}
    units = {one.value.unit for one in arguments if one.value and one.value.unit}
    for one in arguments:
        before = [word for word in words[: one.begin] if word not in ("the", "our")][-1:]
        beside = hints_beside(words, one.begin, one.end)
        if one.value or not (beside or FROM.issuperset(before)):
            continue
        own = [{word, *singulars(word)} for word in words[one.begin : one.end]]
        for name, parts in relations.items():
            told = ({*parts} - LITTLE).difference(*own)
            column = columns.of(name)
            far = not told.isdisjoint(hints) or (bool(told) and column.unit in units)
            measured = (far and FROM.issuperset(before)) or not told.isdisjoint(beside)
            if measured and all(map({*parts}.intersection, own)) and column.kind == "number":
                yield one, name


def with_measures(asked: Iterable[Asked], measures: Mapping[Argument, str]) -> list[Asked]:
    """Return what is said, in order, with the relations that measure from what is named."""
    found = [Asked(one.begin, one.end, Options([(name, 1.0)])) for one, name in measures.items()]
    places = {at for one in found for at in range(one.begin, one.end)}
    kept = (one for one in asked if places.isdisjoint(range(one.begin, one.end)))
    return sorted((*kept, *found), key=lambda one: one.begin)
