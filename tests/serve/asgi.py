"""A client in the process: it talks to the application itself, without a socket."""

import asyncio
import json
from typing import Any, NamedTuple

from memnets.serve.app import application
from memnets.serve.guard import Door
from memnets.serve.service import Service
from memnets.serve.things import Thing
from memnets.serve.workers import Load


class Reply(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Client:
    """A service in an event loop that runs while something is asked."""

    def __init__(self, *things, load=Load(), door=Door(), **more):
        self.service = Service(things, load, door, **more)
        self.app = application(self.service)
        self.runner = asyncio.Runner()

    def __enter__(self):
        async def start():
            self.service.start()

        self.runner.run(start())
        return self

    def __exit__(self, *_):
        self.service.stop()
        self.runner.close()

    def post(self, name, body, **more):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        return self.request("POST", f"/v1/{name}/ask", data, **more)

    def get(self, path, **more):
        return self.request("GET", path, **more)

    def request(self, method, path, data=b"", **more):
        return self.runner.run(self.reply(method, path, data, **more))

    def run(self, coroutine):
        return self.runner.run(coroutine)

    async def reply(self, method, path, data=b"", headers=(), parts=None, host="localhost:8000"):
        """Send a request, whole or in parts, and return what comes; a part may be awaited."""
        told = {"host": host, **dict(headers)}
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "path": path,
            "raw_path": path.encode(),
            "root_path": "",
            "scheme": "http",
            "query_string": b"",
            "headers": [(name.lower().encode(), value.encode()) for name, value in told.items()],
            "server": ("127.0.0.1", 8000),
            "client": ("127.0.0.1", 1234),
        }
        coming, left = iter([data] if parts is None else parts), 1 if parts is None else len(parts)
        sent = []

        async def receive():
            nonlocal left
            if not left:
                await asyncio.Event().wait()  # who has sent all waits for the reply
            left -= 1
            part = next(coming)
            if asyncio.iscoroutine(part):
                part = await part
            if part is None:
                return {"type": "http.disconnect"}
            return {"type": "http.request", "body": part, "more_body": bool(left)}

        async def send(message):
            sent.append(message)

        await self.app(scope, receive, send)
        if not sent:
            return None
        headers = {name.decode().lower(): value.decode() for name, value in sent[0]["headers"]}
        body = b"".join(message.get("body", b"") for message in sent[1:])
        return Reply(sent[0]["status"], headers, body)


def thing(opened, name="echo"):
    """Return a thing that is no folder."""
    made = Thing.__new__(Thing)
    made.name, made.path, made.stamp, made.opened = name, None, (), opened
    made.described = {"name": name, "title": opened.title, "examples": []}
    made.renew = lambda: False
    return made
