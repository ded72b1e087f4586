"""An op in C++ looks at no bounds: what would lead it out of a tensor is left to the plain twin."""

import pytest
import torch

from memnets.ops import additive, cran, gru, memn2n
from memnets.ops.ragged import Places

pytestmark = pytest.mark.usefixtures("shapes_unchecked")  # which would refuse them before


def others(tensor):
    """Return tensors that are one longer, and one shorter, along one axis each."""
    for axis, size in enumerate(tensor.shape):
        for other in (size + 1, size - 1):
            yield tensor.new_zeros(*tensor.shape[:axis], other, *tensor.shape[axis + 1 :])


def test_a_gru_of_other_shapes():
    batch, steps, hidden = 5, 7, 3
    for parts in (2, 3):
        rows = parts * hidden
        shapes = ((batch, steps, rows), (batch, steps), (rows, hidden), (rows,), (batch, hidden))
        given = gru._Inputs(*map(torch.zeros, shapes))
        assert gru._fit_together(given)
        for name, tensor in given._asdict().items():
            for other in others(tensor):
                found = gru._fit_together(given._replace(**{name: other}))
                assert not found, f"{name} {tuple(other.shape)}"
    for rows in (hidden, 4 * hidden):  # no attention GRU and no GRU
        shapes = ((batch, steps, rows), (batch, steps), (rows, hidden), (rows,), (batch, hidden))
        assert not gru._fit_together(gru._Inputs(*map(torch.zeros, shapes)))
    given = [torch.zeros(shape) for shape in ((2, 0, 6), (2, 0), (6, 3), (6,), (2, 3))]
    assert not gru._fit_together(gru._Inputs(*given))  # there is nothing to do
    given = gru._Inputs(*map(torch.zeros, ((2, 5, 6), (2, 5), (6, 3), (6,), (2, 3))))
    assert not gru._can_run(given, torch.ones(2, 4, dtype=torch.bool), None)
    assert not gru._can_run(given, torch.ones(1, 5, dtype=torch.bool), None)


def test_a_gru_over_other_places():
    places = Places.of(torch.ones(2, 5, dtype=torch.bool))
    shapes = ((10, 6), (6, 3), (6,), (2, 3))
    projected, recurrent, bias, initial = map(torch.zeros, shapes)
    given = gru._Inputs(projected, None, recurrent, bias, initial)
    assert gru._fit_together(given, places=places)
    for wrong in (projected[1:], projected[:, 1:], projected.unsqueeze(0)):
        assert not gru._fit_together(given._replace(projected=wrong), places=places)
    assert not gru._fit_together(given._replace(initial=initial[1:]), places=places)
    assert not gru._fit_together(given._replace(initial=initial[:, 1:]), places=places)


def test_a_cran_of_other_shapes():
    batch, steps, zones, slots, hidden, key, width = 3, 5, 4, 2, 7, 6, 9
    for gated in (False, True):
        gates = 3 * hidden if gated else hidden
        plan = cran.CRANPlan(zones, slots, 2, "plain", 1.0, 1.0, gated, True, False)
        weights = cran.CRANWeights(
            query=torch.zeros(key, hidden),
            read=torch.zeros(width, hidden),
            project=torch.zeros(width, hidden),
            project_bias=torch.zeros(width),
            update=torch.zeros(gates, hidden),
            update_bias=torch.zeros(hidden) if gated else None,
            key=torch.zeros(key, slots * hidden),
            key_bias=torch.zeros(key),
            deeper=torch.zeros(2, key, key),
            deeper_bias=torch.zeros(2, key),
        )
        window = cran.CRANWindow(
            query_x=torch.zeros(batch, steps, key),
            read_x=torch.zeros(batch, steps, width),
            update_x=torch.zeros(batch, steps, gates),
            hidden=torch.zeros(batch, hidden),
            values=torch.zeros(batch, zones, slots, hidden),
            keys=torch.zeros(batch, zones, key),
            partial=torch.zeros(batch, key),
            written=3,
            ranking=torch.zeros(batch, steps, zones),
        )
        assert cran._fit_together(plan, weights, window)
        for parts in (weights, window):
            for name, tensor in parts._asdict().items():
                for other in others(tensor) if isinstance(tensor, torch.Tensor) else ():
                    changed = parts._replace(**{name: other})
                    both = (changed, window) if parts is weights else (weights, changed)
                    assert not cran._fit_together(plan, *both), f"{name} {tuple(other.shape)}"
        for size in ("zones", "slots", "k"):
            assert not cran._fit_together(plan._replace(**{size: 0}), weights, window), size


def test_a_memn2n_of_other_shapes():
    plan = memn2n.MemN2NPlan(
        vocab=11, memory=4, keys=(0, 1), values=(1, 2), question=0, answer=2,
        softmax=True, room=0, relu=False,
    )  # fmt: skip
    weights = memn2n.MemN2NWeights(torch.zeros(15, 3, 5), torch.zeros(5, 5), torch.zeros(7, 5))
    index = torch.zeros(3, 4, dtype=torch.long)
    asked = memn2n.StoryBatch(torch.zeros(9, 6, dtype=torch.long), index, index, index)
    assert memn2n._fit_together(plan, weights, asked)
    assert memn2n._fit_together(plan, weights._replace(carry=None), asked)
    rows, _, narrow, wide, *_ = (*others(index),)
    for wrong in (
        {"tables": torch.zeros(14, 3, 5)},
        {"tables": torch.zeros(16, 3, 5)},
        {"tables": torch.zeros(15, 2, 5)},
        {"tables": torch.zeros(15, 3, 6)},
        {"carry": torch.zeros(5, 6)},
        {"carry": torch.zeros(6, 5)},
        {"places": torch.zeros(7, 4)},
        {"places": torch.zeros(6, 5)},  # the last is the place of the time word
    ):
        assert not memn2n._fit_together(plan, weights._replace(**wrong), asked), wrong
    for wrong in (
        {"story": rows},
        {"story": narrow},
        {"time": wide},
        {"question": rows},
        {"question": torch.zeros(3, 7, dtype=torch.long)},
        {"sentences": torch.zeros(9, 7, dtype=torch.long)},
    ):
        assert not memn2n._fit_together(plan, weights, asked._replace(**wrong)), wrong
    for role in ("question", "answer"):
        assert not memn2n._fit_together(plan._replace(**{role: 3}), weights, asked), role
    for role in ("keys", "values"):
        assert not memn2n._fit_together(plan._replace(**{role: (0, 3)}), weights, asked), role
    untimed = plan._replace(memory=0, vocab=15)
    seven = asked._replace(question=torch.zeros(3, 7, dtype=torch.long))
    assert memn2n._fit_together(untimed, weights, seven)  # no place is kept for a time word
    for gold in (torch.zeros(2, dtype=torch.long), torch.zeros(3), index):
        assert memn2n.learn(plan, weights, asked, gold) is None


def test_additive_scores_of_other_widths():
    given = torch.zeros(2, 3, 5), torch.zeros(2, 7, 5), torch.zeros(5)
    assert additive._fit_together(*given)
    for place in range(3):
        wrong = [part if at != place else part[..., :4] for at, part in enumerate(given)]
        assert not additive._fit_together(*wrong)
