"""Stories as index tensors."""

import re

import pytest
import torch

from memnets.data.babi import tokens
from memnets.data.babi.reader import parse_stories
from memnets.tasks.stories import StoryVocabulary, number_stories, recency
from memnets.tasks.supports import named

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
def vocabulary(stories):
    return StoryVocabulary.of(stories, memory=50)


def test_words_are_those_of_statements_questions_and_answers(vocabulary):
    assert vocabulary.words[0] == ""
    assert set(vocabulary.words[1:]) == set(
        tokens("Mary moved to the bathroom John got milk there where is left apple,milk")
    )
    assert list(vocabulary.words[1:]) == sorted(vocabulary.words[1:])


def test_the_sizes_are_those_of_the_longest(vocabulary):
    assert (vocabulary.sentence_words, vocabulary.memory) == (5, 4)


def test_the_longest_story_and_sentence_may_come_first(stories):
    short = parse_stories("1 Mary moved.\n2 Where is Mary? \thall\t1\n", 1, "qa1.txt")
    for order in ([*stories, *short], [*short, *stories]):
        found = StoryVocabulary.of(order, memory=50)
        assert (found.sentence_words, found.memory) == (5, 4)
    assert StoryVocabulary.of(stories, memory=3).memory == 3


def test_a_joined_answer_is_one_class_and_case_does_not_matter(vocabulary):
    assert vocabulary.words[vocabulary.answer("Apple,Milk")] == "apple,milk"
    assert vocabulary.answer("football") == -1


def test_an_unknown_word_is_nil_and_is_named(vocabulary):
    assert vocabulary.numbers("Where is Zoe?")[-1] == 0
    assert vocabulary.unknown("Where is Zoe?") == ("zoe",)


def test_a_sentence_that_is_too_long_is_refused(vocabulary):
    with pytest.raises(ValueError, match=r'"a b c d e f" has 6 words.*at most 5.*fewer words'):
        vocabulary.numbers("a b c d e f")


def test_a_long_sentence_in_a_file_is_named_with_its_place(stories, vocabulary):
    long = parse_stories("1 one two three four five six.\n2 Where? \ta\t1\n", 1, "mine.txt")
    with pytest.raises(ValueError, match=r"mine.txt:1: in this story, .* has 6 words"):
        number_stories(long, vocabulary)


def test_a_vocabulary_survives_json(vocabulary):
    assert StoryVocabulary.from_json(vocabulary.to_json()) == vocabulary


def test_each_distinct_sentence_is_kept_once(stories, vocabulary):
    data = number_stories(stories, vocabulary)
    assert len(data.sentences) == 4  # the empty one, and three of the four statements
    assert data.story.tolist() == [[1, 2, 0, 0], [1, 2, 1, 3]]
    assert data.length.tolist() == [2, 4]
    assert not data.sentences[0].any()
    words = [vocabulary.words[number] for number in data.sentences[3].tolist()]
    assert words == ["john", "left", "the", "milk", ""]


def test_questions_are_no_memories_and_their_evidence_is_marked(stories, vocabulary):
    data = number_stories(stories, vocabulary)
    support, number = named(data.supports, 4)
    assert support.tolist() == [[True, False, False, False], [False, True, False, True]]
    assert number.tolist() == [1, 2]
    assert data.task.tolist() == [2, 2]


def test_supports_that_a_short_memory_has_lost_are_counted(stories):
    data = number_stories(stories, StoryVocabulary.of(stories, memory=1))
    support, number = named(data.supports, 1)
    assert support.sum(1).tolist() == [0, 1]
    assert number.tolist() == [1, 2]


def test_a_short_memory_keeps_the_latest_sentences(stories):
    data = number_stories(stories, StoryVocabulary.of(stories, memory=3))
    assert data.length.tolist() == [2, 3]
    assert data.story[1].tolist() == [2, 1, 3]
    assert sorted(data.supports[1].tolist()) == [0, 2]


def test_taking_questions_leaves_the_sentences(stories, vocabulary):
    data = number_stories(stories, vocabulary)
    one = data.take(torch.tensor([1]))
    assert one.number == 1
    assert one.sentences is data.sentences
    assert one.story.tolist() == [[1, 2, 1, 3]]


def test_time_counts_from_the_newest_sentence():
    assert recency(torch.tensor([2, 4]), 5).tolist() == [[2, 1, 0, 0, 0], [4, 3, 2, 1, 0]]


def test_a_sentence_as_long_as_the_longest_is_read_and_the_next_is_told_by_its_beginning(
    vocabulary,
):
    assert vocabulary.numbers("a b c d e") == [0] * 5
    for length, told in ((80, "a " * 39 + "aa"), (81, "a " * 39 + "aa ...")):
        text = ("a " * 39 + "aaa")[:length]
        with pytest.raises(ValueError, match=rf'^"{re.escape(told)}" has 40 words\.'):
            vocabulary.numbers(text)


def test_a_support_named_twice_is_one_and_case_is_of_no_account():
    text = "1 A b.\n2 Where? \tHall\t1 1\n3 C.\n4 Where? \tHALL\t3 1\n"
    stories = parse_stories(text, 1, "qa1.txt")
    vocabulary = StoryVocabulary.of(stories, memory=50)
    assert vocabulary.words == ("", "a", "b", "c", "hall", "where")
    data = number_stories(stories, vocabulary)
    assert named(data.supports, 4).number.tolist() == [1, 2]
    assert data.answer.tolist() == [4, 4]
    assert data.question.shape == (2, 2)  # as wide as the longest sentence
    nothing = number_stories(stories, StoryVocabulary(vocabulary.words, 2, memory=0))
    assert nothing.length.tolist() == [0, 0]
    assert named(nothing.supports, 0).number.tolist() == [1, 2]
