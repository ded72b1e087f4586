"""An encoder of sentences in NumPy is the transformer that its folder holds."""

import json

import numpy as np
import pytest
import torch
from safetensors.torch import save_file
from torch import nn

from memnets.kb.questions.sentences import (
    CONFIG,
    EMBEDDED,
    PIECES,
    STEP,
    WEIGHTS,
    WIDENED,
    SentenceEncoder,
)

TOKENS = ["[UNK]", "[CLS]", "[SEP]", "boss", "is", "it", "leads", "the", "who"]
DIM, NARROW, HEADS, WIDE, LAYERS, MOST = 8, 5, 2, 16, 2, 8
SHAPE = {
    **{"model_type": "bert", "hidden_act": "gelu", "hidden_size": DIM, "layer_norm_eps": 1e-12},
    **{"num_attention_heads": HEADS, "num_hidden_layers": LAYERS},
    "max_position_embeddings": MOST,
}
LAYER = "encoder.layer.1.intermediate.dense"


class Bert(nn.Module):
    """The same network of PyTorch's own layers, with the names of its weights in such folders."""

    def __init__(self):
        super().__init__()
        self.word = nn.Embedding(len(TOKENS), NARROW)
        self.widen = nn.Linear(NARROW, DIM, bias=False)
        self.position, self.segment = nn.Embedding(MOST, DIM), nn.Embedding(1, DIM)
        self.norm = nn.LayerNorm(DIM, eps=1e-12)
        self.layers = nn.ModuleList(
            nn.TransformerEncoderLayer(
                DIM, HEADS, WIDE, 0.0, "gelu", layer_norm_eps=1e-12, batch_first=True
            )
            for _ in range(LAYERS)
        )

    def forward(self, tokens):
        places = torch.arange(len(tokens))
        h = (
            self.widen(self.word(tokens))
            + self.position(places)
            + self.segment(torch.zeros_like(tokens))
        )
        h = self.norm(h)[None]
        for layer in self.layers:
            h = layer(h)
        return nn.functional.normalize(h[0].mean(0), dim=0)

    def named(self):
        parts = {"word": self.word, "position": self.position, "token_type": self.segment}
        found = {f"embeddings.{k}_embeddings.weight": of.weight for k, of in parts.items()}
        found |= {WIDENED: self.widen.weight, **_both("embeddings.LayerNorm", self.norm)}
        for number, layer in enumerate(self.layers):
            at = f"encoder.layer.{number}"
            weights, biases = layer.self_attn.in_proj_weight, layer.self_attn.in_proj_bias
            for part, weight, bias in zip(
                ("query", "key", "value"), weights.chunk(3), biases.chunk(3), strict=True
            ):
                found |= {f"{at}.attention.self.{part}.weight": weight}
                found |= {f"{at}.attention.self.{part}.bias": bias}
            found |= _both(f"{at}.attention.output.dense", layer.self_attn.out_proj)
            found |= _both(f"{at}.attention.output.LayerNorm", layer.norm1)
            found |= _both(f"{at}.intermediate.dense", layer.linear1)
            found |= _both(f"{at}.output.dense", layer.linear2)
            found |= _both(f"{at}.output.LayerNorm", layer.norm2)
        return {name: one.detach().clone() for name, one in found.items()}


def _both(name, layer):
    return {f"{name}.weight": layer.weight, f"{name}.bias": layer.bias}


@pytest.fixture(scope="module")
def bert():
    torch.manual_seed(3)
    model = Bert().eval()
    for name, weight in model.named_parameters():  # also biases and norms are not as at first
        nn.init.normal_(weight, float("norm" in name and "weight" in name), 0.4)
    return model


@pytest.fixture
def folder(bert, tmp_path):
    """Its words' vectors are in whole numbers, as is a matrix; all others as they are."""
    weights = bert.named()
    with torch.no_grad():
        for name, own in ((EMBEDDED[0], bert.word), (f"{LAYER}.weight", bert.layers[1].linear1)):
            step = own.weight.abs().amax(1) / 127
            whole = (own.weight / step[:, None]).round()
            weights |= {name: whole.to(torch.int8), name + STEP: step}
            own.weight.copy_(whole * step[:, None])
    save_file(weights, tmp_path / WEIGHTS)
    (tmp_path / CONFIG).write_text(json.dumps(SHAPE))
    (tmp_path / PIECES).write_text("\n".join(TOKENS))
    return tmp_path


def test_its_vectors_are_those_of_the_network(folder, bert):
    texts = ["who leads it", "boss", "the boss is it", "who is the boss the boss is it"]
    tokens = [[1, *[*map(TOKENS.index, text.split())][: MOST - 2], 2] for text in texts]
    with torch.inference_mode():
        expected = torch.stack([bert(torch.tensor(one)) for one in tokens]).numpy()
    found = SentenceEncoder(folder).encode(texts)
    np.testing.assert_allclose(found, expected, atol=1e-5)
    assert np.abs(np.diff(expected, axis=0)).max() > 0.1  # they do differ
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1, rtol=1e-6)


def test_a_text_is_encoded_alone_as_beside_others(folder):
    encoder = SentenceEncoder(folder)
    both = encoder.encode(["who leads it", "boss"])
    np.testing.assert_allclose(encoder.encode(["boss"])[0], both[1], atol=1e-6)


def test_no_texts_have_no_vectors(folder):
    assert SentenceEncoder(folder).encode([]).shape == (0, DIM)
