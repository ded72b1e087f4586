"""Every model, found by walking the package."""

import pytest
import torch

from memnets.testing import check_model, model_modules
from memnets.training.processes import recurrences_on


@pytest.mark.parametrize("module", model_modules(), ids=lambda module: module.__name__)
def test_model_conforms(module):
    check_model(module)


def resettable():
    examples = [(module, module.example()[0]) for module in model_modules()]
    return [module for module, model in examples if hasattr(model, "reset_parameters")]


def test_weights_are_drawn_by_the_generator_that_is_given_and_by_no_other():
    """The same seed draws all of them alike, whatever else was drawn; another seed does not."""
    found = resettable()
    assert len(found) >= 5
    for module in found:
        drawn = []
        for seed, before in ((7, 0), (7, 1), (11, 1)):
            model, _ = module.example()
            torch.manual_seed(before)
            model.reset_parameters(torch.Generator().manual_seed(seed))
            drawn.append({name: weight.detach() for name, weight in model.named_parameters()})
        for name, weight in drawn[0].items():
            assert torch.equal(weight, drawn[1][name]), f"{module.__name__}: {name}"
        moved = [not torch.equal(weight, drawn[2][name]) for name, weight in drawn[0].items()]
        assert any(moved), module.__name__


def narrowed(tree, dtype):
    """Return nested tuples with their numbers, not their indices, in another precision."""
    if isinstance(tree, torch.Tensor):
        return tree.to(dtype) if tree.is_floating_point() else tree
    parts = (narrowed(part, dtype) for part in tree)
    return type(tree)(*parts) if hasattr(tree, "_fields") else tuple(parts)


@pytest.mark.usefixtures("shapes_unchecked")
@pytest.mark.parametrize("module", model_modules(), ids=lambda module: module.__name__)
def test_a_model_in_half_precision_answers_in_it(module, monkeypatch):
    """Weights that are computed in float32 are narrowed again where they meet the values."""
    softmax = torch.Tensor.softmax

    def widened(scores, axis):
        assert scores.dtype == torch.float32
        return softmax(scores, axis)

    monkeypatch.setattr(torch.Tensor, "softmax", widened)
    model, inputs = module.example()
    model = model.eval().bfloat16()
    found = model(*narrowed(inputs, torch.bfloat16))
    first = found if isinstance(found, torch.Tensor) else found[0]
    # What a translation or a caption says, or a pointer, are log-probabilities: those stay wide.
    wide = module.__name__.endswith(("seq2seq", "pointer", "show_attend_tell"))
    wanted = torch.float32 if wide else torch.bfloat16
    assert first.dtype == wanted
    assert first.isfinite().all()


@pytest.mark.parametrize("module", model_modules(), ids=lambda module: module.__name__)
def test_a_model_learns_in_mixed_precision(module):
    """As `--loop.precision bf16-mixed` has it: weights are wide, products narrow."""
    model, inputs = module.example()
    with torch.autocast("cpu", torch.bfloat16), recurrences_on(torch.device("cpu")):
        found = model(*inputs)
    first = found if isinstance(found, torch.Tensor) else found[0]
    first.float().sum().backward()
    gradients = [weight.grad for weight in model.parameters() if weight.grad is not None]
    assert gradients
    assert all(gradient.isfinite().all() for gradient in gradients)
