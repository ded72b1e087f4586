"""What every score must do."""

from copy import deepcopy
from dataclasses import replace

import torch
from torch import Tensor

from memnets.attention import Score
from memnets.testing.conformance.claims import agree, claim, identical
from memnets.testing.conformance.gradients import gradients_hold
from memnets.testing.conformance.inputs import KEY_DIM, QUERY_DIM, SLOTS, Inputs, draw, shuffled


def check_score(score_class: type[Score]) -> None:
    """Check a score: its example must take memories of 13 slots, queries 5 and keys 7 wide.

    Raises:
        AssertionError: the score breaks a rule; the text says which, where and by how much.
    """
    name = score_class.__name__
    torch.manual_seed(0)
    inputs, score = example_with_inputs(score_class)
    _widths(score_class, name)
    _nothing_is_written(score_class, name)
    _memories_stay_apart(score, inputs, name)
    _shape(score, inputs, name)
    _remembering_alters_nothing(score, inputs, name)
    _batch_is_a_loop(score, inputs, name)
    _order(score, inputs, name)
    _linear_in_keys(score, inputs, name)
    _copy_is_apart(score, inputs, name)
    _half_precision(score, inputs, name)
    gradients_hold(
        score,
        lambda query, keys: score(query, keys, replace(inputs, query=query).context()),
        (inputs.query, inputs.keys),
        f"{name}: gradient",
    )


def example_with_inputs(score_class: type[Score], queries: int = 3) -> tuple[Inputs, Score]:
    """Return inputs of the widths that a score takes, and its example in float64."""
    key_dim = QUERY_DIM if score_class.needs_equal_widths else KEY_DIM
    return draw(QUERY_DIM, key_dim, queries), score_class.example(QUERY_DIM, key_dim).double()


def _score(score: Score, inputs: Inputs) -> Tensor:
    return score(inputs.query, inputs.keys, inputs.context())


def _widths(score_class: type[Score], name: str) -> None:
    if not score_class.needs_equal_widths:
        return
    score = score_class.example(QUERY_DIM, QUERY_DIM).double()
    try:
        _score(score, draw())
    except ValueError as error:
        text = str(error)
        claim(
            str(QUERY_DIM) in text and str(KEY_DIM) in text,
            f"{name}: needs_equal_widths, but its message names not both widths: {text!r}",
        )
    else:
        claim(False, f"{name}: needs_equal_widths, but it took a query 5 and keys 7 wide.")


def _shape(score: Score, inputs: Inputs, name: str) -> None:
    expected = (*inputs.query.shape[:-1], SLOTS)
    found = tuple(_score(score, inputs).shape)
    claim(found == expected, f"{name}: scores of shape {found} came, expected {expected}.")


def _nothing_is_written(score_class: type[Score], name: str) -> None:
    inputs, score = example_with_inputs(score_class)
    kept = inputs.query.clone(), inputs.keys.clone(), inputs.previous.clone()
    _score(score, inputs)
    for field, before in zip(("query", "keys", "previous"), kept, strict=True):
        identical(getattr(inputs, field), before, f"{name}: it wrote into the caller's {field}")


def _remembering_alters_nothing(score: Score, inputs: Inputs, name: str) -> None:
    remembered = score.remember(inputs.keys)
    for _ in range(2):
        found = score.match(inputs.query, remembered, inputs.context())
        agree(found, _score(score, inputs), f"{name}: match(query, remember(keys)) = forward")


def _batch_is_a_loop(score: Score, inputs: Inputs, name: str) -> None:
    rows = [_score(score, inputs.row(row)) for row in range(len(inputs.query))]
    agree(_score(score, inputs), torch.stack(rows), f"{name}: a batch = a loop over its rows")
    singles = [_score(score, inputs.ask(slice(i, i + 1))) for i in range(inputs.query.shape[-2])]
    agree(_score(score, inputs), torch.cat(singles, -2), f"{name}: queries = a loop over queries")


def _order(score: Score, inputs: Inputs, name: str) -> None:
    order = shuffled(SLOTS)
    found, moved = _score(score, inputs.reorder(order)), _score(score, inputs)[..., order]
    if not score.depends_on_positions:
        agree(found, moved, f"{name}: slots have no order (depends_on_positions is False)")
        return
    claim(
        not torch.allclose(found, moved),
        f"{name}: depends_on_positions is True, but another order of the slots changed nothing.",
    )


def _linear_in_keys(score: Score, inputs: Inputs, name: str) -> None:
    other = replace(inputs, keys=inputs.keys.flip(-1) + 1)
    both = _score(score, replace(inputs, keys=inputs.keys + other.keys))
    parts = _score(score, inputs) + _score(score, other)
    if score.linear_in_keys:
        agree(both, parts, f"{name}: the score of a sum = the sum of scores (linear_in_keys)")
    else:
        text = f"{name}: linear_in_keys is False, but the score is linear: declare it."
        claim(not torch.allclose(both, parts), text)


def _memories_stay_apart(score: Score, inputs: Inputs, name: str) -> None:
    other, context = inputs.keys.flip(-1) + 1, inputs.context()
    # The twin meets the second memory only: what a cache might hold of the first is not in it.
    twin = deepcopy(score)
    expected = twin.match(inputs.query, twin.remember(other), context)
    first, second = score.remember(inputs.keys), score.remember(other)
    before = score.match(inputs.query, first, context)
    found = score.match(inputs.query, second, context)
    after = score.match(inputs.query, first, context)
    agree(found, expected, f"{name}: two memories, used alternately, stay apart")
    agree(after, before, f"{name}: the first memory outlives the second")


def _copy_is_apart(score: Score, inputs: Inputs, name: str) -> None:
    before, copy = _score(score, inputs), deepcopy(score)
    agree(_score(copy, inputs), before, f"{name}: a deep copy gives the same")
    with torch.no_grad():
        for parameter in copy.parameters():
            parameter.add_(1.0)
    identical(_score(score, inputs), before, f"{name}: changing a copy's weights changed it")


def _half_precision(score: Score, inputs: Inputs, name: str) -> None:
    expected = _score(score, inputs).detach()
    for dtype in (torch.float16, torch.bfloat16):
        found = _score(deepcopy(score).to(dtype), inputs.to(dtype))
        allowed = 32 * torch.finfo(dtype).eps * max(1.0, float(expected.abs().max()))
        agree(found, expected, f"{name}: scores in {dtype}", rtol=0.0, atol=allowed)
