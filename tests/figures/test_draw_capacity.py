"""The pictures of capacities are drawn of the table's curves, and say what is missing."""

import pytest

import draw_capacity
from memnets import results
from memnets.results import Series, Table
from memnets.studies.hopfield.tables import hopfield_capacity


def table(names):
    curves = tuple(Series(name=name, x=(0.1, 0.2), y=(1.0, 0.1), spread=(0, 0.1)) for name in names)
    return Table(name="hopfield-capacity", command="", config={}, data=None, rows=(), series=curves)


def test_both_pictures_are_drawn(tmp_path):
    names = [f"{rule}, N = 100, 10% turned" for rule in draw_capacity.RULES]
    start = "hebb, N = 1000, from the pattern"
    results.write(table([*names, start, f"{start}, overlap 0.9"]), tmp_path)
    draw_capacity.main(["--results", str(tmp_path), "--pictures", str(tmp_path)])
    for name in ("capacity-rules.png", "capacity-laws.png"):
        assert (tmp_path / name).stat().st_size > 10_000
    results.write(table(names[1:]), tmp_path)
    with pytest.raises(ValueError, match="holds no curve 'hebb, N = 100, 10% turned'"):
        draw_capacity.main(["--results", str(tmp_path), "--pictures", str(tmp_path)])


def test_the_curves_are_those_that_the_table_plans():
    names = {str(curve) for curve in hopfield_capacity().curves}
    assert {f"{rule}, N = 100, 10% turned" for rule in draw_capacity.RULES} <= names
    start = f"hebb, N = {draw_capacity.LARGE}, from the pattern"
    assert {start, f"{start}, overlap 0.9"} <= names
