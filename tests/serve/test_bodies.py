"""What will not do is refused with a 4xx and a sentence that names it; nothing gets a 500."""

import json
from types import SimpleNamespace

import pytest
from asgi import Client, thing
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memnets.serve.bodies import MOST_LETTERS, MOST_LINES
from memnets.serve.things import OpenedRun

GOOD = {"story": ["Mary went to the kitchen."], "question": "Where is Mary?"}
ASKED = b'{"story": ["Mary went home."], "question": %s}'


def refused(reply):
    """Whether a reply is a 4xx with a sentence, and nothing of ours in it."""
    error = reply.json["error"]
    assert 400 <= reply.status < 500, (reply.status, reply.body)
    assert isinstance(error, str)
    assert error.rstrip().endswith((".", "?", ")")), error
    assert "Traceback" not in error
    return reply


@pytest.mark.parametrize(
    ("body", "status", "said"),
    [
        (b"", 400, "no JSON"),
        (b"{", 400, "no JSON"),
        (b"\xff\xfe{}", 400, "byte 0 of the body is not UTF-8"),
        (b'{"story": ["\xed\xa0\x80"]}', 400, "is not UTF-8"),
        (b"[" * 100_000, 400, "nested too deep"),
        (b'{"a":' * 100_000, 400, "nested too deep"),
        (ASKED % b"NaN", 400, "NaN is no number of JSON"),
        (ASKED % b"-Infinity", 400, "-Infinity is no number of JSON"),
        (ASKED % rb'"\ud800"', 400, "surrogate"),
        (rb'{"\udc00": 1}', 400, "surrogate"),
        (b'{"question": "a", "question": "b"}', 400, "a field came twice"),
        (b'{"question": "a", "question": "a"}', 400, "a field came twice"),
        (b"1" * 5000, 400, "no JSON"),
        (b"[]", 422, "the body is a list"),
        (b"null", 422, "the body is nothing (null)"),
        (b'"Where is Mary?"', 422, "the body is a text"),
        (b"1e999", 422, "the body is a number"),
    ],
)
def test_what_is_no_object(client, body, status, said):
    reply = refused(client.post("stories", body))
    assert reply.status == status
    assert said in reply.json["error"]


@pytest.mark.parametrize(
    ("name", "change", "field", "said"),
    [
        ("stories", {"story": None}, "story", "nothing (null) came"),
        ("stories", {"story": 3}, "story", "a number came"),
        ("stories", {"story": {}}, "story", "an object came"),
        ("stories", {"story": ["a", 1]}, "story", "a number came as number 2"),
        ("stories", {"story": ["a", ["b"]]}, "story", "a list came as number 2"),
        ("stories", {"story": ["a"] * (MOST_LINES + 1)}, "story", "2,001 came"),
        ("stories", {"story": "a\n" * MOST_LINES}, "story", "2,001 lines came"),
        ("stories", {"story": ["a" * 100_001]}, "story", "100,001 characters came"),
        ("stories", {"story": "a" * 100_001}, "story", "100,001 characters came"),
        ("stories", {"question": ""}, "question", "it is empty"),
        ("stories", {"question": " \n"}, "question", "it is empty"),
        ("stories", {"question": ["a?"]}, "question", "a list came"),
        ("stories", {"question": True}, "question", "true or false came"),
        ("stories", {"question": "a" * (MOST_LETTERS + 1)}, "question", "characters came"),
        ("stories", {"question": ...}, "question", "question is missing"),
        ("stories", {"gold": "kitchen"}, "gold", "no such field. Expected story, question."),
        ("stories", {"x" * 300: 1}, "x" * 80 + " ...", "no such field"),
        ("films", {"story": ["a"]}, "story", "no such field. Expected question."),
        ("texts", {"most": 0}, "most", "0 came; expected a whole number from 1 to 100"),
        ("texts", {"most": 101}, "most", "101 came"),
        ("texts", {"most": 2.5}, "most", "2.5 came"),
        ("texts", {"most": True}, "most", "true or false came"),
        ("texts", {"most": 10**400}, "most", "a number beyond all bounds came"),
    ],
)
def test_a_field_that_will_not_do_is_named(client, name, change, field, said):
    body = {**(GOOD if name == "stories" else {"question": "who?"}), **change}
    reply = refused(client.post(name, {key: one for key, one in body.items() if one is not ...}))
    assert reply.status == 422
    assert reply.json["field"] == field
    assert said in reply.json["error"]


@pytest.mark.parametrize("body", [{"story": []}, {"story": [""]}, {"story": ["Is she in?"]}])
def test_a_story_that_cannot_be_read(client, body):
    assert refused(client.post("stories", GOOD | body)).status == 422


@pytest.mark.parametrize(
    "name", ["nothing", "..", "../stories", "stories ", "", "%2e%2e", "\x00", "x" * 500]
)
def test_a_name_that_is_not_served(client, name):
    reply = refused(client.post(name, GOOD))
    assert reply.status == 404
    if "/" not in name:
        assert reply.json["error"].endswith("Expected one of stories, films, texts.")
        assert len(reply.json["error"]) < 500


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/v1/stories/ask", 405),
        ("PUT", "/v1/stories/ask", 405),
        ("POST", "/v1/things", 405),
        ("GET", "/nothing", 404),
        ("GET", "/static/../app.py", 404),
        ("GET", "/static/../../../../etc/passwd", 404),
        ("GET", "/docs", 404),
        ("GET", "/redoc", 404),
    ],
)
def test_what_is_not_there(client, method, path, status):
    assert refused(client.request(method, path)).status == status


PICTURE = {"image": "iVBORw0KGgo=", "question": "what colour is it?"}


class Sees:
    """Stands for a model of pictures: it reads the file, and looks no further."""

    run = SimpleNamespace(kind="sees")
    takes, may_take, gives, name = ("image", "question"), (), "answer", "sees"

    def ask(self, images, question):
        from memnets.data.pictures.images import read_image

        read_image(images[0])
        raise AssertionError


def _bomb():
    """A picture of a few bytes that says it is of 60,000 x 60,000 pixels."""
    import base64
    import struct
    import zlib

    def chunk(kind, data):
        check = zlib.crc32(kind + data)
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", check)

    head = struct.pack(">IIBBBBB", 60_000, 60_000, 8, 2, 0, 0, 0)
    data = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"0"))
    return base64.b64encode(data).decode()


@pytest.mark.parametrize(
    ("image", "said"),
    [
        ("no Base64!", "no Base64 came"),
        ("", "it is empty"),
        ("/etc/passwd", "no Base64 came"),
        ("QUJD", "no picture that can be read"),
        (PICTURE["image"], "image: "),
        (_bomb(), "image: "),
        (7, "a number came"),
    ],
)
def test_pictures_that_lie(image, said):
    with Client(thing(OpenedRun(Sees()), "sees")) as client:
        reply = refused(client.post("sees", PICTURE | {"image": image}))
    assert reply.status == 422
    assert said in reply.json["error"]
    assert "memnets-" not in reply.json["error"]  # where the file lay


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda some: (
        st.lists(some, max_size=4) | st.dictionaries(st.text(max_size=8), some, max_size=4)
    ),
    max_leaves=12,
)
FIELDS = st.sampled_from(["story", "question", "most", "text", "image", "points", ""])
BODIES = st.one_of(
    st.binary(max_size=60),
    JSON.map(json.dumps).map(str.encode),
    st.dictionaries(FIELDS, JSON | st.lists(st.text()), max_size=4).map(json.dumps).map(str.encode),
    st.builds(lambda body, end: json.dumps(body)[:end].encode(), JSON, st.integers(0, 60)),
)


def answered_or_refused(client, name, body):
    reply = client.post(name, body)
    if reply.status != 200:
        refused(reply)


def malformed(examples):
    def check(client):
        @settings(
            max_examples=examples,
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
        )
        @given(st.sampled_from(["stories", "films", "texts"]), BODIES)
        def each(name, body):
            answered_or_refused(client, name, body)

        each()

    return check


def test_malformed_bodies(client):
    malformed(25)(client)


@pytest.mark.slow
def test_a_thousand_malformed_bodies(client):
    malformed(1000)(client)


def test_a_fault_of_ours_is_seen(things, caplog, monkeypatch):
    # What the tests above would see: a 500, whose reply tells nothing, and a log that does.
    def broken(*_):
        raise KeyError("secret")

    with Client(*things) as client:
        monkeypatch.setattr(type(things[1].opened), "ask", broken)
        reply = client.post("films", {"question": "who?"})
        assert (reply.status, "secret" in str(reply)) == (500, False)
        assert "secret" in caplog.text
        with pytest.raises(AssertionError):
            answered_or_refused(client, "films", b'{"question": "who?"}')
        monkeypatch.setattr("memnets.serve.service.parse", broken)
        assert client.post("films", {"question": "who?"}).status == 500
