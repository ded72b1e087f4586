"""DMN+ for pictures: against the loops, the order of regions, neighbours and padding."""

import inspect
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from torch.nn.functional import one_hot

from memnets.layers import RegionReader, SummedDirections, row_by_row, snake
from memnets.layers.stems import Given, SmallCNN
from memnets.memories import SoftSum
from memnets.models.dmn import VisualDMN, dmn_plus_vqa
from memnets.reference import dmn as loops
from memnets.reference.encoders import Linear
from memnets.testing.conformance.models import check_model

VOCAB, ANSWERS, HIDDEN, HOPS, DIM, GRID = 13, 7, 3, 2, 5, (3, 4)


def build(dtype=torch.float64, **changed):
    model = dmn_plus_vqa(VOCAB, ANSWERS, Given(DIM, GRID), GRID, HIDDEN, HOPS, **changed)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.normal_(std=0.7)
    return model.to(dtype).eval()


def example():
    """Return a small model that sees pictures itself, and its inputs."""
    stem = SmallCNN((4, 5), side=(12, 13))
    model = dmn_plus_vqa(VOCAB, ANSWERS, stem, stem.grid(12, 13), 6, HOPS)
    for bias in (part for part in model.parameters() if part.ndim == 1):
        torch.nn.init.normal_(bias)
    question, of = torch.randint(1, VOCAB, (3, 3)), torch.tensor([1, 0, 1])
    return model, (torch.rand(2, 3, 12, 13), question, of)


def inputs():
    """Return features of three pictures and five questions about them, one of a single word."""
    seen = torch.randn(3, GRID[0] * GRID[1], DIM, dtype=torch.float64)
    question = torch.randint(2, VOCAB, (5, 4))
    question[1, 1:], question[3, 3:] = 0, 0
    return seen, question, torch.tensor([2, 0, 0, 1, 2])


def array(tensor):
    return tensor.detach().numpy()


def linear(layer):
    return Linear(array(layer.weight), array(layer.bias))


def recurrence(gru, suffix):
    names = (f"{part}{suffix}" for part in ("weight_ih", "weight_hh", "bias_ih", "bias_hh"))
    return loops.GRU(*(array(getattr(gru, name)) for name in names))


def by_loops(model, seen, asked):
    """Return the scores of all answers to a question, and the gates of all hops on the grid."""
    gate, read = model.memory.gate, model.memory.read
    gru, heard = model.regions.fusion.recurrence, model.question.encoder.recurrence
    rows = array(seen).reshape(*GRID, DIM)
    f = loops.regions(rows, linear(model.regions.project))
    f = loops.fused(f, recurrence(gru, "_l0"), recurrence(gru, "_l0_reverse"))
    q = loops.question(asked, array(model.embedding), recurrence(heard, "_l0"))
    h, weight = HIDDEN, array(gate.first.weight)  # [fq |f-q| fm |f-m|] -> [fq fm |f-q| |f-m|]
    columns = [*range(h), *range(2 * h, 3 * h), *range(h, 2 * h), *range(3 * h, 4 * h)]
    inner = Linear(weight[:, columns], array(gate.first.bias))

    def gates(f, m, q):
        z = np.array([loops.features_plus(each, m, q) for each in f])
        return loops.gates(z, inner, linear(gate.second))

    parts = read.input.weight, read.recurrent.weight, read.input.bias, read.recurrent.bias
    cell = loops.GRU(*map(array, parts))
    updates = [
        lambda m, c, q, w=linear(layer): loops.relu_update(m, c, q, w)
        for layer in model.memory.update.layers
    ]
    m, found = loops.passes(f, q, gates, lambda f, g: loops.attention_gru(f, g, cell)[-1], updates)
    maps = np.zeros((HOPS, *GRID))
    for hop, g in enumerate(found):
        for weight, place in zip(g, loops.snaked(*GRID), strict=True):
            maps[hop][place] = weight
    return loops.answer(q, m, linear(model.head.choice)), maps


def compare(model):
    seen, question, of = inputs()
    reply = model(seen, question, of)
    for row, picture in enumerate(of.tolist()):
        asked = question[row][question[row] > 0].tolist()
        scores, maps = by_loops(model, seen[picture], asked)
        np.testing.assert_allclose(array(reply.scores[row, 0]), scores, rtol=1e-10, atol=1e-12)
        for hop, expected in zip(reply.hops, maps, strict=True):
            found = array(model.regions.on_grid(hop.weights[row, 0]))
            np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-12)


def test_equals_the_loops(path):
    """List 12: pictures, questions of unequal lengths, gates on the grid; on both paths."""
    compare(build())


@pytest.mark.parametrize("fault", ["rows", "no tanh", "read backwards", "wrong picture"])
def test_a_fault_is_caught(fault, monkeypatch, native):
    """List 12: the loops and the model do not agree by accident."""
    model = build()
    if fault == "rows":
        model.regions.order = row_by_row(*GRID)
    elif fault == "no tanh":
        monkeypatch.setattr(torch, "tanh", lambda x: x)
    elif fault == "read backwards":
        real = SummedDirections.encode
        monkeypatch.setattr(
            SummedDirections, "encode", lambda self, x, mask: real(self, x.flip(1), mask)
        )
    else:
        real = VisualDMN.see
        monkeypatch.setattr(VisualDMN, "see", lambda self, x, of: real(self, x.flip(0), of))
    with pytest.raises(AssertionError):
        compare(model)


def test_it_does_what_every_model_must():
    """List 12: all weights learn, a copy is apart, the state is whole."""
    check_model(SimpleNamespace(example=example))


@pytest.mark.parametrize("grid", [(1, 1), (1, 5), (4, 1), (3, 4), (14, 14)])
def test_the_snake_turns_at_every_row(grid):
    """List 12: rows alternate, neighbours touch, and the order is its own inverse."""
    rows, columns = grid
    order = snake(rows, columns)
    places = [divmod(place, columns) for place in order.tolist()]
    assert places == loops.snaked(rows, columns)
    steps = np.abs(np.diff(np.array(places), axis=0)).sum(1)
    assert (steps == 1).all()
    assert torch.equal(order[order], torch.arange(rows * columns))
    assert torch.equal(row_by_row(rows, columns), torch.arange(rows * columns))


@pytest.mark.parametrize("order", [snake, row_by_row])
def test_weights_stand_where_their_places_do(order):
    """List 12: a region that shines is found where it stands in the picture."""
    reader = RegionReader(1, GRID, 1, order=order)
    torch.nn.init.ones_(reader.project.weight)
    torch.nn.init.zeros_(reader.project.bias)
    picture = one_hot(torch.tensor([6]), 12).float().unsqueeze(-1)
    found = reader.on_grid(reader(picture).squeeze(-1))
    assert found.shape == (1, 3, 4)
    assert (found > 0).nonzero().tolist() == [[0, 1, 2]]


def test_gradients_are_those_of_finite_differences():
    """List 12: of all weights, those that see the picture among them."""
    model, given = example()
    model = model.double().eval()
    images, question, of = given[0].double(), given[1], given[2]
    said = torch.tensor([[2], [0], [6]])
    weights = list(model.parameters())
    gradients = torch.autograd.grad(model.loss(images, question, said, of)[0].sum(), weights)
    line = [torch.randn_like(part) for part in weights]
    ends = []
    for step in (1e-5, -2e-5):
        with torch.no_grad():
            for part, way in zip(weights, line, strict=True):
                part.add_(way, alpha=step)
            ends.append(float(model.loss(images, question, said, of)[0].sum()))
    along = sum(float((g * way).sum()) for g, way in zip(gradients, line, strict=True))
    assert along == pytest.approx((ends[0] - ends[1]) / 2e-5, rel=1e-5)


def test_what_stands_beside_a_question_changes_nothing():
    """List 4: other pictures, other questions, nil words behind; one row a picture by default."""
    model = build(torch.float32)
    seen, question, of = inputs()
    seen = seen.float()
    whole = model(seen, question, of)
    padded = torch.cat([question, torch.zeros(5, 3, dtype=torch.long)], 1)
    longer = model(torch.cat([seen, seen.flip(0)]), padded, of)
    torch.testing.assert_close(longer.scores, whole.scores, rtol=1e-5, atol=1e-6)
    alone = model(seen[2:], question[4:])
    torch.testing.assert_close(alone.scores, whole.scores[4:], rtol=1e-5, atol=1e-6)
    gates = torch.stack([hop.weights for hop in whole.hops])
    torch.testing.assert_close(gates.sum(-1), torch.ones(HOPS, 5, 1))
    assert torch.equal(model(seen, question, of).scores, whole.scores)


def test_a_picture_is_seen_once_for_all_its_questions(monkeypatch):
    """List 12: the stem sees as many pictures as there are, however many questions."""
    model, came = build(), []
    real = model.stem.forward
    monkeypatch.setattr(model.stem, "forward", lambda x: came.append(len(x)) or real(x))
    seen, question, of = inputs()
    model(seen, question, of)
    assert came == [3]


def test_the_order_counts_for_a_recurrence_and_not_for_a_sum():
    """List 6: without fusion, and with a sum, regions are a set."""
    seen, question, of = inputs()
    for read, differs in ((None, True), (SoftSum(), False)):
        model = build(read=read)
        model.regions.fusion = None
        once = model(seen, question, of).scores
        model.regions.order = row_by_row(*GRID)
        again = model(seen, question, of).scores
        assert torch.allclose(once, again) is not differs


def test_the_paper_s_sizes_fit():
    """List 13: 14 x 14 places of VGG-19's last pooling are 196 slots of the paper's width."""
    model = dmn_plus_vqa(20, 5, Given(512, (14, 14)), (14, 14), hidden=4)
    reply = model.eval()(torch.randn(1, 196, 512), torch.tensor([[3, 4]]))
    assert reply.hops[0].weights.shape == (1, 1, 196)
    assert [model.regions.dropout.p, model.head.dropout.p, model.memory.hops] == [0.5, 0.5, 3]
    assert inspect.signature(dmn_plus_vqa).parameters["hidden"].default == 512


def test_the_stem_draws_its_own_weights():
    """List 12: those of a generator's seed, and no Xavier over He."""
    stem = SmallCNN((4, 4), (8, 8))
    model = dmn_plus_vqa(9, 3, stem, (2, 2), 4)
    model.reset_parameters(torch.Generator().manual_seed(1))
    once = {name: part.clone() for name, part in model.named_parameters()}
    model.reset_parameters(torch.Generator().manual_seed(1))
    assert all(torch.equal(part, once[name]) for name, part in model.named_parameters())
    assert float(stem.places.detach().std()) == pytest.approx(0.1, rel=0.6)


def test_what_does_not_fit_is_refused():
    """List 12: with how to mend it."""
    with pytest.raises(ValueError, match=r"RegionReader: 9 places came, expected 12, a grid of 3"):
        RegionReader(5, (3, 4), 2)(torch.zeros(1, 9, 5))
    with pytest.raises(ValueError, match="rows"):
        RegionReader(5, (0, 4), 2)
    with pytest.raises(ValueError, match="dropout"):
        RegionReader(5, (3, 4), 2, dropout=1.5)
    with pytest.raises(ValueError, match="VisualDMN"):
        dmn_plus_vqa(1, 5, Given(4, (2, 2)), (2, 2), 4)
