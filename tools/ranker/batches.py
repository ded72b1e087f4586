"""Questions beside all that they may ask for: what their table, less some columns, has."""

import random
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, product
from typing import NamedTuple

import torch
from torch import Tensor

from memnets.kb.questions.ranking import asking
from tools.ranker.phrasings import Column, Phrasing, Step, Table

LEFT_OUT = 6
"""At most so many columns of a table are left out of a batch; then none answers their questions."""
NAMES = ("link", "text")
"""What may lead to a thing, by the kind of its objects."""


class Batch(NamedTuple):
    """Questions of a table, and what they may ask for."""

    questions: Sequence[Phrasing]
    forwards: Sequence[Column]
    backwards: Sequence[Column]
    paths: Sequence[Sequence[tuple[int, ...]]]
    """Of two steps and of three, by their places in both."""
    visible: Tensor
    """Whether each question may ask for each of them, or for none (questions, all of them)."""
    own: Tensor
    """Whether each is of the questions' own table (all of them)."""
    right: Tensor
    """The place of what each question does ask for."""

    @property
    def texts(self) -> tuple[list[str], list[str], list[str]]:
        """The texts of the questions, of what is asked for forwards, and of what is backwards."""
        forwards, backwards = (
            [asking(*column)[back] for column in some]
            for back, some in enumerate((self.forwards, self.backwards))
        )
        return [one.text for one in self.questions], forwards, backwards


def batch_of(
    table: Table, questions: Sequence[Phrasing], others: Sequence[Table], chance: random.Random
) -> Batch:
    """Return questions with all that they may ask for, the columns of other tables among them."""
    most = min(LEFT_OUT, len(table.columns) - 1)
    left_out = {*chance.sample([*table.columns], chance.randint(0, most))}
    kept = [name for name in table.columns if name not in left_out]
    forwards = [table.columns[name] for name in kept]
    forwards += [one for other in others for one in other.columns.values()]
    leads = [name for name in kept if table.columns[name].kind in NAMES]
    backwards = [one for one in forwards if one.kind in NAMES]
    places = {Step(name): at for at, name in enumerate(kept)}
    places |= {Step(name, True): len(forwards) + at for at, name in enumerate(leads)}
    paths = [*_paths(table, places, 2)], [*_paths(table, places, 3)]
    right: dict[tuple[Step, ...], int] = {(step,): at for step, at in places.items()}
    right |= {path: len(forwards) + len(backwards) + at for at, path in enumerate(chain(*paths))}
    none = len(forwards) + len(backwards) + sum(map(len, paths))
    own = torch.zeros(none + 1, dtype=torch.bool)
    own[[*right.values(), none]] = True
    things = [*(True for _ in forwards), *(one.kind == "link" for one in backwards)]
    names = [*(False for _ in forwards), *(True for _ in backwards)]
    first = [places[path[0]] for path in chain(*paths)]
    of_thing, of_value = (
        torch.tensor([*one, *(one[at] for at in first), True]) for one in (things, names)
    )
    return Batch(
        questions,
        forwards,
        backwards,
        [[tuple(places[step] for step in path) for path in some] for some in paths],
        torch.stack([of_value if _is_of_value(table, one) else of_thing for one in questions]),
        own,
        torch.tensor([right.get(one.path, none) for one in questions]),
    )


def _paths(table: Table, first: Iterable[Step], length: int) -> Iterator[tuple[Step, ...]]:
    """Yield the paths of a length that begin so, over links, to any column.

    Of two steps, the second may be backwards: from a row to those that have it, or from what a row
    has to the others that have the same.
    """
    forwards = [step for step in first if not step.backwards]
    links = [step for step in forwards if table.columns[step.column].kind == "link"]
    begin = first if length == 2 else links
    back = [Step(step.column, True) for step in links] if length == 2 else []
    for step in begin:
        if step.backwards or step in links:
            yield from product([step], *[links] * (length - 2), [*forwards, *back])
        elif table.columns[step.column].kind in NAMES:
            yield step, Step(step.column, True)


def _is_of_value(table: Table, question: Phrasing) -> bool:
    """Whether a question names what is no row."""
    first = question.path[0] if question.path else Step("")
    return first.backwards and table.columns[first.column].kind == "text"


def batches(
    tables: Sequence[Table], size: int, others: int, chance: random.Random
) -> Iterator[Batch]:
    """Yield all questions once, in batches of one table each."""
    some = []
    for table in tables:
        questions = chance.sample(table.phrasings, len(table.phrasings))
        some += [(table, questions[at : at + size]) for at in range(0, len(questions), size)]
    for table, questions in chance.sample(some, len(some)):
        rest = chance.sample([one for one in tables if one is not table], others)
        yield batch_of(table, questions, rest, chance)
