"""What stands behind the rows of the tables of translation, and what links are learnt from."""

from dataclasses import replace
from types import SimpleNamespace
from unittest.mock import Mock

import pytest
import torch

from memnets.data.pairs import END, UNKNOWN, SentencePair, Words
from memnets.evidence import Alignment
from memnets.experiments.run import to_json
from memnets.studies import table
from memnets.studies.translation import inference
from memnets.studies.translation import task as task_module
from memnets.studies.translation.data import TranslationData, digest, toys
from memnets.studies.translation.inference import Vocabularies, aligned
from memnets.studies.translation.recipes import (
    Translation,
    TranslationModel,
    TranslationTraining,
    luong,
    reversal,
    rnnsearch,
)
from memnets.studies.translation.task import TranslationTask
from memnets.tasks.numbered_pairs import NumberedPairs
from memnets.training.config import Loop
from memnets.training.schedules import seeded

pytest.importorskip("sacrebleu")

MODEL = {
    **{"decoder": "rnnsearch", "score": "additive", "align": "softmax", "dim": 256},
    **{"hidden": 256, "layers": 1, "window": 5, "longest": 200, "dropout": 0.3},
}
TRAINING = {"batch": 64, "epochs": 5, "learning_rate": 0.002, "clip": 1.0, "entropy": 0.0}
DATA = {
    **{"pairs": "multi30k", "path": None, "source": "de", "target": "en", "source_file": None},
    **{"target_file": None, "held_out": 500, "symbols": "subwords", "most": 4000, "least": 2},
}
TOYS = {
    "data": DATA | {"pairs": "reversal"},
    "model": MODEL | {"dim": 32, "hidden": 48, "dropout": 0.0},
    "training": TRAINING | {"batch": 32, "epochs": 6, "learning_rate": 0.005},
}


def test_recipes_are_what_they_were():
    whole = {"data": DATA, "model": MODEL, "training": TRAINING}
    fed = MODEL | {"decoder": "luong-fed", "score": "general"}
    for run, expected in ((rnnsearch(), whole), (luong(), whole | {"model": fed}),
                          (reversal(), TOYS)):  # fmt: skip
        told = to_json(run)
        assert {part: told[part] for part in expected} == expected


ROWS = {
    "RNNsearch": {"seeds": 3},
    "Luong, general": {"decoder": "luong", "score": "general", "seeds": 3},
    "Luong, general, input feeding": {"decoder": "luong-fed", "score": "general", "seeds": 3},
    "Luong, no attention": {"decoder": "luong", "score": "none", "seeds": 3},
    **{
        f"Luong, {score}": {"decoder": "luong", "score": score}
        for score in ("additive", "dot", "scaled", "projected", "concat", "cosine", "location")
    },
    **{
        f"Luong, general, {align}": {"decoder": "luong", "score": "general", "align": align}
        for align in ("local-m", "local-p", "straight-through", "sampled")
    },
}


def test_every_row_is_of_the_parts_that_it_names():
    planned = table("translation-attention")
    assert [entry.row for entry in planned.entries] == list(ROWS)
    for entry in planned.entries:
        row = dict(ROWS[entry.row])
        assert entry.seeds == row.pop("seeds", 1)
        told = to_json(entry.run)
        assert told["model"] == MODEL | row
        assert (told["data"], told["training"]) == (DATA, TRAINING)
        assert told["loop"]["precision"] == "bf16-mixed"
        names = [(one.metric, one.row) for one in entry.figures]
        linked = [("linked", f"{entry.row}, links")] if row.get("score") != "none" else []
        unread = [("linked_diagonal", "the diagonal, links"), ("linked_chance", "chance, links")]
        assert names == linked + (unread if entry.row == "RNNsearch" else [])
    figures = [(one.metric, one.row, one.unit, one.better) for one in planned.figures]
    assert figures == [("bleu", "", "BLEU", "higher"), ("loss", ", loss", "nats", "lower")]
    assert (planned.rates, planned.trial) == ((0.002, 0.005), {"epochs": 1})
    assert (planned.seeds, planned.split, planned.choose) == (3, "test", ())
    assert (planned.choose_rate.split, planned.choose_rate.metric) == ("valid", "loss")


def test_toys_are_copied_and_said_from_behind_by_each_decoder():
    planned = table("translation-toys")
    decoders = {
        "RNNsearch": {},
        "Luong": {"decoder": "luong", "score": "general"},
        "Luong, input feeding": {"decoder": "luong-fed", "score": "general"},
    }
    rows = {entry.row: to_json(entry.run) for entry in planned.entries}
    assert list(rows) == [f"{name}, {pairs}" for name in decoders for pairs in ("copy", "reversal")]
    for name, model in decoders.items():
        for pairs in ("copy", "reversal"):
            told = rows[f"{name}, {pairs}"]
            assert told["data"] == TOYS["data"] | {"pairs": pairs}
            assert told["model"] == TOYS["model"] | model
            assert told["training"] == TOYS["training"]
    assert {tuple(entry.targets.items()) for entry in planned.entries} == {
        (("sentences", 99.0), ("linked", 99.0))
    }
    assert [one.metric for one in planned.figures] == ["sentences", "linked"]
    assert (planned.generated, planned.seeds) == (True, 3)


# Links


@pytest.mark.parametrize(
    ("data", "step"),
    [({"pairs": "copy"}, 1), ({"pairs": "reversal"}, -1), ({"symbols": "words"}, None)],
)
def test_links_are_of_the_pairs_that_are_reported(monkeypatch, data, step):
    """Known ones of toys; else learnt from the pairs of the training too."""
    pairs = [SentencePair("a b", "b a"), SentencePair("c", "c")]
    splits = {"train": pairs * 3, "valid": pairs, "test": pairs[::-1]}
    monkeypatch.setattr(TranslationData, "load", lambda self: splits)
    run = Translation(
        data=TranslationData(least=1, **data),
        model=TranslationModel(dim=3, hidden=4),
        training=TranslationTraining(entropy=0.5),
    )
    task = run.prepare().experiment.task
    (links,) = task.links.values()
    assert list(task.links) == ["test"]
    assert (links.pairs, links.step) == (splits["test"], step)
    assert list(links.corpus) == ([] if step else splits["train"])
    assert len(task.vocabulary) == len(task.sources) == 4 + 3
    assert task.entropy == 0.5
    for seed in (0, 3):
        model = replace(run, loop=Loop(seed=seed)).prepare().experiment.model
        again = run.model.build(Vocabularies(task.sources, task.vocabulary))
        again.reset_parameters(seeded(seed))
        for one, other in zip(model.parameters(), again.parameters(), strict=True):
            assert torch.equal(one, other)
    silent = Translation(
        data=run.data, model=TranslationModel(dim=3, hidden=4, decoder="luong", score="none")
    )
    assert silent.prepare().experiment.task.links == {}


# What is read for words


class Pieces:
    """A vocabulary that says what it is told."""

    def __init__(self, places, text="", pieces=()):
        self.places, self.said, self.each = places, text, list(pieces)

    def numbers(self, text):
        return [4 + place for place in range(len(self.places))]

    def word_places(self, numbers):
        assert len(numbers) == len(self.places)
        return self.places

    def pieces(self, numbers):
        return self.each

    def text(self, numbers):
        return self.said


WEIGHTS = torch.tensor([[0.5, 0.25, 0.25], [0.0, 0.75, 0.25], [0.125, 0.125, 0.75]])
"""Of the source the first word has two pieces, of the target too: those are added, these halved."""


def test_words_that_the_text_parts_otherwise_are_put_together_of_their_pieces():
    source = Pieces([0, 0, 1])
    for text, said in (("pq r", ["pq", "r"]), ("p q r", ["pq", "r"]), ("pqr", ["pq", "r"])):
        known = Vocabularies(source, Pieces([0, 0, 1], text, ["p", "q", "r"]))
        one = inference._Said([7, 8, 9, END], torch.cat([WEIGHTS, WEIGHTS[:1]]), 0.0, True)
        wide = one._replace(weights=torch.nn.functional.pad(one.weights, (0, 2)))
        found = inference._in_words(known, ["x", "y"], [4, 5, 6], wide)
        assert found[:2] == (text, said)
        assert found[2][1] == pytest.approx([0.25, 0.75])
        assert found[2][0] == pytest.approx([0.75, 0.25])


@pytest.mark.usefixtures("shapes_unchecked")  # which ask for a whole vocabulary
def test_a_given_translation_is_aligned_word_by_word_by_hand():
    """The end of the target has a row of its own, which is not shown."""
    known = Vocabularies(Pieces([0, 0, 1]), Pieces([0, 0, 1]))
    weights = torch.cat([WEIGHTS, torch.ones(1, 3)])[None]

    def model(source, length, target, generator):
        assert (source.tolist(), length.tolist()) == ([[4, 5, 6]], [3])
        assert target.tolist() == [[4, 5, 6, END]]
        return SimpleNamespace(readout=SimpleNamespace(weights=weights))

    played = Mock(spec=inference.Seq2Seq, side_effect=model)
    found = aligned(played, known, SentencePair("ab c", "de f"))
    assert isinstance(found, Alignment)
    assert (found.source, found.said) == (("ab", "c"), ("de", "f"))
    assert found.weights[0] == pytest.approx((0.75, 0.25))
    assert found.weights[1] == pytest.approx((0.25, 0.75))


def test_reads_that_are_drawn_are_measured_alike_each_time():
    pairs, known = [SentencePair("a b a", "x x"), SentencePair("b a", "x")], Vocabularies(
        Words.of(["a b"], least=1), Words.of(["x"], least=1)
    )  # fmt: skip
    model = TranslationModel(dim=3, hidden=4, align="sampled").build(known).eval()
    numbered = NumberedPairs.of(pairs, *known)
    task = TranslationTask({"test": numbered}, 2, known.target, {"test": ["x x", "x"]})
    assert task.evaluate(model, "test") == task.evaluate(model, "test")


def test_generated_pairs_are_of_sixteen_letters_and_their_digest_is_of_the_splits():
    splits = toys(1)
    letters = {one for part in splits.values() for pair in part for one in pair.source.split()}
    assert "".join(sorted(letters)) == "abcdefghijklmnop"
    moved = splits | {"valid": [*splits["valid"], splits["test"][0]], "test": splits["test"][1:]}
    assert digest(moved) != digest(splits)


def test_sizes_are_the_ones_that_are_told():
    assert (inference.TOGETHER, inference.MOST_SYMBOLS) == (50, 1000)
    assert (task_module.EVALUATION_BATCH, task_module.LOOKED_AT) == (200, 1000)
    words = Vocabularies(Words.of(["a b"], least=1), Words.of(["x"], least=1))
    assert Vocabularies.from_json(words.to_json()) == words
    assert UNKNOWN in words.source.numbers("x")
