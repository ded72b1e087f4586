"""Edges of the readers of data: marks, folders that come first, and how much is let pass."""

import hashlib
import warnings
from pathlib import Path

import pytest

from memnets.data import sources
from memnets.data.qa.freebase import read_ntriples
from memnets.data.qa.simplequestions import SimpleQuestion
from memnets.data.qa.webquestions import read_questions, read_topics
from memnets.data.qa.wikiqa import Candidate, WikiQAQuestion, ranking
from memnets.data.rows import decoded, expect_text, numbered, records
from memnets.data.sources import Archive, locate
from memnets.data.text import Text, characters
from memnets.data.treebanks import read_tree
from memnets.data.treebanks.sentiment import _without_dev
from memnets.files import check_new, read_json, sha256, without_nan, write_json
from memnets.lookup import named


def put(path, data: bytes):
    path.write_bytes(data)
    return path


# Rows


def test_a_byte_order_mark_is_one_at_the_beginning_alone(tmp_path):
    path = put(tmp_path / "a", b"\xef\xbb\xbfone\n\xef\xbb\xbftwo\n")
    assert list(records(path, str)) == ["one", "\ufefftwo"]
    assert list(numbered(path)) == [(1, b"one\n"), (2, b"\xef\xbb\xbftwo\n")]


def test_what_ends_a_line_is_taken_off_once():
    assert decoded(b"a\r\n") == "a"
    assert decoded(b"a\r\r\n") == "a\r"
    assert decoded(b"a\r") == "a"
    with pytest.raises(ValueError, match="byte 3 of the line is 0, which no text has"):
        decoded(b"ab\0\n")
    with pytest.raises(ValueError, match="byte 0xe9 is not UTF-8 text"):
        decoded(b"ab\xe9\n")


@pytest.mark.parametrize(
    ("begin", "what", "mend"),
    [
        (b"BZh9", "a bzip2 archive", "Unpack it"),
        (b"\xfd7zXZ", "an xz archive", "Unpack it"),
        (b"7z\xbc\xaf", "a 7-Zip archive", "Unpack it"),
        (b"\xd0\xcf\x11\xe0", "a spreadsheet or document", "Export it as CSV"),
        (b"SQLite format 3\0", "an SQLite database", "Export it as CSV"),
        (b"%PDF-1.7", "a PDF file", "Save its text in UTF-8"),
        (b"\xff\xfea\0", "text in UTF-16", "iconv -f UTF-16"),
        (b"\x1f\x8b", "a gzip archive", "Unpack it"),
    ],
)
def test_what_is_often_taken_for_text_is_named(begin, what, mend):
    with pytest.raises(ValueError, match=rf"^a: this is {what}.*{mend}"):
        expect_text(Path("a"), begin)


# Places


def test_of_folders_that_hold_a_set_the_one_of_its_own_name_comes_first(tmp_path):
    for folder in ("tasks_1-20_v1-2", "babi", "."):
        (tmp_path / folder / "en").mkdir(parents=True, exist_ok=True)
    found = [locate("babi", tmp_path, holds=("hn", "en"))]
    (tmp_path / "tasks_1-20_v1-2" / "en").rmdir()
    found.append(locate("babi", tmp_path, holds=("hn", "en")))
    (tmp_path / "babi" / "en").rmdir()
    found.append(locate("babi", tmp_path, holds=("hn", "en")))
    assert found == [tmp_path / "tasks_1-20_v1-2", tmp_path / "babi", tmp_path]
    assert Archive("https://a.b/c/d.tar.gz").name == "d.tar.gz"


def test_what_can_be_downloaded_is_told_from_what_cannot(tmp_path, monkeypatch):
    monkeypatch.setenv("MEMNETS_CACHE", str(tmp_path))
    monkeypatch.delenv("MEMNETS_DATA", raising=False)
    with pytest.raises(FileNotFoundError, match=r"leave it out and download: memnets data get bab"):
        locate("babi", tmp_path / "none")
    with pytest.raises(FileNotFoundError, match="or name the folder with its files"):
        locate("sst", tmp_path / "none")
    with pytest.raises(FileNotFoundError, match=r"It comes from nlp\.stanford.*\(none came with"):
        locate("sst")
    unchecked = next(
        name
        for name, one in sources.SOURCES.items()
        if one.archives and one.archives[0].sha256 is None
    )
    with pytest.raises(FileNotFoundError, match="its files are checked"):
        locate(unchecked)


# Trees and texts


def trees(*words):
    return tuple(read_tree(f"(2 (2 {word}) (2 it))") for word in words)


def test_one_in_a_hundred_dev_sentences_may_stand_in_train():
    dev = trees(*(f"d{n}" for n in range(200)))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        two = trees("a", "d7", "d9")
        assert _without_dev(Path("train.txt"), two, dev) == two
        assert _without_dev(Path("train.txt"), two, ()) == two
    with pytest.raises(ValueError, match=r"^train\.txt: 3 of its sentences .* such as 'd5 it'\."):
        _without_dev(Path("train.txt"), trees("d9", "d7", "d5"), dev)
    with pytest.warns(UserWarning, match="its last 200 trees"):
        assert _without_dev(Path("train.txt"), two + dev, dev) == two


def test_a_thousand_words_are_a_sentence():
    tree = read_tree("(2 " + "(2 a) " * 1000 + ")")
    assert len(tree.sentence.words) == 1000
    assert read_tree(r"(2 a\*b)").sentence.words == ("a*b",)


def test_a_text_is_known_by_all_its_parts_in_the_order_of_their_names():
    text = Text.of("t", {"valid": "b", "train": "ab", "test": "c"}, characters)
    assert text.sha256 == hashlib.sha256(b"c\0ab\0b").hexdigest()
    assert (text.name, text.unit) == ("t", "characters")


# Questions


def test_a_relation_that_is_asked_backwards_is_a_fact_forwards():
    backwards = SimpleQuestion("Q1", "R19", "Q2", "who?").fact
    assert backwards == ("Q2", "P19", "Q1")
    assert SimpleQuestion("Q1", "P19", "Q2", "who?").fact == ("Q1", "P19", "Q2")


@pytest.mark.parametrize(
    ("escape", "letter"),
    [
        (r"\t", "\t"), (r"\n", "\n"), (r"\r", "\r"), (r"\b", "\b"), (r"\f", "\f"), (r"\"", '"'),
        (r"\\", "\\"), (r"\u00e9", "é"), (r"\uD7FF", "\ud7ff"), (r"\uE000", "\ue000"),
        (r"\U0010FFFF", "\U0010ffff"), (r"\uD800", None), (r"\uDFFF", None), (r"\U00110000", None),
    ],
)  # fmt: skip
def test_escapes_stand_for_characters(tmp_path, escape, letter):
    path = put(tmp_path / "a.nt", f'<a> <b> "x{escape}" .\n'.encode())
    if letter is None:
        with pytest.raises(ValueError, match=r"a\.nt:1: came the escape .*a character of Unicode"):
            list(read_ntriples(path))
    else:
        assert [one.object for one in read_ntriples(path)] == [f"x{letter}"]


def test_entries_are_counted_from_one_and_their_names_from_zero(tmp_path):
    whole = b'[{"utterance": "who", "targetValue": "(list (description A))", "url": "x/en/ada"}'
    path = put(tmp_path / "q.json", whole + b', {"qId": 3}]')
    with pytest.raises(ValueError, match=r"q\.json: entry 2: came .*qId"):
        read_questions(path)
    (question,) = read_questions(put(path, whole + b"]"))
    assert (question.name, question.topic, question.answers) == ("0", "ada", ("A",))
    with pytest.raises(ValueError, match=r"q\.json: entry 1: came"):
        read_topics(path)


def test_equal_scores_keep_the_order_of_the_article():
    question = WikiQAQuestion("q", (Candidate("a", False), Candidate("b", True)))
    assert ranking([question], [[0.5, 0.5]])[:2] == (0.5, 0.5)
    assert ranking([question], [[0.5, 0.6]])[:2] == (1.0, 1.0)


# Files and names


def test_a_file_may_be_written_where_there_is_none_or_it_is_wanted(tmp_path):
    path = tmp_path / "a"
    assert check_new(path) == path
    path.touch()
    with pytest.raises(ValueError, match=r"this file is there already; .* or pass --overwrite"):
        check_new(path)
    assert check_new(path, overwrite=True) == path
    with pytest.raises(ValueError, match="this is a folder"):
        check_new(tmp_path, overwrite=True)


def test_json_is_written_without_what_it_lacks_and_read_where_it_is_whole(tmp_path):
    path = tmp_path / "below" / "a.json"
    write_json(path, {"b": [float("nan"), (1.5, float("-inf"))], "é": 1})
    assert path.read_text("utf-8").endswith('"é": 1\n}\n')
    assert read_json(path, needed=("b",)) == {"b": [None, [1.5, None]], "é": 1}
    assert [one.name for one in path.parent.iterdir()] == ["a.json"]
    with pytest.raises(ValueError, match=r"a\.json: it lacks 'c'\. Mend it\."):
        read_json(path, needed=("b", "c"), remedy="Mend it.")
    assert without_nan({"a": 1}) == {"a": 1}
    assert sha256(put(tmp_path / "x", b"abc")) == hashlib.sha256(b"abc").hexdigest()


def test_the_nearest_name_is_told_where_one_is_near():
    known = {"train": 1, "trail": 2, "report": 3}
    assert named("trail", known, "command", "memnets --help") == 2
    with pytest.raises(ValueError, match=r"^there is no command 'repot'\. Did you mean report\?$"):
        named("repot", known, "command", "memnets --help")
    with pytest.raises(ValueError, match=r"^there is no command 'zzz'\. See `memnets --help`\.$"):
        named("zzz", known, "command", "memnets --help")
