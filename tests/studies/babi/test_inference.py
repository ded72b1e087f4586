"""Asking: an answer with its evidence in words."""

import pytest
import torch

from memnets.data.babi.reader import parse_stories
from memnets.layers import CentredPositionEncoding
from memnets.models.memn2n import MemN2N
from memnets.studies.babi.memn2n.inference import ask
from memnets.tasks.asking import Asked
from memnets.tasks.stories import StoryVocabulary

STORY = "1 Mary moved to the bathroom.\n2 John went to the hall.\n3 Where is Mary? \tbathroom\t1\n"
TOLD = ["Mary moved to the bathroom.", "John went to the hall."]


@pytest.fixture
def vocabulary():
    return StoryVocabulary.of(parse_stories(STORY, 1, "qa1.txt"), memory=50)


@pytest.fixture
def model(vocabulary):
    torch.manual_seed(0)
    reader = CentredPositionEncoding(vocabulary.sentence_words + 1)
    return MemN2N(len(vocabulary.words), reader, memory=vocabulary.memory, dim=5)


def test_an_answer_has_rivals_and_evidence(model, vocabulary):
    answer = ask(model, vocabulary, TOLD, "Where is Mary?")
    assert answer.probability >= answer.runners_up[0][1] >= answer.runners_up[1][1]
    assert len(answer.runners_up) == 3
    assert [step.name for step in answer.steps] == ["hop 1", "hop 2", "hop 3"]
    for step in answer.steps:
        assert [support.text for support in step.supports] == TOLD
        assert sum(support.weight for support in step.supports) == pytest.approx(1)
    assert answer.gold is None
    assert answer.rests_on_gold is None


def test_unknown_words_are_named(model, vocabulary):
    told = ["Zoe moved to the bathroom.", *TOLD]
    answer = ask(model, vocabulary, told[:2], "Where is Zoe?")
    assert answer.unknown_words == ("zoe",)


def test_only_the_latest_sentences_are_read(model, vocabulary):
    answer = ask(model, vocabulary, ["John went.", *TOLD], "Where is Mary?")
    assert [support.slot for support in answer.steps[0].supports] == [1, 2]
    assert [support.text for support in answer.steps[0].supports] == TOLD


def test_a_question_of_a_data_set_has_its_gold_beside_it(model, vocabulary):
    (story,) = parse_stories(STORY, 1, "qa1.txt")
    answer = ask(model, vocabulary, *Asked.of(story, story.questions[0]))
    assert answer.gold == "bathroom"
    assert [support.gold for support in answer.steps[0].supports] == [True, False]
    assert answer.correct in (True, False)


def test_a_question_before_the_story_is_refused(model, vocabulary):
    with pytest.raises(ValueError, match=r'"Where is Mary\?" came before any sentence'):
        ask(model, vocabulary, [], "Where is Mary?")


def test_a_question_without_a_known_word_is_refused(model, vocabulary):
    with pytest.raises(ValueError, match=r'"Qui\?" holds no word.*trained on 10 words'):
        ask(model, vocabulary, TOLD, "Qui?")


def test_a_long_sentence_is_refused_by_name(model, vocabulary):
    with pytest.raises(ValueError, match=r'"a b c d e f g" has 7 words'):
        ask(model, vocabulary, ["a b c d e f g"], "Where is Mary?")
