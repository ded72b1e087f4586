"""Words that might say a relation, but hardly do beside others."""

from collections.abc import Iterator

from memnets.kb.programs.arguments import Argument
from memnets.kb.programs.asked import Asked
from memnets.kb.programs.lexicon import SAID, is_here

POSTURES = frozenset(
    {"stand", "stands", "standing", "sit", "sits", "sitting", "lie", "lies", "lying", "hang"}
    | {"hangs", "hanging", "live", "lives", "living", "kept", "stay", "stays"}
)
"""What things do that are somewhere; where that is, the words behind it say."""
SEEKING = frozenset({"find", "need", "want", "see", "get", "meet", "visit", "expect", "have"})
SEEKERS = (["i"], ["we"], ["you"], ["one"], ["to"])
"""Who seeks: what "do I find" asks for, other words say."""
_THE = (["the"], ["our"], ["your"], ["that"])


def idle_words(asked: list[Asked], words: list[str], linked: list[Argument]) -> Iterator[int]:
    """Yield where words stand that might say a relation, but hardly do beside others.

    Such are "find" of "which page do I find it on", "club" of "the nickname of the club Ostra", and
    whoever is the asker's: "my boss wants to know".

    Args:
        asked: where relations are said.
        words: of the question.
        linked: what is named.
    """
    named = {one.begin for one in linked if one.out_of}
    surely = any(one.options[0][1] == 1 for one in asked)
    for one in asked:
        weakly = one.options[0][1] < 1 and one.end == one.begin + 1
        before = words[one.begin - 1 : one.begin]
        seeks = words[one.begin] in SEEKING and (before in SEEKERS or "i" in words[: one.begin])
        apposed = one.end in named and before in _THE
        stands = words[one.begin] in POSTURES and any(
            a.begin == one.end and a.options[0][1] >= SAID for a in asked
        )
        others = any(a is not one and a.options[0][1] == 1 for a in asked)
        among = weakly and is_here(words, one.begin)
        summed = words[one.begin - 1 : one.end] in (["in", "total"], ["in", "all"])
        measured = words[one.begin - 1 : one.end + 1] == ["a", words[one.begin], "of"]
        measured = measured and weakly and len(asked) > 1 and one.end + 1 in named
        if (
            summed
            or among
            or measured  # "what does a bottle of Rust cost"
            or (surely and weakly and (seeks or apposed or stands))
            or (others and before == ["my"])
        ):
            yield one.begin
        told = {
            word
            for other in asked
            for word in words[other.begin : other.end]
            if other.end < one.begin
        }
        again = told.issuperset(words[one.begin : one.end])
        if again and before in (["that"], ["this"], ["those"]):
            yield one.begin  # "has a driver; who supervises that driver"
