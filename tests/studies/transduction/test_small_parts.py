"""Transduction piece by piece: pairs, settings, parts, what is measured, said and planned."""

import random
from types import SimpleNamespace
from unittest.mock import Mock

import pytest
import torch

from memnets import attention
from memnets.data.pairs import END, UNKNOWN, SentencePair, Words
from memnets.data.pairs.expressions import expressions
from memnets.data.pairs.spelled import LETTERS, lexicon, spelled
from memnets.evidence import Answer
from memnets.experiments.jobs import FinishedRun, Runs
from memnets.experiments.run import to_json
from memnets.models.seq2seq import Seq2Seq, Stacked, WithHeads
from memnets.studies import table
from memnets.studies.transduction import inference
from memnets.studies.transduction import recipes as recipes_module
from memnets.studies.transduction import task as task_module
from memnets.studies.transduction.data import TransductionData, digest
from memnets.studies.transduction.inference import Symbols, transduce
from memnets.studies.transduction.recipes import (
    Transduction,
    TransductionAnswerer,
    TransductionModel,
    TransductionTraining,
    order,
    trees,
)
from memnets.studies.transduction.task import TransductionTask
from memnets.tasks.numbered_pairs import NumberedPairs
from memnets.training.clipping import GlobalNorm
from memnets.training.config import Loop
from memnets.training.schedules import seeded

KNOWN = Symbols(Words.of(["a b c"], least=1), Words.of(["x y z"], least=1))  # from number 4 on
PAIRS = [SentencePair("a b c", "x y z"), SentencePair("b", "y"), SentencePair("c a", "z x")]


# Its data


def test_every_operator_and_number_has_its_place():
    pairs = expressions(300, 2, random.Random(0))
    words = {word for pair in pairs for word in pair.source.split()}
    assert words == {"(", ")", "+", "*", *map(str, range(20))}
    children = set()
    for pair in pairs:
        heads = []
        for word in pair.source.split():
            if word == ")":
                children.add(heads.pop())
            elif word not in "+*":
                if heads:
                    heads[-1] += 1
                if word == "(":
                    heads.append(0)
    assert children == {2, 3}


def test_clauses_are_one_to_as_many_as_are_allowed_of_nouns_and_verbs():
    words = lexicon()
    assert len(words) == len(set(words)) == 24 + 12
    assert {len(word) for word in words} == {2, 3, 4}
    assert set("".join(words)) == set(LETTERS) == set("abcdef")
    pairs = spelled(200, 3, random.Random(0))
    assert len({pair.source for pair in pairs}) == 200
    assert {len(pair.target.split()) for pair in pairs} == {3, 6, 9}
    assert {len(pair.target.split()) for pair in spelled(50, 1, random.Random(0))} == {3}
    told = {(place % 3, words.index(word) < 24) for pair in pairs
            for place, word in enumerate(pair.target.split())}  # fmt: skip
    assert told == {(0, True), (1, False), (2, True)}


@pytest.mark.parametrize(("kind", "made"), [("trees", expressions), ("order", spelled)])
def test_the_first_pairs_are_learnt_the_next_choose_and_the_last_are_reported(kind, made):
    splits = TransductionData(pairs=kind, size=2, train=6, held_out=2).load()
    pairs = made(10, 2, random.Random(0))
    assert splits == {"train": pairs[:6], "valid": pairs[6:8], "test": pairs[8:]}
    changed = splits | {"valid": splits["test"], "test": splits["valid"]}
    assert digest(splits) != digest(changed)
    earlier = splits | {"train": pairs[:5], "valid": pairs[5:8]}
    assert digest(splits) != digest(earlier)  # whose pairs are the same, in the same order


@pytest.mark.parametrize(("kind", "most"), [("trees", 10_000), ("order", 5000)])
def test_of_few_sequences_no_more_are_drawn_than_there_are(kind, most):
    TransductionData(pairs=kind, size=1, train=most - 2, held_out=1)
    TransductionData(pairs=kind, size=2, train=most, held_out=1)
    said = rf"data\.size is 1 and data\.train {most - 1}: expected {most:,} pairs at most"
    with pytest.raises(ValueError, match=said):
        TransductionData(pairs=kind, size=1, train=most - 1, held_out=1)


@pytest.mark.parametrize(
    ("made", "at_most"),
    [
        (lambda more: TransductionData(size=8 + more), 8),
        (lambda more: TransductionData(train=1_000_000 + more), "1,000,000"),
        (lambda more: TransductionData(held_out=100_000 + more), "100,000"),
        (lambda more: TransductionModel(longest=64 + more), 64),
    ],
)
def test_what_is_just_at_its_limit_is_taken(made, at_most):
    made(0)
    with pytest.raises(ValueError, match=f"expected at most {at_most}"):
        made(1)


# Its parts


def model_of(**changed):
    return TransductionModel(**({"dim": 3, "hidden": 5} | changed)).build(KNOWN)


@pytest.mark.parametrize(
    ("heads", "score", "reads"),
    [
        ("simple", attention.ScaledDot, attention.Softmax),
        ("sigmoid", attention.ScaledDot, attention.Sigmoid),
        ("projective", attention.ScaledDot, attention.ProjectiveTrees),
        ("non-projective", attention.ScaledDot, attention.NonProjectiveTrees),
    ],
)
def test_words_read_heads_in_the_way_that_is_named(heads, score, reads):
    source = model_of(heads=heads).source
    assert type(source) is WithHeads
    assert source.dim == 3 + 3
    part = source.heads
    assert type(part.score) is score
    if "projective" in heads:
        assert (part.trees, part.single_root, len(part.root_key)) == (reads, True, 5)
    else:
        assert type(part.align) is reads
    for layer in ("query_weight", "key_weight"):
        assert getattr(source, layer).weight.shape == (5, 5)
    assert model_of(heads="none").source.dim == 3
    assert type(model_of(reads="states").source) is Stacked
    assert model_of(reads="states").source.dim == 5


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("softmax", attention.Softmax),
        ("sigmoid", attention.Sigmoid),
        ("linear-chain", attention.LinearChain),
        ("segments", attention.Segments),
    ],
)
@pytest.mark.parametrize(("reads", "wide"), [("states", 5), ("words", 6)])
def test_the_decoder_reads_in_the_way_that_is_named(name, kind, reads, wide):
    model = model_of(reads=reads, heads="simple", align=name, longest=7, dropout=0.25)
    reader = model.decoder.reader.attention
    assert type(reader.align) is kind
    assert getattr(reader.align, "longest", 7) == 7
    assert type(reader.score) is attention.General
    assert reader.score.weight.weight.shape == (5, wide)
    assert model.decoder.combined.weight.shape == (5, wide + 5)
    for core in (
        model.decoder.core,
        (model.source if reads == "states" else model.source.reader).core,
    ):
        assert (core.cells.input_size, core.cells.hidden_size, core.cells.num_layers) == (3, 5, 1)
    assert model.source_embedding.weight.shape == model.target_embedding.weight.shape == (7, 3)
    assert model.dropout.p == 0.25
    assert not model.output.bias.any()  # as modern_initial draws


def test_recipes_are_what_they_were():
    shared = {"dim": 48, "hidden": 64, "longest": 4, "dropout": 0.0}
    data = {"size": 3, "held_out": 500}
    training = {"batch": 32, "patience": 4, "learning_rate": 0.003, "clip": 1.0}
    for run, pairs, train, epochs, reads, align in (
        (trees(), "trees", 3000, 15, "words", "softmax"),
        (order(), "order", 1000, 25, "states", "linear-chain"),
    ):
        told = to_json(run)
        assert told["data"] == data | {"pairs": pairs, "train": train}
        assert told["model"] == shared | {"reads": reads, "heads": "projective", "align": align}
        assert told["training"] == training | {"epochs": epochs}


# Its training


def test_what_is_trained_is_what_was_told():
    run = Transduction(
        data=TransductionData(size=1, train=10, held_out=3),
        model=TransductionModel(heads="none", dim=3, hidden=5),
        training=TransductionTraining(batch=4, epochs=5, patience=2, learning_rate=0.25, clip=0.5),
        loop=Loop(seed=3),
    )
    prepared, splits = run.prepare(), run.data.load()
    experiment, (phase,) = prepared.experiment, prepared.experiment.phases
    assert (experiment.task.batch, experiment.task.updates_per_epoch) == (4, 3)
    assert (phase.name, phase.updates, phase.evaluate_every) == ("transduction", 15, 3)
    assert {phase.learning_rate(update) for update in range(15)} == {0.25}
    assert experiment.optimizer.defaults["lr"] == 0.25
    assert (experiment.reduction, experiment.clip) == ("mean", GlobalNorm(0.5))
    keep = experiment.keep
    assert (keep.metric, keep.better, keep.patience) == ("valid/loss", "lower", 2)
    known = Symbols(*TransductionData.vocabularies(splits["train"]))
    assert Symbols.from_json(prepared.files["vocabulary.json"]) == known
    for name, part in splits.items():
        for one, other in zip(
            experiment.task.pairs[name], NumberedPairs.of(part, *known), strict=True
        ):
            assert torch.equal(one, other)
    assert (prepared.data.name, prepared.data.sha256) == ("generated pairs, trees", digest(splits))
    again = run.model.build(known)
    again.reset_parameters(seeded(3))
    for one, other in zip(experiment.model.parameters(), again.parameters(), strict=True):
        assert torch.equal(one, other)


def test_measured_in_parts_it_is_the_same_and_of_the_training_pairs_the_first(monkeypatch):
    numbered = NumberedPairs.of(PAIRS, *KNOWN)
    task, model = (
        TransductionTask({"train": numbered, "test": numbered}, 2),
        model_of(heads="none").eval(),
    )
    # The shorter targets come out right; of the longest one the first symbol alone.
    monkeypatch.setattr(
        task_module,
        "translations",
        lambda model, asked, dice: [
            words[:number] if number < 4 else [words[0], END]
            for words, number in zip(asked.target.tolist(), asked.said.tolist(), strict=True)
        ],
    )
    each = [float(model.loss(*numbered.take(torch.tensor([n]))[:3]).detach()) for n in range(3)]
    for size in (1, 2, 250):
        monkeypatch.setattr(task_module, "EVALUATION_BATCH", size)
        found = task.evaluate(model, "test")
        assert found["loss"].total == pytest.approx(sum(each), rel=1e-5)
        assert found["loss"].weight == 4 + 2 + 3
        assert found["sequences"] == (2, 3)
        assert found["until_failure"].total == pytest.approx(1 / 4 + 1 + 1)
        assert found["until_failure"].weight == 3
    monkeypatch.setattr(task_module, "LOOKED_AT", 2)
    first = task.evaluate(model, "train")["loss"]
    assert (first.total, first.weight) == (pytest.approx(each[0] + each[1], rel=1e-5), 4 + 2)
    assert task.evaluate(model, "test")["loss"].weight == 9


# What is said


def played(words, lengths, likely, ended, source=None):
    """Return what passes for a model, says this, and what it was asked."""
    asked = []
    weights = torch.arange(400.0).view(1, 4, 10, 10) / 400

    def translate(source, length, end, longest, width, divisor):
        asked.append((source.tolist(), length.tolist(), end, longest, width))
        assert divisor(torch.tensor([4])).tolist() == [4]  # the mean of its symbols
        return SimpleNamespace(
            words=torch.tensor([words]),
            lengths=torch.tensor([lengths]),
            log_prob=torch.tensor([likely]).log(),
            ended=torch.tensor([ended]),
            evidence=SimpleNamespace(weights=weights),
        )

    model = Mock(spec=Seq2Seq, translate=translate, source=source)
    model.source_embedding = lambda words: words
    return model, asked, weights[0, 0]


def test_what_a_sequence_becomes_by_hand():
    said = [[5, 4, END, 0], [6, END, 0, 0], [0] * 4, [4] * 4]
    model, asked, read = played(said, [3, 2, 0, 4], [0.5, 0.25, 1.0, 0.125], [True] * 3 + [False])
    answer = transduce(model, KNOWN, "a q q c", "y z")
    assert asked == [([[4, UNKNOWN, UNKNOWN, 6]], [4], END, 2 * 4 + 10, 3)]
    assert (answer.question, answer.text, answer.gold) == ("a q q c", "y x", "y z")
    assert answer.probability == pytest.approx(0.5)
    assert [text for text, _ in answer.runners_up] == ["z", "x x x x"]
    assert [share for _, share in answer.runners_up] == pytest.approx([0.25, 0.125])
    assert [step.name for step in answer.steps] == ["y", "x"]
    for row, step in enumerate(answer.steps):
        assert [(one.slot, one.text) for one in step.supports] == [
            (0, "a"), (1, "q"), (2, "q"), (3, "c")
        ]  # fmt: skip
        assert [one.weight for one in step.supports] == pytest.approx(read[row, :4].tolist())
    assert (answer.unknown_words, answer.unit, answer.caution) == (("q",), "word", "")
    model, *_ = played(said[3:], [4], [0.5], [False])
    assert transduce(model, KNOWN, "a").caution == "cut off after 4 symbols"
    nothing = transduce(model, KNOWN, " ", "z")
    assert (nothing.text, nothing.probability, nothing.gold) == ("", 1.0, "z")
    assert (nothing.steps, nothing.runners_up, nothing.unit) == ((), (), "word")


def test_heads_are_shown_behind_what_was_said():
    heads = torch.tensor([[[0.25, 0.75], [0.5, 0.125]]])

    def read_heads(states, words, length):
        assert (states.tolist(), words.tolist(), length.tolist()) == ([[5, 4]], [[5, 4]], [2])
        return SimpleNamespace(weights=heads)

    source = Mock(spec=WithHeads, read_heads=read_heads, heads=Mock())
    source.reader = lambda words, length: SimpleNamespace(states=words)
    model, *_ = played([[4, END]], [2], [0.5], [True], source)
    said, *of_heads = transduce(model, KNOWN, "b a").steps
    assert said.name == "x"
    assert [step.name for step in of_heads] == ["head of b", "head of a"]
    assert [[(one.text, one.weight) for one in step.supports] for step in of_heads] == [
        [("b", 0.25), ("a", 0.75)], [("b", 0.5), ("a", 0.125)]
    ]  # fmt: skip


def test_the_longest_sequence_is_let_pass(monkeypatch):
    monkeypatch.setattr(inference, "MOST_SYMBOLS", 2)
    model, *_ = played([[4, END]], [2], [0.5], [True])
    assert transduce(model, KNOWN, "a b").text == "x"
    with pytest.raises(ValueError, match=r'"a b c\.\.\." has 3 symbols; expected at most 2\. Part'):
        transduce(model, KNOWN, "a b c")


def test_sizes_are_the_ones_that_are_told():
    assert (inference.BEAM, inference.MOST_SYMBOLS) == (3, 500)
    assert (task_module.EVALUATION_BATCH, task_module.LOOKED_AT) == (250, 500)


def test_examples_are_of_the_split_that_is_asked_for(monkeypatch):
    answerer, asked = object.__new__(TransductionAnswerer), []
    one = Answer("a", "x", 1.0, (), ())
    monkeypatch.setattr(inference, "transduce", lambda *given: asked.append(given) or one)
    answerer.vocabulary = KNOWN
    answerer.__dict__ |= {"model": "model", "pairs": {"valid": PAIRS[:1], "test": PAIRS[1:]}}
    assert len(list(answerer.examples("test", 1))) == 2
    assert answerer.answer(["not read"], "a") is one
    assert asked == [
        ("model", KNOWN, "b", "y"), ("model", KNOWN, "c a", "z x"), ("model", KNOWN, "a")
    ]  # fmt: skip
    assert answerer.data_sha256() == digest(answerer.pairs)
    assert {"transduction/trees": trees, "transduction/order": order} == recipes_module.RECIPES


# The table


def test_every_row_is_of_the_parts_that_it_names():
    planned = table("structured-attention")
    rows = {
        entry.row: (
            entry.run.data.pairs,
            entry.run.model.heads if entry.run.model.reads == "words" else "states",
            entry.run.model.align,
        )
        for entry in planned.entries
    }
    assert rows == {
        "trees, no heads": ("trees", "none", "softmax"),
        "trees, simple": ("trees", "simple", "softmax"),
        "trees, sigmoid": ("trees", "sigmoid", "softmax"),
        "trees, projective": ("trees", "projective", "softmax"),
        "trees, non-projective": ("trees", "non-projective", "softmax"),
        "order, simple": ("order", "states", "softmax"),
        "order, sigmoid": ("order", "states", "sigmoid"),
        "order, linear chain": ("order", "states", "linear-chain"),
        "order, segments": ("order", "states", "segments"),
    }
    for entry in planned.entries:
        usual = trees() if entry.row.startswith("trees") else order()
        assert (entry.run.data, entry.run.training) == (usual.data, usual.training)
    assert (planned.seeds, planned.rates, planned.generated, planned.split) == (4, (), True, "test")
    assert [(one.metric, one.row) for one in planned.figures] == [
        ("until_failure", ""), ("sequences", ", whole")
    ]  # fmt: skip
    runs = {seed: FinishedRun(None, SimpleNamespace(), {}) for seed in range(2)}
    notes = planned.notes(
        planned.entries[0], planned.figures[0], Runs(runs, frozenset({2})), {0: 20.0, 1: 24.0}
    )
    assert [bool(note) for note in notes] == [False, True, True]
