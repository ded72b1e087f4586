"""Shapes are annotations, and under pytest all of them are checked."""

import ast
import dataclasses
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import jaxtyping
import pytest
import torch
from beartype import beartype
from jaxtyping import Float
from torch import Tensor

import lean_checks
from memnets.attention import Dot

PACKAGE = Path(__file__).resolve().parents[2] / "src" / "memnets"


def annotates(text):
    """Whether a text writes shapes, so that somebody must check them."""
    if "jaxtyping" not in text:
        return False
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


def scaled(rows: Float[Tensor, "row dim"], by: float = 1.0) -> Float[Tensor, "row dim"]:
    return rows * by


def shortened(rows: Float[Tensor, "row dim"]) -> Float[Tensor, "row dim"]:
    return rows[1:]


def twice(wide: Float[Tensor, "row dim"]) -> Float[Tensor, "row dim"]:
    scaled(wide[:1])  # sizes of its own
    return scaled(wide)


def first(rows: list[Float[Tensor, " dim"]] | None, how: Literal["sum"] = "sum") -> int:
    return len(rows or how)


def filled(size: int, given: int) -> Float[Tensor, "{size}"]:  # noqa: F821
    return torch.zeros(given)


def each(rows: Float[Tensor, "row dim"]) -> Iterator[Float[Tensor, " dim"]]:
    yield from rows


def named(by: "Pair", *more: int) -> str:
    return more[0] if more else by.name


@dataclasses.dataclass
class Pair:
    left: Float[Tensor, " dim"]
    right: Float[Tensor, " dim"]
    name: str = ""


@pytest.mark.parametrize("lean", [True, False], ids=["lean", "jaxtyping"])
@pytest.mark.parametrize(
    ("call", "right", "wrong"),
    [
        (scaled, [(torch.zeros(2, 3),), (torch.zeros(2, 3), 2.0)], (torch.zeros(3),)),
        (scaled, [(torch.zeros(0, 3),)], (torch.zeros(2, 3, dtype=torch.long),)),
        (scaled, [], (torch.zeros(2, 3), "2")),
        (scaled, [], ([[0.0]],)),
        (shortened, [], (torch.zeros(2, 3),)),
        (twice, [(torch.zeros(2, 3),)], (torch.zeros(2),)),
        (first, [(None,), ([torch.zeros(2)],)], ([torch.zeros(2, 2)],)),
        (first, [(None, "sum")], (None, "mean")),
        (filled, [(2, 2)], (2, 3)),
        (each, [(torch.zeros(2, 3),)], (torch.zeros(2),)),
        (named, [(Pair(torch.zeros(2), torch.zeros(2)),)], ("pair",)),
        (named, [], (Pair(torch.zeros(2), torch.zeros(2)), 1)),
        (Pair, [(torch.zeros(2), torch.zeros(2), "a")], (torch.zeros(2), torch.zeros(3))),
        (Pair, [], (torch.zeros(2), torch.zeros(2), 1)),
    ],
)
def test_the_lean_checks_stop_what_jaxtyping_stops(call, right, wrong, lean):
    if isinstance(call, type):
        call = dataclasses.dataclass(type("Another", (call,), {}))  # as it was before any check
    check = jaxtyping.jaxtyped if lean else lean_checks.thorough
    checked = check(typechecker=beartype)(call)
    for arguments in right:
        checked(*arguments)
    for _ in range(2):  # at the first call and after it
        with pytest.raises(jaxtyping.TypeCheckError):
            checked(*wrong)
        with pytest.raises(TypeError):
            checked(*wrong, no_such=1)


def test_a_method_is_checked_as_a_function_is():
    class Rows:
        @lean_checks.jaxtyped(typechecker=beartype)
        def sum(self, rows: Float[Tensor, "row dim"]) -> Float[Tensor, " dim"]:
            return rows.sum(0)

    assert Rows().sum(torch.zeros(2, 3)).shape == (3,)
    with pytest.raises(jaxtyping.TypeCheckError, match="row"):
        Rows().sum(torch.zeros(3))
