"""How answers are weighed is learnt from what is there to choose by, not from what is reported."""

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file

from memnets.data.qa.asked import AskedQuestion
from memnets.evidence import Answer
from memnets.kb.programs.operators import Named, Path
from memnets.kb.programs.possible import Possible, probabilities
from memnets.kb.programs.running import Outcome
from memnets.kb.programs.understood import Understood
from memnets.results import read as read_result
from memnets.studies.kb_qa import reranking
from memnets.studies.kb_qa.inference import KBAnswer
from memnets.studies.kb_qa.reranking import AnswerReranker
from memnets.studies.kb_qa.voices import Voices
from memnets.studies.kb_qa.weighing import LEAST
from tools.weighing import __main__ as weighing
from tools.weighing import training
from tools.weighing.__main__ import given, judged
from tools.weighing.hearing import CHAINED, LACKING, Heard
from tools.weighing.possible import fit_possible
from tools.weighing.training import TIMES, Lists, cooled, left_out, lists_of, loss, train


@pytest.fixture(autouse=True)
def _quickly(monkeypatch):
    monkeypatch.setattr(training, "HIDDEN", 4)
    monkeypatch.setattr(training, "EPOCHS", 20)
    monkeypatch.setattr(training, "BATCH", 16)


def lists(many=60, kbs="abc", seed=7):
    """Return questions with up to three answers, of which the one with the greater clue is right.

    None is right where the question's clue is 1.
    """
    draw = np.random.default_rng(seed)
    answers = draw.normal(size=(many, 3, 2)).astype(np.float32)
    there = np.arange(3) < draw.integers(1, 4, (many, 1))
    questions = draw.integers(0, 2, (many, 2)).astype(np.float32)
    right = np.zeros((many, 4), bool)
    best = np.where(there, answers[:, :, 0], -np.inf).argmax(1)
    right[np.arange(many), np.where(questions[:, 0] == 1, 3, best)] = True
    owners = np.array([*kbs] * (many // len(kbs)))
    return Lists(answers, there, questions, right, owners, np.ones(many))


def share_right(some, reranker):
    """Return how often the right one is the likeliest."""
    found = []
    for at in range(len(some.kbs)):
        there = some.there[at]
        told = reranker.probabilities(some.answers[at][there], some.questions[at])
        likeliest = np.argmax([*told, 1 - told.sum()])
        found.append(some.right[at, likeliest if likeliest < there.sum() else 3])
    return np.mean(found)


def heard(question, objects, right, kb="a", kind="question"):
    told = KBAnswer(
        Answer(question, ", ".join(objects), 0.9, (), ()), objects, (), (), by_words=True
    )
    return Heard(
        kb, AskedQuestion(question, right, kind), Voices(told, Understood((), ()), objects)
    )


def test_what_is_learnt_tells_the_right_answer_from_others_and_from_none():
    some = lists(300)
    assert share_right(lists(seed=8), train(some, networks=1)) > 0.8
    some.right[:] = some.right[::-1].copy()  # of other questions
    assert share_right(lists(seed=8), train(some, networks=1)) < 0.7


def test_what_is_trained_is_what_is_asked(monkeypatch):
    """The scores in torch give the probabilities that NumPy tells."""
    monkeypatch.setattr(training, "DROPPED", 0.0)
    some = lists()
    learnt = train(some, networks=1)
    mean, deviation = learnt.weights["mean"], learnt.weights["deviation"]
    x = np.concatenate([some.answers, np.repeat(some.questions[:, None], 3, 1)], 2)
    x = torch.from_numpy(((x - mean) / deviation).clip(-4, 4))
    w = {name: torch.from_numpy(one)[0] for name, one in learnt.weights.items() if one.ndim > 1}
    told = torch.softmax(training._scores(w, x, torch.from_numpy(some.there)), 1)[:, :-1]
    for at, there in enumerate(some.there):
        found = learnt.probabilities(some.answers[at][there], some.questions[at])
        assert found == pytest.approx(told[at][there].numpy(), abs=1e-5)
        assert (told[at][~there] == 0).all()


def test_every_knowledge_base_weighs_the_same_and_those_that_nobody_read_more(monkeypatch):
    some = lists()
    many = some[np.concatenate([np.arange(60), *[np.flatnonzero(some.kbs == "a")] * 3])]
    assert many.shares[many.kbs == "a"].sum() == pytest.approx(len(many.kbs) / 3)
    monkeypatch.setattr(training, "UNREAD", ("b",))
    assert some.shares[some.kbs == "b"].sum() == pytest.approx(60 * TIMES / (TIMES + 2))
    assert some.shares.sum() == pytest.approx(60)
    some.counts[:3] = 0.25  # one of each
    assert some.shares.sum() == pytest.approx(60)
    assert some.shares[:3] == pytest.approx(some.shares[3:6] / 4)
    assert (left_out(some), left_out(some[some.kbs != "b"])) == (["b"], ["a", "c"])


def test_of_what_contradicts_itself_that_is_learnt_which_counts_more(monkeypatch):
    monkeypatch.setattr(training, "UNREAD", ("b",))
    monkeypatch.setattr(training, "TIMES", 100)
    some = lists(200, kbs="ab")
    mine = some[some.kbs == "b"]
    some.answers[some.kbs == "a"] *= -1  # the one with the lesser clue is right there
    assert share_right(mine, train(some, networks=1)) > 0.8


def test_the_loss_is_that_of_what_is_right_and_cooler_scores_are_less_sure():
    some = lists(6)
    learnt = train(some, networks=2)
    by_hand = 0.0
    for at, there in enumerate(some.there):
        told = learnt.probabilities(some.answers[at][there], some.questions[at])
        by_hand -= np.log([*told, 1 - told.sum()][min(some.right[at].argmax(), there.sum())])
    assert loss(some, learnt) == pytest.approx(by_hand, rel=1e-4)
    cool, there = cooled(learnt, 1e6), some.there[0]
    told = cool.probabilities(some.answers[0][there], some.questions[0])
    assert told == pytest.approx(np.full(there.sum(), 1 / (there.sum() + 1)), abs=1e-4)
    nothing = some[:1]
    nothing.there[:] = False
    nothing.right[:] = [False, False, False, True]
    assert loss(nothing, learnt) == 0


def test_what_may_be_asked_is_fitted_to_what_is_right_or_to_none():
    """Rome is right where something is said of it; and once nothing is that the names lead to."""

    def speaks(heard):
        return {"said": heard, "means": 0.0}

    def asked(said, right):
        towns = [
            Possible(Path(Named(("Ada",)), (town,)), Outcome((town,), 1, ()), speaks(heard))
            for town, heard in said.items()
        ]
        told = KBAnswer(Answer("q", "", 0.9, (), ()), (), (), ())
        return Heard(
            "a", AskedQuestion("q", right), Voices(told, Understood((), ()), (), {}, towns)
        )

    good = [asked({"Rome": 1.0, "Bari": 0.0}, ("Rome",))] * 9
    none = [asked({"Rome": 0.0, "Bari": 0.0}, ())] * 9
    weights = fit_possible([*good, *none])
    likely = [probabilities(one.voices.possible, weights) for one in (good[0], none[0])]
    assert likely[0][0] > 0.9
    assert sum(likely[1]) < 0.3
    assert fit_possible(good)["none"] < weights["none"]


def test_what_is_absent_is_right_where_nothing_answers_and_so_is_none():
    def asked(said, absent, right):
        ways = [
            Possible(Path(Named(("Ada",)), ("town",)), Outcome(objects, len(objects), ()), of)
            for objects, of in (
                (("Rome",), {"said": said, "means": 0.0}),
                ((), {"said": absent, "means": 0.0}),
            )
        ]
        told = KBAnswer(Answer("q", "", 0.9, (), ()), (), (), ())
        return Heard("a", AskedQuestion("q", right), Voices(told, Understood((), ()), (), {}, ways))

    rome, absent, none = asked(1.0, 0.0, ("Rome",)), asked(0.0, 1.0, ()), asked(0.0, 0.0, ())
    weights = fit_possible([rome, absent, none] * 9)
    likely = [probabilities(one.voices.possible, weights) for one in (rome, absent, none)]
    assert likely[0][0] > 0.9
    assert likely[1][1] > 0.9
    assert likely[2][0] < 0.2


class Told(AnswerReranker):
    """Says of every answer what it was told."""

    def __init__(self, told):
        self.told = told

    def probabilities(self, answers, question):
        return np.full(len(answers), self.told)


def test_every_answer_that_might_be_given_is_judged():
    none = heard("who?", (), ("Di",))
    found = lists_of([heard("who?", ("Bo",), ("Bo",)), heard("who?", ("Cy",), (), kb="b"), none])
    assert found.right.tolist() == [[True, False], [False, True], [False, True]]
    assert found.there.tolist() == [[True], [True], [False]]
    assert found.kbs.tolist() == ["a", "b", "a"]
    assert (found.answers[2] == 0).all()


def test_an_answer_that_is_likelier_wrong_is_not_given():
    one = heard("who?", ("Bo",), ("Bo",))
    assert given(one, Told(0.9)) == (("Bo",), 0.9)
    assert judged([one], lambda kb: Told(0.9))[0].verdict == "right"
    learnt = KBAnswer(one.voices.answer.answer, ("Bo",), (), ())  # and not by words
    doubted = Heard("a", one.asked, one.voices._replace(answer=learnt))
    assert given(doubted, Told(LEAST)) == (("Bo",), LEAST)
    assert given(doubted, Told(LEAST - 0.01)) == ((), 1.0)


def test_each_is_left_out_in_turn_and_what_was_trained_is_written(monkeypatch, tmp_path):
    def asked(kb, right):
        town = Possible(
            Path(Named(("Ada",)), ("town",)), Outcome(("Rome",), 1, ()), {"said": 1.0, "means": 0.0}
        )
        told = KBAnswer(Answer("q", "", 0.9, (), ()), (), (), ())
        return Heard(
            kb, AskedQuestion("q", right), Voices(told, Understood((), ()), (), {}, [town])
        )

    monkeypatch.setattr(training, "UNREAD", ("b", "c"))
    monkeypatch.setattr(weighing, "UNREAD", ("b", "c"))
    monkeypatch.setattr(reranking, "WEIGHTS", tmp_path / "reranker.safetensors")
    learnt_from = []

    def spied(some, networks=1):
        learnt_from.append({*some.kbs.tolist()})
        return train(some, networks)

    monkeypatch.setattr(weighing, "train", spied)
    typed = [asked(kb, ("Rome",)) for kb in "abc" * 6]
    lines = [*weighing.report([*typed, heard("what?", (), (), kind=CHAINED)], tmp_path)]
    assert lines[:2] == ["18 questions were typed, and 1 made", "18 answers that might be given"]
    assert lines[2] == "scores are divided by 0.8"  # Rome is always right
    tables = [one.split()[0] for one in lines if one.startswith("  ") and "%" in one]
    assert tables == ["b", "c", "a", "a", "b", "c"]
    assert lines[-1] == "}"
    assert load_file(tmp_path / "reranker.safetensors").keys() == train(lists(9), 1).weights.keys()
    assert learnt_from == [{"a", "c"}, {"a", "b"}, {"a", "b", "c"}, {"b", "c"}]
    told = read_result(tmp_path / "strangers-unread.json")
    assert told.config == {"knowledge bases": 2, "questions": 12, "left out": 0, "read": 6}
    shares = {(row.row, row.metric): row.measured for row in told.rows}
    assert shares["right", "question (12)"] == 100
    assert shares["wrong", "question (12)"] == shares["wrong and above 90 %", "question (12)"] == 0
    assert shares["right", "all that were read (6)"] == 100


def test_questions_that_lack_an_answer_count_less():
    some = [heard("who", ("Bo",), ()), heard("who", ("Bo",), (), kind=LACKING)]
    every = lists_of(some)
    assert every.counts.tolist() == [1.0, training.LESS]
    even = AnswerReranker({**train(every, 1).weights})
    one, two = (loss(every[[at]], even) for at in range(2))
    assert two == pytest.approx(training.LESS * one)
    assert loss(every, even) == pytest.approx(one + two)
