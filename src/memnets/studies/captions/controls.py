"""What shows whether an attention matters: other pictures' weights, deleted places, scatter."""

import torch
from jaxtyping import Float
from torch import Tensor

from memnets.attention import Baseline
from memnets.models.show_attend_tell import Captioner, Drawn
from memnets.studies.captions.encoding import NumberedCaptions
from memnets.tasks.pointing import Objects
from memnets.training.schedules import seeded
from memnets.training.task import Ratio

DRAWS = 12
"""Gradients that the scatter is measured of."""
SAMPLES = 4
"""Draws of a caption whose gradients are averaged, beside one."""


def turned(weights: Float[Tensor, "image word slot"]) -> Float[Tensor, "image word slot"]:
    """Return the weights of another picture in the place of each: the control."""
    return weights.roll(1, 0)


@torch.no_grad()
def deletion(model: Captioner, some: NumberedCaptions) -> dict[str, Ratio]:
    """Return how much less likely a word is without the place that it looked at most.

    The vector of that place is zero for all steps; so is that of a random place, for comparison.
    Of words that name an object.

    Args:
        model: with weights.
        some: captions whose objects are known; else nothing is returned.
    """
    if not isinstance(some.objects, Objects):
        return {}
    places = model.stem(some.pictures).index_select(0, some.of)
    told = model.teller(places, some.words, seeded(0))
    if not told.seen.weights.any():
        return {}
    owners = some.objects.owners[:, : told.log_prob.shape[1]]
    most = told.seen.weights.argmax(-1)
    dice = seeded(1)
    found = {"deleted": Ratio(0.0, 0.0), "deleted_random": Ratio(0.0, 0.0)}
    for word in range(owners.shape[1]):
        named = owners[:, word] >= 0
        if not named.any():
            continue
        rows = named.nonzero().squeeze(1)
        anywhere = torch.randint(places.shape[1], (len(rows),), generator=dice).to(rows.device)
        for name, place in (("deleted", most[rows, word]), ("deleted_random", anywhere)):
            without = places[rows].clone()
            without[torch.arange(len(rows)), place] = 0.0
            lost = model.teller(without, some.words[rows], seeded(0)).log_prob[:, word]
            drop = (told.log_prob[rows, word] - lost).double().sum()
            found[name] = Ratio(found[name].total + float(drop), found[name].weight + len(rows))
    return found


@torch.enable_grad()
def gradient_scatter(model: Captioner, some: NumberedCaptions) -> dict[str, Ratio]:
    """Return how the gradient of draws scatters, with a baseline, without, and with more draws.

    It is the variance of the gradient of all that scores places, summed over its numbers, as a
    share of that with the baseline and one draw; the baseline is the mean of the rewards.

    Args:
        model: whose places are drawn.
        some: captions of an update.
    """
    reader = model.teller.reader
    assert isinstance(reader, Drawn)
    weights = list(reader.parameters())
    coin, reader.coin = reader.coin, None
    model.train()
    try:
        places = model.stem(some.pictures).index_select(0, some.of).detach()
        with torch.no_grad():
            told = model.teller(places, some.words, seeded(0, 99))
            usual = Baseline.start(float(told.log_prob.sum(-1).mean()))

        def scatter(baseline: Baseline, samples: int) -> float:
            found = []
            for draw in range(DRAWS):
                dice = seeded(0, draw)
                told = model.teller(places, some.words, dice, samples)
                gained = told.objective(baseline).mean()
                parts = torch.autograd.grad(gained, weights)
                found.append(torch.cat([part.flatten() for part in parts]))
            return float(torch.stack(found).double().var(0).sum())

        one = scatter(usual, 1)
        return {
            "scatter_without_baseline": Ratio(scatter(Baseline.start(), 1), one),
            f"scatter_{SAMPLES}_draws": Ratio(scatter(usual, SAMPLES), one),
        }
    finally:
        reader.coin = coin
        model.eval()
