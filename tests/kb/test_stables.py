"""Questions in a stranger's words about horses: numbers, verbs that look like nouns, verbs."""

import pytest

from memnets.kb.programs.forms import BASES, same_stem
from memnets.kb.programs.heads import is_done

HORSES = """
name;kind;Usually Ridden By;trained by;sired by;scared of;prizes won;monthly visitors;sponsors;shows;show length;trade
Duke;horse;Ada;Cy;Earl;geese, rain;3;410;Tandem;9;20 min;
Earl;horse;Bo;Cy;;rain;7;95;Tandem, Rye;2;45 min;
Fern;horse;Ada;Bo;Duke;geese;0;77;Rye;;;
Ada;person;;Bo;;;;;;;;rider
Bo;person;;Di;;;;;;;;stable hand
Cy;person;;;;;;;;;;teacher
Di;person;;;;;;;;;;teacher
Tandem;sponsor;;;;rain;;;;;;
Rye;sponsor;;;;;;;;;;
"""  # noqa: E501


@pytest.fixture(scope="module")
def answers(asking):
    header, *rows = (line.split(";") for line in HORSES.strip().splitlines())
    return asking(
        (name, relation, one)
        for name, *cells in rows
        for relation, cell in zip(header[1:], cells, strict=True)
        for one in cell.split(", ")
        if one
    )


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How many people come to see Duke?", "410"),
        ("How many rosettes did Earl win?", "7"),
    ],
)
def test_a_number_is_brought_to_mind_by_what_is_counted(answers, question, expected):
    assert answers(question) == expected


def test_how_many_alone_brings_no_number_to_mind(answers):
    assert answers("How many corners are there in Duke?") == ""


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Who rides Duke?", "Ada"),
        ("Who usually rides Earl?", "Bo"),
        ("Who taught Ada to ride?", "Bo"),
        ("Who sponsors Fern?", "Rye"),
        ("Which horses does Ada ride?", "Duke, Fern"),
        ("Who is the father of Fern?", "Duke"),
        ("What frightens Earl?", "rain"),
        ("Which horses are afraid of geese?", "Duke, Fern"),
        ("Which horse is supported by Tandem and also by Rye?", "Earl"),
    ],
)
def test_verbs_are_read_in_all_their_forms(answers, question, expected):
    assert answers(question) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Who was the teacher of Ada's teacher?", "Di"),
        ("Who works as a teacher?", "Cy, Di"),
        ("How many horses does the stable have?", "3"),
        ("How many people were trained by Bo?", "1"),
        ("Which of our people were trained by Bo?", "Ada"),
        ("Which horse has the longest shows?", "Earl"),
        ("Which horse has the most shows?", "Duke"),
        ("Does Duke or Earl have the longer shows?", "Earl"),
    ],
)
def test_nouns_are_roles_kinds_and_measures(answers, question, expected):
    """A teacher is one of somebody's, though it is also somebody's trade."""
    assert answers(question) == expected


@pytest.mark.parametrize(
    ("question", "word", "verb"),
    [
        ("who grooms ada", "grooms", True),
        ("bo works as a groom", "works", True),
        ("ada sponsors which horses", "sponsors", True),
        ("which horses are red", "horses", False),
        ("horses which are red", "horses", False),
        ("which of the sponsors", "sponsors", False),
        ("of the duos which sold", "duos", False),
    ],
)
def test_a_plural_may_be_a_verb(question, word, verb):
    words = question.split()
    assert is_done(words, words.index(word)) is verb


@pytest.mark.parametrize(
    "forms",
    ["ride rode ridden rides rider", "break broke broken", "throw threw thrown", "shoe shod"],
)
def test_irregular_verbs_are_one_word_in_all_forms(forms):
    first, *others = forms.split()
    assert all(same_stem(first, one) for one in others)
    assert all(BASES.get(base, base) == base for base in BASES.values())
