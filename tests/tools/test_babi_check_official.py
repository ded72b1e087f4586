"""A check of the official files: halves are alike, and the kept statistics are theirs."""

import random

import pytest

from memnets.data.babi import Story, load_task
from tools.babi_check import official_statistics
from tools.babi_check.checking import compare, conclude
from tools.babi_check.reference import measure
from tools.babi_check.seen import look

pytestmark = pytest.mark.data


def official(root, task: int) -> list[list[Story]]:
    """The files that the kept statistics are of."""
    if task == 3:
        return [load_task(3, split, path=root) for split in ("train", "test")]
    return [load_task(task, "train", folder="en-10k", path=root)]


@pytest.mark.parametrize("task", [3, 15])
def test_the_kept_statistics_are_those_of_the_official_files(babi_root, task):
    kept, measured = official_statistics()[task], measure(look(task, official(babi_root, task)))
    plain = {"histograms": {}, "memory": kept.memory}
    assert kept._replace(**plain) == measured._replace(**plain)
    assert kept.memory.square.tolist() == measured.memory.square.tolist()
    assert kept.histograms.keys() == measured.histograms.keys()
    for name, (cells, sums) in kept.histograms.items():
        assert cells == measured.histograms[name].cells
        assert sums.square.tolist() == measured.histograms[name].moments.square.tolist()


@pytest.mark.parametrize("task", [3, 18, 20])
def test_two_halves_of_the_official_files_are_alike(babi_root, task):
    stories = [story for file in official(babi_root, task) for story in file]
    random.Random(7).shuffle(stories)
    half = len(stories) // 2
    standard = measure(look(task, [stories[:half]]))
    assert conclude([compare(task, [stories[half:]], standard)]).tasks[0].reasons == []


@pytest.mark.parametrize("task", [2, 14, 17])
def test_the_official_test_files_are_like_the_training_files(babi_root, task):
    stories = load_task(task, "test", path=babi_root)
    standard = official_statistics()[task]
    assert conclude([compare(task, [stories], standard)]).tasks[0].reasons == []
