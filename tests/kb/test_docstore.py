"""A store of documents: built whole or not at all, the same bytes each time, searched by words."""

import shutil
import time
from math import log

import numpy as np
import pytest

from memnets.data.qa.wikimovies import Entities
from memnets.kb.documents import docstore, texts
from memnets.kb.documents.docstore import DocStore, build
from memnets.kb.documents.extraction import extract
from memnets.kb.documents.ranking import K1, B, Fields, bm25
from memnets.kb.documents.texts import Texts, TextWriter
from memnets.kb.store.layouts import LAYOUTS

RED = """# Three Colours: Red

It was directed by Krzysztof Kieslowski, and it stars Irene Jacob. It was released in 1994.

# Blue

Juliette Binoche stars in it.
"""
OSLO = "Oslo is the capital of Norway.\n\nKrzysztof never lived in Norway. Oslo lies near the sea."


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "texts"
    (folder / "more").mkdir(parents=True)
    (folder / "films.md").write_text(RED)
    (folder / "more" / "oslo.txt").write_text(OSLO)
    (folder / "red.png").touch()
    return folder


@pytest.fixture
def store(folder, tmp_path):
    build(folder, tmp_path / "my.docs")
    return DocStore.open(tmp_path / "my.docs")


def test_what_was_built_is_told(folder, tmp_path):
    steps = []
    built = build(folder, tmp_path / "my.docs", steps.append)
    assert built[:4] == (2, 3, 6, 37)
    assert (built.skipped, built.bad.count) == (("red.png",), 0)
    assert [tuple(step) for step in steps] == [(0, 2, 0), (1, 2, 3)]


def test_sentences_say_where_they_stand(store):
    (best, *_) = store.ask("When was Red released?")
    assert best.text == "It was released in 1994."
    assert (best.title, best.file, best.line) == ("Three Colours: Red", "films.md", 3)
    assert best.matched == ("released", "red")
    (best, *_) = store.ask("norway sea")
    assert (best.text, best.title) == ("Oslo lies near the sea.", "oslo")
    assert (best.file, best.line) == ("more/oslo.txt", 3)


def test_sentences_are_found_by_their_title(store):
    assert {one.text for one in store.ask("colours")} == {
        "It was directed by Krzysztof Kieslowski, and it stars Irene Jacob.",
        "It was released in 1994.",
    }


def test_the_score_is_bm25(store):
    # "norway" stands in two of the six sentences; they have six and five words of their own.
    found = store.ask("Norway", most=3, reranker=None)
    assert [one.text.split()[0] for one in found] == ["Krzysztof", "Oslo"]
    rarity, mean = log(1 + (6 - 2 + 0.5) / (2 + 0.5)), 37 / 6
    for one, length in zip(found, (5, 6), strict=True):
        times = 1 / (1 - B + B * length / mean)
        assert one.score == pytest.approx(rarity * times * (K1 + 1) / (times + K1))


def test_a_score_by_hand():
    assert (K1, B) == (1.2, 0.4)
    fields = Fields(("oslo", "rain", "oslo"), ("weather",), ("oslo",), ("weather", "north"))
    # Three words where two are usual: 2 / (0.6 + 0.4 * 3 / 2) + 1; twice above; no word but these.
    oslo, weather = 2 / 1.2 + 1, 2
    asked = {"oslo": 1.0, "weather": 0.5, "snow": 7.0}
    expected = oslo * 2.2 / (oslo + 1.2) + 0.5 * weather * 2.2 / (weather + 1.2)
    assert bm25(asked, fields, 2.0) == pytest.approx(expected)


def test_a_word_that_is_said_twice_counts_more_than_once(tmp_path):
    (tmp_path / "x.txt").write_text("Oslo sees rain.\n\nOslo sees Oslo.\n\nBergen sees rain.\n")
    build(tmp_path, tmp_path / "my.docs")
    twice, once = DocStore.open(tmp_path / "my.docs").ask("Oslo", reranker=None)
    assert twice.text == "Oslo sees Oslo."
    # All are of the mean length: t (K1 + 1) / (t + K1).
    assert twice.score / once.score == pytest.approx(2 * 2.2 / (2 + 1.2))


POOL = """# The Pool

## Hours

### Saturdays

We open at nine.

### Sundays

We open at ten.

## Closed in May
"""


@pytest.fixture
def pools(tmp_path):
    folder = tmp_path / "places"
    for town in ("oslo", "bergen"):
        (folder / town).mkdir(parents=True)
        (folder / town / "pool.md").write_text(POOL)
    build(folder, tmp_path / "pools.docs")
    return DocStore.open(tmp_path / "pools.docs")


@pytest.mark.parametrize(
    ("question", "text", "file"),
    [
        ("opening hours on sunday in oslo", "We open at ten.", "oslo/pool.md"),
        ("when does it open in bergen on saturday?", "We open at nine.", "bergen/pool.md"),
        ("is the oslo pool closed in may", "Closed in May", "oslo/pool.md"),
    ],
)
def test_headings_and_files_tell_like_sentences_apart(pools, question, text, file):
    best, second, *_ = pools.ask(question)
    assert (best.text, best.file) == (text, file)
    assert best.score > second.score


def test_what_a_sentence_stands_below_is_told(pools):
    (best, *_) = pools.ask("open sunday")
    assert (best.title, best.headings, best.line) == ("The Pool", ("Hours", "Sundays"), 11)
    # The words as they stand there: the sentence's own first.
    assert best.matched == ("open", "sundays")


def test_other_forms_of_a_word_are_found(store):
    (best, *_) = store.ask("which actress starred as Juliette? directing")
    assert best.text == "Juliette Binoche stars in it."
    assert best.matched == ("juliette", "stars")
    assert store.ask("release")[0].text == "It was released in 1994."


@pytest.mark.parametrize("typed", ["Krzystof", "Krzysztoff", "Krzystzof", "Krzysztaf"])
def test_a_letter_may_be_wrong_in_a_long_word(store, typed):
    assert store.ask(typed) == store.ask("Krzysztof") != []


@pytest.mark.parametrize("typed", ["Rzysztof", "Krzyszt", "Osla", "Norxxway"])
def test_the_first_letter_may_not_nor_two_nor_one_of_a_short_word(store, typed):
    assert store.ask(typed) == []


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("redirecting", "It was directed by Krzysztof Kieslowski, and it stars Irene Jacob."),
        ("seawards", "Oslo lies near the sea."),  # three letters are no part
        ("capitalist", "Oslo is the capital of Norway."),
    ],
)
def test_an_unknown_word_stands_for_what_it_begins_or_ends_with(store, typed, text):
    found = [one.text for one in store.ask(typed, reranker=None)]
    assert found == ([text] if typed != "seawards" else [])


@pytest.mark.parametrize("typed", ["a" * 20_000, " ".join(f"q{n}zwxvtr" for n in range(2000))])
def test_words_that_nobody_types_take_a_moment(store, typed):
    began = time.process_time()
    assert store.ask(typed) == []
    assert time.process_time() - began < 2


def test_so_many_unknown_words_are_respelt(store):
    unknown = " ".join(f"zwxvtr{letter}" for letter in "abcdefg")
    assert store.ask(f"{unknown} Krzystof", 9, None) == store.ask("Krzysztof", 9, None) != []
    assert store.ask(f"{unknown} zwxvtrh Krzystof") == []


def test_a_word_that_is_known_stands_for_itself(tmp_path):
    (tmp_path / "x.txt").write_text("The planet is far.\n\nThe planes are far.\n")
    build(tmp_path, tmp_path / "my.docs")
    found = DocStore.open(tmp_path / "my.docs").ask("planet")
    assert [one.text for one in found] == ["The planet is far."]


def test_five_sentences_are_found_unless_told_otherwise(tmp_path):
    (tmp_path / "a.txt").write_text("".join(f"Oslo {n} is here.\n\n" for n in range(7)))
    build(tmp_path, tmp_path / "my.docs")
    opened = DocStore.open(tmp_path / "my.docs")
    # Of equal ones the first stays first.
    assert [one.text.split()[1] for one in opened.ask("Oslo", reranker=None)] == list("01234")


def test_case_accents_and_punctuation_do_not_matter(store):
    assert store.ask("KRZYSZTOF... irène?") == store.ask("krzysztof irene")


def test_a_question_that_shares_only_small_words_finds_nothing(store):
    assert store.ask("who was the one that is in it?") == []
    assert store.ask("quarks and gluons?") == []
    assert store.ask("") == []


def test_a_word_that_is_asked_for_twice_counts_once(store):
    assert store.ask("Norway, NORWAY sea?") == store.ask("norway sea")


def test_so_many_sentences_are_found_at_most(store):
    assert len(store.ask("Krzysztof Oslo Norway Binoche", most=2)) == 2


def test_documents_are_read_for_layouts_and_extraction(store):
    red, blue, oslo = store.readings()
    assert [red.title, blue.title, oslo.title] == ["Three Colours: Red", "Blue", "oslo"]
    assert oslo.sentences == (
        "Oslo is the capital of Norway.",
        "Krzysztof never lived in Norway.",
        "Oslo lies near the sea.",
    )
    names = [token.word for token in red.tokens if token.is_entity]
    assert names == ["Krzysztof Kieslowski", "Irene Jacob", "1994"]
    said = [(one.subject, " ".join(one.relation), one.object) for one in extract(red)]
    assert said[0] == ("Three Colours: Red", "was directed by", "Krzysztof Kieslowski")
    assert len(list(LAYOUTS["window + center + title"].slots(red))) == 6


def test_a_list_of_entities_may_be_given(store):
    names = Entities(["capital", "Norway"])
    *_, oslo = store.readings(names.mentions)
    assert [token.word for token in oslo.tokens if token.is_entity] == [
        *("capital", "Norway", "Norway"),
    ]


def test_a_word_that_also_stands_in_lower_case_begins_no_name(tmp_path):
    (tmp_path / "a.txt").write_text("Stars shine over Oslo. He saw stars.")
    build(tmp_path, tmp_path / "my.docs")
    (reading,) = DocStore.open(tmp_path / "my.docs").readings()
    assert [token.word for token in reading.tokens if token.is_entity] == ["Oslo"]


def bytes_of(folder) -> dict:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_the_same_files_give_the_same_bytes(folder, store, tmp_path):
    build(folder, tmp_path / "again.docs")
    assert bytes_of(tmp_path / "again.docs") == bytes_of(store.folder)


def test_a_build_that_fails_leaves_what_was_there(folder, store, monkeypatch):
    before = bytes_of(store.folder)
    (folder / "new.txt").write_text("A new sentence.")
    real = docstore.sentences

    def fails(path, bad):
        yield from real(path, bad)
        if path.name == "new.txt":
            raise KeyboardInterrupt

    monkeypatch.setattr(docstore, "sentences", fails)
    with pytest.raises(KeyboardInterrupt):
        build(folder, store.folder)
    assert bytes_of(store.folder) == before
    assert DocStore.open(store.folder).ask("Norway") == store.ask("Norway")


def test_files_without_a_sentence_are_refused(tmp_path):
    (tmp_path / "a.txt").write_text("\n \n")
    with pytest.raises(ValueError, match=r"1 files without a sentence; expected text. They are em"):
        build(tmp_path, tmp_path / "my.docs")
    (tmp_path / "a.txt").write_bytes(b"\0\1\2")
    with pytest.raises(
        ValueError, match=r"expected text\. .*a\.txt: this is no text \(byte 0 is 0\)"
    ):
        build(tmp_path, tmp_path / "my.docs")


def test_what_is_no_store_is_refused(folder, store, tmp_path):
    with pytest.raises(ValueError, match=r"texts: no store of documents here"):
        DocStore.open(folder)
    manifest = store.folder / "index.json"
    text = manifest.read_text()
    manifest.write_text(text.replace('"memnets docs"', '"memnets kb"'))
    with pytest.raises(ValueError, match=r"the format is 'memnets kb'; expected 'memnets docs'"):
        DocStore.open(store.folder)
    manifest.write_text(text.replace('"version": 2', '"version": 1'))
    with pytest.raises(ValueError, match=r"store of documents is of version 1; expected version 2"):
        DocStore.open(store.folder)


def test_a_store_without_a_file_is_refused(store):
    shutil.rmtree(next(path for path in store.folder.iterdir() if path.is_dir()) / "titles")
    with pytest.raises(ValueError, match=r"titles/\w+\.npy: no such file"):
        DocStore.open(store.folder)


@pytest.mark.parametrize("at_once", [1, 5, 2**20])
def test_texts_are_read_as_they_were_written(tmp_path, monkeypatch, at_once):
    monkeypatch.setattr(texts, "AT_ONCE", at_once)
    written = ["", "Köln", "two\nlines", "𝄞", ""]
    writer = TextWriter(tmp_path / "texts")
    for text in written:
        writer.add(text)
    writer.finish()
    arrays = {name: np.load(tmp_path / "texts" / f"{name}.npy") for name in ("letters", "offsets")}
    assert list(Texts(arrays)) == written
    with pytest.raises(IndexError, match="5"):
        Texts(arrays)[5]
