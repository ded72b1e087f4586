"""Tasks on another device than the CPU: the same figures, and no tensors of two devices meet.

There is no accelerator where tests run: see `elsewhere`.
"""

from dataclasses import replace

import pytest
import torch
from torch import nn
from torch.testing import assert_close

from elsewhere import ELSEWHERE, Elsewhere, Far, FarGenerator, MixedError, check_task, send
from memnets.attention import AlignContext, Sampled
from memnets.data.worlds.recall import Episodes, Stream
from memnets.data.worlds.simulated import Simulation
from memnets.experiments.configs.cran import CRANCore
from memnets.experiments.configs.memnn import MemNNModel
from memnets.experiments.configs.ntm import NTMCore
from memnets.studies.babi.data import BabiData
from memnets.studies.babi.memn2n.recipes import MemN2NBabi
from memnets.studies.babi.memnn.recipes import MemNNBabi
from memnets.studies.kb_qa.data import KBData
from memnets.studies.kb_qa.recipes import KBQA, KBQATraining
from memnets.studies.language.data import TextData
from memnets.studies.language.memn2n.recipes import MemN2NLMModel, MemN2NLMTraining, MemN2NText
from memnets.studies.language.recipes import (
    Around,
    LanguageTraining,
    MemN2NCore,
    MemN2NLanguage,
    NTMLanguage,
    RecurrentCore,
    RecurrentLanguage,
)
from memnets.studies.language.task import LanguageTask
from memnets.studies.recall import inference as recall_inference
from memnets.studies.recall import task as recall_task
from memnets.studies.recall.recipes import CRANRecall, LSTMRecall, RecallTraining
from memnets.studies.simulated_world.recipes import MemNNReader, RecurrentReader, SimulatedWorld
from memnets.studies.translation import inference as translation_inference
from memnets.studies.translation import recipes as translation_recipes
from memnets.training.schedules import seeded

STORIES = BabiData(source="generated", validation=0.02)
TEXT = {"data": TextData("generated"), "training": LanguageTraining(batch=3, window=7)}
CORE = CRANCore(hidden=7, key_dim=5, zones=3, slots=5, k=2)
FEW = Simulation(stories=2)
EPISODES = Episodes(keys=23, values=5, pairs=7)
LESSONS = RecallTraining(dim=5, batch=2, updates=5, lessons=((2, 9, 5),))
SMALL = translation_recipes.TranslationModel(dim=8, hidden=8, dropout=0.0)
SHORT = Stream(keys=97, values=5, longest=31, window=11, unique=31)
RUNS = {
    "memn2n": MemN2NBabi(data=STORIES),
    "memnn": MemNNBabi(data=STORIES, model=MemNNModel(dim=5, gram=1)),
    "own kb": KBQA(data=KBData(rows=60), training=KBQATraining(questions=50, tested=50)),
    "words": MemN2NText(
        data=TextData("generated"), model=MemN2NLMModel(), training=MemN2NLMTraining(batch=4)
    ),
    "lstm": RecurrentLanguage(core=RecurrentCore(hidden=7), **TEXT),
    "ntm language": NTMLanguage(core=NTMCore(hidden=5, slots=7, width=3), **TEXT),
    "memn2n language": MemN2NLanguage(
        core=MemN2NCore(memory=9, linear=3), model=Around(dim=8), **TEXT
    ),
    "recall": CRANRecall(data=SHORT, core=CORE, training=LESSONS),
    "recall, lstm": LSTMRecall(data=EPISODES, training=replace(LESSONS, lessons=())),
    "world": SimulatedWorld(
        data=FEW, reader=MemNNReader(model=MemNNModel(dim=5, gram=1), word_dropout=0.2)
    ),
    "world, lstm": SimulatedWorld(data=FEW, reader=RecurrentReader("lstm", dim=5, hidden=5)),
}
"""One of each kind that needs no files; the others are checked beside their tasks."""


DEAR = ("ntm language", "recall", "world", "world, lstm")
"""Runs that take seconds each."""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow) if name in DEAR else name for name in RUNS]
)
def test_a_task_is_the_same_on_another_device(name, monkeypatch):
    monkeypatch.setattr(recall_task, "SETTLING", 1)
    experiment = RUNS[name].prepare().experiment
    task = experiment.task
    if isinstance(task, LanguageTask):  # of a text a little is enough
        task.streams = {split: part[:400] for split, part in task.streams.items()}
    if hasattr(task, "counted"):
        task.counted = dict.fromkeys(task.counted, 1)
    check_task(task, experiment.model, dict.fromkeys(one.stream for one in experiment.phases))


def recalled(prepared, run):
    return recall_inference.examples(prepared.experiment.model, run.data, "test")


def translated(prepared, run):
    pairs = run.data.load()
    vocabularies = translation_inference.Vocabularies.from_json(prepared.files["vocabulary.json"])
    sources = [pair.source for pair in pairs["test"][:2]]
    return translation_inference.translate(prepared.experiment.model, vocabularies, sources)


ASKED = {
    "recall": (RUNS["recall"], recalled),
    "recall, lstm": (RUNS["recall, lstm"], recalled),
    "translation": (replace(translation_recipes.reversal(), model=SMALL), translated),
}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow) if name in DEAR else name for name in ASKED]
)
def test_a_question_is_answered_the_same_on_another_device(name):
    run, ask = ASKED[name]
    prepared = run.prepare()
    model = prepared.experiment.model.eval()
    here = list(ask(prepared, run))
    send(model)
    with Elsewhere(), ELSEWHERE:  # as `Answerer.placed` has it
        there = list(ask(prepared, run))
    assert [one.text for one in there] == [one.text for one in here] != []
    likely = [one.probability for one in here]
    assert [one.probability for one in there] == pytest.approx(likely)


def test_what_zones_say_is_traced_on_another_device():
    """Wherever tensors are made by default."""
    model, x = CORE.build(5), torch.randn(2, 7, 5)
    here = model.trace(x)
    with Elsewhere():
        there = send(model).trace(x.to(ELSEWHERE))
    assert there.steps.here.equal(here.steps)
    assert_close(there.output.here, here.output)


def test_a_generator_of_the_cpu_draws_the_same_slots_on_another_device():
    scores = torch.randn(7, 5, 11)
    here = Sampled().align(scores, context=AlignContext(generator=seeded(0)))
    with Elsewhere():
        there = Sampled().align(scores.to(ELSEWHERE), context=AlignContext(generator=seeded(0)))
    assert there.indices.here.equal(here.indices)


def test_tensors_of_two_devices_are_refused():
    with Elsewhere():
        layer, x = send(nn.Linear(3, 2)), torch.ones(5, 3)
        with pytest.raises(MixedError, match="two devices"):
            layer(x)
        assert isinstance(layer(x.to(ELSEWHERE)), Far)
        with pytest.raises(MixedError, match="two devices"):
            torch.zeros(5)[x.to(ELSEWHERE)[:, 0].long()]


def test_a_generator_of_another_device_is_refused():
    with Elsewhere():
        noise = FarGenerator().manual_seed(3)
        with pytest.raises(MixedError, match="a generator of meta, drawing for cpu"):
            torch.rand(5, generator=noise)
        with pytest.raises(MixedError, match="a generator of cpu, drawing for meta"):
            torch.rand(5, generator=torch.Generator(), device=ELSEWHERE)
        drawn = torch.rand(5, generator=noise, device=ELSEWHERE)
    assert drawn.here.equal(torch.rand(5, generator=torch.Generator().manual_seed(3)))
