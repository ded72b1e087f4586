"""How stories can differ from the official ones: what a `Variant` says, and the words it gives."""

from collections.abc import Sequence
from dataclasses import dataclass, fields

from memnets.data.babi.generate.language import LANGUAGES
from memnets.data.babi.generate.words import OBJECTS, PEOPLE, PLACES
from memnets.data.babi.generate.world import Setting

POOLS = {"actors": PEOPLE, "places": PLACES, "objects": OBJECTS}


@dataclass(frozen=True)
class Variant:
    """How stories differ from the official ones; by default in nothing."""

    actors: int | None = None
    """Number of people, up to 44; by default as in the official stories, 4 in most tasks."""
    places: int | None = None
    """Number of places, up to 30; by default as in the official stories, 6."""
    objects: int | None = None
    """Number of objects, up to 20; by default as in the official stories, 3."""
    length: int = 1
    """Story length, as a multiple of the official one: one of this many questions is kept."""
    held_out: bool = False
    """Whether test files have people, places and objects of their own; halves the largest world."""
    balanced: bool = False
    """Whether all answers are equally frequent: questions of too frequent answers are left out."""
    language: str = "en"
    """Language of the same stories: en, or de for German."""

    def __post_init__(self) -> None:
        if self.length < 1:
            raise ValueError(
                f"length={self.length}: expected a whole number from 1. "
                f"Pass length=3 for stories three times as long."
            )
        if self.language not in LANGUAGES:
            raise ValueError(
                f"language={self.language!r}: there is no table of this language. "
                f"Choose one of {', '.join(LANGUAGES)}."
            )

    def __str__(self) -> str:
        """What differs, e.g. "actors=8:balanced=True"; nothing for official stories."""
        return ":".join(f"{name}={getattr(self, name)}" for name in self.asked())

    def asked(self) -> list[str]:
        """The names of the fields that differ from the official stories."""
        return [field.name for field in fields(self) if getattr(self, field.name) != field.default]

    def setting(self, official: Setting, kinds: Sequence[str], split: str) -> Setting:
        """The setting of a split, larger or of other words than the official one.

        Args:
            official: setting of the task.
            kinds: those of actors, places and objects that the task tells of.
            split: the words are held out for "test".

        Raises:
            ValueError: there are not so many words, or fewer are asked for than officially.
        """
        words = {kind: self._words(kind, getattr(official, kind), split) for kind in kinds}
        return official._replace(length=self.length, **words)

    def _words(self, kind: str, official: tuple[str, ...], split: str) -> tuple[str, ...]:
        pool, least = POOLS[kind], len(official)
        asked = getattr(self, kind)
        count = least if asked is None else asked
        most = (least + len(pool)) // 2 if self.held_out else least + len(pool)
        if not least <= count <= most:
            raise ValueError(
                f"{kind}={count}: expected {least} to {most}"
                f"{', half of all, as others are held out' if self.held_out else ''}. "
                f"Pass a number in between."
            )
        if self.held_out and split == "test":
            return pool[-count:]
        return official + pool[: count - least]


OFFICIAL = Variant()
