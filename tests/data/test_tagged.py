"""Sentences with parts of speech: both forms, what is refused, and words of typed text."""

import os

import pytest

from memnets.data.treebanks import TaggedWord, load_tagged, read_tagged, treebank_words

THREE = "He\tPRON\tPRP\nruns\tVERB\tVBZ\n\nGo\tVERB\tVB\n"
TEN = """\
# text = He's here
1-2\tHe's\t_\t_\t_\t_\t_\t_\t_\t_
1\tHe\the\tPRON\tPRP\tCase=Nom\t3\tnsubj\t_\t_
2\t's\tbe\tAUX\tVBZ\t_\t3\tcop\t_\t_
2.1\tis\t_\tAUX\tVBZ\t_\t_\t_\t_\t_
3\there\there\tADV\tRB\t_\t0\troot\t_\t_

# text = Go
1\tGo\tgo\tVERB\tVB\t_\t0\troot\t_\t_
"""


def put(path, text):
    path.write_text(text, encoding="utf-8")
    return path


def test_three_columns_are_read(tmp_path):
    first, second = read_tagged(put(tmp_path / "dev.tsv", THREE))
    assert first.words == (TaggedWord("He", "PRON", "PRP"), TaggedWord("runs", "VERB", "VBZ"))
    assert (second.words[0].form, second.line) == ("Go", 4)
    assert second.source == str(tmp_path / "dev.tsv")


def test_the_treebanks_own_form_is_read(tmp_path):
    first, second = read_tagged(put(tmp_path / "en_ewt-ud-dev.conllu", TEN))
    assert [word.form for word in first.words] == ["He", "'s", "here"]
    assert [word.xpos for word in first.words] == ["PRP", "VBZ", "RB"]
    assert (first.line, second.line) == (3, 9)


def test_a_file_may_end_without_an_empty_line_or_have_several(tmp_path):
    for text in (THREE.rstrip("\n"), "\n\n" + THREE.replace("\n\n", "\r\n \n\n") + "\n\n"):
        assert [len(one.words) for one in read_tagged(put(tmp_path / "a.tsv", text))] == [2, 1]


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.tsv", THREE + "word\tNOUN\n", r"a\.tsv:5: came 'word\\tNOUN'; expected FORM<TAB>UPOS"),
        ("a.tsv", "word\t\tNN\n", r"a\.tsv:1: came .*no field empty"),
        ("a.tsv", "a\tb\tc\td\n", r"a\.tsv:1: came"),
        ("a.conllu", THREE, r"a\.conllu:1: came .*expected ID<TAB>FORM<TAB>LEMMA<TAB>UPOS"),
        ("a.conllu", TEN.replace("\n2\t", "\n7\t"), r"a\.conllu:4: came .*expected 2<TAB>FORM"),
        ("a.conllu", TEN.replace("\n1\tHe", "\nx\tHe"), r"a\.conllu:3: came .*expected 1<TAB>FORM"),
        *(
            (
                "a.conllu",
                TEN.replace("\n1\tHe", f"\n{number}\tHe"),
                r"a\.conllu:3: came .*expected 1<T",
            )
            for number in ("0", "01", "1a", "1-", "-1", "1-2-3", "1.x", "\u0661", " 1")
        ),
    ],
)
def test_a_bad_row_is_named(tmp_path, name, text, said):
    with pytest.raises(ValueError, match=said):
        list(read_tagged(put(tmp_path / name, text)))


def test_bytes_that_are_no_text_are_named(tmp_path):
    (tmp_path / "a.tsv").write_bytes(b"a\tb\tc\n\xff\tb\tc\n")
    with pytest.raises(ValueError, match=r"a\.tsv:2: byte 0xff is not UTF-8 text"):
        list(read_tagged(tmp_path / "a.tsv"))
    with pytest.raises(FileNotFoundError, match="does not exist"):
        list(read_tagged(tmp_path / "b.tsv"))


def test_the_set_is_found_in_either_form_and_its_number_of_sentences_is_looked_at(tmp_path):
    put(tmp_path / "en_ewt-ud-dev.conllu", TEN)
    with pytest.warns(UserWarning, match=r"2 records, where 2,001 were published"):
        assert len(load_tagged("dev", tmp_path)) == 2
    put(tmp_path / "train.tsv", THREE)
    with (
        pytest.warns(UserWarning, match="records, where 12,544"),
        pytest.warns(UserWarning, match="not the published file of ud-english-ewt"),
    ):
        load_tagged("train", tmp_path)


def test_what_cannot_be_loaded_is_said(tmp_path):
    with pytest.raises(ValueError, match=r"'valid': there is no such split\. Choose one of train"):
        load_tagged("valid", tmp_path)
    with pytest.raises(FileNotFoundError, match=r"en_ewt-ud-dev\.conllu: this file of ud-english"):
        load_tagged("dev", tmp_path)
    put(tmp_path / "en_ewt-ud-dev.conllu", "# nothing\n")
    with pytest.raises(ValueError, match=r"dev\.conllu: there is no sentence in it"):
        load_tagged("dev", tmp_path)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("He doesn't know.", "He|does|n't|know|."),
        ("It's John's 3.5-year-old U.S. dog...", "It|'s|John|'s|3.5|-|year|-|old|U.S.|dog|..."),
        ('"They’ll say 1,000!!"', '"|They|’ll|say|1,000|!!|"'),
        ("can't", "ca|n't"),
        ("I'm you’re we've he'll she'd it's", "I|'m|you|’re|we|'ve|he|'ll|she|'d|it|'s"),
        ("DON'T Can’t not n't man'st", "DO|N'T|Ca|n’t|not|n't|man|'|st"),
        ("o'clock 'tis", "o|'|clock|'|tis"),
        ("at 10:30, 1,000.5 or 3. 2nd 3/4", "at|10:30|,|1,000.5|or|3|.|2nd|3|/|4"),
        ("a.m. U.S U.S. No.", "a.m.|U.S|U.S.|No|."),
        ("-- -!? ?? .. x_y", "--|-|!|?|??|..|x_y"),
        ("", ""),
        ("  \t", ""),
    ],
)
def test_typed_text_is_cut_as_treebanks_are(text, words):
    assert "|".join(treebank_words(text)) == words


@pytest.mark.data
def test_the_whole_set():
    if not os.environ.get("MEMNETS_DATA"):
        pytest.skip("set MEMNETS_DATA to the folder that holds ud_english_ewt")
    train, dev = load_tagged("train"), load_tagged("dev")  # a warning would be an error
    assert (len(train), sum(len(one.words) for one in train)) == (12_544, 204_577)
    assert (len(dev), sum(len(one.words) for one in dev)) == (2_001, 25_147)
    words = [word for one in train for word in one.words]
    assert len({word.upos for word in words}) == 17
    assert len({word.xpos for word in words}) == 49
    assert max(len(one.words) for one in train) == 159
