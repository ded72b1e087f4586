"""Texts remembered as vectors: embedded once, as long as the embedding stays what it was."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import torch
from jaxtyping import Float
from torch import Tensor, nn

Version = tuple[tuple[int, int], ...]


class StaleMemoryError(ValueError):
    """Vectors were asked for that were made by other parameters than those of now."""


class EmbeddedTexts(NamedTuple):
    """Texts in the order of writing, what they were embedded as, and by which parameters."""

    texts: tuple[str, ...]
    vectors: Float[Tensor, "text dim"]
    version: Version


@dataclass(frozen=True)
class EmbeddingCache:
    """Keep the embeddings of a memory's texts, and notice when they are out of date.

    While parameters are learnt, a vector that was written is soon that of another model; once they
    are fixed it stays right, and a memory that is read often is embedded once (Weston et al. 2014,
    section 3.1, footnote). Every change in place (an optimiser's step, loaded weights) counts a
    parameter's version up; a change through `.data` is not seen.

    Args:
        embed: from texts to vectors.
        module: holds all parameters that `embed` uses.
    """

    embed: Callable[[Sequence[str]], Float[Tensor, "text dim"]]
    module: nn.Module

    def write(self, texts: Sequence[str], memory: EmbeddedTexts | None = None) -> EmbeddedTexts:
        """Return a memory with more texts; only these are embedded.

        Raises:
            StaleMemoryError: parameters have moved since the memory was written.
        """
        with torch.no_grad():
            vectors = self.embed(texts)
        if memory is not None:
            vectors = torch.cat([self.read(memory), vectors])
            texts = (*memory.texts, *texts)
        return EmbeddedTexts(tuple(texts), vectors, self.version())

    def read(self, memory: EmbeddedTexts) -> Float[Tensor, "text dim"]:
        """Return the vectors.

        Raises:
            StaleMemoryError: parameters have moved since they were written.
        """
        now = self.version()
        if memory.version != now:
            moved = sum(one != other for one, other in zip(memory.version, now, strict=False))
            raise StaleMemoryError(
                f"{len(memory.texts)} texts were embedded by other parameters: "
                f"{moved} of {len(now)} of {type(self.module).__name__} have moved since. "
                f"Embed the texts anew: memory = cache.refresh(memory)."
            )
        return memory.vectors

    def refresh(self, memory: EmbeddedTexts) -> EmbeddedTexts:
        """Return the memory embedded by the parameters of now; itself, if it is up to date."""
        return memory if memory.version == self.version() else self.write(memory.texts)

    def version(self) -> Version:
        """Return which parameters there are, and how often each was changed."""
        return tuple((part.data_ptr(), part._version) for part in self.module.parameters())


__all__ = ["EmbeddedTexts", "EmbeddingCache", "StaleMemoryError", "Version"]
