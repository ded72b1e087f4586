"""The pictures of the page on memory are measured, drawn, and show what the page says."""

import pytest

pytest.importorskip("matplotlib")

import draw_memory
from memnets import results


def test_what_is_measured_is_drawn(tmp_path, monkeypatch):
    monkeypatch.setattr(draw_memory, "UPDATES", (1, 2))
    monkeypatch.setattr(draw_memory, "LISTED", (1, 2))
    monkeypatch.setattr(draw_memory, "MEMORIES", 2)
    monkeypatch.setattr(draw_memory, "NEURONS", 100)
    monkeypatch.setattr(draw_memory, "STORED", (4, 8))
    options = ["--results", str(tmp_path), "--pictures", str(tmp_path), "--seeds", "2"]
    draw_memory.main(options)
    for name in ("slots", "cut", "learning"):
        assert (tmp_path / f"memory-{name}.png").stat().st_size > 10_000
    table = results.read(tmp_path / "memory.json")
    assert {row.status for row in table.rows} == {"done"}
    assert {len(series.x) for series in table.series} == {16, 10, 2, 1}


def test_slots_keep_the_last_items_and_bad_cues_confuse_them():
    assert draw_memory.of_slots(4, 0.0, seed=0) == 4 / 16
    assert draw_memory.of_slots(16, 0.0, seed=0) == 1.0
    assert draw_memory.of_slots(16, 0.4, seed=0) < draw_memory.of_slots(4, 0.4, seed=0)


def test_a_network_loses_all_late_and_slots_one_by_one():
    cut, lost = draw_memory.of_cut(10, seed=0), draw_memory.of_lost(10, seed=0)
    assert lost == pytest.approx([1 - share for share in draw_memory.CUTS])
    assert cut[5] == 1.0
    assert cut[9] < 0.5


def test_a_few_updates_recall_as_much_as_hebb(monkeypatch):
    monkeypatch.setattr(draw_memory, "UPDATES", (1, 5))
    learners = draw_memory.LEARNERS.values()
    ((hebb,), summed), *others = (draw_memory.of_rule(one, 0.2, seed=0) for one in learners)
    for (one, few), times in others:
        assert one <= hebb < 0.5 < few
        assert summed[0] < times[1]
