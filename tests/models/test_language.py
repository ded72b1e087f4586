"""Language models: any core fits, the state is carried whole, dropout is where it belongs."""

import pytest
import torch
from torch.testing import assert_close

from memnets.layers.recurrent import GRU, LSTM
from memnets.models import cran
from memnets.models.language import LanguageModel

VOCAB, DIM, HIDDEN = 11, 5, 7


def cran_core(dim, hidden):
    from memnets.experiments.configs.cran import CRANCore

    return CRANCore(hidden=hidden, key_dim=3, zones=3, slots=2, k=2).build(dim)


CORES = {
    "lstm": lambda: LSTM(DIM, HIDDEN, layers=2),
    "gru": lambda: GRU(DIM, HIDDEN, layers=2),
    "cran": lambda: cran_core(DIM, HIDDEN),
}


@pytest.fixture(params=CORES)
def model(request):
    return LanguageModel(VOCAB, CORES[request.param](), DIM)


def test_a_text_may_be_cut_anywhere(model):
    words = torch.randint(VOCAB, (3, 17))
    whole = model(words)
    first = model(words[:, :6])
    second = model(words[:, 6:], first.state)
    assert_close(torch.cat([first.logits, second.logits], 1), whole.logits)
    assert whole.logits.shape == (3, 17, VOCAB)
    assert whole.hidden.shape == (3, 17, HIDDEN)


def test_rows_are_read_apart(model):
    words = torch.randint(VOCAB, (3, 5))
    assert_close(model(words[1:2]).logits, model(words).logits[1:2])


def test_nothing_is_seen_before_it_comes(model):
    words = torch.randint(VOCAB, (2, 13))
    changed = words.clone()
    changed[:, 7:] = (changed[:, 7:] + 1) % VOCAB
    assert torch.equal(model(words).logits[:, :7], model(changed).logits[:, :7])


def test_the_logits_are_made_of_the_hidden_state(model):
    found = model(torch.randint(VOCAB, (2, 3)))
    assert_close(found.logits, found.hidden @ model.weight.T + model.bias)


@pytest.mark.parametrize("kind", [LSTM, GRU])
def test_a_state_can_be_reset_reordered_and_detached(kind):
    core = kind(DIM, HIDDEN, layers=2)
    _, state = core(torch.randn(3, 4, DIM), core.init_state(3))
    fresh = core.init_state(3)
    reset = state.reset(torch.tensor([False, True, False]))
    order = state.index_select(torch.tensor([2, 0]))
    for part, new, cleared, picked in zip(state, fresh, reset, order, strict=True):
        assert part.requires_grad
        assert_close(cleared[1], new[1])
        assert torch.equal(cleared[0], part[0])
        assert torch.equal(picked, part[[2, 0]])
    assert not any(part.requires_grad for part in state.detach())


def test_a_tied_decoder_is_the_embedding():
    model = LanguageModel(VOCAB, LSTM(DIM, DIM), DIM, tied=True)
    found = model(torch.randint(VOCAB, (2, 3)))
    assert_close(found.logits, found.hidden @ model.embedding.weight.T)
    assert "weight" not in dict(model.named_parameters())


def test_a_tied_decoder_needs_the_embeddings_width():
    with pytest.raises(
        ValueError, match=r"LanguageModel\(dim=5, tied=True\) with a core of width 7.*dim=7"
    ):
        LanguageModel(VOCAB, LSTM(DIM, HIDDEN), DIM, tied=True)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: LanguageModel(0, LSTM(DIM, HIDDEN), DIM), r"LanguageModel\(vocab=0\): expected"),
        (lambda: LSTM(DIM, 0), r"LSTM\(hidden=0\): expected at least 1"),
        (lambda: GRU(DIM, HIDDEN, layers=0), r"GRU\(layers=0\): expected at least 1"),
    ],
)
def test_a_size_below_one_is_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_dropout_stands_before_core_and_decoder_and_in_training_only():
    model = LanguageModel(VOCAB, LSTM(DIM, HIDDEN), DIM, dropout=0.5)
    words = torch.randint(VOCAB, (3, 5))
    seen = []
    model.core.register_forward_pre_hook(lambda _, inputs: seen.append(inputs[0]))
    found = model(words)
    assert (found.hidden == 0).any()
    assert_close(found.logits, found.hidden @ model.weight.T + model.bias)
    assert (seen[-1] == 0).any()
    model.eval()
    assert not (model(words).hidden == 0).any()
    assert not (seen[-1] == 0).any()


@pytest.mark.parametrize("kind", [LSTM, GRU])
def test_dropout_stands_between_layers(kind):
    core, x = kind(DIM, HIDDEN, layers=2, dropout=0.5), torch.randn(3, 5, DIM)
    state = core.init_state(3)
    assert not torch.equal(core(x, state)[0], core(x, state)[0])
    core.eval()
    assert torch.equal(core(x, state)[0], core(x, state)[0])


@pytest.mark.parametrize("kind", [LSTM, GRU])
def test_a_text_that_repeats_is_learnt(kind):
    model = LanguageModel(VOCAB, kind(DIM, HIDDEN), DIM)
    text = torch.arange(7).repeat(9)[None].expand(2, -1)
    optimizer = torch.optim.Adam(model.parameters(), 0.03)
    for _ in range(60):
        loss = torch.nn.functional.cross_entropy(
            model(text[:, :-1]).logits.flatten(0, 1), text[:, 1:].flatten()
        )
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert loss.item() < 0.5  # that of guessing among seven is 1.95


def test_cran_is_a_core_as_it_is():
    core, (x,) = cran.example()
    model = LanguageModel(VOCAB, core, x.shape[-1])
    assert model(torch.randint(VOCAB, (2, 3))).logits.shape == (2, 3, VOCAB)


@pytest.mark.parametrize("kind", [LSTM, GRU])
def test_a_single_layer_may_be_asked_to_drop_what_is_between_layers(kind):
    """There is nothing between: no warning, and nothing is dropped. All may be dropped, too."""
    core, x = kind(DIM, HIDDEN, dropout=0.5), torch.randn(3, 5, DIM)
    state = core.init_state(3)
    assert core.cells.dropout == 0.0
    assert torch.equal(core(x, state)[0], core(x, state)[0])
    assert kind(DIM, HIDDEN, layers=2, dropout=1.0).cells.dropout == 1.0
    assert LanguageModel(VOCAB, core, DIM, dropout=1.0).dropout.p == 1.0


@pytest.mark.parametrize("kind", [LSTM, GRU])
def test_a_state_is_of_the_core_s_layers_and_precision(kind):
    core = kind(DIM, HIDDEN, layers=3).double()
    for part in core.init_state(2):
        assert (part.shape, part.dtype) == ((2, 3, HIDDEN), torch.float64)
        assert not part.any()
    output, state = core(torch.randn(2, 4, DIM).double(), core.init_state(2))
    assert torch.equal(state.hidden[:, -1], output[:, -1])  # the last layer comes last


def test_a_core_narrower_than_a_tied_embedding_is_refused_as_a_wider_one_is():
    for width in (DIM - 1, DIM + 1):
        with pytest.raises(ValueError, match=rf"with a core of width {width}"):
            LanguageModel(VOCAB, LSTM(DIM, width), DIM, tied=True)
