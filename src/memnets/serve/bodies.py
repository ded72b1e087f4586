"""What is posted: strict JSON, and the fields that a thing takes."""

import base64
import binascii
import json
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

MOST_LINES = 2000
"""Lines of a story, and points, at most: one question must not hold all others for long."""
MOST_LETTERS = 5_000
"""Of one text, at most."""
MOST_TOLD = 100_000
"""Letters of all lines together, at most."""
MOST_WRITTEN = 1000
"""Symbols that a language model goes on with, at most."""
MOST_SHOWN = 100
"""Sentences of documents, at most."""
MOST_COORDINATES = 16

Body = dict[str, Any]


class Refused(ValueError):  # noqa: N818, it is no fault
    """A request that will not do: the status of the reply, and a sentence that says why.

    Args:
        status: of the reply.
        error: what came, what was expected, and how to mend it.
        field: of the body that is meant, if one is.
        headers: of the reply.
    """

    def __init__(
        self,
        status: int,
        error: str,
        field: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(error)
        self.status, self.error, self.field = status, error, field
        self.headers = dict(headers or {})

    def to_json(self) -> dict[str, Any]:
        return {"error": self.error} | ({} if self.field is None else {"field": self.field})


class Field(NamedTuple):
    """A field of a body.

    Attributes:
        what: that is expected, in words.
        check: returns the value as it is asked with; raises a ValueError with what came instead.
        schema: the same as a JSON schema.
        needed: whether it must be there.
    """

    what: str
    check: Callable[[Any], Any]
    schema: dict[str, Any]
    needed: bool = True


def parse(data: bytes) -> Body:
    """Read a JSON object, and nothing that is not quite one.

    Raises:
        Refused: it is no JSON (400), or no object (422).
    """
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        raise Refused(
            400, f"byte {error.start} of the body is not UTF-8. Send JSON in UTF-8."
        ) from None
    try:
        body = json.loads(text, parse_constant=_no_number, object_pairs_hook=_each_once)
        if "\\u" in text:  # half a pair may be hidden in it, which no text can hold
            json.dumps(body, ensure_ascii=False).encode()
    except RecursionError:
        raise Refused(400, "the body is nested too deep. Send an object of plain fields.") from None
    except UnicodeEncodeError:
        raise Refused(
            400, "the body holds half of a surrogate pair, such as \\ud800. Send whole characters."
        ) from None
    except ValueError as error:
        raise Refused(400, f"the body is no JSON: {_brief(str(error))}. Send an object.") from None
    if not isinstance(body, dict):
        raise Refused(422, f"the body is {_kind(body)}; expected an object of fields.")
    return body


def check(body: Body, fields: Mapping[str, Field]) -> Body:
    """Return the fields of a body as they are asked with.

    Raises:
        Refused: one is missing, unknown or not as it should be (422).
    """
    for name in body:
        if name not in fields:
            known = ", ".join(fields)
            raise Refused(422, f"{_brief(name)!r}: no such field. Expected {known}.", _brief(name))
    checked = {}
    for name, field in fields.items():
        if name not in body:
            if field.needed:
                raise Refused(422, f"{name} is missing; expected {field.what}.", name)
            continue
        try:
            checked[name] = field.check(body[name])
        except ValueError as error:
            raise Refused(422, f"{name}: {error}; expected {field.what}.", name) from None
    return checked


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is no number of JSON")


def _each_once(pairs: Sequence[tuple[str, Any]]) -> Body:
    body = dict(pairs)
    if len(body) < len(pairs):
        raise ValueError("a field came twice")
    return body


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{_kind(value)} came")
    if not value.strip():
        raise ValueError("it is empty")
    if len(value) > MOST_LETTERS:
        raise ValueError(f"{len(value):,} characters came")
    return value


def _lines(value: Any) -> str | list[str]:
    if isinstance(value, str):
        if (lines := 1 + value.count("\n")) > MOST_LINES:
            raise ValueError(f"{lines:,} lines came")
        if len(value) > MOST_TOLD:
            raise ValueError(f"{len(value):,} characters came")
        return value
    if not isinstance(value, list):
        raise ValueError(f"{_kind(value)} came")
    if len(value) > MOST_LINES:
        raise ValueError(f"{len(value):,} came")
    for number, line in enumerate(value, start=1):
        if not isinstance(line, str):
            raise ValueError(f"{_kind(line)} came as number {number}")
    if (letters := sum(map(len, value))) > MOST_TOLD:
        raise ValueError(f"{letters:,} characters came")
    return value


def _points(value: Any) -> str | list[list[float]]:
    if isinstance(value, str):
        text = _lines(value)
        assert isinstance(text, str)
        return text
    if not isinstance(value, list):
        raise ValueError(f"{_kind(value)} came")
    if len(value) > MOST_LINES:
        raise ValueError(f"{len(value):,} points came")
    for number, point in enumerate(value, start=1):
        if not (isinstance(point, list) and 0 < len(point) <= MOST_COORDINATES):
            raise ValueError(f"{_kind(point)} came as point {number}")
        for coordinate in point:
            _number(coordinate)
    return value


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"{_kind(value)} came")
    try:
        finite = math.isfinite(value)
    except OverflowError:
        finite = False
    if not finite:
        raise ValueError("a number beyond all bounds came")
    return value


def _picture(value: Any) -> bytes:
    if not isinstance(value, str):
        raise ValueError(f"{_kind(value)} came")
    if value.startswith("data:"):
        value = value.partition(",")[2]
    try:
        data = base64.b64decode(value, validate=True)
    except (binascii.Error, ValueError):
        raise ValueError("no Base64 came") from None
    if not data:
        raise ValueError("it is empty")
    return data


def _within(least: int, most: float, whole: bool) -> Callable[[Any], float]:
    def checked(value: Any) -> float:
        number = _number(value)
        if (whole and not isinstance(number, int)) or not least <= number <= most:
            raise ValueError(f"{number!r:.40} came")
        return number

    return checked


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError(f"{_kind(value)} came")
    return value


def number(least: int, most: float, what: str, whole: bool = True) -> Field:
    """Return a field of a number that may be left out."""
    kind = "integer" if whole else "number"
    schema = {"type": kind, "minimum": least, "maximum": most, "description": what}
    name = "a whole number" if whole else "a number"
    expected = f"{name} from {least} to {most:,}: {what}"
    return Field(expected, _within(least, most, whole), schema, needed=False)


_LINES = {
    "anyOf": [
        {"type": "array", "items": {"type": "string"}, "maxItems": MOST_LINES},
        {"type": "string", "minLength": 1},
    ]
}
_WORDS = {"type": "string", "minLength": 1, "maxLength": MOST_LETTERS}
_BASE64 = {"type": "string", "contentEncoding": "base64"}
_POINTS = {
    "anyOf": [
        {
            "type": "array",
            "maxItems": MOST_LINES,
            "items": {"type": "array", "items": {"type": "number"}, "minItems": 1},
        },
        {"type": "string", "minLength": 1},
    ]
}
_OF_TEXT = f"a text of 1 to {MOST_LETTERS:,} characters"
_OF_LINES = f"a list of at most {MOST_LINES:,} texts and {MOST_TOLD:,} characters"

FIELDS = {
    "story": Field(f"{_OF_LINES}, the sentences, the oldest first; or one text", _lines, _LINES),
    "sentences": Field(f"{_OF_LINES}, those that may answer", _lines, _LINES),
    "facts": Field(f"{_OF_LINES}, each subject<TAB>relation<TAB>object", _lines, _LINES),
    "steps": Field(f"{_OF_LINES}, the steps, such as k12 v3", _lines, _LINES),
    "question": Field(f"{_OF_TEXT}, the question", _text, _WORDS),
    "text": Field(_OF_TEXT, _text, _WORDS),
    "points": Field(
        f"a list of at most {MOST_LINES:,} points, each a list of numbers", _points, _POINTS
    ),
    "image": Field("the bytes of a picture's file, in Base64", _picture, _BASE64),
    "picture": Field("the bytes of a picture's file, in Base64", _picture, _BASE64),
}
"""What an answerer may take, by the names of `memnets.experiments.answerer.PARTS`."""
SHOWN = number(1, MOST_SHOWN, "how many sentences are shown")
WRITING = {
    "length": number(1, MOST_WRITTEN, "how many symbols are written"),
    "temperature": number(0, 10, "0 takes the likeliest symbol", whole=False),
    "seed": number(0, 2**31 - 1, "of what is drawn"),
    "surprisal": Field(
        "true or false: whether to tell what surprises in the text, and not to go on with it",
        _flag,
        {"type": "boolean"},
        needed=False,
    ),
}
"""What a language model may be told besides."""


def _kind(value: Any) -> str:
    kinds = {dict: "an object", list: "a list", str: "a text", bool: "true or false"}
    return "nothing (null)" if value is None else kinds.get(type(value), "a number")


def _brief(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:80]} ..."
