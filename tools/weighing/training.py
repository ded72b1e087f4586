"""Networks learn which of the answers that may be given is right, or that none is."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from memnets.kb.programs.possible import WEIGHTS, Weights
from memnets.kb.questions.judged import compared
from memnets.studies.kb_qa.clues import clues
from memnets.studies.kb_qa.reranking import WITHIN, AnswerReranker
from memnets.studies.kb_qa.voices import meant_of, options
from tools.weighing.hearing import LACKING, UNREAD, Heard

if TYPE_CHECKING:
    from torch import Tensor

TIMES = 3
"""How much a table that nobody read counts of what another counts."""
LESS = 0.3
"""How much a question counts that lacks an answer because a relation was left out."""
HIDDEN, NETWORKS = 32, 5
"""Units of a network, and how many are trained."""
EPOCHS, BATCH, RATE, DECAY, DROPPED = 12, 128, 4e-3, 0.05, 0.15
"""Of AdamW, whose rate rises to this one and falls to nothing; of units, so many are left out."""
LEAST_DEVIATION = 1e-3
"""A clue that hardly differs counts as if it did by this."""


@dataclass(frozen=True)
class Lists:
    """The answers that may be given to N questions, M at most: what speaks for each, and which are
    right."""

    answers: Any
    """Their clues (N, M, F)."""
    there: Any
    """Where there is one (N, M)."""
    questions: Any
    """The clues of the questions (N, Q)."""
    right: Any
    """Which are right (N, M + 1); the last, none, where no other is."""
    kbs: Any
    """The knowledge base of each (N)."""
    counts: Any
    """How much each counts beside others of its knowledge base (N)."""

    def __getitem__(self, rows: Any) -> "Lists":
        """Return those of some questions."""
        return Lists(*(getattr(self, field.name)[rows] for field in fields(self)))

    @property
    def shares(self) -> Any:
        """How much each counts: every knowledge base by `TIMES`, all as many as there are."""
        names, owners = np.unique(self.kbs, return_inverse=True)
        shares = np.where(np.isin(names, UNREAD), TIMES, 1.0)
        sizes = np.bincount(owners, self.counts)
        return len(self.kbs) * (shares / shares.sum() / sizes)[owners] * self.counts


def lists_of(heard: Sequence[Heard], possible: Weights = WEIGHTS) -> Lists:
    """Return every answer that might be given to some questions.

    Args:
        heard: the questions.
        possible: weights of what speaks for a program over what they name.
    """
    found = []
    for one in heard:
        meant = meant_of(one.voices, possible)
        some = options(one.voices, meant)
        are = [compared(one.asked, of.objects, 1.0).verdict == "right" for of in some]
        found.append((*clues(one.voices, meant, some), are))
    most = max(len(are) for *_, are in found)
    wide = max((answers.shape[1] for answers, *_ in found if len(answers)))
    answers = np.zeros((len(found), most, wide), np.float32)
    there, right = np.zeros((len(found), most), bool), np.zeros((len(found), most + 1), bool)
    for row, (own, _, are) in enumerate(found):
        if are:
            answers[row, : len(are)] = own
        there[row, : len(are)], right[row, : len(are)] = True, are
    right[:, -1] = ~right.any(1)
    questions = np.stack([question for _, question, _ in found])
    kbs = np.array([one.kb for one in heard])
    counts = np.array([LESS if one.asked.kind == LACKING else 1.0 for one in heard])
    return Lists(answers, there, questions, right, kbs, counts)


def left_out(lists: Lists) -> list[str]:
    """Return the knowledge bases that are left out in turn: the unread, or all without any."""
    names = sorted(set(lists.kbs.tolist()))
    return [name for name in names if name in UNREAD] or names


def train(lists: Lists, networks: int = NETWORKS) -> AnswerReranker:
    """Return networks that make the right answer likeliest."""
    every = np.concatenate([lists.answers[lists.there], _beside(lists)[lists.there]], 1)
    mean, deviation = every.mean(0), every.std(0).clip(LEAST_DEVIATION)
    trained = [_trained(lists, mean, deviation, seed) for seed in range(networks)]
    return AnswerReranker(
        {"mean": mean, "deviation": deviation}
        | {name: np.stack([of[name] for of in trained]) for name in trained[0]}
    )


def _beside(lists: Lists) -> Any:
    """Return the clues of the question beside each of its answers (N, M, Q)."""
    return np.repeat(lists.questions[:, None], lists.there.shape[1], 1)


def _trained(lists: Lists, mean: Any, deviation: Any, seed: int) -> dict[str, Any]:
    """Return the weights of a network, by the names that `AnswerReranker` has for them."""
    import torch

    torch.manual_seed(seed)
    both = np.concatenate([lists.answers, _beside(lists)], 2)
    x = torch.from_numpy(((both - mean) / deviation).clip(-WITHIN, WITHIN))
    there, right = torch.from_numpy(lists.there), torch.from_numpy(lists.right)
    shares, wide = torch.from_numpy(lists.shares).float(), lists.questions.shape[1]
    weights = {
        "hidden": _drawn(x.shape[2], HIDDEN), "bias": _drawn(HIDDEN), "out": _drawn(HIDDEN),
        "none.hidden": _drawn(wide + HIDDEN, HIDDEN), "none.bias": _drawn(HIDDEN),
        "none.out": _drawn(HIDDEN),
    }  # fmt: skip
    learner = torch.optim.AdamW(weights.values(), weight_decay=DECAY)
    batches = len(x) // BATCH + 1
    rate = torch.optim.lr_scheduler.OneCycleLR(learner, RATE, total_steps=EPOCHS * batches)
    for _ in range(EPOCHS):
        for rows in torch.randperm(len(x)).tensor_split(batches):
            told = torch.log_softmax(_scores(weights, x[rows], there[rows]), 1)
            likely = torch.logsumexp(told.masked_fill(~right[rows], -math.inf), 1)
            learner.zero_grad()
            (-(shares[rows] @ likely) / shares[rows].sum()).backward()
            learner.step()
            rate.step()
    return {name: one.detach().numpy() for name, one in weights.items()}


def _drawn(*shape: int) -> "Tensor":
    """Return weights to begin from, the smaller the more of them are added up."""
    import torch

    return torch.empty(shape).uniform_(-1, 1).div_(math.sqrt(shape[0])).requires_grad_()


def _scores(w: "Mapping[str, Tensor]", x: "Tensor", there: "Tensor") -> "Tensor":
    """Return the scores of all answers, and of none, where some units are left out (B, M + 1).

    Args:
        w: the weights.
        x: the clues of answers and question, in standard deviations (B, M, F + Q).
        there: where there is an answer (B, M).
    """
    import torch
    from torch.nn.functional import dropout

    h = dropout(torch.relu(x @ w["hidden"] + w["bias"]), DROPPED)
    asked = x[:, 0, len(w["hidden"]) - len(w["none.hidden"]) + HIDDEN :]
    most = torch.cat([asked, (h * there[..., None]).amax(1)], 1)
    none = dropout(torch.relu(most @ w["none.hidden"] + w["none.bias"]), DROPPED)
    scores = (h @ w["out"]).masked_fill(~there, -math.inf)
    return torch.cat([scores, (none @ w["none.out"])[:, None]], 1)


def cooled(reranker: AnswerReranker, heat: float) -> AnswerReranker:
    """Return the same whose scores are divided by a temperature."""
    weights = reranker.weights
    by_heat = {name: weights[name] / np.float32(heat) for name in ("out", "none.out")}
    return AnswerReranker({**weights, **by_heat})


def loss(lists: Lists, reranker: AnswerReranker) -> float:
    """Return the sum of minus the logarithm of what is told of what is right."""
    total = 0.0
    for answers, there, question, right, counts in zip(
        lists.answers, lists.there, lists.questions, lists.right, lists.counts, strict=True
    ):
        told = reranker.probabilities(answers[there], question) if there.any() else np.zeros(0)
        likely = told[right[:-1][there]].sum() if not right[-1] else 1 - told.sum()
        total -= counts * math.log(max(float(likely), 1e-9))
    return total
