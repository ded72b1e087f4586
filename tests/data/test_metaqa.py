"""MetaQA: brackets, both forms of the knowledge base, and what is refused."""

import pytest

from memnets.data.facts import Triple
from memnets.data.qa.metaqa import (
    MetaQAQuestion,
    load_questions,
    load_triples,
    read_names,
    read_numbered,
    read_questions,
    read_triples,
)


def put(path, text: str):
    path.write_text(text, encoding="utf-8", newline="")
    return path


def test_a_question_gives_words_entity_and_answers(tmp_path):
    path = put(tmp_path / "qa.txt", "who directed [Kismet]\tVincente Minnelli|W. Dieterle\r\n")
    (question,) = read_questions(path, 1)
    assert question == MetaQAQuestion(
        "who directed []", "Kismet", ("Vincente Minnelli", "W. Dieterle"), 1
    )
    assert question.text == "who directed Kismet"


@pytest.mark.parametrize("entity", ["$", "[REC]", "What's Up, Doc?", "vujačić"])
def test_titles_hold_odd_characters(tmp_path, entity):
    path = put(tmp_path / "qa.txt", f"what is [{entity}] about\tx\n")
    (question,) = read_questions(path, 2)
    assert (question.entity, question.text) == (entity, f"what is {entity} about")


@pytest.mark.parametrize(
    "line",
    ["who directed Kismet\tx", "who [] is\tx", "who [a\tx", "who [a]\tx||y", "who [a]", "[a]\t"],
)
def test_a_line_that_is_no_question_is_refused(tmp_path, line):
    path = put(tmp_path / "qa.txt", f"who [a]\tx\n{line}\n")
    with pytest.raises(
        ValueError, match=r"qa\.txt:2: came .*expected question with \[entity\]<TAB>"
    ):
        list(read_questions(path, 1))


@pytest.mark.parametrize(("hops", "split"), [(4, "dev"), (1, "valid")])
def test_questions_that_were_never_published_are_refused(hops, split):
    with pytest.raises(ValueError, match=f"hops={hops}, split='{split}': there are no such"):
        load_questions(hops, split)


@pytest.mark.parametrize("name", ["1-hop/vanilla/qa_dev.txt", "metaqa_1hop_dev.txt"])
def test_both_layouts_are_known(tmp_path, name):
    (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    put(tmp_path / name, "who [a]\tx\n")
    with pytest.warns(UserWarning, match="published") as told:
        assert load_questions(1, "dev", tmp_path)[0].hops == 1
    assert "it has 1 records, where 9,992 were published" in str(told[-1].message)


def test_the_knowledge_base_is_read_in_both_forms(tmp_path):
    expected = [Triple("Kismet", "directed_by", "Vincente Minnelli")]
    words = put(tmp_path / "kb.txt", "Kismet|directed_by|Vincente Minnelli\n")
    assert list(read_triples(words)) == expected
    entities = read_names(put(tmp_path / "entity2text.txt", "1\tKismet\n2\tVincente Minnelli\n"))
    relations = read_names(put(tmp_path / "relation2text.txt", "0\tdirected_by\n"))
    ids = put(tmp_path / "train.tsv", "1\t0\t2\n")
    assert list(read_numbered(ids, entities, relations)) == expected
    with pytest.warns(UserWarning, match="it has 1 records, where 134,741"):
        assert list(load_triples(tmp_path)) == expected


def test_rows_that_cannot_be_are_refused(tmp_path):
    with pytest.raises(ValueError, match=r"kb\.txt:1: came 'a\|b'; expected head\|relation\|tail"):
        list(read_triples(put(tmp_path / "kb.txt", "a|b\n")))
    with pytest.raises(ValueError, match=r"names\.txt:1: came 'a'; expected id<TAB>name"):
        read_names(put(tmp_path / "names.txt", "a\n"))
    path = put(tmp_path / "ids.txt", "1\t0\t1\n1\t0\t3\n")
    with pytest.raises(ValueError, match=r"ids\.txt:2: the id '3' has no name\. .* the 1 ids"):
        list(read_numbered(path, {"1": "a"}, {"0": "r"}))
