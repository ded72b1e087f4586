"""The networks that are trained: an encoder, whole or by changes of low rank, and the head.

The encoder is BERT's (Devlin et al. 2019), or MPNet's (Song et al. 2020), whose attention also
depends on how far apart two tokens are.
"""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F

DROPPED = 0.1
"""Of what each layer adds."""
FACTOR = 2.0
"""Of the changes of low rank: the alpha of Hu et al. (2021) over the rank."""
CHUNK = 64
"""Texts of nearly the same length that are encoded at once."""
FAR = 128
"""Of all that are at least so far apart, attention takes the distance for the same."""
SCALE, BIASES = 20.0, (-8.0, -8.0, -9.0)
"""Of the head at first."""


class Shape(NamedTuple):
    """Of an encoder, as its `config.json` says it."""

    words: int
    dim: int
    wide: int
    heads: int
    layers: int
    longest: int
    narrow: int = 0
    """Of the words' vectors, where they are widened to what the layers have."""
    distances: int = 0
    """How many distances attention tells from each other, where it does."""


class Linear(nn.Linear):
    """A linear map to which the product of two narrow matrices may be added."""

    def change(self, rank: int) -> None:
        """Keep what it is, and learn what is added: nothing at first."""
        self.requires_grad_(False)
        self.into = nn.Parameter(torch.randn(rank, self.in_features) / math.sqrt(self.in_features))
        self.out = nn.Parameter(torch.zeros(self.out_features, rank))

    def forward(self, x: Tensor) -> Tensor:
        y = super().forward(x)
        return y + FACTOR * (x @ self.into.T) @ self.out.T if hasattr(self, "into") else y

    def whole(self) -> Tensor:
        """Return its weight, with what is added to it."""
        return self.weight + FACTOR * self.out @ self.into if hasattr(self, "into") else self.weight


class Layer(nn.Module):
    """A layer of BERT."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        dim = shape.dim
        self.heads = shape.heads
        self.query, self.key, self.value, self.read = (Linear(dim, dim) for _ in range(4))
        self.widen, self.narrow = Linear(dim, shape.wide), Linear(shape.wide, dim)
        self.norm, self.last_norm = nn.LayerNorm(dim), nn.LayerNorm(dim)

    def forward(self, h: Tensor, seen: Tensor) -> Tensor:
        """Return the next layer's tokens.

        Args:
            h: tokens (B, T, D).
            seen: what is added to the scores of each (B, heads or 1, T or 1, T).
        """
        q, k, v = (
            part(h).unflatten(-1, (self.heads, -1)).transpose(1, 2)
            for part in (self.query, self.key, self.value)
        )
        # on processors, the products one by one are ten times faster than what fuses them
        scores = q @ k.transpose(-1, -2) / math.sqrt(q.shape[-1]) + seen.to(q.dtype)
        read = scores.softmax(-1) @ v
        a = self.norm(h + self._dropped(self.read(read.transpose(1, 2).flatten(2))))
        return self.last_norm(a + self._dropped(self.narrow(F.gelu(self.widen(a)))))

    def _dropped(self, x: Tensor) -> Tensor:
        return F.dropout(x, DROPPED, self.training)

    def named(self) -> dict[str, nn.Module]:
        """Return the parts by their names in the files of such networks."""
        return {
            **{f"attention.self.{one}": getattr(self, one) for one in ("query", "key", "value")},
            **{"attention.output.dense": self.read, "attention.output.LayerNorm": self.norm},
            **{"intermediate.dense": self.widen, "output.dense": self.narrow},
            "output.LayerNorm": self.last_norm,
        }


class Encoder(nn.Module):
    """Encodes texts, each to the mean of its last tokens at length 1."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.words = nn.Embedding(shape.words, shape.narrow or shape.dim)
        self.widen = Linear(shape.narrow, shape.dim, bias=False) if shape.narrow else nn.Identity()
        self.places = nn.Embedding(shape.longest, shape.dim)
        self.segments = nn.Embedding(1, shape.dim)
        self.norm = nn.LayerNorm(shape.dim)
        self.layers = nn.ModuleList(Layer(shape) for _ in range(shape.layers))
        self.far = nn.Embedding(shape.distances, shape.heads) if shape.distances else None

    def forward(self, texts: Sequence[Sequence[int]]) -> Tensor:
        """Return the vectors (B, D) of texts by their tokens' numbers."""
        if not texts:
            return torch.zeros(0, self.shape.dim)
        order = sorted(range(len(texts)), key=lambda at: len(texts[at]))
        chunks = [order[at : at + CHUNK] for at in range(0, len(order), CHUNK)]
        found = torch.cat([self._encoded([texts[at] for at in some]) for some in chunks])
        return found[torch.tensor(order).argsort()]

    def _encoded(self, texts: Sequence[Sequence[int]]) -> Tensor:
        rows = [torch.tensor(one) for one in texts]
        tokens = nn.utils.rnn.pad_sequence(rows, batch_first=True)
        lengths = torch.tensor([len(one) for one in texts])
        here = torch.arange(tokens.shape[1]) < lengths[:, None]
        h = (
            self.widen(self.words(tokens))
            + self.places.weight[: tokens.shape[1]]
            + self.segments.weight[0]
        )
        h = self.norm(h)
        seen = torch.zeros(here.shape).masked_fill(~here, -torch.inf)[:, None, None]
        if self.far is not None:
            apart = distances(tokens.shape[1], self.shape.distances)
            seen = seen + self.far(apart).permute(2, 0, 1)
        for layer in self.layers:
            h = layer(h, seen)
        return F.normalize((h * here[..., None]).sum(1), dim=-1)

    def named(self) -> dict[str, nn.Module]:
        """Return the parts by their names in the files of such networks."""
        tables = {"word": self.words, "position": self.places, "token_type": self.segments}
        found: dict[str, nn.Module] = {
            f"embeddings.{name}_embeddings": of for name, of in tables.items()
        }
        if isinstance(self.widen, Linear):
            found["encoder.embedding_hidden_mapping_in"] = self.widen
        found["embeddings.LayerNorm"] = self.norm
        if self.far is not None:
            found["encoder.relative_attention_bias"] = self.far
        for number, layer in enumerate(self.layers):
            assert isinstance(layer, Layer)
            found |= {f"encoder.layer.{number}.{name}": of for name, of in layer.named().items()}
        return found

    def weights(self) -> dict[str, Tensor]:
        """Return the weights by their names in such files, with what is added to them."""
        found: dict[str, Tensor] = {}
        for name, part in self.named().items():
            for kind, one in part.named_parameters(recurse=False):
                if kind in ("weight", "bias"):
                    found[f"{name}.{kind}"] = one.detach()
            if isinstance(part, Linear):
                found[f"{name}.weight"] = part.whole().detach()
        return found

    def load(self, weights: Mapping[str, Tensor], eps: float) -> None:
        """Take weights by their names in the files of such networks."""
        for name, part in self.named().items():
            for kind, parameter in part.named_parameters(recurse=False):
                parameter.data = weights[f"{name}.{kind}"][: len(parameter)].float().clone()
            if isinstance(part, nn.LayerNorm):
                part.eps = eps

    def change(self, rank: int, from_layer: int) -> None:
        """Learn changes of low rank alone, from some layer on."""
        self.requires_grad_(False)
        for layer in self.layers[from_layer:]:
            for part in layer.modules():
                if isinstance(part, Linear):
                    part.change(rank)


def distances(length: int, most: int) -> Tensor:
    """Return the number of the distance from each token to each (T, T), as T5 and MPNet have it.

    Half of the numbers are of tokens ahead. Half of each half are of the nearest, one by one; the
    others of ever longer stretches (Raffel et al. 2020, section 2.1).

    Args:
        length: T.
        most: how many numbers there are.
    """
    places = torch.arange(length)
    ahead = places - places[:, None]
    far, half, near = ahead.abs(), most // 2, most // 4
    stretch = (far.clamp(min=1) / near).log() / math.log(FAR / near) * (half - near)
    long = (near + stretch.long()).clamp(max=half - 1)
    return half * (ahead > 0) + torch.where(far < near, far, long)


class Head(nn.Module):
    """How strongly each is asked for: see `memnets.kb.questions.ranking`."""

    def __init__(self, dim: int) -> None:
        super().__init__()
        self.hop = nn.Linear(dim, dim)
        self.hop.weight.data = torch.eye(dim) * 0.6
        self.hop.bias.data.zero_()
        self.log_scale = nn.Parameter(torch.tensor(SCALE).log())
        self.biases = nn.Parameter(torch.tensor(BIASES))

    def forward(
        self,
        questions: Tensor,
        forwards: Tensor,
        backwards: Tensor,
        paths: Sequence[Sequence[tuple[int, ...]]],
    ) -> Tensor:
        """Return the scores of relations, of paths, and of none.

        Args:
            questions: (B, D).
            forwards: (N, D).
            backwards: (M, D).
            paths: of each length, by places in forwards and backwards together.
        """
        each = torch.cat([forwards, backwards])
        followed = [self._followed(each, torch.tensor(some)) for some in paths if some]
        ways = (forwards, backwards, torch.cat(followed or [each[:0]]))
        scores = [
            self.log_scale.exp() * questions @ some.T + bias
            for some, bias in zip(ways, self.biases, strict=True)
        ]
        return torch.cat([*scores, torch.zeros(len(questions), 1)], 1)

    def _followed(self, each: Tensor, paths: Tensor) -> Tensor:
        """Return the vectors of paths of one length."""
        first, *others = each[paths.T]
        for then in others:
            first = F.normalize(then + self.hop(first), dim=-1)
        return first
