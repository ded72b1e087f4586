"""Things that answer in processes of their own: as in the server's, whatever becomes of them."""

import json
import os
import shutil
import signal

import pytest
from asgi import Client
from opens import echo

import memnets
from memnets.serve import apart
from memnets.serve.apart import Apart
from memnets.serve.things import Thing, open_alone, open_thing
from memnets.serve.workers import Load

QUESTIONS = ("who directed Alien?", "who directed Up?", "when was Up released?", "xyzzy of Up?")
BODIES = [{"question": question} for question in QUESTIONS]


@pytest.fixture(scope="module")
def films(kb):
    """Two processes that have the knowledge base open, for all tests that leave them whole."""
    return Apart(open_alone, kb, 2)


def processes(apart):
    found = [apart._free.get() for _ in range(apart._free.qsize())]
    for process in found:
        apart._free.put(process)
    return found


def test_answers_are_those_of_the_process_itself(kb, films):
    assert films.lines(BODIES) == open_thing(kb).lines(BODIES)
    assert films.lines([]) == []


def test_a_question_that_cannot_be_answered_comes_back_in_its_own_words(kb, films):
    (here,), (there,) = (one.lines([{"question": "?"}]) for one in (open_thing(kb), films))
    assert type(there) is type(here) is ValueError
    assert str(there) == str(here) != ""


def test_a_fault_comes_back_with_what_led_to_it(films):
    (told,) = films.lines([{"quest": "who?"}])
    assert type(told) is RuntimeError
    assert "things.py" in str(told)
    assert "KeyError: 'question'" in str(told)


def test_one_that_is_lost_is_started_again(tmp_path):
    made = Apart(echo, tmp_path, 1)
    (before,) = processes(made)
    os.kill(before.process.pid, signal.SIGKILL)
    assert [json.loads(line) for line in made.lines(BODIES[:1])] == BODIES[:1]
    (after,) = processes(made)
    assert after is not before


@pytest.mark.slow
def test_one_that_cannot_be_started_again_is_tried_anew_with_the_next_question(kb):
    made = Apart(open_alone, kb, 1)
    os.kill(processes(made)[0].process.pid, signal.SIGKILL)
    path, made.path = made.path, kb / "nothing"
    for _ in range(2):
        with pytest.raises(ChildProcessError, match="FileNotFoundError"):
            made.lines(BODIES[:1])
    made.path = path
    assert json.loads(made.lines(BODIES[:1])[0])["objects"] == ["Ada"]


def test_the_keyboard_does_not_end_them(films):
    for process in processes(films):
        os.kill(process.process.pid, signal.SIGINT)
    assert len(films.lines(BODIES)) == len(BODIES)


def test_they_end_with_what_started_them(tmp_path):
    made = Apart(echo, tmp_path, 1)
    pid = processes(made)[0].process.pid
    del made
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_what_cannot_be_opened_is_told(tmp_path):
    with pytest.raises(ChildProcessError, match=r"^FileNotFoundError: .*nothing"):
        Apart(open_alone, tmp_path / "nothing", 1)


def test_a_process_that_ends_before_it_is_open_is_told(kb, monkeypatch):
    monkeypatch.setattr(apart, "_answer", os._exit)
    with pytest.raises(ChildProcessError, match="the process that was to answer ended"):
        apart._Process(print, kb).wait()  # what opens it need not even be imported


@pytest.mark.slow
def test_a_server_asks_them_all_at_once_and_takes_over_what_is_built_anew(kb, tmp_path):
    path = tmp_path / "films.kb"
    for name in ("", ".trained"):
        shutil.copytree(kb.with_name(kb.name + name), path.with_name(path.name + name))
    thing = Thing("films", path, processes=2)
    before = {process.process.pid for process in processes(thing.apart)}
    assert len(before) == 2
    with Client(thing, load=Load(threads=2)) as client:
        assert client.post("films", BODIES[0]).json["objects"] == ["Ada"]
        told = client.post("films", {"question": "?"})
        assert told.status == 422
        assert told.json["question"] == "?"
        memnets.build_kb([("Alien", "directed_by", "Zoe")], path)
        assert thing.renew()
        assert client.post("films", BODIES[0]).json["objects"] == ["Zoe"]
    for pid in before:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
