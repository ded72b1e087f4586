"""The solvers answer the generated and the official questions, and name the same proof."""

import pytest

from memnets.data.babi import Statement, Story, load_task
from memnets.data.babi_oracle import SOLVERS, solve
from memnets.data.babi_world import CHAPTERS, make_stories

# Official labels that the text does not bear out: file line of the question, and why.
EXCEPTIONS: dict[tuple[str, str, int], dict[int, str]] = {}


def differences(stories: list[Story]) -> dict[int, str]:
    """The questions, by line of the file, where the solver and the label differ."""
    found = {}
    for story in stories:
        for told, question in story.asked():
            solved = solve(story.task, told, question.text)
            if solved != (question.answer, question.supports):
                line = story.line + question.line - 1
                found[line] = f"{question} but {solved}"
    return found


def test_every_generated_task_has_a_solver():
    assert set(CHAPTERS) <= set(SOLVERS)


@pytest.mark.parametrize("task", CHAPTERS)
def test_generated_questions_are_answered_from_the_text(task):
    assert differences(make_stories(task, 997, seed=5)) == {}


@pytest.mark.data
@pytest.mark.parametrize("task", SOLVERS)
@pytest.mark.parametrize(
    ("folder", "split"), [("en", "train"), ("en", "test"), ("en-10k", "train")]
)
def test_official_questions_are_answered_from_the_text(babi_root, task, folder, split):
    if (task, folder) == (3, "en-10k"):
        pytest.skip("the large training file of task 3 is missing from most copies")
    stories = load_task(task, split, folder=folder, path=babi_root)
    assert set(differences(stories)) == set(EXCEPTIONS.get((folder, split, task), {}))


def test_what_cannot_be_solved_is_refused():
    told = [Statement(1, "Mary went to the office.")]
    with pytest.raises(ValueError, match=r"task=21: there is no solver .* Choose one of 1, 2, 3"):
        solve(21, told, "Where is Mary?")
    with pytest.raises(ValueError, match=r"'Who is Mary\?': the solver does not understand"):
        solve(1, told, "Who is Mary?")
    with pytest.raises(ValueError, match="nobody said where John went"):
        solve(1, told, "Where is John?")
    with pytest.raises(ValueError, match="nobody handled the milk"):
        solve(2, told, "Where is the milk?")
