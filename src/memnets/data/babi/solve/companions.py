"""Tasks 11 to 13: where someone is who went alone or with another, and then they went on."""

import re
from collections.abc import Sequence

from memnets.data.babi.solve.places import WHERE_IS_ACTOR
from memnets.data.babi.solve.solved import Solved, matched
from memnets.data.babi.stories import Statement

GO = re.compile(r"(\w+)(?: and (\w+))? (?:went|journeyed|travelled|went back|moved) to the (\w+)\.")
GO_ON = re.compile(
    r"(?:Then|After that|Following that|Afterwards) (she|he|they) "
    r"(?:went|journeyed|travelled|went back|moved) to the (\w+)\."
)


def where_is_one(told: Sequence[Statement], question: str) -> Solved:
    """Where is P? Proof: the last trip of P, and the one before if only that says who it was."""
    actor = matched(WHERE_IS_ACTOR, question)[1]
    for index in range(len(told) - 1, -1, -1):
        go = GO.fullmatch(told[index].text)
        if go and actor in go.groups()[:2]:
            # He, she or they are always those of the line before.
            next_text = told[index + 1].text if index + 1 < len(told) else ""
            on = GO_ON.fullmatch(next_text)
            if on:
                return Solved(on[2], (told[index].line, told[index + 1].line))
            return Solved(go[3], (told[index].line,))
    raise ValueError(f"nobody said where {actor} went. Expected a trip of {actor} before.")
