"""Broken models: each rule of `check_model` is broken once, and says so."""

from types import ModuleType

import pytest
import torch
from torch import nn

from memnets.testing import check_model


class Sound(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 5)

    def forward(self, inputs):
        return self.layer(inputs).tanh(), (inputs.argmax(-1),)


class HasAnIdleWeight(Sound):
    def __init__(self):
        super().__init__()
        self.idle = nn.Parameter(torch.zeros(2))


class IsRandom(Sound):
    def forward(self, inputs):
        return super().forward(inputs + torch.rand(()))[0]


class Remembers(Sound):
    calls = 0

    def forward(self, inputs):
        self.calls += 1
        return self.layer(inputs) + (self.calls > 2)


class GivesNaN(Sound):
    def forward(self, inputs):
        return self.layer(inputs).log()


class SharesWithItsCopies(Sound):
    def __deepcopy__(self, memo):
        return self


class KeepsAWeightOutOfTheState(Sound):
    def __init__(self):
        super().__init__()
        self.offset = torch.randn(5)

    def forward(self, inputs):
        return self.layer(inputs) + self.offset


class SaysNothing(Sound):
    def forward(self, inputs):
        return None


def module(model):
    """Return a module that holds one model, as a file would."""
    file = ModuleType(model.__name__)
    file.example = lambda: (model(), (torch.ones(2, 3),))
    return file


def test_the_sound_model_conforms():
    check_model(module(Sound))
    check_model(module(Sound), padded=(torch.ones(2, 3),))


@pytest.mark.parametrize(
    ("model", "text"),
    [
        (HasAnIdleWeight, "parameter idle has no gradient"),
        (IsRandom, "a second call, output 0"),
        (Remembers, "a deep copy, output 0"),
        (GivesNaN, "an output is not finite"),
        (SharesWithItsCopies, "changing a copy's weights changed it"),
        (KeepsAWeightOutOfTheState, "saved as safetensors and loaded"),
        (SaysNothing, "forward returned no tensor"),
    ],
)
def test_a_broken_model_is_caught(model, text):
    with pytest.raises(AssertionError, match=f"{model.__name__}: {text}"):
        check_model(module(model))


def test_padding_that_matters_is_caught():
    with pytest.raises(AssertionError, match="Sound: padding changes the output"):
        check_model(module(Sound), padded=(torch.zeros(2, 3),))
