"""How well the answers of a program fit the words that ask: "when" a date, "who" a name."""

from memnets.kb.programs.arguments import Argument
from memnets.kb.programs.cues import Cues
from memnets.kb.programs.nouns import Nouns
from memnets.kb.programs.operators import And, Having, Named, Path, Program, relations_of
from memnets.kb.programs.reading import Reader, Reading
from memnets.kb.programs.shapes import Shapes
from memnets.kb.store.layouts import REVERSED

HEADS = 1.5
"""What a path counts that leads to what "which" asks for."""
SAME = 0.75
"""What it counts where another word for it is asked for, or those of a link are."""
UNLIKE = 1.2
"""What a path loses whose answers are of another kind than is asked for."""
OTHERS = 0.6
"""What a path loses to what no noun says, where "which films" asks for others."""
ASIDE = 0.3
"""What it costs to leave "first", or what is asked for, unread."""
HINTED = 0.4
"""What it counts that "where" or "when" may say the last relation of a path."""


class Fitness:
    """Compares programs with the words that ask.

    Args:
        reader: of the question.
        shapes: of the relations.
        reading: what was recognised.
        cues: what is to be done.
        nouns: of the question.
        starts: the names where paths start.
    """

    def __init__(
        self,
        reader: Reader,
        shapes: Shapes,
        reading: Reading,
        cues: Cues,
        nouns: Nouns,
        starts: list[Argument],
    ) -> None:
        self._kind, self._shapes, self._cues = reader.kind, shapes, cues
        self._words, self._asked = reading.words, reading.asked
        self._nouns, self._starts = nouns, starts
        self._asked_for = nouns.asked_for(reading.asked)

    def of(self, program: Program) -> float:
        """Return how well the answers fit the word that asks: "when" a date, "who" a name."""
        last = program.relations[-1] if isinstance(program, Path) else ""
        read = {*relations_of(program)}
        many = ["how", "many"]
        numbers = (a for a in self._asked if self._words[a.begin : a.begin + 2] == many)
        if any(read.isdisjoint(asked.options.weights) for asked in numbers):
            return -UNLIKE  # "how many seats" asks for these
        if self._cues.counts and self._is_of_one(program):
            return -2 * UNLIKE  # nothing is counted of which there is one
        heads = self._asked_for
        of_set = isinstance(program, Path) and not isinstance(program.start, Named)
        if of_set and self._nouns.name_others(self._asked, last):
            return -OTHERS
        if heads.get(last):
            far = not self._starts and self._kind(last) in ("link", "yes or no")
            return HEADS * (heads[last] == 1 and not far) or SAME
        if last.startswith(REVERSED) and last.removeprefix(REVERSED) in heads:
            return -UNLIKE
        if not last:
            hints = [self._words[one.begin : one.end] for one in self._asked if one.hints]
            if not isinstance(program, Having | And):
                return -ASIDE * bool(hints)
            if any(self._words[a.begin] == "how" for a in self._asked) and not self._cues.counts:
                return -UNLIKE  # "how large is Ada's flat" asks for no flat
            # What has something may be a place: "where can you get pretzels".
            return -UNLIKE * bool(hints) / (3 if hints == [["where"]] else 1)
        kind = "link" if last.startswith(REVERSED) else self._kind(last)
        liked = 0.0
        for asked in self._asked:
            if asked.hints:
                when = {"where", "place"}.isdisjoint(self._words[asked.begin : asked.end])
                fits = kind == "date" if when else kind in ("link", "text")
                fits = fits or last in asked.options.weights  # "on which days" of `runs_on`
                liked += HINTED * (last in asked.options.weights) if fits else -UNLIKE
        whose = any(self._words[one.begin] == "whose" for one in self._asked)  # "whose idea"
        if (whose or {"who", "whom"} & {*self._words}) and kind not in ("link", "text"):
            liked -= UNLIKE
        if self._words[:2] == ["how", "much"] and kind != "number":
            liked -= UNLIKE
        return liked

    def _is_of_one(self, program: Program) -> bool:
        """Whether a program gives what a thing has one of: whom it belongs to, say."""
        if not isinstance(program, Path) or not isinstance(program.start, Named):
            return False
        last = program.relations[-1]
        things = not last.startswith(REVERSED) and self._kind(last) in ("link", "text")
        return things and len(program.start.names) == 1 and self._shapes.is_single(last)
