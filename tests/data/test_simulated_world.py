"""The simulated world: what is told is so, what is asked is as recent as it should be."""

import re
from collections import Counter
from functools import cache
from itertools import pairwise
from typing import get_args

import pytest

from memnets.data.babi import Question, Statement, Story, tokens, write_stories
from memnets.data.babi.generate import story_fingerprint
from memnets.data.babi.solve import Solved
from memnets.data.worlds.simulated import (
    KNOWN,
    UNSEEN,
    Simulation,
    simulate,
    solve,
    word_stream,
)
from memnets.data.worlds.simulated.streams import CONNECTIVES
from memnets.data.worlds.simulated.world import Kind, Names

KINDS = get_args(Kind)
GROUPS = get_args(Names)


@cache
def made(asks: str, difficulty: int, split: str = "train", seed: int = 3) -> list[Story]:
    return simulate(Simulation(asks, difficulty, stories=13), seed, split)


def asked(asks: str, difficulty: int) -> list[tuple[tuple[Statement, ...], Question]]:
    return [pair for story in made(asks, difficulty) for pair in story.asked()]


def words(stories: list[Story]) -> set[str]:
    return {word for story in stories for item in story.items for word in tokens(item.text)}


@pytest.mark.parametrize("asks", KINDS)
@pytest.mark.parametrize("difficulty", [1, 5])
@pytest.mark.parametrize("unseen", [(), GROUPS])
def test_the_oracle_answers_all_and_names_the_proof(asks, difficulty, unseen):
    stories = simulate(Simulation(asks, difficulty, unseen, stories=13), 1, "test")
    pairs = [pair for story in stories for pair in story.asked()]
    assert len(pairs) == 390
    for told, question in pairs:
        assert solve(told, question.text) == Solved(question.answer, question.supports)


def test_a_split_has_the_papers_size():
    stories = simulate(Simulation(), 0)
    assert sum(isinstance(item, Statement) for story in stories for item in story.items) == 7000
    assert sum(len(story.questions) for story in stories) == 3000


def test_the_stories_are_a_function_of_the_seed_and_the_split():
    def fingerprint(seed: int, split: str) -> str:
        return story_fingerprint(simulate(Simulation(stories=2), seed, split))

    assert fingerprint(7, "train") == fingerprint(7, "train")
    assert len({fingerprint(seed, split) for seed in (0, 7) for split in ("train", "test")}) == 4
    # The same on every machine and Python; if rules are changed on purpose, renew it.
    assert fingerprint(0, "train")[:16] == "d4ff70f30a585b0d"


@pytest.mark.parametrize(
    ("asks", "pinned"),
    list(zip(KINDS, ("dd3ae25d7ca5213e", "3fced27db25849d4", "fb59d399fabbc98b"), strict=True)),
)
def test_each_kind_is_the_same_everywhere(asks, pinned):
    """Rows are measured on them; if rules are changed on purpose, renew the digests."""
    simulation = Simulation(asks, 3, ("actors", "objects"), stories=3)
    assert story_fingerprint(simulate(simulation, 5, "test"))[:16] == pinned


def test_the_defaults_are_the_papers():
    simulation = Simulation()
    assert (simulation.asks, simulation.difficulty, simulation.unseen) == (KINDS[-1], 5, ())
    assert (simulation.stories, simulation.statements, simulation.questions) == (100, 70, 30)


def test_the_stories_are_babis_records(tmp_path):
    write_stories(tmp_path / "world.txt", made("actor and object", 5))


@pytest.mark.parametrize("asks", KINDS)
@pytest.mark.parametrize("difficulty", [1, 2, 5])
def test_what_is_asked_about_was_mentioned_lately(asks, difficulty):
    """Its name stands in one of the last statements; and for more than one, in each of them."""
    first = Counter()
    for told, question in asked(asks, difficulty):
        name = tokens(question.text)[3 if " is the " in question.text else 2]
        ago = [name in tokens(statement.text) for statement in reversed(told)].index(True)
        assert ago < difficulty
        first[ago] += 1
    assert set(first) == set(range(difficulty))


def test_the_kinds_of_question():
    kinds = {
        asks: Counter(
            "before" if " before " in question.text else "object" if " the " in question.text else 1
            for _, question in asked(asks, 5)
        )
        for asks in KINDS
    }
    assert set(kinds["actor without before"]) == {1}
    assert set(kinds["actor"]) == {1, "before"}
    both = kinds["actor and object"]
    assert both["object"] / both.total() == pytest.approx(0.36, abs=0.06)
    assert kinds["actor"]["before"] / kinds["actor"].total() == pytest.approx(0.45, abs=0.06)


def test_the_first_support_names_what_is_asked_and_the_last_one_holds_the_answer():
    for told, question in asked("actor and object", 5):
        line = {statement.line: tokens(statement.text) for statement in told}
        name = tokens(question.text)[3 if " is the " in question.text else 2]
        assert name in line[question.supports[0]]
        assert question.answer == line[question.supports[-1]][-1]
        assert len(question.supports) == (1 if " the " not in question.text else 2)


def test_nobody_goes_where_he_is_and_only_holders_drop():
    for story in made("actor and object", 5):
        place: dict[str, str] = {}
        holder: dict[str, str] = {}
        for statement in (item for item in story.items if isinstance(item, Statement)):
            who, *_, last = tokens(statement.text)
            if " to the " in statement.text:
                assert place.get(who) != last
                place[who] = last
                continue
            thing = re.search(r" the (\w+)", statement.text)[1]
            if re.search("left|discarded|dropped|put down", statement.text):
                assert holder.pop(thing) == who
            else:
                assert thing not in holder
                holder[thing] = who


def test_no_question_is_asked_twice_in_a_row_where_there_is_enough_to_ask():
    for story in made("actor and object", 5):
        assert not any(
            isinstance(one, Question) and isinstance(other, Question)
            for one, other in pairwise(story.items)
        )


def test_a_short_story_asks_again_rather_than_too_little():
    (story,) = simulate(Simulation("actor", 1, stories=1, statements=1, questions=5), 0)
    assert len({question.text for question in story.questions}) == 1
    assert len(story.questions) == 5


@pytest.mark.parametrize("group", GROUPS)
def test_unseen_names_stand_in_test_stories_only(group):
    simulation = Simulation(unseen=(group,), stories=11)
    train, test = words(simulate(simulation, 2)), words(simulate(simulation, 2, "test"))
    names = {name.lower() for name in getattr(UNSEEN, group)}
    assert test - train == names
    assert not test & {name.lower() for name in getattr(KNOWN, group)}
    assert not words(simulate(simulation, 2, "valid")) & names


@pytest.mark.parametrize("name", ["difficulty", "stories", "statements", "questions"])
def test_a_number_below_one_is_refused(name):
    with pytest.raises(ValueError, match=rf"{name}=0: expected a whole number from 1"):
        Simulation(**{name: 0})


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("asks", "object", r"asks='object': .* one of 'actor without before', 'actor', "),
        ("unseen", ("verbs",), r"unseen='verbs': .* one of 'actors', 'places', 'objects'"),
    ],
)
def test_an_unknown_word_is_refused(name, value, message):
    simulation = Simulation()
    object.__setattr__(simulation, name, value)  # past the hook, which is only there in tests
    with pytest.raises(ValueError, match=message):
        simulation.__post_init__()


def test_a_simulation_says_what_differs():
    assert str(Simulation()) == ""
    assert str(Simulation("actor", 1)) == "asks=actor, difficulty=1"


# The paper's example of names never seen, less the lines that tell of no place.
RING = [
    *("Bilbo travelled to the cave.", "Gollum dropped the ring there.", "Bilbo took the ring."),
    *("Bilbo went back to the shire.", "Bilbo left the ring there.", "Frodo got the ring."),
    *("Frodo journeyed to the tower.", "Frodo dropped the ring there.", "Sauron died."),
    *("Frodo went back to the shire.", "Bilbo travelled to the harbour.", "The end."),
]
TOLD = [Statement(line, text) for line, text in enumerate(RING, start=1)]


@pytest.mark.parametrize(
    ("question", "answer", "supports"),
    [
        ("Where is the ring?", "tower", (8, 7)),
        ("Where is Bilbo now?", "harbour", (11,)),
        ("Where is Frodo now?", "shire", (10,)),
        ("Where was Frodo before the shire?", "tower", (10, 7)),
    ],
)
def test_the_oracle_reads_the_papers_example(question, answer, supports):
    assert solve(TOLD, question) == Solved(answer, supports)


def test_an_object_is_where_its_holder_went_before_or_after_he_took_it():
    assert solve(TOLD[:3], "Where is the ring now?") == Solved("cave", (3, 1))
    assert solve(TOLD[:4], "Where is the ring now?") == Solved("shire", (3, 4))


@pytest.mark.parametrize(
    ("question", "message"),
    [
        ("Who has the ring?", r"'Who has the ring\?': nobody asks this in the simulated world"),
        ("Where is the milk?", "nobody handled the milk"),
        ("Where is Sauron?", "nobody said where Sauron went"),
        ("Where was Bilbo before the tower?", "Bilbo did not go to the tower"),
    ],
)
def test_what_cannot_be_answered_is_said(question, message):
    with pytest.raises(ValueError, match=message):
        solve(TOLD, question)


def test_a_stream_is_the_statements_joined():
    story = made("actor", 5)[0]
    statements = [item for item in story.items if isinstance(item, Statement)]
    stream = word_stream(statements, seed=0)
    assert stream == word_stream(statements, seed=0) != word_stream(statements, seed=1)
    assert stream.ends[-1] == len(stream.words)
    joined = set()
    for segment, statement in zip(stream.segments, statements, strict=True):
        said = tokens(statement.text)
        assert segment[-len(said) :] == said
        joined.add(segment[: -len(said)])
    assert joined == set(CONNECTIVES)
    assert stream.segments[0] == tokens(statements[0].text)
