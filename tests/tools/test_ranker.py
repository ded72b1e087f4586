"""Networks that rankers of relations begin from or learn from are read, changed and written."""

import json

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file
from safetensors.torch import save_file

from memnets.kb.questions.ranking import BACKWARDS, FORWARDS, HEAD, PATHS, RelationRanker
from memnets.kb.questions.sentences import CONFIG, SentenceEncoder
from memnets.kb.questions.tokens import WordPieces
from tests.tools.ranker_cases import Words, jittered, small_model
from tools.ranker.__main__ import (
    AROUND,
    FIXED,
    LAYERS,
    LONGEST,
    NARROW,
    RANK,
    begun,
    vocabulary,
    write_ranker,
)
from tools.ranker.networks import Encoder, Head, Shape, distances
from tools.ranker.reading import MPNET, read_changes, read_network, write_changes
from tools.ranker.training import Model


def test_texts_are_encoded_as_beside_others_of_any_length():
    model = small_model()
    model.encoder.eval()
    texts = ["a b c d e f", "a", "c b a"]
    together = model.encode(texts)
    alone = torch.cat([model.encode([text]) for text in texts])
    torch.testing.assert_close(together, alone)
    torch.testing.assert_close(together.norm(dim=1), torch.ones(3))


def test_changes_of_low_rank_add_nothing_at_first_and_are_all_that_is_learnt():
    model = small_model()
    model.encoder.eval()
    before = model.encode(["a b c"])
    model.encoder.change(2, 0)
    torch.testing.assert_close(model.encode(["a b c"]), before)
    names = {
        name.rsplit(".", 1)[1]
        for name, one in model.encoder.named_parameters()
        if one.requires_grad
    }
    assert names == {"into", "out"}
    first = model.encoder.layers[0].query
    first.out.data.fill_(0.5)
    x = torch.randn(3, 16)
    added = 2.0 * x @ (first.out @ first.into).T
    torch.testing.assert_close(
        first(x), torch.nn.functional.linear(x, first.weight, first.bias) + added
    )


def test_the_package_computes_what_was_trained(tmp_path):
    pieces = [
        *AROUND,
        *sorted(["who", "lead", "##s", "it", "what", "is", "its", "boss", "one", "ada"]),
    ]
    shape = Shape(len(pieces), 32, 64, heads=4, layers=2, longest=20, narrow=8)
    model = jittered(Model(Encoder(shape), Head(32), WordPieces("\n".join(pieces))))
    write_ranker(model, pieces, tmp_path)
    encoder = SentenceEncoder(tmp_path)
    texts = ["who leads it", "what is its boss one ada", "strange 1999"]
    with torch.inference_mode():
        expected = model.encode(texts)
    np.testing.assert_allclose(encoder.encode(texts), expected, atol=0.02)  # in eight bits
    head = {name: one.astype(np.float32) for name, one in load_file(tmp_path / HEAD).items()}
    ranker = RelationRanker(encoder, head)
    two = ranker.hop(expected[1:2].numpy(), expected[2:].numpy())
    three = ranker.hop(two, expected[2:].numpy())
    vectors = np.concatenate([expected[1:], two, three])
    paths = [[(0, 1)], [(0, 1, 3)]]  # the last one backwards
    with torch.inference_mode():
        scores = model.head(expected[:1], expected[1:], expected[1:], paths)[0, [0, 3, 4, 5]]
    found = ranker.strengths(expected[0].numpy(), vectors, [FORWARDS, BACKWARDS, PATHS, PATHS])
    np.testing.assert_allclose(found, scores, atol=0.02)
    fingerprint = encoder.config["fingerprint"]
    model.head.biases.data[0] += 1
    write_ranker(model, pieces, tmp_path)
    assert json.loads((tmp_path / CONFIG).read_text())["fingerprint"] != fingerprint


WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "who", "lead", "##s", "it"]


def written(folder, model, kind, **more):
    """Write a network as those that are trained from are written."""
    tokenizers = pytest.importorskip("tokenizers")
    folder.mkdir()
    shape = model.encoder.shape
    config = {"model_type": kind, "hidden_act": "gelu", "layer_norm_eps": 1e-12}
    config |= {"hidden_size": shape.dim, "intermediate_size": shape.wide}
    config |= {"vocab_size": shape.words, "num_attention_heads": shape.heads}
    config |= {"num_hidden_layers": shape.layers, "max_position_embeddings": shape.longest}
    (folder / "config.json").write_text(json.dumps(config | more))
    tokens = {word: at for at, word in enumerate(WORDS)}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordPiece(tokens, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    tokenizer.post_processor = tokenizers.processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    tokenizer.save(str(folder / "tokenizer.json"))
    return folder


SIX = Shape(words=len(WORDS), dim=16, wide=32, heads=2, layers=6, longest=LONGEST + 1)


@pytest.fixture
def network(tmp_path):
    """A network of six layers, of which the first four are never changed."""
    model = jittered(Model(Encoder(SIX), Head(16), Words()))
    folder = written(tmp_path / "network", model, "bert")
    save_file(model.encoder.weights(), folder / "model.safetensors")
    return folder


def changed(network):
    """Return a teacher that learnt something."""
    torch.manual_seed(2)
    teacher = read_network(network)
    teacher.encoder.change(RANK, FIXED)
    for one in (*teacher.encoder.parameters(), *teacher.head.parameters()):
        if one.requires_grad:
            one.data += 0.3 * torch.randn_like(one)
    teacher.encoder.eval()
    return teacher


def test_what_a_teacher_learnt_is_kept(network, tmp_path):
    teacher, again = changed(network), read_network(network)
    again.encoder.change(RANK, FIXED)
    write_changes(teacher, tmp_path / "changes")
    again.encoder.eval()
    texts = ["who leads it", "it"]
    with torch.inference_mode():
        expected = teacher.encode(texts)
        assert (again.encode(texts) - expected).abs().max() > 0.01
        read_changes(again, tmp_path / "changes")
        torch.testing.assert_close(again.encode(texts), expected)
    torch.testing.assert_close(again.head.state_dict(), teacher.head.state_dict())


def test_distances_are_told_apart_the_less_the_longer_they_are():
    numbers = distances(200, 8)
    behind = [0, 1, *[2] * 14, *[3] * 184]  # from 16 on, as 16 = 2 * 64 ** (1 / 2)
    assert numbers[:, 0].tolist() == behind
    assert numbers[0, 1:].tolist() == [one + 4 for one in behind[1:]]


def test_attention_depends_on_distances():
    torch.manual_seed(0)
    encoder = Encoder(SIX._replace(layers=1, distances=8)).eval()
    assert encoder.far is not None
    encoder.far.weight.data.fill_(-1e9)
    encoder.far.weight.data[0] = 0  # each token attends to itself
    (layer,) = encoder.layers
    h = encoder.norm(
        encoder.words.weight[[4, 5, 7]] + encoder.places.weight[:3] + encoder.segments.weight
    )
    a = layer.norm(h + layer.read(layer.value(h)))
    last = layer.last_norm(a + layer.narrow(torch.nn.functional.gelu(layer.widen(a))))
    expected = torch.nn.functional.normalize(last.sum(0), dim=0)
    longer = [4, 5, 7, 4, 5, 7]
    torch.testing.assert_close(encoder([[4, 5, 7], longer])[0], expected)


def test_mpnet_is_read_by_its_own_names_and_places(tmp_path):
    model = jittered(Model(Encoder(SIX._replace(distances=8)), Head(16), Words()))
    weights = model.encoder.weights()
    for name, mine in MPNET.items():
        weights = {of.replace(mine, name): one for of, one in weights.items()}
    assert any(".attn.q." in name for name in weights)
    first, last = (f"embeddings.{one}_embeddings.weight" for one in ("position", "token_type"))
    weights[first] = torch.cat([torch.randn(2, 16), weights[first]])
    words = first.replace("position", "word")
    weights[words] = weights[words] + weights.pop(last)  # it has no segments
    more = {"relative_attention_num_buckets": 8, "max_position_embeddings": SIX.longest + 2}
    folder = written(tmp_path / "mpnet", model, "mpnet", **more)
    save_file(weights, folder / "model.safetensors")
    found = read_network(folder)
    found.encoder.eval()
    texts = ["who leads it", "it"]
    with torch.inference_mode():
        expected = model.encoder(found.tokens.numbers(texts))
        torch.testing.assert_close(found.encode(texts), expected)


def test_a_ranker_begins_as_some_layers_of_a_network(network):
    begins = read_network(network)
    pieces = vocabulary(network)
    assert [*pieces] == [*AROUND, "##s", "it", "lead", "who"]
    model = begun(begins, pieces)
    model.encoder.eval()
    assert model.encoder.shape.narrow == NARROW  # more than its pieces, so nothing is lost
    old = begins.encoder.eval()
    rows = old.words(torch.tensor([2, 4, 5, 6, 7, 3]))  # [CLS] who lead ##s it [SEP]
    h = old.norm(rows + old.places.weight[:6] + old.segments.weight[0])[None]
    for layer in LAYERS:
        h = old.layers[layer](h, torch.zeros(1, 1, 1, 6))
    expected = torch.nn.functional.normalize(h[0].mean(0), dim=0)
    torch.testing.assert_close(model.encode(["who leads it"])[0], expected, atol=1e-4, rtol=0)


def test_what_is_around_a_text_stays_what_it_was_in_fewer_directions(network, monkeypatch):
    monkeypatch.setattr("tools.ranker.__main__.NARROW", 3)
    begins = read_network(network)
    model = begun(begins, vocabulary(network))
    found = model.encoder.widen(model.encoder.words.weight) + model.encoder.segments.weight[0]
    wanted = begins.encoder.words.weight + begins.encoder.segments.weight[0]
    torch.testing.assert_close(found[1:3], wanted[2:4], atol=1e-5, rtol=0)
    assert (found[3] - wanted[6]).abs().max() > 0.01


def test_pieces_in_the_letters_of_english_are_known(tmp_path):
    known = {one: at for at, one in enumerate(["zebra", "##ed", "é", *AROUND, "a", "–", "'"])}
    (tmp_path / "tokenizer.json").write_text(json.dumps({"model": {"vocab": known}}))
    found = vocabulary(tmp_path)
    assert [*found] == [*AROUND, "##ed", "'", "a", "zebra", "–"]
    assert found == {one: known[one] for one in found}


def test_a_network_of_another_kind_is_named(network):
    config = network / CONFIG
    config.write_text(config.read_text().replace('"bert"', '"roberta"'))
    with pytest.raises(ValueError, match="came model_type 'roberta'; expected one of"):
        read_network(network)
