"""Which relations go on from where others lead to: whatever number of ends is looked up."""

from itertools import chain

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memnets.kb.programs import shapes
from memnets.kb.programs.shapes import Shapes
from memnets.kb.store.layouts import REVERSED
from memnets.kb.store.store import Store, build
from memnets.kb.values.columns import open_columns

NAMES, RELATIONS = st.sampled_from("abcdefgh"), st.sampled_from("RST")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("shapes")


@settings(max_examples=40)
@given(
    facts=st.lists(st.tuples(NAMES, RELATIONS, NAMES), min_size=1, max_size=30, unique=True),
    looked_up=st.sampled_from([1, 2, 4096]),
)
def test_they_are_those_of_the_facts(facts, looked_up, folder):
    build(facts, folder / "kb")
    store = Store.open(folder / "kb")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shapes, "LOOKED_UP", looked_up)
        found = Shapes(store, open_columns(store))
        for relation in {relation for _, relation, _ in facts}:
            for name, end in ((relation, 2), (REVERSED + relation, 0)):
                ends = {fact[end] for fact in facts if fact[1] == relation}
                forwards = {r for subject, r, _ in facts if subject in ends}
                backwards = {REVERSED + r for _, r, item in facts if item in ends}
                assert found.after(name) == forwards | backwards
    assert found.after("none") == frozenset()


@settings(max_examples=40)
@given(facts=st.lists(st.tuples(NAMES, RELATIONS, NAMES), min_size=1, max_size=30, unique=True))
def test_slots_are_those_of_whole_names_and_columns_hold_each_entity_once(facts, folder):
    build(facts, folder / "kb")
    store = Store.open(folder / "kb")
    entities = sorted({name for fact in facts for name in (fact[0], fact[2])})
    numbers = np.array([store.entities.number(name) for name in entities], np.int32)
    of_each = [sorted(store.names.candidates([name]).tolist()) for name in entities]
    for number, slots in zip(numbers, of_each, strict=True):
        assert sorted(store.slots_of(number[None]).tolist()) == slots
    assert sorted(store.slots_of(numbers).tolist()) == sorted(chain.from_iterable(of_each))
    assert not len(store.slots_of(numbers[:0]))
    columns = open_columns(store)
    for relation in {relation for _, relation, _ in facts}:
        having = {subject for subject, r, _ in facts if r == relation}
        led_to = {item for _, r, item in facts if r == relation}
        for ids, names in ((columns.subjects, having), (columns.objects, led_to)):
            told = [*map(store.entities.word, ids(relation).tolist())]
            assert sorted(told) == sorted(names)
