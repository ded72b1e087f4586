"""Names and values in questions."""

import pytest

from memnets.kb.linking.mention import Mention
from memnets.kb.programs.arguments import _is_misspelt


@pytest.mark.parametrize(
    ("typed", "name", "how", "misspelt"),
    [
        ("saskia blomen", "saskia bloemen", "spelling", True),
        ("wall clock", "hall clock", "spelling", False),  # English, and something else
        ("hall clcok", "hall clock", "spelling", True),
        ("clcok", "clock", "spelling", False),  # of one word it may be anything
        ("saskia blomen", "saskia bloemen", "part", False),
    ],
)
def test_a_name_of_several_words_is_misspelt_by_what_is_no_english(typed, name, how, misspelt):
    words = ["the", *typed.split()]
    mention = Mention(1, len(words), ("Name",), how, name)
    assert _is_misspelt(words, mention) == misspelt
