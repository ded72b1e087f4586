"""Hopfield networks: patterns kept in the couplings of neurons, recalled by falling in energy.

    network = Hebb().learn(patterns)                       # of 1 and -1, (pattern, neuron)
    found = Asynchronous().recall(network, cues)           # found.states, found.energies

`dense` holds more patterns by a steeper energy; the modern, continuous network is an attention.
"""

from memnets.memories.hopfield.attractors import Attractors, attractors
from memnets.memories.hopfield.dynamics import (
    Asynchronous,
    Dynamics,
    Recalled,
    Synchronous,
    two_step_energy,
)
from memnets.memories.hopfield.network import Factors, HopfieldNetwork
from memnets.memories.hopfield.rules import Hebb, LearningRule, PseudoInverse, Storkey
from memnets.memories.hopfield.states import flipped, random_patterns

__all__ = [
    "Asynchronous",
    "Attractors",
    "Dynamics",
    "Factors",
    "Hebb",
    "HopfieldNetwork",
    "LearningRule",
    "PseudoInverse",
    "Recalled",
    "Storkey",
    "Synchronous",
    "attractors",
    "flipped",
    "random_patterns",
    "two_step_energy",
]
