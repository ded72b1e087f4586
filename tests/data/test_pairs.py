"""Pairs of text files: what is read, what is left out and told, what is refused and where."""

import gzip

import pytest

from memnets.data.pairs import load_pairs, read_pairs, read_sentences
from memnets.data.rows import BadRows


def put(folder, source: bytes, target: bytes):
    (folder / "a.de").write_bytes(source)
    (folder / "a.en").write_bytes(target)
    return folder / "a.de", folder / "a.en"


def test_line_k_is_translated_by_line_k(tmp_path):
    files = put(tmp_path, "Ein Hund.\nZwei Bären\n".encode(), b"A dog.\nTwo bears\n")
    assert list(read_pairs(*files)) == [("Ein Hund.", "A dog."), ("Zwei Bären", "Two bears")]
    assert load_pairs(*map(str, files)) == tuple(read_pairs(*files))


def test_marks_and_ends_of_lines_are_no_text(tmp_path):
    inside = "a\u2028b\x0bc\x85d  e"  # what only other programs take for an end of line
    source = b"\xef\xbb\xbfone \r\n" + f"\u00a0{inside}\t\r\n".encode()
    files = put(tmp_path, source, b"eins\nzwei")
    assert list(read_pairs(*files)) == [("one", "eins"), (inside, "zwei")]


def test_letters_and_their_marks_are_one_character(tmp_path):
    files = put(tmp_path, "Ba\u0308ren".encode(), b"bears")
    assert list(read_pairs(*files)) == [("B\u00e4ren", "bears")]


def test_gzip_is_read_as_it_is_whatever_its_name(tmp_path):
    files = put(tmp_path, gzip.compress(b"one\ntwo\n", mtime=0), b"eins\nzwei\n")
    assert list(read_pairs(*files)) == [("one", "eins"), ("two", "zwei")]


@pytest.mark.parametrize(
    ("source", "target", "said"),
    [
        (b"1\n2\n3\n", b"1\n2\n", r"^\S+a\.en:2: the file ends here, after 2 lines, and \S+a\.de "),
        (b"1\n", b"1\n2\n\n", r"^\S+a\.de:1: the file ends here, after 1 lines, .*a\.en has 3\."),
        (b"", b"1\n", r"^\S+a\.de:1: the file ends here, after 0 lines"),
        (b"1\n2\n", b"1\nb\xe4r\n", r"^\S+a\.en:2: byte 0xe4 is not UTF-8 text\. .*Latin-1"),
        (b"1\n2\n", b"1\n\0\n", r"a\.en: this is (no text|text in UTF-16)"),
        (
            gzip.compress(b"1\n" * 9, mtime=0)[:-9],
            b"1\n" * 9,
            r"a\.de:\d+: the gzip data cannot be read on",
        ),
    ],
)
def test_what_cannot_be_read_is_refused_with_file_and_line(tmp_path, source, target, said):
    files = put(tmp_path, source, target)
    for read in (lambda: list(read_pairs(*files, left_out=BadRows())), lambda: load_pairs(*files)):
        with pytest.raises(ValueError, match=said):
            read()


def test_a_file_that_is_not_there_is_named(tmp_path):
    source, _ = put(tmp_path, b"1\n", b"1\n")
    with pytest.raises(FileNotFoundError, match=r"none\.en: this does not exist"):
        read_pairs(source, tmp_path / "none.en")


TEN_THOUSAND = b"word " * 10_000


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"", r"a\.de:2: this line is empty; .* line 2 out of this file and of \S+a\.en"),
        (b" \t", r"a\.de:2: this line is empty"),
        (TEN_THOUSAND, r"a\.de:2: this line has 10,000 words; .* at most 1,000\. Part it"),
        (b"w" * 20_001, r"a\.de:2: this line has 20,001 characters; .* 20,000 characters"),
    ],
)
def test_what_nobody_can_learn_from_is_refused_or_left_out_and_told(tmp_path, line, said):
    files = put(tmp_path, b"one\n" + line + b"\nthree\n", b"eins\nzwei\ndrei\n")
    with pytest.raises(ValueError, match=said):
        list(read_pairs(*files))
    left_out = BadRows()
    expected = [("one", "eins"), ("three", "drei")]
    assert list(read_pairs(*files, left_out=left_out)) == expected
    assert left_out.count == 1
    with pytest.warns(UserWarning, match=r"^1 of 3 pairs are left out. The first: .*" + said):
        assert load_pairs(*files) == tuple(expected)


def test_either_side_counts_and_the_limit_is_a_choice(tmp_path):
    files = put(tmp_path, b"a b\nc\n", b"d e\nf g h\n")
    left_out = BadRows()
    assert list(read_pairs(*files, most_words=2, left_out=left_out)) == [("a b", "d e")]
    assert "a.en:2: this line has 3 words; expected a sentence of at most 2." in left_out.first[0]


def test_files_without_a_pair_are_refused(tmp_path):
    with pytest.raises(ValueError, match=r"a\.de: it has no pair of sentences to learn from\.$"):
        load_pairs(*put(tmp_path, b"", b""))
    with pytest.raises(ValueError, match=r"learn from\. The first is left out: .*a\.en:1: .*empty"):
        load_pairs(*put(tmp_path, b"1\n", b"\n"))


def test_sentences_to_be_translated_keep_their_empty_lines(tmp_path):
    path, _ = put(tmp_path, b"one\r\n\n two", b"")
    assert list(read_sentences(path)) == ["one", "", "two"]
    path.write_bytes(b"one\n" + TEN_THOUSAND)
    with pytest.raises(ValueError, match=r"a\.de:2: this line has 10,000 words; .*of its own\.$"):
        list(read_sentences(path))
    path.write_bytes(b"one\n\xff")
    with pytest.raises(ValueError, match=r"a\.de:2: byte 0xff is not UTF-8"):
        list(read_sentences(path))


def test_a_line_of_just_as_many_words_or_letters_is_a_sentence(tmp_path):
    fits = [b"a b", b"w" * 40, b"x " + b"y" * 38]
    files = put(tmp_path, b"\n".join(fits), b"1\n2\n3")
    assert len(list(read_pairs(*files, most_words=2))) == 3
    assert len(list(read_sentences(files[0], most_words=2))) == 3
    assert len(load_pairs(*files, most_words=2)) == 3
    for line, said in ((b"a b c", "3 words"), (b"w" * 41, "41 characters")):
        files = put(tmp_path, line, b"1")
        with pytest.raises(ValueError, match=rf"a\.de:1: this line has {said}; .* at most 2"):
            list(read_pairs(*files, most_words=2))
        with pytest.raises(ValueError, match=rf"a\.de:1: this line has {said}; .* at most 2"):
            list(read_sentences(files[0], most_words=2))
    files = put(tmp_path, b"a b c\nd e", b"1\n2")
    with pytest.warns(UserWarning, match="1 of 2 pairs are left out"):
        assert load_pairs(*files, most_words=2) == (("d e", "2"),)
    files = put(tmp_path, b"w" * 41, b"1")
    with pytest.raises(ValueError, match="at most 2 words, or 40 characters"):
        list(read_sentences(files[0], most_words=2))


def test_of_pairs_that_are_left_out_the_first_is_told_and_which_file_is_shorter(tmp_path):
    files = put(tmp_path, b"\none\n\n", b"1\n2\n3\n")
    with pytest.warns(UserWarning, match=r"^2 of 3 pairs are left out\. The first: .*a\.de:1: "):
        assert load_pairs(*files) == (("one", "2"),)
    with pytest.raises(
        ValueError, match=r"a\.en:2: the file ends .* 2 lines, and \S+a\.de has 3\."
    ):
        load_pairs(*put(tmp_path, b"1\n2\n3\n", b"1\n2\n"))
    with pytest.warns(UserWarning, match=r"a\.en:2: this line is empty; .* of \S+a\.de\."):
        load_pairs(*put(tmp_path, b"1\n2\n", b"1\n\n"))
