"""Each rule of a check catches a story that breaks it, and names the line."""

import pytest

from memnets.data.babi.generate import make_stories
from memnets.data.babi.reader import parse_stories
from tools.babi_check.rules import RULES

BY_NAME = {rule.name: rule for rule in RULES}

BROKEN = [
    ("the answer follows", 1, "Mary went to the park.|Where is Mary? \toffice\t1", [2]),
    ("the answer follows", 1, "Mary went to the park.|Who is Mary? \tpark\t1", [2]),
    (
        "the answer follows",
        5,
        "Mary gave the milk to Fred.|Fred gave the milk to Mary.|Who gave the milk? \tBill\t2",
        [3],
    ),
    (
        "the answer follows",
        18,
        "The box fits inside the chest.|The chest fits inside the container.|"
        "Is the box bigger than the container?\tyes\t1 2",
        [3],
    ),
    ("space before the TAB", 1, "Mary went to the park.|Where is Mary?\tpark\t1", [2]),
    ("space before the TAB", 16, "Lily is a swan.|What color is Lily? \tgreen\t1", [2]),
    ("ends with a question", 1, "Where is Mary? \tpark\t|Mary went to the park.", [2]),
    ("told in pairs", 1, "Mary went to the park.|Where is Mary? \tpark\t1", [2]),
    ("goes elsewhere", 1, "Mary went to the park.|Mary moved to the park.", [2]),
    ("goes elsewhere", 11, "John went to the park.|Then he moved to the park.", [2]),
    ("goes elsewhere", 9, "Mary is in the park.|Mary moved to the park.", [2]),
    ("handles what he can", 2, "Mary got the milk there.|John got the milk there.", [2]),
    (
        "handles what he can",
        2,
        "Mary went to the office.|Mary left the milk.|John went to the garden.|"
        "John got the milk there.",
        [4],
    ),
    ("handles what he can", 2, "Mary got the milk there.|John left the milk.", [2]),
    (
        "handles what he can",
        7,
        "Mary went to the office.|John went to the garden.|Mary gave the milk to John.",
        [3],
    ),
    ("handles what he can", 7, "Mary gave the milk to Mary.", [1]),
    (
        "rooms on one axis",
        4,
        "The office is north of the garden.|The garden is east of the kitchen.",
        [2],
    ),
    (
        "rooms on one axis",
        4,
        "The office is north of the garden.|The garden is north of the office.",
        [2],
    ),
    (
        "asked of what was handled lately",
        7,
        "Mary got the milk there.|" + "John went to the park.|" * 5 + "How many objects is Mary "
        "carrying? \tone\t1",
        [7],
    ),
    ("negates what was known", 9, "Mary is in the park.|Mary is not in the office.", [2]),
    (
        "negates what was known",
        9,
        "Mary is not in the park.|Mary is no longer in the park.",
        [2],
    ),
    (
        "asks what was negated",
        9,
        "Mary is not in the park.|Is Mary in the office? \tno\t1",
        [2],
    ),
    (
        "one place at a time",
        14,
        "Yesterday Mary went to the park.|Mary moved to the school yesterday.",
        [2],
    ),
    ("pronoun fits", 11, "John went to the park.|Then she moved to the office.", [2]),
    ("pronoun fits", 13, "John and Mary went to the park.|Then she moved to the office.", [2]),
    ("two different people", 12, "John and John went to the park.", [1]),
    ("two different people", 12, "John went to the park.", [1]),
    ("fears are told first", 15, "Emily is a wolf.|Wolves are afraid of mice.", [1]),
    ("fears are told first", 15, "Wolves are afraid of wolves.", [1]),
    ("fears are told first", 15, "Cats are afraid of mice.|Cats are afraid of sheep.", [2]),
    ("one without a colour", 16, "Lily is green.|Lily is a swan.", [1]),
    (
        "one without a colour",
        16,
        "Lily is a swan.|Lily is green.|Greg is a frog.|What color is Greg?\tgreen\t1",
        [4],
    ),
    (
        "asks for the two ends",
        17,
        "The triangle is above the red square.|The red square is above the red sphere.|"
        "Is the triangle above the red square?\tyes\t1",
        [3],
    ),
    (
        "sizes have an order",
        18,
        "The box fits inside the chest.|The box is bigger than the chest.",
        [2],
    ),
    ("sizes have an order", 18, "The box fits inside the chocolate.", [1]),
    ("sizes have an order", 18, "The box of chocolates is bigger than the chest.", [1]),
    ("a tree of six rooms", 19, "The office is north of the garden.", [1]),
    ("feels, goes, takes", 20, "Yann went to the kitchen.", [1]),
    (
        "feels, goes, takes",
        20,
        "Yann is hungry.|Yann went to the kitchen.|Yann got the apple there.|Sumit is hungry.|"
        "Sumit went to the kitchen.|Sumit got the apple there.",
        [6],
    ),
    ("all four are done", 20, "Yann is hungry.|Where will yann go?\tkitchen\t1", [2]),
]


@pytest.mark.parametrize(("name", "task", "text", "lines"), BROKEN)
def test_a_broken_rule_names_its_lines(name, task, text, lines):
    numbered = "\n".join(f"{number} {line}" for number, line in enumerate(text.split("|"), 1))
    (story,) = parse_stories(numbered, task, "made")
    assert task in BY_NAME[name].tasks
    assert list(BY_NAME[name].broken(story)) == lines


def test_each_rule_has_a_story_that_breaks_it():
    assert {name for name, *_ in BROKEN} == set(BY_NAME)
    assert len(BY_NAME) == len(RULES)


@pytest.mark.parametrize("task", range(1, 21))
def test_generated_stories_keep_the_rules(task):
    stories = make_stories(task, 41, seed=3)
    for rule in RULES:
        if task in rule.tasks:
            for story in stories[:-1]:
                assert list(rule.broken(story)) == [], rule.name
