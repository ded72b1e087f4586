"""Hopfield networks: patterns kept in the couplings of neurons, recalled by falling in energy.

    network = Hebb().learn(patterns)                       # of 1 and -1, (pattern, neuron)
    found = Asynchronous().recall(network, cues)           # found.states, found.energies

`DenseMemory` holds more patterns by a steeper energy; `ModernHopfield`, of any numbers, is an
attention that is read until it rests (`memnets.layers.HopfieldRetrieval`).
"""

from memnets.memories.hopfield.attractors import Attractors, attractors
from memnets.memories.hopfield.dense import (
    DenseMemory,
    Exponential,
    Interaction,
    Polynomial,
    RectifiedPolynomial,
)
from memnets.memories.hopfield.dynamics import (
    Asynchronous,
    Dynamics,
    Recalled,
    Synchronous,
    falls,
    two_step_energy,
)
from memnets.memories.hopfield.likelihood import BoltzmannChains, BoltzmannRule
from memnets.memories.hopfield.modern import ModernHopfield
from memnets.memories.hopfield.network import Factors, HopfieldNetwork
from memnets.memories.hopfield.rules import Hebb, LearningRule, PseudoInverse, Storkey
from memnets.memories.hopfield.states import flipped, random_patterns

__all__ = [
    "Asynchronous",
    "Attractors",
    "BoltzmannChains",
    "BoltzmannRule",
    "DenseMemory",
    "Dynamics",
    "Exponential",
    "Factors",
    "Hebb",
    "HopfieldNetwork",
    "Interaction",
    "LearningRule",
    "ModernHopfield",
    "Polynomial",
    "PseudoInverse",
    "Recalled",
    "RectifiedPolynomial",
    "Storkey",
    "Synchronous",
    "attractors",
    "falls",
    "flipped",
    "random_patterns",
    "two_step_energy",
]
