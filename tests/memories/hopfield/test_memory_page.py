"""The pages on memory: their code runs, what they name is there, what they claim holds."""

import importlib
import re
from pathlib import Path

import pytest
import torch

from memnets.memories import SlotMemory
from memnets.memories.hopfield import (
    Asynchronous,
    Hebb,
    HopfieldNetwork,
    flipped,
    random_patterns,
)

ROOT = Path(__file__).resolve().parents[3]
PAGES = {name: (ROOT / "docs" / name).read_text("utf-8") for name in ("hopfield.md", "memory.md")}


def test_the_code_of_the_page_runs():
    space: dict[str, object] = {}
    for text in re.findall(r"```python\n(.*?)```", PAGES["hopfield.md"], re.DOTALL):
        if "estimators" in text:
            pytest.importorskip("sklearn")
        exec(compile(text, "docs/hopfield.md", "exec"), space)
    assert "features" in space


def test_everything_that_the_pages_name_is_there():
    both = "\n".join(PAGES.values())
    for name in set(re.findall(r"`(memnets(?:\.\w+)+)`", both)):
        module, _, last = name.rpartition(".")
        try:
            importlib.import_module(name)
        except ModuleNotFoundError:
            assert hasattr(importlib.import_module(module), last), name
    for path in set(re.findall(r"`((?:tests|benchmarks)/[\w/]+\.py)`", both)):
        assert (ROOT / path).is_file(), path
    tests = "".join(path.read_text("utf-8") for path in Path(__file__).parent.glob("test_*.py"))
    for test in set(re.findall(r"`(test_\w+)`", both)):
        assert f"\ndef {test}(" in tests, test
    for path in re.findall(r"\]\(([\w-]+\.md)", both):
        assert (ROOT / "docs" / path).is_file(), path


@pytest.mark.parametrize("share", [0.3, 0.6])
def test_cut_couplings_cost_every_pattern_a_little_and_lost_slots_some_all(share):
    generator = torch.Generator().manual_seed(0)
    patterns = random_patterns(10, 200, generator)
    weights = Hebb().learn(patterns).weights
    kept = (torch.rand(weights.shape, generator=generator) >= share).triu(1)
    network = HopfieldNetwork(weights * (kept | kept.mT))
    found = Asynchronous().recall(network, flipped(patterns, 0.1, generator)).states
    overlaps = (found * patterns).double().mean(1)
    assert overlaps.min() > 0.9

    memory = SlotMemory(10, 200, 200)
    state = memory.init_state(1)
    for pattern in patterns.float():
        state = memory.step(state, pattern.unsqueeze(0), pattern.unsqueeze(0))
    lost = torch.arange(10) < 10 * share
    values = state.values[0] * ~lost.unsqueeze(1)
    nearest = values[(patterns.float() @ state.keys[0].mT).argmax(1)]
    right = (nearest * patterns).mean(1)
    assert torch.equal(right == 0, lost)
    assert (right[~lost] == 1).all()
