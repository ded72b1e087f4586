"""Each kind of thing by what is asked of it, and the examples that are shown of it."""

import base64
import warnings
from pathlib import Path
from types import SimpleNamespace

import pytest
from asgi import thing
from test_load import Echo

from memnets.evidence import Answer, Step, Support
from memnets.serve import things
from memnets.serve.examples import BRIEF, LONGEST, MOST, Example, of_documents, of_kb, of_run
from memnets.serve.openapi import ERRORS, description
from memnets.serve.things import OpenedDocuments, OpenedKB, OpenedRun, Thing, open_things


class Record(SimpleNamespace):
    def to_json(self):
        return vars(self)

    _asdict = to_json


class Model:
    """Stands for a trained run; it tells what it was asked."""

    run, name, gives, may_take = SimpleNamespace(kind="toy"), "no recipe", "answer", ()

    def __init__(self, *takes, gives="answer", may_take=()):
        self.takes, self.gives, self.may_take, self.asked = takes, gives, may_take, []

    def ask(self, *given, **named):
        if self.takes in (("picture",), ("image", "question")):
            path = given[0] if self.takes == ("picture",) else given[0][0]
            if (data := Path(path).read_bytes()) == b"bad":
                raise ValueError(f"{path}: no picture; twice: {path}")
            return Record(data=data.decode(), rest=given[1:], of=type(given[0]))
        return Record(given=given, named=named)

    def ask_each(self, bodies):
        return [
            ValueError("no") if one["question"] == "no?" else Record(asked=one) for one in bodies
        ]

    def write(self, *given, **named):
        return Record(given=given, named=named)

    def surprisal(self, text):
        return Record(text=text, bits=2.5)


def test_a_language_model_goes_on_or_tells_what_surprises():
    opened = OpenedRun(Model("text", gives="text"))
    assert [*opened.fields] == ["text", "length", "temperature", "seed", "surprisal"]
    how = {"length": 3, "seed": 2}
    for more in ({}, {"surprisal": False}):
        assert opened.ask({"text": "ab", **how, **more}) == {"given": ("ab",), "named": how}
    assert opened.ask({"text": "ab", "surprisal": True}) == {"text": "ab", "bits": 2.5}


def test_points_are_asked_as_they_came():
    opened = OpenedRun(Model("points"))
    assert opened.ask({"points": [[1, 2]]}) == {"given": ([[1, 2]],), "named": {}}
    assert (opened.kind, opened.gives, [*opened.fields]) == ("toy", "answer", ["points"])


@pytest.mark.parametrize("name", ["picture", "image"])
def test_a_picture_is_read_from_a_file_that_goes_and_is_never_named(name):
    takes = ("picture",) if name == "picture" else ("image", "question")
    opened = OpenedRun(Model(*takes))
    more = {} if name == "picture" else {"question": " what is it "}
    told = opened.ask({name: b"ABC", **more})
    rest, kind = ((), str) if name == "picture" else (("what is it?",), list)
    assert told == {"data": "ABC", "rest": rest, "of": kind}
    (reply,) = opened.ask_all([{name: b"bad", **more}])
    assert str(reply) == f"{name}: no picture; twice: {name}"


def test_questions_are_put_as_questions():
    opened = OpenedRun(Model("story", "question"))
    bodies = [{"story": ["a"], "question": q} for q in (" who is it ", "no", "who？")]
    first, second, third = opened.ask_all(bodies)
    assert first == {"asked": {"story": ["a"], "question": "who is it?"}}
    assert (type(second), str(second)) == (ValueError, "no")
    assert third["asked"]["question"] == "who?"
    alone = opened.ask(bodies[0])
    assert alone == {"given": (), "named": {"story": ["a"], "question": "who is it?"}}
    text = OpenedRun(Model("text"))  # has no question, and comes one by one
    assert text.ask_all([{"text": "who"}]) == [{"given": (), "named": {"text": "who"}}]


def test_a_fault_is_told_from_a_question_that_will_not_do():
    class Broken(Echo):
        def ask(self, body):
            raise (KeyError if body["question"] == "a" else ValueError)(body["question"])

    replies = Broken().ask_all([{"question": "a"}, {"question": "b"}])
    assert [type(one) for one in replies] == [KeyError, ValueError]
    assert replies[1].__traceback__ is None  # holds what was computed


@pytest.mark.parametrize(
    ("name", "title"),
    [("memn2n/babi", "One task, 3 hops: position encoding"), ("gone", "What it is of, whole.")],
)
def test_a_run_is_called_what_its_recipe_or_its_kind_is(name, title):
    class Kind:
        """What it is
        of, whole.

        And more.
        """

        kind = "toy"

    model = Model("text")
    model.run, model.name = Kind(), name
    assert OpenedRun(model).title.startswith(title)
    Kind.__doc__ = None
    assert OpenedRun(model).title.startswith(title if name == "memn2n/babi" else "gone")


def test_facts_and_documents_are_asked_and_counted():
    asked = []
    answerer = SimpleNamespace(ask=lambda question: asked.append(question) or Record(a=1))
    store = SimpleNamespace(facts=range(1234), relations=range(5))
    kb = OpenedKB(SimpleNamespace(store=store, answerer=answerer))
    assert kb.title == "A knowledge base of 1,234 facts in 5 relations"
    assert (kb.ask({"question": "who"}), asked) == ({"a": 1}, ["who"])

    class Store:
        titles = ("a", "b")

        def __len__(self):
            return 2345

        def ask(self, question, most=5):
            return [Record(question=question, most=most)]

    documents = OpenedDocuments(Store())
    assert documents.title == "2,345 sentences of 2 documents"
    assert [field.needed for field in documents.fields.values()] == [True, False]
    for more in ({}, {"most": 7}):
        told = documents.ask({"question": "q", **more})
        assert told == {"question": "q", "sentences": [{"question": "q", "most": 5} | more]}


# Examples


def answer(text="home", golds=(None, True, False), gold: str | None = "home", **more):
    supports = tuple(Support(n + 5, f"s{n}", 0.1, one) for n, one in enumerate(golds))
    more = {"given": ("s0", "s1", "s2")} | more
    return Answer("Where?", text, 1.0, (), (Step("hop 1", supports),), gold=gold, **more)


class OfTasks(Model):
    """Has examples of each of its tasks."""

    def __init__(self, takes, answers, tasks=None):
        super().__init__(*takes)
        self.run = SimpleNamespace(kind="toy", data=SimpleNamespace(tasks=tasks))
        self.answers, self.model = answers, None

    def examples(self, split, task):
        self.loaded = (split, task)
        self.asked.append(self.loaded)
        yield from self.answers


@pytest.mark.parametrize(
    ("tasks", "each"), [(None, 8), ((3,), 8), ((3, 4), 3), (range(1, 8), 3), (range(1, 9), 1)]
)
def test_examples_are_about_as_many_however_many_tasks_there_are(tasks, each):
    model = OfTasks(("story", "question"), [answer()] * 20, tasks)
    found = list(of_run(model))
    assert len(found) == each * len(tasks or (0,))
    assert model.asked == [("test", task) for task in tasks or (0,)]
    assert not hasattr(model, "loaded")  # what was read for them goes again
    body = {"story": ["s0", "s1", "s2"], "question": "Where?"}
    assert found[0] == Example(body, {"answer": "home", "supports": [6]})


@pytest.mark.parametrize(
    ("one", "gold"),
    [
        (answer(gold=None), None),
        (answer(golds=(None, None)), {"answer": "home", "supports": None}),
        (answer(golds=(False, False)), {"answer": "home", "supports": []}),
        (answer(golds=(True, None, True)), {"answer": "home", "supports": [5, 7]}),
    ],
)
def test_what_is_known_of_the_right_answer(one, gold):
    assert next(of_run(OfTasks(("story", "question"), [one]))).gold == gold


def test_an_answer_that_does_not_tell_all_that_was_asked_is_no_example():
    whole, cut = answer(), answer(unread=1)
    bare = Answer("Where?", "home", 1.0, (), (), gold="home")
    assert len(list(of_run(OfTasks(("story", "question"), [cut, bare, whole])))) == 1
    (one,) = of_run(OfTasks(("text",), [bare]))
    assert one == Example({"text": "Where?"}, {"answer": "home", "supports": None})
    (one,) = of_run(OfTasks(("text",), [whole]))
    assert one.body == {"text": "s0"}  # what was given to be asked about
    assert list(of_run(OfTasks(("image", "question"), [whole]))) == []  # there is no picture


WENT = "went on and on and on"


def test_a_text_that_was_cut_short_is_asked_without_the_mark():
    for question, asked in (("… and so", "and so"), ("…d the boy\nwent on and on and on", WENT)):
        one = Answer(question, "on", 1.0, (), ())
        assert [body for body, _ in of_run(OfTasks(("text",), [one]))] == [{"text": asked}]


def test_brief_examples_come_first():
    sizes = (BRIEF, 5, BRIEF - len(str({"text": ""})), BRIEF + 1, 6)
    asked = [Answer("x" * size, "on", 1.0, (), ()) for size in sizes]
    found = [len(body["text"]) for body, _ in of_run(OfTasks(("text",), asked))]
    assert found == [5, sizes[2], 6, BRIEF, BRIEF + 1]


@pytest.mark.parametrize(("more", "kept"), [(0, 1), (1, 0)])
def test_an_example_is_no_longer_than_can_be_shown(more, kept):
    letters = LONGEST - len(str({"text": ""})) + more
    one = Answer("x" * letters, "on", 1.0, (), ())
    assert len(list(of_run(OfTasks(("text",), [one])))) == kept


def test_points_and_pictures_are_asked_as_they_are_posted():
    import numpy as np

    from memnets.evidence.regions import png

    image = np.zeros((2, 3, 3), np.uint8)
    one = SimpleNamespace(
        **{"points": [(1, 2), (3, 4)], "regions": SimpleNamespace(image=image)},
        **{"gold": None, "question": "q", "steps": (), "unread": 0, "given": ()},
    )
    (points,) = of_run(OfTasks(("points",), [one]))
    assert points.body == {"points": [[1, 2], [3, 4]]}
    for name in ("image", "picture"):
        (seen,) = of_run(OfTasks((name,), [one]))
        assert base64.b64decode(seen.body[name]) == png(image)


def test_a_kb_is_asked_for_each_of_its_first_relations():
    facts = [(f"e{n}", f"http://x/of_{n % 11}  Kind", f"o{n}") for n in range(30)]
    store = SimpleNamespace(facts=facts, objects=lambda one, relation: (one, relation[-9:]))
    found = list(of_kb(SimpleNamespace(store=store)))
    assert len(found) == MOST
    assert found[0] == Example(
        {"question": "What is the of 0 kind of e0?"},
        {"answer": "e0, f_0  Kind", "supports": None},
    )
    assert [one.body["question"][-4:-1] for one in found] == [f" e{n}" for n in range(MOST)]
    store.facts = [("a", "r", "b")] * 3
    assert len(list(of_kb(SimpleNamespace(store=store)))) == 1
    store.facts = []
    assert list(of_kb(SimpleNamespace(store=store))) == []
    few = SimpleNamespace(numbers=[])

    class Many:
        def __len__(self):
            return 6001

        def __getitem__(self, number):
            few.numbers.append(number)
            return "a", "r", "b"

    store.facts = Many()
    list(of_kb(SimpleNamespace(store=store)))
    assert few.numbers == list(range(0, 6001, 3))  # not all are looked at


def test_documents_are_asked_by_the_first_titles_each_once():
    store = SimpleNamespace(titles=["Red", "Red", "Up", "Blue", "White"])
    assert [one.body["question"] for one in of_documents(store)] == [
        "What is Red?",
        "What is Up?",
        "What is Blue?",
    ]
    assert {one.gold for one in of_documents(store)} == {None}


class Shown(Echo):
    """Has examples of its own, one of which has no objects and one of which fails."""

    may_take = ("facts",)

    def ask(self, body):
        return super().ask(body) | ({"objects": []} if body["question"] == "none" else {})

    def examples(self):
        warnings.warn("its data are generated", stacklevel=1)
        yield from (Example({"question": one}, {"answer": one}) for one in ("a", "none", "raise"))
        yield Example({"question": "b"}, None)
        if self.gone:
            raise self.gone


@pytest.mark.parametrize("gone", [None, FileNotFoundError("data"), ValueError("damaged")])
def test_only_examples_that_are_answered_are_told(gone, monkeypatch, tmp_path):
    opened = Shown()
    opened.gone = gone
    monkeypatch.setattr(things, "open_thing", lambda path: opened)
    assert Thing("its name", tmp_path).described == {
        **{"name": "its name", "kind": "echo", "takes": ["question"], "may_take": ["facts"]},
        **{"gives": "answer", "title": "says it again"},
        "examples": [] if gone else [{"question": "a"}, {"question": "b"}],
        "gold": [] if gone else [{"answer": "a"}, None],
    }


STAMPED = (
    *("films/index.json", "films/run.json", "films/result.json", "films.phrases.toml"),
    *("films.trained/run.json", "films.trained/result.json"),
)


@pytest.mark.parametrize("name", [*STAMPED, "films/notes.txt"])
def test_a_thing_is_opened_anew_where_a_file_of_it_has_changed(name, monkeypatch, tmp_path):
    opened = []
    monkeypatch.setattr(things, "open_thing", lambda path: opened.append(path) or Echo())
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    one = Thing("films", tmp_path / "films")
    for change in (path.touch, lambda: path.write_text("x"), path.unlink):
        change()
        assert one.renew() == (name in STAMPED)
        assert not one.renew()
    assert opened == [tmp_path / "films"] * (4 if name in STAMPED else 1)


def test_what_was_there_stays_where_the_new_one_cannot_be_opened(monkeypatch, tmp_path):
    monkeypatch.setattr(things, "open_thing", lambda path: Echo())
    one = Thing("films", tmp_path)
    before = one.opened
    (tmp_path / "run.json").touch()
    monkeypatch.setattr(things, "open_thing", lambda path: (_ for _ in ()).throw(ValueError("no")))
    for _ in range(2):  # and is tried again
        with pytest.raises(ValueError, match=r"^no$"):
            one.renew()
    assert one.opened is before


def test_things_are_opened_in_their_order_and_each_is_told(monkeypatch):
    import gc

    monkeypatch.setattr(things, "open_thing", lambda path: Echo())
    monkeypatch.setattr(gc, "freeze", lambda: None)
    told = []
    made = open_things({"b": Path("x"), "a": Path("y")}, lambda one: told.append(one.name))
    assert [(one.name, one.path) for one in made] == [("b", Path("x")), ("a", Path("y"))]
    assert told == ["b", "a"]


def test_an_address_holds_64_letters_and_the_first_is_no_dot():
    named = things.named_paths(["x" * 64 + "=a", "_.-=b", "p/q=c/d"])
    assert named == {"x" * 64: Path("a"), "_.-": Path("b"), "d": Path("p/q=c/d")}
    for wrong in ("x" * 65, ".a", "-a", "ä"):
        with pytest.raises(ValueError, match="cannot stand in an address"):
            things.named_paths([f"{wrong}=a"])


# Described


@pytest.mark.parametrize("token", [False, True])
def test_what_is_described_of_a_thing(token):
    one = thing(OpenedRun(Model("story", "question", may_take=("facts",))), "toy")
    told = description([one], [], token)
    asked = told["paths"]["/v1/toy/ask"]["post"]
    content = asked["requestBody"]["content"]["application/json"]
    schema = content["schema"]
    assert (schema["required"], schema["additionalProperties"]) == (["story", "question"], False)
    assert [*schema["properties"]] == ["story", "question", "facts"]
    assert schema["properties"]["question"]["description"].endswith("characters, the question")
    assert schema["properties"]["question"]["maxLength"] == 5000
    assert [*asked["responses"]] == ["200", *map(str, ERRORS)]
    assert (asked["operationId"], asked["summary"]) == ("ask_toy", "Ask toy")
    assert asked["requestBody"]["required"] is True
    assert "examples" not in content
    assert ("security" in told, "components" in told) == (token, token)
    one.described["examples"] = [{"question": "a"}, {"question": "b"}]
    shown = description([one], [], token)["paths"]["/v1/toy/ask"]["post"]["requestBody"]["content"]
    assert shown["application/json"]["examples"] == {
        "example 1": {"value": {"question": "a"}},
        "example 2": {"value": {"question": "b"}},
    }
