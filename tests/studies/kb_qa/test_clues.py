"""What speaks for each answer, by hand."""

import math
import zlib
from dataclasses import replace

import numpy as np
import pytest

from memnets.evidence import Answer
from memnets.kb.linking.mention import Mention
from memnets.kb.programs.operators import And, Between, Compared, Count, Having, Named, Path
from memnets.kb.programs.possible import WEIGHTS, Possible
from memnets.kb.programs.running import Outcome
from memnets.kb.programs.understood import Candidate, Doubts, Understood
from memnets.studies.kb_qa.clues import LAST, MOST_LEAD, MOST_MEANS, WAYS, clues, of_question
from memnets.studies.kb_qa.clues import of_option as clues_of
from memnets.studies.kb_qa.inference import KBAnswer
from memnets.studies.kb_qa.reranking import reranker
from memnets.studies.kb_qa.voices import MOST_MEANT, MOST_PROGRAMS, Voices, meant_of, options

TRAINED_ON = 2798055663
"""The checksum of the clues' names."""
FLAT = dict.fromkeys(WEIGHTS, 0.0)
BY_SAID = FLAT | {"none": math.log(2), "said": math.log(4) / 3}


def modelled(*objects, question="q", sure=0.7, by_words=False, unknown=()):
    answer = Answer(question, ", ".join(objects), sure, (), (), unknown_words=unknown)
    return KBAnswer(answer, objects, (), (), by_words=by_words)


def gave(*answers):
    return Outcome(answers, len(answers), ())


def program(*answers, score=2.0, of=None):
    return Candidate(of or Path(Named(("Ada",)), ("manager",)), score, gave(*answers))


def leads_to(*answers, by="town", said=0.0, means=0.0):
    speaks = {"said": said, "means": means}
    return Possible(Path(Named(("Ada",)), (by,)), gave(*answers), speaks)


def weighed(voices, weights=BY_SAID):
    """Return what the names lead to, and the clues of each answer."""
    meant = meant_of(voices, weights)
    found = options(voices, meant)
    return meant, {one.objects: clues_of(one, voices, meant, found) for one in found}


def test_every_way_gives_answers_and_each_is_one_option():
    programs = (program("Cy"), program("Cy", score=1.5), program("Bo", score=1.0), program())
    voices = Voices(
        modelled("Bo"), Understood(programs, ()), ("Di", "Ed"), {"Dan": "Di"},
        [leads_to("Ed", "Dan", by="deputy"), leads_to("Rome", said=3.0), leads_to()],
    )  # fmt: skip
    found = options(voices, meant_of(voices, BY_SAID))
    assert [one.objects for one in found] == [("Cy",), ("Bo",), ("Di", "Ed"), ("Rome",)]
    cy, bo, both, rome = found
    assert (cy.program, cy.outcome, cy.meant) == (programs[0], programs[0].outcome, None)
    assert (bo.program, bo.outcome) == (programs[2], None)  # the model gave it first
    assert (both.program, both.meant.outcome) == (None, voices.possible[0].outcome)
    assert rome.outcome == rome.meant.outcome == voices.possible[1].outcome
    assert options(Voices(modelled(), Understood((), ()), ()), []) == []


def test_of_several_of_a_name_those_are_meant_that_what_is_said_besides_tells_apart():
    both, dessert = Named(("Snow (main)", "Snow (dessert)")), Having("course", Named(("dessert",)))
    narrow = Path(And((both, dessert)), ("made of",))
    wide = program("Cy", "Bo", of=Path(both, ("made of",)))
    voices = Voices(modelled("Di"), Understood((wide, program("Cy", of=narrow)), ()), ("Bo", "Cy"))
    assert [one.objects for one in options(voices, [])] == [("Di",), ("Cy",)]
    others = And((Named(("Snow (main)",)), dessert)), And((both, dessert)), Named(("Ada", "Bo"))
    for start in (Path(others[0], ("made of",)), others[1], Path(others[2], ("made of",))):
        again = Voices(modelled(), Understood((wide, program("Cy", of=start)), ()), ())
        assert len(options(again, [])) == 2
    empty = Voices(modelled(), Understood((wide, program(of=narrow)), ()), ())
    assert [one.objects for one in options(empty, [])] == [("Cy", "Bo")]


def test_of_many_programs_and_of_much_that_names_lead_to_the_first_are_options():
    programs = tuple(program(f"p{n}", score=9.0 - n) for n in range(MOST_PROGRAMS + 2))
    possible = [leads_to(f"m{n}", said=9.0 - n) for n in range(MOST_MEANT + 2)]
    voices = Voices(modelled(), Understood(programs, ()), (), {}, possible)
    found = [one.objects[0] for one in options(voices, meant_of(voices, BY_SAID))]
    assert found == [
        "p0", *(f"m{n}" for n in range(MOST_MEANT)), *(f"p{n}" for n in range(1, MOST_PROGRAMS))
    ]  # fmt: skip


def test_what_names_lead_to_in_several_ways_is_meant_by_all_of_them():
    """Rome is 4 times as likely as what has no clue; none is twice as likely."""
    near, far = leads_to("Rome", said=3.0, means=-2.0), leads_to("Rome", by="birthplace", means=3.0)
    voices = Voices(modelled(), Understood((), ()), (), {}, [near, far, leads_to("Bari")])
    rome, bari = meant_of(voices, BY_SAID)
    assert (rome.objects, rome.outcome, rome.strongest) == (("Rome",), near.outcome, far)
    assert (rome.probability, bari.probability) == pytest.approx((5 / 8, 1 / 8))
    assert meant_of(voices) == meant_of(voices, WEIGHTS)


def test_what_model_and_matching_say():
    asked = modelled("Bo", question="who is it?", unknown=("it",))
    voices = Voices(asked, Understood((program("Cy"), program("Di")), ()), ("Bo",))
    _, found = weighed(voices)
    bo, cy = found[("Bo",)], found[("Cy",)]
    assert found[("Di",)]["agree"] == found[("Di",)]["first program"] == 0
    names = ("model", "modelled", "all learnt", "matching", "agree", "first program")
    assert [bo[name] for name in names] == [0.7, 1, 0, 1, 2, 0]
    assert [cy[name] for name in names] == [0, 0, 0, 0, 1, 1]
    _, found = weighed(voices._replace(answer=modelled("Bo")))
    assert found[("Bo",)]["all learnt"] == 1


def test_what_an_answer_is():
    asked = modelled("12", question="who is it?")
    voices = Voices(asked, Understood((program("yes"),), ()), ("Bo", "Cy"))
    _, found = weighed(voices)
    names = ("number", "yes or no", "unfit", "many")
    assert [found[("12",)][name] for name in names] == pytest.approx([1, 0, 1, math.log(2)])
    assert [found[("yes",)][name] for name in names] == pytest.approx([0, 1, 1, math.log(2)])
    assert [found[("Bo", "Cy")][name] for name in names] == pytest.approx([0, 0, 0, math.log(3)])


def test_what_a_program_says_beside_those_with_other_answers():
    counts = Count(Having("town", Path(Path(Named(("Ada",)), ("manager",)), ("boss", "town"))))
    programs = (
        *(program("2", score=7.0, of=counts), program("2", score=6.5)),
        *(program("Bo", score=5.5), program("Cy", score=0.5)),
    )
    _, found = weighed(Voices(modelled("Di"), Understood(programs, ()), ()))
    score, lead = "program's score", "program's lead"
    assert (found[("2",)][score], found[("2",)][lead]) == (7.0, 1.5)
    assert (found[("Bo",)][score], found[("Bo",)][lead]) == (5.5, -1.5)
    assert found[("Cy",)][lead] == -MOST_LEAD
    assert [found[("Di",)][name] for name in ("program", score, lead)] == [0, 0, -MOST_LEAD]
    said = {
        name for name, value in found[("2",)].items() if name.startswith("program's ") and value
    }
    assert said - {score, lead} == {
        *("program's Count", "program's Having", "program's Path", "program's Named"),
        "program's hops",
    }
    assert (found[("2",)]["program's hops"], found[("Bo",)]["program's hops"]) == (2, 1)


def test_how_much_of_what_is_named_no_program_of_an_answer_reads():
    ada = Mention(0, 1, ("Ada", "Ada Lund"), "name", "ada")
    pay = Mention(2, 3, ("5 EUR",), "name", "5 eur")
    programs = (
        program(
            "both", of=And((Having("boss", Named(("Ada Lund",))), Compared("pay", "in", "5 EUR")))
        ),
        program("one", of=And((Having("boss", Named(("Bo",))), Between("pay", "1 EUR", "5 EUR")))),
    )
    possible = [leads_to("one"), leads_to("none")]
    asked = replace(modelled("model"), mentions=(ada, pay))
    _, found = weighed(Voices(asked, Understood(programs, ()), (), {}, possible))
    unread = [found[(name,)]["names unread"] for name in ("both", "one", "none", "model")]
    assert unread == [0, 0.5, 0.5, 1]  # what names lead to is from Ada
    assert found[("both",)]["turns back"] == 0


def test_whether_a_program_goes_back_to_what_shares_something():
    back = Having("boss", Path(Named(("Ada",)), ("boss",)))
    _, found = weighed(Voices(modelled("Di"), Understood((program("Bo", of=back),), ()), ()))
    assert (found[("Bo",)]["turns back"], found[("Di",)]["turns back"]) == (1, 0)


def test_what_speaks_for_an_answer_of_what_the_names_lead_to():
    possible = [
        leads_to("Rome", said=3.0, means=2.0), leads_to("Bari", means=99.0), leads_to(means=-1.0)
    ]  # fmt: skip
    voices = Voices(modelled("Bo"), Understood((), ()), (), {}, possible)
    meant, found = weighed(voices, BY_SAID)
    rome, bo = found[("Rome",)], found[("Bo",)]
    assert [one.objects for one in meant] == [("Rome",), ("Bari",), ()]
    expected = {
        **{"meant": 4 / 6, "log meant": math.log(4 / 8 + 0.01), "other meant": 1 / 6, "rank": 0},
        **{"means": 2, "means before others": 2 - MOST_MEANS, "means before absent": 3},
        "way: said": 3,
    }
    assert {name: rome[name] for name in expected} == pytest.approx(expected)
    assert found[("Bari",)]["means"] == found[("Bari",)]["means before absent"] == MOST_MEANS
    nothing = {"meant": 0, "log meant": math.log(0.01), "other meant": 4 / 6, "rank": LAST}
    nothing |= {"means": -MOST_MEANS, "way: said": 0}
    assert {name: bo[name] for name in nothing} == pytest.approx(nothing)
    assert {name.removeprefix("way: ") for name in rome if name.startswith("way: ")} == {*WAYS}


def test_what_a_question_says():
    doubts = Doubts(0.25, 2, True, 3, 0.6, 4.5, 0.2, 0.5, True)
    understood = Understood((program(score=9.0), program("Bo")), (), 0.8, doubts, told=True)
    possible = [leads_to("Rome", means=2.0), leads_to(means=-3.0)]
    voices = Voices(modelled(by_words=True), understood, (), {}, possible)
    assert of_question(voices) == pytest.approx(
        {
            **{"doubt: unsaid": 0.25, "doubt: rivals": 2, "doubt: misspelt": 1, "doubt: names": 3},
            **{"doubt: unread": 0.6, "doubt: guessed": 3.0, "doubt: equal": 0.2},
            **{"doubt: unheard": 0.5, "doubt: strays": 1, "strange": 0.8, "nothing asked": 1},
            **{"programs": 2, "score": 8.0, "empty": 1, "model declines": 0.7, "by words": 1},
            **{"likeness": 1, "mentions": 0, "shares": 0, "matched": 0},
            **{"empty score": 8.0 - 0.8, "empty hops": 1},
            **{"means": 2.0, "absent means": -3.0},
        }
    )
    shared = voices._replace(answer=modelled(question="Who has the SAME boss as Ada?"))
    assert of_question(shared)["shares"] == 1
    unasked = Candidate(program().program, 2.0)  # it was not carried out
    assert of_question(voices._replace(understood=Understood((unasked,), ())))["empty"] == 1
    voices = Voices(modelled("Bo"), Understood((program("Bo"),), ()), ("Bo",))
    plain = of_question(voices)
    assert (plain["empty"], plain["model declines"], plain["matched"]) == (0, 0, 1)
    assert plain["empty score"] == plain["empty hops"] == 0
    assert plain["means"] == plain["absent means"] == -MOST_MEANS


def test_clues_are_rows_of_numbers_in_one_order():
    voices = Voices(modelled("Bo"), Understood((program("Cy"),), ()), ("Di",))
    meant = meant_of(voices, BY_SAID)
    found = options(voices, meant)
    answers, question = clues(voices, meant, found)
    assert question.tolist() == pytest.approx([*of_question(voices).values()])
    by_hand = [[*clues_of(one, voices, meant, found).values()] for one in found]
    assert answers.tolist() == [pytest.approx(row) for row in by_hand]
    assert answers.dtype == question.dtype == np.float32


def test_the_networks_were_trained_on_these_clues_in_this_order():
    """Where a clue is meant to change, train anew: python -m tools.weighing."""
    voices = Voices(modelled("Bo"), Understood((), ()), ())
    _, found = weighed(voices)
    names = [*found[("Bo",)], *of_question(voices)]
    assert reranker().weights["mean"].shape == (len(names),)
    assert zlib.crc32("\n".join(names).encode()) == TRAINED_ON
