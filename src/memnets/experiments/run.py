"""What every recipe returns: a frozen tree of dataclasses, complete and written beside the weights.

The tree imports no torch; `prepare` and `restore` import their model inside.
"""

import dataclasses
import difflib
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import cattrs

from memnets.evidence import Answer, ReadText
from memnets.training.config import Loop

if TYPE_CHECKING:
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
    told: tuple[str, ...] = ()
    """What is said before anything is learnt, such as how many questions can be answered at all."""


class Answerer(ABC):
    """A trained model that answers questions about stories, with evidence."""

    @abstractmethod
    def ask(self, told: Sequence[str], question: str) -> Answer:
        """Answer a question about a story."""

    @abstractmethod
    def examples(self, split: str, task: int) -> Iterator[Answer]:
        """Answer the questions of a task of the run's own data."""

    def read_texts(self) -> Iterator[ReadText]:
        """Read pieces of the run's own data, and tell what was read at every word of them.

        None by default: it takes a memory that every word reads.
        """
        return iter(())


@dataclass(frozen=True, kw_only=True)
class Run(ABC):
    """A complete run: everything that decides what is learnt, with the paper's values."""

    kind: ClassVar[str]
    """The name by which a run folder is opened again; it stays when a class is renamed."""

    loop: Loop = Loop()

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


R = TypeVar("R")


def to_json(run: Any) -> dict[str, Any]:
    """Return a configuration as plain JSON."""
    return _CONVERTER.unstructure(run)


def from_json(kind: type[R], record: dict[str, Any], source: str) -> R:
    """Return a configuration that was written by `to_json`.

    Raises:
        ValueError: a field is unknown, missing or of the wrong type; `source` names the file.
    """
    try:
        return _CONVERTER.structure(record, kind)
    except cattrs.BaseValidationError as error:
        problems = "; ".join(cattrs.transform_error(error, path="config"))
        raise ValueError(
            f"{source}: the configuration does not fit this version of memnets: {problems}. "
            f"Correct the file, or train anew."
        ) from None


def fields(config: Any, prefix: str = "") -> dict[str, Any]:
    """Return every field of a configuration by its dotted name."""
    found: dict[str, Any] = {}
    for field in dataclasses.fields(config):
        value, name = getattr(config, field.name), prefix + field.name
        found |= fields(value, name + ".") if dataclasses.is_dataclass(value) else {name: value}
    return found


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
        close = difflib.get_close_matches(name, known, n=1, cutoff=0.0)
        raise ValueError(
            f"the recipe {recipe} has no field {name}. "
            f"Did you mean {close[0]} (now {known[close[0]]})?"
        )


def _strict(kind: type[Any]) -> Any:
    def structure(value: Any, _: Any) -> Any:
        if kind is float and type(value) is int:
            return float(value)
        if type(value) is not kind:
            raise TypeError(f"expected {kind.__name__}, found {value!r}")
        return value

    return structure


def _converter() -> cattrs.Converter:
    converter = cattrs.Converter(forbid_extra_keys=True)
    for kind in (bool, int, float, str):
        converter.register_structure_hook(kind, _strict(kind))
    converter.register_unstructure_hook(Path, str)
    return converter


_CONVERTER = _converter()
