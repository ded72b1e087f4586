"""Many who ask at once: together, in turn, turned away where it is full, and none by another."""

import asyncio
import threading
import time

import pytest
from asgi import Client, thing

from memnets.serve.bodies import FIELDS
from memnets.serve.things import Opened
from memnets.serve.workers import Load


class Echo(Opened):
    """Says the question again, and waits for leave before each batch."""

    kind, title, takes, gives = "echo", "says it again", ("question",), "answer"

    def __init__(self, held=False):
        self.fields = {"question": FIELDS["question"]}
        self.batches, self.leave, self.begun = [], threading.Event(), threading.Event()
        if not held:
            self.leave.set()

    def ask_all(self, bodies):
        self.begun.set()
        assert self.leave.wait(30)
        self.batches.append([body["question"] for body in bodies])
        return super().ask_all(bodies)

    def ask(self, body):
        if body["question"] == "raise":
            raise ValueError("it was told to raise.")
        return {"said": body["question"]}

    def examples(self):
        return iter(())


def asking(client, name, *questions):
    bodies = (b'{"question": "%s"}' % one.encode() for one in questions)
    return [client.reply("POST", f"/v1/{name}/ask", body) for body in bodies]


async def begun(echo, *coroutines):
    """Begin to ask, and return the tasks when the first batch is being answered."""
    tasks = [asyncio.ensure_future(one) for one in coroutines]
    while not echo.begun.is_set():
        await asyncio.sleep(0.001)
    for _ in range(5 * len(tasks)):
        await asyncio.sleep(0)
    return tasks


def test_what_waits_is_answered_together_each_with_its_own():
    echo = Echo(held=True)
    with Client(thing(echo), load=Load(batch=3)) as client:

        async def all_of_them():
            first = await begun(echo, *asking(client, "echo", "0"))
            rest = await begun(echo, *asking(client, "echo", "1", "raise", "2", "3", "4"))
            echo.leave.set()
            return await asyncio.gather(*first, *rest)

        replies = client.run(all_of_them())
    assert echo.batches == [["0"], ["1", "raise", "2"], ["3", "4"]]
    assert [reply.json.get("said") for reply in replies] == ["0", "1", None, "2", "3", "4"]
    assert (replies[2].status, replies[2].json["error"]) == (422, "it was told to raise.")


def test_a_batch_waits_for_others_as_long_as_it_is_told():
    for wait, batches in ((0.0, 2), (20.0, 1)):
        echo = Echo()
        with Client(thing(echo), load=Load(batch=2, wait=wait)) as client:

            async def two(client=client, echo=echo, wait=wait):
                first = asyncio.ensure_future(asking(client, "echo", "a")[0])
                while not wait and not echo.batches:
                    await asyncio.sleep(0.001)
                await asyncio.sleep(0.01)
                return await asyncio.gather(first, *asking(client, "echo", "b"))

            client.run(two())
        assert len(echo.batches) == batches


def test_who_comes_when_it_is_full_is_told_to_come_again():
    echo, other = Echo(held=True), Echo()
    with Client(thing(echo), thing(other, "other"), load=Load(batch=1, queue=3)) as client:

        async def five():
            tasks = await begun(echo, *asking(client, "echo", "0", "1", "2"))
            late = await asking(client, "echo", "3")[0]
            elsewhere = await asking(client, "other", "4")[0]  # is not held by it
            alive = await client.reply("GET", "/healthz")
            told = (await client.reply("GET", "/metrics")).body.decode()
            assert 'memnets_waiting{thing="echo"} 3.0' in told
            assert 'memnets_waiting{thing="other"} 0.0' in told
            echo.leave.set()
            return late, elsewhere, alive, await asyncio.gather(*tasks)

        late, elsewhere, alive, kept = client.run(five())
        assert (late.status, late.headers["retry-after"]) == (503, "1")
        assert late.json["error"].startswith("3 questions wait for echo already. Ask again in 1 s")
        assert (elsewhere.status, alive.status) == (200, 200)
        assert [reply.json["said"] for reply in kept] == ["0", "1", "2"]
        assert client.post("echo", {"question": "5"}).status == 200


def test_what_was_accepted_is_answered_when_it_stops():
    echo = Echo(held=True)
    with Client(thing(echo), load=Load(batch=2)) as client:

        async def stopped():
            tasks = await begun(echo, *asking(client, "echo", *"01234"))
            stop = asyncio.ensure_future(asyncio.to_thread(client.service.stop))
            await asyncio.sleep(0.01)
            assert not stop.done()
            assert (await client.reply("GET", "/readyz")).status == 503
            echo.leave.set()
            await stop
            return await asyncio.gather(*tasks)

        assert [reply.json["said"] for reply in client.run(stopped())] == [*"01234"]
        client.service.stop = lambda: None


def test_who_leaves_holds_nobody():
    echo = Echo(held=True)
    with Client(thing(echo), load=Load(batch=4)) as client:

        async def one_leaves():
            left, stays = await begun(echo, *asking(client, "echo", "0", "1"))
            left.cancel()
            echo.leave.set()
            return await stays

        assert client.run(one_leaves()).json == {"said": "1"}
        assert client.service.workers["echo"].waiting == 0


def test_a_fault_of_a_batch_ends_no_thread(caplog, monkeypatch):
    echo = Echo()
    with Client(thing(echo)) as client:
        monkeypatch.setattr(echo, "ask_all", lambda bodies: [])
        reply = client.post("echo", {"question": "a"})
        assert (reply.status, reply.json["error"][:16]) == (500, "a fault of ours;")
        assert "a fault of ours" in caplog.text
        monkeypatch.undo()
        assert client.post("echo", {"question": "a"}).status == 200


def test_figures_for_prometheus():
    with Client(thing(Echo())) as client:
        for body in ({"question": "a"}, {"question": "raise"}, {}):
            client.post("echo", body)
        client.post("whatever", {})
        told = client.get("/metrics").body.decode()
    for line in (
        'memnets_requests_total{status="200",thing="echo"} 1.0',
        'memnets_requests_total{status="422",thing="echo"} 2.0',
        'memnets_requests_total{status="404",thing="(unknown)"} 1.0',
        'memnets_request_seconds_count{thing="echo"} 3.0',
        'memnets_batch_questions_sum{thing="echo"} 2.0',
        'memnets_waiting{thing="echo"} 0.0',
        "process_open_fds",
    ):
        assert line in told


def test_what_the_model_took_is_no_more_than_there_was():
    with Client(thing(Echo())) as client:
        began = time.perf_counter()
        client.post("echo", {"question": "a"})
        most = time.perf_counter() - began
        told = client.get("/metrics").body.decode()
    for name in ("memnets_model_seconds_total", "memnets_request_seconds_sum"):
        (line,) = (one for one in told.splitlines() if one.startswith(name))
        assert 0 < float(line.split()[1]) < most


def test_each_thing_computes_on_one_thread(monkeypatch):
    asked = []
    monkeypatch.setattr("torch.set_num_threads", asked.append)
    with Client(thing(Echo(), "one"), thing(Echo(), "other")) as client:
        client.post("one", {"question": "a"})
        client.post("other", {"question": "a"})
        names = {one.name for one in threading.enumerate()}
        assert {"memnets one", "memnets other"} <= names
    assert asked == [1, 1]


def test_what_has_no_question_fails_without_one():
    class Text(Echo):
        def __init__(self):
            super().__init__()
            self.fields = {"text": FIELDS["text"]}

        def ask_all(self, bodies):
            return [ValueError(f"{body['text']} will not do.") for body in bodies]

    with Client(thing(Text())) as client:
        reply = client.post("echo", {"text": "a"})
    assert (reply.status, reply.json) == (422, {"error": "a will not do."})


@pytest.mark.parametrize("told", [False, True])
def test_nothing_of_a_question_is_logged_unless_asked(told, caplog):
    with caplog.at_level(0), Client(thing(Echo()), log_questions=told) as client:
        for body in ({"question": "a secret"}, {"question": "raise", "secret": 1}):
            client.post("echo", body)
    assert ("a secret" in caplog.text) == told
