"""What is served: things, a worker each, and who looks whether they have changed on disk."""

import asyncio
import logging
import threading
import time
from collections.abc import Sequence
from functools import partial

from memnets.serve.bodies import Refused, check, parse
from memnets.serve.guard import Door, Receive, Scope, Send, body_of, respond
from memnets.serve.metrics import Metrics
from memnets.serve.things import Thing
from memnets.serve.workers import FAILED, Load, Worker

EVERY = 0.25
"""Seconds from one look at the folders of what is served to the next."""
AGAIN = 5.0
"""Seconds until what could not be opened is tried again."""
LOG = logging.getLogger("memnets.serve")


class Service:
    """Things that are asked: a worker each, and who looks whether they have changed.

    Args:
        things: that are served.
        load: how their questions are put together.
        door: who is let in.
        log_questions: whether what is asked is written to the log.
    """

    def __init__(
        self, things: Sequence[Thing], load: Load, door: Door, log_questions: bool = False
    ) -> None:
        self.things = {thing.name: thing for thing in things}
        self.door, self.log_questions = door, log_questions
        self.metrics = Metrics(self.things)
        self.workers = {
            thing.name: Worker(thing, load, self.metrics.batch(thing.name), self._fault)
            for thing in things
        }
        for name, worker in self.workers.items():
            self.metrics.waiting(name, partial(getattr, worker, "waiting"))
        self.ready = False
        self._later: dict[str, float] = {}
        self._said: dict[str, str] = {}
        self._ended = threading.Event()
        self._watcher = threading.Thread(target=self._watch, name="memnets watch", daemon=True)

    def start(self) -> None:
        """Start the threads; called in the event loop."""
        loop = asyncio.get_running_loop()
        for worker in self.workers.values():
            worker.start(loop)
        self._watcher.start()
        self.ready = True

    def stop(self) -> None:
        """Answer what waits, and end the threads."""
        self.ready = False
        self._ended.set()
        self._watcher.join()
        for worker in self.workers.values():
            worker.stop()

    def _watch(self) -> None:
        while not self._ended.wait(EVERY):
            for thing in self.things.values():
                if time.monotonic() >= self._later.get(thing.name, 0.0):
                    self._renew(thing)

    def _renew(self, thing: Thing) -> None:
        try:
            if thing.renew():
                LOG.info("%s: it has changed, and is asked as it is now", thing.name)
        except Exception as error:  # it is being written, or damaged: what was there answers
            self._later[thing.name] = time.monotonic() + AGAIN
            if self._said.get(thing.name) != str(error):
                self._said[thing.name] = str(error)
                LOG.warning("%s: it has changed, and cannot be opened: %s", thing.name, error)

    def _fault(self, error: Exception) -> None:
        LOG.error("a fault of ours", exc_info=error)

    async def ask(self, name: str, scope: Scope, receive: Receive, send: Send) -> int:
        """Answer a question, or say why not, and return the status."""
        try:
            worker = self.workers.get(name)
            if worker is None:
                raise self._unknown(name)
            data = await body_of(scope, receive, self.door)
            if data is None:
                return 499
            body = check(parse(data), worker.thing.opened.fields)
            if self.log_questions:
                LOG.info("%s: %s", name, data.decode())
            reply = await worker.ask(body)
        except Refused as refused:
            await respond(send, refused.status, refused.to_json(), refused.headers)
            return refused.status
        except Exception as error:
            self._fault(error)
            reply = FAILED
        await respond(send, *reply)
        return reply.status

    def _unknown(self, name: str) -> Refused:
        known = ", ".join(self.things)
        return Refused(404, f"{name[:80]!r}: no such thing. Expected one of {known}.")
