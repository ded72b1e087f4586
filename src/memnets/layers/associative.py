"""Layers that recall: the modern Hopfield network, an attention that is read until it rests.

No layer has projections, so that each recalls from its first call on, before anything is learnt.
"""

import math
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from memnets.attention import AlignContext, Attention, KeyStrengthDot, Softmax, StrengthDot
from memnets.ops.sizes import at_least, at_least_one, within

ERROR = 0.01
"""Weight of all other patterns at most, where a cue has lost half of what sets its own apart."""


class Retrieved(NamedTuple):
    """What cues have come to.

    Attributes:
        value: what was read at last: the patterns, or the values where there are some.
        weights: of that read, how much of each pattern was taken.
        state: where each cue came to rest among the patterns.
        steps: reads until a cue rested.
        settled: whether it did, within the steps that there were.
    """

    value: Float[Tensor, "*batch query _"]
    weights: Float[Tensor, "*batch query slot"]
    state: Float[Tensor, "*batch query dim"]
    steps: Int[Tensor, "*batch query"]
    settled: Bool[Tensor, "*batch query"]


def separation(
    patterns: Float[Tensor, "*batch slot dim"], mask: Bool[Tensor, "*batch slot"] | None = None
) -> Float[Tensor, "*batch"]:
    r"""Return by how much every pattern matches itself better than any other one, at least.

    $$ \Delta = \min_{\mu \ne \nu} (x_\mu^\top x_\mu - x_\mu^\top x_\nu) $$

    Equal patterns count as one; infinite where there is one pattern only. Where it is not positive
    some pattern matches another one better than itself, and no strength recalls it.
    """
    products = patterns @ patterns.mT
    apart = products.diagonal(dim1=-2, dim2=-1).unsqueeze(-1) - products
    exactly = "donot_use_mm_for_euclid_dist"
    twins = torch.cdist(patterns, patterns, compute_mode=exactly) == 0
    if mask is not None:
        twins = twins | ~(mask.unsqueeze(-1) & mask.unsqueeze(-2))
    return apart.masked_fill(twins, torch.inf).flatten(-2).amin(-1)


def recalling_strength(
    patterns: Float[Tensor, "*batch slot dim"], mask: Bool[Tensor, "*batch slot"] | None = None
) -> Float[Tensor, "*batch"]:
    r"""Return a strength that recalls the patterns, cues that have lost half of their own too.

    $$ \beta = 2 \ln\bigl((P - 1) / 0.01\bigr) / \Delta $$

    At half the separation $\Delta$ all others together then weigh 1 % at most.

    Raises:
        ValueError: a pattern matches another one better than itself.
    """
    apart = separation(patterns.detach(), mask)
    if bool((apart <= 0).any()):
        raise ValueError(
            f"recalling_strength(): a pattern matches another one as well as itself (separation "
            f"{apart.min():.3g}), expected a separation above 0: no strength recalls it. Bring the "
            f"patterns to one length, F.normalize(patterns, dim=-1), or pass beta=... yourself."
        )
    stored = torch.tensor(float(patterns.shape[-2])) if mask is None else mask.sum(-1)
    others = (stored - 1).clamp(min=1).to(apart)
    return 2 * torch.log(others / ERROR) / apart  # 0 of a single pattern, which is read anyway


class HopfieldRetrieval(nn.Module):
    r"""Recall stored patterns from cues: read, and ask again with what was read, until it rests.

    $$ \xi \leftarrow X^\top \mathrm{softmax}(\beta X \xi) $$  (Ramsauer et al., Eq. 3)

    Deviations: no projections and no layer norm; compose them before it where they are wanted.
    [equation number recalled]
    Cite: ramsauer2021

    Args:
        beta: $\beta$; where it is None, what recalls the patterns that are given
            (`recalling_strength`), for each row of the batch.
        most: reads, after which a cue that still moves is given up; 1 is plain attention.
        tolerance: a cue rests where it moves by no more than this share of its length.

    Raises:
        TypeError: a number is of another type.
        ValueError: beta or the tolerance is negative or infinite, or there is no read.
    """

    def __init__(self, beta: float | None = None, most: int = 100, tolerance: float = 1e-5) -> None:
        super().__init__()
        _expect_beta("HopfieldRetrieval", beta)
        at_least(1, "HopfieldRetrieval", "Pass 1 for a single read.", most=most)
        expected = "a number of at least 0, the share of its length. Pass 1e-5, say."
        within(lambda x: x >= 0, "HopfieldRetrieval", expected, tolerance=tolerance)
        self.beta, self.most, self.tolerance = beta, most, tolerance
        score = KeyStrengthDot() if beta is None else StrengthDot(beta)
        self.attention = Attention(score, Softmax())

    def forward(
        self,
        cues: Float[Tensor, "*batch query dim"],
        patterns: Float[Tensor, "*batch slot dim"],
        values: Float[Tensor, "*batch slot _"] | None = None,
        mask: Bool[Tensor, "*batch slot"] | None = None,
    ) -> Retrieved:
        """Recall.

        Args:
            cues: where each begins.
            patterns: what is stored.
            values: what is read at last in place of the patterns.
            mask: True where a pattern is stored.

        Raises:
            ValueError: the shapes do not belong together, or no beta recalls these patterns.
        """
        context = AlignContext()
        if self.beta is None:
            strength = recalling_strength(patterns, mask).unsqueeze(-1).expand(cues.shape[:-1])
            context = AlignContext(strength=strength)
        readable = None if mask is None else mask.unsqueeze(-2)
        state = cues
        moving = torch.ones(cues.shape[:-1], dtype=torch.bool, device=cues.device)
        steps = torch.zeros(cues.shape[:-1], dtype=torch.long, device=cues.device)
        for _ in range(self.most):
            read = self.attention(state, patterns, patterns, readable, context)
            moved = (read.value - state).norm(dim=-1) > self.tolerance * state.norm(dim=-1)
            state = torch.where(moving.unsqueeze(-1), read.value, state)
            steps = steps + moving
            moving = moving & moved
            if not moving.any():
                break
        last = self.attention(state, patterns, values, readable, context)
        return Retrieved(last.value, last.weights, state, steps, ~moving)


class HopfieldPooling(nn.Module):
    """Pool a set: what cues of the layer's own, which are learnt, recall of it.

    Deviations: as in `HopfieldRetrieval`.
    Cite: ramsauer2021

    Args:
        dim: width of the set's members.
        queries: how many cues there are, and so what is pooled.
        beta: see `HopfieldRetrieval`.

    Raises:
        TypeError: a number is of another type.
        ValueError: a size is below 1, or beta is negative or infinite.
    """

    def __init__(self, dim: int, queries: int = 1, beta: float | None = None) -> None:
        super().__init__()
        at_least_one("HopfieldPooling", dim=dim)
        at_least(1, "HopfieldPooling", "Each cue pools the set once.", queries=queries)
        _expect_beta("HopfieldPooling", beta)
        self.cues = nn.Parameter(torch.randn(queries, dim) / math.sqrt(dim))
        self.retrieval = HopfieldRetrieval(beta)

    def forward(
        self,
        patterns: Float[Tensor, "*batch slot dim"],
        mask: Bool[Tensor, "*batch slot"] | None = None,
    ) -> Retrieved:
        """Pool the patterns of every row."""
        cues = self.cues.expand(*patterns.shape[:-2], -1, -1)
        return self.retrieval(cues, patterns, None, mask)


class HopfieldLookup(nn.Module):
    """Recall from patterns of the layer's own: a table that is learnt, and recalled from.

    Deviations: as in `HopfieldRetrieval`.
    Cite: ramsauer2021

    Args:
        patterns: where what is stored begins; the layer learns a copy.
        beta: see `HopfieldRetrieval`; where it is None, what recalls the first patterns.

    Raises:
        TypeError: beta is no number.
        ValueError: beta is negative or infinite, or none recalls the patterns.
    """

    def __init__(self, patterns: Float[Tensor, "slot dim"], beta: float | None = None) -> None:
        super().__init__()
        _expect_beta("HopfieldLookup", beta)
        self.patterns = nn.Parameter(patterns.detach().clone())
        beta = float(recalling_strength(patterns)) if beta is None else beta
        self.retrieval = HopfieldRetrieval(beta)

    def forward(self, cues: Float[Tensor, "*batch query dim"]) -> Retrieved:
        """Recall what every cue resembles."""
        return self.retrieval(cues, self.patterns.expand(*cues.shape[:-2], -1, -1))


def _expect_beta(part: str, beta: float | None) -> None:
    if beta is not None:
        expected = (
            "a number of at least 0, or None for what recalls the patterns. For an infinite one, "
            "the nearest pattern, compose Attention(Dot(), Argmax())."
        )
        within(lambda x: x >= 0, part, expected, beta=beta)
