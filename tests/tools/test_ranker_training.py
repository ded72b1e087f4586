"""Rankers of relations learn what questions ask for, and what a teacher makes of them."""

import random
import string

import pytest
import torch

from tests.tools.ranker_cases import Everything, Words, jittered, small_model, table
from tools.ranker.batches import batch_of
from tools.ranker.networks import Encoder, Head, Shape
from tools.ranker.phrasings import (
    Column,
    Table,
)
from tools.ranker.teacher import Teacher
from tools.ranker.training import ALIKE, NEAR, Model, _loss, apart, loss_of, train


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


def test_a_model_learns_what_questions_ask_for(tmp_path, capsys):
    staff, model = table(tmp_path), small_model()
    batch = batch_of(staff, staff.phrasings, [], Everything(0))
    before = loss_of(model.scores(batch), batch, None).item()
    train(model, [staff], epochs=60, size=5, rate=5e-3)
    with torch.inference_mode():
        scores = model.scores(batch)
    assert loss_of(scores, batch, None).item() < 0.5 * before
    assert "epoch 60: mean loss" in capsys.readouterr().out


@pytest.mark.parametrize(("dim", "lost"), [(16, 1e-4), (24, 0.05)])
def test_a_teacher_is_turned_to_where_a_ranker_begins(tmp_path, dim, lost):
    staff = table(tmp_path)
    shape = Shape(words=80, dim=dim, wide=32, heads=2, layers=6, longest=20)
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
