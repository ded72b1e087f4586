"""The server itself on a real socket, within this process: begun, asked, stalled, told to stop."""

import http.client
import json
import logging
import os
import signal
import socket
import threading
import time
from contextlib import closing, suppress

import pytest
from asgi import thing
from test_load import Echo

from memnets.serve import server, service
from memnets.serve.guard import Door
from memnets.serve.server import listen
from memnets.serve.service import LOG, Service
from memnets.serve.workers import Load

resource = pytest.importorskip("resource", reason="limits are set where there is POSIX")
PATIENCE = 0.15


class Slow(Echo):
    """Takes longer to answer than a head may take to come."""

    def ask(self, body):
        if body["question"] == "slow":
            time.sleep(3 * PATIENCE)
        return super().ask(body)


@pytest.fixture
def limits():
    """Few open files are allowed before, and as many as ever after."""
    least, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (least - 1, most))
    yield most
    resource.setrlimit(resource.RLIMIT_NOFILE, (least, most))


@pytest.fixture
def log(monkeypatch):
    monkeypatch.setattr(LOG, "handlers", [])
    monkeypatch.setattr(LOG, "level", logging.NOTSET)
    return LOG


@pytest.fixture
def serving(limits, log):
    """Serve while something is done in a thread, then signal the end; tell what that came to."""

    def call(do, how=signal.SIGTERM, host="127.0.0.1"):
        made, found = Service([thing(Slow())], Load(), Door(patience=PATIENCE)), []

        def started(address):
            def act():
                try:
                    found.append(do(address, made))
                except Exception as error:
                    found.append(error)
                os.kill(os.getpid(), how)

            threading.Thread(target=act, daemon=True).start()

        with listen(host, 0) as listening:
            server.run(made, listening, started)
        return found, made

    return call


def connected(address):
    host, _, port = address.removeprefix("http://").rpartition(":")
    return http.client.HTTPConnection(host.strip("[]"), int(port), timeout=20)


def said(connection, question):
    connection.request("POST", "/v1/echo/ask", json.dumps({"question": question}))
    reply = connection.getresponse()
    return reply.status, json.loads(reply.read()).get("said"), reply.headers


def test_sigint_ends_it_when_all_is_answered(serving, limits):
    before = signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGINT)

    def ask(address, made):
        with closing(connected(address)) as connection:
            status, text, headers = said(connection, "a")
        threads = [one for one in threading.enumerate() if one.name.startswith("memnets")]
        # Should it die of something else, none of them holds the process.
        alone = {one.daemon for one in threads}
        return address, status, text, headers["server"], made.ready, alone

    ((address, *told),), made = serving(ask, signal.SIGINT)
    assert address.startswith("http://127.0.0.1:")
    assert told == [200, "a", None, True, {True}]
    assert not made.ready
    assert not [one for one in threading.enumerate() if one.name.startswith("memnets")]
    assert (signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGINT)) == before
    assert resource.getrlimit(resource.RLIMIT_NOFILE) == (limits, limits)


def test_sigterm_is_no_failure(serving):
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(SystemExit) as ended:
        serving(lambda address, made: None)
    assert ended.value.code == 0
    assert signal.getsignal(signal.SIGTERM) is before


def test_a_head_that_stalls_is_sent_away_and_no_other(serving):
    def ask(address, made):
        four = silent, half, busy, kept = [connected(address) for _ in range(4)]
        silent.connect()
        half.connect()
        half.sock.sendall(b"POST /v1/echo/ask HTTP/1.1\r\nHost:")
        replies = [said(kept, "a")[0], said(busy, "slow")[0]]  # the last takes its time
        ends = [one.sock.recv(100) for one in (silent, half)]
        replies.append(said(kept, "b")[0])
        kept.sock.sendall(b"POST /v1/")  # and does not go on
        ends.append(kept.sock.recv(100))
        for one in four:
            one.close()
        return replies, ends

    ((replies, ends),), _ = serving(ask, signal.SIGINT)
    assert replies == [200, 200, 200]
    assert ends == [b"", b"", b""]


def test_a_head_that_drips_is_sent_away(serving):
    def drip(address, made):
        with closing(connected(address)) as one:
            one.connect()
            one.sock.sendall(b"POST /v1/echo/ask HTTP/1.1\r\nX: ")
            one.sock.settimeout(0.02)
            for sent in range(int(40 * PATIENCE / 0.02)):
                with suppress(TimeoutError):
                    one.sock.sendall(b"x")
                    return one.sock.recv(100), sent > 1
        return None

    assert serving(drip, signal.SIGINT)[0] == [(b"", True)]


@pytest.mark.skipif(not socket.has_ipv6, reason="there are no such addresses here")
def test_an_address_of_the_newer_kind_stands_in_brackets(serving):
    def ask(address, made):
        with closing(connected(address)) as connection:
            return address.rpartition(":")[0], said(connection, "a")[0]

    assert serving(ask, signal.SIGINT, "::1")[0] == [("http://[::1]", 200)]


# Python leaves the socket of a port beyond all bounds open.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize(
    ("host", "port", "said"),
    [
        ("127.0.0.1", 70_000, r"^port 70000 of 127\.0\.0\.1 cannot be listened to \(.*0-65535"),
        ("no.such.host.invalid", 0, r"^port 0 of no\.such\.host\.invalid .* \(\[errno -\d+\] "),
    ],
)
def test_where_nothing_can_be_listened_to(host, port, said):
    with pytest.raises(ValueError, match=said):
        listen(host, port)


def test_how_it_is_run(monkeypatch, log, limits):
    made, seen = Service([thing(Echo())], Load(), Door()), []

    class Server:
        def __init__(self, config, started):
            self.config = config

        def run(self, sockets):
            seen.append((self.config, sockets))

    monkeypatch.setattr(server, "_Server", Server)
    with listen("127.0.0.1", 0) as listening:
        server.run(made, listening)
    ((config, sockets),) = seen
    assert sockets == [listening]
    assert (config.access_log, config.proxy_headers, config.server_header) == (False,) * 3
    assert (config.ws, config.log_config, config.limit_concurrency) == ("none", None, 4000)
    assert (config.timeout_keep_alive, config.timeout_graceful_shutdown) == (5, 30)


def test_what_goes_wrong_is_read_on_standard_error_once(log, capsys):
    for _ in range(2):
        server._log()
    log.info("films: %s", "it has changed")
    assert capsys.readouterr().err == "memnets: films: it has changed\n"


# Folders are looked at


class Looked:
    """A thing that is looked at; what it does then is taken from a list, the last for ever."""

    def __init__(self, name, *happens):
        self.made, self.happens = thing(Echo(), name), list(happens)
        self.looks = 0
        self.made.renew = self.renew

    def renew(self):
        time.sleep(0.001)
        self.looks += 1
        happens = self.happens.pop(0) if len(self.happens) > 1 else self.happens[0]
        if isinstance(happens, Exception):
            raise happens
        return happens


@pytest.mark.parametrize("again", [0.0, 1000.0])
def test_folders_are_looked_at_until_the_end(monkeypatch, caplog, again):
    monkeypatch.setattr(service, "EVERY", 0.001)
    monkeypatch.setattr(service, "AGAIN", again)
    still, changed = Looked("still", False), Looked("changed", True, False)
    broken = Looked("broken", ValueError("one"), ValueError("one"), ValueError("two"))
    made = Service([one.made for one in (broken, changed, still)], Load(), Door())
    with caplog.at_level(logging.INFO):
        made._watcher.start()
        for one in made.workers.values():
            one._threads[0].start()
        end = time.monotonic() + 20
        while min(still.looks, changed.looks) < 5 and time.monotonic() < end:
            time.sleep(0.001)
        made.stop()
    assert not [one for one in threading.enumerate() if one.name == "memnets watch"]
    assert still.looks >= 5
    told = [f"{one.levelname} {one.getMessage()}" for one in caplog.records]
    expected = ["WARNING broken: it has changed, and cannot be opened: one"]
    expected += ["WARNING broken: it has changed, and cannot be opened: two"] * (not again)
    assert [one for one in told if "broken" in one] == expected
    assert [one for one in told if "broken" not in one] == [
        "INFO changed: it has changed, and is asked as it is now"
    ]
    assert (broken.looks == 1) == bool(again)
