import pytest

from memnets.data.facts import Fact
from memnets.data.qa.distractors import distractors, grouped
from memnets.data.qa.string_kb import PHRASES, in_strings, phrases

FACTS = [Fact("a", "r", ("b",)), Fact("b", "s", ("a",)), Fact("a", "r", ("c", "b"))]


def test_objects_of_one_subject_and_relation_are_joined():
    assert grouped(FACTS) == [Fact("a", "r", ("b", "c")), Fact("b", "s", ("a",))]
    assert grouped([]) == []


def test_distractors_repeat_no_relation_of_their_entity():
    facts = grouped(FACTS)
    drawn = distractors(facts, ["a", "b", "d"], 13, seed=0)
    paths = [(fact.subject, fact.relation) for fact in (*facts, *drawn)]
    assert len(set(paths)) == len(paths)
    assert {("a", "s"), ("b", "r"), ("d", "r"), ("d", "s")} == {
        (fact.subject, fact.relation) for fact in drawn
    }
    assert next(f.objects for f in drawn if f.relation == "r") == ("b", "c")


def test_distractors_are_a_matter_of_the_seed():
    facts = [Fact("a", f"r{number}", ("b",)) for number in range(23)]
    one, same, other = (distractors(facts, ["c", "d"], 5, seed) for seed in (0, 0, 1))
    assert one == same != other
    assert distractors(facts, ["c"], 0, 0) == []


def test_a_draw_is_the_same_everywhere_and_in_the_order_of_the_entities():
    facts = [Fact(f"e{n % 7}", f"r{n % 5}", (f"o{n}",)) for n in range(35)]
    assert distractors(facts, ["x", "y"], 2, seed=5) == [
        Fact("x", "r3", ("o23",)),
        Fact("y", "r0", ("o0",)),
        Fact("y", "r3", ("o28",)),
    ]


def test_relations_come_by_their_frequency():
    facts = [Fact(f"e{number}", "often", ("x",)) for number in range(19)]
    facts.append(Fact("e", "rare", ("x",)))
    drawn = distractors(facts, [f"n{number}" for number in range(997)], 1, seed=0)
    assert 0.02 < sum(fact.relation == "rare" for fact in drawn) / 997 < 0.09


@pytest.mark.parametrize(
    ("facts", "number", "text"),
    [(FACTS, -1, r"number=-1\) of 3 facts: expected 0 or more"), ([], 3, r"number=3\) of 0 facts")],
)
def test_what_cannot_be_drawn_is_refused(facts, number, text):
    with pytest.raises(ValueError, match=text):
        distractors(facts, ["a"], number, 0)


def test_facts_are_written_by_names_and_phrases():
    names = {"a": "Anna", "b": "Berlin"}
    born = "people.person.place_of_birth"
    facts = {7: Fact("a", born, ("b", "nameless")), 9: Fact("nameless", born, ("b",))}
    (written,) = in_strings(facts, names, seed=0)
    assert written.fact == 7
    assert (written.extraction.subject, written.extraction.object) == ("Anna", "Berlin")
    assert written.extraction.relation in PHRASES[born]
    assert list(in_strings(facts, names, 0)) == list(in_strings(facts, names, 0))
    assert next(in_strings([facts[7]], names, 0)).fact == 0


def test_a_phrase_is_drawn_for_each_fact_and_kept_for_its_objects():
    relation = "music.artist.album"
    first, other = PHRASES[relation]
    facts = [Fact("a", relation, ("b", "c")) for _ in range(31)]
    written = list(in_strings(facts, {"a": "A", "b": "B", "c": "C"}, seed=1))
    assert [one.fact for one in written] == [n // 2 for n in range(62)]
    assert [one.extraction.object for one in written] == ["B", "C"] * 31
    said = [one.extraction.relation for one in written]
    assert said[::2] == said[1::2]
    assert set(said) == {first, other}
    # A fact that cannot be written takes its draw all the same.
    facts[3] = Fact("nameless", relation, ("b",))
    left = list(in_strings(facts, {"a": "A", "b": "B", "c": "C"}, seed=1))
    assert left == [one for one in written if one.fact != 3]


def test_other_relations_are_written_in_their_own_words():
    assert phrases("music.album.record_label") == (
        "has the record label",
        "is known for the record label",
    )
