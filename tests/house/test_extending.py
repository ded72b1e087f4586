"""The worked example of docs/extending.md does what the page says."""

import re
import sys
from pathlib import Path

import jaxtyping
import pytest

from memnets.attention import Identity, Score, Softmax
from memnets.testing import check_pair, check_score, discover

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
