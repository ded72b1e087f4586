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
    """How many people there are; by default as officially, 4 in most tasks. Up to 44."""
    places: int | None = None
    """How many places there are; by default as officially, 6. Up to 30."""
    objects: int | None = None
    """How many objects there are; by default as officially, 3. Up to 20."""
    longer: int = 1
    """One of so many questions is asked, so about as many times as much is told before it."""
    held_out: bool = False
    """No person, place or object of the test files is in any training file. Halves what can be."""
    balanced: bool = False
    """Leave out questions whose answer is ahead, so that the answers are equally frequent."""
    language: str = "en"
    """In which the stories are told: en, or de for German. They are the same stories."""

    def __post_init__(self) -> None:
        if self.longer < 1:
            raise ValueError(
                f"longer={self.longer}: expected a whole number from 1. "
                f"Pass longer=3 for stories three times as long."
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
        return official._replace(longer=self.longer, **words)

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
