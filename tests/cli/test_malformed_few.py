"""A dozen of malformed inputs, quickly; test_malformed.py has them all."""

import pytest
from malformed import Told
from malformed_files import FACTS, TABLES

from memnets.cli import reproduce

WORDS = (
    "x" * 9000,
    "data generate babi --out made --task \x1b[31m",
    "data generate babi --out made --task 1 --length nan",
    "train memn2n/babi --data.variant.language " + "x" * 9000,
    "train kb_qa/films --training.learning-rate 1e300 --out run",
    "train recall/copy --core.slots -1 --out run",
    "train language/memn2n --core.hops 1000000000 --data.text generated",
    "train memn2n_lm/words --training.batch 1000000000 --data.text generated",
    "reproduce own-kb --data missing",
    "reproduce wikiqa --data missing --results made",
    "reproduce own-kb --runs a\0b --results made",
    "kb ask garbage Ada?",
    "docs build garbage --out a\0b",
    "results --results garbage",
    "report garbage --wrong -1",
)


@pytest.mark.parametrize("line", WORDS, ids=range(len(WORDS)))
def test_malformed_words_are_refused_in_words(line, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(reproduce, "carry_out", lambda todo, workers: ())
    (tmp_path / "garbage").write_bytes(bytes(range(256)) * 3)
    told = Told(line.split(" "))
    assert not told.problem()
    assert told.status == 2
    assert "\x1b" not in told.err


@pytest.mark.parametrize("name", ["NUL", "gzip", "JSON", "latin-1", "an open quote"])
def test_malformed_facts_are_refused_by_their_file(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "facts.csv").write_bytes(FACTS[name])
    told = Told(["kb", "build", "facts.csv", "--out", "facts.kb"])
    assert not told.problem()
    assert told.status == 2
    assert told.err.strip().startswith("memnets: facts.csv")


@pytest.mark.parametrize("name", ["empty header cells", "one column", "rows too short"])
def test_malformed_tables_are_refused_by_their_file(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "table.csv").write_bytes(TABLES[name])
    told = Told(["kb", "build", "table.csv", "--out", "table.kb", "--table"])
    assert not told.problem()
    assert told.status == 2
    assert told.err.strip().startswith("memnets: table.csv")
