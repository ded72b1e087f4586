"""Runs the service until it is told to stop, and then answers what it has accepted."""

import signal
import sys
from collections.abc import Callable
from typing import Any

import uvicorn

from memnets.serve.app import Service, application

IDLE = 5
"""Seconds after which a connection that asks nothing more is closed."""
CONNECTIONS = 4000
"""Connections that are held at once; more are told to come again."""


def run(
    service: Service, host: str, port: int, started: Callable[[str], None] = lambda _: None
) -> None:
    """Serve until SIGINT or SIGTERM comes.

    Args:
        service: that is served.
        host: the address that is listened to.
        port: the same; 0 for any that is free.
        started: is told the address when questions are answered.

    Raises:
        OSError: the address cannot be listened to.
    """
    config = uvicorn.Config(
        application(service),
        host=host,
        port=port,
        access_log=False,
        log_config=None,
        server_header=False,
        date_header=True,
        timeout_keep_alive=IDLE,
        limit_concurrency=CONNECTIONS,
        ws="none",
    )
    server = _Server(config, started)
    before = signal.signal(signal.SIGTERM, _end)  # what uvicorn restores, and raises again
    try:
        server.run()
    finally:
        signal.signal(signal.SIGTERM, before)


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config, started: Callable[[str], None]) -> None:
        super().__init__(config)
        self._tell = started

    async def startup(self, sockets: Any = None) -> None:
        await super().startup(sockets)
        if self.started:
            host, port = self.servers[0].sockets[0].getsockname()[:2]
            self._tell(f"http://{f'[{host}]' if ':' in host else host}:{port}")


def _end(*_: object) -> None:
    sys.exit(0)
