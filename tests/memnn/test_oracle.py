"""MemNN against the paper's loops: supports, scores, losses and tournaments; planted faults."""

import numpy as np
import pytest
import torch
from torch.testing import assert_close

from memnets.models import memnn
from memnets.models.memnn import Matching, MemNN, StoryBags, matching, network, ranking, reading
from memnets.models.segmenter import Segmenter
from memnets.reference import memnn as reference

pytestmark = pytest.mark.usefixtures("shapes_unchecked")
slow = pytest.mark.slow
WORDS, DIM, HOPS = 13, 5, 3
FORMS = {
    "linear": Matching(DIM),
    "exact matches": Matching(DIM, exact_match=0.7),
    "two layers": Matching(DIM, nonlinear=True),
    "two layers, exact matches": Matching(DIM, nonlinear=True, exact_match=0.7),
}


def build(form="linear", time=True, adaptive=False, latest=True):
    """Return a model with weights so large that margins are met and missed."""
    model = MemNN(WORDS, WORDS, FORMS[form], HOPS, adaptive, said=2, time=time, latest=latest)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.copy_(torch.randn_like(parameter))
    return model.double()


def questions(adaptive=False):
    """Return stories of different lengths; slot 0 is the stop fact where there is one.

    No story tells a sentence twice: without time the two would be equal.
    """
    sentences = torch.randint(2, WORDS, (17, 3))
    sentences[0] = torch.tensor([memnn.END, 0, 0])
    sentences[[2, 4], 2] = 0
    story = torch.stack([1 + torch.randperm(16)[:11] for _ in range(5)])
    story[:, 0] *= not adaptive
    return StoryBags(
        sentences, story, torch.tensor([11, 2, 5, 7, 3]), torch.randint(2, WORDS, (5, 2))
    )


def loops_of(asked, row):
    """Return the story and the question of a row, as lists of words."""
    slots = asked.story[row, : asked.length[row]].tolist()
    bags = [[word for word in bag if word] for bag in asked.sentences.tolist()]
    return [bags[slot] for slot in slots], asked.question[row].tolist()


def weights_of(match, time=None):
    """Lay U out as the paper does: block after block."""
    weight = match.features.weight.detach().numpy()
    U = weight.transpose(2, 1, 0).reshape(weight.shape[2], -1)  # noqa: N806
    W = None if match.layer is None else match.layer.weight.detach().numpy()  # noqa: N806
    return reference.Weights(U, W, None if time is None else time.detach().numpy().T)


def both_weights(model):
    lam = model.matching.exact_match
    pair = weights_of(model.output, model.time), weights_of(model.response)
    return [weights._replace(exact=lam) for weights in pair]


def check_several(model):
    for _ in range(7):
        check_supports(model, questions(model.adaptive))


def check_supports(model, asked):
    reply = model(*asked)
    output, response = both_weights(model)
    for row in range(len(asked.story)):
        story, question = loops_of(asked, row)
        slots = reference.support(story, question, output, HOPS, WORDS, stop=model.adaptive)
        assert [slot for slot in reply.supports[row].tolist() if slot >= 0] == slots
        evidence = [story[slot] for slot in slots]
        said = []
        for place in range(reply.words.shape[1]):
            x = reference.phi_x(question, evidence, said, WORDS, 5)
            words = [[word] for word in range(1, WORDS)]
            expected = reference.scores(x, words, response, WORDS)
            found = reply.logits[row, place, 1:].detach().numpy()
            np.testing.assert_allclose(found, expected, rtol=1e-10, atol=1e-12)
            said.append(int(np.argmax(expected)) + 1)
            if said[-1] == memnn.END or reply.words[row, place] < 0:
                break


# Half of all, in which any two choices still meet, are read always.
MODELS = [
    pytest.param(form, time, adaptive, marks=() if (i + time + adaptive) % 2 == 0 else slow)
    for i, form in enumerate(FORMS)
    for time in (True, False)
    for adaptive in (True, False)
]


@pytest.mark.parametrize(("form", "time", "adaptive"), MODELS)
def test_supports_and_answers_are_the_papers(form, time, adaptive):
    """List 8: what is found and what is said, k supports and until the stop fact wins."""
    model = build(form, time, adaptive)
    check_several(model)


def draw_supports(asked):
    """Return true supports of 1, 2 or 3 slots that the stories have, never the stop."""
    length = asked.length[:, None]
    supports = 1 + (torch.rand(len(length), HOPS) * (length - 1)).long()
    supports[1, 1:] = -1
    supports[2, 2:] = -1
    return supports


def check_loss(model, asked):
    supports = draw_supports(asked)
    answer = torch.tensor([[2, 3], [5, -1], [7, 2], [11, -1], [3, 3]])
    found = model.loss(asked, supports, answer, margin=0.7).sum
    output, response = both_weights(model)
    expected = 0.0
    for row in range(len(asked.story)):
        story, question = loops_of(asked, row)
        gold = [slot for slot in supports[row].tolist() if slot >= 0]
        words = [word for word in answer[row].tolist() if word >= 0]
        sizes = (output, response, 0.7, WORDS, model.adaptive)
        expected += reference.loss(story, question, gold, words, *sizes)
    np.testing.assert_allclose(float(found.detach()), expected, rtol=1e-10)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("time", [True, False], ids=["time", "no time"])
@pytest.mark.parametrize("adaptive", [True, False], ids=["adaptive", "fixed"])
def test_the_loss_is_the_papers(form, time, adaptive):
    """List 8: margin ranking of every support, of the stop, and of every word said."""
    check_loss(build(form, time, adaptive), questions(adaptive))


def test_the_gradient_is_that_of_the_loss():
    model = build("two layers, exact matches", adaptive=True)
    asked = questions(adaptive=True)
    supports, answer = draw_supports(asked), torch.tensor([[2, 3]] * 5)
    parameters = dict(model.named_parameters())

    def loss(*values):
        with_values = dict(zip(parameters, values, strict=True))
        return torch.func.functional_call(
            model, with_values, (asked, supports, answer), strict=True
        )

    model.forward = lambda *inputs: model.loss(*inputs, margin=0.7).sum
    values = tuple(value.detach().clone().requires_grad_() for value in parameters.values())
    assert torch.autograd.gradcheck(loss, values, eps=1e-7, atol=1e-5, fast_mode=True)


@pytest.mark.parametrize("seed", range(5))
def test_a_tournament_is_algorithm_1(seed):
    """List 8: all questions at once against one loop a question."""
    torch.manual_seed(seed)
    scores, time = torch.randn(7, 11).double(), torch.randn(7, 3).double()
    length = torch.tensor([11, 1, 5, 2, 7, 11, 3])
    latest = torch.tensor([11, 1, 2, 1, 0, 5, 3])
    found = ranking.tournament(scores, time, latest, length)
    for row in range(7):
        s = scores[row, : length[row]].tolist()
        assert int(found[row]) == reference.tournament(s, time[row].numpy(), int(latest[row]))


def test_a_segmenter_is_the_papers():
    """List 11: scores and cuts against the loop."""
    model = Segmenter(WORDS, DIM).double()
    with torch.no_grad():
        model.weight.copy_(torch.randn(DIM))
        model.features.weight.copy_(torch.randn(WORDS, 1, DIM))
    streams = torch.randint(1, WORDS, (3, 17))
    reply = model(streams)
    w_seg = model.weight.detach().numpy()
    U_S = model.features.weight.detach().numpy()[:, 0].T  # noqa: N806
    cuts = 0
    for row, stream in enumerate(streams.tolist()):
        expected = reference.segments(w_seg, U_S, model.margin, stream)
        ends = np.cumsum([len(segment) for segment in expected]) - 1
        assert reply.ends[row].nonzero().flatten().tolist() == ends.tolist()
        cuts += len(expected)
    assert cuts > 5


FAULTS = {
    "time's sign": ("older", lambda one, other: torch.where(one < other, -1.0, 1.0)),
    "older or as old": ("older", lambda one, other: torch.where(one <= other, 1.0, -1.0)),
    "0 for no": ("older", lambda one, other: (one < other).double()),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_in_time_is_caught(monkeypatch, fault):
    """List 8: planted in the features of write time, it is seen in supports and in the loss."""
    monkeypatch.setattr(ranking, *FAULTS[fault])
    with pytest.raises(AssertionError):
        check_loss(build(), questions())
    if fault == "time's sign":
        with pytest.raises(AssertionError):
            check_several(build())


def wrong_loss(margin, preferred, counted):
    return (torch.relu(margin - preferred) * counted).sum() + preferred.relu().sum()


def one_slot_less(scores, time, latest, length):
    return TOURNAMENT(scores, time, latest, (length - 1).clamp(min=1))


TOURNAMENT = ranking.tournament


@pytest.mark.parametrize("half", ["word_loss", "support_loss"])
def test_a_fault_in_the_loss_is_caught(monkeypatch, half):
    """List 8: a term too much."""

    def faulty(*given):
        with monkeypatch.context() as patch:
            patch.setattr(ranking, "ranking_loss", wrong_loss)
            return getattr(ranking, half)(*given)

    monkeypatch.setattr(network, half, faulty)
    with pytest.raises(AssertionError):
        check_loss(build(), questions())


def test_a_fault_in_the_tournament_is_caught(monkeypatch):
    """List 8: the last slot left out."""
    monkeypatch.setattr(ranking, "tournament", one_slot_less)
    with pytest.raises(AssertionError):
        check_several(build())


def test_a_fault_in_the_blocks_is_caught(monkeypatch):
    """List 8: a support read by the question's rows."""
    monkeypatch.setattr(reading, "SUPPORT", reading.QUESTION)
    with pytest.raises(AssertionError):
        check_several(build())


def test_two_layers_of_which_one_is_missing_are_caught(monkeypatch):
    """List 8: E without its inner tanh."""
    monkeypatch.setattr(
        matching.Match, "embed", lambda self, summed: torch.tanh(self.layer(summed))
    )
    with pytest.raises(AssertionError):
        check_loss(build("two layers"), questions())


def test_time_is_counted_from_the_last_support():
    """List 8: with two supports, x is as old as the second."""
    asked = questions()
    supports = torch.tensor([[3, 1], [1, 0], [4, 2], [2, 6], [0, 1]])
    latest = ranking.latest_slots(supports, asked.length)
    assert_close(latest, torch.tensor([[11, 3, 1], [2, 1, 0], [5, 4, 2], [7, 2, 6], [3, 0, 1]]))
    assert ranking.latest_slots(torch.tensor([[3, -1, -1]]), torch.tensor([11])).tolist() == [
        [11, 3, 3, 3]
    ]
