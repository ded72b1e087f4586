"""A polite end of a question asks for nothing."""

import pytest

from memnets.kb.programs.manners import without_manners


@pytest.mark.parametrize(
    "tail",
    [
        ", if it isn't too much trouble?",
        " if that's possible.",
        " if you don\u2019t mind",
        ", thanks in advance!",
        " thank you very much",
        ", if that is ok with you?",
        ", I need it for the gala dinner.",
        ", I promised to ring back.",
    ],
)
def test_a_polite_end_is_left_out(tail):
    left = without_manners(f"Could you tell me the price of Rust{tail}")
    assert left.rstrip("?.!") == "Could you tell me the price of Rust"


@pytest.mark.parametrize(
    "question",
    [
        "Which works are not for sale if it rains?",
        "What does it cost if you can pay by card and thank the cook?",
        "Whom did Ada thank?",
        "",
    ],
)
def test_what_else_is_asked_stays(question):
    assert without_manners(question) == question
