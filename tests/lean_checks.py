"""The checks of shapes, made cheaply: what jaxtyping's hook calls for every function and class.

`jaxtyping.jaxtyped` writes two functions beside every one that it checks, as soon as that is
defined, and at every call binds the arguments and checks them twice. Here a function is looked at
when it is first called, and beartype alone checks what goes in and what comes out, once, with
jaxtyping's memory of sizes around it where there are shapes. What needs more is left to jaxtyping.
"""

import dataclasses
import functools
import inspect
import typing

import jaxtyping
from beartype.roar import BeartypeCallHintViolation
from jaxtyping._storage import pop_shape_memo, push_shape_memo, shape_str

thorough = jaxtyping.jaxtyped


def install() -> None:
    """Let the hook call what is here; before anything of memnets is imported."""
    jaxtyping.jaxtyped = jaxtyped


def jaxtyped(checked=None, *, typechecker=None):
    """Check a function's calls, or a dataclass's making, as `jaxtyping.jaxtyped` does."""
    if checked is None:
        return functools.partial(jaxtyped, typechecker=typechecker)
    if typechecker is None:
        return thorough(checked, typechecker=None)
    if inspect.isfunction(checked):
        return _function(checked, typechecker)
    if inspect.isclass(checked) and dataclasses.is_dataclass(checked):
        made = checked.__init__
        if not hasattr(made, "checks_shapes"):  # an inherited one does already
            checked.__init__ = _function(made, typechecker)
        return checked
    return thorough(checked, typechecker=typechecker)


def _function(function, typechecker):
    checking = None

    @functools.wraps(function)
    def wrapped(*args, **kwargs):
        nonlocal checking
        __tracebackhide__ = True
        if jaxtyping.config.jaxtyping_disable:
            return function(*args, **kwargs)
        if checking is None:
            checking = _checking(function, typechecker)
        return checking(*args, **kwargs)

    wrapped.checks_shapes = True
    return wrapped


def _checking(function, typechecker):
    hints = [part for hint in function.__annotations__.values() for part in _parts(hint)]
    shapes = [hint for hint in hints if hasattr(hint, "dim_str")]
    if (
        any(isinstance(hint, str | typing.ForwardRef) for hint in hints)  # to be looked up
        or any("{" in shape.dim_str for shape in shapes)  # a size that an argument says
        or inspect.isgeneratorfunction(function)
    ):
        return thorough(function, typechecker=typechecker)
    return _told(typechecker(function), shapes)


def _parts(hint):
    """Return a hint and all that stands within it."""
    if typing.get_origin(hint) is typing.Literal:
        return [hint]
    within = hint if isinstance(hint, list) else typing.get_args(hint)
    return [hint, *(inner for part in within for inner in _parts(part))]


def _told(function, shapes):
    """Give every call a memory of sizes of its own, where shapes are, and jaxtyping's complaint."""

    def plain(*args, **kwargs):
        __tracebackhide__ = True
        try:
            return function(*args, **kwargs)
        except BeartypeCallHintViolation as error:
            raise jaxtyping.TypeCheckError(str(error)) from error

    def remembering(*args, **kwargs):
        __tracebackhide__ = True
        sizes = push_shape_memo({})
        try:
            return function(*args, **kwargs)
        except BeartypeCallHintViolation as error:
            raise jaxtyping.TypeCheckError(f"{error}\n{shape_str(sizes)}") from error
        finally:
            pop_shape_memo()

    return remembering if shapes else plain
