"""What is asked over HTTP, in processes of their own: servers, and load on them."""

import json
import subprocess
import sys
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

from memnets.inference import load_run

HERE = Path(__file__).parent
JSON = {"Content-Type": "application/json"}


@contextmanager
def server(*command: str) -> Iterator[str]:
    """Start a server, and yield its address, which it prints; stop it at the end."""
    process = subprocess.Popen(
        [sys.executable, "-u", *command], stdout=subprocess.PIPE, text=True, encoding="utf-8"
    )
    assert process.stdout is not None
    try:
        for line in process.stdout:
            if line.startswith("http://"):
                yield line.split()[0]
                break
        else:
            raise ValueError(f"{' '.join(command)} ended with {process.wait()}; see above.")
    finally:
        process.terminate()
        process.wait()


def memnets(*words: str) -> list[str]:
    """Return the command of a server of ours, on any port that is free."""
    return ["-m", "memnets", "serve", *words, "--port", "0", "--browser", "no"]


def plain(path: Path) -> list[str]:
    """Return the command of the plainest server of the same thing."""
    return [str(HERE / "serve_plain.py"), str(path)]


def load(address: str, name: str, bodies: Path, **options: Any) -> dict[str, Any]:
    """Ask a server for some seconds, and return what came of it.

    Raises:
        ValueError: something else than answers came.
    """
    words = [word for key, value in options.items() for word in (f"--{key}", str(value))]
    url = f"{address}/v1/{name}/ask"
    command = [sys.executable, str(HERE / "load.py"), "--url", url, "--bodies", str(bodies)]
    done = subprocess.run([*command, *words], check=True, capture_output=True, text=True)
    record: dict[str, Any] = json.loads(done.stdout)
    if set(record["statuses"]) != {"200"} or record["lost"]:
        raise ValueError(f"{url}: expected answers alone; came {record}.")
    return record


def first_answer(address: str, name: str, bodies: Path) -> bytes:
    """Ask one question, for which a server may open what it needs, and return the reply."""
    with bodies.open("rb") as file:
        request = urllib.request.Request(f"{address}/v1/{name}/ask", next(file), JSON)
    with urllib.request.urlopen(request) as reply:
        told: bytes = reply.read()
        return told


def figure(address: str, name: str) -> float:
    """Return a figure of a server's metrics."""
    with urllib.request.urlopen(f"{address}/metrics") as reply:
        lines = reply.read().decode().splitlines()
    return float(next(line for line in lines if line.startswith(f"{name} ")).split()[1])


def asked_of(run: Path) -> list[dict[str, Any]]:
    """Return what may be asked of the quick start's run: stories of its test data."""
    answerer = load_run(run)
    return [
        {"story": [one.text for one in answer.steps[0].supports], "question": answer.question}
        for task in (1, 2)
        for answer in islice(answerer.examples("test", task), 300)
        if not answer.unread
    ]


def write_bodies(bodies: Sequence[Any], path: Path) -> Path:
    """Write what is asked, one body a line."""
    path.write_text("".join(f"{json.dumps(body)}\n" for body in bodies), "utf-8")
    return path
