"""MemN2N's recipe on the real bAbI, through the command that a user types."""

import json

import pytest

from memnets.cli.main import main
from memnets.data.babi import TASKS, load_task
from memnets.tasks.stories import StoryVocabulary, number_stories

pytestmark = pytest.mark.data


@pytest.mark.parametrize(("task", "accuracy"), [(1, 0.995), (12, 0.95), (15, 0.95)])
def test_a_single_task_is_learnt_by_the_faithful_recipe(task, accuracy, babi_root, tmp_path):
    words = ["train", "memn2n/babi", "--data", str(babi_root), "--data.tasks", str(task)]
    assert main([*words, "--out", str(tmp_path / "run")]) == 0
    result = json.loads((tmp_path / "run" / "result.json").read_text())
    assert result["metrics"]["test"]["accuracy"] >= accuracy


@pytest.mark.parametrize("task", TASKS)
def test_the_training_file_prepares_for_the_test_file(task, babi_root):
    vocabulary = StoryVocabulary.of(load_task(task, "train", path=babi_root), memory=50)
    test = number_stories(load_task(task, "test", path=babi_root), vocabulary)
    assert test.number == 1000
    assert (test.answer >= 0).float().mean() > 0.99  # answers that were never seen: lists of task 8
