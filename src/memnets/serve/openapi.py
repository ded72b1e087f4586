"""The description of the service, in OpenAPI: each thing with its own fields and examples."""

from collections.abc import Iterable
from typing import Any

from fastapi.openapi.utils import get_openapi

from memnets import __version__
from memnets.serve.things import Thing

ERRORS = {
    400: "The body is no JSON",
    401: "No token came, or another one",
    403: "A page of somebody else asked",
    408: "The body did not come to its end",
    413: "The body is too large",
    421: "The server is not reached by this name",
    422: "A field will not do, or the question cannot be answered; the reply says why",
    503: "Too many questions wait; come again when Retry-After says",
}
_ERROR = {
    "type": "object",
    "required": ["error"],
    "properties": {"error": {"type": "string"}, "field": {"type": "string"}},
}


def description(things: Iterable[Thing], routes: Iterable[Any], token: bool) -> dict[str, Any]:
    """Return the description of all that a server answers.

    Args:
        things: that are asked.
        routes: of all else.
        token: whether one has to be shown.
    """
    told = get_openapi(title="memnets", version=__version__, routes=list(routes))
    for thing in things:
        told["paths"][f"/v1/{thing.name}/ask"] = {"post": _asking(thing)}
    if token:
        scheme = {"type": "http", "scheme": "bearer"}
        told.setdefault("components", {})["securitySchemes"] = {"token": scheme}
        told["security"] = [{"token": []}]
    return told


def _asking(thing: Thing) -> dict[str, Any]:
    fields, examples = thing.opened.fields, thing.described["examples"]
    schema = {
        "type": "object",
        "additionalProperties": False,
        "required": [name for name, field in fields.items() if field.needed],
        "properties": {
            name: {"description": field.what} | field.schema for name, field in fields.items()
        },
    }
    shown = {f"example {n}": {"value": body} for n, body in enumerate(examples, start=1)}
    content: dict[str, Any] = {"schema": schema} | ({"examples": shown} if shown else {})
    replies = {
        str(status): {"description": said, "content": {"application/json": {"schema": _ERROR}}}
        for status, said in ERRORS.items()
    }
    return {
        "operationId": f"ask_{thing.name}",
        "summary": f"Ask {thing.name}",
        "description": thing.described["title"],
        "requestBody": {"required": True, "content": {"application/json": content}},
        "responses": {
            "200": {
                "description": "The answer with its evidence, as `ask --json` prints it",
                "content": {"application/json": {"schema": {"type": "object"}}},
            },
            **replies,
        },
    }
