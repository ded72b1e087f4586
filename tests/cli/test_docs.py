"""`memnets docs`: from a folder of texts to sentences that match, and to facts."""

import json

import pytest

from memnets.cli.main import main
from memnets.cli.status import USAGE

TEXT = """Krzysztof Kieslowski directed Red. It stars Irene Jacob, and it was released in 1994.

Nobody knows why.
"""


@pytest.fixture
def store(tmp_path, capsys):
    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / "Red.txt").write_text(TEXT)
    (folder / "old.txt").write_bytes("Köln is old.".encode("cp1252"))
    for name in ("red.png", "white.png"):
        (folder / name).touch()
    for name in ("link.txt", "other.txt"):
        (folder / name).symlink_to(folder / "Red.txt")
    assert main(["docs", "build", str(folder), "--out", str(tmp_path / "my.docs")]) == 0
    return tmp_path / "my.docs"


def said(capsys) -> str:
    return " ".join(capsys.readouterr().out.split())


def test_build_tells_what_was_read_and_what_comes_next(store, capsys):
    told = said(capsys)
    assert f"{store}: 4 sentences, 20 words, of 2 documents in 2 files" in told
    assert "not read: 2 files that are no text, red.png ..." in told
    assert "not followed: 2 links, link.txt ..." in told
    assert "old.txt:1: not UTF-8, read as Windows-1252: 'Köln is old.'" in told
    assert f"memnets docs ask {store}" in told


def test_many_complaints_are_counted(tmp_path, capsys):
    (tmp_path / "a.txt").write_bytes("ö\n".encode("cp1252") * 29)
    assert main(["docs", "build", str(tmp_path), "--out", str(tmp_path / "my.docs")]) == 0
    assert "... and 9 lines more" in said(capsys)


def test_ask_shows_sentences_and_where_they_stand(store, capsys):
    said(capsys)
    assert main(["docs", "ask", str(store), "When was Red released?", "--most", "1"]) == 0
    told = said(capsys)
    assert told.startswith("Sentences that best match the question, weighed by what other doc")
    assert told.endswith("It stars Irene Jacob, and it was released in 1994. Red, Red.txt:1")


def test_ask_without_what_was_learnt_orders_by_shared_words(store, capsys):
    said(capsys)
    ask = ["docs", "ask", str(store), "who directed red", "--json"]
    assert main([*ask, "--no-learnt"]) == 0
    plain = [json.loads(line)["score"] for line in capsys.readouterr().out.splitlines()]
    assert main(ask) == 0
    weighed = [json.loads(line)["score"] for line in capsys.readouterr().out.splitlines()]
    assert sum(weighed) == pytest.approx(1) != sum(plain)
    assert main([*ask[:-1], "--no-learnt"]) == 0
    told = said(capsys)
    assert told.startswith("Sentences that share the rarest words with the question (BM25). Noth")


def test_ask_shows_the_headings_above_a_sentence(tmp_path, capsys):
    (tmp_path / "pool.md").write_text("# Pool\n## Hours\n### Sundays\nWe open at ten.\n")
    assert main(["docs", "build", str(tmp_path), "--out", str(tmp_path / "my.docs")]) == 0
    said(capsys)
    assert main(["docs", "ask", str(tmp_path / "my.docs"), "opening on sunday"]) == 0
    assert said(capsys).endswith("We open at ten. Pool > Hours > Sundays, pool.md:4")


def test_ask_as_json(store, capsys):
    said(capsys)
    assert main(["docs", "ask", str(store), "who directed red", "--json"]) == 0
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert records[0]["text"] == "Krzysztof Kieslowski directed Red."
    assert records[0]["matched"] == ["directed", "red"]


def test_ask_says_that_it_does_not_know(store, capsys):
    said(capsys)
    assert main(["docs", "ask", str(store), "What is dark matter?"]) == 0
    assert said(capsys).startswith("I don't know: no sentence shares a telling word")


def test_facts_are_read_and_build_a_knowledge_base(store, tmp_path, capsys):
    said(capsys)
    facts = tmp_path / "facts.tsv"
    assert main(["docs", "facts", str(store), "--out", str(facts)]) == 0
    assert facts.read_text().splitlines() == [
        "Krzysztof Kieslowski\tdirected\tRed",
        "Red\tstars\tIrene Jacob",
        "Red\treleased_in\t1994",
    ]
    told = said(capsys)
    assert f"{facts}: 3 facts of 3 relations, read from 2 of 4 sentences (50%)" in told
    sources = (tmp_path / "facts.sources.tsv").read_text().splitlines()
    assert sources[0] == (
        "0.65\tKrzysztof Kieslowski\tdirected\tRed\tRed.txt:1\tKrzysztof Kieslowski directed Red."
    )
    assert len(sources) == 3
    assert f"memnets kb build {facts} --out {tmp_path / 'facts.kb'}" in told


def test_less_likely_facts_are_left_out_and_counted(tmp_path, capsys):
    (tmp_path / "Red.txt").write_text("Ada directed Red and visited Oslo.\n\nBo directed Blue.\n")
    store, out = str(tmp_path / "my.docs"), tmp_path / "facts.tsv"
    assert main(["docs", "build", str(tmp_path), "--out", store]) == 0
    words = ["docs", "facts", store, "--out", str(out), "--overwrite"]
    assert main([*words, "--least", "0"]) == 0
    every = out.read_text().splitlines()
    said(capsys)
    assert main(words) == 0
    assert set(out.read_text().splitlines()) < set(every)
    assert "left out: " in said(capsys)
    assert main([*words, "--least", "1"]) == USAGE
    complaint = "facts is likelier than 0.65; expected one of 1 at least. Pass a smaller --least"
    assert complaint in " ".join(capsys.readouterr().err.replace("│", " ").split())


def test_facts_that_are_there_are_not_replaced_unless_it_is_wanted(store, tmp_path, capsys):
    facts = tmp_path / "facts.tsv"
    facts.write_text("mine")
    words = ["docs", "facts", str(store), "--out", str(facts)]
    assert main(words) == USAGE
    assert "facts.tsv: this file is there already; expected a new one" in capsys.readouterr().err
    assert facts.read_text() == "mine"
    assert main([*words, "--overwrite"]) == 0
    assert facts.read_text() != "mine"


def test_a_store_does_not_take_the_place_of_a_knowledge_base_nor_the_reverse(
    store, tmp_path, capsys
):
    (tmp_path / "facts.tsv").write_text("Alien\tdirected_by\tAda\n")
    kb, facts = str(tmp_path / "my.kb"), str(tmp_path / "facts.tsv")
    assert main(["kb", "build", facts, "--out", kb]) == 0
    assert main(["kb", "build", facts, "--out", str(store)]) == USAGE
    told = capsys.readouterr().err
    assert f"{store}: this holds something else (memnets docs); expected a new folder" in told
    assert main(["docs", "build", str(tmp_path / "texts"), "--out", kb]) == USAGE
    assert f"{kb}: this holds something else (memnets kb)" in capsys.readouterr().err
    assert main(["docs", "ask", str(store), "When was Red released?"]) == 0
    assert main(["docs", "ask", kb, "When?"]) == USAGE
    assert "the format is 'memnets kb'; expected 'memnets docs'. Name a" in capsys.readouterr().err


def test_nothing_in_a_document_steers_the_terminal(tmp_path, capsys):
    folder = tmp_path / "texts [" / "bold]"
    folder.mkdir(parents=True)
    (folder / "a[b].txt").write_text("Red\x1b]0;evil\x07 and \u202ebackwards [/] \x9b2J.")
    assert main(["docs", "build", str(folder), "--out", str(tmp_path / "my[b].docs")]) == 0
    assert main(["docs", "ask", str(tmp_path / "my[b].docs"), "Red [/]"]) == 0
    told = capsys.readouterr()
    assert "Red<U+001B>]0;evil<U+0007> and <U+202E>backwards [/] <U+009B>2J." in told.out
    assert "a[b].txt:1" in told.out
    assert not set("\x1b\x07\x9b\u202e") & set(told.out + told.err)


def test_facts_of_given_names(store, tmp_path, capsys):
    names = tmp_path / "names.txt"
    names.write_text("Red\n1994\n")
    facts = tmp_path / "facts.tsv"
    main(["docs", "facts", str(store), "--out", str(facts), "--entities", str(names)])
    assert facts.read_text() == "Red\treleased_in\t1994\n"


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["build", "{}/nowhere", "--out", "x"], "nowhere: this does not exist; expected a folder"),
        (["ask", "{}", "why?"], "no store of documents here, since index.json is missing"),
        (
            ["facts", "{}/my.docs", "--out", "x", "--least", "2"],
            "--least 2: expected a number from",
        ),
        (["ask", "{}/my.docs", "why?", "--most", "0"], "--most 0: expected at least 1"),
        (
            ["facts", "{}/my.docs", "--out", "x", "--entities", "{}/names.txt"],
            "my.docs: no sentence relates two names; expected one at least. Pass the names",
        ),
    ],
)
def test_what_cannot_be_used_is_refused(store, tmp_path, capsys, words, complaint):
    (tmp_path / "names.txt").write_text("Nobody\n")
    assert main(["docs", *(word.format(tmp_path) for word in words)]) == USAGE
    assert complaint in " ".join(capsys.readouterr().err.replace("│", " ").split())
