"""What the choice among answers is learnt from: questions that were typed, and made ones."""

import pytest

from memnets.data.qa.asked import AskedQuestion
from memnets.kb.store.store import Store, build
from tools.weighing import hearing
from tools.weighing.hearing import (
    CHAINED,
    CHAINS,
    LACKING,
    TABLES,
    UNREAD,
    chained,
    hear,
    lacking,
)


def test_questions_of_one_relation_after_another_are_made_that_lead_to_something_or_not(tmp_path):
    build(
        [
            *((name, "boss", "Bo") for name in ("Ada", "Di")),
            ("Ed", "boss", "Gil"),  # of whom nothing is known
            *(("Bo", "boss", "Cy"), ("Cy", "born_in", "Rome"), ("Bo", "born_in", "Bari")),
        ],
        tmp_path / "kb",
    )
    made = chained(Store.open(tmp_path / "kb"))
    assert {one.kind for one in made} == {CHAINED}
    told = {one.text: one.answers for one in made}
    own = {"born in": {"Bo": ("Bari",), "Cy": ("Rome",)}, "boss": {"Bo": ("Cy",)}}
    for text, answers in told.items():
        name, then = text.removesuffix("?").split()[-1], " ".join(text.split()[3:-5])
        assert answers == own[then].get("Cy" if name == "Bo" else "Bo", ())
    assert {bool(answers) for answers in told.values()} == {True, False}
    assert not any(text.endswith("Ed?") for text in told)
    assert len(told) <= 2 * CHAINS


def test_what_is_reported_chooses_nothing():
    names = {path.stem for path in TABLES}
    assert names.isdisjoint({"theatre", "workshop"})
    assert len(names) == len(TABLES) == 77
    assert names > {*UNREAD}
    assert all(path.exists() for path in TABLES)


NOBODY = AskedQuestion("who is the boss of Ada?", (), LACKING)
QUERIES = """kind\tquestion\tanswers\tquery
plain\twho is the boss of Ada?\tBo\tselect boss from facts where name = 'Ada'
plain\twhere does Ada live\tRome\tselect "lives in" from facts where name = 'Ada'
two hops\twhere does Ada's boss live\tBari\tselect ...
counting\thow many live in "Rome\t1\tselect count(*) from facts where "lives in" = 'Rome'
no such relation\twhat does Ada earn\t\tselect "lives in" from facts where name = 'earn'
"""


@pytest.mark.parametrize("wide", [True, False])
def test_what_is_asked_of_relations_that_are_left_out_has_no_answer(tmp_path, wide):
    path, typed = tmp_path / "staff.csv", tmp_path / "staff.questions.tsv"
    names = ["boss", "lives in", "born", "plays"]
    if wide:
        path.write_text(f'name,{",".join(names)}\nAda,Bo,Rome,"1 May, 1970",chess\n', "utf-8")
    else:
        rows = [f"Ada,{name},Bo" for name in names]
        path.write_text("\n".join(["subject,relation,object", *rows]) + "\n", "utf-8")
    typed.write_text(QUERIES, "utf-8")
    found = set()
    for seed in range(9):  # another name, another relation
        other = path.with_name(f"staff{seed}.csv")
        other.write_bytes(path.read_bytes())
        lesser, lost = lacking(other, typed, tmp_path)
        text = lesser.read_text("utf-8")
        (gone,) = (name for name in names if name not in text)
        assert text.count("\n") == (2 if wide else 4)
        assert all(one.answers == () and one.kind == LACKING for one in lost)
        texts = {
            "boss": ["who is the boss of Ada?"],
            "lives in": ["where does Ada live", 'how many live in "Rome'],
        }
        assert [one.text for one in lost] == texts.get(gone, [])
        found.add(gone)
    assert found >= {"boss", "lives in"}


def test_both_knowledge_bases_are_asked(tmp_path, monkeypatch):
    path = tmp_path / "staff.csv"
    path.write_text("name,boss,lives in,born,plays\nAda,Bo,Rome,1970,chess\n", "utf-8")
    path.with_name("staff.questions.tsv").write_text(QUERIES, "utf-8")
    keep = tmp_path / "keep"
    keep.mkdir()
    lesser = tmp_path / "lesser.csv"
    lesser.write_text("name,lives in,born,plays\nAda,Rome,1970,chess\n", "utf-8")
    monkeypatch.setattr(hearing, "lacking", lambda path, typed, folder: (lesser, [NOBODY]))
    found = hear(path, keep, 200)
    assert [one.asked.text for one in found[:5]] == [
        line.split("\t")[1] for line in QUERIES.splitlines()[1:]
    ]
    assert found[-1].asked == NOBODY
    leads = [{one.outcome.answers for one in of.voices.possible} for of in (found[0], found[-1])]
    assert [("Bo",) in some for some in leads] == [True, False]
    assert {one.kb for one in found} == {"staff"}
    assert (keep / "staff.kb.trained").is_dir()
