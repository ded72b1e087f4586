"""Shapes are annotations, and under pytest all of them are checked."""

import ast
from pathlib import Path

import jaxtyping
import pytest
import torch

from memnets.attention import Dot

PACKAGE = Path(__file__).resolve().parents[2] / "src" / "memnets"


def annotates(text):
    """Whether a text writes shapes, so that somebody must check them."""
    modules = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ImportFrom)]
    return any(node.module == "jaxtyping" for node in modules)


@pytest.fixture
def hooked(request):
    """The packages that the setting in pyproject.toml names."""
    *packages, checker = request.config.getoption("--jaxtyping-packages").split(",")
    assert checker.strip() == "beartype.beartype"
    return {name.strip() for name in packages}


def test_the_hook_is_on_where_shapes_are_written_and_nowhere_else(hooked):
    # What has no shapes is imported and run at its own speed.
    parts = {
        path.relative_to(PACKAGE).with_suffix("").parts[0]
        for path in PACKAGE.rglob("*.py")
        if annotates(path.read_text(encoding="utf-8"))
    }
    assert hooked == {f"memnets.{part}" for part in parts}


def test_an_annotation_is_found_in_the_text():
    assert annotates("def one():\n    from jaxtyping import Float")
    assert not annotates('"""Shapes are jaxtyping\'s."""')


def test_a_wrong_shape_is_stopped():
    with pytest.raises(jaxtyping.TypeCheckError, match="remembered"):
        Dot().match(torch.zeros(2, 3, 5), torch.zeros(3, 7, 5))
    with pytest.raises(jaxtyping.TypeCheckError, match="query"):
        Dot()(torch.zeros(3, 5, dtype=torch.long), torch.zeros(7, 5))
