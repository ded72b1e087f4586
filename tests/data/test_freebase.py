"""Freebase: one identifier in all spellings, triples, grouped facts, an RDF dump, names."""

import gzip

import pytest

from memnets.data.facts import Fact, Triple
from memnets.data.qa.freebase import (
    RDFStatement,
    identifier,
    read_facts,
    read_names,
    read_ntriples,
    read_triples,
)
from memnets.data.rows import BadRows


def put(path, text: str):
    path.write_text(text, encoding="utf-8", newline="")
    return path


@pytest.mark.parametrize(
    "text",
    [
        "www.freebase.com/m/0f3xg_",
        "http://www.freebase.com/m/0f3xg_",
        "http://rdf.freebase.com/ns/m.0f3xg_",
        "ns:m.0f3xg_",
        "fb:m.0f3xg_",
        "/m/0f3xg_",
        "m/0f3xg_",
        "m.0f3xg_",
    ],
)
def test_all_spellings_are_one(text):
    assert identifier(text) == "m.0f3xg_"


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("www.freebase.com/people/person/place_of_birth", "people.person.place_of_birth"),
        ("Barack Obama", "Barack Obama"),
        ("AC/DC live", "AC/DC live"),
        ("1990-01-01", "1990-01-01"),
        ("", ""),
    ],
)
def test_relations_are_dotted_and_texts_stay(text, short):
    assert identifier(text) == short


def test_triples_are_read_also_gzipped(tmp_path):
    line = "www.freebase.com/m/01\twww.freebase.com/a/b/c\twww.freebase.com/m/02\r\n"
    plain = list(read_triples(put(tmp_path / "kb.tsv", line)))
    assert plain == [Triple("m.01", "a.b.c", "m.02")]
    (tmp_path / "kb.tsv.gz").write_bytes(gzip.compress(line.encode()))
    assert list(read_triples(tmp_path / "kb.tsv.gz")) == plain


def test_grouped_objects_are_parted_by_spaces(tmp_path):
    path = put(
        tmp_path / "FB2M.txt", "www.freebase.com/m/01\t/a/b\tm/02  www.freebase.com/m/03 m.04\n"
    )
    assert list(read_facts(path)) == [Fact("m.01", "a.b", ("m.02", "m.03", "m.04"))]


@pytest.mark.parametrize("line", ["m.01\ta.b", "m.01\ta.b\t ", "m.01\ta.b\tm.02\tm.03"])
def test_a_fact_without_three_fields_is_refused_or_counted(tmp_path, line):
    path = put(tmp_path / "FB2M.txt", f"m.01\ta.b\tm.02\n{line}\n")
    with pytest.raises(ValueError, match=r"FB2M\.txt:2: came .*expected subject<TAB>relation<TAB>"):
        list(read_facts(path))
    bad = BadRows()
    assert len(list(read_facts(path, bad))) == bad.count == 1


RDF = "<http://rdf.freebase.com/ns/{}>"


@pytest.mark.parametrize("between", ["\t", " "])
@pytest.mark.parametrize(
    ("item", "expected"),
    [
        (RDF.format("m.02"), ("m.02", False, "")),
        ('"Barack \\"O\\" Obama"@en', ('Barack "O" Obama', True, "en")),
        ('"vuja\\u010Di\\u0107\\t\\\\u0041"@sr-Latn', ("vujačić\t\\u0041", True, "sr-Latn")),
        ('"1.5"^^<http://www.w3.org/2001/XMLSchema#float>', ("1.5", True, "")),
        ('"\\U0001F600"', ("\U0001f600", True, "")),
        ('""', ("", True, "")),
    ],
)
def test_an_rdf_dump_is_read(tmp_path, between, item, expected):
    line = between.join([RDF.format("m.01"), RDF.format("type.object.name"), item, ".\n"])
    (found,) = read_ntriples(put(tmp_path / "dump.nt", line))
    assert found == RDFStatement("m.01", "type.object.name", *expected)


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("m.01 a.b m.02 .", r"dump\.nt:1: came 'm\.01 a\.b m\.02 \.'; expected <subject>"),
        ('<a> <b> "open .', "expected <subject>"),
        ("<a> <b> <c>", "expected <subject>"),
        ('<a> <b> "\\uD800" .', r"dump\.nt:1: came the escape '\\\\uD800'; expected a character"),
        ('<a> <b> "\\U00110000" .', "came the escape"),
    ],
)
def test_what_is_no_statement_is_refused(tmp_path, line, complaint):
    with pytest.raises(ValueError, match=complaint):
        list(read_ntriples(put(tmp_path / "dump.nt", f"{line}\n")))


def test_the_first_name_is_kept(tmp_path):
    path = put(
        tmp_path / "names.tsv", "www.freebase.com/m/01\tWinnipeg\nm.01\tThe Peg\n/m/02\tRed\n"
    )
    assert read_names(path) == {"m.01": "Winnipeg", "m.02": "Red"}
    with pytest.raises(
        ValueError, match=r"names\.tsv:1: came 'm\.01'; expected identifier<TAB>name"
    ):
        read_names(put(path, "m.01\n"))
