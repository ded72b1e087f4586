"""MemNN: hand-worked numbers, what a margin stops, and what must not change an answer."""

import pytest
import torch
import torch.nn.functional as F
from torch.testing import assert_close

from memnets.layers.bag_features import BagFeatures, Contexts, count_features, embed_bags
from memnets.models import memnn
from memnets.models.memnn import END, Matching, MemNN, StoryBags, draw_rivals
from memnets.models.memnn.ranking import (
    against_all,
    last_given,
    latest_slots,
    older,
    preferred_slot,
    ranking_loss,
    support_loss,
    tournament,
    word_loss,
)
from memnets.models.memnn.reading import those_told
from memnets.reference import memnn as reference
from memnets.testing import check_model

WORDS, DIM = 13, 5


def exactly(numbers):
    return torch.tensor(numbers, dtype=torch.float64)


def build(adaptive=False, scale=1.0, **options):
    model = MemNN(WORDS, WORDS, Matching(DIM, **options), 3, adaptive, said=2).double()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.normal_(0.0, scale)
    return model


def questions():
    sentences = torch.randint(2, WORDS, (11, 3))
    sentences[0] = torch.tensor([END, 0, 0])
    story = torch.stack([torch.randperm(10)[:7] + 1 for _ in range(5)])
    story[:, 0] = 0
    length = torch.tensor([7, 2, 5, 3, 6])
    return StoryBags(sentences, story, length, torch.randint(2, WORDS, (5, 2)))


def test_a_score_by_hand():
    """List 1: words 1, 2, 3 and one dimension; three rows a word, for Phi_y and twice Phi_x."""
    model = MemNN(4, 4, Matching(1), hops=2, time=False, latest=False).double()
    as_choice, in_question, in_support = [0.0, 1.0, 2.0, -1.0], [0.0, 3.0, 0.5, 0.0], [0, -2, 5, 1]
    roles = torch.tensor([as_choice, in_question, in_support], dtype=torch.float64)
    model.output.features.weight.data = roles.T.unsqueeze(-1).contiguous()
    sentences = torch.tensor([[1, 2], [3, 0], [2, 2]])
    reply = model(sentences, torch.tensor([[0, 1, 2]]), torch.tensor([3]), torch.tensor([[1, 2]]))
    # x = 3 + 0.5; y = 1 + 2, -1, 2 + 2: the third is best, 3.5 * 4.
    # [x, m3] = 3.5 + 5 + 5; the third is best once more, 13.5 * 4.
    assert reply.supports.tolist() == [[2, 2]]
    assert_close(reply.scores, exactly([[14.0, 54.0]]))
    assert_close(reply.margins[0, 0], exactly([3.5, 17.5, 0.0]))
    # A question of word 3 alone has x = 0: nothing but the support can tell.
    assert_close(model(sentences, *story_of(3), torch.tensor([[3, 3]])).scores[0, 0], exactly(0.0))


def story_of(slots):
    return torch.arange(slots)[None], torch.tensor([slots])


def test_supports_and_answers_have_weights_of_their_own():
    """List 1: U_O and U_R."""
    model, asked = build(), questions()
    before = model(*asked)
    with torch.no_grad():
        model.response.features.weight.normal_()
    after = model(*asked)
    assert torch.equal(after.supports, before.supports)
    assert not torch.equal(after.logits, before.logits)


def test_the_latest_support_has_a_role_of_its_own():
    """List 1: with a fourth row, which of two supports was last is told; by three it is not."""
    model, asked = build(), questions()
    assert model.output.features.weight.shape == (WORDS, 4, DIM)
    there = torch.tensor([[1, 2]] * 5).minimum(asked.length[:, None] - 1)
    back = there.flip(1)
    for latest, same in ((True, False), (False, True)):
        model.latest = latest
        one, other = (model.respond(asked, supports)[1][0, 0] for supports in (there, back))
        assert torch.allclose(one, other) is same


def test_no_loss_where_every_margin_holds():
    """List 2: and then no gradient at all."""
    model, asked = MemNN(WORDS, WORDS, Matching(DIM), hops=1, time=False).double(), questions()
    supports, answer = torch.full((5, 1), 1), torch.full((5, 1), 7)
    with torch.no_grad():
        model.output.features.weight.zero_()
        model.response.features.weight.zero_()
        model.response.features.weight[:, 1] = 1.0
        model.response.features.weight[7, 0] = 1.0  # x is positive, word 7 alone scores
    distinct = torch.arange(1, 12)[:, None] % WORDS  # one word a sentence
    asked = asked._replace(sentences=distinct, question=torch.full((5, 2), 12))
    with torch.no_grad():
        model.output.features.weight[12, 1] = 1.0
    for row in range(5):
        one = StoryBags(*(part[row : row + 1] if n else part for n, part in enumerate(asked[:4])))
        word = distinct[one.story[0, 1]].item()
        with torch.no_grad():
            model.output.features.weight[:, 0] = 0.0
            model.output.features.weight[word, 0] = 1.0
        loss = model.loss(one, supports[:1], answer[:1], margin=0.1).sum
        assert float(loss.detach()) == 0.0
        gradients = torch.autograd.grad(loss, list(model.parameters()))
        assert not any(gradient.any() for gradient in gradients)


def test_the_gradient_touches_violating_pairs_only():
    """List 2: rows of sentences that are far enough behind have no gradient."""
    model = MemNN(WORDS, WORDS, Matching(1), hops=1, time=False).double()
    with torch.no_grad():
        model.output.features.weight.zero_()
        model.output.features.weight[2, 1] = 1.0  # the question
        model.output.features.weight[3:8, 0] = exactly([5.0, 4.95, 1.0, 4.0, 6.0])[:, None]
    sentences = torch.arange(3, 8)[:, None]
    asked = StoryBags(sentences, *story_of(5), torch.tensor([[2]]))
    loss = model.loss(asked, torch.tensor([[0]]), torch.tensor([[9]]), margin=0.1)
    gradient = torch.autograd.grad(loss.sum, model.output.features.weight)[0]
    # Of 4.95 (0.05 too near) and 6 (ahead by 1), and of the right one once for each.
    touched = gradient[3:8, 0, 0].tolist()
    assert touched == [-2.0, 1.0, 0.0, 0.0, 1.0]


def test_drawn_rivals_are_counted_and_no_other():
    """List 2: of a sampled loss, each draw is one term; drawing all of them is the whole."""
    model, asked = build(), questions()
    supports, answer = torch.ones(5, 1, dtype=torch.long), torch.full((5, 1), 7)
    whole = model.loss(asked, supports, answer, 1.0).sum
    slots = torch.arange(7).expand(5, 1, 7)
    words = torch.arange(1, WORDS).expand(5, WORDS - 1)
    assert_close(model.loss(asked, supports, answer, 1.0, slots, words).sum, whole)
    nothing = model.loss(asked, supports, answer, 1.0, slots[..., :0], words[:, :0]).sum
    assert float(nothing.detach()) == 0.0
    half = model.loss(asked, supports, answer, 1.0, slots[..., 2:], words[:, 5:]).sum
    assert 0 < float(half.detach()) < float(whole.detach())


def test_a_question_is_right_where_all_its_words_are():
    """A word too many or another one is wrong; a place after the answer's end does not count."""
    model, asked, supports = build(), questions(), torch.ones(5, 3, dtype=torch.long)
    said, _ = model.respond(asked, supports)
    assert said.shape == (5, 2)
    assert int(model.loss(asked, supports, said).right) == 5
    wrong = said.clone()
    wrong[1, 0], wrong[3, 1] = 1 + said[1, 0] % (WORDS - 1), 1 + said[3, 1] % (WORDS - 1)
    assert int(model.loss(asked, supports, wrong).right) == 3
    wrong[3, 1], wrong[4] = -1, -1
    assert int(model.loss(asked, supports, wrong).right) == 4
    more = F.pad(supports, (0, 2), value=-1)  # further places for supports are cut off
    assert_close(model.loss(asked, more, said), model.loss(asked, supports, said))


def test_rivals_are_drawn_from_the_story_and_are_never_the_right_one():
    wanted, length = torch.tensor([[0, 3], [1, -1], [6, 2]]), torch.tensor([7, 2, 7])
    drawn = draw_rivals(wanted, length, 101, torch.Generator().manual_seed(0))
    assert drawn.shape == (3, 2, 101)
    assert not (drawn == wanted.unsqueeze(-1)).any()
    assert (drawn[[0, 2]] < 7).all()
    assert set(drawn[0, 1].tolist()) == {0, 1, 2, 4, 5, 6}
    assert set(drawn[1, 0].tolist()) == {0}


def test_every_rival_is_drawn_as_often_as_the_others():
    """The first slot and the last too; where there is no other slot, what is drawn is not told."""
    wanted, length = torch.tensor([[0], [4], [2], [-1]]), torch.tensor([5, 5, 5, 5])
    drawn = draw_rivals(wanted, length, 4_000, torch.Generator().manual_seed(0))
    for row, rivals in enumerate(([1, 2, 3, 4], [0, 1, 2, 3], [0, 1, 3, 4])):
        counts = drawn[row, 0].bincount(minlength=5)
        assert counts.nonzero().flatten().tolist() == rivals
        assert counts[rivals].tolist() == pytest.approx([1_000] * 4, abs=120)
    alone = draw_rivals(torch.tensor([[0]]), torch.tensor([1]), 3, torch.Generator().manual_seed(0))
    assert (alone >= 1).all()


def test_which_slot_a_state_was_written_to():
    """A question after all slots; then the last support given, also where none is given any more.

    Without any support at all it stays the question.
    """
    supports, length = torch.tensor([[3, 0, 2], [4, -1, -1], [-1, -1, -1]]), torch.tensor([5, 6, 7])
    assert latest_slots(supports, length).tolist() == [[5, 3, 0, 2], [6, 4, 4, 4], [7, 7, 7, 7]]
    assert latest_slots(supports[:, :0], length).tolist() == [[5], [6], [7]]
    assert last_given(supports >= 0).tolist() == [[0, 1, 2], [0, 0, 0], [0, 0, 0]]


def test_who_is_older():
    """Written before: of one and the same slot neither is, and it says so as "newer" does."""
    one, other = torch.tensor([0, 1, 2]), torch.tensor([1, 1, 1])
    assert older(one, other).tolist() == [1.0, -1.0, -1.0]


def test_a_slot_beyond_the_story_neither_wins_nor_has_a_margin():
    """With time and without; the padding scores highest, and so does the first slot beyond."""
    scores = torch.tensor([[1.0, 3.0, 9.0, 8.0], [1.0, 3.0, 2.0, 4.0]])
    latest = length = torch.tensor([2, 4])
    for time in (None, torch.zeros(2, 3)):
        chosen, beaten, own = preferred_slot(scores, time, latest, length)
        assert chosen.tolist() == [1, 3]
        assert beaten.tolist() == [[2.0, 0.0, 0.0, 0.0], [3.0, 1.0, 2.0, 0.0]]
        assert own.tolist() == [3.0, 4.0]
    assert tournament(scores[:0], torch.zeros(0, 3), length[:0], length[:0]).shape == (0,)


def test_the_slot_that_is_chosen_has_no_margin_over_itself():
    """Whatever time's share of it would be; over each other it has what it is preferred by."""
    scores, time = torch.tensor([[1.0, 3.0, 0.5]]), torch.tensor([[0.25, 0.5, 2.0]])
    found = against_all(scores, time, torch.tensor([2]), torch.tensor([1]))
    # x was written to slot 2: older than none. Slot 1 is newer than 0, older than 2.
    assert found.tolist() == [[3.0 - 1.0 - 2.75, 0.0, 3.0 - 0.5 - 0.75 + 2.0]]


def test_the_ranking_loss_is_a_sum_over_what_is_counted():
    preferred, counted = torch.tensor([[0.5, -1.0, 0.05], [0.0, 3.0, 0.1]]), torch.ones(2, 3).bool()
    assert float(ranking_loss(0.1, preferred, counted)) == pytest.approx(1.1 + 0.05 + 0.1)
    counted[0, 1] = False
    assert float(ranking_loss(0.1, preferred, counted)) == pytest.approx(0.05 + 0.1)


def test_the_loss_of_supports_by_hand():
    """Rivals that are drawn beyond the story, or twice, or are the wanted one."""
    scores, wanted = torch.tensor([[[1.0, 0.5, 7.0]]]), torch.tensor([[0]])
    length, draws = torch.tensor([2]), torch.tensor([[[1, 1, 0, 2, 9]]])
    found = support_loss(scores, None, wanted, length, 1.0, draws)
    assert float(found) == pytest.approx(0.5 + 0.5)
    assert float(support_loss(scores, None, wanted, length, 1.0, None)) == pytest.approx(0.5)
    none = support_loss(scores, None, torch.tensor([[-1]]), length, 1.0, None)
    assert float(none) == 0.0
    # With time: e = 0.25 for "y older than y'", which counts against both orders alike.
    time = torch.tensor([[[0.0, 0.0, 0.25]]])
    found = support_loss(scores, time, wanted, length, 1.0, None)
    assert float(found) == pytest.approx((1 - 0.75) + (1 - 0.75))


def test_the_loss_of_words_by_hand():
    """The right word and nil are no rivals, drawn or not; a place after the end costs nothing."""
    logits = torch.tensor([[[9.0, 1.0, 0.5, 3.0], [9.0, 5.0, 5.0, 5.0]]])
    answer = torch.tensor([[1, -1]])
    assert float(word_loss(logits, answer, 1.0, None)) == pytest.approx(0.5 + 3.0)
    drawn = torch.tensor([[0, 1, 2, 2]])
    assert float(word_loss(logits, answer, 1.0, drawn)) == pytest.approx(0.5 + 0.5)


@pytest.mark.parametrize("seed", range(7))
def test_a_tournament_finds_the_largest_score(seed):
    """List 3: without time's share it is the argmax, in whatever order the slots come."""
    torch.manual_seed(seed)
    scores, length = torch.randn(11, 17), torch.full((11,), 17)
    nothing, latest = torch.zeros(11, 3), torch.full((11,), 17)
    assert torch.equal(tournament(scores, nothing, latest, length), scores.argmax(-1))
    order = torch.randperm(17)
    found = tournament(scores[:, order], nothing, latest, length)
    assert torch.equal(order[found], scores.argmax(-1))


@pytest.mark.parametrize("seed", range(7))
def test_a_tournament_finds_the_slot_that_beats_all(seed):
    """List 3: with time, where some slot is preferred to every other, it wins."""
    torch.manual_seed(seed)
    scores, time = torch.randn(97, 7), torch.randn(97, 3)
    time[:, 1] = -time[:, 0]  # so that a preference is the same read from either side
    length, latest = torch.full((97,), 7), torch.randint(0, 8, (97,))
    every = [against_all(scores, time, latest, torch.full((97,), slot)) for slot in range(7)]
    beats_all = ((torch.stack(every, 1) > 0) | torch.eye(7, dtype=torch.bool)).all(-1)
    assert beats_all.any(-1).sum() > 20
    found = tournament(scores, time, latest, length)
    rows = beats_all.any(-1)
    assert torch.equal(found[rows], beats_all[rows].long().argmax(-1))


def test_of_equal_sentences_time_finds_the_newest():
    """List 3: the same words told three times; what is newer is preferred."""
    scores, time = torch.ones(1, 5), torch.tensor([[0.0, 0.0, -1.0]])
    assert tournament(scores, time, torch.tensor([5]), torch.tensor([5])).tolist() == [4]
    assert tournament(scores, -time, torch.tensor([5]), torch.tensor([5])).tolist() == [0]
    assert tournament(scores, time, torch.tensor([5]), torch.tensor([3])).tolist() == [2]


def test_of_slots_that_are_equal_in_all_the_last_is_taken():
    """Algorithm 1 keeps a slot while it is preferred to the next, which an equal one is not."""
    found = tournament(zeros := torch.zeros(3, 5), zeros[:, :3], *2 * [torch.tensor([5, 3, 1])])
    assert found.tolist() == [4, 2, 0]
    assert found[0] == reference.tournament([0.0] * 5, zeros[0, :3].numpy(), 5)


def test_what_has_found_its_last_support_has_no_margin_and_no_score():
    went_on = 0
    for seed in range(9):
        torch.manual_seed(seed)
        reply = build(adaptive=True)(*questions())
        ended = reply.supports < 0
        hops = min(ended.shape[1], reply.scores.shape[1])
        assert not reply.scores[:, :hops][ended[:, :hops]].any()
        margins = reply.margins[:, 1 : hops + 1]
        before = ended[:, : margins.shape[1]]
        assert not margins[before].any()
        went_on += int(before.any())
    assert went_on > 3


def test_supports_end_with_the_stop_fact():
    """List 12: nothing is found after it, and a story of nothing else has no support."""
    model, asked = build(adaptive=True), questions()
    reply = model(*asked)
    given = reply.supports >= 0
    assert (reply.supports != memnn.STOP).all()
    assert torch.equal(given, given.cummin(-1).values)
    alone = asked._replace(length=torch.ones(5, dtype=torch.long))
    assert (model(*alone).supports == -1).all()
    assert model.wanted(torch.tensor([[4, 2, 5], [3, -1, -1], [-1, -1, -1]])).tolist() == [
        [4, 2, 5, 0],
        [3, 0, -1, -1],
        [0, -1, -1, -1],
    ]


def test_answers_end_with_the_end():
    """List 12: where the end ranks first at once nothing is said; else at most `said` words."""
    model, asked = build(adaptive=True), questions()
    words = model(*asked).words
    assert words.shape[1] <= 2
    assert not (words == END).any()
    with torch.no_grad():
        model.response.features.weight[:, 1] = 1.0
        model.response.features.weight[:, 0] = 0.0
        model.response.features.weight[END, 0] = 100.0
        model.response.features.weight[:, 2:] = 0.0
    reply = model(*asked)
    assert (reply.words == -1).all()


@pytest.mark.parametrize("options", [{}, {"nonlinear": True}, {"exact_match": 0.5}], ids=str)
@pytest.mark.parametrize("adaptive", [True, False])
def test_padding_changes_nothing(options, adaptive):
    """List 14: room for more words, for more slots, and sentences that no story tells."""
    model, asked = build(adaptive, **options), questions()
    whole = model(*asked)
    cases = {
        "words": asked._replace(sentences=F.pad(asked.sentences, (0, 2))),
        "question": asked._replace(question=F.pad(asked.question, (0, 3))),
        "slots": asked._replace(story=F.pad(asked.story, (0, 61), value=9)),
        "told by nobody": asked._replace(sentences=F.pad(asked.sentences, (0, 0, 0, 97), value=7)),
    }
    for what, padded in cases.items():
        reply = model(*padded)
        assert torch.equal(reply.supports, whole.supports), what
        assert torch.equal(reply.words, whole.words), what
        assert_close(reply.logits, whole.logits, rtol=1e-12, atol=1e-12)
        assert_close(reply.margins[..., :7], whole.margins, rtol=1e-12, atol=1e-12)
        assert not reply.margins[..., 7:].any()


def test_the_loss_knows_no_padding():
    """List 14: slots beyond a story's end are no rivals."""
    model, asked = build(adaptive=True), questions()
    supports, answer = torch.tensor([[1, -1]] * 5), torch.tensor([[3, END]] * 5)
    whole = model.loss(asked, supports, answer, 0.7)
    wide = asked._replace(story=F.pad(asked.story, (0, 7), value=5))
    assert_close(model.loss(wide, supports, answer, 0.7).sum, whole.sum)
    longer = F.pad(supports, (0, 1), value=-1), F.pad(answer, (0, 1), value=-1)
    assert_close(model.loss(asked, *longer, 0.7).sum, whole.sum)


def test_padded_example_conforms():
    torch.manual_seed(0)
    _, (sentences, story, length, question) = memnn.example()
    padded = F.pad(sentences, (0, 1)), F.pad(story, (0, 5)), length, F.pad(question, (0, 2))
    check_model(memnn, padded)


def test_a_word_is_read_by_its_contexts():
    """List 6: in every role alike; 5 blocks in all, where there were three."""
    features = BagFeatures(5, roles=3, dim=2, contexts=True)
    assert features.weight.numel() + features.context.numel() == 5 * 5 * 2
    left, right = torch.zeros(7, 5), torch.zeros(7, 5)
    left[6, 2], right[6, 3] = 0.5, 1.0
    replaced = torch.tensor([False] * 5 + [True] * 2)
    table = features.table(Contexts(left, right, replaced))
    assert_close(table[:5], features.weight)
    assert not table[5].any()
    expected = 0.5 * features.context[0, 2] + features.context[1, 3]
    assert_close(table[6], expected.expand(3, 2))


def test_bags_are_summed_and_counted():
    features = BagFeatures(5, roles=3, dim=2)
    bags = torch.tensor([[1, 4, 1], [0, 3, 0]])
    first, third = embed_bags(bags, features.weight, [0, 2])
    assert_close(first[0], 2 * features.weight[1, 0] + features.weight[4, 0])
    assert_close(third[1], features.weight[3, 2])
    turned = embed_bags(bags, features.weight, [2, 0, 1])  # all roles, in another order
    assert_close(turned[:2], torch.stack([third, first]))
    assert_close(turned[[1, 2, 0]], embed_bags(bags, features.weight, [0, 1, 2]))
    assert count_features(bags, 5, torch.float64).dtype == torch.float64
    assert count_features(bags, 5).tolist() == [[0, 2, 0, 0, 1], [0, 0, 0, 1, 0]]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Matching(dim=0), r"Matching\(dim=0\): expected at least 1"),
        (lambda: Matching(scale=0.0), r"Matching\(scale=0\.0\): expected more than 0.*neither is"),
        (lambda: MemNN(5, 1), r"MemNN\(words=1\): expected at least 2"),
        (lambda: MemNN(5, 5, hops=0), r"MemNN\(hops=0\): expected at least 1"),
        (lambda: MemNN(5, 5, said=0), r"MemNN\(said=0\): expected at least 1"),
        (lambda: MemNN(5, 7), r"MemNN\(words=7\): expected at most 5, all features"),
        (
            lambda: MemNN(7, 5, Matching(contexts=True)),
            r"MemNN\(features=7, words=5\): contexts are those of words, and 2 features are none",
        ),
        (lambda: BagFeatures(1, 3, 5), r"BagFeatures\(features=1\): expected at least 2"),
        (lambda: BagFeatures(5, 0, 5), r"BagFeatures\(roles=0\): expected at least 1"),
        (lambda: BagFeatures(5, 3, 0), r"BagFeatures\(dim=0\): expected at least 1"),
        (
            lambda: BagFeatures(5, 3, 2).table(
                Contexts(torch.zeros(5, 5), torch.zeros(5, 5), torch.zeros(5, dtype=torch.bool))
            ),
            r"table\(contexts=\.\.\.\): these features know no contexts",
        ),
    ],
)
def test_what_cannot_be_is_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_a_layer_keeps_lengths_at_first():
    """Its numbers are normal, with a deviation of one over the root of the width."""
    match = Matching(400, nonlinear=True).build(WORDS, 2)
    match.reset_parameters(torch.Generator().manual_seed(0))
    assert float(match.layer.weight.detach().std()) == pytest.approx(1 / 20, rel=0.02)


def test_answers_are_the_words_alone_and_new_ones_stand_behind_them():
    """3-grams answer nothing; of words that are read by their contexts each may be an answer."""
    asked = StoryBags(torch.tensor([[2, 6]]), *story_of(1), torch.tensor([[3, 5]]))
    assert MemNN(7, 5, Matching(DIM), hops=1)(*asked).logits.shape == (1, 1, 5)
    model = MemNN(7, 7, Matching(DIM, contexts=True), hops=1)
    met = torch.rand(9, 7), torch.rand(9, 7), torch.arange(9) >= 7
    logits = model(*asked[:4], Contexts(*met)).logits
    assert logits.shape == (1, 1, 9)
    assert logits[..., 7:].all()
    assert (logits[..., 0] < -1e8).all()


def test_nothing_is_looked_for_where_all_have_ended():
    """No further place for a support, nor for a word: as many as the longest needs."""
    model, asked = build(adaptive=True), questions()
    alone = asked._replace(length=torch.ones(5, dtype=torch.long))
    with torch.no_grad():
        model.response.features.weight.zero_()
        model.response.features.weight[:, 1] = 1.0
        model.response.features.weight[END, 0] = 100.0
    reply = model(*alone)
    assert reply.supports.shape == reply.scores.shape == (5, 1)
    assert reply.margins.shape == (5, 1, 7)
    assert reply.words.shape == (5, 1)
    assert reply.logits.shape == (5, 1, WORDS)
    assert not reply.scores.any()


def test_what_a_matching_says_reaches_both_scores():
    """Width, scale, layers and contexts, of what supports are found by and of what answers."""
    model = MemNN(999, 999, Matching(20, True, 0.5, True, 0.3))
    for match, roles in ((model.output, 4), (model.response, 5)):
        assert match.features.weight.shape == (999, roles, 20)
        assert match.features.context.shape == (2, 999, 20)
        assert match.layer.weight.shape == (20, 20)
        assert match.layer.bias is None
        assert match.exact_match == 0.5
        for weight in match.features.parameters():
            assert float(weight.detach().std()) == pytest.approx(0.3, rel=0.05)
    assert MemNN(9, 9, latest=False).output.features.roles == 3
    assert MemNN(9, 9).output.layer is None
    assert MemNN(9, 9, time=False).time is None


def test_only_sentences_that_are_told_are_kept():
    """Beyond a story's end its slots say any sentence."""
    asked = StoryBags(
        sentences=torch.arange(1, 10)[:, None],  # more than slots
        story=torch.tensor([[0, 1, 3], [1, 1, 2]]),
        length=torch.tensor([2, 1]),
        question=torch.ones(2, 2, dtype=torch.long),
    )
    told = those_told(asked)
    assert told.sentences.tolist() == [[1], [2]]
    assert told.story[0, :2].tolist() == [0, 1]
    assert told.story[1, :1].tolist() == [1]
