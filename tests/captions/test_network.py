"""Show, Attend and Tell: what it is, read off its behaviour."""

import itertools

import pytest
import torch

from memnets.attention import Additive, Argmax, Attention, Baseline, Sampled, Softmax
from memnets.layers.stems import Given
from memnets.layers.stepwise import LastState, Stepwise
from memnets.models import show_attend_tell as sat

V, M, N, D, L = 7, 3, 5, 4, 3
SIZES = {"dim": M, "hidden": N}

pytestmark = pytest.mark.usefixtures("shapes_unchecked")


def build(reader=None, **changed):
    torch.manual_seed(1)
    model = sat.show_attend_tell(V, D, **SIZES, reader=reader, **changed).double()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.normal_(std=0.8)
        model.embedding.weight[0] = 0.0
    return model.eval()


def places(images=3, slots=L):
    torch.manual_seed(2)
    return torch.randn(images, slots, D, dtype=torch.float64)


def drawn(coin=None, test=None):
    return sat.Drawn(Additive(N, D, 2, bias=True), coin, test)


TARGET = torch.tensor([[3, 1, 2, 6], [5, 6, 0, 0], [6, 0, 0, 0]])


def test_the_gate_is_one_number_a_step():
    """List 3: what is taken is what was read, shortened."""
    model = build()
    told = model(places(), TARGET)
    assert told.seen.gate.shape == TARGET.shape
    assert ((told.seen.gate > 0) & (told.seen.gate < 1))[TARGET > 0].all()
    state = torch.randn(3, N, dtype=torch.float64)
    assert model.gate(state).shape == (3, 1)
    assert torch.equal(sat.NoGate()(state), torch.ones(3, 1, dtype=torch.float64))


def test_where_to_look_is_decided_before_the_word_is_known():
    """List 4: alpha_t hears h_{t-1}, and that the words up to y_{t-2}: two words later it moves."""
    model, other = build(), TARGET.clone()
    other[0, 1] = 4
    one, two = (model(places(), target).seen.weights[0] for target in (TARGET, other))
    assert torch.equal(one[:3], two[:3])
    assert not torch.allclose(one[3], two[3])


def test_outputs_by_hand_differ_by_a_tanh():
    """List 5: Eq. 7, with matrices of ones."""
    words, states, read = torch.full((1, 1, 2), 0.5), torch.ones(1, 1, 3), torch.ones(1, 1, 4)
    paper, run = sat.DeepOutput(2, 3, 4), sat.OutputAsRun(2, 3, 4)
    for part in (paper, run):
        for name, parameter in part.named_parameters():
            torch.nn.init.constant_(parameter, 0.0 if name.endswith("bias") else 0.1)
    assert paper(words, states, read).flatten().tolist() == pytest.approx([1.2, 1.2])
    assert torch.equal(run(words, states, read), torch.tanh(paper(words, states, read)))
    assert not [name for name, _ in paper.named_parameters() if "bias" in name]
    assert build().output.bias is None
    assert sat.as_run(V, D, **SIZES).output.bias is not None


def test_the_penalty_by_hand():
    """List 6: two steps, three places; a step that is not there does not count."""
    weights = torch.tensor([[[0.5, 0.5, 0.0], [0.2, 0.3, 0.5], [1.0, 0.0, 0.0]]])
    told = torch.tensor([[True, True, False]])
    found = sat.doubly_stochastic(weights, told)
    assert found.item() == pytest.approx(0.3**2 + 0.2**2 + 0.5**2)
    several = torch.rand(64, 2, 196).softmax(-1)
    there = torch.ones(64, 2, dtype=torch.bool)
    paper = sat.doubly_stochastic(several, there).mean()
    uneven = (1 - several.sum(1)).square()
    assert uneven.sum(0).mean().item() == pytest.approx(float(paper) * 64 / 196)  # the code's
    assert uneven.mean().item() == pytest.approx(float(paper) / 196)  # sgrvinod's


def test_the_mean_of_the_estimator_is_the_gradient_of_the_bound():
    """List 7: all nine ways to look twice at three places; the baseline moves no mean."""
    model = build(drawn()).train()
    picture, target = places(1), torch.tensor([[3, 6]])
    weights = list(model.parameters())
    chosen = iter(())

    class Fixed(Sampled):
        def align(self, scores, mask=None, context=None):
            log = scores.log_softmax(-1)
            here = torch.full((1, 1, 1), next(chosen))
            log_prob = log.gather(-1, here).squeeze(-1)
            spread = -(log.exp() * log).sum(-1)
            return sat_aligned(here, log_prob, spread)

    def sat_aligned(here, log_prob, spread):
        from memnets.attention import Aligned

        return Aligned(torch.ones_like(here).double(), here, log_prob, spread)

    model.reader.drawing.attention.align = Fixed()
    bound, means = 0.0, {}
    for way in itertools.product(range(L), repeat=2):
        for b in (0.0, -7.0):
            chosen = iter(way)
            told = model(picture, target, torch.Generator())
            share = told.seen.log_prob.sum().exp()
            gained = told.objective(Baseline.start(b)).sum()
            parts = torch.autograd.grad(gained, weights, allow_unused=True)
            for n, part in enumerate(parts):
                if part is not None:
                    before = means.get((b, n), 0.0)
                    means[b, n] = before + share.detach() * part
        chosen = iter(way)
        told = model(picture, target, torch.Generator())
        bound = bound + told.seen.log_prob.sum().exp() * told.log_prob.sum()
    exact = torch.autograd.grad(bound, weights, allow_unused=True)
    for n, part in enumerate(exact):
        if part is not None:
            for b in (0.0, -7.0):
                torch.testing.assert_close(means[b, n], part, rtol=1e-9, atol=1e-10)
    log_likelihood = 0.0
    for way in itertools.product(range(L), repeat=2):
        chosen = iter(way)
        told = model(picture, target, torch.Generator())
        log_likelihood += (told.seen.log_prob.sum() + told.log_prob.sum()).detach().exp().item()
    assert bound.item() <= torch.tensor(log_likelihood).log()


def test_coins_are_tossed_for_each_picture_or_for_all():
    """List 8: the paper's and the code's; a soft row reads the expectation, and says no draw."""
    dice = torch.Generator().manual_seed(0)
    each = [sat.coin_for_each()(50, dice) for _ in range(4)]
    assert all(0 < part.sum() < 50 for part in each)
    whole = [sat.coin_for_all()(50, dice).float().mean().item() for _ in range(20)]
    assert set(whole) == {0.0, 1.0}
    with pytest.raises(ValueError, match=r"coin_for_each\(share=2\): expected a share"):
        sat.coin_for_each(2)
    model = build(drawn(sat.coin_for_each())).train()
    told = model(places(40), TARGET[:1].expand(40, -1), dice)
    soft = ((told.seen.weights > 0) & (told.seen.weights < 1)).any(-1).any(-1)
    assert 5 < soft.sum() < 35
    assert not told.seen.log_prob[soft].any()
    assert (told.seen.log_prob[~soft] < 0).all()
    assert (told.seen.entropy > 0).all()


def test_at_test_it_reads_as_is_said():
    """List 8: argmax, expectation and samples are three read-outs; a seed decides all draws."""
    reader = drawn(sat.coin_for_each())
    model, picture = build(reader), places()

    def seen(align, seed=0):
        reader.test = align
        dice = torch.Generator().manual_seed(seed)
        return model(picture, TARGET[:1].expand(3, -1), dice).seen.weights

    hard, expected = seen(Argmax()), seen(Softmax())
    assert ((hard == 0) | (hard == 1)).all()
    assert torch.equal(hard[:, 0].argmax(-1), expected[:, 0].argmax(-1))
    assert (expected > 0).all()
    assert torch.equal(seen(Sampled(), 3), seen(Sampled(), 3))
    assert any(not torch.equal(seen(Sampled(), 0), seen(Sampled(), seed)) for seed in range(1, 9))
    assert isinstance(drawn().test, Argmax)


def test_many_draws_are_gone_through_one_behind_the_other():
    """List 8: M rows a caption, each with draws of its own, sharing what is remembered."""
    model = build(drawn()).train()
    told = model(places(2, 9), TARGET[:2], torch.Generator().manual_seed(0), samples=4)
    assert told.log_prob.shape == (8, 4)
    assert torch.equal(told.told[:4], told.told[:1].expand(4, -1))
    assert len({tuple(row.argmax(-1).tolist()) for row in told.seen.weights[:4]}) > 1


def test_what_the_code_maximises_by_hand():
    """List 8: its policy is not divided by the batch; a tenth, and 0.002 of the entropy."""
    seen = sat.Seen(
        torch.zeros(2, 2, 1), torch.ones(2, 2),
        torch.tensor([[-1.0, -2.0], [-3.0, 0.0]]), torch.tensor([[0.5, 0.5], [0.25, 0.0]]),
    )  # fmt: skip
    there = torch.tensor([[True, True], [True, False]])
    told = sat.Told(torch.tensor([[-4.0, -2.0], [-5.0, 0.0]]), seen, there, there)
    found = told.objective_as_run(Baseline.start(-2.0)).tolist()
    assert found == pytest.approx(
        [-6 + 2 * (-0.1 * -3 + 0.002 * 1.0), -5 + 2 * (-0.3 * -3 + 0.002 * 0.25)]
    )
    plain = told._replace(seen=seen._replace(log_prob=None, entropy=None))
    assert plain.objective_as_run(Baseline.start()).tolist() == [-6.0, -5.0]


def test_soft_is_hard_where_a_weight_is_one():
    """List 9: of a single place, too."""
    soft, hard = build(), build(Stepwise(Attention(Additive(N, D, N, bias=True), Argmax())))
    with torch.no_grad():
        for model in (soft, hard):
            model.reader.attention.score.hidden_weight.weight.fill_(0.0)
            model.reader.attention.score.hidden_weight.weight[0, 0] = 1e4
            model.reader.attention.score.key_weight.weight[0] = torch.arange(1.0, D + 1)
    rest = hard.load_state_dict(soft.state_dict())
    assert not rest.missing_keys
    one, two = soft(places(), TARGET), hard(places(), TARGET)
    torch.testing.assert_close(one.log_prob, two.log_prob, rtol=1e-9, atol=1e-9)


def test_the_word_before_the_first_is_embedded_as_zeros():
    """List 10: at first, when drawn anew, and after an update."""
    model = build()
    model.reset_parameters(torch.Generator().manual_seed(3))
    assert not model.embedding.weight[0].any()
    model(places(), TARGET).log_prob.sum().backward()
    assert not model.embedding.weight.grad[0].any()
    with pytest.raises(ValueError, match=r"nil \(0\) stands before a word of a target"):
        model(places(1), torch.tensor([[0, 3]]))


def test_one_picture_with_five_captions_is_five_copies_of_it():
    """List 11: whether the captions name their pictures, or come as many for each."""
    model, several = build(), torch.randint(1, V, (5, 4))
    picture = places(2)[:1]
    shared = model(picture, several)
    copies = model(picture.expand(5, -1, -1), several)
    torch.testing.assert_close(shared.log_prob, copies.log_prob, rtol=1e-12, atol=1e-12)
    torch.testing.assert_close(shared.seen.weights, copies.seen.weights)
    whole = sat.Captioner(Given(D, (1, L)), model)
    named = whole(places(2)[[1, 0]], several, of=torch.tensor([1] * 5))
    torch.testing.assert_close(named.log_prob, copies.log_prob, rtol=1e-12, atol=1e-12)
    with pytest.raises(ValueError, match="5 captions came for 2 pictures, expected as many"):
        model(places(2), several)


def test_padding_changes_no_bit_and_a_batch_is_its_pictures():
    """List 12: however many columns there are, whatever else is told."""
    model = build()
    one = model(places(), TARGET)
    two = model(places(), torch.cat([TARGET, torch.zeros(3, 9, dtype=torch.long)], 1))
    for found, other in zip(
        (one.log_prob, *one.seen[:2]), (two.log_prob, *two.seen[:2]), strict=True
    ):
        assert torch.equal(found, other)
    for row in range(3):
        alone = model(places()[row : row + 1], TARGET[row : row + 1])
        words = alone.log_prob.shape[1]
        torch.testing.assert_close(alone.log_prob[0], one.log_prob[row, :words])
        torch.testing.assert_close(alone.seen.weights[0], one.seen.weights[row, :words])


def test_greedy_is_a_beam_of_one_and_step_by_step_is_all_at_once():
    """List 13: and a beam as wide as everything finds what is at least as likely."""
    model, end = build(), 6
    one = model.caption(places(), end, 4)
    state, word, said = model.start(places()), torch.zeros(3, dtype=torch.long), []
    for _ in range(one.words.shape[2]):
        log, state, _ = model.step(state, word)
        word = log[:, 1:].argmax(-1) + 1
        said.append(word)
    lengths = one.lengths[:, 0]
    for row in range(3):
        told = [int(step[row]) for step in said][: lengths[row]]
        assert one.words[row, 0, : lengths[row]].tolist() == told
        taught = model(places()[row : row + 1], torch.tensor([told]))
        torch.testing.assert_close(taught.log_prob.sum().float(), one.log_prob[row, 0].float())
        weights = one.evidence.weights[row, 0, : lengths[row]]
        torch.testing.assert_close(weights, taught.seen.weights[0])
    wide = model.caption(places(), end, 4, width=30)
    ended = one.ended[:, 0]
    assert (wide.log_prob[ended, 0] >= one.log_prob[ended, 0] - 1e-9).all()
    said = wide.words[0, 0, : wide.lengths[0, 0]]
    assert (said > 0).all()


def test_the_control_looks_nowhere():
    """List 9: every step sees the mean, however places are ordered."""
    model = sat.without_attention(V, D, **SIZES).double()
    assert isinstance(model.reader, LastState)
    told, turned = model(places(), TARGET), model(places().flip(1), TARGET)
    torch.testing.assert_close(told.log_prob, turned.log_prob)
    assert not told.seen.weights.any()


def test_sizes_are_refused():
    """List 10: nil is one of the words."""
    with pytest.raises(ValueError, match=r"ShowAttendTell\(vocab=1\): expected at least 2"):
        sat.show_attend_tell(1, D, **SIZES)
    with pytest.raises(ValueError, match=r"StartByMean\(shared=-1\)"):
        sat.StartByMean(3, 3, shared=-1)
    with pytest.raises(ValueError, match=r"ScoreAsRun\(key_dim=0\)"):
        sat.ScoreAsRun(3, 0)
