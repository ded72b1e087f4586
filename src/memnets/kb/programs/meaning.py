"""How nearly a question means one that asks for a relation, by an encoder of sentences."""

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from memnets.kb.questions.sentences import Array, SentenceEncoder
from memnets.kb.store.store import Store
from memnets.kb.values.columns import Columns

SHOWN = 4
"""The commonest objects of a relation, of which so many tell what it is about."""
Words = tuple[str, ...]


class Meanings:
    """Compares questions with plain ones, which ask for each relation of a knowledge base.

    Args:
        encoder: of sentences.
        relations: the words of their names.
        columns: their types.
        store: the knowledge base.
    """

    def __init__(
        self,
        encoder: SentenceEncoder,
        relations: Mapping[str, Words],
        columns: Columns,
        store: Store,
    ) -> None:
        self._encoder, self._relations = encoder, relations
        self._columns, self._store = columns, store
        self._plain = dict[str, Array]()

    def of(
        self,
        words: Sequence[str],
        named: Sequence[tuple[int, int]],
        relations: Collection[str],
    ) -> list[Mapping[str, tuple[float, ...]]]:
        """Return the cosines of a question, relation by relation, for each thing that it names.

        The first is that with a question for the relation of what is named, the second with the
        relation's name and some of its objects, the third with one for what has as the relation
        what is named.

        Args:
            words: of the question.
            named: where each name begins and ends in it; "it" stands for it.
            relations: that may be asked for.
        """
        new = sorted({*relations}.difference(self._plain))
        if new:
            plain = self._encoder.encode([text for name in new for text in self._asking(name)])
            self._plain |= zip(new, np.split(plain, len(new)), strict=True)
        asked = [" ".join((*words[:begin], "it", *words[end:])) for begin, end in named]
        return [
            {name: tuple((self._plain[name] @ one).tolist()) for name in relations}
            for one in self._encoder.encode(asked)
        ]

    def _asking(self, relation: str) -> tuple[str, str, str]:
        name = " ".join(self._relations[relation])
        objects = ", ".join(self._commonest(relation))
        return f"What is its {name}?", f"{name}: {objects}", f"Which ones have it as {name}?"

    def _commonest(self, relation: str) -> list[str]:
        objects = self._store.facts.objects[self._columns.rows(relation)]
        found, first, times = np.unique(objects, return_index=True, return_counts=True)
        order = np.lexsort((first, -times))[:SHOWN]
        return [self._store.entities.word(one) for one in found[order].tolist()]
