"""How rankers are trained: each question against all that it may ask for."""

import math
import random
from collections.abc import Sequence
from itertools import chain, count, islice
from typing import Any, NamedTuple, Protocol

import torch
from rich.progress import track
from torch import Tensor
from torch.nn import functional as F

from tools.ranker.batches import Batch, batches
from tools.ranker.networks import Encoder, Head
from tools.ranker.phrasings import Table

WARM, LAST = 100, 0.02
"""Updates until the rate is whole, and the share of it that is left in the end."""
QUICK = 5.0
"""How much faster the head's scale and biases learn."""
NEAR = 10.0
"""How much it counts at first that vectors are near the teacher's."""
FURTHER, ALIKE = 140, 3.0
"""How many texts that nobody asked stand beside a batch, and how much counts that their vectors
are near the teacher's."""


class Tokens(Protocol):
    """Knows the tokens of texts."""

    def numbers(self, texts: Sequence[str]) -> list[list[int]]:
        """Return their numbers."""


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


class Teaching(Protocol):
    """Tells what a ranker is to make of texts."""

    further: Sequence[str]
    """Texts that nobody asked."""

    def encode(self, texts: Sequence[str]) -> Tensor:
        """Return their vectors."""

    def vectors(self, batch: Batch) -> list[Tensor]:
        """Return the vectors of all texts of a batch."""

    def scores(self, batch: Batch) -> Tensor:
        """Return how strongly each question asks for each, and for none."""


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
    return 1 - torch.stack(both).mean() if both else torch.zeros(())


def train(
    model: Model,
    tables: Sequence[Table],
    epochs: float,
    size: int,
    rate: float,
    teacher: Teaching | None = None,
    others: int = 0,
    seed: int = 0,
) -> None:
    """Train a model, showing the progress and the loss.

    Args:
        model: learns.
        tables: what is asked, and of what.
        epochs: need not be whole ones.
        size: of a batch.
        rate: of AdamW, whose rate rises to this one and falls to `LAST` of it.
        teacher: if any, whose vectors and scores are learnt too.
        others: tables of which the columns stand beside those of a batch's own.
        seed: of the order of the batches.
    """
    chance = random.Random(seed)
    learnt = [one for one in model.encoder.parameters() if one.requires_grad]
    learnt += model.head.hop.parameters()
    quick = [model.head.log_scale, model.head.biases]
    groups: list[dict[str, Any]] = [
        {"params": learnt},
        {"params": quick, "lr": QUICK * rate, "weight_decay": 0.0},
    ]
    optimiser = torch.optim.AdamW(groups, rate, weight_decay=0.01)
    each = sum(-(-len(table.phrasings) // size) for table in tables)
    updates = round(epochs * each)
    factor = torch.optim.lr_scheduler.LambdaLR(
        optimiser, lambda at: min((at + 1) / WARM, max(LAST, (updates - at) / updates), 1.0)
    )
    model.encoder.train()
    every = chain.from_iterable(batches(tables, size, others, chance) for _ in count())
    losses = []
    for batch in track(islice(every, updates), "batches", updates):
        loss = _loss(model, batch, teacher, 1 - factor.last_epoch / updates, chance)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_([*learnt, *quick], 1.0)
        optimiser.step()
        factor.step()
        losses.append(loss.item())
        if factor.last_epoch % each == 0 or factor.last_epoch == updates:
            mean = math.fsum(losses) / len(losses)
            print(f"epoch {factor.last_epoch / each:.3g}: mean loss {mean:.3f}")
            losses.clear()
    model.encoder.eval()


def _loss(
    model: Model, batch: Batch, teacher: Teaching | None, left: float, chance: random.Random
) -> Tensor:
    """Return the loss of a batch; of the training, a share is left."""
    further = teacher.further if teacher else ()
    more = chance.sample(further, min(FURTHER, len(further)))
    with torch.autocast("cpu", torch.bfloat16):
        *vectors, last = (one.float() for one in (*model.vectors(batch), model.encode(more)))
    scores = model.head(*vectors, batch.paths)
    if teacher is None:
        return loss_of(scores, batch, None)
    loss = loss_of(scores, batch, teacher.scores(batch))
    near = NEAR * left * apart(vectors, teacher.vectors(batch))
    return loss + near + ALIKE * apart([last], [teacher.encode(more)])
