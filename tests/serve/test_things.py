"""What is served: opened, described, asked as the command line asks it, taken over when rebuilt."""

import gc
import json
import os
import re
import shutil
import sys
import weakref
from pathlib import Path
from types import SimpleNamespace

import pytest
from asgi import Client

import memnets
from memnets.cli.main import main
from memnets.serve.things import OpenedRun, Thing, line_of, named_paths, open_thing

STORY = ["Mary went to the kitchen.", "John moved to the garden.", "Mary travelled to the office."]


def printed(capsys, *words):
    assert main(list(map(str, words))) == 0
    return capsys.readouterr().out


def test_the_reply_is_what_ask_prints(client, run, tmp_path, capsys):
    story = tmp_path / "story.txt"
    story.write_text("\n".join(STORY))
    for question in ("Where is Mary?", "where is john", "“Where is the flobbert?”"):
        said = printed(capsys, "ask", run, "--story", story, "--question", question, "--json")
        reply = client.post("stories", {"story": STORY, "question": question})
        assert (reply.status, reply.body.decode()) == (200, said.rstrip("\n"))


def test_what_cannot_be_answered_is_told_as_ask_tells_it(client, run, tmp_path, capsys):
    story = tmp_path / "story.txt"
    story.write_text(STORY[0])
    assert main(["ask", str(run), "--story", str(story), "--question", "xyzzy?", "--json"]) == 2
    said = capsys.readouterr().out
    reply = client.post("stories", {"story": STORY[:1], "question": "xyzzy?"})
    assert (reply.status, reply.body.decode()) == (422, said.rstrip("\n"))
    assert "holds no word that this model knows" in reply.json["error"]


@pytest.mark.parametrize("question", ["who directed Alien?", "when was Upp released", "Ada?"])
def test_a_kb_replies_what_kb_ask_prints(client, kb, capsys, question):
    said = printed(capsys, "kb", "ask", kb, question, "--json")
    reply = client.post("films", {"question": question})
    assert (reply.status, reply.body.decode()) == (200, said.rstrip("\n"))


def test_documents_reply_with_the_records_that_docs_ask_prints(client, documents, capsys):
    for most in (1, 5):
        said = printed(capsys, "docs", "ask", documents, "Red film?", "--most", most, "--json")
        reply = client.post("texts", {"question": "Red film?", "most": most}).json
        assert [line_of(one) for one in reply["sentences"]] == said.splitlines()
    assert reply["question"] == "Red film?"


LANGUAGE = {
    **{"data.text": "generated", "model.dim": 5, "core.linear": 2, "core.memory": 6},
    **{"training.batch": 4, "training.tokens": 200, "training.evaluations": 1},
}


def test_a_language_model_replies_what_ask_prints_word_by_word(tmp_path, capsys, shapes_unchecked):
    memnets.train("language/memn2n", LANGUAGE, out=tmp_path / "run", show=False)
    with Client(Thing("letters", tmp_path / "run")) as client:
        for text, ways, body in (
            ("Mary went", ["--write.surprisal"], {"surprisal": True}),
            ("M", ["--write.surprisal"], {"surprisal": True}),
            ("Mary", ["--write.length", "7", "--write.seed", "3"], {"length": 7, "seed": 3}),
        ):
            capsys.readouterr()
            said = printed(capsys, "ask", tmp_path / "run", "--question", text, *ways, "--json")
            reply = client.post("letters", {"text": text} | body)
            assert (reply.status, reply.body.decode()) == (200, said.rstrip("\n"))
        symbols = client.post("letters", {"text": "Mary went", "surprisal": True}).json["symbols"]
    assert [one["name"] for one in symbols[-1]["read"]] == ["hop 1", "hop 2", "neural cache"]


def test_what_is_told_of_each_thing(client):
    told = {one["name"]: one for one in client.get("/v1/things").json["things"]}
    assert [*told] == ["stories", "films", "texts"]
    assert [(one["kind"], one["takes"], one["gives"]) for one in told.values()] == [
        ("babi/memn2n", ["story", "question"], "answer"),
        ("kb", ["question"], "answer"),
        ("documents", ["question"], "sentences"),
    ]
    assert [one["may_take"] for one in told.values()] == [[], [], []]
    assert told["films"]["title"] == "A knowledge base of 5 facts in 2 relations"


def test_every_example_can_be_asked_and_its_gold_is_of_its_story(client):
    for thing in client.get("/v1/things").json["things"]:
        assert thing["examples"], thing["name"]
        assert len(thing["gold"]) == len(thing["examples"])
        for body, gold in zip(thing["examples"], thing["gold"], strict=True):
            reply = client.post(thing["name"], body)
            assert reply.status == 200, reply.body
            if thing["name"] == "stories":
                last = body["story"][gold["supports"][-1]]
                assert (
                    gold["answer"] in last or gold["answer"] in body["story"][gold["supports"][0]]
                )
            if thing["name"] == "films":
                assert gold["answer"] in ("Ada", "Ada, Ben", "Ben, Ada", "1979", "2009")


def test_the_data_of_examples_do_not_stay_in_memory(things):
    assert "stories" not in vars(things[0].opened.answerer)


def test_many_at_once_are_answered_as_one_by_one(things):
    opened = things[0].opened
    bodies = [
        {"story": STORY[:length], "question": question}
        for length in (1, 2, 3)
        for question in ("Where is Mary?", "Where is John?", "Where is a unicorn")
    ]
    bodies[4:4] = [
        {"story": [], "question": "Where is Mary?"},
        {"story": ["Mary " * 40], "question": "Where is Mary?"},
        {"story": ["Where is she?"], "question": "Where is Mary?"},
        {"story": STORY * 30, "question": "Where is Mary?"},
    ]
    together = opened.ask_all(bodies)
    for body, reply in zip(bodies, together, strict=True):
        if isinstance(reply, ValueError):
            with pytest.raises(ValueError, match=re.escape(str(reply))):
                opened.ask(body)
        else:
            assert line_of(reply) == line_of(opened.ask(body))
    assert sum(isinstance(reply, ValueError) for reply in together) == 3


def test_other_bits_in_a_batch_are_caught(things, monkeypatch):
    from memnets.studies.babi.memn2n import inference

    opened, cat = things[0].opened, inference.torch.cat
    bodies = [{"story": STORY, "question": f"Where is {who}?"} for who in ("Mary", "John")]
    alone = [line_of(opened.ask(body)) for body in bodies]
    assert [*map(line_of, opened.ask_all(bodies))] == alone
    monkeypatch.setattr(inference.torch, "cat", lambda rows: cat([*rows]) * (1 + 1e-6))
    assert all(map(str.__ne__, map(line_of, opened.ask_all(bodies)), alone))


def test_names(tmp_path):
    paths = named_paths(["runs/a", "b=runs/c", "odd=/x=y", str(tmp_path / "d" / "..")])
    assert [*paths] == ["a", "b", "odd", tmp_path.name]
    assert str(paths["odd"]) == "/x=y"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["runs/a", "other/a"], "other/a: runs/a is called a too. Name one of them: a-2=other/a"),
        (["x y"], "x y: 'x y' cannot stand in an address; expected letters"),
        (["..=runs/a"], "..=runs/a: '..' cannot stand in an address"),
        (["=runs/a"], "=runs/a: '' cannot stand in an address"),
    ],
)
def test_names_that_will_not_do(given, said):
    with pytest.raises(ValueError, match=f"^{re.escape(said)}"):
        named_paths(given)


def test_a_folder_without_anything_that_can_be_asked(tmp_path):
    with pytest.raises(FileNotFoundError, match="neither the folder of a run"):
        Thing("nothing", tmp_path)


@pytest.fixture
def automatic_collection_off():
    """What is part of a cycle stays."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.fixture
def mine(kb, tmp_path, monkeypatch):
    """A copy of the knowledge base, to be rebuilt; nobody looks at it but the test."""
    monkeypatch.setattr("memnets.serve.service.EVERY", 1000)
    for suffix in ("", ".trained", ".phrases.toml"):
        source, target = f"{kb}{suffix}", tmp_path / f"films.kb{suffix}"
        (shutil.copy if suffix.endswith("toml") else shutil.copytree)(source, target)
    return tmp_path / "films.kb"


def director(client):
    return client.post("films", {"question": "who directed Alien?"}).json["objects"]


def test_a_kb_that_is_rebuilt_is_asked_as_it_is_now(mine):
    thing = Thing("films", mine)
    with Client(thing) as client:
        assert director(client) == ["Ada"]
        assert not thing.renew()
        memnets.build_kb([("Alien", "directed_by", "Zoe"), ("Up", "release_year", "2009")], mine)
        assert thing.renew()
        assert director(client) == ["Zoe"]
        assert (
            client.get("/v1/things").json["things"][0]["title"].startswith("A knowledge base of 2")
        )


def test_a_run_that_is_replaced_leaves_no_model(run, automatic_collection_off, shapes_unchecked):
    thing = Thing("stories", run)
    model = weakref.ref(thing.opened.answerer.model)
    with Client(thing) as client:
        for change, status in (({}, 200), ({"question": "xyzzy?"}, 422), ({"story": ["a?"]}, 422)):
            body = {"story": STORY, "question": "Where is Mary?"} | change
            assert client.post("stories", body).status == status
        thing.stamp = ()  # as if it had changed
        assert thing.renew()
        assert model() is None


@pytest.mark.skipif(sys.platform != "linux", reason="open files are counted in /proc")
def test_a_kb_that_is_replaced_leaves_no_file_open(
    mine, automatic_collection_off, shapes_unchecked
):
    def open_files():
        return sum(str(mine) in os.path.realpath(one) for one in Path("/proc/self/fd").iterdir())

    opened = open_thing(mine)
    assert opened.ask({"question": "who directed Alien?"})["objects"] == ["Ada"]
    assert open_files() > 50
    del opened
    assert open_files() == 0
    thing = Thing("films", mine)
    with Client(thing) as client:
        assert director(client) == ["Ada"]
        assert client.post("films", {"question": "?"}).status == 422
        first = open_files()
        for name in ("Zoe", "Yan"):
            memnets.build_kb([("Alien", "directed_by", name), ("Up", "release_year", "2009")], mine)
            assert thing.renew()
            assert director(client) == [name]
            assert open_files() <= first  # vectors that were not kept before are not mapped


def test_a_kb_that_is_damaged_answers_as_before(mine, caplog):
    thing = Thing("films", mine)
    with Client(thing) as client:
        (mine / "index.json").write_text("{")
        for _ in range(2):
            client.service._renew(thing)
        assert caplog.text.count("films: it has changed, and cannot be opened") == 1
        assert director(client) == ["Ada"]
        memnets.build_kb([("Alien", "directed_by", "Zoe"), ("Up", "release_year", "2009")], mine)
        client.service._renew(thing)
        assert director(client) == ["Zoe"]


def test_openapi_describes_every_thing_with_examples_that_fit(client):
    told = client.get("/openapi.json").json
    assert told["info"] == {"title": "memnets", "version": memnets.__version__}
    assert {"/v1/things", "/healthz", "/readyz", "/metrics"} <= told["paths"].keys()
    for thing in client.get("/v1/things").json["things"]:
        asked = told["paths"][f"/v1/{thing['name']}/ask"]["post"]
        content = asked["requestBody"]["content"]["application/json"]
        assert [one["value"] for one in content["examples"].values()] == thing["examples"]
        assert content["schema"]["required"] == thing["takes"]
        assert {"200", "422", "503"} <= asked["responses"].keys()
    json.dumps(told)


def test_what_may_be_given_besides_is_told():
    class Answerer:
        takes, may_take, gives, name = ("question",), ("facts",), "answer", "none"
        run = SimpleNamespace(kind="simple_qa")

    opened = OpenedRun(Answerer())
    assert (opened.takes, opened.may_take) == (("question",), ("facts",))
    assert [name for name, field in opened.fields.items() if not field.needed] == ["facts"]
