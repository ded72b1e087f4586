"""Who is let in, by which name, with how much, and how long it may take."""

import asyncio

import pytest
from asgi import Client, thing
from test_load import Echo

from memnets.serve.guard import HEADERS, Door

BODY = {"question": "a"}


@pytest.fixture(scope="module")
def door():
    with Client(thing(Echo()), door=Door(("films.example",), most=100, patience=0.05)) as client:
        yield client


@pytest.mark.parametrize(
    "host",
    ["localhost", "LOCALHOST:8000", "127.0.0.1:80", "[::1]:8000", "10.0.0.7", "films.example:443"],
)
def test_names_of_the_server(door, host):
    assert door.post("echo", BODY, host=host).status == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "", "[", "a:b:c"]
)
def test_another_name_is_refused(door, host):
    # A name of a stranger that was pointed at this machine would let his pages ask here.
    for reply in (door.post("echo", BODY, host=host), door.get("/", host=host)):
        assert reply.status == 421
        assert "this server is not called" in reply.json["error"]


def test_a_request_without_a_name_is_refused(door):
    assert door.post("echo", BODY, headers={"host": ""}).status == 421


@pytest.mark.parametrize(
    ("origin", "status"),
    [
        ("http://localhost:8000", 200),
        ("https://localhost:8000", 200),
        ("http://localhost:9000", 403),
        ("http://evil.example", 403),
        ("http://localhost:8000.evil.example", 403),
        ("null", 403),
        ("localhost:8000", 403),
        ("", 403),
    ],
)
def test_only_our_own_pages_may_ask(door, origin, status):
    assert door.post("echo", BODY, headers={"origin": origin}).status == status


def test_what_every_reply_forbids(door):
    replies = [door.get("/"), door.get("/nothing"), door.post("echo", BODY), door.post("echo", {})]
    replies += [door.get("/v1/things"), door.get("/", host="evil.example")]
    for reply in replies:
        assert {name: reply.headers[name] for name in HEADERS} == HEADERS
    assert "unsafe" not in HEADERS["content-security-policy"]
    assert "http" not in HEADERS["content-security-policy"]


def test_the_page(door):
    reply = door.get("/")
    assert (reply.status, reply.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert b"<title>" in reply.body
    assert door.get("/static/index.html").body == reply.body


def test_a_token_is_asked_for_where_there_is_one():
    with Client(thing(Echo()), door=Door(token="s3cret")) as client:
        shown = {"authorization": "Bearer s3cret"}
        for path in ("/v1/things", "/metrics", "/openapi.json"):
            assert client.get(path).status == 401
            assert client.get(path, headers=shown).status == 200
        assert client.post("echo", BODY, headers=shown).status == 200
        for wrong in ("", "Bearer", "Bearer s3cre", "Bearer s3cret ", "s3cret", "Bearer S3CRET"):
            reply = client.post("echo", BODY, headers={"authorization": wrong})
            assert (reply.status, reply.headers["www-authenticate"]) == (401, "Bearer")
            assert "s3cret" not in str(reply)
        for path in ("/", "/healthz", "/readyz", "/static/index.html"):
            assert client.get(path).status == 200
        assert client.get("/openapi.json", headers=shown).json["security"] == [{"token": []}]


def test_the_token_is_compared_in_constant_time(monkeypatch):
    seen = []
    monkeypatch.setattr("hmac.compare_digest", lambda *both: seen.append(both))
    with Client(thing(Echo()), door=Door(token="s3cret")) as client:
        client.post("echo", BODY, headers={"authorization": "Bearer wrong"})
    assert seen == [(b"Bearer wrong", b"Bearer s3cret")]


class Parts(list):
    """Parts of a body, and how many were taken."""

    taken = 0

    def __iter__(self):
        for part in super().__iter__():
            self.taken += 1
            yield part


def test_a_huge_body_is_refused_before_all_of_it_is_read(door):
    parts = Parts([b"x" * 60] * 50)
    reply = door.request("POST", "/v1/echo/ask", parts=parts)
    assert (reply.status, parts.taken, reply.headers["connection"]) == (413, 2, "close")
    assert "larger than 100 bytes" in reply.json["error"]


@pytest.mark.parametrize("length", ["101", "104857600", "9" * 400])
def test_a_body_that_says_it_is_huge_is_refused_at_once(door, length):
    parts = Parts([b"x"])
    headers = {"content-length": length}
    reply = door.request("POST", "/v1/echo/ask", parts=parts, headers=headers)
    assert (reply.status, parts.taken) == (413, 0)


def test_a_body_in_parts_is_read(door):
    parts = [b'{"ques', b'tion": ', b'"a"}']
    assert door.request("POST", "/v1/echo/ask", parts=parts).json == {"said": "a"}
    assert door.request("POST", "/v1/echo/ask", parts=[b"x" * 101]).status == 413


@pytest.mark.parametrize("before", [0, 1, 3])
def test_a_body_that_stalls_is_not_waited_for(door, before):
    parts = [b" "] * before + [asyncio.sleep(30, b"{}")]
    reply = door.request("POST", "/v1/echo/ask", parts=parts)
    assert (reply.status, reply.headers["connection"]) == (408, "close")
    assert reply.json["error"].startswith("the body did not come to its end within 0.05 s.")


def test_a_body_that_drips_is_not_waited_for(door):
    parts = [asyncio.sleep(0.01, b" ") for _ in range(50)]
    reply = door.request("POST", "/v1/echo/ask", parts=parts)
    for part in parts:
        part.close()
    assert reply.status == 408


@pytest.mark.parametrize("parts", [[None], [b"{", None]])
def test_who_leaves_while_sending_gets_nothing(door, parts):
    assert door.request("POST", "/v1/echo/ask", parts=parts) is None
    assert 'status="499"' in door.get("/metrics").body.decode()
