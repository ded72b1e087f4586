"""The store under questions to a knowledge base or to documents: which slots may hold the answer.

Slots are lists of words with a number; what they say is kept elsewhere. Nothing here knows of
tensors.
"""

from memnets.kb.building import Builder, building
from memnets.kb.folders import verify
from memnets.kb.hashing import Clusters, coverage, kmeans
from memnets.kb.index import Index
from memnets.kb.ngrams import BordesCandidates, Entity
from memnets.kb.rules import LUA_WIKIMOVIES, PAPER, Rule

__all__ = [
    "LUA_WIKIMOVIES",
    "PAPER",
    "BordesCandidates",
    "Builder",
    "Clusters",
    "Entity",
    "Index",
    "Rule",
    "building",
    "coverage",
    "kmeans",
    "verify",
]
