"""No public part is built of numbers that nothing can be computed with.

Each parameter that is a number is given what it cannot be, the others are given what fits.
"""

import inspect
import typing
from functools import cache
from types import UnionType
from typing import Any, NamedTuple

import pytest
import torch
from torch import nn

from memnets.attention import Argmax, Attention, Monotonic, ScaledDot, Softmax
from memnets.layers import (
    BagOfWords,
    LastState,
    MeanKey,
    RegionReader,
    ResetFirstCell,
    ResetFirstEncoder,
    SentencesOfStory,
    SummedDirections,
    TopZones,
    XiongGate,
)
from memnets.layers.controllers import FeedForward
from memnets.layers.recurrent import LSTM, FedLSTM
from memnets.layers.stems import SmallCNN
from memnets.memories import AttentionGRU, EpisodicMemory, SoftSum, SumUpdate, ZoneMemory
from memnets.memories.boltzmann import RestrictedBoltzmannMachine
from memnets.memories.external import Beginning, EraseAdd, ShiftNearby, by_cosine
from memnets.models.cran.cell import CRANCell
from memnets.models.cran.parts import InputQuery, InputRead, ReluUpdate
from memnets.models.dmn import OneAnswer
from memnets.models.memnn.matching import Matching
from memnets.models.pointer import PlainDecoder
from memnets.models.seq2seq import LuongDecoder, Stacked
from memnets.models.show_attend_tell import DeepOutput, NoGate, StartByMean
from memnets.testing.discovery import modules

PACKAGES = ("memnets.attention", "memnets.memories", "memnets.layers", "memnets.models")
WRONG = (-1, 0, float("nan"), float("inf"), 1e9, 2.5, "x", None, True)


@cache
def fitting() -> dict[str, Any]:
    """Return what fits, by the name of a parameter, or of a class and a parameter of it."""
    attention = Attention(ScaledDot(), Softmax())
    cell = CRANCell(
        InputQuery(4, 4), InputRead(4, 4, 4), ReluUpdate(4, 4), MeanKey(4, 4),
        ZoneMemory(3, 2), TopZones(2),
    )  # fmt: skip
    return {
        **dict.fromkeys(("query_dim", "key_dim", "value_dim", "dim", "hidden", "inner"), 4),
        **dict.fromkeys(("slots", "max_slots", "window", "words", "zones", "memory"), 4),
        **dict.fromkeys(("heads", "k", "linear", "depth", "layers", "hops", "said"), 2),
        **dict.fromkeys(("vocab", "features", "symbols", "keys", "values", "answers"), 9),
        **dict.fromkeys(("roles", "entities", "state", "out", "filters"), 3),
        **{"width": 5, "attention": attention, "score": ScaledDot(), "align": Argmax()},
        **{"soft": Monotonic(), "recurrence": nn.GRU(4, 4, batch_first=True)},
        **{"core": LSTM(4, 4), "reader": BagOfWords(4), "matching": Matching(), "cell": cell},
        **{"query": cell.query, "read": cell.read, "update": cell.update, "key": cell.key},
        **{"choice": cell.choice, "gate": XiongGate(4), "head": OneAnswer(4, 9)},
        **{"story": SentencesOfStory(BagOfWords(4), 4), "question": BagOfWords(4)},
        **{"end": 1, "longest": 3, "tags": 4},
        **dict.fromkeys(("context_dim", "start_dim", "maxout", "fed"), 4),
        **{"source_vocab": 9, "target_vocab": 9, "encoder": ResetFirstEncoder(4, 4)},
        **{"most": 4, "inputs": 4, "embedding": nn.Identity()},
        "PointNetwork.source": Stacked(LSTM(4, 4)),
        "PointNetwork.decoder": PlainDecoder(LSTM(4, 4), 4),
        "AttentiveDecoder.core": FedLSTM(4, 4, 4),
        "SearchDecoder.cell": ResetFirstCell(4, 4, 4),
        "FedLuongDecoder.core": FedLSTM(4, 4, 4),
        **{f"{name}.reader": LastState() for name in ("SearchDecoder", "LuongDecoder")},
        "FedLuongDecoder.reader": LastState(),
        **{"Backwards.reader": Stacked(LSTM(4, 4)), "WithHeads.reader": Stacked(LSTM(4, 4))},
        "WithHeads.heads": None,
        "KVPaths.reader": SentencesOfStory(
            BagOfWords(4), 4, SummedDirections(nn.GRU(4, 4, bidirectional=True))
        ),
        **{"context": 4, "shared": 1, "colours": 3, "deep": 1, "grid": (2, 2), "side": (8, 8)},
        **{"SmallCNN.channels": (4,), "ResNet.depth": 50, "ShowAttendTell.gate": NoGate()},
        **{"ShowAttendTell.start": StartByMean(4, 4), "ShowAttendTell.core": FedLSTM(4, 4, 4)},
        **{"ShowAttendTell.features": DeepOutput(4, 4, 4), "ShowAttendTell.reader": LastState()},
        "Seq2Seq.source": Stacked(LSTM(4, 4)),
        "Seq2Seq.decoder": LuongDecoder(LSTM(4, 4), LastState(), 4),
        "DMN.memory": EpisodicMemory(XiongGate(4), Softmax(), SoftSum(), SumUpdate()),
        "VisualDMN.memory": EpisodicMemory(XiongGate(4), Softmax(), SoftSum(), SumUpdate()),
        **{"stem": SmallCNN((4,), (8, 8)), "regions": RegionReader(4, (4, 4), 4)},
        "MeanOfSlots.update": SumUpdate(),
        "DMNTagger.memory": EpisodicMemory(XiongGate(4), Softmax(), AttentionGRU(4), SumUpdate()),
        **{"strength": 0.5, "power": 3, "queries": 2, "patterns": torch.eye(4)},
        **{"HopfieldNetwork.weights": torch.zeros(4, 4), "visible": 4},
        **{"EpisodicMemory.read": SoftSum(), "EpisodicMemory.update": SumUpdate()},
        **{"controller": FeedForward(4, 4, 4), "write": EraseAdd(4), "place": by_cosine(4)},
        **{"ControlledMemory.read": by_cosine(4), "content": by_cosine(4).content},
        **{"Updates.machine": RestrictedBoltzmannMachine(4, 3), "Updates.data": torch.ones(3, 4)},
        **{"Updates.batch": 2, "Updates.steps": 1},
        **{"move": ShiftNearby(), "beginning": Beginning(), "Start.heads": (1, 1), "bits": 3},
    }


class Case(NamedTuple):
    """A class, and a parameter of it that is a number."""

    part: type
    name: str
    kind: Any


def parts() -> list[type]:
    """Return the public classes that are built by whoever uses them."""
    return [
        value
        for package in PACKAGES
        for module in modules(package)
        for name, value in vars(module).items()
        if inspect.isclass(value)
        and value.__module__ == module.__name__
        and name[0] != "_"
        and not issubclass(value, tuple | BaseException)
        and not inspect.isabstract(value)
    ]


def numbers_of(part: type) -> list[Case]:
    """Return the parameters of a class that are numbers."""
    hints = typing.get_type_hints(part.__init__)
    return [
        Case(part, name, hints[name])
        for name in inspect.signature(part).parameters
        if {int, float} & set(kinds(hints.get(name)))
    ]


def kinds(hint: Any) -> tuple[Any, ...]:
    """Return the types that a parameter may be of."""
    return typing.get_args(hint) if isinstance(hint, UnionType) else (hint,)


CASES = [case for part in parts() for case in numbers_of(part)]


def built(part: type, **given: Any) -> Any:
    """Build a part of what fits, but for what is given."""
    fits = fitting()
    needed = {
        name: fits.get(f"{part.__name__}.{name}", fits.get(name))
        for name, parameter in inspect.signature(part).parameters.items()
        if (name in fits or f"{part.__name__}.{name}" in fits)
        and (parameter.default is parameter.empty or name in given)
    }
    return part(**{**needed, **given})


def test_the_parts_are_found_and_can_be_built():
    assert len(CASES) >= 90
    for part in {case.part for case in CASES}:
        built(part)


def refused(case: Case, wrong: Any) -> str:
    """Return why it is wrong that a part is built so, or nothing."""
    shown = f"{case.part.__name__}({case.name}={wrong!r})"
    try:
        made = built(case.part, **{case.name: wrong})
    except (TypeError, ValueError) as error:
        said = str(error)
        return "" if case.name in said and "expected" in said else f"{shown}: said {said[:90]}"
    except Exception as error:
        return f"{shown}: {error!r:.120}"
    return "" if sensible(case, wrong, made) else f"{shown}: accepted"


def sensible(case: Case, value: Any, made: Any) -> bool:
    """Whether a part may be built so: 0 where there may be none of it, None for no choice."""
    if value is None:
        return type(None) in kinds(case.kind)
    if int in kinds(case.kind):
        return type(value) is int and value == 0 and (case.part.__name__, case.name) in MAY_BE_0
    if isinstance(value, bool | str) or value != value or value in (float("inf"),):
        return False
    return value >= 0 or case.name in ("bias", "stay", "length")


MAY_BE_0 = {
    ("BoltzmannChains", "seed"),
    ("Decoder", "end"),
    ("WordsOfStory", "end"),
    ("MemN2N", "memory"),
    ("MemN2N", "slots"),
    ("SimpleQA", "entities"),
    ("StartByMean", "shared"),
    ("SmallCNN", "deep"),
    ("Affine", "state"),
    ("HalfLinear", "linear"),
    ("MemN2NLanguageModel", "linear"),
    ("Asynchronous", "seed"),
    ("BoltzmannMachine", "hidden"),
    ("ShiftNearby", "reach"),
    ("NTM", "reach"),
}
"""The first word; no slots, no entities, no state, no places of the paper's own, no linear part,
no layer below the first state, none behind the last; a seed, heads that do not move along."""


@pytest.mark.usefixtures("shapes_unchecked")
def test_no_part_is_built_of_numbers_that_nothing_can_be_computed_with():
    torch.manual_seed(0)
    problems = [refused(case, wrong) for case in CASES for wrong in WRONG]
    print(f"{len(problems)} malformed numbers for {len({case.part for case in CASES})} parts")
    found = [problem for problem in problems if problem]
    assert not found, "\n".join(found)
