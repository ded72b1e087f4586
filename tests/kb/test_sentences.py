"""An encoder of sentences in NumPy is the transformer that its folder holds."""

import json

import numpy as np
import pytest
import torch
from safetensors.torch import save_file
from torch import nn

from memnets.kb.questions.sentences import CONFIG, POOLING, TOKENIZER, WEIGHTS, SentenceEncoder
from memnets.kb.questions.synonyms import WordNet, read_synonyms

tokenizers = pytest.importorskip("tokenizers")

WORDS = ["[UNK]", "[CLS]", "[SEP]", "who", "leads", "is", "the", "boss", "of", "it", "red"]
DIM, HEADS, WIDE, LAYERS, MOST = 8, 2, 16, 2, 6
SHAPE = {
    **{"model_type": "bert", "hidden_act": "gelu", "hidden_size": DIM, "layer_norm_eps": 1e-12},
    **{"num_attention_heads": HEADS, "num_hidden_layers": LAYERS},
    "max_position_embeddings": MOST,
}


class Bert(nn.Module):
    """The same network of PyTorch's own layers, with the names of its weights in such folders."""

    def __init__(self):
        super().__init__()
        self.word, self.position, self.segment = (
            nn.Embedding(n, DIM) for n in (len(WORDS), MOST, 2)
        )
        self.norm = nn.LayerNorm(DIM, eps=1e-12)
        self.layers = nn.ModuleList(
            nn.TransformerEncoderLayer(
                DIM, HEADS, WIDE, 0.0, "gelu", layer_norm_eps=1e-12, batch_first=True
            )
            for _ in range(LAYERS)
        )

    def forward(self, tokens):
        places = torch.arange(len(tokens))
        h = self.word(tokens) + self.position(places) + self.segment(torch.zeros_like(tokens))
        h = self.norm(h)[None]
        for layer in self.layers:
            h = layer(h)
        return nn.functional.normalize(h[0].mean(0), dim=0)

    def named(self):
        parts = {"word": self.word, "position": self.position, "token_type": self.segment}
        found = {f"embeddings.{k}_embeddings.weight": of.weight for k, of in parts.items()}
        found |= _both("embeddings.LayerNorm", self.norm)
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
        return {f"bert.{name}": one.detach().clone() for name, one in found.items()}


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
    (tmp_path / CONFIG).write_text(json.dumps(SHAPE))
    save_file(bert.named(), tmp_path / WEIGHTS)
    tokenizer = tokenizers.Tokenizer(
        tokenizers.models.WordLevel({word: at for at, word in enumerate(WORDS)}, "[UNK]")
    )
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    tokenizer.post_processor = tokenizers.processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 1), ("[SEP]", 2)]
    )
    tokenizer.enable_padding(length=5)  # as such files ask for, which nothing here needs
    tokenizer.save(str(tmp_path / TOKENIZER))
    return tmp_path


def test_its_vectors_are_those_of_the_network(folder, bert):
    texts = ["who leads it", "red", "the boss of it", "who is the boss of the red"]
    tokens = [[1, *(WORDS.index(word) for word in text.split()), 2][:MOST] for text in texts]
    with torch.inference_mode():
        expected = torch.stack([bert(torch.tensor(one)) for one in tokens]).numpy()
    found = SentenceEncoder(folder).encode(texts)
    np.testing.assert_allclose(found, expected, atol=1e-5)
    assert np.abs(np.diff(expected, axis=0)).max() > 0.1  # they do differ
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1, rtol=1e-6)


def test_a_text_is_encoded_alone_as_beside_others(folder):
    encoder = SentenceEncoder(folder)
    both = encoder.encode(["who leads it", "red"])
    np.testing.assert_allclose(encoder.encode(["red"])[0], both[1], atol=1e-6)


def test_a_folder_is_taken_for_what_it_holds(folder, tmp_path_factory):
    with pytest.raises(ValueError, match="another network than all-MiniLM-L6-v2"):
        read_synonyms(folder)
    other = tmp_path_factory.mktemp("wordnet")
    for name in ("index.noun", "data.noun"):
        (other / name).write_bytes(b"")
    assert isinstance(read_synonyms(other), WordNet)


def test_whole_words_are_tokens_where_they_are_listed(folder, bert):
    (folder / "words.txt").write_text("\n".join(WORDS))
    found = SentenceEncoder(folder).encode(["who leads it"])[0]
    with torch.inference_mode():
        expected = bert(torch.tensor([WORDS.index(word) for word in ("who", "leads", "it")]))
    np.testing.assert_allclose(found, expected, atol=1e-5)


def test_no_texts_have_no_vectors(folder):
    assert SentenceEncoder(folder).encode([]).shape == (0, DIM)


@pytest.mark.parametrize("name", [CONFIG, WEIGHTS, TOKENIZER])
def test_a_file_that_is_missing_is_named(folder, name):
    (folder / name).unlink()
    with pytest.raises(FileNotFoundError, match=rf"{name}: no such file.*{TOKENIZER}"):
        SentenceEncoder(folder)


def test_another_network_is_refused(folder):
    (folder / CONFIG).write_text(json.dumps(SHAPE | {"model_type": "mpnet"}))
    with pytest.raises(ValueError, match=r"'mpnet'.*expected 'bert'"):
        SentenceEncoder(folder)
    (folder / CONFIG).write_text(json.dumps(SHAPE))
    (folder / POOLING).parent.mkdir()
    (folder / POOLING).write_text('{"pooling_mode_mean_tokens": false}')
    with pytest.raises(ValueError, match="no mean"):
        SentenceEncoder(folder)
    (folder / POOLING).write_text('{"pooling_mode_mean_tokens": true}')
    SentenceEncoder(folder)
