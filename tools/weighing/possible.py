"""Fits what speaks for a program over what a question names."""

from collections.abc import Sequence

from memnets.kb.programs.possible import NONE, WEIGHTS
from memnets.kb.questions.judged import compared
from memnets.studies.kb_qa.inference import names_of
from tools.weighing.hearing import Heard

SMALL = 1e-3
"""How far the weights of what may be asked are kept small."""


def fit_possible(heard: Sequence[Heard]) -> dict[str, float]:
    """Return weights by which the right one is likeliest of all that may be asked, or none is.

    They are the likeliest ones but for their squares' sum.
    """
    import torch

    names = tuple(WEIGHTS)
    asked = []
    for one in heard:
        given = [names_of(p.outcome.answers, one.voices.labels) for p in one.voices.possible]
        answers = bool(one.asked.answers)
        right = [
            compared(one.asked, objects, 1.0).verdict == "right" if answers else not objects
            for objects in given
        ]
        values = [[p.features.get(name, 0.0) for name in names] for p in one.voices.possible]
        values += [[float(name == NONE) for name in names]]
        right += [not answers or not any(right)]
        asked.append((torch.tensor(values, dtype=torch.float64), torch.tensor(right)))
    weights = torch.zeros(len(names), dtype=torch.float64, requires_grad=True)
    by = torch.optim.LBFGS([weights], max_iter=100)

    def loss() -> torch.Tensor:
        by.zero_grad()
        told = [torch.log_softmax(values @ weights, 0) for values, _ in asked]
        likely = [torch.logsumexp(t[right], 0) for t, (_, right) in zip(told, asked, strict=True)]
        mean = SMALL * weights.square().sum() - torch.stack(likely).mean()
        mean.backward()
        return mean

    by.step(loss)
    return dict(zip(names, weights.tolist(), strict=True))
