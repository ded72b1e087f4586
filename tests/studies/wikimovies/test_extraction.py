"""The table of extraction, on a knowledge base of a few movies."""

import pytest

from memnets.files import sha256
from memnets.studies import table
from memnets.studies.wikimovies.extraction import wikimovies_extraction

FACTS = [
    f"Film {film}|{relation}|{relation} {film}"
    for film in range(18)
    for relation in ("directed_by", "has_genre")
]


@pytest.mark.filterwarnings("ignore:.*not the published file", "ignore:.*were published")
def test_every_rung_has_both_shares(tmp_path):
    folder = tmp_path / "wikimovies"
    folder.mkdir()
    (folder / "kb_triples.txt").write_text("\n".join(FACTS))
    # The genre of the second movie is in no list: no statement can relate it.
    names = [name for fact in FACTS for name in fact.split("|")[::2] if name != "has_genre 17"]
    (folder / "entities.txt").write_text("\n".join(dict.fromkeys(names)))
    planned = table("wikimovies-extraction")
    assert planned == wikimovies_extraction()
    assert list(planned.stages("x", tmp_path, folder, "")) == []
    filled = planned.collect("wikimovies-extraction", tmp_path, folder)
    assert filled.data.sha256 == sha256(folder / "kb_triples.txt")
    assert len(filled.rows) == 5 * 2
    assert {(row.metric, row.measured, row.note) for row in filled.rows} == {
        # Movies 0 and 17 are written about.
        ("facts that a statement matches", 75.0, "4 facts, 3 statements"),
        ("statements that match a fact", 100.0, "4 facts, 3 statements"),
    }
