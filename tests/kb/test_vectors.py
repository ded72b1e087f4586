"""The vectors of relations are made once, and kept beside the knowledge base."""

import numpy as np
import pytest

from memnets.kb.programs import vectors
from memnets.kb.programs.vectors import KEPT, RelationVectors
from memnets.kb.store.store import Store, build
from memnets.kb.values.columns import open_columns

FACTS = [
    *(("Moth", "painted_by", "Ada"), ("Geese", "painted_by", "Ada"), ("Hen", "painted_by", "Bo")),
    *(("Moth", "year", "1901"), ("Geese", "year", "1950")),
]
PAINTED = ["what is its painted by name ada bo", "which have it as painted by"]
YEAR = ["what is its year date 1901 1950", "which have it as year"]


class Sizes:
    """Takes the number of letters and of spaces for a text's vector."""

    def __init__(self, fingerprint="sizes"):
        self.fingerprint, self.asked = fingerprint, []

    def encode(self, texts):
        self.asked += texts
        return sizes(texts)


def sizes(texts):
    return np.array([[len(text), text.count(" ")] for text in texts], np.float32)


@pytest.fixture
def folder(tmp_path):
    build(FACTS, tmp_path / "kb")
    return tmp_path / "kb"


def opened(folder, ranker):
    store = Store.open(folder)
    return RelationVectors(ranker, open_columns(store), store)


def kept(folder):
    return [*folder.glob(f"{KEPT}*")]


def test_a_relation_has_a_vector_for_each_direction(folder):
    ranker = Sizes()
    found = opened(folder, ranker).of(["year", "painted_by"])
    np.testing.assert_array_equal(found, sizes([*YEAR, *PAINTED]))
    assert ranker.asked == [*YEAR, *PAINTED]


def test_what_was_encoded_once_is_kept(folder):
    opened(folder, Sizes()).of(["year"])
    ranker = Sizes()
    again = opened(folder, ranker)
    np.testing.assert_array_equal(again.of(["painted_by", "year"]), sizes([*PAINTED, *YEAR]))
    assert ranker.asked == PAINTED
    assert len(kept(folder)) == 1
    ranker = Sizes()
    opened(folder, ranker).prepare()
    assert ranker.asked == []


def test_all_are_prepared_the_commonest_first(folder, monkeypatch):
    ranker = Sizes()
    opened(folder, ranker).prepare()
    assert ranker.asked == [*PAINTED, *YEAR]
    monkeypatch.setattr(vectors, "MOST_KEPT", 1)
    opened(folder, ranker := Sizes("other")).prepare()
    assert ranker.asked == PAINTED
    opened(folder, Sizes("other")).of(["year", "painted_by"])  # too many to keep
    opened(folder, ranker := Sizes("other")).of(["year"])
    assert ranker.asked == YEAR


@pytest.mark.parametrize("harm", ["ranker", "damaged", "gone"])
def test_what_is_not_of_this_ranker_or_damaged_is_made_anew(folder, harm):
    opened(folder, Sizes("old" if harm == "ranker" else "sizes")).of(["year"])
    (path,) = kept(folder)
    if harm == "damaged":
        path.write_bytes(path.read_bytes()[:-3])
    elif harm == "gone":
        path.unlink()
    ranker = Sizes()
    np.testing.assert_array_equal(opened(folder, ranker).of(["year"]), sizes(YEAR))
    assert ranker.asked == YEAR
    opened(folder, ranker := Sizes()).of(["year"])
    assert ranker.asked == []


def test_vectors_of_other_facts_go(folder):
    opened(folder, Sizes()).of(["year"])
    before = kept(folder)
    build([*FACTS, ("Hen", "year", "1901")], folder)
    opened(folder, Sizes()).of(["year"])
    assert len(kept(folder)) == 1
    assert kept(folder) != before


def test_a_folder_that_may_only_be_read_will_do(folder, monkeypatch):
    def refused(path, data):
        raise PermissionError

    monkeypatch.setattr(vectors, "write_bytes", refused)
    np.testing.assert_array_equal(opened(folder, Sizes()).of(["year"]), sizes(YEAR))
    assert not kept(folder)
