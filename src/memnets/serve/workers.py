"""A thread of each thing answers what waits for it together; who comes when it is full is told.

The event loop hands over bodies and gets replies that are ready to be sent. What is computed never
holds the loop, and one thing never holds another.
"""

import asyncio
import queue
import threading
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from memnets.serve.apart import Told
from memnets.serve.bodies import Body, Refused
from memnets.serve.things import Thing, line_of

RETRY = "1"
"""Seconds after which one who was turned away may come again."""


class Load(NamedTuple):
    """How questions in flight are put together."""

    batch: int = 64
    """Questions that are answered together, at most."""
    wait: float = 0.0
    """Seconds that a question waits for others at most; those that are there go with it anyway."""
    queue: int = 512
    """Questions that wait for a thing, at most."""
    threads: int = 1
    """Of a thing: as many as it has processes of its own, or one."""


class Reply(NamedTuple):
    """What is sent back."""

    status: int
    body: bytes


_FAULT = "a fault of ours; the server's log tells more. Ask otherwise, and please report it."
FAILED = Reply(500, line_of({"error": _FAULT}).encode())


class _Waiting(NamedTuple):
    body: Body
    future: "asyncio.Future[Reply]"


class Worker:
    """Answers the questions to a thing in threads of its own.

    Args:
        thing: that is asked.
        load: how questions are put together.
        tell: is told of every batch: how many questions, and how many seconds they took.
        fault: is told of an error that is none of the asker's.
    """

    def __init__(
        self,
        thing: Thing,
        load: Load,
        tell: Callable[[int, float], None],
        fault: Callable[[Exception], None],
    ) -> None:
        self.thing, self.load = thing, load
        self.waiting = 0
        self._tell, self._fault = tell, fault
        self._queue: queue.SimpleQueue[_Waiting | None] = queue.SimpleQueue()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._threads = [
            threading.Thread(target=self._run, name=f"memnets {thing.name}", daemon=True)
            for _ in range(load.threads)
        ]

    def start(self, loop: asyncio.AbstractEventLoop) -> None:
        """Begin to answer; replies are given to this loop."""
        self._loop = loop
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Answer what waits, and end the threads."""
        for _ in self._threads:
            self._queue.put(None)
        for thread in self._threads:
            thread.join()

    def ask(self, body: Body) -> "asyncio.Future[Reply]":
        """Hand over a question; called in the loop.

        Raises:
            Refused: too many wait already (503).
        """
        assert self._loop is not None
        if self.waiting >= self.load.queue:
            raise Refused(
                503,
                f"{self.waiting:,} questions wait for {self.thing.name} already. Ask again in "
                f"{RETRY} s, or start the server with a longer --queue.",
                headers={"Retry-After": RETRY},
            )
        self.waiting += 1
        future: asyncio.Future[Reply] = self._loop.create_future()
        self._queue.put(_Waiting(body, future))
        return future

    def _run(self) -> None:
        import torch

        torch.set_num_threads(1)
        while (first := self._queue.get()) is not None:
            batch, ended = self._together(first)
            self._answer(batch)
            if ended:
                return

    def _together(self, first: _Waiting) -> tuple[list[_Waiting], bool]:
        """Return a question with those that wait, and come in time; and whether the end came."""
        batch, end = [first], time.monotonic() + self.load.wait
        while len(batch) < self.load.batch:
            try:
                left = end - time.monotonic() if self.load.wait else 0.0
                one = self._queue.get(timeout=left) if left > 0 else self._queue.get_nowait()
            except queue.Empty:
                break
            if one is None:
                return batch, True
            batch.append(one)
        return batch, False

    def _answer(self, batch: Sequence[_Waiting]) -> None:
        began = time.perf_counter()
        try:
            replies = self._replies([one.body for one in batch])
        except Exception as error:  # of the whole batch: a fault of ours
            self._fault(error)
            replies = [FAILED] * len(batch)
        self._tell(len(batch), time.perf_counter() - began)
        assert self._loop is not None
        self._loop.call_soon_threadsafe(self._deliver, batch, replies)

    def _replies(self, bodies: Sequence[Body]) -> list[Reply]:
        return [self._reply(*both) for both in zip(self.thing.lines(bodies), bodies, strict=True)]

    def _reply(self, told: Told, body: Body) -> Reply:
        if not isinstance(told, Exception):
            return Reply(200, told)
        if not isinstance(told, ValueError):
            self._fault(told)
            return FAILED
        asked = {"question": body["question"]} if "question" in body else {}
        return Reply(422, line_of(asked | {"error": str(told)}).encode())

    def _deliver(self, batch: Sequence[_Waiting], replies: Sequence[Reply]) -> None:
        self.waiting -= len(batch)
        for one, reply in zip(batch, replies, strict=True):
            if not one.future.done():  # who asked may have left
                one.future.set_result(reply)
