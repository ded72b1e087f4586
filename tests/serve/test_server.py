"""The server as a process, on real sockets: stopped, killed, stalled, rebuilt under load."""

import http.client
import json
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

import memnets
from conftest import unchecked

pytestmark = pytest.mark.slow
FILMS = ("Alien", "Up", "Red")
PATIENCE = 3.0


class Served:
    """A server in a process of its own."""

    def __init__(self, *words):
        self.connections = []
        command = [sys.executable, "-u", "-m", "memnets", "serve", *map(str, words)]
        self.process = subprocess.Popen(
            [*command, "--port", "0"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for line in self.process.stdout:
            if line.startswith("http://"):
                self.port = int(line.split()[0].rpartition(":")[2])
                break

    def connect(self):
        self.connections.append(http.client.HTTPConnection("127.0.0.1", self.port, timeout=60))
        return self.connections[-1]

    def ask(self, name, connection=None, **body):
        connection = connection or self.connect()
        connection.request("POST", f"/v1/{name}/ask", json.dumps(body))
        reply = connection.getresponse()
        return reply.status, json.loads(reply.read())

    def stop(self, how=signal.SIGTERM):
        self.process.send_signal(how)
        status = self.process.wait(60)
        told = self.process.stderr.read()
        self.process.stdout.close()
        self.process.stderr.close()
        return status, told


@contextmanager
def served(*words):
    server = Served(*words)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.stop(signal.SIGKILL)
        for connection in server.connections:
            connection.close()


@pytest.fixture
def films(tmp_path):
    kb = memnets.build_kb(facts(0), tmp_path / "films.kb")
    with unchecked():
        kb.train(questions=100, show=False)
    return kb.path


def facts(number):
    return [(film, "directed_by", f"Director {number}") for film in FILMS]


def test_what_was_accepted_is_answered_on_sigterm(films):
    with served(films, "--batch-size", "1", "--batch-wait-ms", "0") as server:
        connections = [server.connect() for _ in range(200)]
        body = json.dumps({"question": "who directed Alien?"})
        for connection in connections:
            connection.request("POST", "/v1/films.kb/ask", body)
        idle = server.connect()
        idle.connect()
        # All heads have come when a last one is answered, as one thread takes them in turn.
        assert server.ask("films.kb", question="who directed Up?")[0] == 200
        status, told = server.stop()
        replies = [connection.getresponse() for connection in connections]
        assert {reply.status for reply in replies} == {200}
        assert {json.loads(reply.read())["text"] for reply in replies} == {"Director 0"}
        assert (status, told) == (0, "")
        with pytest.raises(ConnectionRefusedError):
            server.connect().connect()


def test_ctrl_c_stops_it_without_a_traceback(films):
    with served(films) as server:
        assert server.stop(signal.SIGINT) in ((0, ""), (130, "memnets: stopped.\n"))


def test_killed_and_started_again(films):
    for how in (signal.SIGKILL, signal.SIGTERM):
        with served(films) as server:
            assert server.ask("films.kb", question="who directed Up?")[1]["text"] == "Director 0"
            server.stop(how)


def test_500_who_never_end_hold_nobody_and_are_sent_away(films):
    with served(films, "--patience", PATIENCE) as server, ExitStack() as held:
        slow = [
            held.enter_context(socket.create_connection(("127.0.0.1", server.port)))
            for _ in range(500)
        ]
        head = b"POST /v1/films.kb/ask HTTP/1.1\r\nHost: localhost\r\n"
        for number, one in enumerate(slow):
            # A head that does not end; a body that does not.
            one.sendall(head if number % 2 else head + b"Content-Length: 50\r\n\r\n{")
        for _ in range(50):
            assert server.ask("films.kb", question="who directed Up?")[0] == 200
        began, dripping = time.monotonic(), set(slow)
        while dripping and time.monotonic() < began + 10 * PATIENCE:
            for one in list(dripping):
                try:
                    one.sendall(b"X")
                    one.settimeout(0.001)
                    reply = one.recv(4096)
                except TimeoutError:
                    continue
                except OSError:
                    reply = b""
                assert reply in (b"",) or reply.startswith(b"HTTP/1.1 4"), reply[:100]
                dripping.discard(one)
            time.sleep(0.1)
        assert not dripping


def test_100_mb_are_refused_without_being_read(films):
    with served(films) as server:
        connection = server.connect()
        connection.putrequest("POST", "/v1/films.kb/ask")
        connection.putheader("Transfer-Encoding", "chunked")
        connection.endheaders()
        chunk, sent = b"10000\r\n" + b"x" * 2**16 + b"\r\n", 0
        try:
            while sent < 100 * 2**20:
                connection.send(chunk)
                sent += 2**16
        except OSError:
            pass  # sent away
        assert sent < 50 * 2**20
        assert server.ask("films.kb", question="who directed Up?")[0] == 200


def test_rebuilt_a_hundred_times_no_answer_is_wrong_or_lost(films):
    with served(films) as server:
        built, ended, wrong, asked = [0], threading.Event(), [], [0] * 4

        def ask(who):
            connection = server.connect()
            while not ended.is_set():
                before = built[0]
                status, reply = server.ask("films.kb", connection, question="who directed Up?")
                after = built[-1] + 1  # may be in force before we know
                said = reply.get("text", "")
                number = int(said.rpartition(" ")[2]) if said.startswith("Director ") else -1
                if status != 200 or not 0 <= number <= after:
                    wrong.append((before, after, status, reply))
                asked[who] += 1

        threads = [threading.Thread(target=ask, args=(who,)) for who in range(len(asked))]
        for thread in threads:
            thread.start()
        for number in range(1, 101):
            memnets.build_kb(facts(number), films)
            built[0] = number
        end = time.monotonic() + 60
        while server.ask("films.kb", question="who directed Up?")[1]["text"] != "Director 100":
            assert time.monotonic() < end
            time.sleep(0.05)
        ended.set()
        for thread in threads:
            thread.join()
        assert wrong == []
        assert min(asked) > 50
        handles = Path(f"/proc/{server.process.pid}/fd")
        assert not handles.exists() or len(list(handles.iterdir())) < 200
