"""Ending a run early, by a person's wish or because it has come apart."""

import signal
import threading
from types import FrameType, TracebackType
from typing import Any


class Interrupted(SystemExit):
    """The run was asked to stop, and did after writing a checkpoint; it can be resumed."""

    def __init__(self) -> None:
        super().__init__(130)  # what a shell reports after Ctrl-C


class DivergenceError(ValueError):
    """A loss or a weight is no longer a finite number."""


class StopRequest:
    """Ctrl-C or SIGTERM, noted so that the update can be finished; the second one ends at once."""

    def __init__(self) -> None:
        self.asked = False
        self._before: dict[signal.Signals, Any] = {}

    def __enter__(self) -> "StopRequest":
        if threading.current_thread() is threading.main_thread():  # no other may set handlers
            for number in (signal.SIGINT, signal.SIGTERM):
                self._before[number] = signal.signal(number, self._note)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self.asked:
            raise KeyboardInterrupt
        self.asked = True
