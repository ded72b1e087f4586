"""DMN on bAbI: which questions a run learns from, and what is made of a reply, by hand."""

from types import SimpleNamespace
from unittest.mock import Mock

import pytest
import torch

from memnets.attention import Readout
from memnets.data.babi import Question, Statement, Story
from memnets.experiments.run import DataRecord
from memnets.models.dmn import DMN
from memnets.studies.babi.data import BabiData, BabiStories
from memnets.studies.babi.dmn import inference
from memnets.studies.babi.dmn.model import DMNModel
from memnets.studies.babi.dmn.recipes import DMNAnswerer, DMNBabi, DMNTraining
from memnets.tasks.asking import Asked
from memnets.tasks.episodes import EpisodeVocabulary
from memnets.training.config import Loop
from memnets.training.schedules import seeded

SMALL = DMNModel(hidden=3, hops=2)


def told(number, supports=(1,)):
    line = Statement(1, f"A went to w{number}.")
    return Story((line, Question(2, "Where is A?", f"w{number}", supports)), 1, "made", 1)


@pytest.fixture
def stories(monkeypatch):
    found = BabiStories([told(n) for n in range(8)], [told(3), told(1)], DataRecord("some", "abc"))
    monkeypatch.setattr(BabiData, "load", lambda self: found)
    return found


@pytest.mark.usefixtures("stories")
def test_the_last_questions_choose_and_those_of_the_test_are_measured():
    run = DMNBabi(data=BabiData(validation=0.25), model=SMALL, training=DMNTraining(batch=4))
    prepared = run.prepare()
    task = prepared.experiment.task
    answers = {name: asked.answer.flatten().tolist() for name, asked in task.questions.items()}
    assert answers == {"train": [0, 1, 2, 3, 4, 5], "valid": [6, 7], "test": [3, 1]}
    assert (task.updates_per_epoch, prepared.data) == (2, DataRecord("some", "abc"))
    known = EpisodeVocabulary.from_json(prepared.files["vocabulary.json"])
    assert (known.answers, known.window) == (tuple(f"w{n}" for n in range(8)), 70)
    (group, biases) = prepared.experiment.optimizer.param_groups
    assert group["lr"] == biases["lr"] == 0.001
    assert group["weight_decay"] == pytest.approx(2 * 0.05 / 4)


def test_supports_are_asked_for_where_they_are_taught_alone(stories):
    stories.train[5] = told(5, ())
    run = DMNBabi(data=BabiData(validation=0.25), model=SMALL)
    run.prepare()
    taught = DMNBabi(data=run.data, model=SMALL, training=DMNTraining(evidence=0.5))
    with pytest.raises(ValueError, match='made:1: in this story, "Where is A\\?" names no supp'):
        taught.prepare()
    stories.train[5] = told(5)
    stories.test[0] = told(3, ())  # nothing is taught there
    taught.prepare()


@pytest.mark.usefixtures("stories")
def test_the_seed_of_a_run_decides_its_weights_and_what_is_set_aside():
    data, training = BabiData(validation=0.25, validate="random"), DMNTraining(batch=4)
    for seed in (0, 3):
        run = DMNBabi(data=data, model=SMALL, training=training, loop=Loop(seed=seed))
        experiment = run.prepare().experiment
        train, valid = data.set_aside(8, seed)
        asked = experiment.task.questions
        assert asked["train"].answer.flatten().tolist() == train
        assert asked["valid"].answer.flatten().tolist() == valid
        again = SMALL.build(EpisodeVocabulary.of([told(n) for n in range(8)], 70, False))
        again.reset_parameters(seeded(seed))
        for one, other in zip(experiment.model.parameters(), again.parameters(), strict=True):
            assert torch.equal(one, other)


@pytest.mark.usefixtures("stories")
def test_an_answer_by_hand():
    known = EpisodeVocabulary.of([told(n) for n in range(3)], window=2, by_words=False)
    seen = []

    def model(sentences, story, length, question):
        names = known.language.features
        seen.append([[names[n] for n in sentences[row].tolist() if n] for row in story[0].tolist()])
        assert (length.tolist(), [names[n] for n in question[0].tolist() if n][:2]) == (
            [2], ["where", "is"]
        )  # fmt: skip
        hops = tuple(
            Readout(one, one) for one in torch.tensor([[0.25, 0.75], [0.5, 0.25]]).view(2, 1, 1, 2)
        )
        scores = torch.tensor([[[0.25, 0.625, 0.125]]]).log()
        return SimpleNamespace(scores=scores, hops=hops)

    head = SimpleNamespace(words=lambda scores: scores.argmax(-1))
    played = Mock(spec=DMN, side_effect=model, head=head, memory=SimpleNamespace(end=None))
    answerer = object.__new__(DMNAnswerer)
    answerer.vocabulary = known
    answerer.__dict__["model"] = played
    lines = ["A went to w0.", "Zoe went to w1.", "A went to w2."]
    answer = answerer.answer_asked(Asked(lines, "Where is Bo?", "w1", frozenset({1})))
    assert [words[-1] for words in seen[0]] == ["w1", "w2"]
    assert (answer.question, answer.text, answer.gold) == ("Where is Bo?", "w1", "w1")
    assert answer.probability == pytest.approx(0.625)
    assert [text for text, _ in answer.runners_up] == ["w0", "w2"]
    assert (answer.unread, answer.unknown_words) == (1, ("zoe", "bo"))
    assert [step.name for step in answer.steps] == ["hop 1", "hop 2"]
    assert [(one.slot, one.text, one.weight, one.gold) for one in answer.steps[0].supports] == [
        (1, lines[1], 0.25, True), (2, lines[2], 0.75, False)
    ]  # fmt: skip
    assert inference.ask(played, known, lines[:2], "Where is Bo?").unread == 0
