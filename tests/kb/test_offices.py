"""Questions in a stranger's words about an office: words that only begin as others do, numbers."""

import pytest

from memnets.kb.programs.forms import same_stem

OFFICE = """
name;position;trained by;current case;days in court;journey;player count;joined on
Ada;partner;;Ferry;120;2 days;4;2001-05-02
Bo;trainee;Ada;Mill;3;1 day;5;2019-03-01
Cy;trainee;Bo;Will;104;4 days;6;2020-09-14
"""


@pytest.fixture(scope="module")
def answers(asking):
    header, *rows = (line.split(";") for line in OFFICE.strip().splitlines())
    return asking(
        (name, relation, cell)
        for name, *cells in rows
        for relation, cell in zip(header[1:], cells, strict=True)
        if cell
    )


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What is the current case of the trainee Bo?", "Mill"),
        ("Which trainee was the last to join?", "Cy"),
        ("Who are Ada's trainees?", "Bo"),
        ("Which trainees are there?", "Bo, Cy"),
        ("Who has had over 100 days in court?", "Ada, Cy"),
        ("Whose journey takes more than 3 days?", "Cy"),
    ],
)
def test_trainees_and_days(answers, question, expected):
    assert answers(question) == expected


@pytest.mark.parametrize(
    "alike",
    [
        *(
            "create creator",
            "member membership",
            "expand expansion",
            "colour color",
            "centre center",
        ),
        *("theatre theater", "train trainee", "own owner", "direct director", "birth birthdate"),
        *("start startup", "makes maker", "discover discovery", "employ employee"),
    ],
)
def test_words_with_ends_of_words_are_one(alike):
    assert same_stem(*alike.split())
    assert same_stem(*reversed(alike.split()))


@pytest.mark.parametrize(
    "unlike",
    [
        *("count country", "chance change", "college collar", "course court", "contact contain"),
        *("common comment", "charge chart", "chain chair", "ground group", "defeat defence"),
        *("birth birthplace", "boat boathouse", "part partner", "party partner", "parts partners"),
    ],
)
def test_words_that_only_begin_alike_are_not(unlike):
    assert not same_stem(*unlike.split())
