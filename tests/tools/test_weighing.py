"""How answers are weighed is fitted to what is there to choose by, not to what is reported."""

import numpy as np
import pytest

from memnets.data.qa.asked import AskedQuestion
from memnets.evidence import Answer
from memnets.kb.programs.operators import Named, Path
from memnets.kb.programs.possible import Possible, probabilities
from memnets.kb.programs.running import Outcome
from memnets.kb.programs.understood import Understood
from memnets.studies.kb_qa.inference import KBAnswer
from memnets.studies.kb_qa.weighing import SMALL, Voices
from tools.weighing import (
    CONSTANT,
    TABLES,
    TIMES,
    UNREAD,
    Heard,
    Options,
    chosen,
    fit,
    fit_possible,
    given,
    judged,
    left_out,
    left_out_loss,
    loss,
    options_of,
)

pytest.importorskip("sklearn")


def answers(right, *, kbs="abc", noise=0.0):
    """Return answers of which "good" ones are right."""
    random = np.random.default_rng(7)
    good = np.array(right, float)
    values = np.stack([np.ones(len(good)), good + noise * random.normal(size=len(good))], 1)
    return Options(("1", "good"), values, good > 0, np.array([*kbs] * (len(good) // len(kbs))))


def heard(question, objects, right, kb="a"):
    told = KBAnswer(
        Answer(question, ", ".join(objects), 0.9, (), ()), objects, (), (), by_words=True
    )
    return Heard(kb, AskedQuestion(question, right), Voices(told, Understood((), ()), objects))


def test_what_speaks_for_an_answer_gets_a_weight_that_does():
    weights = fit(answers([1, 0, 1, 0, 1, 0] * 5), strength=1.0)
    assert weights.keys() == {CONSTANT, "good"}
    assert weights["good"] > 0 > weights[CONSTANT]


def test_weights_are_the_smaller_the_stronger_they_are_held():
    some = answers([1, 0, 1, 0, 1, 0] * 5)
    assert fit(some, strength=0.1)["good"] > 2 * fit(some, strength=30.0)["good"]


def test_every_knowledge_base_weighs_the_same():
    some = answers([1, 0, 0, 1, 1, 0] * 4, noise=1.0)
    first = np.concatenate([np.arange(len(some.kbs)), *[np.flatnonzero(some.kbs == "a")] * 3])
    many = Options(some.names, some.values[first], some.right[first], some.kbs[first])
    assert many.shares[many.kbs == "a"].sum() == pytest.approx(len(first) / 3)
    held = 1.0 * len(first) / len(some.kbs)  # of as many answers more
    assert fit(many, held)["good"] == pytest.approx(fit(some, 1.0)["good"], rel=1e-3)


def test_those_that_nobody_read_weigh_more(monkeypatch):
    some = answers([1, 0, 0, 1, 1, 0] * 4, noise=1.0)
    monkeypatch.setattr("tools.weighing.UNREAD", ("b",))
    assert some.shares[some.kbs == "b"].sum() == pytest.approx(len(some.kbs) * TIMES / (TIMES + 2))
    assert some.shares.sum() == pytest.approx(len(some.kbs))
    assert left_out(some) == ["b"]
    alone = loss(some.of("b"), fit(some.without("b"), 1.0))
    assert left_out_loss(some, 1.0) == pytest.approx(alone)


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


def test_a_knowledge_base_is_left_out_of_what_it_is_measured_by():
    odd = answers([1, 0, 1, 0, 1, 0] * 5, kbs="aab")
    odd.right[odd.kbs == "b"] = ~odd.right[odd.kbs == "b"]  # all is the other way round there
    assert loss(odd.of("b"), fit(odd.without("b"), 1.0)) > 1
    both = [loss(odd.of(kb), fit(odd.without(kb), 1.0)) for kb in "ab"]
    assert left_out_loss(odd, 1.0) == pytest.approx(np.mean(both))


def test_of_what_is_nearly_as_good_the_strongest_is_chosen():
    assert chosen({0.1: 0.2000, 1.0: 0.2001, 10.0: 0.2003}) == 1.0
    assert chosen({0.1: 0.3, 1.0: 0.2, 10.0: 0.4}) == 1.0


def test_every_answer_that_might_be_given_is_judged():
    found = options_of([heard("who?", ("Bo",), ("Bo",)), heard("who?", ("Cy",), (), kb="b")])
    assert found.right.tolist() == [True, False]
    assert found.kbs.tolist() == ["a", "b"]
    assert {*found.names} == {*SMALL}


def test_an_answer_that_is_likelier_wrong_is_not_given():
    one = heard("who?", ("Bo",), ("Bo",))
    assert given(one, dict.fromkeys(SMALL, 1.0))[0] == ("Bo",)
    assert judged([one], lambda kb: dict.fromkeys(SMALL, 1.0))[0].verdict == "right"
    unsure = one.voices._replace(answer=KBAnswer(one.voices.answer.answer, ("Bo",), (), ()))
    doubted = Heard("a", one.asked, unsure._replace(matched=()))
    assert given(doubted, dict.fromkeys(SMALL, 0.0) | {"1": -1.0})[0] == ()


def test_what_is_reported_chooses_nothing():
    names = {path.stem for path in TABLES}
    assert names.isdisjoint({"theatre", "workshop"})
    assert len(names) == len(TABLES) == 54
    assert names > {*UNREAD}
    assert all(path.exists() for path in TABLES)
