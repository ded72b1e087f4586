"""What an episode's task counts and teaches, by hand: a model that reads what it is told to."""

import math
from types import SimpleNamespace

import pytest
import torch
from torch import nn
from torch.testing import assert_close

from memnets.attention import Readout
from memnets.tasks import episodes
from memnets.tasks.episodes import EpisodeTask, Weights, by_age, same_words
from memnets.tasks.supported import SupportedQuestions
from memnets.tasks.supports import LOST

# Three questions on stories of three, three and two sentences; the last has lost a support.
QUESTIONS = SupportedQuestions(
    sentences=torch.zeros(4, 1, dtype=torch.long),
    story=torch.tensor([[1, 2, 3], [1, 2, 3], [1, 2, 0]]),
    length=torch.tensor([3, 3, 2]),
    question=torch.zeros(3, 1, dtype=torch.long),
    supports=torch.tensor([[1, 2], [0, -1], [1, LOST]]),
    answer=torch.tensor([[4], [5], [6]]),
    task=torch.tensor([1, 2, 2]),
)


class Scripted(nn.Module):
    """Reads so much of every slot, hop by hop: `(question, hop, slot)`, and says 4, 9, 6."""

    def __init__(self, read, ends, compete=True):
        super().__init__()
        self.hops = tuple(
            Readout(one, one, scores=one.log()) for one in read.unsqueeze(2).unbind(1)
        )
        align = SimpleNamespace(sums_to=1.0 if compete else None)
        self.memory = SimpleNamespace(end=object() if ends else None, align=align)
        self.head = SimpleNamespace(
            loss=lambda memory, asked, said: torch.tensor([1.0, 2.0, 6.0])[: len(read)],
            words=lambda scores: torch.tensor([[4], [9], [6]])[: len(read)],
        )

    def forward(self, *asked):
        return SimpleNamespace(hops=self.hops, memory=None, asked=None, scores=None)

    def loss(self, *asked):
        return torch.tensor([1.0, 2.0, 6.0]), SimpleNamespace(hops=self.hops)


READ = torch.tensor(
    [
        [[0.2, 0.7, 0.1], [0.1, 0.3, 0.6]],  # both supports
        [[0.1, 0.6, 0.3], [0.2, 0.5, 0.3]],  # not the support
        [[0.1, 0.3, 0.6], [0.5, 0.4, 0.1]],  # the one that is held; most of what nobody told
    ]
)
READ_WITH_END = torch.tensor(
    [
        [[0.1, 0.2, 0.6, 0.1], [0.7, 0.1, 0.1, 0.1]],  # a support, then the end
        [[0.4, 0.3, 0.2, 0.1], [0.1, 0.6, 0.2, 0.1]],  # the end: what comes after it is not read
        [[0.2, 0.1, 0.3, 0.4], [0.1, 0.2, 0.3, 0.4]],
    ]
)


@pytest.mark.parametrize(
    ("ends", "read_all", "read_some"),
    [(False, [True, False, False], [True, False, True]), (True, [False] * 3, [True, False, True])],
)
def test_figures_by_hand(ends, read_all, read_some):
    read = READ_WITH_END if ends else READ
    task = EpisodeTask({"valid": QUESTIONS}, batch=2)
    found = {
        name: ratio.mean for name, ratio in task.evaluate(Scripted(read, ends), "valid").items()
    }
    each = {
        "loss": [1.0, 2.0, 6.0],
        "accuracy": [True, False, True],
        "supports_read": read_all,
        "supports_chance": [2 / 9, 5 / 9, 0.0],  # of nine ways to read two of three
        "gold_read": read_some,
        "entropy": (-(read * read.log()).sum(-1)).mean(-1).tolist(),
    }
    expected = {name: sum(values) / 3 for name, values in each.items()}
    for name in each.keys() - {"loss"}:
        expected |= {f"{name}/1": float(each[name][0]), f"{name}/2": sum(each[name][1:]) / 2}
    assert found == pytest.approx(expected | {"ago/2": 1.0, "ago/4": 0.0}, abs=1e-6)
    # One question alone is counted as beside others.
    alone = EpisodeTask({"valid": QUESTIONS.take(torch.tensor([0]))}, batch=2)
    single = alone.evaluate(Scripted(read[:1], ends), "valid")
    for name in each:
        assert single[name].mean == pytest.approx(float(each[name][0]), abs=1e-6)
    assert task.batch == 2
    assert task.unit == "questions"


class ByRow(Scripted):
    """The same, of whichever questions are asked: their words are their numbers."""

    def __init__(self, read, ends):
        super().__init__(read, ends)
        self.read = read
        costs, words = torch.tensor([1.0, 2.0, 6.0]), torch.tensor([[4], [9], [6]])
        self.head = SimpleNamespace(
            loss=lambda memory, asked, said: costs[memory], words=lambda scores: words[scores]
        )

    def forward(self, sentences, story, length, question):
        rows = question[:, 0]
        parts = self.read[rows].unsqueeze(2).unbind(1)
        hops = tuple(Readout(part, part, scores=part.log()) for part in parts)
        return SimpleNamespace(hops=hops, memory=rows, asked=None, scores=rows)


@pytest.mark.parametrize("ends", [False, True])
@pytest.mark.parametrize("most", [1, 2, 3])
def test_asked_in_parts_the_figures_are_the_same(ends, most, monkeypatch):
    read = READ_WITH_END if ends else READ
    expected = EpisodeTask({"valid": QUESTIONS}, batch=2).evaluate(Scripted(read, ends), "valid")
    monkeypatch.setattr(episodes, "EVALUATION_BATCH", most)
    asked = QUESTIONS._replace(question=torch.arange(3)[:, None])
    found = EpisodeTask({"valid": asked}, batch=2).evaluate(ByRow(read, ends), "valid")
    assert found.keys() == expected.keys()
    for name, ratio in expected.items():
        assert found[name].total == pytest.approx(ratio.total, abs=1e-6), name
        assert found[name].weight == ratio.weight, name


@pytest.mark.parametrize("ends", [False, True])
@pytest.mark.parametrize("ordered", [False, True])
@pytest.mark.parametrize("compete", [False, True])
def test_what_is_taught_by_hand(ends, ordered, compete):
    read = READ_WITH_END if ends else READ
    first = int(ends)
    told = torch.tensor([[number < length + first for number in range(read.shape[-1])]
                         for length in (3, 3, 2)])  # fmt: skip
    # Hop by hop the slots that are to be read, each with an equal share.
    end = [0] if ends else []
    wanted = [[[1 + first], [2 + first]], [[first], end], [[1 + first], []]]
    if not ordered:
        wanted = [[[1 + first, 2 + first]] * 2, [[first]] * 2, [[1 + first]] * 2]
    evidence = 0.0
    for row, hops in enumerate(wanted):
        for hop, slots in enumerate(hops):
            weights = read[row, hop][told[row]].tolist()
            if compete:
                shares = [weight / sum(weights) for weight in weights]
                evidence -= sum(math.log(shares[slot]) / len(slots) for slot in slots)
            elif slots:  # a gate is the logistic of a score, here of a weight's logarithm
                gates = [weight / (1 + weight) for weight in weights]
                opened = [gate if n in slots else 1 - gate for n, gate in enumerate(gates)]
                evidence -= sum(map(math.log, opened))
    task = EpisodeTask({"train": QUESTIONS}, batch=3, ordered=ordered)
    task.weigh(Weights(2.0, 0.5))
    batch = task.collate("train", (torch.arange(3),))
    step = task.loss(Scripted(read, ends, compete), batch, (), torch.Generator())
    assert_close(float(step.sums["answers"]), 9.0)
    assert_close(float(step.sums["evidence"]), evidence, rtol=1e-5, atol=0.0)
    assert_close(float(step.loss_sum), 18.0 + 0.5 * evidence, rtol=1e-5, atol=0.0)
    assert step.weight == 3


def test_no_questions_have_no_age_and_answers_are_alike_to_their_end():
    none = torch.zeros(0, 2, dtype=torch.long)
    assert by_age(none, none[:, 0]) == {}
    said, right = torch.tensor([[4], [4], [4]]), torch.tensor([[4, -1], [4, 0], [5, -1]])
    assert same_words(said, right).tolist() == [True, False, False]
    assert same_words(right, said).tolist() == [True, False, False]
    assert Weights() == (1.0, 0.0)
