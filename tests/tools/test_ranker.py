"""The rankers of relations learn from questions that were written for them."""

import json
import random
import string

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file
from safetensors.torch import save_file

from memnets.kb.questions.ranking import BACKWARDS, FORWARDS, HEAD, PATHS, RelationRanker
from memnets.kb.questions.sentences import CONFIG, SentenceEncoder
from memnets.kb.questions.tokens import WordPieces
from tools.ranker.__main__ import (
    AROUND,
    FIXED,
    LAYERS,
    LONGEST,
    MPNET,
    NARROW,
    RANK,
    begun,
    read_changes,
    read_network,
    vocabulary,
    write_changes,
    write_ranker,
)
from tools.ranker.batches import batch_of
from tools.ranker.further import asked_alone, with_other_words, words_of
from tools.ranker.networks import Encoder, Head, Shape, distances
from tools.ranker.phrasings import (
    PHRASINGS,
    WAYS,
    Column,
    Phrasing,
    Step,
    Table,
    read_table,
    read_tables,
)
from tools.ranker.teacher import Teacher
from tools.ranker.training import ALIKE, NEAR, Model, _loss, apart, loss_of, train

FILE = """boss\tlink\tAda; Bo
baseTown\tname\tRome; Bari; Oslo
paid_from\tdate\t2001-02-03

boss\tf\twho tells {} what to do
boss\tb\twho does {}'s bidding
baseTown\tb\tanybody in {}?
boss > baseTown\th\twhere does {}'s boss sit
baseTown > paid_from\tr\tsince when do those in {} get money
boss > boss > baseTown\tt\twhere is the boss of {}'s boss
-\tn\tdoes {} snore
"""


def table(tmp_path, text=FILE):
    (tmp_path / "staff.tsv").write_text(text, "utf-8")
    return read_table(tmp_path / "staff.tsv")


def test_a_file_is_read_as_it_is_written(tmp_path):
    staff = table(tmp_path)
    assert staff.columns["baseTown"] == Column("base town", "text", ("Rome", "Bari", "Oslo"))
    assert [one.words for one in staff.columns.values()] == ["boss", "base town", "paid from"]
    boss, town = Step("boss"), Step("baseTown")
    assert staff.phrasings == [
        Phrasing((boss,), "who tells it what to do"),
        Phrasing((Step("boss", True),), "who does it 's bidding"),
        Phrasing((Step("baseTown", True),), "anybody in it"),
        Phrasing((boss, town), "where does it 's boss sit"),
        Phrasing(
            (Step("baseTown", True), Step("paid_from")), "since when do those in it get money"
        ),
        Phrasing((boss, boss, town), "where is the boss of it 's boss"),
        Phrasing((), "does it snore"),
    ]


@pytest.mark.parametrize(
    ("line", "number"),
    [("boss\tf", 5), ("boss\tz\twho", 5), ("chief\tf\twho", 5), ("boss\th\twho", 5)],
)
def test_a_line_that_is_neither_is_named(tmp_path, line, number):
    text = "boss\tlink\tAda\n\nboss\tf\twho\n\n" + line
    with pytest.raises(ValueError, match=rf"staff.tsv:{number}: came "):
        table(tmp_path, text)


def test_what_is_shipped_can_be_read_and_covers_every_way():
    tables = read_tables()
    assert len(tables) == len([*PHRASINGS.glob("*.tsv")])
    ways = {*WAYS.values()}
    for one in tables:
        assert {tuple(step.backwards for step in asked.path) for asked in one.phrasings} == ways
        assert {step.column for asked in one.phrasings for step in asked.path} == {*one.columns}


class Everything(random.Random):
    """Leaves nothing out."""

    def randint(self, least, most):
        return least


def test_a_question_is_put_beside_all_that_it_may_ask_for(tmp_path):
    staff = table(tmp_path)
    other = Table({"colour": Column("colour", "text", ("red",))}, [])
    batch = batch_of(staff, staff.phrasings, [other], Everything(0))
    assert [one.words for one in batch.forwards] == ["boss", "base town", "paid from", "colour"]
    assert [one.words for one in batch.backwards] == ["boss", "base town", "colour"]
    two = [(first, then) for first in (0, 4, 5) for then in (0, 1, 2)]  # boss, and backwards
    assert batch.paths == [two, [(0, 0, 0), (0, 0, 1), (0, 0, 2)]]
    none = 4 + 3 + 9 + 3
    assert batch.right.tolist() == [0, 4, 5, 7 + 1, 7 + 8, 7 + 9 + 1, none]
    assert batch.own.tolist() == [True] * 3 + [False] + [True] * 2 + [False] + [True] * 13
    backwards = [True, False, False]  # from what is a row; all from what is none
    thing = [True] * 4 + backwards + [True] * 6 + [False] * 3 + [True] * 3 + [True]
    value = [False] * 4 + [True] * 3 + [False] * 3 + [True] * 6 + [False] * 3 + [True]
    assert batch.visible.tolist() == [thing, thing, value, thing, value, thing, thing]


class LeavesOut(Everything):
    """Leaves the first column out."""

    def randint(self, least, most):
        return 1

    def sample(self, some, number):
        return some[:number]


def test_none_is_right_where_the_column_is_left_out(tmp_path):
    staff = table(tmp_path)
    batch = batch_of(staff, staff.phrasings, [], LeavesOut(0))
    assert [one.words for one in batch.forwards] == ["base town", "paid from"]
    assert batch.paths == [[(2, 0), (2, 1)], []]
    none = len(batch.own) - 1
    assert batch.right.tolist() == [none, none, 2, none, 3 + 1, none, none]


def test_the_loss_by_hand(tmp_path):
    staff = table(tmp_path)
    other = Table({"colour": Column("colour", "text", ("red",))}, [])
    batch = batch_of(staff, staff.phrasings[:1], [other], Everything(0))
    scores = torch.linspace(0, 3, len(batch.own))[None]
    seen = batch.visible[0]
    own = (scores[0, seen & batch.own] - scores[0, 0]).exp().sum().log()
    assert loss_of(scores, batch, None).item() == pytest.approx(own.item())
    uniform = torch.zeros_like(scores)
    told = scores[0, seen].logsumexp(0) - scores[0, seen].mean()
    assert loss_of(scores, batch, uniform).item() == pytest.approx((own + told).item(), rel=1e-5)


class Words:
    """Every new word is a token."""

    def __init__(self):
        self.known = {}

    def numbers(self, texts):
        return [
            [self.known.setdefault(word, len(self.known) + 2) for word in text.split()]
            for text in texts
        ]


def small_model():
    torch.manual_seed(0)
    shape = Shape(words=80, dim=16, wide=32, heads=2, layers=1, longest=20)
    return Model(Encoder(shape), Head(16), Words())


def test_a_model_learns_what_questions_ask_for(tmp_path, capsys):
    staff, model = table(tmp_path), small_model()
    batch = batch_of(staff, staff.phrasings, [], Everything(0))
    before = loss_of(model.scores(batch), batch, None).item()
    train(model, [staff], epochs=60, size=5, rate=5e-3)
    with torch.inference_mode():
        scores = model.scores(batch)
    assert loss_of(scores, batch, None).item() < 0.5 * before
    assert "epoch 60: mean loss" in capsys.readouterr().out


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


def jittered(model):
    """Return a model whose weights are not as at first."""
    torch.manual_seed(1)
    for one in (*model.encoder.parameters(), *model.head.parameters()):
        one.data += 0.2 * torch.randn_like(one)
    model.encoder.eval()
    return model


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


def test_every_word_is_asked_for_alone(tmp_path):
    texts = asked_alone(["boss", "it", "town", "wage", "year"])
    assert texts == [
        *(f"what is its {word}" for word in ("boss", "town", "wage", "year")),
        *(f"which have it as {word}" for word in ("boss", "year")),
    ]
    (tmp_path / "pieces.json").write_text('{"model": {"vocab": {"zebra": 0, "z": 1, "##s": 2}}}')
    words = words_of([table(tmp_path)], tmp_path / "pieces.json")
    assert {"zebra", "bidding", "rome", "paid", "'s"} <= {*words}
    assert not {"z", "##s", "2001-02-03"} & {*words}


@pytest.mark.parametrize(
    ("question", "changed"),
    [
        ("who does it 's bidding", {"who does it 's violet"}),
        ("is it ok", set()),  # a short word tells nothing, as little as "which" or "how"
        ("red hats", {"violet hats", "red violet", "violet violet"}),
    ],
)
def test_questions_have_other_words_where_these_tell_something(question, changed):
    asked = [Table({}, [Phrasing((), question)])]
    some = (with_other_words(asked, ["violet", "o'clock", "an"], seed) for seed in range(20))
    assert {text for one in some for text in one} == changed


def test_other_words_are_the_same_for_a_seed(tmp_path):
    staff = table(tmp_path)
    one, again, other = (with_other_words([staff], WORDS, seed) for seed in (0, 0, 1))
    assert one == again
    assert sorted(one) != sorted(other)


@pytest.mark.parametrize(("dim", "lost"), [(16, 1e-4), (24, 0.05)])
def test_a_teacher_is_turned_to_where_a_ranker_begins(tmp_path, dim, lost):
    staff = table(tmp_path)
    shape = SIX._replace(words=80, dim=dim, heads=2)
    wide, model = jittered(Model(Encoder(shape), Head(dim), Words())), small_model()
    further = [f"{one} it" for one in string.ascii_lowercase]
    taught, before = (Teacher(wide, [staff], further) for _ in range(2))
    batch = batch_of(staff, staff.phrasings, [], Everything(0))
    taught.turn_to(model)
    for found, of, mine in zip(
        taught.vectors(batch), before.vectors(batch), model.vectors(batch), strict=True
    ):
        assert found.shape[1] == 16
        torch.testing.assert_close(found.norm(dim=1), torch.ones(len(found)))
        torch.testing.assert_close(found @ found.T, of @ of.T, atol=lost, rtol=0)
        assert (found * mine).sum(1).mean() > 0.3
    if dim == 16:
        torch.testing.assert_close(taught.scores(batch), before.scores(batch), atol=0.01, rtol=0)


def test_vectors_are_apart_by_their_cosines():
    east, north = torch.tensor([[1.0, 0.0]]), torch.tensor([[0.0, 1.0]])
    between = torch.tensor([[0.6, 0.8]])
    none = torch.zeros(0, 2)
    assert apart([east, none, north], [between, none, north]).item() == pytest.approx(0.2)
    two = torch.cat([east, north])
    assert apart([two], [torch.cat([east, east])]).item() == pytest.approx(0.5)


def test_what_is_near_the_teacher_counts_the_less_the_longer_it_is_trained(tmp_path):
    staff, model, further = table(tmp_path), small_model(), ["boss it", "it it pay"]
    taught = Teacher(jittered(small_model()), [staff], further)
    batch = batch_of(staff, staff.phrasings, [], Everything(0))
    model.encoder.eval()
    with torch.inference_mode():
        own = loss_of(model.scores(batch), batch, taught.scores(batch))
        near = apart(model.vectors(batch), taught.vectors(batch))
        alike = apart([model.encode(further)], [taught.encode(further)])
        for left in (1.0, 0.5, 0.0):
            found = _loss(model, batch, taught, left, random.Random(0))
            expected = own + NEAR * left * near + ALIKE * alike
            torch.testing.assert_close(found, expected, atol=0.05, rtol=0)  # 16 bits
    assert min(near, alike) > 0.1


def test_a_ranker_comes_near_its_teacher(tmp_path):
    staff, teacher, model = table(tmp_path), small_model(), small_model()
    taught = Teacher(jittered(teacher), [staff])
    batch = batch_of(staff, staff.phrasings, [], Everything(0))
    with torch.inference_mode():
        expected = teacher.scores(batch)
        torch.testing.assert_close(taught.scores(batch), expected, atol=0.1, rtol=0)  # 16 bits
        before = apart(model.vectors(batch), taught.vectors(batch))
    train(model, [staff], epochs=40, size=5, rate=5e-3, teacher=taught)
    with torch.inference_mode():
        assert apart(model.vectors(batch), taught.vectors(batch)) < 0.7 * before


def test_pieces_in_the_letters_of_english_are_known(tmp_path):
    known = {one: at for at, one in enumerate(["zebra", "##ed", "é", *AROUND, "a", "–", "'"])}
    (tmp_path / "tokenizer.json").write_text(json.dumps({"model": {"vocab": known}}))
    found = vocabulary(tmp_path)
    assert [*found] == [*AROUND, "##ed", "'", "a", "zebra", "–"]
    assert found == {one: known[one] for one in found}
