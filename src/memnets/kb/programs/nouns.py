"""What nouns stand for: a relation of what is named, or the kind of the answers."""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from memnets.kb.programs.arguments import Argument
from memnets.kb.programs.asked import Asked
from memnets.kb.programs.forms import same_stem
from memnets.kb.programs.reading import Reader, Reading
from memnets.kb.programs.wordings import LITTLE
from memnets.kb.questions.english import PREPOSITIONS, numbers
from memnets.kb.store.layouts import REVERSED
from memnets.kb.values.typed import Kind


class Nouns:
    """The nouns of a question that say relations.

    Args:
        reader: of the question.
        reading: what was recognised.
    """

    def __init__(self, reader: Reader, reading: Reading) -> None:
        self._kind: Callable[[str], Kind] = reader.kind
        self._relations = reader.relations
        self._words, self._heads = reading.words, reading.heads

    def is_head(self, asked: Asked) -> bool:
        """Whether a noun may say of what kind the answers are."""
        return not self._heads.isdisjoint(range(asked.begin, asked.end))

    def is_whole(self, asked: Asked) -> bool:
        """Whether a noun is the whole name of a relation: "keepers", but no "companies"."""
        name = self._relations[asked.options[0][0]]
        return len(name) == asked.end - asked.begin and self.is_called(asked, name)

    def is_called(self, asked: Asked, name: Sequence[str]) -> bool:
        """Whether a noun is one of the words of a name, or its plural."""
        words = [_british(word) for word in self._words[asked.begin : asked.end]]
        parts = [_british(part) for part in name]
        return any(word in (part, f"{part}s", *numbers(part)) for part in parts for word in words)

    def is_doer(self, asked: Asked) -> bool:
        """Whether a noun can only be whom a verb is said of: "players" of `plays_for`."""
        relation = asked.options[0][0]
        return (
            self.is_head(asked)
            and self.standing_for(asked, relation) == relation
            and (self._kind(relation) == "link" and not asked.inverse)
        )

    def is_doer_of(self, asked: Asked) -> bool:
        """Whether a plural can only be those of whom a verb is said: "players" of `plays_for`."""
        word = self._words[asked.end - 1]
        names = [self._relations[relation] for relation, _ in asked.options]
        said = any(same_stem(word, part) for part in names[0])
        said = said and not any("by" in name for name in names)
        named = any(self.is_called(asked, name) for name in names)
        return word.endswith(("ers", "ors")) and said and not named

    def standing_for(self, asked: Asked, relation: str) -> str:
        """Return the relation, or its reverse, that all have which a noun may stand for."""
        doer = self._words[asked.end - 1].removesuffix("s").endswith(("er", "or"))
        parts = self._relations[relation]
        said = any(same_stem(self._words[asked.end - 1], part) for part in parts)
        named = self.is_called(asked, parts)
        acts = doer and said and not named and "by" not in parts
        return relation if acts or self._kind(relation) != "link" else REVERSED + relation

    def is_little(self, asked: Asked, argument: Argument) -> bool:
        """Whether it is a preposition of a name, which says no other relation: "not by Ada"."""
        little = LITTLE.issuperset(self._words[asked.begin : asked.end])
        return little and self._words[asked.end : argument.begin + 1] in (
            [self._words[argument.begin]],
            ["the", self._words[argument.begin]],
        )

    def asked_for(self, every: Sequence[Asked]) -> dict[str, float]:
        """Return the relations that stand behind "which", the surest being called so."""
        found: dict[str, float] = {}
        for one in every:
            if self._words[max(0, one.begin - 1)] not in ("which", "what") or one.hints:
                continue
            called = any(self.is_called(one, self._relations[name]) for name, _ in one.options)
            for name, weight in one.options:
                if called or not self.is_doer(one):
                    found[name] = 1.0 if called else min(weight, 0.9)
        return found

    def name_others(self, every: Sequence[Asked], last: str) -> bool:
        """Whether "which films" asks for what is no relation, so that no object is the answer."""
        nouns = [at for at in self._heads if self._words[at - 1 : at] in (["which"], ["what"])]
        said = any(asked.begin <= at < asked.end for at in nouns for asked in every)
        return bool(nouns) and not said and not last.startswith(REVERSED)

    def are_objects(self, every: Sequence[Asked], at: int, relation: str) -> bool:
        """Whether a noun is called as objects of a relation are: "languages", no "pupil of"."""
        name = self._relations[relation]
        said = [a for a in every if a.begin <= at < a.end and relation in a.options.weights]
        return name[-1] not in PREPOSITIONS and any(self.is_called(one, name) for one in said)

    def says(self, every: Sequence[Asked], at: int) -> bool:
        """Whether a word says a relation, and not only what is counted."""
        said = (a for a in every if a.begin <= at < a.end)
        return any(not self.is_head(a) or self.is_whole(a) or a.options[0][1] == 1 for a in said)


@lru_cache(2**14)
def _british(word: str) -> str:
    """Return a word as "colour" is spelt, which others spell "color"."""
    return re.sub(r"(?<=[bcdlmnpv])or(?=s?$)", "our", word)
