"""Boltzmann machines: distributions over states by their energy, learnt from data.

    machine = RestrictedBoltzmannMachine(visible=64, hidden=32)
    chain = machine.sample(machine.random_chain(10), steps=100)

They are trained by `memnets.tasks.energies`, or as scikit-learn's estimators are, by
`memnets.inference.estimators`.
"""

from memnets.memories.boltzmann.estimates import (
    Annealed,
    MeanField,
    annealed,
    mean_field,
    pseudo_log_likelihood,
)
from memnets.memories.boltzmann.exact import (
    Moments,
    all_states,
    log_likelihood,
    log_partition,
    moments,
)
from memnets.memories.boltzmann.gaussian import GaussianBoltzmannMachine
from memnets.memories.boltzmann.machine import BoltzmannMachine, Machine, Units
from memnets.memories.boltzmann.restricted import RestrictedBoltzmannMachine
from memnets.memories.boltzmann.updates import Updates, uniform

__all__ = [
    "Annealed",
    "BoltzmannMachine",
    "GaussianBoltzmannMachine",
    "Machine",
    "MeanField",
    "Moments",
    "RestrictedBoltzmannMachine",
    "Units",
    "Updates",
    "all_states",
    "annealed",
    "log_likelihood",
    "log_partition",
    "mean_field",
    "moments",
    "pseudo_log_likelihood",
    "uniform",
]
