"""Lines as records: what ends a line, what is passed over, and how a bad row is named."""

import gzip
import tracemalloc
from pathlib import Path

import pytest

from memnets.data.rows import (
    BadRows,
    expect_no_json,
    expect_text,
    fields,
    records,
    wrong,
)


def put(path, data: bytes):
    path.write_bytes(data)
    return path


def test_line_ends_marks_and_blank_lines_change_nothing(tmp_path):
    plain = list(records(put(tmp_path / "a", b"one\ntwo\n"), str))
    assert plain == ["one", "two"]
    assert list(records(put(tmp_path / "b", b"\xef\xbb\xbfone\r\n\r\n \t\ntwo"), str)) == plain


def test_nothing_but_line_ends_is_trimmed(tmp_path):
    text = "\u00a0\n a \nb\u2028c\x85\n"
    assert list(records(put(tmp_path / "a", text.encode()), str)) == [
        "\u00a0",
        " a ",
        "b\u2028c\x85",
    ]


def test_gzip_is_known_by_its_bytes(tmp_path):
    path = put(tmp_path / "a.txt", gzip.compress("vujačić\n".encode()))
    assert list(records(path, str)) == ["vujačić"]


def test_gzip_that_is_cut_short_is_refused(tmp_path):
    whole = gzip.compress(b"".join(b"%d\n" % number**7 for number in range(997)))
    with pytest.raises(ValueError, match=r"a\.gz:\d+: the gzip data cannot be read .* whole file"):
        list(records(put(tmp_path / "a.gz", whole[:-100]), str))


def test_a_bad_row_is_named(tmp_path):
    path = put(tmp_path / "a.txt", b"1\n\nx\n3\n")
    with pytest.raises(ValueError, match=r"a\.txt:3: invalid literal .*'x'"):
        list(records(path, int))


def test_bytes_that_are_no_text_are_named(tmp_path):
    path = put(tmp_path / "a.txt", b"one\ncaf\xe9\n")
    with pytest.raises(ValueError, match=r"a\.txt:2: byte 0xe9 is not UTF-8 text"):
        list(records(path, str))


def test_bad_rows_are_counted_and_the_first_kept(tmp_path):
    bad = BadRows(keep=2)
    path = put(tmp_path / "a.txt", b"1\nx\n\xff\n2\ny\n")
    assert list(records(path, int, bad)) == [1, 2]
    assert bad.count == 3
    assert [complaint.split(": ")[0] for complaint in bad.first] == [f"{path}:2", f"{path}:3"]


@pytest.mark.parametrize("line", ["a|b", "a|b|c|d", "a||c", ""])
def test_another_number_of_fields_is_refused(line):
    with pytest.raises(ValueError, match=r"expected s\|r\|o, no field empty") as caught:
        fields(line, "|", "s|r|o")
    assert f"came {line!r}" in str(caught.value)


def test_twenty_complaints_are_kept_unless_told_otherwise():
    bad = BadRows()
    for number in range(23):
        bad.add(str(number))
    assert (bad.count, bad.first) == (23, [str(number) for number in range(20)])


def test_eighty_letters_of_a_bad_line_are_shown():
    said = str(wrong("x" * 81, "form"))
    assert "x" * 80 in said
    assert "x" * 81 not in said


def test_zeros_in_more_than_a_third_of_the_bytes_are_those_of_utf_16():
    for begin, what in ((b"ab\0", "no text"), (b"ab\0\0", "text in UTF-16")):
        with pytest.raises(ValueError, match=rf"this is {what} \(byte 2 is 0\)"):
            expect_text(Path("a"), begin)


def test_json_is_known_behind_a_byte_order_mark_too():
    expect_no_json(Path("a"), b"[entity],b\n")
    for begin in (b'{"a": 1}', b'\xef\xbb\xbf[{"a": 1}]', b" \n{"):
        with pytest.raises(ValueError, match="a:1: this looks like JSON"):
            expect_no_json(Path("a"), begin)


def test_gzip_that_is_damaged_from_its_beginning_is_named_by_its_first_line(tmp_path):
    with pytest.raises(ValueError, match=r"a\.gz:1: the gzip data cannot be read"):
        list(records(put(tmp_path / "a.gz", gzip.compress(b"1\n")[:12]), str))


def test_a_tab_is_shown_and_a_long_line_is_cut():
    with pytest.raises(ValueError, match="expected key<TAB>value") as caught:
        fields("x" * 1009, "\t", "key\tvalue")
    assert len(str(caught.value)) < 250


@pytest.mark.parametrize(("make", "state"), [(False, "does not exist"), (True, "is a folder")])
def test_what_is_no_file_is_refused_at_once(tmp_path, make, state):
    if make:
        (tmp_path / "a").mkdir()
    with pytest.raises(FileNotFoundError, match=f"a: this {state}; expected a file"):
        records(tmp_path / "a", str)


def test_a_large_file_takes_constant_memory(tmp_path):
    line = b"subject\trelation\tobject\n"
    path = put(tmp_path / "large.tsv", line * 20_011)
    tracemalloc.start()
    assert sum(1 for _ in records(path, str)) == 20_011
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 200_000 < path.stat().st_size
