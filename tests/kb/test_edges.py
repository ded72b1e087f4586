"""Edges of documents, questions and names: limits, lists of words, and what just counts."""

import random
from pathlib import Path

import pytest

from memnets.data.facts import Triple
from memnets.data.rows import BadRows
from memnets.kb.documents.documents import _MONTHS, capitalised, sentences
from memnets.kb.questions.phrases import Phrases, kind_of, realise
from memnets.kb.questions.questions import LONG, SAMPLE, Facts, QuestionGenerator, _share, _stems
from memnets.kb.questions.vocabulary import _places


def said(tmp_path: Path, text: str, name: str = "a.txt") -> list[str]:
    (tmp_path / name).write_text(text)
    return [one.text for one in sentences(tmp_path / name, BadRows())]


# Documents


@pytest.mark.parametrize(
    "short",
    [
        *("Mr", "Mrs", "Ms", "Dr", "St", "Prof", "Jr", "Sr", "vs", "etc", "No", "Vol", "Fig"),
        *("ca", "approx", "e.g", "i.e", "J", "É"),
    ],
)
def test_an_abbreviation_ends_no_sentence(short, tmp_path):
    assert len(said(tmp_path, f"He saw {short}. Adams there.")) == 1
    assert len(said(tmp_path, f"He saw x{short}x. Adams there.")) == 2


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("One is… Two is.", 2),
        ("One is! Two is? Three is.", 3),
        ('He said "no." Then he left.', 2),
        ("It is (one.) Two is.", 2),
        ("One is. two is.", 1),
        ("One is.Two is.", 1),
        ("One is. 3 are.", 2),
    ],
)
def test_a_sentence_ends_with_its_mark_before_what_begins_large(text, parts, tmp_path):
    assert len(said(tmp_path, text)) == parts


def test_lists_rules_and_quotes_part_what_markdown_says(tmp_path):
    for mark in ("- ", "* ", "+ ", "1. ", "12) ", "> ", "  - "):
        assert said(tmp_path, f"One is\n{mark}two is", "a.md") == ["One is", "two is"]
    for rule in ("", "---", "===", "***", "___", "|---|:-:|", "- - -"):
        assert said(tmp_path, f"One is\n{rule}\ntwo is", "a.md") == ["One is", "two is"]
    assert said(tmp_path, "One is\n1234. two is", "a.md") == ["One is 1234. two is"]
    assert said(tmp_path, "~~~\nx\n```\ny\n~~~\nTwo is", "a.md") == ["Two is"]
    assert said(tmp_path, "One\n---\nx\n---\ny", "a.md") == ["One", "x", "y"]


def test_a_year_goes_with_every_month_and_with_nothing_else():
    assert len(_MONTHS) == 12
    for month in _MONTHS:
        assert capitalised(())(f"in {month.title()} 1994 it")[0][0] == f"{month.title()} 1994"
    assert [name for name, *_ in capitalised(())("in Oslo 1994 it")] == ["Oslo", "1994"]
    assert [name for name, *_ in capitalised(())("in Oslo 19945 it")] == ["Oslo 19945"]


# Questions


def test_some_objects_of_a_relation_are_looked_at():
    facts = Facts(Triple(f"e{n}", "r", f"o{n}") for n in range(SAMPLE + 3))
    assert facts.relations == {"r": [f"o{n}" for n in range(SAMPLE)]}
    assert len(facts) == 2 * (SAMPLE + 3)
    assert list(facts)[:3] == ["e0", "o0", "e1"]


def test_nobody_asks_by_a_text():
    names = [" ".join(["word"] * number) for number in (LONG, LONG + 1)]
    facts = Facts([Triple(name, "r", "x") for name in names] + [Triple("?!", "r", "x")])
    asker = QuestionGenerator(facts, {"r": Phrases(("what of {it}",)), "!r": Phrases()}, "learn")
    assert {asker.known().entity for _ in range(30)} == {names[0]}


def test_three_fifths_of_what_all_would_say_are_learnt():
    stock = list("abcdefgh")
    assert [_share(stock, side) for side in range(3)] == [
        ["a", "b", "c", "f", "g", "h"], ["d"], ["e"],
    ]  # fmt: skip
    assert _stems(["owned", "owns", "owning", "owner", "the", "who", "it"]) == {"own"}
    assert _stems(["directorate"]) == {"direc"}


@pytest.mark.parametrize(
    ("objects", "kind"),
    [
        (["1994", "2001-05-06", "Ada"], "time"),
        (["12/5/1994", "300 BC", "44 ad"], "time"),
        (["in May 1994", "1.2.94"], "time"),
        (["12", "3.5 km", "-7"], "number"),
        (["12", "3.5 km", "Ada", "Bo"], "name"),
        (["12", "Ada"], "name"),
        (["12345", "1,234"], "number"),
        ([], "name"),
    ],
)
def test_most_of_the_objects_tell_what_they_are(objects, kind):
    assert kind_of(objects) == kind


def test_what_was_held_out_is_learnt_once_where_all_is():
    ways = Phrases(("a", "b"), ("b", "c"), ("d",))
    assert ways.all_learnt() == Phrases(("a", "b", "c", "d"), ("b", "c", "d"), ())


def test_choices_within_choices_are_made():
    dice = random.Random(0)
    found = {realise("((a|b) c|d)  of {it}", dice) for _ in range(60)}
    assert found == {"a c of {it}", "b c of {it}", "d of {it}"}
    kinds = {realise("{kind} {kind}", dice) for _ in range(60)}
    assert any(len(set(both.split())) > 1 for both in kinds)  # each is drawn for itself


def test_words_beside_names_are_told_from_those_farther_away():
    found = {at: _places(at - 3, at - 5) for at in range(8)}
    assert found[0] == found[1] == ("before ",)
    assert found[2] == ("before ", "leading ")
    assert found[3] == found[4] == found[5] == ()
    assert found[6] == ("after ", "following ")
    assert found[7] == ("after ",)
