"""Sentences that were found are weighed by clues, whose weights are learnt from questions."""

import numpy as np
import pytest

from memnets.kb.documents.clues import Asked, Candidate, Clues, clues
from memnets.kb.documents.docstore import DocStore, build
from memnets.kb.documents.kinds import KINDS, fits, kinds_of
from memnets.kb.documents.ranking import Fields
from memnets.kb.documents.related import nearest, related, told_of
from memnets.kb.documents.reranking import LEARNT, Example, Reranker, fit, softmax
from memnets.kb.index.porter import porter
from memnets.kb.programs.associations import concepts

POOL = """# The Pool

## Sundays

We open at ten. A dog may not come in.

## Mondays

We open at seven. Ada Lind teaches beginners. The fee is 7 crowns.
"""


@pytest.fixture
def store(tmp_path):
    (tmp_path / "texts").mkdir()
    (tmp_path / "texts" / "pool.md").write_text(POOL)
    build(tmp_path / "texts", tmp_path / "my.docs")
    return DocStore.open(tmp_path / "my.docs")


def only(**weights):
    """Return a re-ranker by some clues alone."""
    return Reranker(Clues(*[0.0] * len(Clues._fields))._replace(**weights))


@pytest.mark.parametrize(
    ("question", "name", "right", "wrong"),
    [
        ("When do you open?", "hour or day", "We open at ten.", "We open late."),
        ("what are the opening hours", "hour or day", "Doors close on Friday.", "Doors close."),
        ("what year was it", "hour or day", "It was in 1911.", "It was 511."),
        ("Who teaches?", "who", "It is led by Ada.", "It is led by ada."),
        ("where is it", "where", "It is behind the barn.", "It is large."),
        ("Why?", "why", "Since it rains.", "It rains."),
        ("how much is a ticket", "price", "Adults pay nothing.", "Adults come in."),
        ("How many are there?", "number", "Eleven are.", "Some are."),
        ("how long does it take", "how long", "A week.", "A while."),
        ("how heavy is it", "size", "It has 3 kg.", "It is heavy."),
        ("how often", "how often", "Weekly.", "Now."),
        ("can i swim", "may I", "Swimming is forbidden.", "People swim."),
        ("what happens when it snows", "what if", "If it snows, wait.", "Wait."),
    ],
)
def test_a_kind_is_asked_for_and_told(question, name, right, wrong):
    (kind,) = (one for one in KINDS if one.name == name)
    assert kind in kinds_of(question)
    assert fits((kind,), right)
    assert not fits((kind,), wrong)


def test_a_question_of_no_kind_fits_nothing():
    assert kinds_of("the pool") == ()
    assert not fits((), "We open at ten.")


def test_words_of_one_concept_go_together():
    assert related(porter("salary"), porter("wage")) > 0.5
    assert related("salari", "wage") == related("wage", "salari")
    assert related("wage", "wage") == pytest.approx(1)
    assert related("wage", "xyzzy") == 0
    assert nearest("salari", ("xyzzy", "wage")) == related("salari", "wage")
    assert nearest("salari", ()) == 0


def test_concepts_are_found_of_every_word_that_is_told_but_irregular_ones():
    told = [
        (n, words[0]) for n, one in enumerate(concepts()) for words in one.asked if not words[1:]
    ]
    lost = {word for number, word in told if number not in told_of(porter(word))}
    assert len(told) > 9000
    assert lost <= {"dying", "lying", "tying"}


def test_clues_by_hand():
    fields = Fields(("it", "open", "at", "ten"), ("sunday",), ("pool",), ("pool",))
    around = frozenset({"it", "open", "at", "ten", "dog"})
    one = Candidate(3, "It opens at ten.", 2.0, fields, ("dog",), (), around)
    other = one._replace(score=4.0, previous=())
    asked = Asked.of(
        "when does it open at the pool with a dog", {"open": 1.0, "pool": 2.0, "dog": 5}
    )
    first, second = (Clues(*row) for row in clues(asked, [one, other]))
    assert (first.score, second.score) == (0.5, 1)
    assert (first.headings, first.title, first.whole) == (0, 2 / 8, 3 / 8)
    assert (first.previous, first.next, first.around) == (5 / 8, 0, 6 / 8)
    assert (first.opens, second.opens, first.refers) == (0, 1, 1)
    assert first.small == 2  # "it" and "at"
    assert first.length == pytest.approx(np.log(5))
    assert first.fits == 1
    assert clues(asked, []).shape == (0, len(Clues._fields))


def test_candidates_say_what_stands_around_them_below_their_heading_alone(store):
    _, found = store.candidates("when do you open? may a dog come")
    dog, ten, seven = sorted(found, key=lambda one: one.fields.own != ("a", *one.fields.own[1:]))
    assert dog.text == "A dog may not come in."
    assert dog.previous == ten.fields.own
    assert (ten.previous, dog.next, seven.previous) == ((), (), ())
    assert "ada" in seven.around
    assert "dog" in ten.around
    assert "ada" not in ten.around
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)


def test_weights_are_attention_and_order_what_is_found(store):
    found = store.ask("who teaches beginners on mondays, and the fee", most=50)
    assert sum(one.score for one in found) == pytest.approx(1)
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
    plain = store.ask("who teaches beginners on mondays, and the fee", most=50, reranker=None)
    assert {one[:1] + one[2:] for one in found} == {one[:1] + one[2:] for one in plain}


def test_a_clue_decides_where_it_alone_has_weight(store):
    asked = "when does it open on mondays"
    assert store.ask(asked, 1, only(headings=9.0))[0].line == 9
    assert store.ask(asked, 1, only(headings=-9.0))[0].line == 5
    # Of equal ones the first by BM25 stays first.
    assert [one.text for one in store.ask(asked, 9, only())] == [
        one.text for one in store.ask(asked, 9, None)
    ]


def test_nothing_found_is_nothing_weighed(store):
    assert store.ask("quarks and gluons?") == []
    assert softmax(np.zeros(0)).shape == (0,)


def test_what_is_learnt_takes_right_sentences_for_their_clues(store):
    generator = np.random.default_rng(0)
    examples = []
    for _ in range(23):
        rows = generator.normal(size=(7, len(Clues._fields)))
        examples.append(Example(rows, int(np.argmax(rows[:, 2] - 0.5 * rows[:, 5]))))
    weights = fit(examples)
    assert max(weights, key=abs) == weights[2] > 0 > weights[5]
    shares = [softmax(one.clues @ np.array(weights))[one.right] for one in examples]
    assert min(shares) > 1 / 7


def test_the_weights_are_where_the_loss_is_least():
    generator = np.random.default_rng(1)
    examples = [Example(generator.normal(size=(5, len(Clues._fields))), n % 5) for n in range(11)]
    weights = np.array(fit(examples, decay=0.5))
    # The gradient, from the loss's own differences, is nothing there.
    for place in range(len(weights)):
        step = np.eye(len(weights))[place] * 1e-5
        slope = _loss(examples, weights + step, 0.5) - _loss(examples, weights - step, 0.5)
        assert abs(slope / 2e-5) < 1e-4
    assert np.array_equal(weights, fit(examples, decay=0.5))


def _loss(examples, weights, decay):
    """The formula as it stands."""
    lost = [-np.log(softmax(one.clues @ weights)[one.right]) for one in examples]
    return sum(lost) + decay / 2 * weights @ weights


@pytest.mark.parametrize(("examples", "decay"), [([], 0.1), ([Example(np.zeros((1, 14)), 0)], 0)])
def test_nothing_is_learnt_from_nothing(examples, decay):
    with pytest.raises(ValueError, match=rf"fit: {len(examples)} examples and a decay of {decay}"):
        fit(examples, decay)


def test_what_was_learnt_speaks_for_shared_words_and_the_kind_of_answer():
    weights = LEARNT.weights
    assert min(weights.score, weights.title, weights.whole, weights.related, weights.fits) > 1
