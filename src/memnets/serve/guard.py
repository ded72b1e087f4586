"""The door of the server: who may come in, by which name, with how much, and how long it may take.

A page of a stranger must not ask what is served here: a browser says by which name it reached us
(`Host`; a stranger's name that was pointed at this machine is not ours) and from which page it
asks (`Origin`). Nothing that is sent back may load, frame or run anything that is not our own.
"""

import asyncio
import hmac
import ipaddress
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, NamedTuple

from memnets.serve.bodies import Refused
from memnets.serve.things import line_of

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

LOCAL = ("localhost",)
"""Names that every server may be reached by; addresses in numbers are no names."""
OPEN = ("/", "/healthz", "/readyz")
"""What is shown without a token: it tells nothing of what is served."""
HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self' data: blob:; connect-src 'self'; font-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "no-store",
}
_HEADERS = [(name.encode(), value.encode()) for name, value in HEADERS.items()]


class Door(NamedTuple):
    """Who is let in, and with what."""

    hosts: tuple[str, ...] = ()
    """Further names by which the server may be reached."""
    token: str | None = None
    """That has to be shown, if any."""
    most: int = 2**20
    """Bytes of a body, at most."""
    patience: float = 10.0
    """Seconds within which a body has to be there."""


class Guard:
    """Stands before an application.

    Args:
        app: what is guarded.
        door: who is let in.
    """

    def __init__(self, app: Any, door: Door) -> None:
        self.app, self.door = app, door
        self._hosts = {name.lower() for name in (*LOCAL, *door.hosts)}
        self._known: dict[bytes, bool] = {}
        self._bearer = None if door.token is None else f"Bearer {door.token}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def guarded(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *_HEADERS]
            await send(message)

        try:
            self._let_in(scope)
        except Refused as refused:
            await respond(guarded, refused.status, refused.to_json(), refused.headers)
            return
        await self.app(scope, receive, guarded)

    def _let_in(self, scope: Scope) -> None:
        """Refuse a request under another name, from another's page, or without the token.

        Raises:
            Refused: it is one.
        """
        host = origin = shown = None
        for name, value in scope["headers"]:
            if name == b"host":
                host = value
            elif name == b"origin":
                origin = value
            elif name == b"authorization":
                shown = value
        if host is None or not self._is_ours(host):
            raise Refused(
                421,
                f"this server is not called {(host or b'').decode('latin-1')[:80]!r}. Reach it by "
                f"its address, or start it with --names and that name.",
            )
        if origin is not None and origin.partition(b"://")[2] != host:
            raise Refused(
                403,
                f"a page of {origin.decode('latin-1')[:80]!r} asked; expected one of this server.",
            )
        path = scope["path"]
        if self._bearer is None or path in OPEN or path.startswith("/static/"):
            return
        if shown is None or not hmac.compare_digest(shown, self._bearer):
            raise Refused(
                401,
                "no token came, or another one. Send it: Authorization: Bearer TOKEN",
                headers={"WWW-Authenticate": "Bearer"},
            )

    def _is_ours(self, host: bytes) -> bool:
        known = self._known.get(host)
        if known is None:
            known = _name_of(host.decode("latin-1")) in self._hosts or _is_address(host)
            if len(self._known) < 64:
                self._known[host] = known
        return known


async def body_of(scope: Scope, receive: Receive, door: Door) -> bytes | None:
    """Return the body of a request; None where whoever sent it has left.

    Raises:
        Refused: it is too large (413), or does not come to its end (408).
    """
    for name, value in scope["headers"]:
        if name == b"content-length" and value.isdigit() and int(value[:20]) > door.most:
            raise _too_large(door)
    message = await _next(receive, door.patience)
    data: bytes = message.get("body", b"")
    if message["type"] == "http.disconnect":
        return None
    if not message.get("more_body") and len(data) <= door.most:
        return data
    return await _rest(message, receive, door)


async def _next(receive: Receive, seconds: float) -> MutableMapping[str, Any]:
    try:
        async with asyncio.timeout(seconds):
            return await receive()
    except TimeoutError:
        raise _too_late(seconds) from None


async def _rest(message: MutableMapping[str, Any], receive: Receive, door: Door) -> bytes | None:
    """Read a body that comes in parts; all of them together have as long as one."""
    parts, size = [], 0
    try:
        async with asyncio.timeout(door.patience):
            while True:
                if message["type"] == "http.disconnect":
                    return None
                part = message.get("body", b"")
                parts.append(part)
                size += len(part)
                if size > door.most:
                    raise _too_large(door)
                if not message.get("more_body"):
                    return b"".join(parts)
                message = await receive()
    except TimeoutError:
        raise _too_late(door.patience) from None


def _too_large(door: Door) -> Refused:
    # The rest is not read, so that the connection is of no further use.
    return Refused(
        413,
        f"the body is larger than {door.most:,} bytes. Send less at once, or start the server "
        f"with a larger --body.",
        headers={"Connection": "close"},
    )


def _too_late(seconds: float) -> Refused:
    return Refused(
        408,
        f"the body did not come to its end within {seconds:g} s. Send it faster, or a shorter one.",
        headers={"Connection": "close"},
    )


async def respond(
    send: Send, status: int, body: Any, headers: MutableMapping[str, str] | None = None
) -> None:
    """Send a record as JSON, or bytes that are JSON."""
    data = body if isinstance(body, bytes) else line_of(body).encode()
    told = [(b"content-type", b"application/json"), (b"content-length", str(len(data)).encode())]
    told += [(name.lower().encode(), value.encode()) for name, value in (headers or {}).items()]
    await send({"type": "http.response.start", "status": status, "headers": told})
    await send({"type": "http.response.body", "body": data})


def _name_of(host: str) -> str:
    """Return a host without its port."""
    if host.startswith("["):
        return host.partition("]")[0][1:].lower()
    return host.partition(":")[0].lower()


def _is_address(host: bytes) -> bool:
    try:
        ipaddress.ip_address(_name_of(host.decode("latin-1")))
    except ValueError:
        return False
    return True
