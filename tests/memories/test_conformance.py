"""Every memory of the house keeps the rules of what is carried from step to step."""

import pytest
import torch

from memnets.attention import Additive, Coverage, Softmax
from memnets.layers.controllers import LSTMController
from memnets.layers.recurrent import GRU, LSTM
from memnets.memories import PaddedZones, ZoneMemory
from memnets.memories.external import (
    Beginning,
    ByContent,
    ByContentAndLocation,
    ControlledMemory,
    Overwrite,
    ShiftAnywhere,
)
from memnets.models import cran
from memnets.models.ntm import NTM, Conventions, simplified
from memnets.testing import check_memory

DIM = 5


def core(make):
    return make().double()


CORES = {
    "LSTM of two layers": lambda: LSTM(DIM, 3, layers=2),
    "GRU": lambda: GRU(DIM, 3),
    "CRAN": lambda: cran.example()[0],
    "NTM": lambda: NTM(DIM, 4, 6, 3, heads=(2, 2)),
    "NTM without a state of its controller": lambda: NTM(DIM, 4, 6, 3, controller="feed-forward"),
    "NTM that reads first": lambda: NTM(
        DIM, 4, 6, 3, conventions=Conventions(Beginning("learned", "first", "zeros"), "read first")
    ),
    "simplified": lambda: simplified(DIM, 4, 6, 3, Additive(3, 3, 5), Softmax()),
    "coverage, and moved by a number": lambda: ControlledMemory(
        LSTMController(DIM, 3, 4, layers=2),
        6,
        3,
        read=ByContentAndLocation(ByContent(Coverage(2, 3, 5), Softmax(), 2), ShiftAnywhere()),
        write=Overwrite(3, "tanh"),
        place=ByContent(Coverage(2, 3, 5), Softmax(), 2),
        says="state",
    ),
}


@pytest.mark.usefixtures("shapes_unchecked")
@pytest.mark.parametrize("name", CORES)
def test_a_core_conforms(name, eager):
    torch.manual_seed(0)
    check_memory(CORES[name]().double(), dim=DIM)


@pytest.mark.parametrize("memory", [ZoneMemory(2, 3), PaddedZones(3, 1)], ids=str)
def test_zones_conform(memory):
    check_memory(memory)


def test_a_core_without_its_width_is_refused():
    with pytest.raises(ValueError, match=r"check_memory\(GRU\): a core came without the width"):
        check_memory(GRU(DIM, 3))


class Forgetful(LSTM):
    """Carries something beside its state."""

    def forward(self, x, state):
        output, state = super().forward(x, state)
        self.seen = getattr(self, "seen", 0.0) + 0.1
        return output + self.seen, state


class KeepsItsGradient(NTM):
    def forward(self, x, state=None):
        output, state = super().forward(x, state)
        detached = state.detach()
        kind = type(
            "Sticky", (type(state),), {"detach": lambda self: detached._replace(reads=state.reads)}
        )
        return output, kind(*state)


class StartsNowhere(NTM):
    """A row that is reset begins at zeros, not at its start."""

    def forward(self, x, state=None):
        return super().forward(x, None if state is None else state._replace(steps=state.steps + 1))


@pytest.mark.usefixtures("shapes_unchecked")
@pytest.mark.parametrize(
    ("broken", "text"),
    [
        (Forgetful(DIM, 3), "says"),
        (KeepsItsGradient(DIM, 4, 6, 3), "detach"),
        (StartsNowhere(DIM, 4, 6, 3), "after reset|begin|one by one|index_select"),
    ],
    ids=["beside its state", "detach", "start"],
)
def test_a_broken_core_is_caught(broken, text, eager):
    with pytest.raises(AssertionError, match=text):
        check_memory(broken.double(), dim=DIM)
