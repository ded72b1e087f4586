"""The table of the simulated world (Weston et al., 2015, Table 3), to be reproduced cell by cell.

The paper gives accuracy; every figure here is the test error, 100 % less that. All published
figures are recalled.
"""

from dataclasses import replace
from typing import get_args

from memnets.data.worlds.simulated.world import Kind, Names, Simulation
from memnets.experiments.reproduction import Reproduction, TableCell
from memnets.studies.simulated_world.recipes import MemNNReader, SimulatedWorld, lstm, memnn, rnn

RUNS = 3

# Test accuracy in per cent, by difficulty and what is asked. None: not in the paper.
CELLS = tuple((difficulty, asks) for difficulty in (1, 5) for asks in get_args(Kind))
TABLE_3: dict[str, tuple[float | None, ...]] = {
    "RNN": (100.0, 60.9, 27.9, None, 23.8, 17.8),
    "LSTM": (100.0, 64.8, 49.1, None, 35.2, 29.0),
    "MemNN k=1": (97.8, 31.0, 24.2, None, 21.9, 18.5),
    "MemNN k=1 with time": (99.9, 60.2, 42.5, None, 44.4, 9.0),
    "MemNN k=2 with time": (100.0, 100.0, 100.0, None, 100.0, 99.9),
}

UNKNOWN = "read as nothing"
CONTEXTS = "read by contexts"
MATCHES = "read by contexts and matched exactly"
UNSEEN_NAMES: tuple[tuple[Names, ...], ...] = (
    ("actors",),
    ("actors", "objects", "places"),
)


def memnn_simulated_world() -> Reproduction:
    """Recurrent nets and memory networks on the simulated world (Table 3)."""
    runs = {
        "RNN": rnn(),
        "LSTM": lstm(),
        "MemNN k=1": _memnn(hops=1, time=False),
        "MemNN k=1 with time": _memnn(hops=1, time=True),
        "MemNN k=2 with time": _memnn(hops=2, time=True),
    }
    return Reproduction(
        title="Recurrent nets and MemNN on the simulated world (Weston et al. 2015, Table 3)",
        data="simulated world, 7,000 statements and 3,000 questions a split, generated a seed",
        cells=tuple(
            _cell(model, run, *cell, accuracy)
            for model, run in runs.items()
            for cell, accuracy in zip(CELLS, TABLE_3[model], strict=True)
        ),
        seeds=RUNS,
    )


def memnn_unknown_words() -> Reproduction:
    """MemNN with two supports and time, asked of names that it has never seen (section 3.5)."""
    runs = {
        UNKNOWN: _briefly_trained(word_dropout=0.0, exact_match=0.0),
        CONTEXTS: _briefly_trained(word_dropout=0.2, exact_match=0.0),
        MATCHES: _briefly_trained(word_dropout=0.2, exact_match=5.0),
    }
    return Reproduction(
        title="MemNN on names never seen in training, with and without their contexts",
        data="simulated world, difficulty 5, actor and object; other names in the test stories",
        cells=tuple(
            TableCell(
                column=column,
                row=f"unseen {' and '.join(unseen)}",
                run=replace(run, data=Simulation(difficulty=5, unseen=unseen)),
                metric="accuracy",
            )
            for column, run in runs.items()
            for unseen in UNSEEN_NAMES
        ),
        seeds=RUNS,
        contrasts=((CONTEXTS, UNKNOWN), (MATCHES, UNKNOWN)),
    )


def _briefly_trained(word_dropout: float, exact_match: float) -> SimulatedWorld:
    """MemNN after 8 epochs: more of them teach the known names and help the new ones no further.

    The dropout was chosen on stories of seed 7, which is none of the table's; the epochs and the
    weight of exact matches were tried on seed 0 first, and confirmed on seed 7.
    """
    reader = MemNNReader(word_dropout=word_dropout)
    model = replace(reader.model, exact_match=exact_match)
    training = replace(reader.training, epochs=8)
    return replace(memnn(), reader=replace(reader, model=model, training=training))


def _memnn(hops: int, time: bool) -> SimulatedWorld:
    reader = MemNNReader()
    return replace(
        memnn(), reader=replace(reader, model=replace(reader.model, hops=hops, time=time))
    )


def _cell(
    model: str, run: SimulatedWorld, difficulty: int, asks: Kind, accuracy: float | None
) -> TableCell:
    return TableCell(
        column=model,
        row=f"difficulty {difficulty} {asks}",
        run=replace(run, data=Simulation(asks, difficulty)),
        metric="accuracy",
        published=None if accuracy is None else round(100.0 - accuracy, 1),
        source=None
        if accuracy is None
        else f"Weston et al. 2015 (Memory Networks), Table 3, {model}, recalled",
    )


TABLES = {
    "memnn-simulated-world": memnn_simulated_world,
    "memnn-unknown-words": memnn_unknown_words,
}
