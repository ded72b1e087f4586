"""`memnets serve`: what it takes, and what it says before it serves."""

import socket
import sys
import threading

import pytest

from memnets.cli import quickstart
from memnets.cli.main import main
from memnets.cli.serve import LEAST, Serve
from memnets.serve import server


@pytest.fixture
def served(monkeypatch):
    """What would be served, in place of serving it."""
    found = []

    def run(service, listening, started):
        found.append(service)
        started(f"http://127.0.0.1:{listening.getsockname()[1]}")

    monkeypatch.setattr(server, "run", run)
    monkeypatch.setattr("webbrowser.open", lambda address: found.append(address))
    return found


def serve(*words):
    return main(["serve", *map(str, words), "--port", "0"])


def test_several_things_side_by_side(served, run, documents, capsys):
    options = ("--batch-size", 8, "--batch-wait-ms", 2, "--queue", 9, "--body", 5000)
    assert serve(f"a={run}", f"b={documents}", *options, "--patience", 3, "--names", "x.org") == 0
    (service,) = served
    assert [*service.things] == ["a", "b"]
    assert service.workers["a"].load == (8, 0.002, 9, 1)
    assert service.door == (("x.org",), None, 5000, 3.0)
    told = capsys.readouterr().out.splitlines()
    assert told[0] == "a: Tasks 1 and 2 by one model, from generated stories; trains in seconds."
    assert told[1] == "b: 2 sentences of 1 documents"
    assert told[2].endswith(" answers; Ctrl-C stops it")


def test_nothing_named_serves_the_quick_start_and_opens_the_page(served, run, monkeypatch):
    trained = []
    monkeypatch.setattr(quickstart, "FOLDER", run)
    monkeypatch.setattr(quickstart, "trained", trained.append)
    assert serve() == 0
    assert trained == [run]
    assert [*served[0].things] == ["stories"]
    assert served[1].startswith("http://127.0.0.1:")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nothing"], "nothing: neither the folder of a run (it has no run.json) nor a knowledge"),
        (["a/x", "b/x"], "b/x: a/x is called x too. Name one of them: x-2=b/x"),
        (["--batch-size", "0"], "--batch-size 0: expected a number of at least 1"),
        (["--patience", "nan"], "--patience nan: expected a number of at least 0.1"),
        (["--queue", "0"], "--queue 0: expected a number of at least 1"),
        (["--body", "1"], "--body 1: expected a number of at least 1000"),
        (["--token-file", "/nowhere"], "/nowhere: no such file"),
        (["--host", "256.1.1.1"], "port 0 of 256.1.1.1 cannot be listened to"),
    ],
)
def test_what_cannot_be_served(served, words, said, capsys):
    assert serve(*words) == 2
    assert said in " ".join(capsys.readouterr().err.split())
    assert served == []


def test_a_port_that_is_taken(served, run, capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert main(["serve", str(run), "--port", port]) == 2
    assert "cannot be listened to (address already in use). Stop what" in capsys.readouterr().err


@pytest.mark.parametrize("token", ["", " \n", "a\nb", "ä"])
def test_a_token_that_will_not_do(served, token, tmp_path, capsys):
    (tmp_path / "token").write_text(token, "utf-8")
    assert serve("--token-file", tmp_path / "token") == 2
    assert "expected a token of printable ASCII characters" in capsys.readouterr().err


def test_tokens(served, run, tmp_path, monkeypatch):
    monkeypatch.setenv("MEMNETS_TOKEN", "of the environment")
    (tmp_path / "token").write_text("of the file\n")
    serve(run)
    serve(run, "--token-file", tmp_path / "token")
    assert [service.door.token for service in served] == ["of the environment", "of the file"]


@pytest.mark.parametrize(
    ("host", "token", "said"),
    [
        ("0.0.0.0", None, True),
        ("0.0.0.0", "secret", False),
        ("127.0.0.1", None, False),
        ("localhost", None, False),
        ("127.0.0.1", "secret", False),
    ],
)
def test_whoever_may_ask_is_said_where_all_may(served, run, monkeypatch, capsys, host, token, said):
    if token:
        monkeypatch.setenv("MEMNETS_TOKEN", token)
    assert serve(run, "--host", host) == 0
    told = f"memnets: whoever reaches {host} may ask. Pass --token-file to ask for a token.\n"
    assert capsys.readouterr().err == (told if said else "")


@pytest.mark.parametrize(
    ("words", "opens"),
    [((), False), (("--browser", "yes"), True), (("--browser", "no"), False)],
)
def test_a_page_is_opened_where_it_is_asked_for(served, run, words, opens):
    assert serve(run, *words) == 0
    for thread in threading.enumerate():
        if thread is not threading.current_thread() and thread.daemon:
            thread.join(0.2)
    assert [isinstance(one, str) for one in served] == [False] + [True] * opens


def test_questions_are_logged_only_where_it_is_asked_for(served, run):
    serve(run)
    serve(run, "--log-questions")
    assert [service.log_questions for service in served] == [False, True]


def test_what_is_least_is_taken():
    least = {name: type(getattr(Serve, name))(one) for name, one in LEAST.items()}
    assert Serve(**least).patience == 0.1
    for name, one in least.items():
        with pytest.raises(
            ValueError, match=rf"^--{name.replace('_', '-')} .* of at least {one:g}\.$"
        ):
            Serve(**{name: one - 0.01})


def test_without_what_serves(monkeypatch, capsys):
    monkeypatch.delitem(sys.modules, "memnets.serve.server")
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    assert main(["serve"]) == 2
    said = "to serve takes uvicorn, which is not installed. Run: pip install 'memnets[serve]'"
    assert said in capsys.readouterr().err
