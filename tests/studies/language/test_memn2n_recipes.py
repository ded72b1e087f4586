"""The recipes of MemN2N as a language model: the paper's values, tiny runs, answers."""

import dataclasses

import pytest
import torch

from memnets.data.text import make_text
from memnets.experiments.execute import resume, start
from memnets.experiments.run import from_json, to_json
from memnets.inference import open_run
from memnets.studies.language.data import TextData
from memnets.studies.language.memn2n.recipes import (
    MemN2NLMModel,
    MemN2NLMTraining,
    MemN2NText,
    words,
)
from memnets.studies.language.memn2n.task import ConsecutiveWindows, RandomWindows
from memnets.training.clipping import GlobalNorm
from memnets.training.config import Loop
from memnets.training.plateau import Plateau

MODEL = MemN2NLMModel(dim=19, linear=7, hops=2, memory=11)
RANDOM = MemN2NText(
    data=TextData("generated"),
    model=MODEL,
    training=MemN2NLMTraining(batch=1009, epochs=2, learning_rate=0.0001),
)
CONSECUTIVE = dataclasses.replace(
    RANDOM,
    training=MemN2NLMTraining(
        batch=7, time=23, windows="consecutive", epochs=2, learning_rate=0.001
    ),
)


@pytest.fixture(scope="module", autouse=True)
def short():
    """Take a hundredth of the generated text."""
    text = make_text()
    splits = {split: part[: len(part) // 50] for split, part in text.splits.items()}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            "memnets.studies.language.data.make_text",
            lambda: dataclasses.replace(text, splits=splits),
        )
        yield


def test_the_words_recipe_is_the_papers():
    run = words()
    assert (run.model.dim, run.model.linear, run.model.hops, run.model.memory) == (150, 75, 6, 100)
    experiment = dataclasses.replace(run, data=TextData("generated")).prepare().experiment
    (phase,) = experiment.phases
    epoch = experiment.task.updates_per_epoch
    assert epoch == -(-experiment.task.words("train") // 128)
    assert (phase.updates, phase.evaluate_every) == (100 * epoch, epoch)
    assert phase.plateau == Plateau(factor=1.5, ratio=0.9999, least=1e-5)
    assert phase.learning_rate(0) == phase.learning_rate(phase.updates - 1) == 0.01
    assert experiment.clip == GlobalNorm(50.0)
    assert experiment.reduction == "sum"
    assert experiment.task.windows == RandomWindows(batch=128, time=1)
    assert isinstance(experiment.optimizer, torch.optim.SGD)
    assert float(experiment.model.keys.detach().std()) == pytest.approx(0.05, rel=0.05)


def test_stretches_may_be_consecutive():
    task = CONSECUTIVE.prepare().experiment.task
    assert task.windows == ConsecutiveWindows(batch=7, time=23)
    assert isinstance(task.windows, ConsecutiveWindows)


@pytest.mark.parametrize("run", [RANDOM, CONSECUTIVE], ids=["random", "consecutive"])
def test_a_run_learns_and_its_model_answers_with_evidence(run, tmp_path):
    result = start(run, tmp_path / "run")
    found = result["metrics"]["valid"]
    vocab = len(make_text().vocabulary.symbols)
    assert found["perplexity"] < vocab
    assert found["bits"] == pytest.approx(found["loss"] / 0.6931471805599453)
    experiment = run.prepare().experiment
    windows = experiment.task.windows
    assert result["seen"] == experiment.updates * windows.batch * windows.time
    assert resume(tmp_path / "run", type(run)) == result
    opened = open_run(tmp_path / "run")
    assert opened.run == run
    answerer = opened.run.restore(tmp_path / "run")
    answer = answerer.answer(["Mary went to the garden."], "§John went to")
    assert answer.question == "Mary went to the garden.\n§John went to"
    assert answer.unknown_words == ("§",)
    assert [step.name for step in answer.steps] == ["hop 1", "hop 2"]
    assert [len(step.supports) for step in answer.steps] == [11, 11]
    assert next(answerer.examples("test", 0)).gold is not None
    assert list(answerer.examples("valid", 2)) == []
    assert len(answerer.write("John went", 7).text) == 7
    read = answerer.surprisal("John went").symbols[-1].expected.read
    assert [one.name for one in read] == ["hop 1", "hop 2"]


@pytest.mark.parametrize("run", [RANDOM, CONSECUTIVE, words()])
def test_a_run_is_written_and_read(run):
    assert from_json(type(run), to_json(run), "run.json") == run


def test_the_seed_decides_the_weights():
    def keys(seed):
        return dataclasses.replace(RANDOM, loop=Loop(seed=seed)).prepare().experiment.model.keys

    assert torch.equal(keys(3), keys(3))
    assert not torch.equal(keys(3), keys(5))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: MemN2NLMModel(hops=0), r"model\.hops is 0: .*--model\.hops 1"),
        (lambda: MemN2NLMTraining(batch=0), r"training\.batch is 0: expected at least 1"),
    ],
)
def test_a_value_that_cannot_be_is_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()
