"""Fields of a run that a user sets, by their dotted names: on the command line or in Python."""

import dataclasses
import inspect
import re
from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any, TypeVar, get_type_hints

from memnets.experiments.run import RENAMED, fields, structured

C = TypeVar("C")


def override(recipe: str, config: C, values: Mapping[str, Any]) -> C:
    """Return a configuration with other values: `{"training.epochs": 3}`.

    Args:
        recipe: its name, for complaints.
        config: of a run.
        values: by dotted name; what JSON can hold, or a path.

    Raises:
        ValueError: a field is unknown, a value is of another type, or the run refuses it.
    """
    known = fields(config)
    for name in values:
        if name not in known:
            raise _unknown(recipe, name, known)
    return _replaced(config, values, "")


def check_overrides(recipe: str, run: Any, arguments: Sequence[str]) -> None:
    """Refuse `--field` arguments that the run does not have.

    Raises:
        ValueError: a field is unknown; the text names the nearest one and its value.
    """
    known = fields(run)
    for argument in arguments:
        name = argument.removeprefix("--").partition("=")[0].replace("-", "_")
        section = name.partition(".")[0]
        if not argument.startswith("--") or "." not in name or name in known:
            continue
        negated = f"{section}.{name.partition('.')[2].removeprefix('no_')}"
        if known.get(negated) in (True, False):
            continue
        raise _unknown(recipe, name, known)


def _unknown(recipe: str, name: str, known: Mapping[str, Any]) -> ValueError:
    for old, new in RENAMED.items():
        if name.endswith(old):
            return ValueError(f"the field {name} is called {name.removesuffix(old)}{new} now.")
    import difflib

    close = difflib.get_close_matches(name, known, n=1, cutoff=0.0)
    return ValueError(
        f"the recipe {recipe} has no field {name}. Did you mean {close[0]} (now {known[close[0]]})?"
    )


def _replaced(config: Any, values: Mapping[str, Any], prefix: str) -> Any:
    """Replace the fields of a section all at once: some are refused without the others."""
    hints = get_type_hints(type(config))
    changed: dict[str, Any] = {}
    for section in dict.fromkeys(name.partition(".")[0] for name in values):
        now = getattr(config, section)
        if section in values:
            changed[section] = _typed(prefix + section, values[section], hints[section], now)
        else:
            of = {n.partition(".")[2]: v for n, v in values.items() if n.startswith(f"{section}.")}
            changed[section] = _replaced(now, of, f"{prefix}{section}.")
    return dataclasses.replace(config, **changed)


def _typed(name: str, value: Any, kind: Any, now: Any) -> Any:
    plain = str(value) if isinstance(value, PathLike) else value
    try:
        if isinstance(plain, str) and isinstance(now, tuple):
            raise TypeError  # a text is a sequence, too
        return structured(plain, kind)
    except Exception:  # a converter raises what it likes
        expected = inspect.formatannotation(kind).replace("pathlib.", "")
        expected = re.sub(r"Literal\[(.*)\]", r"one of \1", expected)
        raise ValueError(
            f"{name} came as {value!r}; expected {expected}, such as {now!r} (its value now)."
        ) from None
