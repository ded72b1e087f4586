"""Faults that a tired programmer makes, one at a time."""

import ast
import random
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

LEAST_LINES = 5
"""Shorter functions have hardly anything that can be wrong."""
UNCHANGED = {"__repr__", "example"}
"""Functions without faults of their own: a description, and sizes for the conformance tests."""
COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
COMPUTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}
PAIRS = (
    *(("sum", "mean"), ("min", "max"), ("amin", "amax"), ("argmin", "argmax"), ("any", "all")),
    *(("zeros", "ones"), ("new_zeros", "new_ones"), ("cumsum", "cumprod"), ("floor", "ceil")),
    *(("exp", "log"), ("sigmoid", "tanh"), ("softmax", "sigmoid"), ("add", "discard")),
    *(("removeprefix", "removesuffix"), ("startswith", "endswith"), ("keys", "values")),
)
OTHERS = {name: other for one, two in PAIRS for name, other in ((one, two), (two, one))}
DROPPED = {"detach", "clone", "sorted", "abs", "reversed", "lower", "casefold", "strip", "clamp"}
"""Calls that are forgotten: what they are called of stays."""
CHECKS = {"strict", "device"}
"""Arguments that change nothing one processor can see: a check, and where a tensor is made."""


class Fault(NamedTuple):
    """A change of the text of one function."""

    path: Path
    function: str
    line: int
    old: str
    new: str
    text: str
    """The whole file with the fault."""

    def __str__(self) -> str:
        return f"{self.path}:{self.line} {self.function}: {self.old!r} -> {self.new!r}"


def draw(files: Iterable[Path], number: int, seed: int) -> list[Fault]:
    """Draw faults: a function at random, then one of its faults.

    Args:
        files: modules.
        number: how many, each in a function of its own.
        seed: of the draws.
    """
    functions = [(path, one) for path in sorted(files) for one in functions_of(path)]
    dice, drawn = random.Random(seed), list[Fault]()
    for path, function in dice.sample(functions, len(functions)):
        drawn += islice(faults(path, function, dice), 1)
        if len(drawn) == number:
            break
    return drawn


def functions_of(path: Path) -> Iterator[ast.FunctionDef]:
    """Yield the functions of a module that are long enough."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef) and node.name not in UNCHANGED:
            last = node.body[-1].end_lineno or node.lineno
            if last - node.lineno + 1 >= LEAST_LINES:
                yield node


def faults(path: Path, function: ast.FunctionDef, dice: random.Random) -> Iterator[Fault]:
    """Yield the faults of a function in any order; messages and annotations are left alone."""
    text = path.read_text("utf-8")
    same = ast.dump(ast.parse(text))
    changes = [(node, new) for node in _code(function) for new in _changes(node)]
    for node, new in dice.sample(changes, len(changes)):
        old, whole = ast.get_source_segment(text, node) or "", _replaced(text, node, new)
        if whole is not None and ast.dump(ast.parse(whole)) != same:
            yield Fault(path, function.name, getattr(node, "lineno", 0), old, new, whole)


def _code(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """Yield the nodes of a body; those of a message, an annotation or an inner function are not."""
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Raise | ast.FunctionDef | ast.JoinedStr | ast.Assert):
            continue
        yield node
        annotation = getattr(node, "annotation", None)
        waiting += [one for one in ast.iter_child_nodes(node) if one is not annotation]


def _changes(node: ast.AST) -> Iterator[str]:
    """Yield what may stand in the place of a node."""
    match node:
        case ast.Compare(ops=[operator], left=left, comparators=comparators):
            yield _text(ast.Compare(left, [COMPARED[type(operator)]()], comparators))
        case ast.BinOp(op=operator, left=left, right=right) if type(operator) in COMPUTED:
            yield f"({_text(ast.BinOp(left, COMPUTED[type(operator)](), right))})"
        case ast.BoolOp(op=operator, values=values):
            other: ast.boolop = ast.Or() if isinstance(operator, ast.And) else ast.And()
            yield f"({_text(ast.BoolOp(other, values))})"
            for place in range(len(values)):
                rest = values[:place] + values[place + 1 :]
                yield f"({_text(rest[0] if len(rest) == 1 else ast.BoolOp(operator, rest))})"
        case ast.UnaryOp(operand=operand):
            yield _text(operand)
        case ast.Constant(value=bool() as value):
            yield str(not value)
        case ast.Constant(value=int() as value):
            yield from (str(value + 1), f"({value - 1})")
        case ast.Constant(value=float() as value):
            yield repr(value * 2 + (value == 0))
        case ast.IfExp(body=body, orelse=otherwise):
            yield from (f"({_text(body)})", f"({_text(otherwise)})")
        case ast.Call():
            yield from _calls(node)
        case ast.Expr(value=ast.Call()) | ast.AugAssign() | ast.Continue() | ast.Break():
            yield "pass"


def _calls(node: ast.Call) -> Iterator[str]:
    """Yield other calls: of another name, of swapped arguments, without one, or none."""
    called = node.func
    name = getattr(called, "attr", getattr(called, "id", ""))
    if name in OTHERS and isinstance(called, ast.Attribute):
        yield _text(
            ast.Call(
                ast.Attribute(called.value, OTHERS[name], ast.Load()), node.args, node.keywords
            )
        )
    elif name in OTHERS:
        yield _text(ast.Call(ast.Name(OTHERS[name], ast.Load()), node.args, node.keywords))
    if name in DROPPED and isinstance(called, ast.Attribute):
        yield _text(called.value)
    elif name in DROPPED and node.args:
        yield _text(node.args[0])
    if len(node.args) == 2 and not any(isinstance(one, ast.Starred) for one in node.args):
        yield _text(ast.Call(called, node.args[::-1], node.keywords))
    for place, keyword in enumerate(node.keywords):
        if keyword.arg and keyword.arg not in CHECKS:
            rest = node.keywords[:place] + node.keywords[place + 1 :]
            yield _text(ast.Call(called, node.args, rest))


def _text(node: ast.AST) -> str:
    return ast.unparse(ast.fix_missing_locations(node))


def _replaced(text: str, node: ast.AST, new: str) -> str | None:
    """Return a text with a node replaced; None where it has no place of its own."""
    if not isinstance(node, ast.expr | ast.stmt):
        return None
    lines = text.encode().splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    assert node.end_lineno is not None
    assert node.end_col_offset is not None
    begin = starts[node.lineno - 1] + node.col_offset
    end = starts[node.end_lineno - 1] + node.end_col_offset
    data = text.encode()
    changed = (data[:begin] + new.encode() + data[end:]).decode()
    try:
        ast.parse(changed)
    except SyntaxError:
        return None
    return changed
