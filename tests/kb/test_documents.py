"""Files become sentences, with their titles and lines; and names are found without a list."""

import time
from itertools import pairwise

import pytest

from memnets.data.rows import BadRows
from memnets.kb.documents import documents
from memnets.kb.documents.documents import MOST, capitalised, find_files, sentences


@pytest.fixture
def headed(tmp_path):
    """Write a file, and return its sentences as (title, line, text, headings)."""

    def written(name: str, data: str):
        (tmp_path / name).write_text(data)
        return list(map(tuple, sentences(tmp_path / name, BadRows())))

    return written


@pytest.fixture
def lay(tmp_path):
    """Write a file, and return its sentences as (title, line, text) with the complaints."""

    def written(name: str, data: str | bytes):
        path = tmp_path / name
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        bad = BadRows()
        return [tuple(found[:3]) for found in sentences(path, bad)], bad

    return written


def texts(found) -> list[str]:
    return [text for _, _, text in found[0]]


def test_a_text_file_is_cut_into_sentences_with_their_lines(lay):
    found, bad = lay(
        "three_colours.txt",
        "Three Colours: Red is a film that was directed by\n"
        "Krzysztof Kieslowski. It was released, he said,"
        '\nin 1994!  "Why?" asked he. Yes.\n\n\nA short line\nThe end.',
    )
    assert found == [
        (
            "three colours",
            1,
            "Three Colours: Red is a film that was directed by Krzysztof Kieslowski.",
        ),
        ("three colours", 2, "It was released, he said, in 1994!"),
        ("three colours", 3, '"Why?" asked he.'),
        ("three colours", 3, "Yes."),
        ("three colours", 6, "A short line"),
        ("three colours", 7, "The end."),
    ]
    assert bad.count == 0


def test_a_sentence_that_begins_at_the_end_of_a_line_is_of_that_line(lay):
    long = "x" * 50
    found, _ = lay("a.txt", f"{long}\n{long}\n{long}\n{long}. I\nwent.")
    assert [(line, text[-7:]) for _, line, text in found] == [(1, "xxxxxx."), (4, "I went.")]


def test_a_line_of_forty_letters_goes_on_and_a_shorter_one_does_not(lay):
    for letters, said in ((40, 1), (39, 2)):
        assert len(texts(lay("a.txt", f"{'x' * letters}\nand on"))) == said


def test_marks_that_stand_far_apart_are_text(lay):
    for letters, kept in ((300, False), (301, True)):
        (text,) = texts(lay("a.md", f"**{'x' * letters}** _{'y' * letters}_"))
        assert ("*" in text, "_" in text) == (kept, kept)


def test_a_heading_of_another_level_is_a_sentence_where_nothing_stands_below_it(headed):
    assert headed("a.md", "## Two ##\n###### Six\n## Two again\n####### seven\n# \n# One\nend") == [
        ("a", 2, "Six", ("Two",)),
        ("a", 4, "####### seven", ("Two again",)),
        ("One", 7, "end", ()),
    ]
    assert headed("a.md", "# One\n## Two\n# Three\n## Four") == [
        ("One", 2, "Two", ()),
        ("Three", 4, "Four", ()),
    ]


def test_a_sentence_has_the_headings_that_it_stands_below(headed):
    text = "a\n# One\nb\n## Two\nc. D.\n#### Four\ne\n### Three\nf\n## Again\ng"
    found = headed("a.md", text)
    assert [(text, headings) for _, _, text, headings in found] == [
        ("a", ()),
        ("b", ()),
        ("c. D.", ("Two",)),
        ("e", ("Two", "Four")),
        ("f", ("Two", "Three")),
        ("g", ("Again",)),
    ]


def test_abbreviations_and_initials_end_no_sentence(lay):
    assert texts(lay("a.txt", "Mr. Jones met J. R. Smith, i.e. Dr. No. They left.")) == [
        "Mr. Jones met J. R. Smith, i.e. Dr. No. They left."
    ]
    assert texts(lay("b.txt", "He met Mr. Jones. They left. e.g. this goes on.")) == [
        "He met Mr. Jones.",
        "They left. e.g. this goes on.",
    ]


@pytest.mark.parametrize(
    "short",
    [
        "mr",
        "mrs",
        "ms",
        "dr",
        "st",
        "prof",
        "jr",
        "sr",
        "vs",
        "etc",
        "no",
        "vol",
        "fig",
        "ca",
        "approx",
        "e.g",
        "i.e",
        "Mrs",
        "X",
        "é",
        "I.E",
    ],
)
def test_a_sentence_goes_on_after_an_abbreviation(lay, short):
    assert len(texts(lay("a.txt", f"They say {short}. Here it is."))) == 1
    assert len(texts(lay("a.txt", f"They say x{short}. Here it is."))) == (
        1 if "." in short else 2
    )  # the letter before its last full stop stands alone


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("It is 4. Then it ends.", 2),
        ("Is it so? Yes! And so… on. It ends", 4),
        ("It is ('so.') \"Yes.\" He said.” No.’ And [so.] They go.", 6),
        ("is it so? yes! and so. on", 1),
        ("It is. 1994 came. “He” too. (She) too.", 4),
        ("It is.So be it: a.B c;D", 1),
    ],
)
def test_sentences_end_where_a_mark_is_before_a_space_and_no_small_letter(lay, text, number):
    assert len(texts(lay("a.txt", text))) == number


def test_every_bullet_begins_a_sentence_and_loses_its_mark(lay):
    marks = ["-", "*", "+", "1.", "12)", "123.", ">", "  -"]
    text = "\n".join(f"{mark} item" for mark in marks)
    assert texts(lay("a.md", text)) == ["item"] * len(marks)
    for mark in ("1234.", "-x", "1:", "a."):
        assert texts(lay("a.md", f"before\n{mark} item")) == [f"before {mark} item"]
    assert texts(lay("a.txt", "- item")) == ["- item"]


@pytest.mark.parametrize("rule", ["---", "===", "* * *", "___", ":--|:-:", "", "  "])
def test_a_rule_parts_paragraphs_and_is_none(lay, rule):
    assert texts(lay("a.md", f"one\n{rule}\ntwo")) == ["one", "two"]


def test_code_ends_with_the_fence_that_it_began_with(lay):
    for fence, other in (("```", "~~~"), ("~~~", "```")):
        text = f"one\n  {fence} python\nx\n{other}\ny\n  {fence}\ntwo"
        assert texts(lay("a.md", text)) == ["one two"]
    assert texts(lay("a.md", "one\n---\nx\n---\ntwo")) == ["one", "x", "two"]  # no settings


@pytest.mark.parametrize(
    ("marked", "plain"),
    [
        ("a __b c__ d", "a b c d"),
        ("a **b** *c* `d` _e_", "a b c d e"),
        ("2 * 3 * 4 and a_b_c", "2 * 3 * 4 and a_b_c"),
        ("![a](b.png) [c](d) [e] (f)", "a c [e] (f)"),
        ("a <b>c</b> < d", "a c < d"),
    ],
)
def test_marks_of_markdown_are_left_out_and_others_are_text(lay, marked, plain):
    assert texts(lay("a.md", marked)) == [plain]


def test_markdown_loses_its_marks_and_its_first_heading_is_the_title(lay):
    text = """---
title: settings
---
Before any heading.

# Three Colours: **Red** #

A [film](https://example.org/red) by *Kieslowski*, with `Jacob` and
<b>Feder</b>, called _Rouge_ in snake_case. ![poster](red.png)

## Cast

- Irene Jacob
- Jean-Louis Trintignant
  as the judge
1. Feder

***

```python
nobody = "reads code"
```

> It is quoted.

# Blue

After it.
"""
    found, _ = lay("my film.md", text)
    assert found == [
        ("my film", 4, "Before any heading."),
        (
            "Three Colours: Red",
            8,
            "A film by Kieslowski, with Jacob and Feder, called Rouge in snake_case. poster",
        ),
        ("Three Colours: Red", 13, "Irene Jacob"),
        ("Three Colours: Red", 14, "Jean-Louis Trintignant as the judge"),
        ("Three Colours: Red", 16, "Feder"),
        ("Three Colours: Red", 24, "It is quoted."),
        ("Blue", 28, "After it."),
    ]


@pytest.mark.parametrize(
    ("name", "text", "sentences"),
    [
        ("a.txt", "A. " * 20_000, 1),  # so many sentences could end
        ("a.md", "_a " * 10_000, 1),  # so many marks could begin
        ("b.md", "*a " * 10_000, 1),
    ],
)
def test_a_long_line_takes_a_moment(lay, name, text, sentences):
    began = time.process_time()
    assert len(texts(lay(name, text))) == sentences
    assert time.process_time() - began < 2


def test_names_of_a_long_line_take_a_moment():
    began = time.process_time()
    assert len(list(capitalised(())("Ada " * 20_000))) == 1
    assert time.process_time() - began < 2


def test_code_that_does_not_end_is_left_out_whole(lay):
    assert texts(lay("a.md", "Before.\n```\nx = 1\n# no title\n")) == ["Before."]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le"])
def test_encodings(lay, encoding):
    text = "Irène Jacob spielt in Köln."
    data = text.encode(encoding)
    if encoding == "utf-16-le":
        data = b"\xff\xfe" + data
    found, bad = lay("a.txt", data)
    assert (texts((found, bad)), bad.count) == ([text], 0)


def test_a_line_in_an_old_encoding_is_read_and_named(lay, tmp_path):
    found, bad = lay("a.txt", "Köln.\n".encode() + "Irène “Jacob”.\n".encode("cp1252") + b"End.")
    assert [text for _, _, text in found] == ["Köln.", "Irène “Jacob”.", "End."]
    assert bad.count == 1
    assert bad.first[0].startswith(f"{tmp_path}/a.txt:2: not UTF-8, read as Windows-1252: 'Irène")


def test_what_is_no_text_is_named(lay, tmp_path):
    found, bad = lay("a.txt", b"PK\x03\x04\0\0\0")
    assert found == []
    assert len(bad.first) == 1
    assert bad.first[0].startswith(f"{tmp_path}/a.txt: this is a ZIP archive, or a spreadsheet")


@pytest.mark.parametrize("line_ends", ["\n", "\r\n", "\r"])
def test_line_ends(lay, line_ends):
    assert [line for _, line, _ in lay("a.txt", line_ends.join(["One.", "", "Two."]))[0]] == [1, 3]


@pytest.mark.parametrize("name", ["a.txt", "a.md"])
def test_a_file_without_words_has_no_sentences(lay, name):
    assert lay(name, "")[0] == []
    assert lay(name, " \n\n \n")[0] == []


@pytest.mark.parametrize("name", ["a.txt", "a.md"])
def test_a_file_without_an_end_of_line_is_read_in_pieces(lay, name):
    size = 7 * MOST + 11
    found, _ = lay(name, "x" * size)
    assert sum(len(text) for _, _, text in found) == size
    assert max(len(text) for _, _, text in found) <= 2 * MOST
    assert {line for _, line, _ in found} == {1}


@pytest.mark.parametrize("name", ["a.txt", "a.md"])
def test_a_paragraph_that_does_not_end_is_read_in_pieces(lay, name):
    found, _ = lay(name, ("word " * 20 + "\n") * 2000)
    assert max(len(text) for _, _, text in found) <= 2 * MOST
    assert sum(len(text.split()) for _, _, text in found) == 40_000


def test_a_suffix_in_capitals_is_read_as_in_small_letters(lay):
    text = "# Oslo\n\nIt is the *capital* of Norway.\n"
    assert lay("notes.MD", text)[0] == lay("notes.md", text)[0]
    assert lay("notes.MD", text)[0] == [("Oslo", 3, "It is the capital of Norway.")]


def test_files_are_found_in_order_and_hidden_ones_are_not(tmp_path):
    for name in ("b.txt", "a/c.MD", "a/d.pdf", ".hidden.txt", ".git/e.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("x")
    read, skipped, links = find_files(tmp_path)
    assert links == []
    assert [str(path.relative_to(tmp_path)) for path in read] == ["a/c.MD", "b.txt"]
    assert [path.name for path in skipped] == ["d.pdf"]
    # What is within a hidden folder that was named itself is not hidden.
    (tmp_path / ".git/f.md").write_text("x")
    assert [path.name for path in find_files(tmp_path / ".git")[0]] == ["e.txt", "f.md"]


def test_links_are_not_followed(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "secret.txt").write_text("It is secret.")
    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / "file.txt").symlink_to(tmp_path / "elsewhere" / "secret.txt")
    (folder / "folder").symlink_to(tmp_path / "elsewhere")
    (folder / "to nothing.txt").symlink_to(tmp_path / "nothing")
    with pytest.raises(ValueError, match=r"no text in 0 files \(and 3 links, which are not follo"):
        find_files(folder)
    (folder / "own.txt").write_text("It is ours.")
    (tmp_path / "texts too").symlink_to(folder)  # a link that is named is followed
    for named in (folder, tmp_path / "texts too"):
        read, others, links = find_files(named)
        assert [path.name for path in read] == ["own.txt"]
        assert others == []
        assert [path.name for path in links] == ["file.txt", "folder", "to nothing.txt"]


def test_a_folder_without_texts_is_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"nowhere: this does not exist; expected a folder"):
        find_files(tmp_path / "nowhere")
    with pytest.raises(ValueError, match=rf"{tmp_path}: no text in 0 files; expected .*\.txt"):
        find_files(tmp_path)
    (tmp_path / "a.pdf").touch()
    with pytest.raises(ValueError, match=r"no text in 1 files"):
        find_files(tmp_path)
    with pytest.raises(FileNotFoundError, match=r"a\.pdf: this is a file; expected a folder"):
        find_files(tmp_path / "a.pdf")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Blade Runner was directed by Ridley Scott in 1982.", "Blade Runner|Ridley Scott|1982"),
        ("the University of Oslo and the Hague", "University of Oslo|Hague"),
        ("In Oslo the Lord of the Rings opened.", "Oslo|Lord of the Rings"),
        ("Who directed Alien?", "Alien"),
        ("Films are shown.", ""),
        ("Kieslowski directed Red.", "Kieslowski|Red"),
        ("He saw The Hague.", "The Hague"),
        ("The Hague is large.", "Hague"),
        ("They came of the", ""),
        ("We saw Films there.", "Films"),
        ("In 12 rooms of the Hague the King of 1994 Oslo saw Of", "12|Hague|King|1994|Oslo"),
        ("In 2 cities, 12 May 1994", "2|12 May 1994"),
        ("In May 1994, in Junes 1994", "May 1994|Junes|1994"),
        ("Jean-Louis O’Brien of U.S.A went", "Jean-Louis O’Brien of U.S.A"),
        ("de la Ada von der Bob du Cy da Di van Em", "Ada von der Bob du Cy da Di van Em"),
        ("Ada and Bob of Rome the Old", "Ada|Bob of Rome|Old"),
        ("", ""),
    ],
)
def test_names_are_words_with_a_capital(text, names):
    found = capitalised({"films", "directed"})(text)
    assert "|".join(name for name, _, _ in found) == names
    assert all(text[start:end] == name for name, start, end in found)


def test_names_do_not_overlap():
    text = "Three Colours: Red by Krzysztof Kieslowski of Poland 1994 2nd Red"
    spans = [(start, end) for _, start, end in capitalised(())(text)]
    assert spans == sorted(spans)
    assert all(end <= start for (_, end), (start, _) in pairwise(spans))


def test_small_words_and_suffixes_are_in_lower_case():
    assert all(word == word.lower() for word in documents._LINKS | documents.SUFFIXES)
