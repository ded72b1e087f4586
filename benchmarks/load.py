"""Load on a server, from a process of its own: connections that ask one question after another.

    python benchmarks/load.py --url http://127.0.0.1:8000/v1/NAME/ask --bodies bodies.jsonl

Prints one JSON record: how many were answered, how fast, and how long they took. Without --rate
each connection asks as soon as it is answered; with it, so many questions a second are due, and the
time of each counts from when it was due, so that a server that stalls cannot hide it.
"""

import asyncio
import json
import statistics
import sys
import time
from collections import Counter, deque
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import tyro


@dataclass(frozen=True)
class Options:
    """Ask a server again and again."""

    url: str
    """That is posted to."""
    bodies: Path
    """File of bodies, one a line; they are asked in turn."""
    connections: int = 32
    """That ask at once."""
    seconds: float = 5.0
    """How long."""
    warmup: float = 1.0
    """Seconds before, which do not count."""
    rate: float = 0.0
    """Questions a second; 0 for as many as are answered."""
    replies: Path | None = None
    """File for a reply to each body, one a line, to be compared."""


class Connection(asyncio.Protocol):
    """Asks, reads the reply, asks again."""

    def __init__(self, load: "Load") -> None:
        self.load, self.number, self.began = load, 0, 0.0
        self.buffer, self.wanted = bytearray(), -1
        self.transport: Any = None

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        self.load.free(self)

    def ask(self, number: int, began: float) -> None:
        self.number, self.began = number, began
        self.transport.write(self.load.requests[number])

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        if self.wanted < 0:
            end = self.buffer.find(b"\r\n\r\n")
            if end < 0:
                return
            head = bytes(self.buffer[:end]).lower()
            place = head.index(b"content-length:") + 15
            self.wanted = end + 4 + int(head[place:].partition(b"\r\n")[0])
        if len(self.buffer) >= self.wanted:
            self.load.answered(self, self.buffer)
            self.buffer, self.wanted = bytearray(), -1
            self.load.free(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self.load.lost += not self.load.ended


class Load:
    """All connections, and what came of them."""

    def __init__(self, options: Options) -> None:
        self.options, self.url = options, urlsplit(options.url)
        bodies = options.bodies.read_bytes().splitlines()
        self.requests = [self._request(body) for body in bodies]
        self.times: list[float] = []
        self.statuses: Counter[int] = Counter()
        self.replies: dict[int, str] = {}
        self.differ = self.lost = self.sent = 0
        self.ended = self.counting = False
        self.idle: deque[Connection] = deque()
        self.due: deque[float] = deque()

    def _request(self, body: bytes) -> bytes:
        head = (
            f"POST {self.url.path} HTTP/1.1\r\nHost: {self.url.netloc}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
        )
        return head.encode() + body

    def free(self, connection: Connection) -> None:
        if self.ended:
            return
        if not self.options.rate:
            self._ask(connection, time.perf_counter())
        elif self.due:
            self._ask(connection, self.due.popleft())
        else:
            self.idle.append(connection)

    def _ask(self, connection: Connection, began: float) -> None:
        self.sent += 1
        connection.ask(self.sent % len(self.requests), began)

    def answered(self, connection: Connection, reply: bytearray) -> None:
        if self.counting:
            self.times.append(time.perf_counter() - connection.began)
            self.statuses[int(reply[9:12])] += 1
        if self.options.replies is not None:
            text = reply.partition(b"\r\n\r\n")[2].decode()
            self.differ += self.replies.setdefault(connection.number, text) != text

    async def run(self) -> dict[str, Any]:
        loop, options = asyncio.get_running_loop(), self.options
        where = self.url.hostname, self.url.port
        for _ in range(options.connections):
            await loop.create_connection(lambda: Connection(self), *where)
        pace = asyncio.ensure_future(self._pace()) if options.rate else None
        await asyncio.sleep(options.warmup)
        self.counting, began = True, time.perf_counter()
        await asyncio.sleep(options.seconds)
        self.ended, self.counting = True, False
        seconds = time.perf_counter() - began
        if pace is not None:
            pace.cancel()
        if options.replies is not None:
            lines = (self.replies.get(number, "") for number in range(len(self.requests)))
            options.replies.write_text("".join(f"{line}\n" for line in lines), "utf-8")
        return self.record(seconds)

    async def _pace(self) -> None:
        step, due = 1 / self.options.rate, time.perf_counter()
        while True:
            now = time.perf_counter()
            while due <= now:
                if self.idle:
                    self._ask(self.idle.popleft(), due)
                else:
                    self.due.append(due)
                due += step
            await asyncio.sleep(max(0.0, min(due - now, 0.001)))

    def record(self, seconds: float) -> dict[str, Any]:
        cuts = statistics.quantiles(self.times, n=1000) if len(self.times) > 1 else [0.0] * 999
        return {
            "requests": len(self.times),
            "rate": len(self.times) / seconds,
            "p50_ms": 1e3 * cuts[499],
            "p99_ms": 1e3 * cuts[989],
            "most_ms": 1e3 * max(self.times, default=0.0),
            "statuses": {str(status): count for status, count in self.statuses.items()},
            "lost": self.lost,
            "differ": self.differ,
        }


def main(options: Options) -> None:
    """Ask, and print what came of it."""
    json.dump(asyncio.run(Load(options).run()), sys.stdout)
    print()


if __name__ == "__main__":
    main(tyro.cli(Options, description=__doc__))
