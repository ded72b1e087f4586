"""The HTTP of what is served: each thing under its name, and what is told of all."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles

from memnets import __version__
from memnets.serve.guard import Guard, Receive, Scope, Send, respond
from memnets.serve.openapi import description
from memnets.serve.service import Service
from memnets.serve.things import line_of

STATIC = Path(__file__).with_name("static")


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
    token = service.door.token is not None

    def openapi() -> dict[str, Any]:  # anew each time: what is served may have changed
        return description(service.things.values(), app.routes, token)

    app.openapi = openapi  # type: ignore[method-assign]
    app.add_exception_handler(HTTPException, _refused)
    _tell(app, service)
    app.mount("/static", StaticFiles(directory=STATIC), name="static")
    return Guard(Asking(app, service), service.door)


class Asking:
    """Takes `/v1/NAME/ask`, which has to be quick, past all that other requests go through.

    Args:
        app: that answers all else.
        service: that is asked.
    """

    def __init__(self, app: Any, service: Service) -> None:
        self.app, self.service = app, service

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        name = asked_name(scope["path"]) if scope["type"] == "http" else None
        if name is None:
            await self.app(scope, receive, send)
            return
        with self.service.metrics.request(name) as request:
            if scope["method"] == "POST":
                request.status = await self.service.ask(name, scope, receive, send)
            else:
                request.status = 405
                error = {"error": f"{scope['method']} will not do here; expected POST."}
                await respond(send, 405, error, {"Allow": "POST"})


def asked_name(path: str) -> str | None:
    """Return the name in `/v1/NAME/ask`; None of any other path."""
    begin, end = "/v1/", "/ask"
    if path.startswith(begin) and path.endswith(end) and path.count("/") == 3:
        return path[len(begin) : -len(end)]
    return None


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
