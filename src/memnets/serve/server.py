"""Runs the service until it is told to stop, and then answers what it has accepted."""

import asyncio
import logging
import os
import signal
import socket
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import uvicorn
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from memnets.serve.app import application
from memnets.serve.service import LOG, Service

IDLE = 5
"""Seconds after which a connection that asks nothing more is closed."""
CONNECTIONS = 4000
"""Connections that are held at once; more are told to come again."""
BACKLOG = 2048
STOP = 30
"""Seconds that are left to answer what was accepted when the server is told to stop."""


def run(
    service: Service, listening: socket.socket, started: Callable[[str], None] = lambda _: None
) -> None:
    """Serve until SIGINT or SIGTERM comes.

    Args:
        service: that is served.
        listening: to where it is asked; see `listen`.
        started: is told the address when questions are answered.
    """
    config = uvicorn.Config(
        application(service),
        http=protocol(service.door.patience),
        ws="none",
        access_log=False,
        proxy_headers=False,
        log_config=None,
        server_header=False,
        timeout_keep_alive=IDLE,
        timeout_graceful_shutdown=STOP,
        limit_concurrency=CONNECTIONS,
    )
    _log()
    _raise_limit()
    before = signal.signal(signal.SIGTERM, _end)  # uvicorn puts it back, and raises SIGTERM again
    try:
        _Server(config, started).run([listening])
    except KeyboardInterrupt:
        pass
    finally:
        signal.signal(signal.SIGTERM, before)


def listen(host: str, port: int) -> socket.socket:
    """Listen to an address.

    Args:
        host: its name or number.
        port: the same; 0 for any that is free.

    Raises:
        ValueError: it cannot be listened to.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=BACKLOG)
    except (OSError, OverflowError) as error:
        number = error.errno if isinstance(error, OSError) else None
        reason = os.strerror(number) if number and number > 0 else str(error)
        raise ValueError(
            f"port {port} of {host} cannot be listened to ({reason.lower()}). Stop what listens "
            f"there, or pass another --port; 0 takes any that is free."
        ) from None


class _Server(uvicorn.Server):
    """Tells its address when it has begun."""

    def __init__(self, config: uvicorn.Config, started: Callable[[str], None]) -> None:
        super().__init__(config)
        self._tell = started

    async def startup(self, sockets: Any = None) -> None:
        await super().startup(sockets)
        if self.started:
            host, port = sockets[0].getsockname()[:2]
            self._tell(f"http://{f'[{host}]' if ':' in host else host}:{port}")


def protocol(patience: float) -> type[asyncio.Protocol]:
    """Return the protocol of connections that are closed where the head of a request stalls.

    Args:
        patience: seconds that a head may take.
    """

    class Patient(AutoHTTPProtocol):  # type: ignore[misc, valid-type]
        _stalls: asyncio.TimerHandle | None = None

        def connection_made(self, transport: Any) -> None:
            super().connection_made(transport)
            self._stalls = self.loop.call_later(patience, transport.close)

        def data_received(self, data: bytes) -> None:
            super().data_received(data)
            in_head = self.cycle is None or self.cycle.response_complete
            if in_head and self._stalls is None:
                self._stalls = self.loop.call_later(patience, self.transport.close)
            elif not in_head and self._stalls is not None:
                self._stalls.cancel()
                self._stalls = None

        def connection_lost(self, exc: Exception | None) -> None:
            if self._stalls is not None:
                self._stalls.cancel()
                self._stalls = None
            super().connection_lost(exc)

    return Patient


def _log() -> None:
    """Let what goes wrong be read on standard error, and nothing of a question."""
    if not LOG.handlers:
        handler = logging.StreamHandler()
        handler.setFormatter(logging.Formatter("memnets: %(message)s"))
        LOG.addHandler(handler)
        LOG.setLevel(logging.INFO)


def _raise_limit() -> None:
    """Let as many connections be open as the system allows."""
    try:
        import resource
    except ImportError:  # only where there is POSIX
        return
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def _end(_signal: int, _frame: FrameType | None) -> None:
    sys.exit(0)
