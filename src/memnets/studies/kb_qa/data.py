"""The facts of a KB of one's own: read to learn from, opened to be asked."""

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Literal, NamedTuple

from memnets.data.facts import Triple
from memnets.data.worlds.invented import WORLDS
from memnets.kb.linking.naming import Names
from memnets.kb.linking.opened import OpenedFacts, further_names, names_in, open_names, relations_of
from memnets.kb.programs.everyday import is_everyday
from memnets.kb.questions.phrase_files import read_phrases
from memnets.kb.questions.phrases import Phrases, ways_of_asking
from memnets.kb.questions.questions import Facts
from memnets.kb.store.from_table import kept
from memnets.kb.store.store import Store
from memnets.training.config import expect_at_least

MEASURED = "measured"
"""The folder, within that of a model that has learnt all ways of asking, of the run that had not,
and was measured by those that were held out."""


class KBContents(NamedTuple):
    """What a KB holds."""

    triples: list[Triple]
    names: list[tuple[str, str]]
    """Pairs of an entity and what it may be called."""
    sha256: str


class OpenedKB(NamedTuple):
    """A KB to be asked."""

    facts: Facts | OpenedFacts
    names: Names
    sha256: str
    namesakes: Mapping[str, str]
    """Names that stand in several rows which contradict each other, and where."""
    labels: Mapping[str, str]
    """What its table calls entities that were told apart from their namesakes."""
    relations: Sequence[str]
    """Every relation."""
    store: Store | None = None
    """Where it is on disk; facts that are invented are not."""


@dataclass(frozen=True)
class KBData:
    """The facts, and how they may be asked after."""

    path: Path | None = None
    """A KB that `memnets kb build` has built; without one, facts are invented."""
    world: Literal["films", "towns"] = "films"
    """What is invented."""
    rows: int = 1000
    """How many facts are invented."""
    phrases: Path | None = None
    """A file of ways of asking; by default they are made from the relations' names."""
    held_out: bool = True
    """Whether some ways of asking are not learnt, but set when to decline and are tested with.
    Without that all are learnt, so that nothing can be tested: the model to be used."""

    def __post_init__(self) -> None:
        expect_at_least("data", self, rows=1)

    def read(self, seed: int) -> KBContents:
        """Read everything, to learn from."""
        if self.path is None:
            triples = list(islice(WORLDS[self.world](seed), self.rows))
            return KBContents(triples, [], _fingerprint(triples))
        store = Store.open(self.path)
        return KBContents(list(store.facts), list(further_names(store)), _content(store))

    def facts(self, seed: int) -> Facts:
        """Read all facts, to learn from; those of a KB on disk stay for the next who wants them."""
        if self.path is None:
            return Facts(self.read(seed).triples)
        return facts_of(self.path, Store.open(self.path).generation)

    def names(self, facts: Facts, ordinary: Collection[str]) -> Names:
        """Return the names of all entities, to learn from; of a KB on disk they stay there."""
        if self.path is None:
            return Names(facts.links(), ordinary)
        store = Store.open(self.path)
        if kept(self.path, store.generation).labels:  # those told apart are learnt by whole names
            return Names(facts.links(), ordinary, further_names(store))
        return names_in(store, ordinary, {})

    def sha256(self, seed: int) -> str:
        """Return the digest of what the KB holds."""
        return self.read(seed).sha256 if self.path is None else _content(Store.open(self.path))

    def open(self, seed: int, ordinary: Collection[str], store: Store | None = None) -> OpenedKB:
        """Open the KB to be asked; one on disk is not read.

        Args:
            seed: of what is invented.
            ordinary: words that are hardly names.
            store: the KB on disk, if it was opened already.
        """
        if self.path is None:
            triples, further, digest = self.read(seed)
            facts = Facts(triples)
            names = Names(facts.links(), ordinary, further)
            return OpenedKB(facts, names, digest, {}, {}, list(facts.relations))
        store = store or Store.open(self.path)
        said = kept(self.path, store.generation)
        names = open_names(store, ordinary)
        names.is_word = is_everyday
        relations = relations_of(store)
        opened, digest = OpenedFacts(store), _content(store)
        return OpenedKB(opened, names, digest, said.names, said.labels, relations, store)

    def ways(self, facts: Facts, seed: int) -> dict[str, Phrases]:
        """Return how each relation may be asked after; a file need not hold them all."""
        ways = ways_of_asking(facts.relations, seed)
        if self.phrases is not None:
            ways |= read_phrases(self.phrases, facts.relations)
        return ways if self.held_out else {name: of.all_learnt() for name, of in ways.items()}


@lru_cache(1)
def facts_of(path: Path, generation: str) -> Facts:
    """Return all facts of a KB on disk: two models are learnt from them, one after the other."""
    return Facts(Store.open(path).facts)


def nothing_to_test_with() -> ValueError:
    """Return the complaint about a model that has learnt all ways of asking and is to be tested."""
    return ValueError(
        f"this model has learnt all ways of asking (data.held_out is false), so no question could "
        f"test it honestly. Name the folder {MEASURED!r} inside it instead: that run learnt the "
        f"same, but for the ways of asking that it is tested with."
    )


def _fingerprint(triples: Sequence[Triple]) -> str:
    """Return the digest of some facts."""
    digest = hashlib.sha256()
    for triple in triples:
        digest.update("\t".join(triple).encode("utf-8", "replace") + b"\n")
    return digest.hexdigest()


def _content(store: Store) -> str:
    """Return the digest of a KB on disk, which is known without reading it."""
    return hashlib.sha256(store.generation.encode()).hexdigest()
