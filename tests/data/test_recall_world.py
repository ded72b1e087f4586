"""Worlds of recall: what is told, what is asked, and how much of it can be known."""

import hashlib
from collections import Counter, deque
from itertools import islice

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memnets.data.worlds.recall import (
    Copy,
    Episodes,
    MultiQuery,
    NextItem,
    RecallWorld,
    Rewritten,
    Stream,
    Zoned,
    joined,
)

WORLDS = (
    Episodes(keys=23, values=5, pairs=7),
    NextItem(keys=13, items=11, questions=5),
    Copy(values=5, shortest=3, longest=7, repeats=2),
    MultiQuery(keys=17, values=5, pairs=3, steps=29),
    Stream(keys=67, values=5, shortest=2, longest=31, window=13, unique=37),
    Stream(keys=67, values=5, shortest=3, longest=47, window=13, once=True),
    Rewritten(keys=5, values=3, shortest=2, longest=29, window=11),
)
STREAMS = WORLDS[4:]
by_world = pytest.mark.parametrize("world", WORLDS, ids=lambda w: f"{w.task} {WORLDS.index(w)}")
by_stream = pytest.mark.parametrize("world", STREAMS, ids=lambda w: f"{w.task} {w.once}")


def told(world: RecallWorld, rows: int = 19, batches: int = 40, seed: int = 5):
    return joined(islice(world.batches(seed, rows), batches))


def rows_of(steps):
    """Return the steps of each row as plain tuples (key, value, answer, lag)."""
    return [
        list(zip(*(array[row].tolist() for array in steps[:4]), strict=True))
        for row in range(len(steps.keys))
    ]


class ListMemory:
    """The zones as lists, straight from their definition."""

    def __init__(self, memory: Zoned) -> None:
        self.memory, self.zones = memory, deque()

    def write(self, item) -> None:
        if not self.zones or len(self.zones[-1]) == self.memory.slots:
            self.zones.append([])
            if len(self.zones) > self.memory.zones:
                self.zones.popleft()
        self.zones[-1].append(item)

    def __iter__(self):
        return (item for zone in self.zones for item in zone)


@by_world
def test_a_batch_follows_from_seed_and_number(world):
    went = list(islice(world.batches(3, 5), 12))
    for number in (0, 1, 4, 7, 11):
        jumped = next(world.batches(3, 5, first=number))
        assert jumped.first == went[number].first
        for one, other in zip(jumped[:4], went[number][:4], strict=True):
            np.testing.assert_array_equal(one, other)
    other = list(islice(world.batches(4, 5), 12))
    assert any(
        (a.answers != b.answers).any()
        for a, b in zip(went, other, strict=True)
        if a.answers.shape == b.answers.shape
    )


@pytest.mark.parametrize(
    ("world", "pinned"),
    [
        (Episodes(), "af8038094378c144"),
        (NextItem(), "f5886a47539d0708"),
        (Copy(), "fc17220b4d97723e"),
        (MultiQuery(), "4629609e7cbbfceb"),
        (Stream(), "b02e263bb736094b"),
        (Stream(once=True), "da61bd14a3bb855b"),
        (Rewritten(), "969c9234e771b64d"),
    ],
    ids=lambda given: getattr(given, "task", ""),
)
def test_the_worlds_of_the_defaults_are_the_same_everywhere(world, pinned):
    """If a world is changed on purpose, renew its digest."""
    batches = [
        [array.tolist() for array in steps[:4]] + [steps.first]
        for steps in islice(world.batches(7, 3), 4)
    ]
    assert hashlib.sha256(repr(batches).encode()).hexdigest()[:16] == pinned


@by_world
def test_numbers_stay_in_their_ranges(world):
    for steps in islice(world.batches(1, 7), 9):
        assert steps.keys.min() >= 0
        assert steps.keys.max() <= world.keys
        assert steps.values.min() >= 0
        assert steps.values.max() <= world.values
        assert steps.answers.min() >= 0
        assert steps.answers.max() < world.answers
        assert (steps.told[steps.asked] >= 0).all()
        assert (steps.answers[~steps.asked] == 0).all()
        assert steps.asked.any()


@by_stream
def test_a_question_asks_for_what_its_key_was_last_told(world):
    lags = Counter()
    for row in rows_of(told(world)):
        last, asked = {}, set()
        for step, (key, value, answer, lag) in enumerate(row):
            if value < world.values:
                assert lag == 0
                if isinstance(world, Stream) and key in last:
                    assert step - last[key][0] > world.unique
                last[key] = step, value
            elif key < world.keys:
                assert last[key] == (step - lag, answer)
                assert not (world.once and (key, step - lag) in asked)
                asked.add((key, step - lag))
                lags[lag] += 1
            else:
                assert lag == 0
    assert max(lags) == world.longest
    if isinstance(world, Stream):
        assert set(lags) == set(range(world.shortest, world.longest + 1))


@by_stream
def test_half_of_the_steps_write(world):
    steps = told(world)
    writes = steps.values < world.values
    assert writes.mean() == pytest.approx(0.5, abs=0.02)
    shares = np.bincount(steps.values[writes], minlength=world.values) / writes.sum()
    np.testing.assert_allclose(shares, 1 / world.values, atol=0.03)
    if not world.once:
        silent = ~writes & ~steps.asked
        assert not silent[:, world.longest :].any()


def test_stretches_are_whole_windows_that_hold_every_lag():
    for longest, unique, window, stretch in ((35, 40, 20, 40), (41, 40, 20, 60), (7, 0, 7, 7)):
        world = Stream(longest=longest, unique=unique, window=window)
        assert (world.stretch, world.settling) == (stretch, stretch // window)
        assert world.near == window
    assert Rewritten(longest=41, window=20).stretch == 60
    assert (Episodes().settling, Episodes().near, Episodes().carried) == (0, None, False)
    assert (Episodes().chance, NextItem().chance, Stream().carried) == (1 / 8, 1 / 32, True)


def test_what_just_can_be_asked_is_taken():
    Episodes(keys=7, values=2, pairs=7)
    NextItem(keys=11, items=11, questions=10)
    Copy(shortest=1, longest=1, repeats=1)
    MultiQuery(keys=8, pairs=8, steps=32, power=1.0)
    Stream(keys=40, longest=1, shortest=1, window=2, unique=0, cliff=0)
    Rewritten(keys=1, shortest=1, longest=1)
    for wrong in ({"power": 1.1}, {"values": 1}):
        with pytest.raises(ValueError, match=r"expected"):
            MultiQuery(**wrong)
    for name in ("unique", "cliff"):
        with pytest.raises(ValueError, match=rf"data\.{name} is -1: expected at least 0"):
            Stream(**{name: -1})


def test_all_keys_are_used_alike():
    world = STREAMS[0]
    steps = told(world, rows=97)
    writes = steps.values < world.values
    share = np.bincount(steps.keys[writes], minlength=world.keys) / writes.sum()
    np.testing.assert_allclose(share, 1 / world.keys, atol=0.006)


@by_world
@pytest.mark.parametrize("memory", [Zoned(3, 5), Zoned(1, 7), Zoned(11, 1)])
def test_the_ceiling_is_that_of_a_reader_of_lists(world, memory):
    batches = list(islice(world.batches(5, 19), 17))
    for steps in [joined(batches)] if world.carried else batches:
        ceiling = world.ceiling(steps, memory)
        reader = majority if isinstance(world, Rewritten) else finder
        for row, shares in zip(rows_of(steps), ceiling, strict=True):
            found = reader(world, memory, row)
            assert found == pytest.approx(shares[[lag > 0 for *_, lag in row]].tolist())


def finder(world, memory, row):
    """Read every slot; what is found is held by the step that asked, too."""
    kept, found = ListMemory(memory), []
    for step, (_, _, _, lag) in enumerate(row):
        holds = {step}
        if lag:
            known = any(step - lag in held for held in kept)
            found.append(1.0 if known else 1 / world.answers)
            holds |= {step - lag} if known else set()
        kept.write(holds)
    return found


def majority(world, memory, row):
    """Take the commonest value among all readable copies of the key."""
    kept, found = ListMemory(memory), []
    for key, value, _, lag in row:
        if lag:
            copies = Counter(held for at, held in kept if at == key and held < world.values)
            share = max(copies.values()) / copies.total() if copies else 1 / world.values
            found.append(share)
        kept.write((key, value))
    return found


def test_the_ceiling_of_a_stream_falls_over_one_zone():
    world = Stream(keys=101, values=5, longest=71, unique=71, window=11, once=True)
    steps = told(world, rows=53, batches=40)
    ceiling = world.ceiling(steps, Zoned(5, 7))
    settled = steps.asked & (np.arange(steps.lags.shape[1]) >= world.stretch)
    by_lag = [ceiling[settled & (steps.lags == lag)].mean() for lag in range(2, 72)]
    assert min(by_lag[: 4 * 7 - 1]) == 1.0
    assert by_lag[5 * 7 - 2] < 0.5
    np.testing.assert_allclose(by_lag[5 * 7 - 1 :], world.chance)
    falling = np.diff(by_lag[4 * 7 - 2 : 5 * 7 - 1])
    assert (falling < 0.05).all()


def test_questions_keep_answers_alive_unless_each_is_asked_once():
    ceilings = []
    for once in (True, False):
        world = Stream(keys=67, values=5, longest=31, once=once)
        steps = told(world)
        late = steps.asked & (steps.lags > 15)
        ceilings.append(world.ceiling(steps, Zoned(3, 5))[late].mean())
    assert ceilings[0] == pytest.approx(world.chance)
    assert ceilings[1] > 0.3


@settings(max_examples=15, deadline=None)
@given(
    shortest=st.integers(1, 9),
    more=st.integers(0, 30),
    window=st.integers(2, 23),
    seed=st.integers(0, 2**40),
    once=st.booleans(),
)
def test_any_stream_keeps_its_word(shortest, more, window, seed, once):
    world = Stream(127, 3, shortest, shortest + more, window, once, unique=29)
    steps = told(world, rows=3, batches=9, seed=seed)
    lags = steps.lags[steps.asked]
    assert ((lags >= shortest) & (lags <= shortest + more)).all()
    for row in rows_of(steps):
        for step, (key, _, answer, lag) in enumerate(row):
            if lag:
                assert row[step - lag][:2] == (key, answer)


def test_an_episode_tells_each_key_once_and_asks_once():
    for row in rows_of(told(WORLDS[0], batches=1)):
        pairs = {key: value for key, value, *_ in row[:7]}
        assert len(pairs) == 7
        assert {key: answer for key, _, answer, _ in row[7:]} == pairs
        assert [row[step - lag][0] for step, (*_, lag) in enumerate(row)] == [k for k, *_ in row]
        assert {value for _, value, *_ in row[7:]} == {5}
    orders = {tuple(row[7:]) for row in rows_of(told(WORLDS[0], batches=1))}
    assert len(orders) == 19


def test_the_next_item_is_the_one_after():
    for row in rows_of(told(WORLDS[1], batches=1)):
        items = [key for key, *_ in row[:11]]
        assert len(set(items)) == 11
        assert all(value == 2 and lag == 0 for _, value, _, lag in row[:11])
        for step, (key, value, answer, lag) in enumerate(row[11:], start=11):
            assert value == 0
            assert items[items.index(key) + 1] == answer
            assert step - lag == items.index(key) + 1


def test_a_copy_says_all_again_in_order():
    lengths = set()
    for steps in islice(WORLDS[2].batches(0, 3), 30):
        length = steps.keys[0].tolist().index(1)
        lengths.add(length)
        assert steps.keys.shape[1] == 3 * length + 1
        for row in rows_of(steps):
            symbols = [value for _, value, *_ in row[:length]]
            assert [answer for *_, answer, _ in row[length + 1 :]] == 2 * symbols
            assert {key for key, *_ in row[length + 1 :]} == {2}
            assert all(
                row[step - lag][1] == answer for step, (*_, answer, lag) in enumerate(row) if lag
            )
    assert lengths == {3, 4, 5, 6, 7}


def test_multi_query_asks_for_every_key_once_and_soon():
    places = Counter()
    for steps in islice(WORLDS[3].batches(0, 31), 30):
        for row in rows_of(steps):
            keys, values = [k for k, *_ in row[0:6:2]], [v for _, v, *_ in row[1:6:2]]
            asked = {
                key: (answer, step, lag) for step, (key, _, answer, lag) in enumerate(row) if lag
            }
            assert sorted(asked) == sorted(keys)
            for place, key in enumerate(keys):
                answer, step, lag = asked[key]
                assert answer == values[place]
                assert step - lag == 2 * place + 1
                assert step % 2 == 0
                places[step] += 1
            assert all((key < 17) != (value < 5) for key, value, *_ in row)
    assert places[6] > places[8] > places[10]
    assert min(places) == 6


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: Episodes(values=1), r"data\.values is 1: expected at least 2; .*--data\.values 2"),
        (lambda: Episodes(pairs=0), r"data\.pairs is 0: expected at least 1"),
        (lambda: Episodes(keys=7, pairs=11), r"data\.keys is 7: expected at least 11; .*distinct"),
        (lambda: NextItem(questions=0), r"data\.questions is 0"),
        (lambda: NextItem(items=5, questions=5), r"data\.items is 5: expected at least 6"),
        (lambda: NextItem(keys=5, items=11), r"data\.keys is 5: expected at least 11"),
        (lambda: Copy(keys=2), r"data\.keys is 2: expected at least 3"),
        (lambda: Copy(shortest=0), r"data\.shortest is 0"),
        (lambda: Copy(shortest=7, longest=5), r"data\.longest is 5: expected at least 7"),
        (lambda: Copy(repeats=0), r"data\.repeats is 0"),
        (lambda: MultiQuery(pairs=0), r"data\.pairs is 0"),
        (lambda: MultiQuery(keys=5, pairs=7), r"data\.keys is 5: expected at least 7"),
        (lambda: MultiQuery(pairs=8, steps=31), r"data\.steps is 31: expected at least 32"),
        (lambda: MultiQuery(power=0.0), r"data\.power is 0\.0: expected more than 0"),
        (lambda: Stream(shortest=0), r"data\.shortest is 0"),
        (lambda: Stream(shortest=7, longest=5), r"data\.longest is 5: expected at least 7"),
        (lambda: Stream(window=1), r"data\.window is 1"),
        (lambda: Stream(keys=39), r"data\.keys is 39: expected at least 40; no key is written"),
        (lambda: Rewritten(keys=0), r"data\.keys is 0"),
    ],
)
def test_what_cannot_be_asked_is_refused(make, text):
    with pytest.raises(ValueError, match=text):
        make()
