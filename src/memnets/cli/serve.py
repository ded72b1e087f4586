"""`memnets serve`: answer over HTTP, and in the browser."""

import os
import threading
import webbrowser
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import tyro

from memnets.cli import quickstart
from memnets.cli.options import parse
from memnets.cli.terminal import say

TOKEN = "MEMNETS_TOKEN"
OPEN = "whoever reaches {} may ask. Pass --token-file to ask for a token."
LEAST: dict[str, float] = {
    **{"port": 0, "batch_size": 1, "batch_wait_ms": 0, "queue": 1, "processes": 0},
    **{"body": 1000, "patience": 0.1},
}
LOOPBACK = ("127.0.0.1", "::1", "localhost")


@dataclass(frozen=True)
class Serve:
    """Answer questions over HTTP and on a page in the browser.

    Each folder is a trained run, a knowledge base or a store of documents. Each is asked by its
    name: that of its folder, or NAME where it is given as NAME=FOLDER. Without a folder, the run of
    `memnets quickstart` is served, and trained first if it is not there. Ctrl-C stops the server
    after it has answered what it has accepted.
    """

    things: tyro.conf.Positional[tuple[str, ...]] = ()
    """Folders, or NAME=FOLDER."""
    host: str = "127.0.0.1"
    """Address to listen to; by default only this machine can reach the server."""
    port: int = 8000
    """Port to listen to; 0 takes any free one."""
    names: tuple[str, ...] = ()
    """Further host names under which the server is reached, such as those of a proxy."""
    token_file: Path | None = None
    """File with a token that every request must show; or set MEMNETS_TOKEN to the token itself."""
    batch_size: int = 64
    """Questions to one thing that are answered together, at most."""
    batch_wait_ms: float = 0.0
    """Milliseconds that a question waits for others to be answered with."""
    queue: int = 512
    """Questions that wait for one thing, at most; more are told to come again."""
    processes: int = 0
    """Processes of each thing that answer its questions, for more than one core; 0: the server's
    own process answers."""
    body: int = 2**20
    """Bytes of a request, at most."""
    patience: float = 10.0
    """Seconds within which a request must have come to its end."""
    log_questions: bool = False
    """Whether to write to standard error what is asked; by default nothing of it is."""
    browser: Literal["look", "yes", "no"] = "look"
    """Whether to open the page in a browser; look: yes if no folder is named."""

    def __post_init__(self) -> None:
        for name, least in LEAST.items():
            value = getattr(self, name)
            if not least <= value < float("inf"):
                option = f"--{name.replace('_', '-')}"
                raise ValueError(f"{option} {value}: expected a number of at least {least}.")


def main(arguments: Sequence[str]) -> int:
    """Open all, and serve them.

    Raises:
        ModuleNotFoundError: what serves is not installed.
    """
    options = parse(Serve, arguments, prog="memnets serve")
    try:
        from memnets.serve.server import listen, run
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            f"to serve takes {error.name}, which is not installed. "
            f"Run: pip install 'memnets[serve]'"
        ) from None
    from memnets.serve.guard import Door
    from memnets.serve.service import Service
    from memnets.serve.things import named_paths, open_things
    from memnets.serve.workers import Load

    door = Door(options.names, _token(options.token_file), options.body, options.patience)
    threads = max(1, options.processes)
    load = Load(options.batch_size, options.batch_wait_ms / 1000, options.queue, threads)
    with listen(options.host, options.port) as listening:
        if door.token is None and options.host not in LOOPBACK:
            say(f"memnets: {OPEN.format(options.host)}", error=True)
        if not options.things:
            quickstart.trained(quickstart.FOLDER)
        named = named_paths(options.things or (str(quickstart.FOLDER),))
        things = open_things(
            named, lambda one: say(f"{one.name}: {one.opened.title}"), options.processes
        )

        def started(address: str) -> None:
            say(f"{address} answers; Ctrl-C stops it")
            if options.browser == "yes" or (options.browser == "look" and not options.things):
                threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()

        run(Service(things, load, door, options.log_questions), listening, started)
    return 0


def _token(file: Path | None) -> str | None:
    """Return the token that has to be shown, if any.

    Raises:
        ValueError: it is empty, or no plain ASCII.
    """
    token = os.environ.get(TOKEN) if file is None else file.read_text("utf-8").strip()
    if token is not None and not (token and token.isascii() and token.isprintable()):
        where = f"--token-file {file}" if file else TOKEN
        raise ValueError(
            f"{where}: expected a token of printable ASCII characters, such as that of "
            f"`openssl rand -hex 32`."
        )
    return token
