"""Networks over clues say which answer is right, or that none is."""

from dataclasses import replace

import numpy as np
import pytest

from memnets.evidence import Answer
from memnets.kb.programs.operators import Named, Path
from memnets.kb.programs.possible import WEIGHTS, Possible
from memnets.kb.programs.running import Outcome
from memnets.kb.programs.understood import Candidate, Understood
from memnets.studies.kb_qa.inference import KBAnswer
from memnets.studies.kb_qa.reranking import WITHIN, AnswerReranker, reranker
from memnets.studies.kb_qa.voices import Voices, meant_of, options
from memnets.studies.kb_qa.weighing import ALONE, BY_WORDS, TOLD, weigh


def random_weights(networks=2, answer=3, question=2, hidden=4):
    def draw(size):
        return np.random.default_rng(sum(np.atleast_1d(size))).normal(size=size).astype(np.float32)

    return {
        "mean": draw(size=answer + question), "deviation": abs(draw(size=answer + question)) + 0.5,
        "hidden": draw(size=(networks, answer + question, hidden)),
        "bias": draw(size=(networks, hidden)), "out": draw(size=(networks, hidden)),
        "none.hidden": draw(size=(networks, question + hidden, hidden)),
        "none.bias": draw(size=(networks, hidden)), "none.out": draw(size=(networks, hidden)),
    }  # fmt: skip


def by_loops(w, answers, question):
    """Return the same by the equation, number by number."""
    told = np.zeros(len(answers))
    for e in range(len(w["hidden"])):
        asked = (question - w["mean"][3:]) / w["deviation"][3:]
        asked = np.clip(asked, -WITHIN, WITHIN)
        hidden = []
        for one in answers:
            x = np.clip((one - w["mean"][:3]) / w["deviation"][:3], -WITHIN, WITHIN)
            hidden.append(np.maximum([*x, *asked] @ w["hidden"][e] + w["bias"][e], 0))
        most = np.max(hidden, 0)
        none = np.maximum([*asked, *most] @ w["none.hidden"][e] + w["none.bias"][e], 0)
        scores = [*(h @ w["out"][e] for h in hidden), none @ w["none.out"][e]]
        told += np.exp(scores[:-1]) / np.exp(scores).sum() / len(w["hidden"])
    return told


def test_probabilities_are_those_of_the_equation():
    w, draw = random_weights(), np.random.default_rng(4).normal
    answers, question = draw(size=(3, 3)).astype(np.float32), draw(size=2).astype(np.float32)
    answers[0, 0] = 1e3  # no clue counts beyond four deviations
    told = AnswerReranker(w).probabilities(answers, question)
    assert told == pytest.approx(by_loops(w, answers, question), rel=1e-4)
    assert 0 < told.sum() < 1


def test_the_one_of_the_package_reads_what_is_made_of_a_question():
    voices = asked("Bo", program("Cy"))
    weighed, weights = weigh(voices), reranker().weights
    assert len(weighed) == len(options(voices, meant_of(voices)))
    assert sum(one.probability for one in weighed) < 1
    assert weights["hidden"].shape[0] == weights["none.out"].shape[0] > 1
    assert reranker() is reranker()


def program(*answers):
    outcome = Outcome(answers, len(answers), ())
    return Candidate(Path(Named(("Ada",)), ("manager",)), 2.0, outcome)


def asked(objects, *programs, **of):
    answer = KBAnswer(Answer("q", objects, 0.7, (), ()), (objects,), (), (), **of)
    return Voices(answer, Understood(programs, ()), (objects,))


class Told(AnswerReranker):
    """Says what it was told, whatever is asked."""

    def __init__(self, *told):
        self.told = told

    def probabilities(self, answers, question):
        assert len(answers) == len(self.told)
        return np.array(self.told)


def test_answers_are_weighed_and_the_likeliest_is_first():
    voices = asked("Bo", program("Cy"))
    found = weigh(voices, Told(0.2, 0.7))
    assert [(one.objects, one.probability) for one in found] == [(("Bo",), 0.7), (("Cy",), 0.2)]
    assert [one.outcome for one in found] == [None, voices.understood.candidates[0].outcome]
    assert (
        weigh(Voices(KBAnswer(Answer("q", "", 0.7, (), ()), (), (), ()), Understood((), ()), ()))
        == []
    )


def test_no_answer_is_surer_than_that_the_name_is_meant_and_that_something_is_asked():
    voices = asked("Bo", program("Cy"), likeness=0.6)
    assert [one.probability for one in weigh(voices, Told(0.2, 0.7))] == [0.6, 0.2]
    nothing = voices._replace(understood=Understood((program("Cy"),), (), told=True))
    assert {one.probability for one in weigh(nothing, Told(0.2, 0.7))} == {TOLD}


def test_a_word_that_was_taught_is_as_sure_as_it_is_unless_something_else_is_understood():
    sure = asked("Bo", by_words=True, taught=True)
    assert weigh(sure, Told(0.2))[0].probability == 0.7
    assert weigh(sure, Told(0.8))[0].probability == 0.8
    strange = sure._replace(understood=Understood((), (), strange=3.0))
    counted = replace(sure.answer.answer, question="How many q")
    number = sure._replace(answer=replace(sure.answer, answer=counted))
    for doubted in (strange, number):
        assert weigh(doubted, Told(0.2))[0].probability == 0.2
    beside = asked("Bo", program("Cy"), by_words=True, taught=True)
    assert [one.probability for one in weigh(beside, Told(0.3, 0.2))] == [0.3, 0.2]
    nothing = asked("Bo", program(), by_words=True, taught=True)
    assert weigh(nothing, Told(0.2))[0].probability == 0.7


def test_what_words_that_nobody_taught_decide_is_given_but_not_surely():
    for taught, least in ((False, BY_WORDS), (True, 0.7)):
        for told in (0.2, 0.6, 0.8):
            answer = weigh(asked("Bo", by_words=True, taught=taught), Told(told))[0]
            assert answer.probability == max(told, least)
    assert weigh(asked("Bo", taught=True), Told(0.2))[0].probability == 0.2


def test_no_answer_is_surer_than_ninety_in_a_hundred_that_is_given_in_one_way_alone():
    both = asked("Bo", program("Cy"))  # the model and matching of strings say Bo
    assert [one.probability for one in weigh(both, Told(0.97, 0.02))] == [ALONE, 0.02]
    assert weigh(both, Told(0.02, 0.97))[0].probability == 0.97
    alone = both._replace(matched=())
    assert weigh(alone, Told(0.02, 0.97))[0].probability == ALONE


def test_what_the_names_lead_to_is_weighed_by_other_weights_where_they_are_given():
    path = Path(Named(("Ada",)), ("town",))
    rome, bari = (
        Possible(path, Outcome((town,), 1, ()), {"fits": fit, "means": 0.0})
        for town, fit in (("Rome", 1.0), ("Bari", 0.0))
    )
    voices = asked("Bo")._replace(possible=[rome, bari])
    weights = dict.fromkeys(WEIGHTS, 0.0) | {"fits": -5.0}
    assert weigh(voices, Told(0.1, 0.3, 0.2))[0].objects == ("Rome",)
    assert weigh(voices, Told(0.1, 0.3, 0.2), weights)[0].objects == ("Bari",)
