"""What every recipe returns: a frozen tree of dataclasses, complete and written beside the weights.

The tree imports no torch; `prepare` and `restore` import their model inside.
"""

import dataclasses
import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import NoneType
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Literal,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
)

from memnets.experiments.answerer import Answerer
from memnets.training.config import Loop, expect_numbers

if TYPE_CHECKING:
    import cattrs

    from memnets.training.experiment import Experiment


@dataclass(frozen=True)
class DataRecord:
    """Which data a run was trained on."""

    name: str
    sha256: str


@dataclass(frozen=True)
class Prepared:
    """All that the loop needs, and what belongs into the run folder beside the weights."""

    experiment: "Experiment"
    files: dict[str, Any]
    """JSON by file name, such as the vocabulary: what `restore` needs besides the weights."""
    data: DataRecord
    notes: tuple[str, ...] = ()
    """What is said before anything is learnt, such as how many questions can be answered at all."""


@dataclass(frozen=True, kw_only=True)
class Run(ABC):
    """A complete run: everything that decides what is learnt, with the paper's values."""

    kind: ClassVar[str]
    """The name by which a run folder is opened again; it stays when a class is renamed."""

    loop: Loop = Loop()

    def __post_init__(self) -> None:
        for name, value in fields(self).items():
            expect_numbers(name, value)

    @property
    @abstractmethod
    def cite(self) -> tuple[str, ...]:
        """Keys of the papers to cite."""

    @abstractmethod
    def prepare(self) -> Prepared:
        """Load the data and build model, task, optimiser and phases."""

    @abstractmethod
    def restore(self, folder: Path) -> Answerer:
        """Load the trained model of a run folder."""


RENAMED = {"core.kept": "core.k", "variant.longer": "variant.length"}
"""Fields that had another name, by section: configurations that were written with it still open."""

R = TypeVar("R")


def to_json(run: Any) -> dict[str, Any]:
    """Return a configuration as plain JSON; every path of it is absolute."""
    return _converter().unstructure(run)


def from_json(kind: type[R], record: dict[str, Any], source: str) -> R:
    """Return a configuration that was written by `to_json`.

    Raises:
        ValueError: a field is unknown, missing or of the wrong type; `source` names the file.
    """
    record = _renamed(record)
    with suppress(ValueError, TypeError, NameError, AttributeError):
        whole: R = _plainly(kind, record)
        return whole
    import cattrs

    try:
        return _converter().structure(record, kind)
    except cattrs.BaseValidationError as error:
        problems = "; ".join(cattrs.transform_error(error, path="config"))
        raise ValueError(
            f"{source}: the configuration does not fit this version of memnets: {problems}. "
            f"Correct the file, or train anew."
        ) from None


def _plainly(kind: Any, value: Any) -> Any:
    """Return plain JSON as a value of one of the types that most fields have.

    It is what cattrs makes of it, which takes longer to import than a question to be answered.

    Raises:
        ValueError, TypeError, NameError, AttributeError: another type, or what does not fit.
    """
    if dataclasses.is_dataclass(kind):
        hints = get_type_hints(kind)
        names = {field.name for field in dataclasses.fields(kind) if field.init}
        if names.issuperset(value):
            return kind(**{name: _plainly(hints[name], one) for name, one in value.items()})  # type: ignore[operator]
    if kind in (bool, int, float, str):
        return _strict(kind)(value, kind)
    if kind is Path and type(value) is str:
        return Path(value)
    if get_origin(kind) is Literal and value in get_args(kind):
        return value
    kinds = [one for one in get_args(kind) if one is not NoneType]
    if len(kinds) == 1 < len(get_args(kind)) and get_origin(kind) is not Literal:
        return None if value is None else _plainly(kinds[0], value)
    raise TypeError(f"expected {kind}, found {value!r}")


def plain(config: Mapping[str, Any]) -> Any:
    """Return a configuration as it is read back from a file."""
    return json.loads(json.dumps(config))


def up_to_date(kind: type[Any], record: Mapping[str, Any]) -> Any:
    """Return a stored configuration as it would be written today; as it is where it cannot be."""
    try:
        return plain(to_json(from_json(kind, dict(record), "a stored configuration")))
    except ValueError:
        return record


def _renamed(record: Mapping[str, Any], section: str = "") -> dict[str, Any]:
    now = {old: new.rpartition(".")[2] for old, new in RENAMED.items()}
    return {
        now.get(f"{section}.{name}", name): (
            _renamed(value, name) if isinstance(value, Mapping) else value
        )
        for name, value in record.items()
    }


def structured(value: Any, kind: Any) -> Any:
    """Return plain JSON as a value of a type.

    Raises:
        TypeError, ValueError: it is none; no text is meant for a user.
    """
    return _converter().structure(value, kind)


def fields(config: Any, prefix: str = "") -> dict[str, Any]:
    """Return every field of a configuration by its dotted name."""
    found: dict[str, Any] = {}
    for field in dataclasses.fields(config):
        value, name = getattr(config, field.name), prefix + field.name
        found |= fields(value, name + ".") if dataclasses.is_dataclass(value) else {name: value}
    return found


def _strict(kind: type[Any]) -> Any:
    def structure(value: Any, _: Any) -> Any:
        if kind is float and type(value) is int:
            return float(value)
        if type(value) is not kind:
            raise TypeError(f"expected {kind.__name__}, found {value!r}")
        return value

    return structure


@cache
def _converter() -> "cattrs.Converter":
    import cattrs

    converter = cattrs.Converter(forbid_extra_keys=True)
    for kind in (bool, int, float, str):
        converter.register_structure_hook(kind, _strict(kind))
    # A run is opened from anywhere, so that what it names is to be found from anywhere.
    converter.register_unstructure_hook(Path, lambda path: str(path.absolute()))
    return converter
