"""The store under questions to a knowledge base or to documents: which slots may hold the answer.

An `Index` leads from words to slots, whatever they say; a `Store` is a knowledge base: its facts,
and what leads to them. Nothing here knows of tensors.
"""

from memnets.kb.aliases import Aliases, words_of
from memnets.kb.building import Builder, building
from memnets.kb.folders import verify
from memnets.kb.hashing import Clusters, coverage, kmeans
from memnets.kb.index import Index
from memnets.kb.ngrams import BordesCandidates, Entity
from memnets.kb.rules import LUA_WIKIMOVIES, PAPER, Rule
from memnets.kb.store import Built, Progress, Store, build

__all__ = [
    "LUA_WIKIMOVIES",
    "PAPER",
    "Aliases",
    "BordesCandidates",
    "Builder",
    "Built",
    "Clusters",
    "Entity",
    "Index",
    "Progress",
    "Rule",
    "Store",
    "build",
    "building",
    "coverage",
    "kmeans",
    "verify",
    "words_of",
]
