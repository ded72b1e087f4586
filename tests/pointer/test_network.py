"""What pointer networks and their baselines must do, whatever their weights are."""

from functools import partial
from itertools import permutations

import pytest
import torch
from torch import nn

from memnets.attention import Additive, LocationConvolution, Monotonic
from memnets.layers.decoding import greedy
from memnets.layers.recurrent import LSTM
from memnets.models import pointer
from memnets.models.seq2seq import Source, SourceReader, Stacked, modern_initial

H, E, MOST = 5, 3, 20
NETWORKS = {
    "paper": partial(pointer.paper, hidden=H),
    "embedded": partial(pointer.paper, hidden=H, inputs=E),
    "notes": partial(pointer.notes, hidden=H, inputs=E),
    "attentive": partial(pointer.attentive, MOST, hidden=H, inputs=E),
    "plain": partial(pointer.plain, MOST, hidden=H, inputs=E),
}
each_network = pytest.mark.parametrize("name", NETWORKS)
pytestmark = pytest.mark.usefixtures("shapes_unchecked")


def build(name, dtype=torch.float64):
    model = NETWORKS[name]().to(dtype).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.normal_(std=0.9)
    return model


def inputs(dtype=torch.float64):
    target = torch.tensor([[2, 1, 3, 2], [6, 0, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0]])
    return torch.randn(4, 6, 2, dtype=dtype), torch.tensor([3, 6, 1, 0]), target


def gradients(model, *given):
    loss, weights = model.loss(*given).sum(), list(model.parameters())
    return torch.autograd.grad(loss, weights, allow_unused=True, materialize_grads=True)


@pytest.mark.parametrize("name", ["paper", "embedded", "notes"])
def test_weights_sum_to_one_over_points_and_stop(name):
    """List 1: they are the probabilities; a set without points has the stop alone."""
    model, (points, length, target) = build(name), inputs()
    found = model(points, length, target)
    torch.testing.assert_close(found.weights.sum(-1)[found.told], torch.ones(10).double())
    there = torch.arange(7) <= length[:, None]
    assert (found.weights > 0).any(1).equal(there)
    right = torch.cat([target, target[:, :1] * 0], 1)
    taken = found.weights.gather(-1, right[..., None]).squeeze(-1)
    torch.testing.assert_close(taken[found.told].log(), found.log_prob[found.told])
    assert found.weights[3, 0, 0] == 1


@each_network
def test_padding_changes_no_bit(name):
    """List 1: of points, whatever they hold, and of targets; in values and gradients."""
    model, (points, length, target) = build(name, torch.float32), inputs(torch.float32)
    before, slopes = model(points, length, target), gradients(model, points, length, target)
    room = torch.full((4, 3, 2), torch.nan)
    longer = torch.cat([points, room], 1)
    longer[torch.arange(9) >= length[:, None]] = torch.nan
    spare = torch.cat([target, target * 0], 1)
    after = model(longer, length, spare)
    assert torch.equal(before.log_prob, after.log_prob)
    assert torch.equal(before.weights, after.weights)
    for weight, one, other in zip(
        model.parameters(), slopes, gradients(model, longer, length, spare), strict=True
    ):
        assert torch.equal(one, other), weight.shape


@each_network
def test_a_batch_is_its_sets_one_by_one(name):
    """List 7: in value and gradient."""
    model, (points, length, target) = build(name), inputs()
    together = model.loss(points, length, target)
    slopes = gradients(model, points, length, target)
    rows = [
        (points[row : row + 1, : length[row]], length[row : row + 1], target[row : row + 1])
        for row in range(4)
    ]
    alone = torch.cat([model.loss(*row) for row in rows])
    torch.testing.assert_close(alone, together, rtol=1e-10, atol=1e-12)
    summed = [sum(parts) for parts in zip(*(gradients(model, *row) for row in rows), strict=True)]
    for one, other in zip(summed, slopes, strict=True):
        torch.testing.assert_close(one, other, rtol=1e-8, atol=1e-10)


@each_network
def test_one_model_takes_sets_of_any_size(name):
    """List 7: of 3, 7 and 20 points."""
    model = build(name)
    for number in (3, 7, 20):
        length = torch.tensor([number, number])
        found = model.choose(torch.rand(2, number, 2).double(), length, number + 2, 2)
        assert int(found.words.max()) <= number
        assert found.evidence.shape[-1] == number + 1


@each_network
def test_all_steps_at_once_are_the_steps_one_by_one(name):
    """List 3: of values and weights."""
    model, (points, length, target) = build(name), inputs()
    taught, state = model(points, length, target), model.start(points, length)
    before = torch.zeros(4, dtype=torch.long)
    for place in range(5):
        following = model.step(state, before)
        before = target[:, place] if place < 4 else target[:, 0] * 0
        state, told = following.state, taught.told[:, place]
        found = following.log_prob.gather(1, before[:, None])[:, 0][told]
        torch.testing.assert_close(found, taught.log_prob[:, place][told], rtol=1e-10, atol=1e-12)
        seen = following.weights[told], taught.weights[:, place][told]
        torch.testing.assert_close(*seen, rtol=1e-10, atol=1e-12)


class EachByItself(SourceReader):
    """Reads points that know nothing of each other, and of no order."""

    def __init__(self, dim, hidden):
        super().__init__()
        self.core, self.dim = LSTM(dim, hidden), hidden

    def forward(self, words, length):
        flat = words.reshape(-1, 1, words.shape[-1])
        states, _ = self.core(flat, self.core.init_state(len(flat)))
        states = states.reshape(*words.shape[:2], -1)
        start = self.core.init_state(len(words))
        return Source(states, states[:, 0] * 0, start)


@pytest.mark.parametrize("build", [pointer.paper, pointer.notes])
def test_permuted_points_permute_the_outputs(build):
    """List 2: the decoder knows points by what they are, not by their numbers."""
    model = build(2, H, E, EachByItself(E, H), initial=modern_initial).double()
    points, length = torch.randn(2, 5, 2).double(), torch.tensor([5, 5])
    order = torch.tensor([3, 0, 4, 2, 1])  # the new place i holds what stood at order[i]
    target = torch.tensor([[1, 4, 2, 1], [5, 3, 0, 0]])
    number = torch.cat([torch.tensor([0]), 1 + order.argsort()])
    before, after = (
        model(points, length, target),
        model(points[:, order], length, number[target]),
    )
    torch.testing.assert_close(before.log_prob, after.log_prob, rtol=1e-12, atol=1e-12)
    back = after.weights[..., number]
    torch.testing.assert_close(before.weights, back, rtol=1e-12, atol=1e-12)
    said = [model.choose(p, length, 6, 3).words for p in (points, points[:, order])]
    assert number[said[0]].equal(said[1])


@each_network
def test_a_beam_of_a_batch_is_that_of_each_set(name):
    """List 7: and its log-probability is what the loss says of its choices."""
    model, (points, length, _) = build(name), inputs()
    found = model.choose(points, length, 6, 3)
    for row in range(3):
        one = length[row : row + 1]
        alone = model.choose(points[row : row + 1, : int(one)], one, 6, 3)
        steps = alone.words.shape[2]
        assert torch.equal(alone.words[0], found.words[row, :, :steps])
        torch.testing.assert_close(alone.scores[0], found.scores[row])
    ended = found.ended[:, 0]
    loss = model.loss(points, length, found.words[:, 0])
    torch.testing.assert_close(-loss[ended], found.log_prob[:, 0][ended])


@each_network
def test_a_beam_of_one_takes_the_likeliest_each_time(name):
    """List 6: by the step itself."""
    model, (points, length, _) = build(name), inputs()
    one = model.choose(points, length, 6)
    first = torch.zeros(4, dtype=torch.long)
    found = greedy(model.step, model.start(points, length), first, 0, 6)
    assert torch.equal(found.words, one.words)
    torch.testing.assert_close(found.evidence, one.evidence)


@pytest.mark.usefixtures("shapes_unchecked")
def test_a_decoder_without_attention_points_at_nothing():
    model, (points, length, target) = build("plain"), inputs()
    found = model(points, length, target)
    assert found.weights.shape == (4, 5, 7)
    assert not found.weights.any()
    assert not model.choose(points, length, 6, 3).evidence.any()
    asked = build("attentive")(points, length, target)
    assert not asked.weights[..., 0].any()  # what is read is no stop
    torch.testing.assert_close(asked.weights[1, 0].sum(), torch.ones(()).double())


@pytest.mark.parametrize("name", ["paper", "attentive"])
@pytest.mark.parametrize("width", [1, 3])
def test_tours_are_always_valid(name, width):
    """List 6: permutations that start at 1, of sets of one point and of none too."""
    model, (points, length, _) = build(name), inputs()
    found = model.choose(points, length, 7, width, pointer.tour)
    best = found.words[:, 0].tolist()
    assert found.ended[:, 0].all()
    for row, number in enumerate(length.tolist()):
        said = best[row][:number]
        assert sorted(said) == list(range(1, number + 1))
        assert said[:1] == [1][:number]
        assert not any(best[row][number:])


def test_a_wide_beam_finds_the_best_tour_of_all():
    """List 6: as all tours of five points do, one by one."""
    model, points = build("paper"), torch.rand(3, 5, 2).double()
    length = torch.full((3,), 5)
    tours = torch.tensor([(1, *rest) for rest in permutations(range(2, 6))])
    # The stop is the only choice behind five points, and all of a tour's are held to be valid.
    found = model.choose(points, length, 6, 24, pointer.tour)
    for row in range(3):
        spread = points[row].expand(len(tours), -1, -1)
        taught = model(spread, torch.full((len(tours),), 5), tours).log_prob.sum(-1)
        assert found.words[row, 0, :5].equal(tours[taught.argmax()])
        torch.testing.assert_close(found.log_prob[row, 0], taught.max())
        torch.testing.assert_close(found.log_prob[row].sort()[0], taught.sort()[0])


def masks(rule, said, length, slots):
    said = torch.tensor(said).reshape(len(length), -1)
    return rule(said, torch.tensor(length), slots).int().tolist()


def test_what_may_be_chosen_next():
    """List 6: of every rule, the stop first."""
    assert masks(pointer.anything, [[2, 2]], [3], 4) == [[1, 1, 1, 1]]
    assert masks(pointer.each_once, [[2, 1]], [3], 4) == [[0, 0, 0, 1]]
    assert masks(pointer.each_once, [[2, 1], [1, 2]], [3, 2], 4) == [[0, 0, 0, 1], [1, 0, 0, 1]]
    assert masks(pointer.tour, [[], []], [3, 0], 4) == [[0, 1, 0, 0], [1, 1, 0, 0]]
    assert masks(pointer.tour, [[1]], [3], 4) == [[0, 0, 1, 1]]
    polygon = pointer.closed_polygon
    assert masks(polygon, [[]], [4], 5) == [[0, 1, 1, 1, 1]]
    assert masks(polygon, [[3, 1]], [4], 5) == [[0, 0, 1, 0, 1]]
    assert masks(polygon, [[3, 1, 2]], [4], 5) == [[0, 0, 0, 1, 1]]
    assert masks(polygon, [[3, 1, 2, 3]], [4], 5) == [[1, 0, 0, 0, 0]]
    assert masks(polygon, [[3, 1, 2, 4]], [4], 5) == [[0, 0, 0, 1, 0]]


def test_polygons_are_always_closed():
    model, points = build("embedded"), torch.rand(20, 6, 2).double()
    length = torch.full((20,), 6)
    found = model.choose(points, length, 8, 3, pointer.closed_polygon)
    assert found.ended[:, 0].all()
    for said, number in zip(found.words[:, 0].tolist(), found.lengths[:, 0].tolist(), strict=True):
        corners, last = said[: number - 2], said[number - 2]
        assert len(set(corners)) == len(corners) >= 3
        assert last == corners[0]


def test_what_cannot_be_taught_is_refused():
    model, (points, length, target) = build("paper"), inputs()
    with pytest.raises(ValueError, match=r"points of 3 numbers came, expected 2\. Pass"):
        model(torch.rand(4, 6, 3), length, target)
    with pytest.raises(ValueError, match=r"a length of 7 points came, and sets of 6, expected 6"):
        model(points, length + 1, target)
    with pytest.raises(ValueError, match=r"0 stands before a point of a target"):
        model(points, length, torch.tensor([[1, 0, 1]] * 4))
    with pytest.raises(ValueError, match=r"the target of row 2 names a point outside 1 to 1, the"):
        model(points, length, torch.tensor([[3, 0], [6, 0], [2, 0], [0, 0]]))
    with pytest.raises(ValueError, match=r"the target of row 0 names a point outside 1 to 3, the"):
        model(points, length, torch.tensor([[-1, 0], [6, 0], [1, 0], [0, 0]]))
    for name in ("attentive", "plain"):
        with pytest.raises(ValueError, match=r"a set of 21 points came to a network whose indices"):
            build(name)(torch.rand(1, 21, 2).double(), torch.tensor([21]), torch.tensor([[1]]))


def test_parts_that_look_back_are_refused():
    for score, align in (
        (LocationConvolution(H, H, 4, 2, 3), None),
        (Additive(H, H, H), Monotonic()),
    ):
        with pytest.raises(ValueError, match=r"looks back at earlier steps, expected a part that"):
            pointer.PointerDecoder(LSTM(2, H), score, H, align=align)


def test_first_weights_are_the_papers():
    model = pointer.paper(2, 16)
    for weight in model.parameters():
        assert 0.04 < weight.abs().max() <= 0.08
    whole = torch.cat([weight.detach().flatten() for weight in model.parameters()])
    assert (float(whole.min()), float(whole.max())) == pytest.approx((-0.08, 0.08), abs=1e-4)
    assert isinstance(model.embedding, nn.Identity)
    assert isinstance(model.source, Stacked)
    model.reset_parameters(torch.Generator().manual_seed(3))
    first = model.first.clone()
    model.reset_parameters(torch.Generator().manual_seed(3))
    assert first.equal(model.first)


def test_an_empty_batch_has_nothing_to_say():
    model = build("paper")
    none = torch.zeros(0, dtype=torch.long)
    assert model.loss(torch.rand(0, 4, 2).double(), none, none.view(0, 3)).shape == (0,)
    assert model.choose(torch.rand(0, 4, 2).double(), none, 5, 2).words.shape[0] == 0
