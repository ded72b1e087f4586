"""What takes long is said, and nothing else is."""

import threading
import time
from types import SimpleNamespace

import pytest

from memnets import native, waiting
from memnets.cli.report import write
from memnets.experiments.measure import prepare
from memnets.waiting import said_if_long


@pytest.fixture
def impatient(monkeypatch):
    """Say at once what is being done."""
    monkeypatch.setattr(waiting, "PATIENCE", 0.0)


def wait_until(said, seconds=5.0):
    end = time.monotonic() + seconds
    while not said() and time.monotonic() < end:
        time.sleep(0.001)
    return said()


def test_what_takes_long_is_said(caplog, impatient):
    with said_if_long("reading"):
        assert wait_until(lambda: caplog.messages) == ["memnets: reading"]


def test_a_patience_of_its_own_counts(caplog):
    with said_if_long("reading", patience=0.0):
        assert wait_until(lambda: caplog.messages) == ["memnets: reading"]


def test_what_is_soon_done_is_not(caplog):
    with said_if_long("reading"):
        pass
    with pytest.raises(ValueError, match="no data"), said_if_long("reading"):
        raise ValueError("no data")
    assert not any(isinstance(one, threading.Timer) and one.is_alive() for one in _timers())
    assert caplog.messages == []


def _timers():
    found = [one for one in threading.enumerate() if isinstance(one, threading.Timer)]
    for one in found:
        one.join(1.0)
    return found


def test_reading_data_is_said(caplog, impatient):
    run = SimpleNamespace(kind="toy", prepare=lambda: wait_until(lambda: caplog.messages))
    assert prepare(run) == ["memnets: reading the data of toy"]


def test_compiling_is_said(caplog, impatient, tmp_path, monkeypatch):
    (tmp_path / "five.cpp").write_text("")
    monkeypatch.setenv("MEMNETS_CACHE", str(tmp_path))
    monkeypatch.setattr(native, "compiler_command", lambda: ["cc"])
    monkeypatch.setattr(native, "_target", lambda compiler: ((), b""))
    monkeypatch.setattr(native, "_build", lambda *given: wait_until(lambda: caplog.messages))
    native.Library(tmp_path, "toys").loaded()
    assert caplog.messages[0] == "memnets: compiling its C++ toys, once: about half a minute"


def test_a_report_writes_over_nothing_but_a_report(tmp_path):
    (tmp_path / "index.html").write_text("mine")
    with pytest.raises(ValueError, match=r"index.html: this page is no report of memnets"):
        write(tmp_path / "no run", tmp_path)
    (tmp_path / "file").write_text("mine")
    for place in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(ValueError, match=r"file: a file is in the way. Choose another"):
            write(tmp_path / "no run", place)
    (tmp_path / "index.html").write_text('<body class="memnets">')
    for place in (tmp_path, tmp_path / "new"):
        with pytest.raises(FileNotFoundError, match="not the folder of a run"):
            write(tmp_path / "no run", place)
