"""What texts mean, as vectors: by a transformer that was trained on pairs of sentences.

Its folder is one of sentence-transformers, of BERT's kind (Devlin et al. 2019; Reimers and Gurevych
2019), such as all-MiniLM-L6-v2, or of the same kind with whole words for tokens. It is computed in
NumPy: to load torch takes longer.
"""

import json
import math
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from memnets.kb.questions.tokens import Pieces, WholeWords

CONFIG, WEIGHTS, TOKENIZER = "config.json", "model.safetensors", "tokenizer.json"
"""The files of the folder."""
WORDS = "words.txt"
"""The words that are tokens, a line each, where there is no tokenizer."""
OUT, INTO, STEP = ".out", ".into", ".step"
"""Behind the name of a weight: the two factors of what is added to it, and what its whole numbers
are multiplied with, row by row."""
EMBEDDED = tuple(
    f"embeddings.{name}_embeddings.weight" for name in ("word", "position", "token_type")
)
"""Tables of which few rows are looked up."""
POOLING = Path("1_Pooling") / "config.json"
"""Says how the vectors of tokens become one; by their mean where it is not there."""
_ERF = (0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429)
_ERF_AT = 0.3275911
Array = NDArray[np.float32]


class SentenceEncoder:
    """Encodes texts, so that those that mean nearly the same have vectors of nearly one direction.

    Of the tokens $x_t$ of a text, with LN for layer normalisation,

    $$h = \\mathrm{LN}(E_{x_t} + P_t + S), \\quad
      a = \\mathrm{LN}(h + \\mathrm{attention}(h)), \\quad
      h' = \\mathrm{LN}(a + W_2\\,\\mathrm{gelu}(W_1 a))$$

    layer by layer; the mean of the last $h'$ over the tokens, at length 1, is the text's vector.

    Args:
        folder: that `config.json` and `model.safetensors` are in, and `tokenizer.json` or
            `words.txt`.
        changes: what is added to some of its weights, as the factors of matrices of low rank:
            $B$ and $A$ by the names of what $BA$ is added to (Hu et al. 2021, eq. 3).

    Raises:
        FileNotFoundError: one of them is not there.
        ModuleNotFoundError: the library tokenizers is not installed.
        ValueError: it is another network, or one whose vectors are not the mean of its tokens'.
    """

    def __init__(self, folder: Path, changes: Mapping[str, Array] | None = None) -> None:
        words = (folder / WORDS).is_file()
        for name in (CONFIG, WEIGHTS, WORDS if words else TOKENIZER):
            if not (folder / name).is_file():
                raise FileNotFoundError(
                    f"{folder / name}: no such file. Name a folder of sentence-transformers with "
                    f"{CONFIG}, {WEIGHTS} and {TOKENIZER}."
                )
        self._folder, self._changes = folder, changes or {}
        self._config = json.loads((folder / CONFIG).read_text("utf-8"))
        self._tokens = _whole_words(folder / WORDS) if words else Pieces(folder / TOKENIZER)
        self._check()

    def _check(self) -> None:
        kind, shape = self._config.get("model_type"), self._config.get("hidden_act")
        if (kind, shape) != ("bert", "gelu"):
            raise ValueError(
                f"{self._folder / CONFIG}: came model_type {kind!r} with hidden_act {shape!r}; "
                f"expected 'bert' with 'gelu'. Name another folder, such as all-MiniLM-L6-v2."
            )
        pooling = self._folder / POOLING
        if pooling.is_file() and not json.loads(pooling.read_text())["pooling_mode_mean_tokens"]:
            raise ValueError(
                f"{pooling}: its vectors are no mean of those of the tokens, which is all that is "
                f"known here. Name another folder, such as all-MiniLM-L6-v2."
            )

    def encode(self, texts: Sequence[str]) -> Array:
        """Return the vectors of some texts, a row each.

        Their tokens are computed side by side, without padding between them.
        """
        if not texts:
            return np.zeros((0, self._config["hidden_size"]), np.float32)
        most = self._config["max_position_embeddings"]
        tokens = [one[:most] for one in self._tokens.numbers(texts)]
        places = np.cumsum([0, *map(len, tokens)])
        positions = np.concatenate([np.arange(len(one)) for one in tokens])
        h = self._embedded(np.concatenate(tokens), positions)
        for layer in range(self._config["num_hidden_layers"]):
            h = self._layer(f"encoder.layer.{layer}", h, places.tolist())
        sums = np.add.reduceat(h, places[:-1])  # of the mean's direction
        return sums / np.linalg.norm(sums, axis=1, keepdims=True)

    def begins(self, dims: int) -> Array:
        """Return the first weights of its first word, to tell the network from others."""
        return _floats(self.weights[EMBEDDED[0]][0, :dims])

    def _embedded(self, tokens: Any, positions: Any) -> Array:
        words, where, segment = (self.weights[name] for name in EMBEDDED)
        steps = self.weights.get(EMBEDDED[0] + STEP)
        h = _floats(words[tokens]) * (1 if steps is None else steps[tokens, None])
        h = h + _floats(where[positions]) + _floats(segment[0])
        return self._normalised("embeddings.LayerNorm", h)

    def _layer(self, name: str, h: Array, places: list[int]) -> Array:
        query, key, value = (
            self._linear(f"{name}.attention.self.{part}", h) for part in ("query", "key", "value")
        )
        heads = self._config["num_attention_heads"]
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
        x /= np.sqrt(np.square(x).mean(1, keepdims=True) + self._config["layer_norm_eps"])
        return x * self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"]

    @cached_property
    def weights(self) -> dict[str, Array]:
        """Those of the network, changed."""
        from safetensors.numpy import load_file

        loaded = load_file(self._folder / WEIGHTS)
        weights = {name.removeprefix("bert."): one for name, one in loaded.items()}
        for name in [one for one in self._changes if one.endswith(OUT)]:
            whole = name.removesuffix(OUT)
            b, a = (_floats(self._changes[whole + part]) for part in (OUT, INTO))
            came = weights[whole].shape if whole in weights else None
            if came != (len(b), a.shape[1]):
                raise ValueError(
                    f"{self._folder / WEIGHTS}: came {whole} of shape {came}; expected "
                    f"{(len(b), a.shape[1])}. It is another network than all-MiniLM-L6-v2: name "
                    f"the folder of that one."
                )
            weights[whole] = weights[whole] + b @ a
        return {name: one if name in EMBEDDED else _floats(one) for name, one in weights.items()}


def _whole_words(path: Path) -> WholeWords:
    return WholeWords(path.read_text("utf-8").split("\n"))


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
