"""REINFORCE: how a draw that passes no gradient learns from what came of it."""

from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor


class Baseline(NamedTuple):
    """A moving average of rewards, carried by the caller from update to update.

    Attributes:
        mean: the average; a draw is encouraged by what it earned above it.
    """

    mean: Float[Tensor, ""]

    @classmethod
    def start(cls, mean: float = 0.0) -> "Baseline":
        """Return the baseline of the first update."""
        return cls(torch.tensor(mean))

    def update(self, reward: Float[Tensor, "*batch"], decay: float = 0.9) -> "Baseline":
        r"""Return the next baseline, $b \leftarrow d \, b + (1 - d) \, \bar r$.

        Deviations: the mean over the batch is averaged in. [d = 0.9 in Xu et al., section 4.1]
        Cite: xu2015

        Args:
            reward: what the draws of a batch earned.
            decay: $d$, between 0 and 1.

        Raises:
            ValueError: the decay is not between 0 and 1.
        """
        if not 0 <= decay <= 1:
            raise ValueError(
                f"Baseline.update(decay={decay}): expected a number from 0 to 1. "
                f"It is the share of the old mean that stays."
            )
        mean = reward.detach().mean().to(self.mean)
        return Baseline(decay * self.mean + (1 - decay) * mean)


def reinforce(
    reward: Float[Tensor, "*batch"],
    log_prob: Float[Tensor, "*batch"],
    entropy: Float[Tensor, "*batch"],
    baseline: Baseline,
    reward_weight: float = 1.0,
    entropy_weight: float = 0.0,
) -> Float[Tensor, "*batch"]:
    r"""Return an objective to be maximised, whose gradient is the estimator of hard attention.

    $$ \frac{\partial \log p(y \mid \tilde s, a)}{\partial W}
       + \lambda_r (\log p(y \mid \tilde s, a) - b) \frac{\partial \log p(\tilde s \mid a)}
       {\partial W} + \lambda_e \frac{\partial H[\tilde s]}{\partial W} $$
    (Xu et al., section 4.1)

    With $\lambda_r = 1$ and $\lambda_e = 0$ it is, on average over the draws, the gradient of the
    bound $\sum_s p(s \mid a) \log p(y \mid s, a)$. The average of many draws does not depend on
    the baseline as long as that is from earlier updates; the scatter does.

    Deviations: none. The value of the objective means nothing; minimise its negative.
    Cite: xu2015

    Args:
        reward: $\log p(y \mid \tilde s, a)$ of each draw, with its own gradient.
        log_prob: of the draw; of all its steps together where it has many.
        entropy: of the distribution that was drawn from, summed alike.
        baseline: $b$.
        reward_weight: $\lambda_r$.
        entropy_weight: $\lambda_e$.
    """
    advantage = reward.detach() - baseline.mean
    return reward + reward_weight * advantage * log_prob + entropy_weight * entropy
