"""Stories read in hops: windows, renumbered supports, answers of several words, figures."""

import pytest
import torch
from torch import nn
from torch.testing import assert_close

from memnets.attention import Readout
from memnets.data.babi import Question, Statement, Story
from memnets.data.babi.generate import make_stories
from memnets.models.dmn import dmn, dmn_plus
from memnets.tasks.episodes import (
    EpisodeTask,
    EpisodeVocabulary,
    Weights,
    by_age,
    ended,
    entropy,
    same_words,
)
from memnets.tasks.supported import number_supported
from memnets.tasks.supports import LOST
from memnets.training.schedules import seeded


def story(sentences, answer="here,there", supports=(1, 3)):
    told = [Statement(line, f"w{line} is there.") for line in range(1, sentences + 1)]
    return Story((*told, Question(sentences + 1, "Where?", answer, supports)), 1, "made", 1)


def test_a_window_keeps_the_last_sentences_and_renumbers_supports():
    """List 20: one told before it keeps its place in the order."""
    stories = [story(5), story(2, supports=(2,))]
    vocabulary = EpisodeVocabulary.of(stories, window=3, by_words=False)
    data = vocabulary.number(stories)
    assert data.length.tolist() == [3, 2]
    words = vocabulary.language.features
    kept = [words[data.sentences[slot, 0]] for slot in data.story[0].tolist()]
    assert kept == ["w3", "w4", "w5"]
    # Line 1 is out of sight: its place stays, so that the second hop still reads the second one.
    assert data.supports.tolist() == [[LOST, 0], [1, -1]]


def test_a_window_leaves_the_stop_fact_where_it_is():
    vocabulary = EpisodeVocabulary.of([story(5)], window=3, by_words=False)
    data = number_supported([story(5)], vocabulary.language, stop=True, window=3)
    assert data.story[0, 0] == 0
    assert data.length.tolist() == [4]
    assert data.supports.tolist() == [[LOST, 1]]


def test_answers_are_known_as_a_whole_or_said_word_by_word():
    stories = [story(3), story(3, answer="there", supports=(2,))]
    whole = EpisodeVocabulary.of(stories, window=9, by_words=False)
    assert whole.answers == ("here,there", "there")
    assert whole.number(stories).answer.tolist() == [[0], [1]]
    assert whole.number([story(3, answer="nowhere")]).answer.tolist() == [[-2]]
    assert whole.in_words([0]) == "here,there"
    said = EpisodeVocabulary.of(stories, window=9, by_words=True)
    numbers = said.number(stories).answer
    assert numbers.shape == (2, 3)
    assert [said.in_words(row) for row in numbers.tolist()] == ["here,there", "there"]
    assert EpisodeVocabulary.from_json(said.to_json()) == said


def test_supports_are_not_needed():
    assert EpisodeVocabulary.of([story(3)], 9, False).number([story(3, supports=())]).number == 1


def test_questions_by_the_age_of_their_earliest_support():
    supports = torch.tensor([[4, 2], [4, -1], [0, 3], [LOST, 4], [-1, -1], [1, -1]])
    length = torch.tensor([5, 5, 5, 5, 5, 9])
    ages = {
        most: of_age.nonzero().flatten().tolist()
        for most, of_age in by_age(supports, length).items()
    }
    assert ages == {1: [1], 4: [0], 8: [2, 5]}  # 1, 3, and 5 and 8 sentences ago


def test_hops_from_the_end_on_read_nothing():
    weights = torch.tensor([[[0.1, 0.9], [0.8, 0.2], [0.3, 0.7]], [[0.6, 0.4]] + [[0.1, 0.9]] * 2])
    hops = tuple(Readout(one, one) for one in weights.unsqueeze(2).unbind(1))
    assert ended(hops).tolist() == [[False, True, True], [True, True, True]]


def test_small_figures():
    said, right = torch.tensor([[4, 1, -1], [4, 2, 1]]), torch.tensor([[4, 1], [4, 1]])
    assert same_words(said, right).tolist() == [True, False]
    weights = torch.tensor([[[0.5, 0.5, 0.0]], [[0.2, 0.0, 0.0]]])
    assert_close(entropy(weights), torch.tensor([2.0, 1.0]).log())


@pytest.fixture(scope="module")
def world():
    stories = make_stories(1, 60, seed=3)
    vocabulary = EpisodeVocabulary.of(stories, window=70, by_words=False)
    return vocabulary, vocabulary.number(stories)


def a_model(vocabulary):
    model = dmn_plus(vocabulary.language.words, len(vocabulary.answers), hidden=8)
    model.reset_parameters(seeded(3))
    return model.eval()


def gradients(model, task, rows):
    model.zero_grad()
    step = task.loss(model, task.collate("train", (rows,)), (), seeded(0))
    step.loss_sum.backward()
    return step, [part.grad.clone() for part in model.parameters()]


def test_weights_of_zero_leave_the_gradient_as_it_is(world):
    """List 14: those of a run without it."""
    vocabulary, data = world
    model, task = a_model(vocabulary), EpisodeTask({"train": data}, batch=7)
    rows = torch.arange(7)
    plain, without = gradients(model, task, rows)
    task.weigh(Weights(1.0, 0.5))
    both, with_evidence = gradients(model, task, rows)
    task.weigh(Weights(0.0, 0.5))
    evidence, alone = gradients(model, task, rows)
    assert set(plain.sums) == {"answers"}
    assert_close(plain.sums["answers"], plain.loss_sum.detach())
    assert_close(both.sums["evidence"], 2 * evidence.loss_sum.detach())  # as it is, not as weighed
    assert_close(both.loss_sum, plain.loss_sum + evidence.loss_sum)
    for one, other, together in zip(without, alone, with_evidence, strict=True):
        assert_close(together, one + other, atol=1e-5, rtol=1e-4)
    task.weigh(Weights(1.0, 0.0))
    _, again = gradients(model, task, rows)
    assert all(torch.equal(one, other) for one, other in zip(without, again, strict=True))


def test_the_evidence_loss_teaches_what_to_read(world):
    vocabulary, data = world
    model, task = a_model(vocabulary), EpisodeTask({"train": data, "valid": data}, batch=60)
    task.weigh(Weights(0.0, 1.0))
    before = task.evaluate(model, "valid")
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    for _ in range(25):
        gradients(model, task, torch.arange(60))
        optimizer.step()
    after = task.evaluate(model, "valid")
    assert after["gold_read"].mean > max(0.85, before["gold_read"].mean)


def test_an_end_slot_is_taught_and_never_counted_as_read():
    stories = make_stories(1, 20, seed=3)
    by_words = EpisodeVocabulary.of(stories, window=70, by_words=True)
    data = by_words.number(stories)
    language = by_words.language
    model = dmn(language.words, end=1, longest=language.said + 1, hidden=8).eval()
    task = EpisodeTask({"train": data, "valid": data}, batch=5)
    task.weigh(Weights(1.0, 1.0))
    step, found = gradients(model, task, torch.arange(5))
    assert step.loss_sum.isfinite()
    assert all(part.isfinite().all() for part in found)
    # Where nothing supports an answer, every hop is to read the end.
    task.questions["train"] = data._replace(supports=torch.full_like(data.supports, -1))
    task.weigh(Weights(0.0, 1.0))
    assert gradients(model, task, torch.arange(5))[0].loss_sum > 1
    task.questions["train"] = data
    ratios = task.evaluate(model, "valid")
    assert 0 <= ratios["gold_read"].mean <= 1
    with torch.no_grad():
        nn.init.constant_(model.memory.gate.second.weight, 0.0)
        nn.init.constant_(model.memory.gate.second.bias, 3.0)
        reply = model(data.sentences, data.story[:5], data.length[:5], data.question[:5])
    assert reply.hops[0].weights.shape[-1] == int(data.length[:5].max()) + 1
