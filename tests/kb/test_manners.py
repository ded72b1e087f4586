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
        ", if you happen to know?",
        " by any chance?",
        " off the top of your head?",
        ". Best regards, Tom",
        ", mate?",
        "? It's for a friend.",
        "? I need it quickly.",
        "? Just curious.",
        "? We have a flight on Thursday.",
        "? My mother asks.",
        ". Can you look it up for me?",
        ". Please check this.",
    ],
)
def test_a_polite_end_is_left_out(tail):
    left = without_manners(f"Could you tell me the price of Rust{tail}")
    assert left.rstrip("?.!") == "Could you tell me the price of Rust"


@pytest.mark.parametrize(
    "head",
    [
        "May I ask ",
        "Could I just ask you: ",
        "I forgot, ",
        "I can't remember ",
        "First of all, ",
        "Could you look this up for me? ",
        "Does anybody know: ",
        "Would you happen to know ",
        "Good morning, would you happen to know ",
        "I am filling in a form and need to know ",
        "We have to write it up and I still need to know ",
        "I'd be most grateful if you could look up ",
        "Can you please find out ",
    ],
)
def test_a_polite_beginning_is_left_out(head):
    assert without_manners(f"{head}who owns Rust?") == "who owns Rust?"


@pytest.mark.parametrize(
    "question",
    [
        "Do you know if Ada is here?",  # asks for yes or no
        "May I?",
        "May I ask Ada?",
        "I forgot my umbrella at the Summit",
        "Which house? I mean one that she owns.",
        "Good Morning Rose was bred by whom?",
        "I know Ada and Ben, and where do they live?",
        "Can you look up?",
        "Ada has a house, and need the owner know it?",
        "What did Ada and the folks buy from her mate?",
        "Which works are not for sale if it rains?",
        "What does it cost if you can pay by card and thank the cook?",
        "Whom did Ada thank?",
        "",
    ],
)
def test_what_else_is_asked_stays(question):
    assert without_manners(question) == question
