"""Facts in files: every form, every trap, and the quick way beside the slow one."""

import gzip

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from memnets.data.rows import BadRows
from memnets.kb.index.strings import distinct
from memnets.kb.store import facts
from memnets.kb.store.facts import blocks
from memnets.kb.store.quoted import last_whole


def told(source, bad=None, **options):
    """The facts of a source, in words."""
    return [
        (block.names[s].decode(), block.relations[r].decode(), block.names[o].decode())
        for block in blocks(source, bad or BadRows(), **options)
        for s, r, o in block.facts.tolist()
    ]


@pytest.fixture
def write(tmp_path):
    def written(text, name="facts"):
        (tmp_path / name).write_bytes(text.encode() if isinstance(text, str) else text)
        return tmp_path / name

    return written


@pytest.mark.parametrize("separator", [",", ";"])
@pytest.mark.parametrize(
    ("end", "cut"),
    [
        ("a|b|c", True),
        ('a|b|"c', False),
        ('a|b|"c|""d', False),
        ('a|b|5" disk', True),
        ('d|e"', True),
        ('a|b|"c\nd\ne"', True),
    ],
)
def test_lines_are_cut_before_a_cell_in_quotes_that_goes_on(separator, end, cut):
    first, second = (f"{line}\n".replace("|", separator).encode() for line in ("s|r|o", end))
    assert last_whole(first + second) == len(first) + cut * len(second)


AB = [("a b", "r", "ü"), ("ü", "r", "c")]


@pytest.mark.parametrize(
    "text",
    [
        "a b\tr\tü\nü\tr\tc\n",
        "a b\tr\tü\nü\tr\tc",
        "a b\tr\tü\r\nü\tr\tc\r\n",
        "\ufeffa b\tr\tü\n\n  \nü\tr\tc\r",
        "a b|r|ü\nü|r|c\n",
        "a b,r,ü\nü,r,c\n",
        "a b;r;ü\nü;r;c\n",
        'a b, r ,"ü"\n"ü",r, c \n',
        "subject,relation,object\na b,r,ü\nü,r,c\n",
        'Entity;"Property";Value\na b;r;ü\nü;r;c\n',
        "s\tp\to\na b\tr\tü\nü\tr\tc\n",
        "# said\n<a b> <r> <ü> .\n<ü> <r> <c>.\n",
        '<a b>\t<r>\t"\\u00fc"@de-AT .\n\n<ü> <r> "c"^^<x> . # said\n',
    ],
)
def test_every_form_is_told_by_its_first_line(write, text):
    bad = BadRows()
    assert told(write(text), bad) == AB
    assert bad.count == 0
    assert told(write(gzip.compress(text.encode()))) == AB


@pytest.mark.parametrize("escape", [r"\d", r"\x41", r"\N{BULLET}", r"\ud800", r"\UFFFFFFFF", "\\"])
def test_an_escape_that_n_triples_lack_is_a_bad_row(write, escape):
    bad = BadRows()
    path = write(f'<a> <b> "\\u00f6{escape}" .\n<a> <b> "\\t\\U0001F600" .\n')
    assert told(path, bad) == [("a", "b", "\t😀")]
    assert bad.count == 1
    assert bad.first[0].startswith(f"{path}:1: came ")


def test_ntriples_have_blank_nodes_addresses_and_texts(write):
    text = (
        '_:b0 <http://a.org/name> "He said \\"no\\"\\n" .\n'
        "<http://a.org/1> <http://a.org/knows> _:b0 .\n"
        '<x> <y> "" .\n'
        "<x> <y> z .\n"
        '<x> <y> "\\ud" .\n'
    )
    bad = BadRows()
    assert told(write(text), bad) == [
        ("_:b0", "http://a.org/name", 'He said "no"\n'),
        ("http://a.org/1", "http://a.org/knows", "_:b0"),
    ]
    assert bad.count == 3
    assert "facts:3: came '<x> <y> \"\" .'; expected <subject> <relation> <object>" in bad.first[0]
    assert "facts:4: came '<x> <y> z .'" in bad.first[1]
    assert "facts:5: came" in bad.first[2]


def test_quotes_hold_separators(write):
    path = write('"New York, New York",released,1977\n"He said ""no""",r,"a ""b"""\n', "facts.csv")
    assert told(path) == [
        ("New York, New York", "released", "1977"),
        ('He said "no"', "r", 'a "b"'),
    ]


@pytest.mark.parametrize("block", [1, 7, 2**24])
def test_a_cell_in_quotes_may_run_over_lines(write, block, monkeypatch):
    monkeypatch.setattr(facts, "BLOCK", block)
    path = write('a,r,"b\n\nc, ""d"" e\r\nf"\n"open,r,b\nx,r,y\n"z\n z",r,"end\n\n', "facts.csv")
    bad = BadRows()
    assert told(path, bad) == [("a", "r", 'b  c, "d" e f'), ("x", "r", "y")]
    assert [one.split(":")[1] for one in bad.first] == ["5", "7", "8"]


@pytest.mark.parametrize("row", [" a,r,b", "a ,r,b", "a, r,b", "a,r ,b", "a,r, b", "a,r,b "])
def test_spaces_around_a_cell_are_none_of_it_whatever_stands_beside(write, row):
    for text in (f"{row}\n", f"x,y,z\n{row}\n", f'{row}\n"c",r,d\n'):
        assert ("a", "r", "b") in told(write(text), form="csv")
        assert ("a", "r", "b") in told(write(text.replace(",", ";")), form="semicolons")
    bad = BadRows()
    assert told(write("x,y,z\n ,r,b\n"), bad) == [("x", "y", "z")]
    assert bad.count == 1


def test_a_quote_that_is_never_closed_hides_no_other_row(write):
    path = write('"open,r,b\n' + "x,r,y\n" * 300 + 'x,r,"y\nz"\n', "facts.csv")
    bad = BadRows()
    assert told(path, bad) == [("x", "r", "y")] * 300 + [("x", "r", "y z")]
    assert bad.count == 1


@pytest.mark.parametrize(("more", "read"), [(100, True), (101, False)])
def test_a_cell_in_quotes_may_run_over_a_hundred_more_lines(write, more, read):
    cell = " ".join(["x"] * (more + 1))
    path = write(f'a,r,"{cell.replace(" ", chr(10))}"\nx,r,y\n', "facts.csv")
    assert told(path, BadRows()) == [("a", "r", cell)] * read + [("x", "r", "y")]


def test_lines_are_searched_for_an_open_cell_a_hundred_lines_back():
    for plain, cut in ((99, True), (100, False)):
        text = b'a,r,"b\n' + b"x\n" * plain
        assert last_whole(text) == (0 if cut else len(text))
    assert last_whole(b"") == 0


def test_lines_are_numbered_across_blocks_and_bytes_are_told(write, monkeypatch):
    monkeypatch.setattr(facts, "BLOCK", 8)
    path = write("subject,relation,object\na,r,b\na,r,b\n\nbad,row\na,r,b\nworse\n", "facts.csv")
    bad = BadRows()
    read = [block.read for block in blocks(path, bad)]
    assert read == sorted(read)
    assert read[-1] == path.stat().st_size
    assert [one.split(":")[1] for one in bad.first] == ["5", "7"]


def test_triples_are_taken_some_at_a_time(monkeypatch):
    monkeypatch.setattr(facts, "ROWS", 2)
    found = list(blocks([("a", "r", "b"), ("b", "r", "a"), ("c", "s", "c")], BadRows()))
    assert [len(block.facts) for block in found] == [2, 1]
    assert {block.read for block in found} == {0}
    assert [list(block.names) for block in found] == [[b"a", b"b"], [b"c"]]
    assert told([("a", "r", "b"), ("b", "r", "a"), ("c", "s", "c")])[1] == ("b", "r", "a")


def test_a_row_in_quotes_across_two_blocks_is_read(write, monkeypatch):
    monkeypatch.setattr(facts, "BLOCK", 64)
    rows = [(f"a {number}", "r", f"one{' and' * (number % 5)} two") for number in range(50)]
    text = "".join(f'"{s}",{r},"{o.replace(" ", chr(10))}"\n' for s, r, o in rows)
    assert told(write(text, "facts.csv")) == rows


BINARY = {
    "xlsx": (
        b"PK\x03\x04\x14,a,b\n",
        "a ZIP archive, or a spreadsheet.*Export a spreadsheet as CSV",
    ),
    "xls": (b"\xd0\xcf\x11\xe0,a,b\n", "a spreadsheet or document of an office program"),
    "parquet": (b"PAR1\x15\t\t\n", "a Parquet file; expected text in UTF-8. Export it as CSV"),
    "bz2": (b"BZh91AY,a,b\n", "a bzip2 archive; .* Unpack it"),
    "gz": (gzip.compress(gzip.compress(b"a\tr\tb\n")), "a gzip archive; .* Unpack it"),
    "utf-16": ("a\tr\tb\n".encode("utf-16"), "text in UTF-16; .*iconv -f UTF-16 -t UTF-8"),
    "utf-16-be": ("a\tr\tb\n".encode("utf-16-be"), r"text in UTF-16 \(byte 0 is 0\)"),
    "bin": (b"a\tr\tb\nsome more text, and then\0\n", r"no text \(byte 30 is 0\)"),
}


@pytest.mark.parametrize("kind", BINARY)
def test_what_is_no_text_is_refused_with_advice(write, kind):
    data, text = BINARY[kind]
    for form in (None, "tsv"):
        with pytest.raises(ValueError, match=rf"facts\.{kind}: this is {text}"):
            told(write(data, f"facts.{kind}"), form=form)


@pytest.mark.parametrize(
    "text", ['{"subject": "a", "r": 1}\n', "[\n  {\n", '["a","r","b"]\n', "{}", " [[1,2,3]]"]
)
def test_json_is_refused_with_advice(write, text):
    with pytest.raises(ValueError, match=r"facts:1: this looks like JSON; .*Export it as CSV"):
        told(write(text))


def test_titles_in_brackets_are_no_json(write):
    assert told(write("[Rec],r,b\n")) == [("[Rec]", "r", "b")]


def test_a_byte_0_makes_a_bad_row(write):
    path = write(b"a\tr\tb\n" * 2000 + b"a\tr\tb\0\n")
    bad = BadRows()
    assert len(told(path, bad)) == 2000
    assert "facts:2001: byte 6 of the line is 0, which no text has" in bad.first[0]


def test_bad_rows_are_named_and_the_others_read(write):
    path = write(b"h\th\th\na\tr\tb\na\tr\n\ta\tb\na\tr\tb\tc\ncaf\xe9\tr\tb\nz\tr\tb\n")
    bad = BadRows(keep=3)
    assert told(path, bad, header=True) == [("a", "r", "b"), ("z", "r", "b")]
    assert bad.count == 4
    assert [complaint.split(": ")[0] for complaint in bad.first] == [
        f"{path}:{line}" for line in (3, 4, 5)
    ]
    assert "came 'a\\tr'; expected subject<TAB>relation<TAB>object" in bad.first[0]
    bad = BadRows()
    told(path, bad, header=False)
    assert f"{path}:6: byte 0xe9 is not UTF-8 text." in bad.first[-1]


@pytest.mark.parametrize("row", ['a,"b,c', 'a,"b"c,d', "a,,c", "a, ,c", "a,b", "a,b,c,d"])
def test_bad_rows_of_csv(write, row):
    bad = BadRows()
    assert told(write(f"x,y,z\n{row}\n"), bad) == [("x", "y", "z")]
    assert f"facts:2: came {row!r}; expected subject,relation,object" in bad.first[0]


def test_a_header_is_known_by_usual_words_only(write):
    path = write("film,property,value\na,r,b\n")
    assert told(path)[0] == ("film", "property", "value")
    assert told(path, header=True) == [("a", "r", "b")]
    usual = write("subject\trelation\tobject\n")
    assert told(usual) == []
    assert told(usual, header=False) == [("subject", "relation", "object")]


def test_every_usual_word_of_a_header_is_known(write):
    words = ["subject s head entity source", "relation predicate property p r",
             "object o tail value target"]  # fmt: skip
    columns = [column.split() for column in words]
    for n in range(5):
        names = [column[n] for column in columns]
        assert told(write("\t".join(names) + "\na\tr\tb\n")) == [("a", "r", "b")]
        assert len(told(write(f"{names[1]},{names[0]},{names[2]}\na,r,b\n"))) == 2
        bad = BadRows()
        assert told(write(f"{','.join(names)},x\na,r,b\n"), bad) == [("a", "r", "b")]
        assert bad.count == 1  # of four columns it names none


def test_names_in_angle_brackets_are_no_ntriples_without_a_full_stop(write):
    assert told(write("<i>a</i>\tr\tb\n")) == [("<i>a</i>", "r", "b")]
    assert told(write("_:a,r,b\n")) == [("_:a", "r", "b")]
    assert told(write("a\tr\tb.\n")) == [("a", "r", "b.")]
    assert told(write("# said\n\n_:a <r> _:b.\n")) == [("_:a", "r", "_:b")]
    assert told(write("<a> <r> <b>. # said\n")) == [("a", "r", "b")]
    assert told(write('_:a <r> "b" .# said\n')) == [("_:a", "r", "b")]
    assert told(write("<a>\tr\tb #1\n")) == [("<a>", "r", "b #1")]


@pytest.mark.parametrize(
    "row",
    [
        '<a> <r> "x"@ .',
        '<a> <r> "x"^<y> .',
        '<a> <r> "x" ',
        '"a" <r> <x> .',
        "<a> _:r <x> .",
        "<a> <r> <x> . more",
        "<a> <> <x> .",
        "<> <r> <x> .",
        "<a> <r> <> .",
        '<a> <r> "x" "y" .',
        "<a> <r> <x> <g> .",
    ],
)
def test_what_is_not_quite_an_ntriple_is_a_bad_row(write, row):
    bad = BadRows()
    assert told(write(f"<a> <r> <x>.\n{row}\n"), bad) == [("a", "r", "x")]
    assert bad.count == 1


def test_a_form_that_is_said_is_taken(write):
    path = write("a, b\tr\tc\n")
    assert told(path) == [("a, b", "r", "c")]
    bad = BadRows()
    assert told(path, bad, form="csv") == []
    assert bad.count == 1


def test_a_file_of_another_form_is_refused(write):
    text = r"facts:1: came 'dear all'; expected subject, relation and object, parted by a TAB"
    with pytest.raises(ValueError, match=text):
        told(write("dear all\n"))


def test_nothing_gives_nothing(write):
    assert told(write("")) == told(write(" \n\n")) == told([]) == []


def test_damaged_gzip_data_is_named(write):
    whole = gzip.compress(b"a\tr\tb\n" * 1009)
    path = write(whole[:-9])
    with pytest.raises(ValueError, match=r"facts:1: the gzip data cannot be read on from about"):
        told(path)


def test_damaged_gzip_data_is_named_about_where_it_is(write, monkeypatch):
    monkeypatch.setattr(facts, "BLOCK", 60)
    path = write(gzip.compress(b"a\tr\tb\n" * 1009)[:-9])
    sizes = []
    with pytest.raises(ValueError, match=r"facts:\d+: the gzip data") as told_of:
        sizes.extend(len(block.facts) for block in blocks(path, BadRows()))
    line = int(str(told_of.value).split("facts:")[1].split(":")[0])
    assert 900 < line <= 1009


def test_a_file_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"none\.csv: this does not exist; expected a file"):
        blocks(tmp_path / "none.csv", BadRows())


CELLS = st.text(st.sampled_from('ab ü"\t,\n\r'), max_size=9)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.lists(CELLS, min_size=3, max_size=3), max_size=11), st.integers(1, 40))
@example([["a", "a", "\r\r"]], 1)
def test_the_quick_way_reads_what_the_slow_one_reads(tmp_path_factory, rows, block):
    path = tmp_path_factory.mktemp("quick") / "facts"
    path.write_bytes("".join(f"{'	'.join(row)}\n" for row in rows).encode())
    found = []
    for quick in (True, False):
        bad = BadRows()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(facts, "BLOCK", block)
            if not quick:
                patch.setattr(facts, "_plain", lambda *_: None)
            found.append((told(path, bad, form="tsv", header=False), bad.first))
    assert found[0] == found[1]


def test_a_plain_block_is_read_the_quick_way(write, monkeypatch):
    monkeypatch.setattr(facts, "_line_by_line", None)
    assert told(write("a b\tr\tü\nü\tr\tc\n")) == AB


@settings(max_examples=100, deadline=None)
@given(st.lists(st.binary(min_size=1, max_size=29), max_size=31))
def test_distinct_words_are_numbered_as_they_come(words):
    ends = np.cumsum([len(word) for word in words], dtype=np.int64)
    starts = ends - np.array([len(word) for word in words], np.int64)
    letters = np.frombuffer(b"".join(words), np.uint8)
    found = distinct(letters, starts, ends)
    once = list(dict.fromkeys(words))
    assert [once[number] for number in found.numbers.tolist()] == words
    at = zip(found.starts.tolist(), found.ends.tolist(), strict=True)
    assert [b"".join(words)[start:end] for start, end in at] == once


def test_words_that_differ_in_any_letter_are_distinct():
    """Every one of the first 27 letters counts, and so does the length."""
    words = [b"x" * length for length in range(1, 28)]
    words += [b"x" * place + b"y" + b"x" * (26 - place) for place in range(27)]
    ends = np.cumsum([len(word) for word in words])
    starts = ends - np.array([len(word) for word in words])
    found = distinct(np.frombuffer(b"".join(words), np.uint8), starts, ends)
    assert found.numbers.tolist() == list(range(54))
