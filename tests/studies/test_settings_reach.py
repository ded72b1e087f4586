"""What a configuration says reaches what is trained: none of it is read and forgotten."""

from dataclasses import fields, replace
from types import SimpleNamespace

import pytest
from torch import nn

from memnets.data.babi.reader import parse_stories
from memnets.data.text import Text, characters
from memnets.data.worlds.recall import Stream, Zoned
from memnets.data.worlds.simulated import Simulation
from memnets.experiments.configs.cran import CRANCore
from memnets.experiments.configs.memnn import MemNNModel, MemNNTraining
from memnets.layers import (
    BagOfWords,
    CentredPositionEncoding,
    KumarGate,
    PositionEncoding,
    SummedDirections,
)
from memnets.layers.recurrent import GRU, LSTM
from memnets.models.dmn import DMNTagger
from memnets.models.memn2n import Adjacent, LayerWise, Untied
from memnets.studies import recipe, recipes
from memnets.studies.babi.data import BabiData
from memnets.studies.babi.dmn.recipes import dmn_generated
from memnets.studies.babi.memn2n.recipes import MemN2NBabi, MemN2NModel, MemN2NTraining
from memnets.studies.babi.memnn.recipes import MemNNBabi
from memnets.studies.kb_qa.data import KBData
from memnets.studies.kb_qa.recipes import KBQA, KBQATraining, KVModel
from memnets.studies.language.data import TextData
from memnets.studies.language.recipes import (
    Around,
    CacheGrid,
    LanguageTraining,
    RecurrentCore,
    RecurrentLanguage,
)
from memnets.studies.recall.recipes import CRANRecall, RecallTraining
from memnets.studies.sentiment.recipes import SentimentModel
from memnets.studies.simulated_world.recipes import MemNNReader, RecurrentReader, SimulatedWorld
from memnets.studies.tagging.recipes import TaggingModel
from memnets.tasks.supported import FeatureVocabulary
from memnets.training.clipping import GlobalNorm, PerMatrix
from memnets.training.config import Loop

STORY = "1 B a b.\n2 C.\n3 Who c? \tA,D\t2 1\n4 B a b.\n5 Who? \ta\t4\n"
GENERATED = BabiData(source="generated", validation=0.1)


@pytest.fixture(autouse=True)
def few_stories(monkeypatch):
    """Ask a few questions: nothing here depends on how many."""
    from memnets.studies.babi import data

    def few(task, questions, *more):
        return made(task, questions // 10, *more)

    made = data.make_stories
    monkeypatch.setattr(data, "make_stories", few)


def changed(kind, /, **values):
    """Return a configuration of which every field is told, and is not the usual one."""
    usual = kind()
    assert values.keys() == {field.name for field in fields(kind)}
    assert not [name for name, value in values.items() if value == getattr(usual, name)]
    return kind(**values)


def rates(phase):
    return [phase.learning_rate(update) for update in range(phase.updates)]


def dropouts(model):
    return [part.p for part in model.modules() if isinstance(part, nn.Dropout)]


def test_memn2n():
    model = changed(
        MemN2NModel,
        **{"dim": 7, "hops": 2, "memory": 3, "tying": "untied", "reader": "bag"},
        **{"time": False, "nonlinear": True, "read_empty": False},
    )
    training = changed(
        MemN2NTraining,
        **{"batch": 17, "epochs": 3, "linear_epochs": 2, "learning_rate": 0.5, "halve_every": 2},
        **{"clip": 7.0, "noise": 0.3, "evaluate_every": 4, "evidence": 0.25},
    )
    experiment = MemN2NBabi(data=GENERATED, model=model, training=training).prepare().experiment
    task, epoch = experiment.task, 90 // 17
    assert (task.batch, task.noise, task.evidence, task.memory) == (17, 0.3, 0.25, 3)
    linear, softmax = experiment.phases
    assert (linear.updates, softmax.updates) == (2 * epoch, 3 * epoch)
    assert linear.evaluate_every == softmax.evaluate_every == 4 * epoch
    assert rates(linear) == [0.5] * 2 * epoch
    assert rates(softmax) == [0.5] * epoch + [0.25] * 2 * epoch
    assert experiment.clip == PerMatrix(7.0, stacks={"tables": 1})
    assert experiment.optimizer.param_groups[0]["lr"] == 0.5
    assert experiment.keep is None


@pytest.mark.parametrize(
    ("name", "kind"),
    [("adjacent", Adjacent), ("layer-wise", LayerWise), ("untied", Untied)],
)
def test_tables_are_tied_as_is_said(name, kind):
    built = MemN2NModel(tying=name).build(SimpleNamespace(words="abc", sentence_words=4, memory=5))
    assert type(built.tying) is kind


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("bag", BagOfWords),
        ("position", PositionEncoding),
        ("centred-position", CentredPositionEncoding),
    ],
)
def test_sentences_are_read_as_is_said(name, kind):
    assert type(MemN2NModel(reader=name)._reader(3)) is kind


MEMNN = MemNNModel(
    **{"dim": 7, "adaptive": False, "hops": 3, "gram": 1, "nonlinear": True, "time": False},
    **{"exact_match": 0.5, "latest": False, "initial_scale": 0.3},
)
RANKING = changed(
    MemNNTraining,
    **{"batch": 17, "epochs": 4, "learning_rate": 0.5, "margin": 0.3, "negatives": 4},
    **{"evaluate_every": 2},
)


def expect_ranking(experiment, epoch):
    task, (phase,) = experiment.task, experiment.phases
    assert (task.batch, task.margin, task.negatives) == (17, 0.3, 4)
    assert (phase.updates, phase.evaluate_every) == (4 * epoch, 2 * epoch)
    assert rates(phase)[:: 2 * epoch] == [0.5, 0.25]
    assert experiment.reduction == "mean"


def expect_memnn(model):
    assert (model.hops, model.adaptive, model.said, model.latest) == (3, False, 1, False)
    assert model.time is None
    assert (model.matching.dim, model.matching.scale) == (7, 0.3)
    assert (model.matching.nonlinear, model.matching.exact_match) == (True, 0.5)


def test_memnn():
    experiment = MemNNBabi(data=GENERATED, model=MEMNN, training=RANKING).prepare().experiment
    expect_ranking(experiment, -(-90 // 17))
    expect_memnn(experiment.model)
    assert not experiment.model.matching.contexts
    for questions in experiment.task.questions.values():
        assert questions.supports.shape[1] == 3
        assert (questions.supports >= 0).all()
        assert (questions.supports == questions.supports[:, :1]).all()  # task 1 needs but one
        assert questions.story[:, 0].all()  # nothing stands before the story
    assert [experiment.task.questions[split].number for split in ("train", "valid", "test")] == [
        *(90, 10, 100)
    ]


@pytest.mark.parametrize("dropout", [0.0, 0.25])
def test_memnn_of_the_simulated_world_with_contexts_or_without(dropout):
    reader = MemNNReader(model=MEMNN, training=RANKING, word_dropout=dropout)
    data = Simulation("actor and object", 1, ("places",), stories=20, statements=5, questions=3)
    run = SimulatedWorld(data=data, reader=reader)
    prepared = run.prepare()
    task = prepared.experiment.task
    expect_ranking(prepared.experiment, -(-60 // 17))
    expect_memnn(prepared.experiment.model)
    assert prepared.experiment.model.matching.contexts == (dropout > 0)
    assert task.word_dropout == dropout
    assert [task.questions[split].number for split in ("train", "valid", "test")] == [60, 6, 60]
    assert all((part.supports >= 0).all() for part in task.questions.values())
    assert all(part.supports.shape[1] == 3 for part in task.questions.values())
    known = prepared.files["vocabulary.json"]["features"]
    if dropout:
        words = {split: len(found.replaced) for split, found in task.contexts.items()}
        assert len(known) == words["train"] <= words["valid"]
        assert len(known) < words["test"]
        assert task.contexts["test"].replaced.tolist() == [
            number >= len(known) for number in range(words["test"])
        ]
        assert not task.contexts["train"].replaced.any()
    else:
        assert not task.contexts


def test_a_memnn_that_is_adaptive_says_as_many_words_as_were_said():
    vocabulary = FeatureVocabulary.of(parse_stories(STORY, 1, "qa.txt"))
    for dropout in (0.0, 0.5):
        reader = MemNNReader(model=MemNNModel(adaptive=True, gram=1), word_dropout=dropout)
        model = reader.build(vocabulary)
        assert (model.adaptive, model.said, model.hops, model.latest) == (True, 2, 2, True)
        assert model.time is not None
        assert model.words == len(vocabulary.features)


def test_a_recurrent_net_of_the_simulated_world():
    reader = changed(
        RecurrentReader,
        **{"kind": "rnn", "dim": 5, "hidden": 7, "epochs": 3, "batch": 8},
        **{"learning_rate": 0.5, "clip": 0.7},
    )
    data = Simulation("actor", 1, stories=20, statements=5, questions=3)
    prepared = SimulatedWorld(data=data, reader=reader).prepare()
    experiment = prepared.experiment
    net = experiment.model.recurrence
    assert (type(net), net.input_size, net.hidden_size) == (nn.RNN, 5, 7)
    assert type(RecurrentReader("lstm").build(SimpleNamespace(words="abc")).recurrence) is nn.LSTM
    (phase,) = experiment.phases
    assert (phase.updates, phase.evaluate_every, experiment.task.batch) == (9, 3, 8)
    assert rates(phase) == [0.5] * 9
    assert (experiment.clip, experiment.reduction) == (GlobalNorm(0.7), "mean")
    assert experiment.task.streams.keys() == {"train", "valid", "test"}
    assert prepared.files["vocabulary.json"]["memory"] == 5


def test_the_splits_of_the_simulated_world_are_drawn_apart():
    data = Simulation("actor", 1, stories=20, statements=5, questions=3)
    train, valid, test = SimulatedWorld(data=data).world()
    assert len(valid) == 2
    assert not {story.items for story in valid} & {story.items for story in (*train, *test)}
    one = SimulatedWorld(data=replace(data, stories=3)).world()
    assert len(one.valid) == 1


def test_dmn_looks_at_the_validation_after_every_epoch():
    run = replace(dmn_generated(), data=GENERATED)
    experiment = run.prepare().experiment
    (phase,) = experiment.phases
    epoch = -(-90 // 32)
    assert (phase.evaluate_every, phase.updates) == (epoch, 12 * epoch)
    assert experiment.reduction == "mean"
    assert (experiment.keep.metric, experiment.keep.better) == ("valid/loss", "lower")


def test_recall():
    training = RecallTraining(
        **{"dim": 5, "batch": 3, "updates": 8, "learning_rate": 0.5, "warm_up": 2},
        **{"cool_down": 0.5, "clip": 0.7, "evaluate_every": 4},
    )
    data = Stream(keys=67, values=5, longest=13, window=7, unique=15, cliff=0)
    core = CRANCore(hidden=7, key_dim=5, zones=3, slots=5, k=2)
    prepared = CRANRecall(data=data, core=core, training=training).prepare()
    experiment = prepared.experiment
    (phase,) = experiment.phases
    assert (phase.updates, phase.evaluate_every) == (8, 4)
    assert rates(phase) == [0.25, 0.5, 0.5, 0.5, 0.5, 0.375, 0.25, 0.125]
    assert (experiment.clip, experiment.reduction) == (GlobalNorm(0.7), "mean")
    task = experiment.task
    assert (task.batch, task.memory) == (3, Zoned(3, 5))
    assert set(task.worlds.values()) == {data}
    assert prepared.data.name == f"recall: {data.task}, generated"


def test_language(monkeypatch):
    parts = {"train": "abc" * 70 + "a", "valid": "abcab"}
    text = Text.of("a text", parts, characters)
    monkeypatch.setattr(TextData, "load", lambda data: text)
    training = changed(
        LanguageTraining,
        **{"batch": 3, "window": 7, "tokens": 600, "learning_rate": 0.5, "warmup": 0.5},
        **{"clip": 0.7, "evaluations": 4},
    )
    core = changed(RecurrentCore, kind="gru", hidden=5, layers=3, dropout=0.25)
    run = RecurrentLanguage(
        model=changed(Around, dim=5, dropout=0.125, tied=True),
        **{"core": core, "training": training, "cache": CacheGrid(17)},
    )
    prepared = run.prepare()
    experiment = prepared.experiment
    model, task, (phase,) = experiment.model, experiment.task, experiment.phases
    assert (type(model.core), model.core.cells.num_layers) == (GRU, 3)
    assert (model.core.cells.dropout, model.core.cells.hidden_size) == (0.25, 5)
    assert type(RecurrentCore(hidden=5).build(3)) is LSTM
    assert (model.dropout.p, model.weight, model.embedding.embedding_dim) == (0.125, None, 5)
    assert (task.batch, task.window, task.cache.window, task.unit) == (3, 7, 17, "characters")
    assert phase.updates == task.updates_for(600) == 29
    assert phase.evaluate_every == 7
    assert rates(phase) == [training.rate(update, 29) for update in range(29)]
    assert (experiment.clip, experiment.reduction) == (GlobalNorm(0.7), "mean")
    assert (prepared.data.name, prepared.data.sha256) == ("a text", text.sha256)
    assert prepared.files["vocabulary.json"]["unit"] == "characters"


def test_kb_qa():
    training = changed(
        KBQATraining,
        **{"questions": 60, "unanswerable": 0.875, "tested": 40, "tested_unanswerable": 0.125},
        **{"epochs": 2, "batch": 7, "learning_rate": 0.3, "weight_decay": 0.01},
        word_dropout=0.4,
    )
    data = KBData(rows=101)
    run = KBQA(data=data, model=changed(KVModel, dim=5, hops=3), training=training)
    prepared = run.prepare()
    experiment = prepared.experiment
    task, (phase,) = experiment.task, experiment.phases
    assert (task.batch, task.lost) == (7, 0.4)
    kinds = {split: asked.kinds for split, asked in task.questions.items()}
    assert [len(kinds[split]) for split in ("train", "valid", "test")] == [60, 40, 40]
    assert int((kinds["train"] > 0).sum()) > 40
    assert all(0 < int((kinds[split] > 0).sum()) < 20 for split in ("valid", "test"))
    assert (phase.updates, phase.evaluate_every) == (18, 9)
    assert rates(phase)[::9] == [0.3, 0.15]
    assert experiment.optimizer.param_groups[0]["weight_decay"] == 0.01
    assert len(experiment.model.carry) == 3
    assert experiment.model.table.shape[1] == 5
    assert prepared.data.name == "101 facts of invented films"


def test_the_questions_of_a_split_are_asked_in_its_own_ways():
    from memnets.kb.questions.questions import Facts

    run = KBQA(data=KBData(rows=101), training=KBQATraining(questions=60, tested=60))
    facts = Facts(run.data.read(0).triples)
    ways = run.data.ways(facts, 0)
    sides = {"train": "learn", "valid": "tune", "test": "test"}
    for split, side in sides.items():
        own = {phrase for of in ways.values() for phrase in getattr(of, side)}
        asked = {one.phrase for one in run.questions(facts, ways, split) if one.kind == "known"}
        assert asked
        assert asked <= own


def test_the_tagger_and_what_tells_sentiment_are_built_as_is_said():
    vocabulary = SimpleNamespace(language=range(11), tags="abcd", __len__=lambda: 11)
    tagger = TaggingModel(dim=5, hidden=7, hops=3, dropout=0.25).build(vocabulary)
    assert (tuple(tagger.embedding.shape), tagger.memory.hops) == ((11, 5), 3)
    with pytest.raises(ValueError, match=r"DMNTagger\(vocab=1\): expected at least 2"):
        DMNTagger(1, 5, tagger.story, tagger.memory, tags=2)
    judge = SentimentModel(hidden=7, hops=3, dropout=0.25).build(range(11), classes=4)
    assert (tuple(judge.embedding.shape), judge.memory.hops) == ((11, 7), 3)
    assert judge.head.choice.out_features == 4
    for model in (tagger, judge):
        assert dropouts(model) == [0.25, 0.25]
        assert type(model.memory.gate) is KumarGate
        assert model.memory.gate.hidden == 7
        assert type(model.story.fusion) is SummedDirections
        assert model.memory.end is None


def test_the_seed_of_a_run_decides_what_is_simulated_and_invented():
    films = [KBQA(loop=Loop(seed=seed)).data.read(seed).triples for seed in (0, 1)]
    assert films[0] != films[1]
    towns = KBData(world="towns", rows=7).read(0).triples
    assert len(towns) == 7
    assert towns != films[0][:7]


CITED = {
    "memn2n/": ("sukhbaatar2015", "weston2015"),
    "memnn/": ("weston2014", "weston2015"),
    "dmn/babi": ("kumar2016", "xiong2016", "weston2015"),
    "dmn-plus/sort-of-clevr": ("xiong2016", "santoro2017"),
    "dmn-plus/easy-vqa": ("xiong2016",),
    "dmn-plus/": ("kumar2016", "xiong2016", "weston2015"),
    "dmn/tagging": ("kumar2016",),
    "dmn/sentiment": ("kumar2016",),
    "simulated_world/": ("weston2014",),
    "simple_qa/": ("bordes2015",),
    "kv_memnn/": ("miller2016",),
    "metaqa/": ("miller2016",),
    "wikiqa/": ("miller2016",),
    "kb_qa/": ("miller2016",),
    "memn2n_lm/": ("sukhbaatar2015",),
    "transduction/": ("kim2017", "luong2015"),
    "captions/": ("xu2015",),
    "translation/luong": ("luong2015",),
    "translation/": ("bahdanau2015",),
    "pointers/": ("vinyals2015",),
    "ntm/": ("graves2014",),
    "recall/rewritten-ntm": ("graves2014",),
    "recall/multi-query": ("arora2024",),
    "recall/": (),
    "language/lstm": ("hochreiter1997", "pascanu2013", "grave2017"),
    "language/gru": ("cho2014", "pascanu2013", "grave2017"),
    "language/cran": ("pascanu2013", "grave2017"),
    "language/ntm": ("graves2014", "pascanu2013", "grave2017"),
    "language/memn2n": ("sukhbaatar2015", "pascanu2013", "grave2017"),
}


@pytest.mark.parametrize("name", recipes())
def test_a_recipe_cites_the_papers_that_it_is_of(name):
    assert recipe(name)().cite == next(
        papers for begins, papers in CITED.items() if name.startswith(begins)
    )


def test_a_language_model_without_a_cache_cites_none():
    assert RecurrentLanguage(cache=CacheGrid(0)).cite == ("hochreiter1997", "pascanu2013")
