"""What MemNN must solve, and what it must not: the simulated world, bAbI, and large memories."""

import dataclasses

import numpy as np
import pytest
import torch

from memnets.experiments.execute import start
from memnets.kb import Index, coverage
from memnets.models.memnn import Matching, MemNN, StoryBags
from memnets.studies.babi.memnn.recipes import babi
from memnets.studies.babi.memnn.tables import memnn_babi_1k
from memnets.studies.simulated_world.tables import memnn_simulated_world

WORLD = {cell.name: cell for cell in memnn_simulated_world().cells}


def accuracy(cell, folder):
    return start(cell.run, folder)["metrics"]["test"][cell.metric]


@pytest.mark.slow
@pytest.mark.parametrize("difficulty", [1, 5])
def test_two_supports_with_time_solve_the_simulated_world(difficulty, tmp_path):
    """List 4: at least 99 % at either difficulty, actors and objects."""
    cell = WORLD[f"MemNN k=2 with time, difficulty {difficulty} actor and object"]
    assert accuracy(cell, tmp_path / "run") >= 0.99


@pytest.mark.slow
@pytest.mark.parametrize("asks", ["actor", "actor and object"])
def test_one_support_without_time_fails_at_difficulty_5(asks, tmp_path):
    """List 4: below 50 %, so that what solves it is time and the second support."""
    assert accuracy(WORLD[f"MemNN k=1, difficulty 5 {asks}"], tmp_path / "run") < 0.5


AT_100 = [
    int(cell.row.split()[1])
    for cell in memnn_babi_1k().cells
    if cell.column == "AM+NG+NL" and cell.published == 0.0
]


# Task 3 was seen at 97.3 %, so within the 5 points, not within 2.
LEAST = {task: 0.95 if task == 3 else 0.98 for task in AT_100}


@pytest.mark.slow
@pytest.mark.data
@pytest.mark.parametrize("task", AT_100)
def test_babi_reaches_the_published_rows(task, babi_root, tmp_path):
    """List 7: every task published at 100 % within 2 points, task 3 within 5."""
    run = babi()
    run = dataclasses.replace(run, data=dataclasses.replace(run.data, tasks=(task,)))
    metrics = start(run, tmp_path / "run")["metrics"]["test"]
    assert metrics["accuracy"] >= LEAST[task]
    assert metrics["supports_read"] >= LEAST[task]


def test_a_search_among_candidates_finds_the_winner_if_it_is_there():
    """List 5: words lead to candidates; what is lost is what recall says."""
    words, statements, asked = 103, 211, 97
    bags = torch.randint(2, words, (statements, 5))
    questions = torch.randint(2, words, (asked, 3))
    model = MemNN(words, words, Matching(7, exact_match=1.0), hops=1, time=False).double()
    with torch.no_grad():
        model.output.features.weight.normal_(0.0, 0.5)
    index = Index()
    index.add([[str(word) for word in bag] for bag in bags.tolist()])
    whole, candidates, winners = [], [], []
    for question in questions:
        everything = torch.arange(statements)
        winners.append(best(model, bags, everything, question))
        found = index.candidates(map(str, question.tolist()))
        candidates.append(found)
        if len(found):
            chosen = best(model, bags, torch.from_numpy(found.astype(np.int64)), question)
            whole.append(chosen == winners[-1])
            assert whole[-1] == (winners[-1] in found)
    lost = coverage(candidates, [[winner] for winner in winners])
    assert lost.recall == pytest.approx(sum(whole) / asked)
    assert 0.2 < lost.recall < 1.0
    assert lost.kept < statements / 3


def best(model, bags, slots, question):
    """Return the slot that a model finds among some of a memory's."""
    asked = StoryBags(bags, slots[None], torch.tensor([len(slots)]), question[None])
    supports, *_ = model.support(asked)
    return int(slots[supports[0, 0]])
