"""English forms of the words of relations."""

import pytest

from memnets.kb.questions import english
from memnets.kb.questions.phrases import templates


@pytest.mark.parametrize(
    "name",
    [
        "directed_by",
        "directedBy",
        "Directed By",
        "film/directed-by",
        "http://a.org/ns#directed_by",
        "film.film.directed_by",
    ],
)
def test_a_relation_is_taken_apart_whatever_parts_its_words(name):
    assert english.relation_words(name) == ["directed", "by"]


def test_what_is_written_short_is_written_out():
    assert english.relation_words("desk_no") == ["desk", "number"]
    assert english.relation_words("No") == ["no"]
    assert english.relation_words("no_of_rooms") == ["no", "of", "rooms"]
    assert english.relation_words("deptMgr") == ["department", "manager"]
    assert english.relation_words("yr_built") == ["year", "built"]


def test_words_are_parted_where_a_large_letter_follows_a_small_one_or_a_digit():
    said = {
        "hasPart2Name": "has part2 name",
        "UTF8name": "utf8name",
        "dateOfBirth": "date of birth",
    }
    said |= {"http://a.org/ns#": "ns", "film/": "film", "a:b": "b", "": "", "/#": ""}
    assert {name: " ".join(english.relation_words(name)) for name in said} == said


@pytest.mark.parametrize(
    ("participle", "expected"),
    [
        ("directed", "direct directs directed directed directing director"),
        ("starred", "star stars starred starred starring star"),
        ("released", "release releases released released releasing releaser"),
        ("carried", "carry carries carried carried carrying carrier"),
        ("created", "create creates created created creating creator"),
        ("written", "write writes wrote written writing writer"),
    ],
)
def test_the_forms_of_a_verb(participle, expected):
    found = english.verb(participle, templates()["irregular"])
    assert " ".join(found) == expected


@pytest.mark.parametrize(
    "forms",
    [
        "own owns owned owned owning owner",
        "base bases based based basing baser",
        "produce produces produced produced producing producer",
        "change changes changed changed changing changer",
        "judge judges judged judged judging judger",
        "settle settles settled settled settling settler",
        "value values valued valued valuing valuer",
        "love loves loved loved loving lover",
        "organize organizes organized organized organizing organizer",
        "locate locates located located locating locator",
        "float floats floated floated floating floater",
        "require requires required required requiring requirer",
        "measure measures measured measured measuring measurer",
        "pass passes passed passed passing passer",
        "install installs installed installed installing installer",
        "play plays played played playing player",
        "edit edits edited edited editing editer",
        "plan plans planned planned planning planner",
        "raise raises raised raised raising raiser",
        "act acts acted acted acting actor",
        "apply applies applied applied applying applier",
        "agree agrees agreed agreed agreeing agreer",
        "rob robs robbed robbed robbing robber",
        "nod nods nodded nodded nodding nodder",
        "trim trims trimmed trimmed trimming trimmer",
        "stop stops stopped stopped stopping stopper",
        "star stars starred starred starring starrer",
        "bet bets betted betted betting better",
        "fix fixes fixed fixed fixing fixer",
        "crew crews crewed crewed crewing crewer",
        "associate associates associated associated associating associator",
        "influence influences influenced influenced influencing influencer",
        "arrange arranges arranged arranged arranging arranger",
        "admire admires admired admired admiring admirer",
        "handle handles handled handled handling handler",
        "cancel cancels canceled canceled canceling canceler",
    ],
)
def test_the_forms_of_a_participle_and_of_a_base_are_the_same(forms):
    base, _, _, participle, *_ = forms.split()
    assert " ".join(english.of_base(base)) == forms
    if base != "agree":
        assert " ".join(english.verb(participle, {})) == forms


@pytest.mark.parametrize("word", ["genre", "red", "mayor", "bed", "used"])
def test_other_words_are_no_participles(word):
    assert english.verb(word, templates()["irregular"]) is None


def test_a_regular_verb_of_its_base():
    assert english.of_base("tag") == english.Verb(
        "tag", "tags", "tagged", "tagged", "tagging", "tagger"
    )
    assert english.of_base("carry").did == "carried"


@pytest.mark.parametrize(
    ("word", "base"),
    [
        *(("flows", "flow"), ("crosses", "cross"), ("carries", "carry"), ("teaches", "teach")),
        *(("fixes", "fix"), ("buzzes", "buzz"), ("pushes", "push"), ("plays", "play")),
    ],
)
def test_a_verb_loses_its_ending(word, base):
    assert english.base_of_third(word) == base
    assert english.third(base) == word


def test_nouns_in_both_numbers():
    assert english.numbers("actors") == ("actor", "actors")
    assert english.numbers("city") == ("city", "cities")
    assert english.numbers("class") == ("class", "classes")
    assert english.numbers("bus") == ("bus", "buses")
    assert english.numbers("cats") == ("cat", "cats")
    assert english.numbers("boss") == ("boss", "bosses")
    assert english.numbers("gas") == ("gas", "gases")
    assert english.numbers("boy") == ("boy", "boys")
    assert english.numbers("boxes") == ("box", "boxes")
    assert english.numbers("s") == ("s", "ses")


def test_a_verb_gets_its_ending():
    said = "goes boxes watches wishes misses buzzes tries plays runs"
    bases = "go box watch wish miss buzz try play run"
    assert " ".join(map(english.third, bases.split())) == said
    assert english.gerund("see") == "seeing"
    assert english.gerund("make") == "making"
    assert english.base_of_third("does") == "doe"  # crude on purpose
