"""Rows whose training has changed since are named; others are not."""

from dataclasses import replace

import pytest

from memnets import results
from memnets.cli.main import main
from memnets.experiments import staleness
from memnets.experiments.seeds import Entry, Figure, SeedsTable
from memnets.experiments.staleness import Checked, check, fingerprint
from memnets.studies import tables
from memnets.studies.babi.data import BabiData
from memnets.studies.babi.memn2n.recipes import MemN2NBabi, MemN2NTraining
from memnets.training.fingerprint import likeness

RUN = MemN2NBabi(
    data=BabiData(source="generated"), training=MemN2NTraining(epochs=1, linear_epochs=0)
)
FASTER = replace(RUN, training=replace(RUN.training, learning_rate=0.02))
FIGURES = (Figure(metric="accuracy", words="accuracy"),)
PLANNED = SeedsTable(
    title="t",
    data="generated",
    entries=(Entry(row="ours", run=RUN), Entry(row="searched", run=RUN, rates=(0.5, 0.02))),
    figures=FIGURES,
    generated=True,
)


MADE = {"ours": "0123456789abcdef 1.5", "searched": "fedcba9876543210 2.5"}


@pytest.fixture
def quick(monkeypatch):
    """Say what the two runs' fingerprints are, and make no updates."""
    known = {0.005: MADE["ours"], 0.02: MADE["searched"], 0.5: "00 3.5"}
    said = lambda run, nudge=None: known[run.training.learning_rate]  # noqa: E731
    monkeypatch.setattr(staleness, "fingerprint", said)


def measured(**fingerprints):
    rows = (
        results.measured(
            name, "accuracy", {0: 1.0}, unit="%", better="higher", selection="", fingerprint=one
        )
        for name, one in fingerprints.items()
    )
    return results.Table(name="t", command="", config={}, data=None, rows=tuple(rows))


def test_the_first_updates_of_a_run_follow_from_its_configuration():
    one, same, faster = map(fingerprint, (RUN, RUN, FASTER))
    assert one == same
    assert likeness(one, faster) == "other"


def test_a_row_is_fresh_where_its_first_updates_come_out_the_same(quick):
    found = list(check(PLANNED, measured(**MADE), None))
    assert found == [Checked(("ours",), "same bits"), Checked(("searched",), "same bits")]


def test_a_row_is_fresh_as_far_as_rounding_carries_its_own_training(monkeypatch):
    entry = replace(PLANNED, entries=PLANNED.entries[:1])
    nudged = {None: 1.6, 0: 1.6, 1: 1.58, 2: 1.6, 3: 1.6501, 4: 1.6, 5: 1.6}
    said = lambda run, nudge=None: f"00 {nudged[nudge]}"  # noqa: E731
    monkeypatch.setattr(staleness, "fingerprint", said)
    known = measured(ours=MADE["ours"])  # 1.5, from 1.6 twice as far as the furthest nudged
    assert list(check(entry, known, None)) == [Checked(("ours",), "but for rounding")]
    nudged[3] = 1.6499
    assert list(check(entry, known, None)) == [Checked(("ours",), "other")]


def test_nudged_weights_round_otherwise_and_train_the_same():
    one, *nudged = (fingerprint(RUN, nudge) for nudge in (None, 0, 1))
    assert len({one, *nudged}) == 3
    assert {likeness(one, other) for other in nudged} == {"but for rounding"}


def test_a_row_is_stale_where_they_do_not_and_unknown_without_a_fingerprint(quick):
    # The first row's code has become that of another rate; the other was written long ago.
    known = measured(ours=MADE["searched"], searched=None)
    assert list(check(PLANNED, known, None)) == [
        Checked(("ours",), "other"),
        Checked(("searched",), "no fingerprint"),
    ]


def test_a_row_that_was_never_run_has_nothing_to_be_told_of(quick):
    known = measured(ours=MADE["ours"])
    planned = results.not_run("searched", "accuracy", unit="%", better="higher")
    known = replace(known, rows=(*known.rows, planned))
    assert list(check(PLANNED, known, None)) == [Checked(("ours",), "same bits")]


def test_the_command_names_the_rows(quick, monkeypatch, tmp_path, capsys):
    monkeypatch.setitem(tables(), "t", lambda: PLANNED)
    results.write(measured(ours=MADE["searched"], searched=MADE["searched"]), tmp_path)
    assert main(["results", "--results", str(tmp_path), "--stale"]) == 1
    told = capsys.readouterr().out
    assert "t: stale: ours\n" in told
    assert "t: 1 rows with the same bits, 0 but for rounding, 1 stale, 0 without" in told
    results.write(measured(**MADE), tmp_path)
    assert main(["results", "t", "--results", str(tmp_path), "--stale"]) == 0
