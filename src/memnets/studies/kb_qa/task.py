"""Learn to answer questions of a KB's own making, and when it does not answer.

What is not read from a fact, but from a slot without objects, supports no answer.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from memnets.memories.keyvalue import softmax_by_row
from memnets.models.kv_memnn import KVMemNN
from memnets.studies.kb_qa.data import nothing_to_test_with
from memnets.studies.kb_qa.numbering import KINDS, EncodedQuestions
from memnets.training.task import Ratio, Step, Task, shuffled

EVALUATION_BATCH = 500
"""Questions answered at once when nothing is learnt."""
REFUSED, ANSWERED = 0.05, 0.1
"""The bearable shares of answerable questions that are declined, and of others that are not."""


class Decided(NamedTuple):
    """How likely each question's answers are."""

    support: Tensor
    """That of the best answer, one a question; 0 where there is none."""
    right: Tensor
    """Whether the best answer is right."""


def answer_scores(model: KVMemNN, asked: EncodedQuestions) -> Tensor:
    r"""Return $q_{H+1} \cdot B \Phi_Y(y_c)$ of every candidate's value."""
    state, _ = model.read(asked.words, asked.memory, asked.candidates)
    values = model.embed_answers(asked.memory.values.take(asked.candidates.items))
    return (state[asked.candidates.owners()] * values).sum(-1)


def decide(model: KVMemNN, asked: EncodedQuestions) -> Decided:
    """Return the best answer of each question; facts that say the same count together."""
    shares = softmax_by_row(answer_scores(model, asked), asked.candidates)
    owners = asked.candidates.owners()
    said = asked.said.items
    _, same = (owners * (said.max() + 1) + said).unique(return_inverse=True)
    total = torch.zeros_like(shares).index_add(0, same, shares)[same]
    total = total.masked_fill(said == 0, 0.0)
    best = total.new_zeros(asked.candidates.rows)
    best = best.scatter_reduce(0, owners, total, "amax")
    at_best = (total == best[owners]) & (asked.right.items == 1) & (said > 0)
    right = torch.zeros_like(best).index_add(0, owners, at_best.to(best.dtype)) > 0
    return Decided(best, right)


class KBQATask(Task):
    """Learn to answer questions by the facts of a KB, and to decline those it has no answer to.

    The loss is that of a softmax over the values of a question's candidates, of which several may
    be right.

    Args:
        questions: the sides by name: "train", "valid" (to set when to decline), and "test" where
            ways of asking were held out to test with.
        batch: questions in an update, drawn without replacement.
        lost: the share of tokens that an update does not hear, so that none alone decides.
    """

    unit = "questions"

    def __init__(self, questions: Mapping[str, EncodedQuestions], batch: int, lost: float) -> None:
        self.questions, self.batch, self.lost = questions, batch, lost
        self.final_splits = tuple(questions)  # type: ignore[misc]

    @property
    def updates_per_epoch(self) -> int:
        return -(-len(self.questions["train"].kinds) // self.batch)

    def batches(
        self, split: str, generator: torch.Generator, position: int
    ) -> Iterator[tuple[Tensor, ...]]:
        """Yield the numbers of questions, epoch after epoch, each in an order of its own."""
        return shuffled(len(self.questions[split].kinds), self.batch, generator, position)

    def collate(self, split: str, batch: tuple[Tensor, ...]) -> EncodedQuestions:
        return self.questions[split].asked(*batch)

    def loss(
        self, model: nn.Module, batch: EncodedQuestions, state: Any, generator: torch.Generator
    ) -> Step:
        assert isinstance(model, KVMemNN)
        asked = batch._replace(words=batch.words.thinned(self.lost, generator))
        loss, right = _loss(model, asked)
        return Step(loss, len(batch.kinds), state, {"accuracy": right})

    @torch.no_grad()
    def evaluate(self, model: nn.Module, split: str) -> dict[str, Ratio]:
        """Return what is answered and declined.

        `accuracy` counts answerable questions that are answered rightly, `refused` those that are
        declined, `declined` the others that are. An answer is right if it names all objects, and
        no others. `threshold` is the support below which an answer is not given; it is chosen on
        the side "valid", whatever side is evaluated.
        """
        assert isinstance(model, KVMemNN)
        if split not in self.questions:
            raise nothing_to_test_with()
        least = self.threshold(model)
        decided, loss = self._decided(model, split)
        kinds = self.questions[split].kinds
        given = decided.support >= least
        known = kinds == 0
        ratios = {
            "loss": Ratio(loss, len(kinds)),
            "accuracy": Ratio.of((given & decided.right)[known]),
            "refused": Ratio.of(~given[known]),
            "declined": Ratio.of(~given[~known]),
            "threshold": Ratio(least, 1),
        }
        for place, kind in enumerate(KINDS):
            if place and (of_kind := kinds == place).any():
                ratios[f"declined/{kind}"] = Ratio.of(~given[of_kind])
        return ratios

    @torch.no_grad()
    def threshold(self, model: KVMemNN) -> float:
        """Return the support below which answers are to be declined, chosen on "valid"."""
        decided, _ = self._decided(model, "valid")
        known = self.questions["valid"].kinds == 0
        return choose_threshold(decided.support[known], decided.support[~known])

    @torch.no_grad()
    def _decided(self, model: KVMemNN, split: str) -> tuple[Decided, float]:
        questions, parts, loss = self.questions[split], [], 0.0
        every = torch.arange(len(questions.kinds), device=questions.kinds.device)
        for rows in every.split(EVALUATION_BATCH):
            asked = questions.asked(rows)
            parts.append(decide(model, asked))
            loss += float(_loss(model, asked)[0])
        return Decided(*map(torch.cat, zip(*parts, strict=True))), loss


def choose_threshold(known: Tensor, unanswerable: Tensor) -> float:
    """Return the support from which answers are given, so that mistakes weigh least.

    Mistakes are answerable questions declined and others answered, each as a share of its kind,
    weighed by how many of them are bearable.

    Args:
        known: the support of answerable questions' best answers.
        unanswerable: that of others.
    """
    if not len(known) or not len(unanswerable):
        return 0.5
    tried = torch.cat([known, unanswerable]).unique()
    between = (tried[1:] + tried[:-1]) / 2
    tried = torch.cat([tried[:1] / 2, between])
    refused = (known < tried[:, None]).float().mean(1)
    answered = (unanswerable >= tried[:, None]).float().mean(1)
    return float(tried[(refused / REFUSED + answered / ANSWERED).argmin()])


def _loss(model: KVMemNN, asked: EncodedQuestions) -> tuple[Tensor, Tensor]:
    scores = answer_scores(model, asked)
    shares = softmax_by_row(scores, asked.candidates)
    owners = asked.candidates.owners()
    zeros = shares.new_zeros(asked.candidates.rows)
    right = zeros.index_add(0, owners, shares * asked.right.items)
    return -right.clamp(min=TINY).log().sum(), (right > 0.5).sum()


TINY = 1e-12
"""The least probability of which a logarithm is taken."""
