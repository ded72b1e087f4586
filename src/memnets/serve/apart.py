"""A thing that answers in processes of its own: an interpreter uses one core at a time."""

import multiprocessing
import queue
import signal
import traceback
import weakref
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from memnets.serve.bodies import Body

Told = bytes | Exception
"""An answer as it is sent, or why there is none."""
Opener = Callable[[Path], Any]
"""A function of a module, which returns what has `lines(bodies)`."""


class Apart:
    """Processes that have a thing open, each of which answers what it is handed.

    They end with the object, and with the process that started them, however that ends. One that
    is lost is started again, and asked again.

    Args:
        open_it: opens the thing, in each of them.
        path: of the thing.
        processes: how many there are.

    Raises:
        ChildProcessError: one could not open the thing.
    """

    def __init__(self, open_it: Opener, path: Path, processes: int) -> None:
        self.open_it, self.path = open_it, path
        self._free: queue.SimpleQueue[_Process] = queue.SimpleQueue()
        started = [_Process(open_it, path) for _ in range(processes)]  # all open at once
        for process in started:
            process.wait()
            self._free.put(process)
        self._end = weakref.finalize(self, _end, self._free)

    def lines(self, bodies: Sequence[Body]) -> list[Told]:
        """Answer several bodies; waits where every process answers others."""
        process = self._free.get()
        try:
            try:
                return process.lines(bodies)
            except (EOFError, OSError):
                process.end()
                process = _Process(self.open_it, self.path)
                process.wait()
                return process.lines(bodies)
        finally:
            self._free.put(process)


class _Process:
    """One process, and the pipe that leads to it."""

    def __init__(self, open_it: Opener, path: Path) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, other = context.Pipe()
        self.process = context.Process(
            target=_answer, args=(open_it, path, other), name=f"memnets {path.name}", daemon=True
        )
        self.process.start()
        other.close()

    def wait(self) -> None:
        """Wait until the thing is open.

        Raises:
            ChildProcessError: it could not be opened.
        """
        try:
            wrong = self.pipe.recv()
        except (EOFError, OSError):
            wrong = "the process that was to answer ended"
        if wrong is not None:
            self.end()
            raise ChildProcessError(wrong)

    def lines(self, bodies: Sequence[Body]) -> list[Told]:
        self.pipe.send(bodies)
        found: list[Told] = self.pipe.recv()
        return found

    def end(self) -> None:
        """Close the pipe, at which the process ends; once."""
        if self.pipe.closed:
            return
        self.pipe.close()
        self.process.join(1.0)
        if self.process.exitcode is None:
            self.process.kill()
            self.process.join()
        self.process.close()


def _end(free: "queue.SimpleQueue[_Process]") -> None:
    while not free.empty():
        free.get().end()


def _answer(open_it: Opener, path: Path, pipe: Connection) -> None:
    """Open a thing, and answer until the pipe is closed; the other end sees to signals."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        opened = open_it(path)
    except Exception as error:
        pipe.send(f"{type(error).__name__}: {error}")
        return
    pipe.send(None)
    while True:
        try:
            bodies = pipe.recv()
            pipe.send([_portable(one) for one in opened.lines(bodies)])
        except (EOFError, OSError):
            return


def _portable(told: Told) -> Told:
    """Return an error as one that any process can read, with what led to it."""
    if not isinstance(told, Exception):
        return told
    if isinstance(told, ValueError):
        return ValueError(str(told))
    return RuntimeError("".join(traceback.format_exception(told)))
