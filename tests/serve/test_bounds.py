"""What is just within bounds is taken as it came, what is just beyond them is refused in words."""

import asyncio
from contextlib import closing

import pytest
from asgi import Client, thing
from test_load import Echo

from memnets.serve.app import asked_name
from memnets.serve.bodies import (
    FIELDS,
    MOST_COORDINATES,
    MOST_LETTERS,
    MOST_LINES,
    MOST_TOLD,
    SHOWN,
    WRITING,
    Refused,
    check,
)
from memnets.serve.guard import Door

ALL = {**FIELDS, **WRITING, "most": SHOWN}


def taken(name, value):
    return check({name: value}, {name: ALL[name]})[name]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("story", one) for one in (["a"] * MOST_LINES, [], "\n" * (MOST_LINES - 1), "")),
        *(("facts", one) for one in ("x" * MOST_TOLD, ["x" * (MOST_TOLD - 1), "y"], ["x"])),
        *(("question", one) for one in ("x" * MOST_LETTERS, " x ", "x")),
        *(("points", one) for one in ([[1, 2.5]] * MOST_LINES, [[0.0] * MOST_COORDINATES], "1,2")),
        *(("temperature", one) for one in (0, 10, 0.5)),
        *(("length", one) for one in (1, 1000)),
        *(("seed", one) for one in (0, 2**31 - 1)),
        *(("most", one) for one in (1, 100)),
        *(("surprisal", one) for one in (True, False)),
    ],
    ids=lambda one: one if isinstance(one, str) and one in ALL else "",
)
def test_what_is_just_within_bounds_is_taken_as_it_is(name, value):
    assert taken(name, value) == value
    assert type(taken(name, value)) is type(value)


LINES = "expected a list of at most 2,000 texts and 100,000 characters, the sentences"
POINTS = "expected a list of at most 2,000 points, each a list of numbers."
TEMPERATURE = "expected a number from 0 to 10: 0 takes the likeliest symbol."


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("story", ["a"] * (MOST_LINES + 1), f"2,001 came; {LINES}"),
        ("story", "\n" * MOST_LINES, f"2,001 lines came; {LINES}"),
        ("story", "x" * (MOST_TOLD + 1), f"100,001 characters came; {LINES}"),
        ("story", ["x" * MOST_TOLD, "y"], f"100,001 characters came; {LINES}"),
        ("question", "x" * (MOST_LETTERS + 1), "5,001 characters came; expected a text of 1 to 5,"),
        ("points", [[1]] * (MOST_LINES + 1), f"2,001 points came; {POINTS}"),
        ("points", [[1], [0] * (MOST_COORDINATES + 1)], f"a list came as point 2; {POINTS}"),
        ("points", [[]], f"a list came as point 1; {POINTS}"),
        ("points", [[1], [2], 3], f"a number came as point 3; {POINTS}"),
        ("points", [[1, True]], f"true or false came; {POINTS}"),
        ("points", [[1, 10**400]], f"a number beyond all bounds came; {POINTS}"),
        ("points", [[1, "2"]], f"a text came; {POINTS}"),
        ("points", {"1": 2}, f"an object came; {POINTS}"),
        ("points", "\n" * MOST_LINES, f"2,001 lines came; {POINTS}"),
        ("temperature", -0.01, f"-0.01 came; {TEMPERATURE}"),
        ("temperature", 10.01, f"10.01 came; {TEMPERATURE}"),
        ("temperature", float("inf"), f"a number beyond all bounds came; {TEMPERATURE}"),
        ("length", 0, "0 came; expected a whole number from 1 to 1,000: how many symbols are wri"),
        ("length", 1001, "1001 came; expected a whole number from 1 to 1,000"),
        ("length", 2.0, "2.0 came; expected a whole number from 1 to 1,000"),
        ("seed", -1, "-1 came; expected a whole number from 0 to 2,147,483,647: of what is drawn."),
        ("seed", 2**31, "2147483648 came"),
        ("most", 1.5, "1.5 came; expected a whole number from 1 to 100: how many sentences are sh"),
        ("surprisal", 1, "a number came; expected true or false"),
        ("surprisal", None, "nothing (null) came; expected true or false"),
        ("image", "", "it is empty; expected the bytes of a picture's file, in Base64."),
        ("picture", ["QUJD"], "a list came; expected the bytes of a picture's file, in Base64."),
    ],
    ids=range(27),
)
def test_what_is_just_beyond_bounds_is_refused(name, value, said):
    with pytest.raises(Refused) as refused:
        taken(name, value)
    assert refused.value.status == 422
    assert refused.value.to_json()["field"] == name
    assert refused.value.error.startswith(f"{name}: {said}")


def test_a_picture_is_its_bytes_with_or_without_what_it_is():
    assert taken("picture", "QUJD") == taken("image", "data:image/png;base64,QUJD") == b"ABC"


def test_what_may_be_left_out_stays_out():
    fields = {name: ALL[name] for name in ("text", *WRITING)}
    assert check({"text": "a"}, fields) == {"text": "a"}
    with pytest.raises(Refused) as refused:
        check({"length": 2}, fields)
    said = "text is missing; expected a text of 1 to 5,000 characters."
    assert refused.value.to_json() == {"error": said, "field": "text"}


@pytest.mark.parametrize(("length", "shown"), [(80, "x" * 80), (81, "x" * 80 + " ...")])
def test_a_field_that_nobody_knows_is_named_by_its_beginning(length, shown):
    with pytest.raises(Refused) as refused:
        check({"x" * length: 1}, ALL)
    assert refused.value.field == shown
    assert refused.value.error.startswith(f"{shown!r}: no such field. Expected story, sentences,")


def test_a_field_is_told_with_its_bounds():
    assert {name: field.needed for name, field in ALL.items()} == {
        **dict.fromkeys(FIELDS, True),
        **dict.fromkeys([*WRITING, "most"], False),
    }
    assert SHOWN.schema == {
        **{"type": "integer", "minimum": 1, "maximum": 100},
        "description": "how many sentences are shown",
    }
    told = WRITING["temperature"].schema
    assert (told["type"], told["minimum"], told["maximum"]) == ("number", 0, 10)


@pytest.mark.parametrize(
    ("path", "name"),
    [
        *(("/v1/a/ask", "a"), ("/v1/a.b-c/ask", "a.b-c"), ("/v1//ask", ""), ("/v1/ask/ask", "ask")),
        *((path, None) for path in ("/v1/ask", "/v1/a/b/ask", "/v2/a/ask", "/v1/a/asks", "/v1/a")),
        *((path, None) for path in ("/", "v1/a/ask/", "/v1/a/ask/", "/x/v1/ask")),
    ],
)
def test_who_is_asked_stands_in_the_address(path, name):
    assert asked_name(path) == name


@pytest.fixture(scope="module")
def client():
    with Client(thing(Echo()), door=Door(most=40, token="s3cret")) as client:
        yield client


SHOWN_TOKEN = {"authorization": "Bearer s3cret"}


@pytest.mark.parametrize(("size", "status"), [(40, 200), (41, 413)])
@pytest.mark.parametrize("told", [True, False])
@pytest.mark.parametrize("cut", [None, 20])
def test_a_body_may_be_of_so_many_bytes_and_no_more(client, size, status, told, cut):
    data = b'{"question": "%s"}' % (b"a" * (size - 16))
    assert len(data) == size
    headers = SHOWN_TOKEN | ({"content-length": str(size)} if told else {})
    parts = [data] if cut is None else [data[:cut], data[cut:]]
    reply = client.request("POST", "/v1/echo/ask", headers=headers, parts=parts)
    assert reply.status == status
    if status == 200:
        assert reply.json == {"said": "a" * (size - 16)}


@pytest.mark.parametrize(
    ("method", "path", "status", "said"),
    [
        ("GET", "/v1/echo/ask", 405, "GET will not do here; expected POST."),
        ("POST", "/v1/things", 405, "POST will not do for '/v1/things'. See /openapi.json."),
        (
            *("GET", "/" + "x" * 90, 404),
            f"'/{'x' * 79}': there is nothing here. See /v1/things and /openapi.json.",
        ),
    ],
)
def test_what_will_not_do_is_told_with_what_will(client, method, path, status, said):
    reply = client.request(method, path, headers=SHOWN_TOKEN)
    assert (reply.status, reply.json) == (status, {"error": said})
    allowed = {"/v1/echo/ask": "POST", "/v1/things": "GET"}.get(path)
    assert reply.headers.get("allow") == allowed
    assert reply.headers["content-type"] == "application/json"


def test_a_reply_says_how_many_bytes_it_has(client):
    reply = client.post("echo", {"question": "ä€"}, headers=SHOWN_TOKEN)
    assert reply.json == {"said": "ä€"}
    assert int(reply.headers["content-length"]) == len(reply.body) > len(reply.body.decode())
    assert reply.headers["content-type"] == "application/json"


@pytest.mark.parametrize(
    "shown", [None, "s3cret", "Bearer s3cre", "Bearer s3cret ", "bearer s3cret"]
)
def test_whoever_shows_no_token_learns_nothing(client, shown):
    headers = {} if shown is None else {"authorization": shown}
    for path in ("/v1/things", "/metrics", "/openapi.json", "/static", "/healthz/"):
        reply = client.get(path, headers=headers)
        assert (reply.status, reply.headers["www-authenticate"]) == (401, "Bearer")
        assert reply.json["error"].startswith("no token came, or another one. Send it: Auth")
    for path in ("/healthz", "/readyz"):
        assert client.get(path, headers=headers).json == {"status": "ok"}


def test_it_is_not_ready_before_it_is_begun():
    with closing(asyncio.Runner()) as runner:
        client = Client(thing(Echo()))
        client.runner.close()
        client.runner = runner
        reply = client.get("/readyz")
        assert (reply.status, reply.json) == (503, {"status": "not ready"})
        assert client.get("/healthz").status == 200


def test_another_name_is_told_by_its_beginning(client):
    error = client.get("/healthz", host="x" * 100).json["error"]
    assert error.startswith(f"this server is not called '{'x' * 80}'. Reach it by its address")
    origin = {"origin": f"http://{'x' * 100}"}
    error = client.get("/healthz", headers=origin).json["error"]
    assert error == f"a page of 'http://{'x' * 73}' asked; expected one of this server."


def test_seconds_in_the_model_are_counted_beside_how_many_were_asked():
    with Client(thing(Echo(), "one"), thing(Echo(), "other")) as client:
        made = client.service.metrics
        made.batch("one")(3, 0.25)
        made.count("one", 200, 0.004)
        made.waiting("other", lambda: 7)
        told = client.get("/metrics")
    assert told.headers["content-type"] == made.media_type
    lines = told.body.decode().splitlines()
    for line in (
        'memnets_batch_questions_sum{thing="one"} 3.0',
        'memnets_model_seconds_total{thing="one"} 0.25',
        'memnets_requests_total{status="200",thing="one"} 1.0',
        'memnets_request_seconds_bucket{le="0.002",thing="one"} 0.0',
        'memnets_request_seconds_bucket{le="0.005",thing="one"} 1.0',
        'memnets_batch_questions_bucket{le="2.0",thing="one"} 0.0',
        'memnets_batch_questions_bucket{le="4.0",thing="one"} 1.0',
        'memnets_waiting{thing="one"} 0.0',
        'memnets_waiting{thing="other"} 7.0',
    ):
        assert line in lines
