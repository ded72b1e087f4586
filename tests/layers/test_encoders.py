"""Encoders: conformance, the papers' loops, and faults that must be caught."""

import math

import numpy as np
import pytest
import torch
from torch import nn
from torch.testing import assert_close

from memnets.layers import (
    ConvolutionalEncoder,
    Encoder,
    Reach,
    RecurrentEncoder,
    SelfAttentionEncoder,
    SummedDirections,
    encoders,
    sinusoids,
)
from memnets.reference import encoders as reference
from memnets.reference.multihead import Heads
from memnets.testing import check_encoder, discover

ROWS, TIME, DIM = 3, 7, 5
ENCODERS = discover(Encoder)


def array(tensor):
    return tensor.detach().numpy()


@pytest.mark.parametrize("encoder", ENCODERS, ids=lambda part: part.__name__)
def test_encoder_conforms(encoder):
    check_encoder(encoder)


def test_none_is_skipped():
    assert {ConvolutionalEncoder, RecurrentEncoder, SelfAttentionEncoder} <= set(ENCODERS)


def with_recurrence(recurrence):
    """Return a class of encoders whose example is this recurrence."""

    class Other(RecurrentEncoder):
        @classmethod
        def example(cls, dim):
            return cls(recurrence(dim))

    return Other


@pytest.mark.usefixtures("shapes_unchecked")
@pytest.mark.parametrize(
    ("recurrence", "hidden"),
    [
        (lambda dim: nn.LSTM(dim, 2), 2),
        (lambda dim: nn.GRU(dim, 2, batch_first=True), 2),
        (lambda dim: nn.RNN(dim, 2, num_layers=2, bidirectional=True), 4),
        (lambda dim: nn.LSTM(dim, 3, proj_size=2, bidirectional=True), 4),
    ],
    ids=["LSTM", "GRU, batch first", "two layers both ways", "projected"],
)
def test_any_recurrence_conforms(recurrence, hidden):
    other = with_recurrence(recurrence)
    assert other.example(DIM).hidden == hidden
    check_encoder(other)


# Against the loops.


def linear(layer):
    return reference.Linear(array(layer.weight), array(layer.bias))


def convolved(encoder, x):
    state = reference.linear(x, linear(encoder.input_weight))
    for filters in encoder.filters:
        state = reference.convolutional(state, array(filters.weight), array(filters.bias))
    return state


def attended(encoder, x):
    state = reference.linear(x, linear(encoder.input_weight))
    state = state + reference.sinusoids(*state.shape)
    for block in encoder.blocks:
        state = reference.self_attention_block(state, weights_of(block))
    return state


def weights_of(block):
    heads = block.heads
    projections = (
        array(layer.weight).reshape(heads.heads, heads.head_dim, -1)
        for layer in (heads.query_weight, heads.key_weight, heads.value_weight)
    )
    first, second = ((array(norm.weight), array(norm.bias)) for norm in block.norms)
    return reference.Block(
        Heads(*projections, array(heads.output_weight.weight)),
        first,
        linear(block.inner_weight),
        linear(block.outer_weight),
        second,
    )


def recurred(encoder, x):
    """Step by step in both directions, with torch's cell."""
    recurrence, states = encoder.recurrence, np.zeros((len(x), encoder.hidden))
    half = recurrence.hidden_size
    for suffix, way, columns in (
        ("l0", range(len(x)), slice(0, half)),
        ("l0_reverse", reversed(range(len(x))), slice(half, None)),
    ):
        cell, state = nn.GRUCell(x.shape[1], half).double(), torch.zeros(1, half).double()
        for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh"):
            getattr(cell, name).data = getattr(recurrence, f"{name}_{suffix}").data
        for t in way:
            state = cell(torch.tensor(x[t : t + 1]), state)
            states[t, columns] = array(state[0])
    return states


ORACLES = {
    ConvolutionalEncoder: convolved,
    RecurrentEncoder: recurred,
    SelfAttentionEncoder: attended,
}


def compare(encoder_class):
    """Raise an AssertionError where an encoder and the loops over its readable steps differ."""
    torch.manual_seed(0)
    encoder, x = encoder_class.example(DIM).double(), torch.randn(ROWS, TIME, DIM).double()
    mask = torch.arange(TIME) < torch.tensor([[7], [4], [1]])
    found = encoder(x, mask)
    with torch.no_grad():
        for row in range(ROWS):
            expected = ORACLES[encoder_class](encoder, array(x[row, mask[row]]))
            np.testing.assert_allclose(
                array(found[row, mask[row]]), expected, rtol=1e-10, atol=1e-13
            )


by_encoder = pytest.mark.parametrize("encoder", ORACLES, ids=lambda part: part.__name__)


@by_encoder
def test_equals_the_loops(encoder):
    compare(encoder)


def test_the_gradient_equals_differences_of_the_loops():
    torch.manual_seed(0)
    for kind in (ConvolutionalEncoder, SelfAttentionEncoder):
        encoder = kind.example(DIM).double()
        x, way = torch.randn(2, 1, TIME, DIM).double()
        outer = torch.randn(TIME, encoder.hidden).double()
        leaf = x.clone().requires_grad_()
        (gradient,) = torch.autograd.grad((encoder(leaf)[0] * outer).sum(), leaf)

        def moved(step, encoder=encoder, x=x, way=way, outer=outer, loops=ORACLES[kind]):
            return (loops(encoder, array(x[0] + step * way[0])) * array(outer)).sum()

        expected = (moved(1e-5) - moved(-1e-5)) / 2e-5
        assert float((gradient * way).sum()) == pytest.approx(expected, rel=1e-6)


def test_sinusoids_by_hand():
    found = sinusoids(2, torch.zeros(1, 3).double())
    assert_close(found[0], torch.tensor([0.0, 1.0, 0.0]).double())
    slow = math.sin(10000 ** (-2 / 3))
    assert_close(found[1], torch.tensor([math.sin(1), math.cos(1), slow]).double())
    np.testing.assert_allclose(
        array(sinusoids(13, torch.zeros(1, 7).double())[5]),
        reference.sinusoids(13, 7)[5],
        rtol=1e-12,
    )
    assert sinusoids(2, torch.zeros(1, 3).bfloat16()).dtype == torch.bfloat16


def test_a_recurrence_skips_what_is_masked():
    encoder, x = RecurrentEncoder.example(DIM).double(), torch.randn(1, TIME, DIM).double()
    mask = torch.ones(1, TIME, dtype=torch.bool)
    mask[0, [0, 3]] = False
    assert_close(encoder(x, mask)[mask], encoder(x[mask].unsqueeze(0))[0])


@pytest.mark.parametrize("plain", ["0", "1"], ids=["the op", "torch"])
@pytest.mark.parametrize(
    "recurrence",
    [
        nn.GRU(DIM, 4),
        nn.GRU(DIM, 4, bidirectional=True, batch_first=True),
        nn.GRU(DIM, 4, num_layers=2),
        nn.GRU(DIM, 4, bias=False),
        nn.LSTM(DIM, 4, num_layers=2, bidirectional=True),
    ],
    ids=str,
)
def test_every_row_is_read_as_torch_reads_its_steps_alone(recurrence, plain, monkeypatch):
    """Holes, a row of nothing, one step; also where the op knows only a part of what is asked."""
    monkeypatch.setenv("MEMNETS_PLAIN", plain)
    encoder, x = RecurrentEncoder(recurrence), torch.randn(4, TIME, DIM)
    mask = torch.tensor([[1] * 7, [0, 1, 1, 0, 0, 1, 0], [0] * 7, [0, 0, 1, 0, 0, 0, 0]]).bool()
    found = encoder(x, mask)
    assert found.shape == (4, TIME, encoder.hidden)
    assert not found[~mask].any()
    for row in (0, 1, 3):
        steps = x[row][mask[row]]
        alone = steps.unsqueeze(0 if recurrence.batch_first else 1)
        assert_close(found[row][mask[row]], recurrence(alone)[0].reshape(len(steps), -1))


def test_summed_directions_are_the_two_halves_added():
    encoder = SummedDirections(nn.GRU(DIM, 4, bidirectional=True))
    x, mask = torch.randn(2, TIME, DIM), torch.arange(TIME) < torch.tensor([[7], [3]])
    both = RecurrentEncoder(encoder.recurrence)(x, mask)
    assert encoder.hidden == 4
    assert_close(encoder(x, mask), both[..., :4] + both[..., 4:])
    assert encoder(x[:0]).shape == (0, TIME, 4)
    assert encoder(x[:, :0], mask[:, :0]).shape == (2, 0, 4)


# How far they see.


def test_reach_grows_with_depth():
    deep = ConvolutionalEncoder(DIM, 7, width=5, layers=3)
    assert (deep.layer_reach, deep.reach) == (Reach(2, 2), Reach(6, 6))
    assert RecurrentEncoder(nn.LSTM(DIM, 7)).reach == (math.inf, 0)
    assert RecurrentEncoder(nn.LSTM(DIM, 7, 3, bidirectional=True)).reach == (math.inf, math.inf)
    assert SelfAttentionEncoder(DIM, 7, heads=1).reach == (math.inf, math.inf)


# Faults. Each changes one thing; the checks must then fail.


def filters_without_padding_masks(self, x, mask):
    """The bias of one layer is padding's value in the next."""
    state = self.input_weight(x)
    for filters in self.filters:
        state = state + nn.functional.glu(filters(state.mT).mT)
    return state


def recurrence_through_padding(self, x, mask):
    return self.recurrence(x.transpose(0, 1))[0].transpose(0, 1)


def attention_to_padding(self, x, mask):
    return SELF_ATTENTION(self, x, torch.ones_like(mask))


SELF_ATTENTION = SelfAttentionEncoder.encode


@pytest.mark.parametrize(
    ("encoder", "fault"),
    [
        (ConvolutionalEncoder, filters_without_padding_masks),
        (RecurrentEncoder, recurrence_through_padding),
        (SelfAttentionEncoder, attention_to_padding),
    ],
    ids=lambda part: part.__name__,
)
def test_padding_that_is_read_is_caught(encoder, fault, monkeypatch):
    monkeypatch.setattr(encoder, "encode", fault)
    with pytest.raises(AssertionError, match="row 1 of a ragged batch = the row alone"):
        check_encoder(encoder)
    with pytest.raises(AssertionError, match="Not equal to tolerance"):
        compare(encoder)


@by_encoder
def test_a_reach_that_is_not_so_is_caught(encoder, monkeypatch):
    for reach in (Reach(3, math.inf), Reach(math.inf, 3)):
        monkeypatch.setattr(encoder, "layer_reach", reach)
        text = rf"{encoder.__name__}: reach is .*, but step \d+ (sees|does not see) step \d+\."
        with pytest.raises(AssertionError, match=text):
            check_encoder(encoder)


def test_nan_that_is_let_in_is_caught(monkeypatch):
    forward = Encoder.forward

    def unsilenced(self, x, mask=None):
        if mask is None:
            return forward(self, x)
        return self.encode(x, mask).masked_fill(~mask.unsqueeze(-1), 0.0)

    monkeypatch.setattr(Encoder, "forward", unsilenced)
    # The op for GRUs never meets what is masked, so that there it is let in to no effect.
    for encoder in (part for part in ENCODERS if not issubclass(part, RecurrentEncoder)):
        with pytest.raises(AssertionError, match=f"{encoder.__name__}: NaN in padding, with 0"):
            check_encoder(encoder)


def test_what_is_written_into_the_callers_steps_is_caught(monkeypatch):
    encode = ConvolutionalEncoder.encode
    monkeypatch.setattr(
        ConvolutionalEncoder, "encode", lambda self, x, mask: encode(self, x.add_(1.0), mask)
    )
    with pytest.raises(AssertionError, match="ConvolutionalEncoder: it wrote into the caller's x"):
        check_encoder(ConvolutionalEncoder)


def test_masked_steps_that_are_not_zero_are_caught(monkeypatch):
    forward = Encoder.forward
    monkeypatch.setattr(Encoder, "forward", lambda self, x, mask=None: forward(self, x, mask) + 1)
    with pytest.raises(AssertionError, match="ConvolutionalEncoder: a masked step is not zero"):
        check_encoder(ConvolutionalEncoder)


def gates_swapped(patch):
    glu = nn.functional.glu
    patch.setattr(encoders.F, "glu", lambda both: glu(both.roll(both.shape[-1] // 2, -1)))


def places_from_one(patch):
    patch.setattr(encoders, "sinusoids", lambda time, like: sinusoids(time + 1, like)[1:])


@pytest.mark.parametrize(
    ("fault", "encoder"),
    [
        (gates_swapped, ConvolutionalEncoder),
        (places_from_one, SelfAttentionEncoder),
    ],
    ids=lambda part: part.__name__,
)
def test_a_planted_fault_is_caught(fault, encoder, monkeypatch):
    fault(monkeypatch)
    with pytest.raises(AssertionError, match="Not equal to tolerance"):
        compare(encoder)


# What is refused.


@pytest.mark.parametrize("size", ["dim", "hidden", "width", "layers"])
def test_convolutions_of_no_size_are_refused(size):
    sizes = {"dim": DIM, "hidden": 7} | {size: 0}
    with pytest.raises(ValueError, match=rf"ConvolutionalEncoder\({size}=0\): expected at least 1"):
        ConvolutionalEncoder(**sizes)


def test_an_even_width_is_refused():
    with pytest.raises(ValueError, match=r"ConvolutionalEncoder\(width=4\): expected an odd"):
        ConvolutionalEncoder(DIM, 7, width=4)


@pytest.mark.parametrize("size", ["dim", "hidden", "layers", "inner"])
def test_blocks_of_no_size_are_refused(size):
    sizes = {"dim": DIM, "hidden": 7, "heads": 1} | {size: 0}
    with pytest.raises(ValueError, match=rf"SelfAttentionEncoder\({size}=0\): expected at least 1"):
        SelfAttentionEncoder(**sizes)


@pytest.mark.parametrize("kind", [RecurrentEncoder, SummedDirections])
def test_a_recurrence_that_is_watched_is_called(kind):
    """Although the op would compute the same."""
    encoder, seen = kind(nn.GRU(DIM, 4, bidirectional=True)), []
    plain = encoder(torch.ones(2, TIME, DIM))
    encoder.recurrence.register_forward_hook(lambda *given: seen.append(1))
    assert_close(encoder(torch.ones(2, TIME, DIM)), plain)
    assert seen == [1]


def test_sinusoids_of_far_places_are_not_rounded_before_they_are_waves():
    """In bfloat16 place 301 is 300, and 0.1 is off by a thousandth of it."""
    exact = sinusoids(400, torch.zeros(1, 6))
    for dtype in (torch.bfloat16, torch.float16):
        assert torch.equal(sinusoids(400, torch.zeros(1, 6, dtype=dtype)), exact.to(dtype))


def test_blocks_are_as_many_and_as_wide_as_is_asked_for():
    """Loops over the blocks that there are would not miss one."""
    encoder = SelfAttentionEncoder(DIM, 12, heads=4, layers=3, inner=7, norm="before")
    assert len(encoder.blocks) == encoder.layers == 3
    for block in encoder.blocks:
        assert (block.heads.heads, block.norm) == (4, "before")
        assert block.inner_weight.weight.shape == (7, 12)
        assert block.heads.query_weight.bias is None
    assert {block.norm for block in SelfAttentionEncoder(DIM, 4, 2).blocks} == {"after"}
    deep = ConvolutionalEncoder(DIM, 6, width=3, layers=2)
    assert [tuple(filters.weight.shape) for filters in deep.filters] == [(12, 6, 3)] * 2
    assert deep.input_weight.weight.shape == (6, DIM)


def test_gated_filters_begin_as_wide_as_their_sums_are_long():
    """Each output sums width * hidden weights; half of the outputs are gates, all without bias."""
    torch.manual_seed(0)
    (filters,) = ConvolutionalEncoder(DIM, 64, width=5, layers=1).filters
    assert float(filters.weight.detach().std()) == pytest.approx(2 / math.sqrt(5 * 64), rel=0.02)
    assert not filters.bias.any()
