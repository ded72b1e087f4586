"""Stories as index tensors."""

import pytest
import torch

from memnets.data.babi import tokens
from memnets.data.babi.reader import parse_stories
from memnets.tasks.stories import Lexicon, number_stories, recency

TEXT = (
    "1 Mary moved to the bathroom.\n"
    "2 John got the milk there.\n"
    "3 Where is Mary? \tbathroom\t1\n"
    "4 Mary moved to the bathroom.\n"
    "5 John left the milk.\n"
    "6 Where is the milk? \tApple,Milk\t5 2\n"
)


@pytest.fixture
def stories():
    return parse_stories(TEXT, 2, "qa2.txt")


@pytest.fixture
def lexicon(stories):
    return Lexicon.of(stories, memory=50)


def test_words_are_those_of_statements_questions_and_answers(lexicon):
    assert lexicon.words[0] == ""
    assert set(lexicon.words[1:]) == set(
        tokens("Mary moved to the bathroom John got milk there where is left apple,milk")
    )
    assert list(lexicon.words[1:]) == sorted(lexicon.words[1:])


def test_the_sizes_are_those_of_the_longest(lexicon):
    assert (lexicon.sentence_words, lexicon.memory) == (5, 4)


def test_a_joined_answer_is_one_class_and_case_does_not_matter(lexicon):
    assert lexicon.words[lexicon.answer("Apple,Milk")] == "apple,milk"
    assert lexicon.answer("football") == -1


def test_an_unknown_word_is_nil_and_is_named(lexicon):
    assert lexicon.numbers("Where is Zoe?")[-1] == 0
    assert lexicon.unknown("Where is Zoe?") == ("zoe",)


def test_a_sentence_that_is_too_long_is_refused(lexicon):
    with pytest.raises(ValueError, match=r'"a b c d e f" has 6 words.*at most 5.*fewer words'):
        lexicon.numbers("a b c d e f")


def test_a_long_sentence_in_a_file_is_named_with_its_place(stories, lexicon):
    long = parse_stories("1 one two three four five six.\n2 Where? \ta\t1\n", 1, "mine.txt")
    with pytest.raises(ValueError, match=r"mine.txt:1: in this story, .* has 6 words"):
        number_stories(long, lexicon)


def test_a_lexicon_survives_json(lexicon):
    assert Lexicon.from_json(lexicon.to_json()) == lexicon


def test_each_distinct_sentence_is_kept_once(stories, lexicon):
    data = number_stories(stories, lexicon)
    assert len(data.sentences) == 4  # the empty one, and three of the four statements
    assert data.story.tolist() == [[1, 2, 0, 0], [1, 2, 1, 3]]
    assert data.length.tolist() == [2, 4]
    assert not data.sentences[0].any()
    words = [lexicon.words[number] for number in data.sentences[3].tolist()]
    assert words == ["john", "left", "the", "milk", ""]


def test_questions_are_no_memories_and_their_evidence_is_marked(stories, lexicon):
    data = number_stories(stories, lexicon)
    assert data.support.tolist() == [[True, False, False, False], [False, True, False, True]]
    assert data.task.tolist() == [2, 2]


def test_a_short_memory_keeps_the_latest_sentences(stories):
    data = number_stories(stories, Lexicon.of(stories, memory=3))
    assert data.length.tolist() == [2, 3]
    assert data.story[1].tolist() == [2, 1, 3]
    assert data.support[1].tolist() == [True, False, True]


def test_taking_questions_leaves_the_sentences(stories, lexicon):
    data = number_stories(stories, lexicon)
    one = data.take(torch.tensor([1]))
    assert one.number == 1
    assert one.sentences is data.sentences
    assert one.story.tolist() == [[1, 2, 1, 3]]


def test_time_counts_from_the_newest_sentence():
    assert recency(torch.tensor([2, 4]), 5).tolist() == [[2, 1, 0, 0, 0], [4, 3, 2, 1, 0]]
