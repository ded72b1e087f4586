"""RMSProp as Graves has it, which is not that of PyTorch."""

from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch import Tensor

from memnets.ops.sizes import share_of_it, within


class GravesRMSProp(torch.optim.Optimizer):
    r"""Divide a gradient by how much it varies.

    $$ n \leftarrow \rho n + (1 - \rho) g^2, \qquad \bar g \leftarrow \rho \bar g + (1 - \rho) g $$
    $$ \Delta \leftarrow \mu \Delta - \eta \, g / \sqrt{n - \bar g^2 + \epsilon}, \qquad
       w \leftarrow w + \Delta $$  (Graves, 2013, Eq. 38 to 41)

    PyTorch's, centred, has $\epsilon$ outside the root, and multiplies by $\eta$ behind the
    momentum.

    Deviations: none. [equation numbers recalled]
    Cite: graves2014

    Args:
        params: what is learned.
        lr: $\eta$.
        decay: $\rho$.
        momentum: $\mu$.
        eps: $\epsilon$.

    Raises:
        ValueError: the rate or $\epsilon$ is not above 0, or the others are no shares.
    """

    def __init__(
        self,
        params: Iterable[Tensor],
        lr: float = 1e-4,
        decay: float = 0.95,
        momentum: float = 0.9,
        eps: float = 1e-4,
    ) -> None:
        expected = "a number above 0. Leave it out for the usual one."
        within(lambda x: x > 0, "GravesRMSProp", expected, lr=lr, eps=eps)
        share_of_it("GravesRMSProp", decay=decay, momentum=momentum)
        usual = {"lr": lr, "decay": decay, "momentum": momentum, "eps": eps}
        super().__init__(params, usual)

    @torch.no_grad()
    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Make a step."""
        loss = None if closure is None else torch.enable_grad()(closure)()
        for group in self.param_groups:
            rho, mu, rate = group["decay"], group["momentum"], group["lr"]
            for weight in group["params"]:
                if weight.grad is None:
                    continue
                state, g = self.state[weight], weight.grad
                if not state:
                    state.update({name: torch.zeros_like(weight) for name in _KEPT})
                n, mean, delta = (state[name] for name in _KEPT)
                n.mul_(rho).addcmul_(g, g, value=1 - rho)
                mean.mul_(rho).add_(g, alpha=1 - rho)
                # Rounding may leave n a little below the square of the mean.
                varies = (n - mean.square()).clamp_(min=0.0).add_(group["eps"]).sqrt_()
                delta.mul_(mu).addcdiv_(g, varies, value=-rate)
                weight.add_(delta)
        return loss


_KEPT = ("squares", "means", "steps")
