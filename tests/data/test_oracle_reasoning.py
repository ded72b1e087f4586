"""What the solvers of tasks 4 and 15 to 20 say where the text does not answer."""

import pytest

from memnets.data.babi import Statement
from memnets.data.babi.solve import Solved, solve
from memnets.data.babi.solve.comparisons import proofs


def told(*texts: str) -> list[Statement]:
    return [Statement(line, text) for line, text in enumerate(texts, 1)]


@pytest.mark.parametrize(
    ("task", "texts", "question", "error"),
    [
        (
            4,
            ("The office is north of the garden.",),
            "Where is the office?",
            r"'Where is the office\?': the solver does not understand",
        ),
        (
            4,
            ("The office is north of the garden.",),
            "What is north of the office?",
            r"What is north of the office\? Nothing told says so",
        ),
        (
            19,
            ("The office is north of the garden.", "The hallway is east of the kitchen."),
            "How do you go from the office to the kitchen?",
            "no two facts lead from the office to the kitchen",
        ),
        (
            15,
            ("Emily is a wolf.",),
            "What is emily afraid of?",
            "nobody said what a wolf fears",
        ),
        (15, ("Cats are afraid of mice.",), "What is emily afraid of?", "what emily is"),
        (16, ("Lily is a swan.",), "What color is Lily?", "Lily is the only swan told of"),
        (20, ("Yann is tired.",), "Where will sumit go?", "nobody said what sumit is"),
        (
            20,
            ("Yann is happy.",),
            "Where will yann go?",
            "nobody knows where one goes who is happy",
        ),
        (
            18,
            ("The box fits inside the chest.",),
            "Is the box bigger than the chest?",
            r"Is the box bigger than the chest\? No two facts lead",
        ),
    ],
)
def test_what_the_text_does_not_answer_is_refused(task, texts, question, error):
    with pytest.raises(ValueError, match=error):
        solve(task, told(*texts), question)


def test_something_told_twice_proves_it_twice():
    facts = told(
        "The box fits inside the chest.",
        "The chest is bigger than the box.",
        "The suitcase is bigger than the chest.",
    )
    assert proofs(facts, "Is the box bigger than the suitcase?") == [
        Solved("no", (1, 3)),
        Solved("no", (2, 3)),
    ]
    assert proofs(facts, "Does the box fit in the suitcase?") == [
        Solved("yes", (3, 1)),
        Solved("yes", (3, 2)),
    ]
    assert solve(18, facts, "Does the suitcase fit in the box?") == Solved("no", (1, 3))


def test_the_last_told_of_a_species_decides_its_colour():
    facts = told(
        "Lily is a swan.",
        "Brian is a swan.",
        "Brian is white.",
        "Lily is gray.",
        "Greg is a swan.",
    )
    assert solve(16, facts, "What color is Greg?") == Solved("white", (5, 2, 3))


def test_a_shape_beside_the_other_is_not_above_it():
    facts = told("The triangle is above the red square.", "The red square is below the red sphere.")
    for relation in ("above", "below", "to the left of", "to the right of"):
        assert solve(17, facts, f"Is the triangle {relation} the red sphere?").answer == "no"
    facts = told("The triangle is above the red square.", "The red sphere is below the red square.")
    assert solve(17, facts, "Is the triangle above the red sphere?") == Solved("yes", (1, 2))
    assert solve(17, facts, "Is the red sphere above the triangle?") == Solved("no", (2, 1))
