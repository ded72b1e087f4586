"""The table of the simulated world: the paper's figures in their cells, each cell its own run."""

import pytest

from memnets.studies import table as named_table
from memnets.studies.simulated_world.tables import memnn_simulated_world, memnn_unknown_words

TABLE = memnn_simulated_world()
CELLS = {cell.name: cell for cell in TABLE.cells}


def test_every_cell_has_a_run_of_its_own():
    assert len(CELLS) == len(TABLE.cells) == 30
    assert len({repr(cell.run) for cell in TABLE.cells}) == 30
    assert named_table("memnn-simulated-world") == TABLE


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("RNN, difficulty 1 actor without before", 0.0),
        ("LSTM, difficulty 1 actor and object", 50.9),
        ("MemNN k=1, difficulty 1 actor without before", 2.2),
        ("MemNN k=1 with time, difficulty 5 actor and object", 91.0),
        ("MemNN k=2 with time, difficulty 5 actor", 0.0),
        ("MemNN k=2 with time, difficulty 5 actor and object", 0.1),
    ],
)
def test_published_accuracy_is_told_as_error_and_as_recalled(name, error):
    assert CELLS[name].published == error
    assert CELLS[name].source.endswith(f"Table 3, {name.split(',')[0]}, recalled")


def test_the_paper_has_no_easy_questions_at_difficulty_5():
    empty = [cell for cell in TABLE.cells if cell.published is None]
    assert {cell.row for cell in empty} == {"difficulty 5 actor without before"}
    assert len(empty) == 5
    assert all(cell.source is None for cell in empty)


@pytest.mark.parametrize(
    ("column", "kind", "hops", "time"),
    [
        ("RNN", "rnn", None, None),
        ("LSTM", "lstm", None, None),
        ("MemNN k=1", "memnn", 1, False),
        ("MemNN k=1 with time", "memnn", 1, True),
        ("MemNN k=2 with time", "memnn", 2, True),
    ],
)
def test_a_row_of_the_paper_is_a_reader(column, kind, hops, time):
    runs = [cell.run for cell in TABLE.cells if cell.column == column]
    assert {(run.data.difficulty, run.data.asks) for run in runs} == {
        (difficulty, asks)
        for difficulty in (1, 5)
        for asks in ("actor without before", "actor", "actor and object")
    }
    (reader,) = {run.reader for run in runs}
    assert reader.kind == kind
    if hops is not None:
        assert (reader.model.hops, reader.model.time) == (hops, time)


def test_unknown_words_are_read_with_and_without_contexts():
    table = memnn_unknown_words()
    assert named_table("memnn-unknown-words") == table
    assert len({repr(cell.run) for cell in table.cells}) == len(table.cells) == 6
    dropouts = {cell.column: cell.run.reader.word_dropout for cell in table.cells}
    assert [dropouts[column] > 0 for pair in table.contrasts for column in pair] == [
        True,
        False,
    ] * 2
    assert {cell.run.data.unseen for cell in table.cells} == {
        ("actors",),
        ("actors", "objects", "places"),
    }
