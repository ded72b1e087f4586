"""What docs/extending.md shows does what the page says.

Its study is written, filled in and learnt in tests/cli/test_new.py.
"""

import importlib
import re
import sys
from pathlib import Path

import jaxtyping
import pytest
import torch

from memnets.attention import Identity, Score, Softmax
from memnets.testing import check_model, check_pair, check_score, discover

TITLED = r'^```python title="{name}\.py"\n(.*?)^```'
PAGE = Path(__file__).resolve().parents[2] / "docs" / "extending.md"


@pytest.fixture
def example(tmp_path, monkeypatch):
    """Return a function that makes the page's class, changed or not, a package of its own."""
    text = re.search(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)[1]

    def make(old="", new=""):
        assert old in text
        (tmp_path / "theirs.py").write_text(text.replace(old, new, 1) if old else text)
        with jaxtyping.install_import_hook("theirs", "beartype.beartype"):
            (score,) = discover(Score, package="theirs")
        return score

    monkeypatch.syspath_prepend(tmp_path)
    yield make
    sys.modules.pop("theirs", None)


def test_the_score_is_short():
    text = re.search(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)[1]
    assert len(text.splitlines()) <= 30  # what the README promises


def test_the_score_conforms_as_written(example):
    score = example()
    assert score.__name__ == "Gaussian"
    check_score(score)
    for align in (Softmax, Identity):
        check_pair(score, align)


def test_the_planted_fault_is_named(example):
    score = example("return -apart", "apart = apart - apart.mean(0)\n        return -apart")
    with pytest.raises(AssertionError) as caught:
        check_score(score)
    rule, _, place = str(caught.value).partition(": at ")
    assert f"AssertionError: {rule}: at (" in PAGE.read_text(encoding="utf-8")
    assert "a difference of" in place


def test_the_exchanged_axes_are_stopped_by_the_annotation(example):
    score = example(
        "unsqueeze(-2) - remembered.unsqueeze(-3)", "unsqueeze(-3) - remembered.unsqueeze(-2)"
    )
    with pytest.raises(jaxtyping.TypeCheckError, match="query slot"):
        check_score(score)


@pytest.fixture
def module(tmp_path, monkeypatch):
    """Return a function that makes a titled piece of the page a module, its shapes checked."""
    made = []

    def make(name):
        text = PAGE.read_text(encoding="utf-8")
        found = re.search(TITLED.format(name=name), text, re.DOTALL | re.MULTILINE)
        (tmp_path / f"{name}.py").write_text(found[1])
        made.append(name)
        with jaxtyping.install_import_hook(name, "beartype.beartype"):
            return importlib.import_module(name)

    monkeypatch.syspath_prepend(tmp_path)
    yield make
    for name in made:
        sys.modules.pop(name, None)


def test_the_memory_keeps_a_mean_and_writes_nothing_in_place(module):
    memory = module("means").MeanMemory(dim=3)
    values = torch.randn(5, 2, 3, requires_grad=True)
    states = [memory.init_state(2)]
    for value in values:
        states.append(memory.step(states[-1], value))
    total, writes = states[-1]
    assert torch.equal(states[0].total, torch.zeros(2, 3))
    torch.testing.assert_close(total / writes[:, None], values.mean(0))
    assert not states[-1].detach().total.requires_grad
    emptied = states[-1].reset(torch.tensor([True, False]))
    assert emptied.writes.tolist() == [0, 5]
    torch.testing.assert_close(emptied.total[1], total[1])
    assert emptied.index_select(torch.tensor([1, 0, 1])).writes.tolist() == [5, 0, 5]


def test_the_model_conforms(module):
    check_model(module("lookup"))


def test_the_reader_names_the_row_as_the_page_says(module, tmp_path):
    (tmp_path / "capitals.tsv").write_text("Chad\tN'Djamena\nPeru\n")
    rows = module("capitals").read_capitals(tmp_path / "capitals.tsv")
    assert next(rows) == ("Chad", "N'Djamena")
    with pytest.raises(ValueError, match="came 'Peru'") as caught:
        next(rows)
    said = str(caught.value).replace(f"{tmp_path}/", "")
    assert f"ValueError: {said}" in PAGE.read_text(encoding="utf-8")
