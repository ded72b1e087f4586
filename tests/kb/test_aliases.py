"""Words of names, one by one and all at once."""

from hypothesis import example, given, settings
from hypothesis import strategies as st

from memnets.kb.index.strings import Strings
from memnets.kb.index.vocabulary import encoded
from memnets.kb.store.aliases import name_words, words_of_all


def test_words_are_letters_and_digits_without_case():
    assert name_words("  Schindler's_List (1993)! ") == ["schindler", "s", "list", "1993"]
    assert name_words("STRASSE straße") == ["strasse", "strasse"]
    assert name_words("?!") == []


@settings(max_examples=300, deadline=None)
@given(st.lists(st.text(st.sampled_from("aZ9ßÜİ漢 \0\t\n\x1f_-'\u00a0\u2028é\u0301\ud800"))))
@example([])
@example(["", " ", "\0", " a", "a "])
def test_words_of_all_are_those_of_each(texts):
    found = words_of_all(Strings.of(map(encoded, texts)))
    expected = [name_words(text) for text in texts]
    spans = zip(found.offsets[:-1], found.offsets[1:], strict=True)
    words = [[found.distinct[int(n)].decode() for n in found.numbers[a:b]] for a, b in spans]
    assert words == expected
    assert [alias.decode() for alias in found.aliases] == list(map(" ".join, expected))
    assert len(set(found.distinct)) == len(found.distinct)
