"""The segmenter: margins by hand, and a language learnt."""

import pytest
import torch

from memnets.models.segmenter import Segmenter


def worth(*scores):
    """Return a segmenter by which words 1, 2, ... add so much to a score."""
    model = Segmenter(1 + len(scores), dim=1, margin=0.1)
    with torch.no_grad():
        model.weight.fill_(1.0)
        model.features.weight[1:, 0, 0] = torch.tensor(scores)
    return model


def test_a_segment_ends_where_its_words_score_more_than_the_margin():
    """List 11: by hand; the next segment begins at 0, and nil ends nothing."""
    model = worth(-1.0, 0.5, 1.2)
    reply = model(torch.tensor([[1, 3, 2, 1, 2, 3, 0]]))
    expected = [[-1.0, 0.2, 0.5, -1.0, -0.5, 0.7, 0.0]]
    torch.testing.assert_close(reply.scores, torch.tensor(expected))
    assert reply.ends.tolist() == [[False, True, True, False, False, True, False]]


def test_a_score_of_just_the_margin_ends_nothing():
    """List 11: "greater than"."""
    assert not worth(0.1)(torch.tensor([[1]])).ends.any()


def test_nil_after_a_stream_ends_nothing_whatever_is_open():
    model = worth(0.05, 0.5)
    with torch.no_grad():
        model.features.weight[0] = 9.0  # of no effect: it is in no bag
    reply = model(torch.tensor([[1, 0, 1, 1], [0, 0, 0, 2]]))
    assert reply.ends.tolist() == [[False, False, False, True], [False, False, False, True]]
    torch.testing.assert_close(reply.scores[0], torch.tensor([0.05, 0.05, 0.1, 0.15]))


def test_the_loss_of_streams_of_any_length():
    """A segment of one word has no beginning; one of no words costs nothing."""
    model = worth(-1.0, 0.5)
    loss = model.loss(torch.tensor([[2, 0], [1, 0], [0, 0]]))
    assert float(loss.detach()) == pytest.approx(1.1)  # the second, 0.1 - (-1)


def test_the_loss_by_hand():
    """List 11: the end of a segment below the margin, its beginnings above."""
    model = worth(-1.0, 0.5, 1.2)
    # -1, 0.2: nothing. 0.5 begins (0.6 too high), 1.7 ends. -1, then -0.5 ends (0.6 too low).
    loss = model.loss(torch.tensor([[1, 3], [2, 3], [1, 2]]))
    assert float(loss.detach()) == pytest.approx(0.6 + 0.6, abs=1e-6)
    assert float(model.loss(torch.tensor([[1, 3, 0]])).detach()) == 0.0


def test_statements_are_learnt_from_their_words():
    """List 11: "PERSON VERB the PLACE", with an ending of a word more: all are cut rightly."""
    person, verb, place = (torch.randint(low, low + 3, (97,)) for low in (1, 4, 8))
    the = torch.full((97,), 7)
    segments = torch.stack([person, verb, the, place], 1)
    model = Segmenter(11, dim=5)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for _ in range(300):
        optimizer.zero_grad()
        model.loss(segments).backward()
        optimizer.step()
    stream = segments[torch.randperm(97)].view(1, -1)
    ends = model(stream).ends.view(-1, 4)
    assert ends[:, 3].all()
    assert not ends[:, :3].any()


def test_a_margin_of_nothing_is_refused():
    with pytest.raises(ValueError, match=r"Segmenter\(margin=0\.0\): expected a positive one"):
        Segmenter(5, margin=0.0)
