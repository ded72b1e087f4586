"""An answer, and the evidence it rests on. A plain record that prints short and draws itself."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from memnets.evidence.heat import visible
from memnets.evidence.records import Alignment, Step

if TYPE_CHECKING:
    from memnets.evidence.regions import Regions


@dataclass(frozen=True)
class Answer:
    """An answer with its probability, its rivals and the evidence it rests on."""

    question: str
    text: str
    probability: float
    runners_up: tuple[tuple[str, float], ...]
    """Other answers and their probabilities, the likeliest first."""
    steps: tuple[Step, ...]
    unknown_words: tuple[str, ...] = ()
    """Words of the input that the model has never seen; they were read as nothing."""
    gold: str | None = None
    """The right answer where it is known."""
    unread: int = 0
    """How many sentences of the story were not read, the earliest: the memory holds the latest."""
    unit: str | None = None
    """What is said at a time, "word" or "character", where a text is gone on with."""
    caution: str = ""
    """What was taken for granted and is not certain, such as a name that was only similar; it is
    told before the answer."""
    regions: "Regions | None" = field(default=None, repr=False, compare=False)
    """Of a picture: where each word looked."""
    given: tuple[str, ...] = field(default=(), repr=False, compare=False)
    """Of an example: all that was told before the question, or the text that was asked about, as
    it can be asked again; no part of the record."""

    @property
    def correct(self) -> bool | None:
        return None if self.gold is None else self.text == self.gold

    @property
    def rests_on_gold(self) -> bool | None:
        """Whether the slot read most at some step is gold evidence; None where none is known."""
        read = [step.most_read for step in self.steps]
        known = [support.gold for support in read if support and support.gold is not None]
        return any(known) if known else None

    @property
    def alignment(self) -> Alignment | None:
        """What was read, as a table of words by words; None where steps had different slots."""
        slots = [[(support.slot, support.text) for support in step.supports] for step in self.steps]
        return Alignment.of(self.steps) if all(one == slots[0] for one in slots) else None

    @property
    def in_words(self) -> str:
        """What was answered, how surely, and whether it is right."""
        before = f"{visible(self.caution)}: " if self.caution else ""
        sure = "below 0.1%" if 0 < self.probability < 0.0005 else f"{self.probability:.1%}"
        words = f"{before}{visible(self.text)} ({sure})"
        if self.correct is None:
            return words
        if self.correct:
            return f"✓ right: {words}"
        return f"✗ wrong: {words}; right is {visible(self.gold or '')}"

    @property
    def remarks(self) -> tuple[str, ...]:
        """What was not read, or was read as nothing, and has to be known with the answer."""
        read = len(self.steps[0].supports) if self.steps else 0
        said = []
        if self.unread:
            said.append(
                f"only the last {read:,} of {self.unread + read:,} sentences were read: the memory "
                f"holds no more"
            )
        if self.unknown_words:
            unknown = f"unknown {self.unit}s" if self.unit else "unknown words, read as nothing"
            said.append(f"{unknown}: {', '.join(self.unknown_words)}")
        return tuple(said)

    def to_html(self) -> str:
        """Return the answer and the heat map of what was read, to stand in a page with `STYLE`.

        Everything is escaped.
        """
        rivals = ", ".join(f"{visible(text)} {share:.1%}" for text, share in self.runners_up)
        remarks = (f"then {rivals}" if rivals else "", *self.remarks)
        from memnets.evidence.html import article

        kind = {True: "good", False: "bad", None: ""}[self.correct]
        seen = "" if self.regions is None else self.regions.to_html()
        return article(self.question, self.in_words, kind, self.steps, remarks, seen=seen)

    def to_json(self) -> dict[str, Any]:
        # As dataclasses.asdict has it, which takes longer than many a model.
        record = {**vars(self), "steps": tuple(step.to_json() for step in self.steps)}
        del record["regions"], record["given"]
        return record if self.regions is None else record | {"regions": self.regions.to_json()}

    def __str__(self) -> str:
        return "; ".join([self.in_words, *self.remarks[: bool(self.unread)]])

    def __repr__(self) -> str:
        return f"Answer({self.in_words})"

    def _repr_html_(self) -> str:
        """Draw it in a notebook, without anything from outside."""
        from memnets.evidence.html import alone

        return alone(self.to_html())
