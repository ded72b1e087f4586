"""The benchmarks of the server: one shape of result, whatever was answered."""

import importlib
import json
from pathlib import Path

import pytest

from memnets import results

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture
def bench(monkeypatch):
    pytest.importorskip("fastapi", reason="the server needs memnets[serve]")
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module


def test_rows_stand_beside_the_other_server(bench):
    serve = bench("serve")
    records = {
        name: [{"rate": rate + step, "p50_ms": 8.0, "p99_ms": 24.0 + step} for step in range(7)]
        for name, rate in (("batched", 2000.0), (serve.PLAIN, 500.0))
    }
    asked = serve.Asked(records)
    row = serve.row("stories", asked, "batched", serve.PLAIN, "short ones")
    assert row.measured == pytest.approx(1000 / 2003)
    assert row.ratio == pytest.approx(3.98, abs=0.02)
    assert row.note.startswith("short ones; 2,003 requests/s, each within 8.0 ms (median)")
    waiting = serve.waiting("stories", asked, 1400.0)
    assert (waiting.measured, waiting.baseline) == (27.0, 8.0)
    with pytest.raises(ValueError, match=r"repeats=3: expected 7 or more"):
        serve.Options(repeats=3)


def test_what_has_grown_is_told(bench, tmp_path):
    soak = bench("serve_soak")
    looks = [{"memory": 3e8 + 1e5 * step, "open files": 40.0} for step in range(100)]
    memory, files = (soak.row(name, looks, "many") for name in soak.FIGURES)
    assert memory.note.endswith("grown by 2.75%")
    assert (files.measured, files.baseline, files.ratio) == (40.0, 40.0, 1.0)
    config = {"minutes": 1.0}
    made = results.Benchmark(name="x", command="y", config=config, rows=(memory, files))
    again = results.read(results.write(made, tmp_path))
    assert [row.note for row in again.rows] == [row.note for row in made.rows]
    assert [row.ratio for row in again.rows] == pytest.approx([row.ratio for row in made.rows])


def test_a_reply_in_pieces_is_one_reply(bench, tmp_path):
    load = bench("load")
    bodies = tmp_path / "bodies.jsonl"
    bodies.write_text('{"question": "a"}\n{"question": "b"}\n')
    url = "http://127.0.0.1:1/v1/x/ask"
    made = load.Load(load.Options(url, bodies, replies=tmp_path / "replies"))
    made.counting = True
    sent = []

    class Transport:
        write = sent.append

    connection = load.Connection(made)
    connection.connection_made(Transport())
    reply = b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nsaid"
    for at in range(len(reply)):
        connection.data_received(reply[at : at + 1])
    connection.data_received(reply)
    assert len(sent) == 3
    assert json.loads(sent[0].partition(b"\r\n\r\n")[2]) == {"question": "b"}
    record = made.record(2.0)
    assert (record["requests"], record["rate"], record["statuses"]) == (2, 1.0, {"200": 2})
    assert made.replies == {1: "said", 0: "said"}
