r"""Monotonic aligns: reading goes on from where it stopped, and never back.

A reader stands where the step before stopped. It looks at that slot, stops with probability
$p_j = \sigma(e_j + r)$, else goes on to the next. Three aligns share this story: the exact
expectation, the clipped one of the released code, and the walk itself, for test time.
"""

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor, nn

from memnets.attention.aligns import Align, Aligned, KeepsSome
from memnets.attention.context import AlignContext
from memnets.ops.masking import widen
from memnets.ops.sizes import any_finite, within

SMALLEST_DIVISOR = 1e-10
"""Where the released parallel form clips the running product that it divides by."""


class Monotonic(Align):
    r"""Take slots by the chance that a reader who never goes back stops there next.

    $$ q_{ij} = (1 - p_{i,j-1}) \, q_{i,j-1} + \alpha_{i-1,j}, \qquad
       \alpha_{ij} = p_{ij} \, q_{ij} $$  (Raffel et al., Eq. 9 to 11)

    The recursion over slots is done by doubling, in $\log_2 n$ sums over all slots at once: exact,
    and its gradients too. `start_at_first` gives the $\alpha_0$ of the paper.

    Deviations: the paper divides by running products in its parallel form, which has to be
    clipped; that form is `ClippedMonotonic`. [equation numbers recalled]
    Cite: raffel2017

    Args:
        bias: where $r$ starts; it is learned. Below 0 a reader goes on more readily.
        noise: standard deviation of the noise that is added to scores in training, so that they
            learn to be clear; 0 for none.

    Raises:
        ValueError: the noise is negative; the context has no previous weights, or no generator
            where there is noise.
    """

    depends_on_positions = True
    looks_back = True
    sums_to = None

    def __init__(self, bias: float = 0.0, noise: float = 0.0) -> None:
        super().__init__()
        part, expected = type(self).__name__, "a number of at least 0. It is a standard deviation."
        within(lambda x: x >= 0, part, expected, noise=noise)
        within(any_finite, part, "a finite number. It is added to every score.", bias=bias)
        self.bias = nn.Parameter(torch.tensor(float(bias)))
        self.noise = noise

    def hard(self) -> "HardMonotonic":
        """Return the align for test time, which shares this one's bias."""
        return HardMonotonic(self)

    def forward(
        self,
        scores: Float[Tensor, "*batch query slot"],
        mask: Bool[Tensor, "*#batch #query slot"] | None = None,
        context: AlignContext = AlignContext(),
    ) -> Float[Tensor, "*batch query slot"]:
        energy = self._energy(scores, context)
        previous = context.require("previous", type(self).__name__).to(energy.dtype)
        stop, go = energy.sigmoid(), (-energy).sigmoid()
        if mask is not None:
            stop, go = stop.masked_fill(~mask, 0.0), go.masked_fill(~mask, 1.0)
        return stop * self._arrive(go, previous)

    def _arrive(self, go: Tensor, previous: Tensor) -> Tensor:
        r"""Return $q$, the chance that the reader comes to each slot."""
        came, passed = previous, _one_slot_later(go)
        step = 1
        while step < go.shape[-1]:
            came = came + passed * F.pad(came[..., :-step], (step, 0))
            passed = passed * F.pad(passed[..., :-step], (step, 0))
            step *= 2
        return came

    def _energy(self, scores: Tensor, context: AlignContext) -> Tensor:
        wide = widen(scores)
        energy = wide + self.bias.to(wide.dtype)
        if not (self.training and self.noise):
            return energy
        generator = context.require("generator", type(self).__name__)
        drawn = torch.randn(wide.shape, generator=generator, dtype=wide.dtype, device=wide.device)
        return energy + self.noise * drawn


class ClippedMonotonic(Monotonic):
    r"""Take slots as `Monotonic` does, by the parallel form of the paper's released code.

    $$ \alpha_i = p_i \, c_i \sum_{k \le j} \frac{\alpha_{i-1,k}}{\max(c_{ik}, 10^{-10})}, \qquad
       c_{ij} = \prod_{k<j} (1 - p_{ik}) $$  (Raffel et al., Eq. 16 and 17)

    The products are summed in log space.

    Deviations: where $c$ falls below the clip the weights are too small; `Monotonic` is exact.
    [equation numbers recalled]
    Cite: raffel2017

    Args:
        bias: where $r$ starts.
        noise: standard deviation of the noise in training.

    Raises:
        ValueError: as `Monotonic`.
    """

    def _arrive(self, go: Tensor, previous: Tensor) -> Tensor:
        # Never 0 but for rounding; where it is, nothing comes past in either form.
        log = _one_slot_later(go, 1.0).clamp(min=torch.finfo(go.dtype).tiny).log()
        passed = log.cumsum(-1).exp()
        return passed * (previous / passed.clamp(min=SMALLEST_DIVISOR)).cumsum(-1)


class HardMonotonic(KeepsSome):
    r"""Read the first slot, from the last stop on, that says stop; the align of test time.

    $$ t_i = \min \{ j \ge t_{i-1} : e_{ij} + r > 0 \} $$  (Raffel et al., Algorithm 1)

    The last stop is where the previous weights are largest. Where no slot says stop, and ever
    after, the weights are zero.

    Deviations: none.
    Cite: raffel2017

    Args:
        soft: the align that was trained, whose bias is used.

    Raises:
        ValueError: the context has no previous weights.
    """

    depends_on_positions = True
    looks_back = True
    sums_to = None
    passes_gradient = False

    def __init__(self, soft: Monotonic) -> None:
        super().__init__()
        self.bias = soft.bias

    def align(
        self,
        scores: Float[Tensor, "*batch query slot"],
        mask: Bool[Tensor, "*#batch #query slot"] | None = None,
        context: AlignContext = AlignContext(),
    ) -> Aligned:
        previous = context.require("previous", "HardMonotonic")
        wide = widen(scores.detach())
        if wide.shape[-1] == 0:
            return Aligned(wide, wide.long())
        came = torch.arange(wide.shape[-1], device=wide.device) >= previous.argmax(-1, keepdim=True)
        came = came & (previous > 0).any(-1, keepdim=True)
        stops = came & (wide + self.bias.detach().to(wide.dtype) > 0)
        stops = stops if mask is None else stops & mask
        # Of equal numbers argmax returns the lowest index: the first stop.
        indices = stops.int().argmax(-1, keepdim=True)
        return Aligned(stops.gather(-1, indices).to(wide.dtype), indices)

    @classmethod
    def example(cls) -> "HardMonotonic":
        return Monotonic().hard()


def _one_slot_later(numbers: Tensor, first: float = 0.0) -> Tensor:
    return F.pad(numbers[..., :-1], (1, 0), value=first)
