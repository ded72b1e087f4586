"""Transduction as a run, as a table and by hand, on generated pairs."""

import random

import pytest
import torch

import memnets
from memnets.attention import LinearChain, ProjectiveTrees, Segments, SoftParents
from memnets.data.pairs import END, SentencePair
from memnets.data.pairs.expressions import expressions
from memnets.data.pairs.spelled import LETTERS, NOUNS, lexicon, spelled
from memnets.experiments.run import to_json
from memnets.inference import load_run
from memnets.models.seq2seq import WithHeads
from memnets.studies import table
from memnets.studies.transduction import task as task_module
from memnets.studies.transduction.data import TransductionData, digest
from memnets.studies.transduction.inference import MOST_SYMBOLS, Symbols, transduce
from memnets.studies.transduction.recipes import TransductionModel, order, trees
from memnets.studies.transduction.task import TransductionTask, until_failure
from memnets.tasks.numbered_pairs import NumberedPairs
from memnets.training.schedules import seeded

PAIRS = [SentencePair("( + 1 2 )", "( 1 + 2 )"), SentencePair("7", "7")]
SMALL = {
    "data.size": 2,
    "data.train": 60,
    "data.held_out": 5,
    "model.dim": 6,
    "model.hidden": 6,
    "training.batch": 60,
    "training.epochs": 1,
}


def symbols():
    return Symbols(*TransductionData.vocabularies(PAIRS))


def small(**changed):
    return TransductionModel(**({"dim": 6, "hidden": 6} | changed)).build(symbols())


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "trees"
    return memnets.train("transduction/trees", SMALL, out=folder, show=False)


def value(words):
    """Work out an expression in prefix form, and return it with what is behind it."""
    first, *rest = words
    if first != "(":
        return int(first), rest
    operator, *rest = rest
    found = None
    while rest[0] != ")":
        number, rest = value(rest)
        if found is None:
            found = number
        else:
            found = found + number if operator == "+" else found * number
    return found, rest[1:]


def test_an_expression_is_worth_the_same_in_both_forms():
    """As Python reads the infix form, and a reader of its own the prefix form."""
    pairs = expressions(40, 3, random.Random(1))
    assert len({pair.source for pair in pairs}) == 40
    for pair in pairs:
        number, rest = value(pair.source.split())
        assert (number, rest) == (eval(pair.target), [])
        depth = deepest = 0
        for word in pair.source.split():
            depth += {"(": 1, ")": -1}.get(word, 0)
            deepest = max(deepest, depth)
        assert deepest == 3
    assert pairs == expressions(40, 3, random.Random(1))


def test_letters_spell_the_words_in_their_first_order():
    words = lexicon()
    for one in words:
        assert set(one) <= set(LETTERS)
        assert not any(other != one and other.startswith(one) for other in words)
    for pair in spelled(30, 3, random.Random(1)):
        told, letters = pair.target.split(), pair.source.replace(" ", "")
        clauses = [told[i : i + 3] for i in range(0, len(told), 3)]
        assert letters == "".join(s + o + v for s, v, o in clauses)
        assert all(
            words.index(v) >= NOUNS > max(words.index(s), words.index(o)) for s, v, o in clauses
        )


def test_no_split_has_a_pair_of_another():
    splits = TransductionData(size=2, train=200, held_out=20).load()
    pairs = [pair for part in splits.values() for pair in part]
    assert len(set(pairs)) == 240
    assert [len(splits[name]) for name in ("train", "valid", "test")] == [200, 20, 20]
    assert digest(splits) != digest(splits | {"test": splits["valid"]})
    for pairs in ("trees", "order"):
        with pytest.raises(ValueError, match=r"data.size is 1 and data.train \d+: expected"):
            TransductionData(pairs=pairs, size=1, train=20_000)


def test_until_failure_by_hand():
    assert until_failure([4, 5, END], [4, 5, END]) == 1
    assert until_failure([4, 6, END], [4, 5, END]) == pytest.approx(1 / 3)
    assert until_failure([4, 5], [4, 5, END]) == pytest.approx(2 / 3)
    assert until_failure([4, 5, END, 7], [4, 5, END]) == 1
    assert until_failure([], [4]) == 0


def test_what_is_measured_is_worked_out_by_hand(monkeypatch):
    numbered = NumberedPairs.of(PAIRS, *symbols())
    task, model = TransductionTask({"test": numbered, "train": numbered}, 2), small(heads="none")
    said = [row[:number].tolist() for row, number in zip(*numbered[2:], strict=True)]
    said[0] = [*said[0][:3], END]
    monkeypatch.setattr(task_module, "translations", lambda model, asked, dice: said)
    found = task.evaluate(model, "test")
    assert found["sequences"].mean == 0.5
    assert found["until_failure"].mean == pytest.approx((3 / 6 + 1) / 2)
    total = model.loss(*numbered[:3]).sum().detach()
    assert found["loss"].total == pytest.approx(float(total), rel=1e-5)
    assert set(task.evaluate(model, "train")) == {"loss"}
    step = task.loss(model, task.collate("train", (torch.tensor([0, 1]),)), (), seeded(0))
    assert step.weight == 8
    torch.testing.assert_close(step.loss_sum.detach(), total)


@pytest.mark.usefixtures("shapes_unchecked")
@pytest.mark.parametrize(
    ("heads", "align"),
    [
        *[(heads, "softmax") for heads in ("simple", "sigmoid", "projective", "non-projective")],
        *[("none", align) for align in ("sigmoid", "linear-chain", "segments")],
    ],
)
def test_every_part_can_be_trained_and_asked(heads, align):
    model = small(heads=heads, align=align)
    numbered = NumberedPairs.of(PAIRS, *symbols())
    model.loss(*numbered[:3]).sum().backward()
    assert all(weight.grad is not None for weight in model.parameters())
    answer = transduce(model.eval(), symbols(), "( + 1 9 )")
    assert answer.unknown_words == ("9",)
    of_heads = [step for step in answer.steps if step.name.startswith("head of ")]
    assert len(of_heads) == (0 if heads == "none" else 5)
    for step in of_heads:
        total = sum(support.weight for support in step.supports)
        if heads != "sigmoid":
            assert total == pytest.approx(1, abs=1e-5) or heads not in ("none", "simple")
            assert total <= 1 + 1e-5
    assert transduce(model, symbols(), "").text == ""
    with pytest.raises(ValueError, match=f"has 501 symbols; expected at most {MOST_SYMBOLS}"):
        transduce(model, symbols(), "1 " * 501)


def test_a_ragged_batch_reads_heads_as_each_alone():
    model = small(heads="projective").double()
    numbered = NumberedPairs.of(PAIRS, *symbols())
    together = model.loss(*numbered[:3])
    for row, pair in enumerate(PAIRS):
        alone = NumberedPairs.of([pair], *symbols())
        torch.testing.assert_close(model.loss(*alone[:3])[0], together[row], rtol=1e-10, atol=0)


def test_recipes_build_what_they_say():
    built = trees().model.build(symbols())
    assert isinstance(built.source, WithHeads)
    assert isinstance(built.source.heads, SoftParents)
    assert built.source.heads.trees is ProjectiveTrees
    aligns = {
        "linear-chain": LinearChain,
        "segments": Segments,
    }
    for name, kind in aligns.items():
        decoder = small(heads="none", align=name).decoder
        assert isinstance(decoder.reader.attention.align, kind)
    assert order().data.pairs == "order"


def test_a_run_is_trained_opened_and_asked(run):
    answerer = load_run(run.folder.path)
    answer = answerer.ask("( + 1 ( * 2 3 ) )")
    assert answer.question == "( + 1 ( * 2 3 ) )"
    assert any(step.name == "head of +" for step in answer.steps)
    example = next(answerer.examples("test", 0))
    assert example.gold is not None


def test_the_table_is_planned():
    planned = table("structured-attention")
    rows = [entry.row for entry in planned.entries]
    assert {"trees, simple", "trees, projective", "order, simple", "order, linear chain"} <= set(
        rows
    )
    assert len({str(to_json(entry.run)) for entry in planned.entries}) == len(rows) == 9
    assert {name for pair in planned.contrasts for name in pair} <= set(rows)
