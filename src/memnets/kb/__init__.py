"""The store under questions to a knowledge base or to documents: which slots may hold the answer.

An `Index` leads from words to slots, whatever they say; a `Store` is a knowledge base: its facts,
and what leads to them. Nothing here knows of tensors.
"""

from memnets.kb.index.building import Builder, building
from memnets.kb.index.folders import verify
from memnets.kb.index.hashing import Clusters, coverage, kmeans
from memnets.kb.index.index import Index
from memnets.kb.index.ngrams import BordesCandidates, Entity
from memnets.kb.index.rules import LUA_WIKIMOVIES, PAPER, Rule
from memnets.kb.store.aliases import Aliases, name_words
from memnets.kb.store.store import BuiltStore, Store, StoreProgress, build

__all__ = [
    "LUA_WIKIMOVIES",
    "PAPER",
    "Aliases",
    "BordesCandidates",
    "Builder",
    "BuiltStore",
    "Clusters",
    "Entity",
    "Index",
    "Rule",
    "Store",
    "StoreProgress",
    "build",
    "building",
    "coverage",
    "kmeans",
    "name_words",
    "verify",
]
