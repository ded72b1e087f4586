"""The tables of DMN: which run stands behind each of their cells, and what they make of it."""

from dataclasses import replace
from types import SimpleNamespace

import pytest
import torch

from memnets.data.babi.generate import Variant
from memnets.experiments.jobs import FinishedRun, Runs
from memnets.experiments.seeds import half_interval
from memnets.studies.babi.data import BabiData
from memnets.studies.babi.dmn import inference
from memnets.studies.babi.dmn import tables as tables_module
from memnets.studies.babi.dmn.model import DMNModel
from memnets.studies.babi.dmn.recipes import DMNBabi, DMNTraining, dmn, dmn_generated, dmn_plus
from memnets.studies.babi.dmn.tables import TABLES, models, on_task

MODEL = {
    **{"reader": "position", "question": "own", "fusion": "both", "gate": "xiong"},
    **{"align": "softmax", "read": "attention-gru", "update": "relu", "answer": "whole"},
    **{"hidden": 80, "spread": 3**0.5, "hops": 3, "ends": False, "dropout": 0.1, "window": 70},
}
TRAINING = {
    **{"batch": 128, "epochs": 256, "patience": 20, "enough": 0.001, "learning_rate": 0.001},
    **{"l2": 0.05, "evidence": 0.0, "evidence_epochs": 0, "ordered": True},
}
KUMAR = {
    **{"reader": "words", "question": "story", "fusion": "none", "gate": "kumar"},
    **{"read": "gated-gru", "update": "gru", "answer": "words", "hops": 5, "ends": True},
}
TOLD = {"batch": 32, "learning_rate": 0.003, "l2": 0.001, "evidence": 1.0}
WIDE = {"hidden": 120, "spread": 0.3, "dropout": 0.5}
FEW = {"batch": 32, "l2": 0.05, "patience": 30, "evidence": 1.0}
PLUS = DMNBabi(model=DMNModel(**MODEL), training=DMNTraining(**TRAINING))


def changed(run, training=(), **model):
    return replace(
        run,
        model=replace(run.model, **model),
        training=replace(run.training, **dict(training)),
    )


def columns(name):
    """Return the runs of each column of a table, by the task of the row."""
    found = {}
    for cell in TABLES[name]().cells:
        assert cell.metric == f"accuracy/{cell.run.data.tasks[0]}"
        number = int(cell.row.split()[1])
        assert cell.run.data.tasks == (number,)
        assert cell.row == f"task {number}" + " (generated)" * ("gener" in cell.row)
        found.setdefault(cell.column, {})[number] = cell.run
    return found


def expected(run, tasks, size="10k"):
    return {task: on_task(run, task, size) for task in tasks}


def test_recipes_are_what_they_were():
    assert dmn_plus() == PLUS
    assert dmn() == changed(PLUS, TOLD, **KUMAR)
    few = {"batch": 32, "epochs": 12, "learning_rate": 0.005, "l2": 0.001}
    generated = replace(PLUS, data=BabiData(source="generated", size="1k"))
    assert dmn_generated() == changed(generated, few, hidden=32)


def test_a_run_of_a_task_is_of_that_task_and_size():
    for size in ("1k", "10k"):
        run = on_task(PLUS, 3, size)
        lost = {"source": "generated", "test_source": "official"} if size == "10k" else {}
        assert run.data == BabiData(tasks=(3,), size=size, **lost)
        assert run.model == replace(PLUS.model, window=130)
    assert on_task(changed(PLUS, window=9), 4).model.window == 9
    assert on_task(PLUS, 4).data == BabiData(tasks=(4,), size="10k")
    assert on_task(PLUS, 7).training.ordered  # nothing is taught
    assert not on_task(changed(PLUS, {"evidence": 1.0}), 8).training.ordered


def test_dmn_plus_on_10k():
    found, official = columns("dmn-plus-babi-10k"), [*range(1, 3), *range(4, 21)]
    assert found == {
        "DMN+": expected(PLUS, official),
        "DMN+, generated stories": expected(PLUS, (3,)),
        "DMN+, u + o": expected(changed(PLUS, update="add"), (16,)),
        "DMN+, supports": expected(changed(PLUS, {"evidence": 1.0}), (16,)),
    }
    table = TABLES["dmn-plus-babi-10k"]()
    several = {(cell.column, cell.run.data.tasks[0]) for cell in table.cells if cell.seeds}
    assert {cell.seeds for cell in table.cells} == {None, 3}
    assert several == {
        *(("DMN+", task) for task in (2, 5, 14, 16, 17, 18)),
        ("DMN+, u + o", 16),
        ("DMN+, supports", 16),
    }
    assert (table.seeds, table.folder) == (1, TABLES["dmn-babi-ablation"]().folder)
    (choose,) = table.choose
    assert (choose.split, choose.metric, choose.better) == ("valid", "loss", "lower")
    published = {cell.run.data.tasks[0]: cell.published for cell in table.cells if cell.published}
    assert published == {2: 0.3, 5: 0.5, 7: 2.4, 14: 0.2, 16: 45.3, 17: 4.2, 18: 2.1}
    assert {cell.column for cell in table.cells if cell.source} == {"DMN+"}


def test_from_odmn_to_dmn_plus_a_change_at_a_time():
    dmn3 = changed(PLUS, update="gru")
    dmn2 = changed(dmn3, read="sum")
    odmn = changed(dmn2, reader="words", fusion="none")
    steps = {"ODMN": odmn, "DMN2": dmn2, "DMN3": dmn3, "DMN+": PLUS}
    assert models() == steps
    tasks = (2, 3, 6, 14, 16, 17, 18)
    assert columns("dmn-babi-ablation") == {
        name: expected(run, tasks) for name, run in steps.items()
    }
    table = TABLES["dmn-babi-ablation"]()
    assert (table.seeds, table.choose) == (3, ())
    assert {cell.seeds for cell in table.cells} == {None}
    # By hand, of Table 1: tasks 2, 3, 6, 14, 16, 17, 18.
    assert [column.mean for column in table.columns.values()] == [31.6, 10.7, 9.1, 7.6]
    by_task = {cell.column: cell for cell in table.cells if cell.row == "task 2"}
    assert [by_task[name].published for name in steps] == [36.0, 0.1, 0.7, 0.3]


def test_1k_with_supports_and_without():
    told = changed(PLUS, TOLD, **KUMAR)
    few = changed(PLUS, FEW, **WIDE)
    chained = changed(told, {"l2": 0.03}, spread=0.3)

    def of_dmn(told, chained):
        return expected(told, range(1, 21), "1k") | expected(chained, (2, 3), "1k")

    without = {"evidence": 0.0}
    assert columns("dmn-babi-1k") == {
        "DMN, supports": of_dmn(told, chained),
        "DMN": of_dmn(changed(told, without), changed(chained, without)),
        "DMN+, supports": expected(few, range(1, 21), "1k"),
        "DMN+": expected(changed(few, without), range(1, 21), "1k"),
    }
    table = TABLES["dmn-babi-1k"]()
    assert (table.measure.words, table.seeds) == ("test accuracy", 3)
    published = {cell.column: cell.published for cell in table.cells if cell.row == "task 17"}
    assert published == {"DMN, supports": 59.6} | dict.fromkeys(["DMN", "DMN+, supports", "DMN+"])


def test_hops_and_readers():
    told = changed(PLUS, TOLD, **KUMAR)
    few = changed(PLUS, FEW, update="gru", **WIDE)
    assert columns("dmn-babi-hops") == {
        f"{name}, {words}": expected(changed(run, hops=hops), (3, 7, 8), "1k")
        for name, run in (("DMN", told), ("DMN3", few))
        for words, hops in (("1 hop", 1), ("2 hops", 2), ("3 hops", 3), ("5 hops", 5))
    }
    assert TABLES["dmn-babi-hops"]().contrasts == tuple(
        (f"{model}, 5 hops", f"{model}, {name}")
        for model in ("DMN", "DMN3")
        for name in ("1 hop", "2 hops", "3 hops")
    )
    assert columns("dmn-babi-readers") == {
        name: expected(changed(PLUS, **reader), (2,))
        for name, reader in (
            ("places of words", {}),
            ("bag of words", {"reader": "bag"}),
            ("GRU over each sentence", {"reader": "gru"}),
            ("LSTM over each sentence", {"reader": "lstm"}),
            ("GRU over all words", {"reader": "words", "fusion": "none"}),
        )
    }
    readers = TABLES["dmn-babi-readers"]()
    assert {cell.published for cell in readers.cells} == {None}
    assert {second for _, second in readers.contrasts} == {"places of words"}
    assert len(readers.contrasts) == 4


def test_gates_grus_and_rates_are_chosen_by_validation_questions():
    table = TABLES["dmn-babi-choosing"]()
    task = on_task(changed(PLUS, TOLD, **KUMAR), 2, "1k")
    grus = {"own": "two GRUs", "story": "one GRU"}
    wanted = {
        f"{align}, {grus[question]}, {rate}": changed(
            task, {"learning_rate": rate}, align=align, question=question
        )
        for align in ("sigmoid", "softmax")
        for question, rate in (("own", 0.001), ("story", 0.001), ("story", 0.003))
    }
    wanted["softmax, one GRU, 0.003, spread 0.3, l2 0.03"] = changed(task, {"l2": 0.03}, spread=0.3)
    assert {entry.row: entry.run for entry in table.entries} == wanted
    assert (table.split, table.split_name, table.seeds) == ("valid", "valid", 3)


def test_what_reaches_far_is_told_by_the_distance_of_supports():
    table = TABLES["dmn-babi-distance"]()
    far = changed(PLUS, {"epochs": 40}, window=300)
    data = BabiData(tasks=(2,), size="10k", source="generated", variant=Variant(length=3))
    far = replace(far, data=data)
    runs = {
        "fusion in both directions": far,
        "fusion forward": changed(far, fusion="forward"),
        "no fusion": changed(far, fusion="none"),
        "GRU over all words": changed(far, reader="words", fusion="none"),
    }
    assert {entry.row: entry.run for entry in table.entries} == runs
    assert table.contrasts == tuple(("fusion in both directions", name) for name in list(runs)[1:])
    assert [figure.metric for figure in table.figures] == ["accuracy"]
    assert table.generated
    done = {}
    for seed, (one, two) in enumerate([(0.5, 0.25), (0.75, 0.5)]):
        metrics = {"test": {"ago/1": one, "ago/4": two, "accuracy": 0.0}, "valid": {"ago/1": 0.0}}
        done[seed] = FinishedRun(None, SimpleNamespace(), {"metrics": metrics})
    entry, found = table.entries[0], Runs(done, frozenset({2}))
    (series,) = table.series(entry, {entry.row: found})
    assert (series.name, series.x) == (entry.row, (1.0, 4.0))
    assert series.y == pytest.approx((62.5, 37.5))
    assert series.spread == pytest.approx((half_interval([50, 75]), half_interval([25, 50])))
    lost = "diverged and not counted: seeds 2"
    for values, told in (({0: 99.0, 1: 98.0}, "92.1 to 100.0"), ({0: 1.0, 1: 2.0}, "0.0 to 7.9")):
        notes = list(table.notes(entry, table.figures[0], found, values))
        assert notes == [f"95 % interval {told}", lost]  # there is no share beyond none and all


def test_numbers_are_the_ones_that_are_told():
    assert (tables_module.FREE, tables_module.MANY_SUPPORTS) == ((6, 19), (7, 8))
    assert tables_module._published("DMN3")[:3] == (0.0, 0.7, 9.2)
    assert tables_module._published("ODMN")[-2:] == (0.0, 1.9)
    assert inference.RUNNERS_UP == 3
    assert torch.tensor(tables_module.KUMAR).mean().item() == pytest.approx(93.6, abs=0.05)
