"""A session of `memnets ask`: what is typed or piped, line by line."""

import json

import pytest

from memnets.cli.ask import answer_lines
from memnets.cli.main import main
from memnets.cli.status import USAGE
from memnets.data.babi.reader import parse_stories
from memnets.experiments.answerer import Answerer, as_question
from memnets.studies.babi.memn2n.recipes import MemN2NAnswerer, MemN2NModel
from memnets.tasks.stories import StoryVocabulary

STORY = "1 Mary moved to the bathroom.\n2 John went to the hall.\n3 Where is Mary? \tbathroom\t1\n"
MARY, JOHN = "Mary moved to the bathroom.", "John went to the hall."
LONG = "John went to the hall and then to the hall."


class Untrained(MemN2NAnswerer):
    """Knows the words of a story, and two sentences at most."""

    name = "untrained"

    def __init__(self):
        self.device, self.vocabulary = "cpu", StoryVocabulary.of(parse_stories(STORY, 1, "q"), 50)
        self.model = MemN2NModel().build(self.vocabulary)


@pytest.fixture
def session(capsys):
    """Take lines; return the status, what was said, and what was complained of."""

    def take(*lines, json=False):
        status = answer_lines(Untrained(), lines, json)
        return status, *capsys.readouterr()

    return take


@pytest.mark.parametrize(
    "line",
    [
        *(
            "Where is Mary?",
            "Where is Mary？",
            "Where is Mary؟",
            "Where is Mary ??",
            '"Where is Mary?"',
        ),
        *('"Where is Mary"?', "“Where is Mary?”", "«Where is Mary ?»", "„Where is Mary?“"),
    ],
)
def test_a_question_is_known_by_its_mark(line):
    assert as_question(line) == "Where is Mary?"


@pytest.mark.parametrize("line", ["", " ", '""', MARY, '"Mary asked where?" John said.', "?!"])
def test_all_else_tells(line):
    assert as_question(line) is None


def test_a_session_forgets_at_an_empty_line(session):
    status, said, complained = session(MARY, "Where is Mary?", "", "Where is John?")
    assert status == USAGE
    assert MARY in said
    assert '"Where is John?" came before any sentence was told' in complained
    assert "not answered: 1 of 2 questions; left out: 0 of the lines told." in complained


def test_a_bad_line_does_not_end_the_session(session):
    lines = ("Where is Mary?", MARY, LONG, "Qui?", "Where is John？")
    status, said, complained = session(*lines)
    assert status == USAGE
    assert "Where is John?" in said
    assert "came before any sentence was told" in complained
    assert "has 10 words" in complained
    assert "This line is left out." in complained
    assert LONG not in said
    assert "holds no word that this model knows" in complained
    assert "not answered: 2 of 3 questions; left out: 1 of the lines told." in complained


def test_a_line_that_was_left_out_is_no_success_though_all_was_answered(session):
    status, _, complained = session(MARY, LONG, "Where is Mary?")
    assert status == USAGE
    assert "not answered: 0 of 1 questions; left out: 1 of the lines told." in complained
    assert session(MARY, "Where is Mary?")[0] == 0


def test_a_question_that_fails_has_its_record(session):
    status, said, _ = session("Where is Mary?", MARY, "Where is Mary?", json=True)
    failed, answered = map(json.loads, said.splitlines())
    assert status == USAGE
    assert failed["question"] == "Where is Mary?"
    assert failed["error"].startswith('"Where is Mary?" came before')
    assert answered["question"] == "Where is Mary?"
    assert answered["unread"] == 0


def test_a_session_without_a_fault_ends_well(session):
    assert session(MARY, JOHN, "Where is Mary?")[::2] == (0, "")


def test_what_the_memory_does_not_hold_is_said(session):
    told = [JOHN] * 998 + [JOHN, MARY]
    _, said, _ = session(*told, "Where is Mary?")
    assert "only the last 2 of 1,000 sentences were read: the memory holds no more" in said
    _, said, _ = session(*told, "Where is Mary?", json=True)
    assert json.loads(said)["unread"] == 998
    answer = Untrained().ask(told, "Where is Mary？")
    assert answer.question == "Where is Mary?"
    assert answer.unread == 998
    assert str(answer).endswith(
        "; only the last 2 of 1,000 sentences were read: the memory holds no more"
    )
    assert "only the last 2 of 1,000" in answer.to_html()
    assert Untrained().ask(told[-2:], "Where is Mary?").unread == 0


def test_a_long_line_is_named_by_its_beginning(session):
    _, _, complained = session("Mary " * 10_000, MARY, "Where is Mary?")
    assert len(complained) < 400
    assert 'Mary ..." has 10000 words' in complained


def test_a_question_in_a_story_is_refused_whatever_its_mark():
    with pytest.raises(ValueError, match="came in the story"):
        Untrained().ask([MARY, "Where is Mary？"], "Where is Mary?")


def test_a_text_is_left_as_it_is():
    class Echo(Untrained):
        takes, gives = ("text",), "text"

        def answer(self, context, asked):
            return asked

    assert Answerer.ask(Echo(), "“Who?”") == "“Who?”"


def test_ask_reads_a_pipe(monkeypatch, capsys):
    monkeypatch.setattr("memnets.cli.ask.load_to_ask", lambda path, data: Untrained())
    monkeypatch.setattr("sys.stdin", iter([f"{MARY}\n", "Where is Mary?\n"]))
    monkeypatch.setattr("memnets.cli.ask._typed", lambda: __import__("sys").stdin)
    assert main(["ask", "run"]) == 0
    assert MARY in capsys.readouterr().out
    monkeypatch.setattr("sys.stdin", iter([f"{MARY}\n", "Qui?\n"]))
    assert main(["ask", "run"]) == USAGE
