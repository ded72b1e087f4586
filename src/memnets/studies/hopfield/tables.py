"""The table of capacities: every rule on the same patterns, and where the laws lie."""

from memnets.studies.hopfield.capacity import CapacityTable, Curve

AMIT = 0.138
CLAIMED = 0.6
SOURCES = {
    "claimed": "Qiu 2020, chapter 8: 0.6, without a criterion or a source",
    "overlap": "Amit, Gutfreund and Sompolinsky 1985: 0.138 of infinitely many neurons",
    "stable": "McEliece et al. 1987: 1 / (2 ln N), for most patterns",
}
NEURONS = (50, 100, 200, 400)
NOISES = (0.05, 0.1, 0.2)
STABLE_LAW = {50: 0.1278, 100: 0.1086, 200: 0.0944, 400: 0.0835, 1000: 0.0724}
"""1 / (2 ln N), by the number of neurons."""


def _steps(first: int, last: int, by: int) -> tuple[float, ...]:
    """Return loads in hundredths."""
    return tuple(number / 100 for number in range(first, last + 1, by))


LOADS = {
    "hebb": _steps(2, 24, 2),
    "storkey": _steps(5, 65, 5),
    "pseudo-inverse": _steps(10, 95, 5),
}


def hopfield_capacity() -> CapacityTable:
    """Four rules on the same patterns, sizes and noises, and Hebb's rule beside its two laws."""
    return CapacityTable(
        title="Hopfield networks: the load at which half of the patterns are recalled",
        curves=(
            *(
                Curve(rule=rule, neurons=neurons, loads=loads, noise=noise)
                for rule, loads in LOADS.items()
                for neurons in NEURONS
                for noise in NOISES
            ),
            *(
                Curve(
                    rule="boltzmann",
                    neurons=neurons,
                    loads=_steps(20, 100, 10) if noise else _steps(20, 200, 20),
                    noise=noise,
                    published=CLAIMED if neurons == 100 else None,
                    source=SOURCES["claimed"] if neurons == 100 else None,
                )
                for neurons in (50, 100)
                for noise in (0.0, *NOISES)
            ),
            *(_dense(neurons) for neurons in (8, 12, 16, 20)),
            *(_stable(neurons) for neurons in STABLE_LAW),
            *(_overlapping(neurons) for neurons in (*NEURONS, 1000, 2000)),
        ),
    )


def _stable(neurons: int) -> Curve:
    return Curve(
        rule="hebb",
        neurons=neurons,
        loads=_steps(2, 24, 1),
        published=STABLE_LAW[neurons],
        source=SOURCES["stable"],
    )


def _dense(neurons: int) -> Curve:
    """Return the exponential memory's, up to twice as many patterns as its law has."""
    counts = (2**power for power in range(2, neurons // 2 + 2))
    loads = tuple(round(count / neurons, 4) for count in counts)
    return Curve(rule="exponential", neurons=neurons, loads=loads, noise=0.1)


def _overlapping(neurons: int) -> Curve:
    return Curve(
        rule="hebb",
        neurons=neurons,
        loads=_steps(8, 24, 1),
        overlap=0.9,
        published=AMIT,
        source=SOURCES["overlap"],
    )


TABLES = {"hopfield-capacity": hopfield_capacity}
