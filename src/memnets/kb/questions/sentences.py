"""What texts mean, as vectors: by a transformer of BERT's kind (Devlin et al. 2019).

Its tokens are whole words. It is computed in NumPy: to load torch takes longer.
"""

import json
import math
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memnets.kb.questions.tokens import WordPieces
from memnets.mapped import tensors_of

CONFIG, WEIGHTS, PIECES = "config.json", "model.safetensors", "pieces.txt"
"""The files of the folder; the last one has the pieces of words that are tokens, a line each."""
STEP = ".step"
"""Behind the name of a weight: what its whole numbers are multiplied with, row by row."""
EMBEDDED = tuple(
    f"embeddings.{name}_embeddings.weight" for name in ("word", "position", "token_type")
)
"""Tables of which few rows are looked up."""
WIDENED = "encoder.embedding_hidden_mapping_in.weight"
"""Widens the pieces' vectors to what the layers have."""
_ERF = (0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429)
_ERF_AT = 0.3275911
Array = NDArray[np.float32]


class SentenceEncoder:
    """Encodes texts, so that those that mean nearly the same have vectors of nearly one direction.

    Of the tokens $x_t$ of a text, with LN for layer normalisation,

    $$h = \\mathrm{LN}(M E_{x_t} + P_t + S), \\quad
      a = \\mathrm{LN}(h + \\mathrm{attention}(h)), \\quad
      h' = \\mathrm{LN}(a + W_2\\,\\mathrm{gelu}(W_1 a))$$

    layer by layer; $M$ widens the narrow rows of $E$ (Lan et al. 2020, section 3.1). The mean of
    the last $h'$ over the tokens, at length 1, is the text's vector (Reimers and Gurevych 2019).

    Args:
        folder: that `config.json`, `model.safetensors` and `pieces.txt` are in.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.config = json.loads((folder / CONFIG).read_text("utf-8"))
        self.pieces = WordPieces((folder / PIECES).read_text("utf-8"))

    def encode(self, texts: Sequence[str]) -> Array:
        """Return the vectors of some texts, a row each.

        Their tokens are computed side by side, without padding between them.
        """
        if not texts:
            return np.zeros((0, self.config["hidden_size"]), np.float32)
        most = self.config["max_position_embeddings"]
        tokens = [_cut(one, most) for one in self.pieces.numbers(texts)]
        places = np.cumsum([0, *map(len, tokens)])
        positions = np.concatenate([np.arange(len(one)) for one in tokens])
        h = self._embedded(np.concatenate(tokens), positions)
        for layer in range(self.config["num_hidden_layers"]):
            h = self._layer(f"encoder.layer.{layer}", h, places.tolist())
        sums = np.add.reduceat(h, places[:-1])  # of the mean's direction
        return sums / np.linalg.norm(sums, axis=1, keepdims=True)

    def _embedded(self, tokens: Any, positions: Any) -> Array:
        words, where, segment = (self.weights[name] for name in EMBEDDED)
        rows: Array = _floats(words[tokens]) * self.weights[EMBEDDED[0] + STEP][tokens, None]
        h: Array = rows @ self.weights[WIDENED].T + _floats(where[positions]) + _floats(segment[0])
        return self._normalised("embeddings.LayerNorm", h)

    def _layer(self, name: str, h: Array, places: list[int]) -> Array:
        query, key, value = (
            self._linear(f"{name}.attention.self.{part}", h) for part in ("query", "key", "value")
        )
        heads = self.config["num_attention_heads"]
        read = [
            _attention(query[begin:end], key[begin:end], value[begin:end], heads)
            for begin, end in pairwise(places)
        ]
        a = self._linear(f"{name}.attention.output.dense", np.concatenate(read))
        a = self._normalised(f"{name}.attention.output.LayerNorm", h + a)
        wide = _gelu(self._linear(f"{name}.intermediate.dense", a))
        return self._normalised(
            f"{name}.output.LayerNorm", a + self._linear(f"{name}.output.dense", wide)
        )

    def _linear(self, name: str, x: Array) -> Array:
        return x @ self.weights[f"{name}.weight"].T + self.weights[f"{name}.bias"]

    def _normalised(self, name: str, x: Array) -> Array:
        x = x - x.mean(1, keepdims=True)
        x /= np.sqrt(np.square(x).mean(1, keepdims=True) + self.config["layer_norm_eps"])
        return x * self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"]

    @cached_property
    def weights(self) -> dict[str, Array]:
        """Those of the network; tables of which few rows are looked up are as in the file."""
        weights, _ = tensors_of(self._folder / WEIGHTS)
        for name in {*weights} - {*EMBEDDED}:
            weights[name] = _floats(weights[name])
            if name + STEP in weights:
                weights[name] *= _floats(weights[name + STEP])[:, None]
        return weights


def _cut(tokens: list[int], most: int) -> list[int]:
    """Return so many tokens at most, the last of which stays at the end."""
    return tokens if len(tokens) <= most else [*tokens[: most - 1], tokens[-1]]


def _floats(x: NDArray[Any]) -> Array:
    return x.astype(np.float32, copy=False)


def _attention(query: Array, key: Array, value: Array, heads: int) -> Array:
    """Return softmax(q k' / sqrt(d)) v, head by head, for the tokens of one text."""
    q, k, v = (x.reshape(len(x), heads, -1).swapaxes(0, 1) for x in (query, key, value))
    scores = q @ k.swapaxes(1, 2) / math.sqrt(q.shape[-1])
    scores = np.exp(scores - scores.max(-1, keepdims=True))
    read = scores / scores.sum(-1, keepdims=True) @ v
    return read.swapaxes(0, 1).reshape(query.shape)


def _gelu(x: Array) -> Array:
    """Return x times the normal distribution function of x.

    The error function is that of Abramowitz and Stegun, 7.1.26, which errs by 2e-7 at most.
    """
    at = np.abs(x) * np.float32(math.sqrt(0.5))
    t = 1 / (1 + np.float32(_ERF_AT) * at)
    poly = np.zeros_like(t)
    for factor in reversed(_ERF):
        poly = (poly + np.float32(factor)) * t
    erf = np.copysign(1 - poly * np.exp(-at * at), x)
    return x * (1 + erf) / 2
