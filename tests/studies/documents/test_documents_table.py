"""The table of documents: ranks by what is known, and nothing learnt from what reports."""

from pathlib import Path

import numpy as np
import pytest

from memnets.kb.documents.clues import Clues
from memnets.kb.documents.docstore import DocStore, build
from memnets.kb.documents.facts import LATER, LED, SURE, facts, stated
from memnets.studies import table
from memnets.studies.documents import tables
from memnets.studies.documents.asking import FIGURES, Heard, crossed, hear, learn, read_questions
from memnets.studies.documents.reading import FactsTable, read_judged
from memnets.studies.documents.tables import DocumentsTable, documents

EXAMPLES = Path(__file__).resolve().parents[3] / "examples" / "documents"
HEAD = "question\tfile\tline\tkind\n"
POOL = "# Pool\n\nWe open at ten.\nAdults pay seven crowns.\nAda teaches beginners.\n"
RINK = "# Rink\n\nIt opens at noon.\nChildren pay two crowns.\nBo teaches dancing.\n"
WIDTH = len(Clues._fields)


@pytest.fixture
def folder(tmp_path):
    handbook = tmp_path / "asked" / "handbook"
    handbook.mkdir(parents=True)
    (handbook / "pool.md").write_text(POOL)
    (handbook / "rink.md").write_text(RINK)
    lines = {
        "choosing": "when does the pool open\tpool.md\t3\tplain\n",
        "learning": "who teaches at the pool\tpool.md\t5\tplain\nquarks?\tpool.md\t4\tplain\n"
        "what do children pay\trink.md\t4\tplain\n",
        "reporting": "when is the rink opening\trink.md\t3\tplain\n",
    }
    for name, text in lines.items():
        (tmp_path / "asked" / f"{name}.tsv").write_text(HEAD + text)
    return tmp_path / "asked"


def heard(file, right, *firsts):
    """Return a question whose candidates have such a first clue, and no other."""
    rows = np.zeros((len(firsts), WIDTH))
    rows[:, 0] = firsts
    return Heard(file, rows, right)


def first_alone(weight):
    return Clues(weight, *[0.0] * (WIDTH - 1))


def test_ranks_by_hand():
    one = heard("a.md", 2, 0.1, 0.9, 0.5, 0.5)
    assert one.rank() == 3
    assert one.rank(first_alone(1.0)) == 2  # the equal one stands behind it, as before
    assert one.rank(first_alone(-1.0)) == 2
    assert one.rank(first_alone(0.0)) == 3
    assert heard("a.md", None, 1.0).rank() is heard("a.md", None, 1.0).rank(first_alone(1.0))


@pytest.mark.parametrize(
    ("rank", "figures"), [(1, (1, 1, 1, 1)), (3, (0, 1, 1, 1 / 3)), (11, (0, 0, 0, 1 / 11))]
)
def test_figures_by_hand(rank, figures):
    assert tuple(counts(rank) for counts in FIGURES.values()) == figures
    assert not any(counts(None) for counts in FIGURES.values())


def test_a_file_is_ranked_by_weights_of_the_others():
    # In one file the first clue speaks for the answer, in the other against it.
    asked = [heard("a.md", 0, 1.0, 0.0), heard("b.md", 0, 0.0, 1.0)]
    assert crossed(asked) == [2, 2]
    assert [one.rank(learn([one])) for one in asked] == [1, 1]
    with pytest.raises(ValueError, match="fit: 0 examples"):
        learn([heard("a.md", None, 1.0)])


def test_answers_are_known_by_file_and_line(folder, tmp_path):
    build(folder / "handbook", tmp_path / "my.docs")
    store = DocStore.open(tmp_path / "my.docs")
    one, two, three = hear(store, read_questions(folder / "learning.tsv"))
    assert (one.file, one.rank()) == ("pool.md", 1)
    assert (two.right, len(two.clues)) == (None, 0)
    assert three.clues.shape[1] == WIDTH


def test_the_table_has_rows_of_both_files_of_questions(folder):
    planned = documents()
    assert isinstance(table("documents"), DocumentsTable)
    assert list(planned.stages("documents", folder, None, "")) == []
    made = planned.collect("documents", folder, folder)
    assert made.data.name == "6 sentences of an invented town"
    named = {(row.row, row.metric): row for row in made.rows}
    assert len(named) == len(made.rows) == (3 + 4 + 1) * len(FIGURES)
    plain = named["reported, 1 questions: words of sentence and title", "top 1"]
    stems = named["reported, 1 questions: stems, headings and file", "top 1"]
    assert (plain.unit, plain.seeds, stems.measured) == ("%", (0,), 100.0)
    assert named["reported, 1 questions: re-ranked", "MRR"].seeds == (0, 1, 2, 3, 4)
    assert "95 % interval" in made.rows[-1].note
    again = planned.collect("documents", folder, folder)
    assert [(row.values, row.note) for row in made.rows] == [
        (row.values, row.note) for row in again.rows
    ]


def test_nothing_is_learnt_from_what_reports(folder, monkeypatch):
    learnt = []
    real = tables.learn
    monkeypatch.setattr(tables, "learn", lambda some: learnt.append(real(list(some))) or learnt[-1])
    documents().collect("documents", folder, folder)
    before = list(learnt)
    (folder / "reporting.tsv").write_text(HEAD + "when is the rink opening\trink.md\t5\tplain\n")
    learnt.clear()
    documents().collect("documents", folder, folder)
    assert learnt == before
    assert len(set(learnt)) > 1  # another seed draws other questions


def test_questions_that_are_not_there_are_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"choosing\.tsv: no such file\. Run this in a ch"):
        documents().collect("documents", tmp_path, tmp_path)


def test_facts_are_counted_and_judged(folder):
    planned = table("documents-facts")
    assert isinstance(planned, FactsTable)
    assert list(planned.stages("documents-facts", folder, None, "")) == []
    lines = ["subject\trelation\tobject\tverdict"]
    judged = {("Adults", "pay_crowns", "Pool"): "right"}
    lines += ["\t".join((*triple, verdict)) for triple, verdict in judged.items()]
    (folder / "facts.tsv").write_text("\n".join(lines) + "\n")
    (folder / "handbook" / "pool.md").write_text("# Pool\n\nAda leads it.\nBo left Ada in 1994.\n")
    (folder / "handbook" / "rink.md").write_text("# Rink\n\nNobody is there.\nIt is cold.\n")
    (folder / "choosing.tsv").write_text(HEAD + "who leads\tpool.md\t3\tplain\n")
    rows = planned.collect("documents-facts", folder, folder).rows
    told = {(row.row, row.metric): row.measured for row in rows}
    stated, sure = "as clauses state them", "canonical, 0.5 likely at least"
    assert told[stated, "facts"] == 3
    assert told[sure, "facts"] == told[sure, "relations"] == 2
    assert told[sure, "sentences that were read"] == 50
    # Of the two sentences that answer, one was read.
    assert told[sure, "sentences that answer a question, and were read"] == 50
    assert (sure, "right, as judged by hand") not in told  # they were not judged
    verdicts = ["Ada\tleads\tPool\tright", "Bo\tleft\tAda\twrong"]
    (folder / "facts.tsv").write_text("\n".join([lines[0], *verdicts]) + "\n")
    rows = planned.collect("documents-facts", folder, folder).rows
    assert {row.measured for row in rows if row.metric.startswith("right")} == {50.0}


def test_a_verdict_is_right_or_wrong(tmp_path):
    path = tmp_path / "facts.tsv"
    path.write_text("subject\trelation\tobject\tverdict\nAda\tleads\tPool\tperhaps\n")
    with pytest.raises(ValueError, match=r"facts\.tsv:2: came .*; expected subject<TAB>relation"):
        read_judged(path)


def test_all_facts_of_the_handbook_are_judged(tmp_path):
    judged = read_judged(EXAMPLES / "facts.tsv")
    build(EXAMPLES / "handbook", tmp_path / "my.docs")
    found = facts(stated(DocStore.open(tmp_path / "my.docs").readings()))
    assert {one[:3] for one in found} < set(judged)  # those of clauses are judged too
    # How likely facts are is what was judged of those that are said so, within a tenth.
    for likely in (SURE, LED, LATER):
        some = [judged[one[:3]] for one in found if one.confidence == pytest.approx(likely)]
        assert (sum(some) + 1) / (len(some) + 2) == pytest.approx(likely, abs=0.1)
