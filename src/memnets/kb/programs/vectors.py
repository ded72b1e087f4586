"""The vectors of a knowledge base's relations, with which questions are compared."""

import json
from collections.abc import Iterable
from functools import cached_property

import numpy as np

from memnets.files import write_bytes
from memnets.kb.questions.english import relation_words
from memnets.kb.questions.ranking import OBJECTS, RelationRanker, asking
from memnets.kb.questions.sentences import Array
from memnets.kb.store.store import Store
from memnets.kb.values.columns import Columns
from memnets.mapped import tensors_of

KEPT = "relations-"
"""What the file of the vectors is called, before the generation that they are of."""
MOST_KEPT = 1000
"""Of so many relations at most, vectors are kept."""
LOOKED_AT = 1000
"""Facts of a relation, of whose objects the commonest are told of it."""
RELATIONS, RANKER, VECTORS = "relations", "ranker", "vectors"
"""What the file holds."""


class RelationVectors:
    """Encodes relations, and keeps their vectors beside the knowledge base if that may be written.

    Args:
        ranker: of relations.
        columns: the typed relations.
        store: the knowledge base.
    """

    def __init__(self, ranker: RelationRanker, columns: Columns, store: Store) -> None:
        self._ranker, self._columns, self._store = ranker, columns, store
        self._path = store.folder / f"{KEPT}{store.generation}.safetensors"

    def of(self, relations: Iterable[str]) -> Array:
        """Return the vectors of N relations (2 N, D): of each forwards, then backwards."""
        names = [*relations]
        if new := [name for name in dict.fromkeys(names) if name not in self._known]:
            texts = [text for name in new for text in self._asking(name)]
            both = self._ranker.encode(texts).reshape(len(new), 2, -1)
            self._known.update(zip(new, both, strict=True))
            self._keep()
        return np.concatenate([self._known[name] for name in names])

    def prepare(self) -> None:
        """Encode all relations now, or the commonest of them."""
        relations = sorted(self._columns.relations, key=lambda one: -len(self._columns.rows(one)))
        self.of(relations[:MOST_KEPT])

    @cached_property
    def _known(self) -> dict[str, Array]:
        """Both vectors of each relation that was encoded before, by this ranker."""
        try:
            tensors, told = tensors_of(self._path)
        except (OSError, ValueError):  # there are none, or damaged ones
            return {}
        if told[RANKER] != self._ranker.fingerprint or RELATIONS not in told:
            return {}  # nor are those of before, which were kept by their texts
        names = json.loads(told[RELATIONS])
        return dict(zip(names, tensors[VECTORS].reshape(len(names), 2, -1), strict=True))

    def _keep(self) -> None:
        from safetensors.numpy import save

        if len(self._known) > MOST_KEPT:
            return
        told = {RELATIONS: json.dumps([*self._known]), RANKER: self._ranker.fingerprint}
        vectors = np.concatenate([*self._known.values()]).astype(np.float32)
        try:
            write_bytes(self._path, save({VECTORS: vectors}, told))
            for old in {*self._store.folder.glob(f"{KEPT}*")} - {self._path}:
                old.unlink()
        except OSError:  # a folder that may only be read
            pass

    def _asking(self, relation: str) -> tuple[str, str]:
        name, kind = " ".join(relation_words(relation)), self._columns.of(relation).kind
        return asking(name, kind, self._commonest(relation))

    def _commonest(self, relation: str) -> list[str]:
        objects = self._store.facts.objects[self._columns.rows(relation)[:LOOKED_AT]]
        found, first, times = np.unique(objects, return_index=True, return_counts=True)
        order = np.lexsort((first, -times))[:OBJECTS]
        return [self._store.entities.word(one) for one in found[order].tolist()]
