"""Hard attention in translation: draws learn by the gradient of the bound."""

from itertools import product

import pytest
import torch

from memnets.attention import (
    Aligned,
    Attention,
    Baseline,
    General,
    GumbelStraightThrough,
    KeepsSome,
    Sampled,
)
from memnets.models.seq2seq import luong, luong_fed, modern_initial, rnnsearch

FROM, TO, H = 11, 7, 5
pytestmark = pytest.mark.usefixtures("shapes_unchecked")
BUILD = {"rnnsearch": rnnsearch, "luong": luong, "fed": luong_fed}


def build(name, align):
    attention = Attention(General(H, 2 * H if name == "rnnsearch" else H), align)
    return BUILD[name](FROM, TO, 3, H, 2, attention, initial=modern_initial).double().eval()


class Given(KeepsSome):
    """Takes slots that are given, and says how likely a softmax would have drawn them."""

    passes_gradient = False
    slots: torch.Tensor

    def align(self, scores, mask=None, context=None):
        log = scores.masked_fill(~mask, -torch.inf).log_softmax(-1)
        step = context.step if isinstance(context.step, int) else context.step.flatten().tolist()
        chosen = self.slots[step].view(*scores.shape[:-1], 1)
        entropy = -(log.exp() * log.masked_fill(~mask, 0)).sum(-1)
        drawn = log.gather(-1, chosen)
        return Aligned(torch.ones_like(drawn), chosen, drawn.squeeze(-1), entropy)


@pytest.mark.parametrize("decoder", BUILD)
def test_draws_learn_by_the_gradient_of_the_bound(decoder):
    """List 11: the mean over all draws of two words of three, each by its probability."""
    align = Given()
    model = build(decoder, align)
    source, length, target = torch.tensor([[2, 3, 4]]), torch.tensor([3]), torch.tensor([[5, 1]])
    weights, bound, mean = list(model.parameters()), 0.0, None
    for slots in product(range(3), repeat=2):
        align.slots = torch.tensor(slots)
        taught = model(source, length, target)
        likely = taught.readout.log_prob.sum().exp()
        bound = bound + likely * taught.log_prob.sum()
        objective = taught.objective(Baseline.start(-1.7)).sum()
        slopes = torch.autograd.grad(objective, weights, retain_graph=True)
        each = [likely.detach() * slope for slope in slopes]
        mean = each if mean is None else [a + b for a, b in zip(mean, each, strict=True)]
    exact = torch.autograd.grad(bound, weights)
    for found, expected in zip(mean, exact, strict=True):
        torch.testing.assert_close(found, expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("align", [Sampled, GumbelStraightThrough])
def test_draws_follow_from_the_generator(align):
    model = build("luong", align())
    given = torch.randint(1, FROM, (4, 6)), torch.tensor([4, 6, 1, 3]), torch.ones(4, 5).long()
    first, again, other = (
        model(*given, torch.Generator().manual_seed(seed)).readout.weights for seed in (3, 3, 4)
    )
    assert torch.equal(first, again)
    assert not torch.equal(first, other)
    with pytest.raises(ValueError, match=f"{align.__name__} needs the context's `generator`"):
        model(*given)
