"""Self-attention: the steps of a sequence read each other."""

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor, nn

from memnets.attention.attend import Attention, Readout
from memnets.attention.checks import expect_read
from memnets.attention.context import AlignContext
from memnets.attention.structured.parents import SoftParents
from memnets.ops.masking import readable_slots, silence
from memnets.ops.sizes import at_least_one


class SelfAttention(nn.Module):
    r"""Let every step of a sequence read all of it: queries, keys and values from one source.

    $$ q_n = W_q x_n, \quad k_n = W_k x_n, \quad v_n = W_v x_n, \qquad
       h_n = \mathrm{att}((K, V), q_n) $$  (Qiu, chapter 8; there items are columns, here rows)

    Places and lengths need not be told: a step stands where it stands. So `LocalM` reads a window
    about each step, and `Attention(score, align)` may be any pair that needs no weights of a step
    before.

    Deviations: none. (With heads, and an output matrix: `MultiHead(...)(x, x)`.)
    Cite: qiu2020

    Args:
        attention: what the steps read with; `SoftParents` reads heads in a tree of the steps.
        dim: width of a step.
        key_dim: width of queries and keys; build the score for it.
        value_dim: width of a value, and of what is read.

    Raises:
        ValueError: a width is below 1.
    """

    def __init__(
        self, attention: Attention | SoftParents, dim: int, key_dim: int, value_dim: int
    ) -> None:
        super().__init__()
        at_least_one("SelfAttention", dim=dim, key_dim=key_dim, value_dim=value_dim)
        self.attention = attention
        self.query_weight = nn.Linear(dim, key_dim, bias=False)
        self.key_weight = nn.Linear(dim, key_dim, bias=False)
        self.value_weight = nn.Linear(dim, value_dim, bias=False)

    def forward(
        self,
        sequence: Float[Tensor, "*batch time dim"],
        mask: Bool[Tensor, "*#batch #query slot"] | None = None,
        generator: torch.Generator | None = None,
    ) -> Readout:
        """Read the sequence from each of its steps.

        Args:
            sequence: its steps.
            mask: True where a step may be read, `(*batch, time, time)`, broadcast over batch and
                asking steps; `causal_mask(time)[None]` lets none read what comes after it. A step
                that none may read does not ask either: its value is zero.
            generator: source of randomness, where the align draws.

        Returns:
            The readout of every step, its weights `(*batch, time, time)`.

        Raises:
            TypeError: something is no tensor, or of another type of numbers than it should be.
            ValueError: the mask does not fit, or may mean a line a row or a line a step.
        """
        expect_read("SelfAttention", sequence, sequence, None, mask, AlignContext())
        if mask is None:
            return self._read(sequence, None, sequence.shape[-2], generator)
        time, kept = sequence.shape[-2], readable_slots(mask)
        mask = mask[(None,) * (sequence.ndim - mask.ndim)][..., :kept, :kept]
        readable = mask.any(-2)
        sequence = silence(sequence[..., :kept, :], mask)
        length = readable.sum(-1).expand(sequence.shape[:-2])
        mask = mask & readable.unsqueeze(-1)
        return _grown(self._read(sequence, mask, length, generator), time - kept)

    def _read(
        self,
        sequence: Tensor,
        mask: Tensor | None,
        length: Tensor | int,
        generator: torch.Generator | None,
    ) -> Readout:
        places = torch.arange(sequence.shape[-2], device=sequence.device)
        context = AlignContext(
            positions=places,
            length=length,
            step=places.expand(sequence.shape[:-1]),
            generator=generator,
        )
        query, keys = self.query_weight(sequence), self.key_weight(sequence)
        return self.attention(query, keys, self.value_weight(sequence), mask, context)


def causal_mask(time: int, device: torch.device | None = None) -> Bool[Tensor, "query slot"]:
    """Return a mask under which every step may read itself and what came before it.

    Give a batch `causal_mask(time)[None]`: where it has as many rows as steps, a mask without
    that axis could mean a line a row, and is refused.
    """
    return torch.ones(time, time, dtype=torch.bool, device=device).tril()


def _grown(readout: Readout, room: int) -> Readout:
    """Return a readout with zeros for further steps, which neither asked nor were read."""
    value, weights, indices, log_prob, entropy, scores = readout
    return Readout(
        F.pad(value, (0, 0, 0, room)),
        F.pad(weights, (0, room if indices is None else 0, 0, room)),
        None if indices is None else F.pad(indices, (0, 0, 0, room)),
        None if log_prob is None else F.pad(log_prob, (0, room)),
        None if entropy is None else F.pad(entropy, (0, room)),
        None if scores is None else F.pad(scores, (0, room, 0, room)),
    )
