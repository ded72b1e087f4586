"""Runs the service until it is told to stop, and then answers what it has accepted."""

import asyncio
import logging
import signal
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
    service: Service, host: str, port: int, started: Callable[[str], None] = lambda _: None
) -> None:
    """Serve until SIGINT or SIGTERM comes.

    Args:
        service: that is served.
        host: the address that is listened to.
        port: the same; 0 for any that is free.
        started: is told the address when questions are answered.
    """
    config = uvicorn.Config(
        application(service),
        host=host,
        port=port,
        http=protocol(service.door.patience),
        ws="none",
        access_log=False,
        proxy_headers=False,
        log_config=None,
        server_header=False,
        timeout_keep_alive=IDLE,
        timeout_graceful_shutdown=STOP,
        limit_concurrency=CONNECTIONS,
        backlog=BACKLOG,
    )
    _log()
    before = signal.signal(signal.SIGTERM, _end)  # uvicorn puts it back, and raises SIGTERM again
    try:
        _Server(config, started).run()
    except KeyboardInterrupt:
        pass
    finally:
        signal.signal(signal.SIGTERM, before)


class _Server(uvicorn.Server):
    """Tells its address when it has begun."""

    def __init__(self, config: uvicorn.Config, started: Callable[[str], None]) -> None:
        super().__init__(config)
        self._tell = started

    async def startup(self, sockets: Any = None) -> None:
        await super().startup(sockets)
        if self.started:
            host, port = self.servers[0].sockets[0].getsockname()[:2]
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


def _end(_signal: int, _frame: FrameType | None) -> None:
    sys.exit(0)
