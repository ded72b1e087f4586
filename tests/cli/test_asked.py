"""Commands that ask a trained run, of which there is a stand-in: what it is asked, or not."""

import io
import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from memnets.cli import ask, caption, kb_asked, pictures
from memnets.cli.main import main
from memnets.cli.status import USAGE
from memnets.cli.writing import Writing
from memnets.evidence import Answer, Regions, Step, Support


class Typed(io.StringIO):
    """What is typed at a terminal."""

    def isatty(self):
        return True


class Run:
    """Stands for a trained run: it tells what it is asked."""

    name, usage, may_take = "toy", "ask(it)", ()

    def __init__(self, *takes, gives="answer"):
        self.takes, self.gives, self.asked = takes, gives, []
        self.takes_text = "text" in takes

    def ask(self, *given):
        self.asked.append(given)
        return Answer("q?", "an answer", 1.0, (), ())

    def answer(self, context, question):
        if question == "bad?":
            raise ValueError("it is bad.")
        self.ask(list(context), question)
        return replace(LOOKED, question=question)

    def expect_readable(self, line):
        pass


def hop(*weights):
    return Step("hop", tuple(Support(n, f"place {n}", weight) for n, weight in enumerate(weights)))


IMAGE = np.zeros((2, 3, 3), np.uint8)
SEEN = Regions(IMAGE, ("a",), np.ones((1, 1, 1)), np.ones(1))
HOPS = hop(0.05, 0.3, 0.25, 0.2, 0.15, 0.05), hop(0.5, 0.1, 0.1, 0.1, 0.1, 0.1)
LOOKED = Answer("q?", "red", 0.5, (), HOPS, regions=SEEN)


@pytest.fixture
def asks(monkeypatch, capsys):
    """Ask a stand-in by words of the command line; return the status and what is printed."""

    def call(run, *words, typed=None, command="ask"):
        monkeypatch.setattr(ask, "load_to_ask", lambda path, data: run)
        monkeypatch.setattr(caption, "load_run", lambda path: run)
        if typed is not None:
            monkeypatch.setattr("sys.stdin", typed)
        status = main([command, "run", *map(str, words)])
        out, err = capsys.readouterr()
        return status, out, " ".join(err.split())

    return call


def test_what_was_called_otherwise_is_named(asks):
    status, out, err = asks(Run("text", gives="text"), "--write.surprise")
    assert (status, out) == (USAGE, "")
    assert err == "memnets: --write.surprise is called --write.surprisal now."


def test_a_language_model_goes_on_as_it_is_told(asks, monkeypatch):
    shown = []
    monkeypatch.setattr(ask, "show_texts", lambda run, texts, *how: shown.append((*texts, *how)))
    run = Run("text", gives="text")
    assert asks(run, "--question", "ab", "--write.length", 7, "--json") == (0, "", "")
    assert asks(run, typed=Typed("a \n\n b\n")) == (0, f"{ask.GO_ON}\n", "")
    assert asks(run, typed=io.StringIO("c\n")) == (0, "", "")
    how = Writing()
    assert shown == [
        ("ab", replace(how, length=7), True),
        ("a ", "", " b", how, False),
        ("c", how, False),
    ]


@pytest.mark.parametrize(
    ("takes", "words", "said"),
    [
        (["story"], ["--write.length", 7], "--write...: toy is no language model, so this would"),
        (["story"], ["--points", "a.csv"], "--points: toy takes ask(it). Leave it out."),
        (["story"], ["--image", "a.png"], "--image: toy takes ask(it). Leave it out."),
        (["story"], ["--out", "pages"], "--out: toy takes ask(it). Leave it out."),
        (["points"], ["--story", "a.txt"], "toy takes points, and nothing else. Pass --points"),
        (["points"], ["--question", "Where?"], "toy takes points, and nothing else."),
        (["points"], ["--write.seed", 7], "toy takes points, and nothing else."),
        (["points"], ["--image", "a.png"], "toy takes points, and nothing else."),
        (["image"], ["--question", "Where?"], "toy is asked about a picture, and none came."),
        (["image"], ["--image", "a", "--story", "b"], "toy takes a picture and questions, and not"),
        (["image"], ["--image", "a", "--write.seed", 7], "toy takes a picture and questions, and"),
        (["image"], ["--image", "no.png", "--question", "q"], "--image no.png: there is no such"),
    ],
)
def test_options_that_would_be_ignored_are_refused(asks, takes, words, said):
    run = Run(*takes)
    status, out, err = asks(run, *words)
    assert (status, out, run.asked) == (USAGE, "", [])
    assert err.startswith(f"memnets: {said}")


def test_points_are_of_a_file_or_of_all_lines_that_are_typed(asks):
    run = Run("points")
    status, out, _ = asks(run, "--points", "a.csv", "--json")
    assert (status, json.loads(out)["text"]) == (0, "an answer")
    status, out, _ = asks(run, typed=Typed("0,1\n2,3\n"))
    assert (status, out.splitlines()[0]) == (0, ask.POINTS)
    assert "an answer" in out
    assert ask.POINTS not in asks(run, typed=io.StringIO("4,5\n"))[1]
    assert run.asked == [(Path("a.csv"),), ("0,1\n2,3\n",), ("4,5\n",)]


@pytest.mark.parametrize(("takes", "hint"), [("text", ask.TEXTS), ("story", ask.HINT)])
def test_whoever_types_is_told_how(asks, takes, hint):
    status, out, _ = asks(Run(takes), typed=Typed("Who is it?\n"))
    assert (status, out.startswith(f"{hint}\n")) == (0, True)
    assert hint not in asks(Run(takes), typed=io.StringIO("Who is it?\n"))[1]


def test_questions_follow_what_the_story_tells(asks, tmp_path):
    (tmp_path / "a.txt").write_text("one\ntwo\n")
    run = Run("story")
    status, _, err = asks(run, "--story", tmp_path / "a.txt", "--question", "who", "where?")
    assert (status, err) == (0, "")  # nothing of how many there were
    assert run.asked == [(["one", "two"], "who?"), (["one", "two"], "where?")]
    text = Run("text")
    assert asks(text, "--question", "who", "Where?")[0] == 0
    assert text.asked == [([], "who"), ([], "Where?")]


def test_lines_are_told_without_what_surrounds_them(asks):
    run = Run("story")
    assert asks(run, typed=io.StringIO(" one \n  Who is it? \n"))[0] == 0
    assert run.asked == [(["one"], "Who is it?")]


@pytest.mark.parametrize(
    ("takes", "said"), [("text", "Type a text"), ("story", 'End a line with "?"')]
)
def test_where_nothing_is_asked_it_is_said_how(asks, takes, said):
    status, _, err = asks(Run(takes), typed=io.StringIO("\n"))
    assert (status, err) == (USAGE, f"memnets: nothing was asked. {said}, or pass --question.")


# Pictures


@pytest.fixture
def drawn(monkeypatch):
    """Drawings that would be written."""
    found = []

    def write(folder, name, answer):
        found.append((folder, name, answer.question, len(answer.steps[0].supports)))
        return [folder / f"{name}.html", folder / f"{name}.png"]

    monkeypatch.setattr("memnets.report.gallery.write_gallery", write)
    return found


def test_each_question_about_a_picture_is_answered_and_drawn(asks, drawn, tmp_path):
    (tmp_path / "one.png").touch()
    run = Run("image", "question")
    given = ("--image", tmp_path / "one.png", "--out", tmp_path)
    status, out, err = asks(run, *given, "--question", "who", " ", "bad", "where?")
    assert status == USAGE
    assert run.asked == [([str(tmp_path / "one.png")], q) for q in ("who?", "where?")]
    assert drawn == [(tmp_path, "one-1", "who?", 6), (tmp_path, "one-3", "where?", 6)]
    assert err == (
        f"memnets: {tmp_path}/one-1.html memnets: {tmp_path}/one-1.png memnets: it is bad. "
        f"memnets: {tmp_path}/one-3.html memnets: {tmp_path}/one-3.png"
    )
    # The three that a hop read most, of all hops: 1, 2 and 3, and 0, 1 and 2.
    assert [f"place {n}" in out for n in range(6)] == [True] * 4 + [False] * 2
    status, out, _ = asks(run, *given[:2], "--json", "--question", "who", "bad")
    one, two = map(json.loads, out.splitlines())
    assert (status, len(one["steps"][0]["supports"])) == (USAGE, 6)
    assert two == {"question": "bad?", "error": "it is bad."}
    assert asks(run, *given[:2], "--question", "who")[0] == 0
    assert len(drawn) == 2


def test_questions_about_a_picture_are_typed(asks, tmp_path):
    (tmp_path / "one.png").touch()
    run = Run("image", "question")
    status, out, _ = asks(run, "--image", tmp_path / "one.png", typed=Typed("who\n\n"))
    assert (status, out.splitlines()[0], len(run.asked)) == (0, ask.QUESTIONS, 1)
    status, _, err = asks(run, "--image", tmp_path / "one.png", typed=io.StringIO("\n"))
    assert status == USAGE
    assert err.startswith("memnets: nothing was asked. Pass --question")


def test_what_looked_nowhere_cannot_be_drawn(drawn, tmp_path):
    with pytest.raises(ValueError, match=r"^q\?: this run looks at no place, so there is nothing"):
        pictures.draw(replace(LOOKED, regions=None), tmp_path, "one")
    assert drawn == []


class Teller(Run):
    """Captions pictures."""

    def caption(self, paths, beam):
        self.asked.append((paths, beam))
        caution = "it is small" if paths[0].stem == "b" else ""
        return [replace(LOOKED, question=paths[0].name, text=f"[a] {beam}", caution=caution)]


def test_each_picture_is_told_of_in_a_line(asks, drawn, tmp_path):
    run = Teller("image")
    status, out, err = asks(run, "x/a.png", "b.png", "--out", tmp_path, command="caption")
    assert (status, out) == (0, "[a] 5\n[a] 5\n")
    assert err.startswith(
        f"memnets: {tmp_path}/a.html memnets: {tmp_path}/a.png memnets: b.png: it"
    )
    assert run.asked == [([Path("x/a.png")], 5), ([Path("b.png")], 5)]
    assert [(folder, name) for folder, name, *_ in drawn] == [(tmp_path, "a"), (tmp_path, "b")]
    status, out, err = asks(run, "a.png", "--json", "--beam", 1, command="caption")
    assert (status, json.loads(out)["text"], err) == (0, "[a] 1", "")
    assert len(drawn) == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["a.png", "--beam", 0], "--beam 0: expected at least 1 hypothesis a caption."),
        ([], "no picture came. Name a file: memnets caption RUN IMAGE"),
        (["a.png", "x/a.jpg", "--out", "o"], "--out o: two pictures are called a, and one drawing"),
        (
            ["a.png", "--out", "file"],
            "file: a file is in the way. Choose another folder with --out",
        ),
    ],
)
def test_captions_that_cannot_be_told(asks, words, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    run = Teller("image")
    status, out, err = asks(run, *words, command="caption")
    assert (status, out, run.asked) == (USAGE, "", [])
    assert said in err.replace("│ ", "")


def test_two_pictures_of_one_name_are_told_of_where_nothing_is_drawn(asks):
    assert asks(Teller("image"), "a.png", "x/a.png", command="caption")[0] == 0


def test_a_run_that_tells_nothing_of_pictures(asks):
    status, _, err = asks(Run("story"), "a.png", command="caption")
    assert status == USAGE
    assert err.startswith("memnets: run: toy does not tell of pictures. Train one that does: memn")


# Knowledge bases


def test_whoever_types_to_a_kb_is_told_how(monkeypatch, capsys):
    monkeypatch.setattr("sys.stdin", Typed(" who \n where\n \n not asked\n"))
    assert list(kb_asked._typed()) == ["who", "where"]
    assert capsys.readouterr().out == "Ask, one question a line; an empty line ends.\n"
    monkeypatch.setattr("sys.stdin", io.StringIO("who"))
    assert list(kb_asked._typed()) == ["who"]
    assert capsys.readouterr().out == ""


def test_a_kb_is_opened_as_it_is_asked_for_and_what_has_changed_is_said_once(monkeypatch, capsys):
    made = []

    class Base:
        changes = "it has changed"

        def __init__(self, *given, **named):
            made.append((given, named))
            self.answerer = SimpleNamespace(ask=made.append)

    monkeypatch.setattr(kb_asked, "KB", Base)
    monkeypatch.setattr(kb_asked, "show", lambda answer, json: made.append(json))
    words = ["kb", "ask", "a.kb", "who", "where", "--trained", "b", "--synonyms", "c", "--json"]
    assert main(words) == 0
    assert made == [
        ((Path("a.kb"), Path("b")), {"synonyms": Path("c")}),
        *("who", True, "where", True),
    ]
    assert capsys.readouterr() == ("", "memnets: it has changed\n")
    Base.changes = ""
    assert main([*words[:4]]) == 0
    assert made[5:] == [((Path("a.kb"), None), {"synonyms": None}), "who", False]
    assert capsys.readouterr() == ("", "")
