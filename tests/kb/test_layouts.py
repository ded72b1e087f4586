"""Layouts, on a document that is small enough to be laid out by hand."""

from collections.abc import Callable

import pytest

from memnets.data.qa.wikimovies import Entities
from memnets.kb.store.layouts import (
    LAYOUTS,
    Origin,
    Slot,
    doubled,
    read,
    sentence_slots,
    title_slots,
    triple_slots,
    window_slots,
    words,
)

ENTITIES = Entities(["Red", "Red Dawn", "Kieslowski", "Irene Jacob", "1994"])
FIND = ENTITIES.mentions
TEXT = (
    "Red was directed by Kieslowski, in 1994.",
    "It is no sequel of Red Dawn!",
    "Irene Jacob stars.",
)


@pytest.fixture
def red():
    return read("Red", TEXT, FIND)


def keys(slots) -> list[str]:
    return [" ".join(slot.key) for slot in slots]


def values(slots) -> list[str]:
    return [" ".join(slot.value) for slot in slots]


def test_an_entity_is_one_word_and_other_words_are_in_lower_case(red):
    assert [token.word for token in red.tokens] == [
        *("Red", "was", "directed", "by", "Kieslowski", ",", "in", "1994", "."),
        *("it", "is", "no", "sequel", "of", "Red Dawn", "!"),
        *("Irene Jacob", "stars", "."),
    ]
    assert [token.word for token in red.tokens if token.is_entity] == [
        *("Red", "Kieslowski", "1994", "Red Dawn", "Irene Jacob"),
    ]


def test_words_say_where_they_stand(red):
    for token in red.tokens:
        there = red.sentences[token.sentence][token.start : token.end]
        assert there == token.word or there.lower() == token.word


def test_the_order_in_which_entities_were_found_does_not_matter():
    backwards: Callable = lambda text: reversed(FIND(text))  # noqa: E731
    assert read("Red", TEXT, backwards) == read("Red", TEXT, FIND)


def test_a_fact_is_two_slots():
    slots = list(triple_slots([("Red", "directed_by", "Kieslowski"), ("Red", "made_in", "Red")]))
    assert slots == [
        Slot(("Red", "directed_by"), ("Kieslowski",)),
        Slot(("Kieslowski", "!directed_by"), ("Red",)),
        Slot(("Red", "made_in"), ("Red",)),
        Slot(("Red", "!made_in"), ("Red",)),
    ]


def test_a_sentence_is_its_own_value(red):
    slots = list(sentence_slots(red))
    assert keys(slots) == [
        "Red was directed by Kieslowski , in 1994 .",
        "it is no sequel of Red Dawn !",
        "Irene Jacob stars .",
    ]
    assert [slot.key for slot in slots] == [slot.value for slot in slots]
    assert slots[1].origin == Origin("Red", 1, 0, len(TEXT[1]))


def test_a_sentence_without_words_is_no_slot():
    slots = list(sentence_slots(read("Red", ["Red.", "", " ", "1994."], FIND)))
    assert [(slot.key, slot.origin.sentence) for slot in slots] == [
        (("Red", "."), 0),
        (("1994", "."), 3),
    ]


def test_windows_cross_sentences_and_end_with_the_document(red):
    slots = list(window_slots(red))
    assert keys(slots) == [
        "Red was directed by",
        "was directed by Kieslowski , in 1994",
        "Kieslowski , in 1994 . it is",
        "no sequel of Red Dawn ! Irene Jacob stars",
        "of Red Dawn ! Irene Jacob stars .",
    ]
    assert values(slots) == ["Red", "Kieslowski", "1994", "Red Dawn", "Irene Jacob"]


def test_a_slot_says_where_its_centre_stands(red):
    for slot in window_slots(red):
        origin = slot.origin
        assert TEXT[origin.sentence][origin.start : origin.end] == slot.value[0]


def test_windows_of_two_documents_do_not_mix():
    first, second = read("Red", TEXT[:1], FIND), read("Red Dawn", TEXT[1:2], FIND)
    assert keys(window_slots(first))[-1] == "Kieslowski , in 1994 ."
    assert keys(window_slots(second))[0] == "no sequel of Red Dawn !"


def test_a_window_near_the_beginning_keeps_what_there_is():
    reading = read("Red", ["In 1994 Irene Jacob starred."], FIND)
    assert keys(window_slots(reading)) == ["in 1994 Irene Jacob starred ."] * 2


def test_the_width_of_a_window(red):
    assert keys(window_slots(red, 3))[1:3] == ["by Kieslowski ,", "in 1994 ."]
    assert keys(window_slots(red, 1)) == values(window_slots(red, 1))


def test_words_beside_the_centre_are_of_the_second_dictionary(red):
    slots = list(LAYOUTS["window + center"].slots(red))
    assert keys(slots)[1] == "1:was 1:directed 1:by Kieslowski 1:, 1:in 1:1994"
    assert keys(slots)[3] == "1:no 1:sequel 1:of Red Dawn 1:! 1:Irene Jacob 1:stars"
    assert values(slots) == values(window_slots(red))


def test_title_slots_of_the_released_code(red):
    slots = list(LAYOUTS["window + center + title"].slots(red))
    assert list(zip(keys(slots), values(slots), strict=True))[:3] == [
        # The first centre is the title: no window leads to it as a centre.
        ("__MOVIE__ Red 1:was 1:directed 1:by", "Red"),
        (
            "__WINDOW_CENTER__ 1:Red 1:was 1:directed 1:by Kieslowski 1:, 1:in 1:1994",
            "Kieslowski",
        ),
        ("__MOVIE__ 1:was 1:directed 1:by Kieslowski 1:, 1:in 1:1994", "Red"),
    ]
    assert len(slots) == 2 * 5 - 1


def test_a_name_that_holds_the_title_is_not_the_title(red):
    assert "Red Dawn" in values(title_slots(red))


def test_title_slots_without_center_encoding(red):
    assert keys(LAYOUTS["window + title"].slots(red))[1:3] == [
        "__WINDOW_CENTER__ Red was directed by Kieslowski , in 1994",
        "__MOVIE__ was directed by Kieslowski , in 1994",
    ]


def test_questions_are_doubled_where_keys_use_the_second_dictionary():
    asked = words("Who directed Red Dawn?", FIND)
    assert asked == ("who", "directed", "Red Dawn", "?")
    both = (*asked, "1:who", "1:directed", "1:Red Dawn", "1:?")
    assert doubled(asked) == both
    for name, layout in LAYOUTS.items():
        assert layout.question(asked) == (both if "center" in name else asked)


@pytest.mark.parametrize("name", LAYOUTS)
def test_a_document_without_words_has_no_slots(name):
    assert list(LAYOUTS[name].slots(read("Red", ["", " "], FIND))) == []


@pytest.mark.parametrize(("width", "instead"), [(6, 7), (0, 7), (-3, 7), (2, 3)])
def test_a_window_without_a_middle_is_refused(red, width, instead):
    with pytest.raises(ValueError, match=rf"width={width}: expected an odd .* Pass {instead}\."):
        list(window_slots(red, width))
