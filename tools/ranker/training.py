"""How rankers are trained: each question against all that its table, less some columns, has."""

import math
import random
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, product
from typing import Any, NamedTuple, Protocol

import torch
from rich.progress import track
from torch import Tensor
from torch.nn import functional as F

from memnets.kb.questions.ranking import asking
from tools.ranker.networks import Encoder, Head
from tools.ranker.phrasings import Column, Phrasing, Step, Table

LEFT_OUT = 6
"""At most so many columns of a table are left out of a batch; then none answers their questions."""
WARM, LAST = 100, 0.02
"""Updates until the rate is whole, and the share of it that is left in the end."""
QUICK = 5.0
"""How much faster the head's scale and biases learn."""
NEAR = 10.0
"""How much it counts at first that vectors are near the teacher's."""
NAMES = ("link", "text")
"""What may lead to a thing, by the kind of its objects."""


class Tokens(Protocol):
    """Knows the tokens of texts."""

    def numbers(self, texts: Sequence[str]) -> list[list[int]]:
        """Return their numbers."""


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


class Model(NamedTuple):
    """An encoder with its head and tokens."""

    encoder: Encoder
    head: Head
    tokens: Tokens

    def encode(self, texts: Sequence[str]) -> Tensor:
        """Return the vectors of texts."""
        return self.encoder(self.tokens.numbers(texts))

    def vectors(self, batch: Batch) -> list[Tensor]:
        """Return the vectors of all texts of a batch, as `Batch.texts` has them."""
        return [self.encode(texts) for texts in batch.texts]

    def scores(self, batch: Batch) -> Tensor:
        """Return how strongly each question asks for each, and for none."""
        scores: Tensor = self.head(*self.vectors(batch), batch.paths)
        return scores


class Teacher:
    """Tells what a trained model makes of texts, each encoded once."""

    def __init__(self, model: Model, tables: Sequence[Table]) -> None:
        texts = {one.text for table in tables for one in table.phrasings}
        columns = {one for table in tables for one in table.columns.values()}
        every = sorted(texts.union(*(asking(*one) for one in columns)))
        model.encoder.eval()
        with torch.inference_mode():
            parts = [every[at : at + 1024] for at in range(0, len(every), 1024)]
            found = torch.cat([model.encode(some) for some in track(parts, "texts")])
        self._vectors, self._head = found.clone(), model.head
        self._places = {text: at for at, text in enumerate(every)}

    def vectors(self, batch: Batch) -> list[Tensor]:
        """Return the vectors of all texts of a batch, as `Batch.texts` has them."""
        places = ([self._places[text] for text in some] for some in batch.texts)
        return [self._vectors[torch.tensor(some, dtype=torch.long)] for some in places]

    @torch.no_grad()
    def scores(self, batch: Batch) -> Tensor:
        """Return how strongly each question asks for each, and for none."""
        scores: Tensor = self._head(*self.vectors(batch), batch.paths)
        return scores


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
    """Yield the paths of a length that begin so, over links, to any column."""
    forwards = [step for step in first if not step.backwards]
    links = [step for step in forwards if table.columns[step.column].kind == "link"]
    begin = first if length == 2 else links
    for step in begin:
        if step.backwards or step in links:
            yield from product([step], *[links] * (length - 2), forwards)


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


def loss_of(scores: Tensor, batch: Batch, taught: Tensor | None) -> Tensor:
    """Return the cross entropy of what is asked for, and of what a teacher says of all tables'."""
    seen = scores.masked_fill(~batch.visible, -torch.inf)
    loss = F.cross_entropy(seen.masked_fill(~batch.own, -torch.inf), batch.right)
    if taught is not None:
        told = taught.masked_fill(~batch.visible, -torch.inf).softmax(1)
        said = scores.masked_fill(~batch.visible, -1e9).log_softmax(1)
        loss = loss - (told * said).sum(1).mean()
    return loss


def apart(found: Sequence[Tensor], taught: Sequence[Tensor]) -> Tensor:
    """Return 1 less the mean cosine of vectors of length 1, for each kind of texts, in the mean."""
    both = [(a * b).sum(1).mean() for a, b in zip(found, taught, strict=True) if len(a)]
    return 1 - torch.stack(both).mean()


def train(
    model: Model,
    tables: Sequence[Table],
    epochs: int,
    size: int,
    rate: float,
    teacher: Teacher | None = None,
    others: int = 0,
    seed: int = 0,
) -> None:
    """Train a model, showing the progress and the loss."""
    chance = random.Random(seed)
    learnt = [one for one in model.encoder.parameters() if one.requires_grad]
    learnt += model.head.hop.parameters()
    quick = [model.head.log_scale, model.head.biases]
    groups: list[dict[str, Any]] = [
        {"params": learnt},
        {"params": quick, "lr": QUICK * rate, "weight_decay": 0.0},
    ]
    optimiser = torch.optim.AdamW(groups, rate, weight_decay=0.01)
    updates = epochs * sum(-(-len(table.phrasings) // size) for table in tables)
    factor = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda at: min((at + 1) / WARM, max(LAST, (updates - at) / updates), 1.0)
    )
    model.encoder.train()
    for epoch in range(epochs):
        losses = []
        some = batches(tables, size, others, chance)
        for batch in track(some, f"epoch {epoch + 1} of {epochs}", updates // epochs):
            with torch.autocast("cpu", torch.bfloat16):
                vectors = model.vectors(batch)
            vectors = [one.float() for one in vectors]
            scores = model.head(*vectors, batch.paths)
            loss = loss_of(scores, batch, teacher.scores(batch) if teacher else None)
            if teacher:
                near = NEAR * (1 - factor.last_epoch / updates)
                loss = loss + near * apart(vectors, teacher.vectors(batch))
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_([*learnt, *quick], 1.0)
            optimiser.step()
            factor.step()
            losses.append(loss.item())
        print(f"epoch {epoch + 1}: mean loss {math.fsum(losses) / len(losses):.3f}")
    model.encoder.eval()
