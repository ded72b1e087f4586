"""`memnets kb build`, as a user sees it."""

import gzip
import io
import sys
from types import SimpleNamespace

import pytest

from memnets.cli.main import main
from memnets.kb import Store

FILMS = """subject,relation,object
Alien,directed by,Ridley Scott
"Blade Runner",directed by,Ridley Scott
no fact
Alien,directed by,Ridley Scott
"""


@pytest.fixture
def films(tmp_path):
    (tmp_path / "films.csv").write_text(FILMS)
    return tmp_path / "films.csv"


def test_a_file_of_facts_becomes_a_knowledge_base(films, tmp_path, capsys):
    assert main(["kb", "build", str(films), "--out", str(tmp_path / "my.kb")]) == 0
    assert [fact.subject for fact in Store.open(tmp_path / "my.kb").facts] == [
        "Alien",
        "Blade Runner",
    ]
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith(
        f"{tmp_path}/my.kb: 2 facts (1 came again), 3 entities, 1 relations; "
    )
    assert said[1] == "1 bad row left out:"
    assert said[2].startswith(f"  {films}:4: came 'no fact'; expected subject,relation,object")
    assert said[-1] == f"next: memnets kb train {tmp_path}/my.kb"


def test_options_say_what_the_file_is(tmp_path, capsys):
    with gzip.open(tmp_path / "facts", "wt") as file:
        file.write("one\ttwo\tthree\nm.1\tr\tm.2\n")
    (tmp_path / "names").write_text("m.1\tBlade Runner\n")
    options = ["--form", "tsv", "--header", "yes", "--names", str(tmp_path / "names")]
    out = str(tmp_path / "my.kb")
    assert main(["kb", "build", str(tmp_path / "facts"), "--out", out, *options]) == 0
    store = Store.open(tmp_path / "my.kb")
    assert list(store.facts) == [("m.1", "r", "m.2")]
    assert [entity.name for entity in store.aliases["blade runner"]] == ["m.1"]


def test_many_bad_rows_are_counted(tmp_path, capsys):
    (tmp_path / "facts.tsv").write_text("a\tr\tb\n" + "bad\n" * 1007)
    main(["kb", "build", str(tmp_path / "facts.tsv"), "--out", str(tmp_path / "my.kb")])
    said = capsys.readouterr().out
    assert "1,007 bad rows left out:" in said
    assert "facts.tsv:6: came 'bad'" in said
    assert "  and 1,002 more" in said


def test_what_went_wrong_is_said_in_a_sentence(tmp_path, capsys):
    assert main(["kb", "build", str(tmp_path / "none.csv"), "--out", str(tmp_path / "kb")]) == 2
    assert "none.csv: this does not exist; expected a file" in capsys.readouterr().err
    assert not (tmp_path / "kb").exists()


def test_nothing_in_the_facts_steers_the_terminal(tmp_path, capsys):
    path = tmp_path / "[" / "bold]\x1b.tsv"
    path.parent.mkdir()
    path.write_text("a\tr\tb\nb\u202e[/]ad\x1b\n")
    assert main(["kb", "build", str(path), "--out", str(tmp_path / "my[b].kb")]) == 0
    told = capsys.readouterr()
    assert "[/bold]<U+001B>.tsv:2: came 'b\\u202e[/]ad\\x1b'" in told.out
    assert main(["kb", "build", f"{path}.no", "--out", str(tmp_path / "my.kb")]) == 2
    assert "[/bold]<U+001B>.tsv.no: this does not exist" in (err := capsys.readouterr().err)
    assert not set("\x1b\u202e") & set(told.out + told.err + err)


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("film {n},person {n},{n}\n", True),
        ("film {n},person {third},{year}\n", True),  # of a table whose cells come again
        ("film {third},relation {two},{n}\n", False),
        ("film {n},relation {two},{n}\n", False),  # of facts of which an entity has one each
    ],
)
def test_facts_that_look_like_a_table_are_told(tmp_path, capsys, row, told):
    rows = (row.format(n=n, third=n // 3, two=n % 2, year=1980 + n % 7) for n in range(31))
    (tmp_path / "t.csv").write_text("title,director,year\n" * told + "".join(rows))
    assert main(["kb", "build", str(tmp_path / "t.csv"), "--out", str(tmp_path / "my.kb")]) == 0
    said = " ".join(capsys.readouterr().err.split())
    assert ("(title, director, year), build it again with --table" in said) == told
    assert ("t.csv: " in said) == told


def test_a_table_without_facts_is_named_with_what_is_wrong(tmp_path, capsys):
    path = tmp_path / "films.csv"
    path.write_text("year,title\n1979,Alien,Scott\n")
    assert main(["kb", "build", str(path), "--out", str(tmp_path / "my.kb"), "--table"]) == 2
    said = capsys.readouterr().err
    assert f"{path}: no facts in this table, and 1 bad rows; expected a row of columns' " in said
    assert f"{path}:2: came 3 cells, '1979,Alien,Scott'; expected 2" in said


def test_a_table_is_read_by_its_columns(tmp_path, capsys):
    path = tmp_path / "films.csv"
    path.write_text("year,title,stars\n1979,Alien,Sigourney Weaver; Tom Skerritt\nx\n")
    out = str(tmp_path / "my.kb")
    assert main(["kb", "build", str(path), "--out", out, "--table", "--subject", "title"]) == 0
    assert list(Store.open(tmp_path / "my.kb").facts) == [
        ("Alien", "year", "1979"),
        ("Alien", "stars", "Sigourney Weaver"),
        ("Alien", "stars", "Tom Skerritt"),
    ]
    assert f"{path}:3: came 1 cells, 'x'" in capsys.readouterr().out
    assert main(["kb", "build", str(path), "--out", out, "--subject", "title"]) == 2
    said = " ".join(capsys.readouterr().err.split())
    assert "--subject 'title' names a column of a table. Pass --table too." in said


def test_facts_come_by_a_pipe(tmp_path, capsys, monkeypatch):
    text = '{"title": "Alien", "by": "Scott"}\n{"title": "Up", "by": "Docter"}\n{"by": "nobody"}\n'
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(text.encode())))
    assert main(["kb", "build", "-", "--out", str(tmp_path / "my.kb")]) == 0
    said = capsys.readouterr()
    assert "2 facts, 4 entities, 1 relations" in said.out
    assert "standard input, record 3: came 2 cells" in " ".join(said.out.split())
    assert "--table" not in said.err  # which it is
