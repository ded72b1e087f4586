"""Examples: whatever a run takes, they can be posted as they are, and what is right is told."""

from types import SimpleNamespace

import pytest

from memnets.evidence import Answer, Step, Support
from memnets.serve.bodies import FIELDS, check
from memnets.serve.examples import PLAIN, Example, of_run
from memnets.serve.things import OpenedRun, Thing

READ = (Step("hop 1", (Support(0, "b", 0.25, False), Support(1, "c", 0.75, True))),)


class Stub:
    """Stands for a run: its examples are those given; it answers what is not refused."""

    may_take, gives, name, model = (), "answer", "stub", None
    run = SimpleNamespace(kind="stub")

    def __init__(self, takes, *answers, missing=None):
        self.takes, self.answers, self.missing = takes, answers, missing

    def examples(self, split, task):
        if self.missing:
            raise self.missing
        yield from self.answers

    def ask(self, *given, **named):
        return SimpleNamespace(to_json=lambda: {"text": "a"})

    def ask_each(self, given):
        return [self.ask(**one) for one in given]


def answer(question, given=(), steps=(), **more):
    return Answer(question, "a", 1.0, (), steps, gold="g", given=given, **more)


@pytest.mark.parametrize(
    ("takes", "told", "body", "supports"),
    [
        (("story", "question"), answer("q?", ("b", "c"), READ), {"story": ["b", "c"]}, [1]),
        (("steps", "question"), answer("q?", ("b", "c")), {"steps": ["b", "c"]}, None),
        (("sentences", "question"), answer("q?", ("b",)), {"sentences": ["b"]}, None),
        (("text",), answer("copy of 2 (1)", ("01 10",)), {"text": "01 10"}, None),
        (("text",), answer("two dogs"), {"text": "two dogs"}, None),
        (
            ("text",),
            answer("…ng.\nMary went to the hall."),
            {"text": "Mary went to the hall."},
            None,
        ),
        (("text",), answer("…ng dogs run"), {"text": "dogs run"}, None),
        (("text",), answer("…abcabc"), {"text": "abcabc"}, None),
    ],
)
def test_an_example_is_what_its_answer_was_given(takes, told, body, supports):
    (example,) = of_run(Stub(takes, told))
    if "question" in takes:
        body = body | {"question": "q?"}
    assert example == Example(body, {"answer": "g", "supports": supports})


def test_what_was_not_read_whole_is_no_example():
    assert list(of_run(Stub(("story", "question"), answer("q?", ("b",), READ, unread=1)))) == []


def test_short_ones_come_first():
    texts = ["a" * 2000, "b", "c" * 2000, "d"]
    found = of_run(Stub(("text",), *map(answer, texts)))
    assert [one.body["text"][0] for one in found] == ["b", "d", "a", "c"]


def described(answerer):
    thing = Thing.__new__(Thing)
    thing.name = "stub"
    return thing._described(OpenedRun(answerer))


@pytest.mark.parametrize("error", [FileNotFoundError(), ValueError()])
@pytest.mark.parametrize("takes", PLAIN, ids="-".join)
def test_a_run_whose_data_are_not_at_hand_has_plain_ones(takes, error, monkeypatch):
    monkeypatch.setattr(OpenedRun, "_seen", lambda *_: {"text": "a"})
    told = described(Stub(takes, missing=error))
    assert len(told["examples"]) == len(PLAIN[takes])
    assert told["gold"] == [None] * len(PLAIN[takes])
    for body in told["examples"]:
        assert all(check(body, {name: FIELDS[name] for name in takes}).values())
