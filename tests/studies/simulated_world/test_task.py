"""Stories as strings of words: where questions stand, what is learnt and what is measured."""

import pytest
import torch
import torch.nn.functional as F
from torch import nn
from torch.testing import assert_close

from memnets.data.babi import Question, Statement, Story
from memnets.models.story_rnn import StoryRNN
from memnets.studies.simulated_world import task as task_module
from memnets.studies.simulated_world.task import StreamTask, number_streams
from memnets.tasks.stories import StoryVocabulary

STORIES = [
    Story(
        (
            Statement(1, "Joe went to the office."),
            Question(2, "Where is Joe?", "office", (1,)),
            Statement(3, "Dan left."),
            Question(4, "Where was Joe?", "office", (1,)),
        ),
        *(0, "by hand", 1),
    ),
    Story((Statement(1, "Dan left."), Question(2, "Where is Dan?", "nowhere", ())), 0, "too", 5),
]
LEXICON = StoryVocabulary.of(STORIES[:1], 7)


@pytest.fixture
def task():
    streams = {
        "train": number_streams(STORIES[:1] * 5, LEXICON),
        "test": number_streams(STORIES, LEXICON),
    }
    return StreamTask(streams, batch=2)


def model():
    torch.manual_seed(0)
    return StoryRNN(len(LEXICON.words), nn.LSTM(3, 5, batch_first=True))


def test_a_question_is_where_its_last_word_stands():
    streams = number_streams(STORIES, LEXICON)
    assert streams.place.tolist() == [[7, 12], [4, 0]]
    said = [[LEXICON.words[number] for number in row] for row in streams.words.tolist()]
    assert " ".join(said[0]) == "joe went to the office where is joe dan left where was joe"
    assert " ".join(said[1]).strip() == "dan left where is dan"
    assert set(said[1][5:]) == {""}


def test_an_answer_never_seen_is_never_right(task):
    office = LEXICON.answer("office")
    assert task.streams["test"].answer.tolist() == [[office, office], [-1, 0]]
    net = model()
    with torch.no_grad():
        net.answer.bias[office] = 100.0
    ratios = task.evaluate(net, "test")
    assert ratios["accuracy"] == (2, 3)
    assert ratios["loss"].weight == 3
    assert ratios["gold_read"] == (0, 3)


def test_the_loss_is_the_cross_entropy_of_the_questions_alone(task):
    net, rows = model(), torch.tensor([0, 3])
    step = task.loss(net, task.collate("train", (rows,)), (), torch.Generator())
    streams = task.streams["train"].take(rows)
    logits = net(streams.words, streams.place).flatten(0, 1)
    assert_close(step.loss_sum, F.cross_entropy(logits, streams.answer.flatten(), reduction="sum"))
    assert step.weight == 4


def test_an_epoch_reads_each_story_once_and_is_resumable(task):
    generator = torch.Generator().manual_seed(5)
    stream = task.batches("train", generator, 0)
    batches = [next(stream)[0] for _ in range(2 * task.updates_per_epoch)]
    assert [len(rows) for rows in batches] == [2, 2, 1] * 2
    for epoch in (batches[:3], batches[3:]):
        assert sorted(torch.cat(epoch).tolist()) == list(range(5))
    for position, rows in enumerate(batches):
        assert torch.equal(next(task.batches("train", generator, position))[0], rows)


@pytest.mark.parametrize("most", [1, 3, 4])
def test_what_is_measured_does_not_depend_on_how_many_stories_are_read_at_once(
    task, monkeypatch, most
):
    net, whole = model(), task.evaluate(model(), "train")
    assert whole["loss"].weight == 10
    monkeypatch.setattr(task_module, "EVALUATION_BATCH", most)
    for name, ratio in task.evaluate(net, "train").items():
        assert ratio == pytest.approx(whole[name])


def test_the_last_update_of_an_epoch_may_be_of_fewer_stories():
    streams = {"train": number_streams(STORIES[:1] * 10, LEXICON)}
    assert [StreamTask(streams, n).updates_per_epoch for n in (1, 3, 10, 11)] == [10, 4, 1, 1]
    assert StreamTask(streams).updates_per_epoch == 1  # of ten stories
