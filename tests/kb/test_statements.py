"""What is told asks for nothing; what asks without a question mark does."""

import pytest

from memnets.kb.programs.statements import is_told


@pytest.mark.parametrize(
    ("text", "names_end"),
    [
        ("I left my umbrella in the Music Room.", 0),
        ("We had a lovely day at the Summit, thank you!", 0),
        ("My grandmother loved rhubarb.", 0),
        ("what a goal by Stella Wharf!", 0),
        ("never mind", 0),
        ("You are a tug", 0),
        ("Ruby Red makes the best coffee.", 2),
        ("Robin Early was late again today!", 2),
        ("May all your beans grow tall.", 0),
    ],
)
def test_what_is_told(text, names_end):
    assert is_told(text, names_end)


@pytest.mark.parametrize(
    ("text", "names_end"),
    [
        ("", 0),
        ("?!", 0),
        ("Ruby Red makes which coffee.", 2),  # a word that asks
        ("Ruby Red makes coffee?", 2),
        ("Ruby Red's salary.", 2),  # no verb
        ("Ruby Red, office hours.", 2),
        ("Ruby Red works", 2),  # no end of a sentence
        ("Ruby Red lives.", 2),
        ("Everything from the firm in Rome, please.", 0),
        ("I was wondering, please tell me the price of Rust.", 0),
        ("We had a guest, I need the name.", 0),
        ("My boss wants to know the price of Rust.", 0),
        ("what an hour costs is asked how?", 0),
        ("What year was Rust written.", 0),
    ],
)
def test_what_asks(text, names_end):
    assert not is_told(text, names_end)
