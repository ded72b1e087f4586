"""Ways of asking: made of relations' names, kept in a file that a user edits."""

import hashlib
import random
import re

import pytest

from memnets.kb.questions.phrase_files import read_phrases, write_phrases
from memnets.kb.questions.phrases import (
    IT,
    Phrases,
    kind_of,
    readings,
    realise,
    templates,
    ways_of_asking,
)

RELATIONS = {
    "directed_by": ["Ada"],
    "starred_actors": ["Ada"],
    "release_year": ["1982"],
    "has_genre": ["Drama"],
    "born_in": ["Rome"],
    "capital_of": ["Italy"],
    "flows_through": ["Rome"],
    "borders": ["Italy"],
    "wrote": ["Emma"],
    "population": ["12,000"],
    "manager": ["Ada"],
}


def every(ways: Phrases) -> list[str]:
    return [phrase for side in ways for phrase in side]


@pytest.mark.parametrize(
    ("relation", "backwards", "question"),
    [
        ("directed_by", False, "who directed {it}"),
        ("directed_by", False, "director of {it}"),
        ("directed_by", True, "what did {it} direct"),
        ("release_year", False, "when was {it} released"),
        ("has_genre", False, "what is the genre of {it}"),
        ("born_in", False, "where was {it} born"),
        ("born_in", True, "who was born in {it}"),
        ("capital_of", True, "what is the capital of {it}"),
        ("capital_of", False, "{it} is the capital of what"),
        ("flows_through", True, "what flows through {it}"),
        ("borders", False, "what does {it} border"),
        ("wrote", True, "who wrote {it}"),
        ("starred_actors", False, "who acted in {it}"),
        ("manager", False, "who manages {it}"),
        ("manager", False, "{it} is managed by whom"),
        ("manager", True, "who does {it} manage"),
    ],
)
def test_a_relation_is_asked_after_as_people_do(relation, backwards, question):
    ways = ways_of_asking(RELATIONS)[("!" if backwards else "") + relation]
    dice = random.Random(0)
    said = {realise(phrase, dice) for phrase in every(ways) for _ in range(500)}
    assert question in said


def test_every_template_is_filled_in():
    for ways in ways_of_asking(RELATIONS).values():
        for phrase in every(ways):
            assert phrase.count(IT) == 1
            assert set(re.findall(r"\{\w+\}", phrase)) <= {IT, "{kind}"}


def test_every_form_is_read_from_some_name():
    named = {
        r.form for name, objects in RELATIONS.items() for r in readings(name, kind_of(objects))
    }
    assert named == set(templates()["forms"])


@pytest.mark.parametrize(
    ("name", "forms", "noun"),
    [
        ("has", ["noun"], "has"),  # a word that is left out elsewhere, and all that there is
        ("has been", ["noun"], "been"),
        ("of", ["noun"], "of"),
        ("in of", ["noun"], "of"),
        ("has is genre", ["noun"], "genre"),
        ("", [], ""),
        ("/#", [], ""),
    ],
)
def test_a_name_keeps_a_word_at_least(name, forms, noun):
    found = readings(name, "name")
    assert [one.form for one in found] == forms
    assert all(noun in one.words["noun"] for one in found)


def test_a_template_is_on_one_side_in_all_relations():
    ways = ways_of_asking({"genre": ["a"], "mayor": ["b"]}, seed=3)
    of_genre, of_mayor = (
        [re.sub(r"\([^()]*(genre|mayor)[^()]*\)", "NOUN", p) for p in side]
        for side in (ways["genre"].test, ways["mayor"].test)
    )
    assert of_genre
    assert of_genre == of_mayor
    assert not set(ways["genre"].test) & set(ways["genre"].learn + ways["genre"].tune)


def test_the_phrases_of_a_seed_are_the_same_everywhere():
    """A model is trained on them; if they are changed on purpose, renew the digest."""
    ways = ways_of_asking(RELATIONS, seed=3)
    assert hashlib.sha256(repr(ways).encode()).hexdigest()[:16] == "35547625d3878988"
    assert ways_of_asking(RELATIONS) == ways_of_asking(RELATIONS, seed=0)


def test_another_seed_holds_out_other_templates():
    assert len({ways_of_asking({"genre": ["a"]}, seed)["genre"].test for seed in range(7)}) > 1


@pytest.mark.parametrize(
    ("objects", "kind"),
    [
        (["1982", "1999-12-31", "May 2001"], "time"),
        (["12,000", "7 km", "3.5"], "number"),
        (["Rome", "Oslo", "1984"], "name"),
    ],
)
def test_what_objects_are(objects, kind):
    assert kind_of(objects) == kind


@pytest.mark.parametrize(
    ("kind", "items"),
    [
        (
            "time",
            "1982|198|300 BC|44bc|5 AD|May 2001|1.2.2001|31/12/1999|1999-12-31|3rd of May 1999",
        ),
        ("number", "19822|12|5 ads|7 km|7 mile|-3.5|+4|12%|3rd|1,000,000|1999a|99999 km²|0| 7 "),
        ("name", "7 miles|$5|room 3000|room 300|Oslo|x7|1982 to now|--3|"),
    ],
)
def test_what_one_object_is(kind, items):
    for item in items.split("|"):
        assert kind_of([item]) == kind, item


def test_half_of_the_objects_does_not_tell_what_they_are():
    assert kind_of(["1979", "Ada"]) == "name"
    assert kind_of(["1979", "1980", "Ada"]) == "time"


def test_a_name_without_words_has_no_phrases():
    assert ways_of_asking({"→": ["a"]})["→"] == Phrases()


def test_what_the_one_does_whom_a_noun_names():
    forms = {
        name: [r.words["third"] for r in readings(name, "name") if r.form == "agent"]
        for name in ("project_leaders", "author", "river", "owners")
    }
    assert forms == {
        "project_leaders": ["leads"],
        "author": ["(writes|authors|pens)"],
        "river": [],
        "owners": ["owns"],
    }
    assert {r.form for r in readings("owners", "name")} == {"noun", "agent"}


def test_nothing_is_held_out_where_all_is_learnt():
    ways = Phrases(("a {it}", "b {it}"), ("c {it}",), ("d {it}", "a {it}"))
    learnt = ways.all_learnt()
    assert learnt.learn == ("a {it}", "b {it}", "c {it}", "d {it}")
    assert set(learnt.tune) == {"c {it}", "d {it}", "a {it}"}
    assert learnt.test == ()


def test_what_was_written_is_read(tmp_path):
    ways = ways_of_asking(RELATIONS, seed=5)
    ways['odd "name"\\\x7f'] = Phrases(learn=('say "{it}"',))
    path = tmp_path / "my.phrases.toml"
    write_phrases(path, ways)
    assert read_phrases(path, [*RELATIONS, 'odd "name"\\\x7f']) == ways


def test_a_user_may_leave_lists_out(tmp_path):
    path = tmp_path / "my.toml"
    path.write_text('[directed_by]\nlearn = ["who made {it}"]\n')
    assert read_phrases(path, RELATIONS) == {"directed_by": Phrases(("who made {it}",))}
    path.write_text(
        '[directed_by]\nlearn = ["which {kind} (made|shot) {it}"]\ntaught = ["chief"]\n'
    )
    learnt = read_phrases(path, RELATIONS)["directed_by"].learn
    assert {"which {kind} (made|shot) {it}", "chief of {it}"} < {*learnt}


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[directed_by]\nlearn = [", r"my.toml: this is not TOML \(Invalid value"),
        ("[directed]\nlearn = []", r"my.toml: the KB has no relation 'directed'; it has borders, "),
        ("['!made']\nlearn = []", r"my.toml: the KB has no relation 'made'"),
        ("directed_by = 7", r"my.toml: \[directed_by\] holds 7; expected the lists learn, tune"),
        ("[directed_by]\nlern = []", r"\[directed_by\] holds {'lern': \[\]}; expected the lists"),
        ("[directed_by]\ntest = 'who'", r"test of \[directed_by\] is 'who'; expected a list"),
        ("[directed_by]\ntest = [7]", r"test of \[directed_by\] is \[7\]; expected a list"),
        ("[directed_by]\ntune = ['who']", r"tune of \[directed_by\] has 'who'; expected {it} once"),
        ("[directed_by]\nlearn = ['{it} {it}']", r"has '{it} {it}'; expected {it} once"),
        ("[directed_by]\nlearn = ['(a|{it}']", r"has '\(a\|{it}'; expected {it} once"),
        ("[directed_by]\nlearn = ['{it} {who}']", r"has '{it} {who}'; expected {it} once"),
    ],
)
def test_a_file_that_will_not_do_is_refused(tmp_path, text, complaint):
    path = tmp_path / "my.toml"
    path.write_text(text)
    with pytest.raises(ValueError, match=complaint):
        read_phrases(path, RELATIONS)


def test_a_file_that_is_no_text_is_refused(tmp_path):
    path = tmp_path / "my.toml"
    path.write_bytes(b"# caf\xe9")
    with pytest.raises(ValueError, match=r"my.toml: byte 5 is not UTF-8"):
        read_phrases(path, RELATIONS)
