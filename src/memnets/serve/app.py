"""The HTTP of what is served: each thing under its name, and what is told of all."""

import asyncio
import logging
import threading
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles

from memnets import __version__
from memnets.serve.bodies import Refused, check, parse
from memnets.serve.guard import Door, Guard, Receive, Scope, Send, body_of, respond
from memnets.serve.metrics import Metrics
from memnets.serve.openapi import described
from memnets.serve.things import Thing, line_of
from memnets.serve.workers import Load, Worker

STATIC = Path(__file__).with_name("static")
EVERY = 0.25
"""Seconds from one look at the folders of what is served to the next."""
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
        self.metrics = Metrics(self)
        self.workers = {
            thing.name: Worker(thing, load, self.metrics.batch(thing.name), self._fault)
            for thing in things
        }
        self.ready = False
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
                self._renew(thing)

    def _renew(self, thing: Thing) -> None:
        try:
            if thing.renew():
                LOG.info("%s: it has changed, and is asked as it is now", thing.name)
        except Exception as error:  # it is being written, or damaged: what was there answers
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
        await respond(send, *reply)
        return reply.status

    def _unknown(self, name: str) -> Refused:
        known = ", ".join(self.things)
        return Refused(404, f"{name[:80]!r}: no such thing. Expected one of {known}.")


def application(service: Service) -> Any:
    """Return the application of a service, to be run by any ASGI server."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        service.start()
        try:
            yield
        finally:
            await asyncio.to_thread(service.stop)

    app = FastAPI(
        title="memnets",
        version=__version__,
        docs_url=None,  # their scripts come from elsewhere
        redoc_url=None,
        lifespan=lifespan,
    )
    app.openapi = lambda: described(service, app.routes)  # type: ignore[method-assign]
    app.add_exception_handler(HTTPException, _refused)
    _tell(app, service)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    return Guard(Asking(app, service), service.door)


class Asking:
    """Takes `POST /v1/NAME/ask`, which has to be quick, past all that other requests go through.

    Args:
        app: that answers all else.
        service: that is asked.
    """

    def __init__(self, app: Any, service: Service) -> None:
        self.app, self.service = app, service

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] == "POST":
            path: str = scope["path"]
            if path.startswith("/v1/") and path.endswith("/ask") and path.count("/") == 3:
                name = path[4:-4]
                with self.service.metrics.request(name) as done:
                    done.status = await self.service.ask(name, scope, receive, send)
                return
        await self.app(scope, receive, send)


def _tell(app: FastAPI, service: Service) -> None:
    """Add what is told of the things and of the server."""

    @app.get("/v1/things", summary="What is served, how it is asked, and examples")
    async def things() -> Response:
        told = {"things": [thing.described for thing in service.things.values()]}
        return _json(told)

    @app.get("/healthz", summary="Whether the server is alive")
    async def healthz() -> Response:
        return _json({"status": "ok"})

    @app.get("/readyz", summary="Whether it answers questions")
    async def readyz() -> Response:
        ready = service.ready
        return _json({"status": "ok" if ready else "not ready"}, 200 if ready else 503)

    @app.get("/metrics", summary="Figures for Prometheus")
    async def metrics() -> Response:
        return Response(service.metrics.text(), media_type=service.metrics.media_type)

    @app.get("/", include_in_schema=False)
    async def page() -> Response:
        return FileResponse(STATIC / "index.html")


def _json(record: Any, status: int = 200) -> Response:
    return Response(line_of(record), status, media_type="application/json")


async def _refused(request: Request, error: Exception) -> Response:
    """Say in a sentence what FastAPI says in two words."""
    assert isinstance(error, HTTPException)
    path, method = request.url.path, request.method
    told = {
        404: f"{path[:80]!r}: there is nothing here. See /v1/things and /openapi.json.",
        405: f"{method} will not do for {path[:80]!r}. See /openapi.json.",
    }.get(error.status_code, str(error.detail))
    reply = _json({"error": told}, error.status_code)
    reply.headers.update(error.headers or {})
    return reply
