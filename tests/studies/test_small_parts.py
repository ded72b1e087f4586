"""Small parts of studies at their edges: orders, borders, settings, and what is told in words."""

import math
from inspect import signature
from itertools import product
from types import SimpleNamespace

import pytest
import torch
from torch import nn

from memnets.data.babi import Question, Statement, Story
from memnets.data.facts import Fact, Triple
from memnets.data.qa.simplequestions import Mini, SimpleQuestion
from memnets.data.text import END, UNKNOWN
from memnets.data.worlds.recall import Episodes, MultiQuery, NextItem, Stream
from memnets.evidence import Answer
from memnets.experiments.seeds import curve, half_interval
from memnets.kb import Entity
from memnets.models.language import NextSymbol
from memnets.models.simple_qa import NO_FACT
from memnets.studies.babi import data as babi_data
from memnets.studies.babi.data import BabiAnswerer, BabiData, BabiStories
from memnets.studies.babi.memn2n import inference as babi_inference
from memnets.studies.babi.memn2n import task as babi_task
from memnets.studies.babi.memn2n.recipes import MemN2NModel
from memnets.studies.babi.memnn.search import NEAR, SearchSetting
from memnets.studies.kb_qa import inference as kb_inference
from memnets.studies.kb_qa.data import KBData
from memnets.studies.kb_qa.encoding import CandidateFact, in_words
from memnets.studies.language import inference as text_inference
from memnets.studies.language.memn2n.task import ConsecutiveWindows, RandomWindows
from memnets.studies.language.neural_cache import Grid
from memnets.studies.language.task import MOST, LanguageTask, read, read_in_rows
from memnets.studies.recall import inference as recall_inference
from memnets.studies.recall import task as recall_task
from memnets.studies.recall.comparison import RecallTable
from memnets.studies.recall.recipes import CRANRecall, LSTMRecall, RecallTraining
from memnets.studies.simple_qa import inference as fact_inference
from memnets.studies.simple_qa import mini_table
from memnets.studies.simple_qa.inference import extraction
from memnets.studies.simple_qa.memory import (
    Groups,
    aliases_of,
    mended,
    own_words,
    padded,
    question_words,
    relation_words,
    singular,
)
from memnets.studies.simple_qa.naive_bayes import SMOOTHING, told
from memnets.studies.simple_qa.recipes import MiniData, SimpleQATraining, _apart
from memnets.studies.simple_qa.strings import hits, linked
from memnets.studies.simple_qa.task import Mixture, _drawn
from memnets.studies.wikimovies import knowledge
from memnets.studies.wikimovies.data import WikiMoviesData
from memnets.studies.wikimovies.extraction import _sampled
from memnets.studies.wikimovies.hits import HitsTable, wilson
from memnets.studies.wikimovies.knowledge import Knowledge
from memnets.studies.wikiqa.words import Rarity, asking_words, ordered, shape, shared, words


def seeded(seed: int) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def defaults(made: object) -> dict[str, object]:
    found = signature(made).parameters.values()
    return {one.name: one.default for one in found if one.default is not one.empty}


def test_settings_are_the_ones_that_are_told():
    assert defaults(babi_task.BabiTask) == {"batch": 32, "noise": 0.1, "evidence": 0.0}
    assert Mixture()._asdict() == {
        **{"batch": 128, "made": 0.4, "own": 8, "strangers": 100, "margin": 0.1}
    }
    assert defaults(recall_task.RecallTask) == {"batch": 64, "memory": None, "counted": None}
    assert recall_task.COUNTED == {"valid": 20, "test": 100, "cliff": 100}
    assert (recall_task.SETTLING, recall_task.YOUNG, recall_task.TRACED) == (200, 10, 5)
    assert len(set(recall_task.HELD_OUT.values())) == 3
    assert defaults(LanguageTask) == {"quick_rows": 64, "cache": None, "unit": "symbols"}
    grid = Grid()
    assert grid.window == 100
    assert grid.flatness == (0.0, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0)
    assert grid.shares == (0.0, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3)
    assert grid.offsets == (-12.0, -9.0, -6.0, -3.0, 0.0, 3.0)
    named = (babi_inference, kb_inference, text_inference, recall_inference, fact_inference)
    assert [one.RUNNERS_UP for one in named] == [3] * 5
    assert text_inference.BEFORE == {"character": 20, "word": 4}
    assert (text_inference.SHOWN, recall_inference.EXAMPLES) == (60, 20)
    data = MiniData()
    assert (data.distractors, data.seed, data.tuning) == (5, 0, 1000)
    training = SimpleQATraining()
    assert (training.updates, training.margin, training.learning_rate) == (600, 0.5, 0.1)
    assert (mini_table.MEMBERS, mini_table.DRAWS, SMOOTHING) == (5, 2000, 1e-4)
    movies = WikiMoviesData()
    assert (movies.made, movies.asked, movies.common, movies.letters) == (40_000, 0, 3, 3)
    assert movies.learn_valid
    assert (knowledge.MOST_ANSWERS, knowledge.LETTERS, knowledge.NAMED) == (50, 3, 6)
    facts = KBData()
    assert (facts.world, facts.rows, facts.held_out) == ("films", 1000, True)
    assert defaults(HitsTable)["seeds"] == 5
    table = defaults(RecallTable)
    assert str(table["choose_rate"]) == "highest validation accuracy"
    assert RecallTable(title="", data="", entries=()).trial == {"updates": 1000}
    assert (NEAR, MOST, kb_inference.LEAST_SHOWN) == (0.5, 700.0, 0.1)


# bAbI


@pytest.mark.parametrize(
    ("tasks", "said"),
    [
        ((1, 23, 0), "data.tasks names 23: expected numbers from 1 to 20"),
        ((0,), "data.tasks names 0: expected"),
        ((21,), "data.tasks names 21: expected"),
        ((), "data.tasks names no task: expected"),
        ((2, 7, 3, 3, 7), "data.tasks names 7 twice: its questions would count double"),
    ],
)
def test_tasks_are_of_the_twenty_and_each_once(tasks, said):
    with pytest.raises(ValueError, match=f"^{said}"):
        BabiData(tasks=tasks)
    assert BabiData(tasks=(20, 1)).tasks == (20, 1)


def test_questions_are_set_aside_once_each():
    for validate, share, count in product(("last", "random"), (0.1, 0.29, 0.5), (2, 11, 100)):
        data = BabiData(validate=validate, validation=share)
        if not int(share * count):
            with pytest.raises(ValueError, match="expected some of both"):
                data.set_aside(count, 0)
            continue
        train, valid = data.set_aside(count, 3)
        assert len(valid) == int(share * count)
        assert sorted(train + valid) == list(range(count))
        assert (train + valid == list(range(count))) is (validate == "last")
        assert data.set_aside(count, 3) == (train, valid)


@pytest.mark.parametrize(
    ("tasks", "said"),
    [
        ((1,), "task 1"),
        ((1, 2), "tasks 1, 2"),
        ((3, 4, 5), "tasks 3-5"),
        ((3, 5, 7), "tasks 3, 5, 7"),
    ],
)
def test_tasks_in_words(tasks, said):
    assert BabiData(tasks=tasks).name == f"bAbI en, {said}"
    both = BabiData(tasks=tasks, source="generated", test_source="generated", size="10k")
    assert both.name == f"bAbI generated, {said}"


def test_generated_stories_are_many_in_training_alone():
    data = BabiData(source="generated", size="10k", test_source="generated", tasks=(1,))
    asked = [sum(len(story.questions) for story in part) for part in data.load()[:2]]
    assert asked == [10_000, 1000]


@pytest.mark.parametrize(("size", "train"), [("1k", 1000), ("10k", 10_000)])
def test_a_thousand_questions_are_generated_to_test_with(size, train, monkeypatch):
    asked = {}

    def made(task, questions, seed, split, variant):
        asked[split] = questions
        return [Story((Statement(1, f"{split} here."), Question(2, "Who?", "Bo", (1,))), 1, "s", 1)]

    monkeypatch.setattr(babi_data, "make_stories", made)
    stories = BabiData(source="generated", size=size).load()
    assert asked == {"train": train, "test": 1000}
    assert (
        stories.train[0].statements_before(stories.train[0].questions[0])[0].text == "train here."
    )
    assert stories.test[0].statements_before(stories.test[0].questions[0])[0].text == "test here."


def test_examples_are_of_a_split_and_a_task():
    def told(task, name):
        lines = Statement(1, f"{name} here."), Question(2, f"{name}1", "Hall", (1,))
        return Story((*lines, Question(3, f"{name}2", "Hall", ())), task, "story", 1)

    class Some(BabiAnswerer):
        task_of = given = None  # of files of questions, which are not asked here

        def __init__(self):
            self.__dict__["stories"] = BabiStories(
                [told(1, "a"), told(2, "b")], [told(1, "c"), told(2, "d")], None
            )

        def answer_asked(self, asked):
            return Answer(
                asked.question, "", 1.0, (), (asked.step("read", [1.0]),), gold=asked.gold
            )

    for split, task, said in (("train", 2, "b"), ("test", 1, "c"), ("valid", 2, "d")):
        found = list(Some().examples(split, task))
        assert [one.question for one in found] == [f"{said}1", f"{said}2"]
        assert [one.gold for one in found] == ["hall", "hall"]
        read = [one.steps[0].supports[0] for one in found]
        assert [(one.text, one.gold) for one in read] == [
            (f"{said} here.", gold) for gold in (True, False)
        ]
    assert Some().answer(["a here."], "a1").steps[0].supports[0].gold is None


def test_a_memory_without_time_words_or_empty_slots():
    vocabulary = SimpleNamespace(words=range(11), sentence_words=5, memory=7)
    full = MemN2NModel().build(vocabulary)
    assert (full.tables.shape[0], full.slots) == (11 + 7, 7)
    bare = MemN2NModel(time=False, read_empty=False, nonlinear=True).build(vocabulary)
    assert (bare.tables.shape[0], bare.slots) == (11, 0)
    assert isinstance(bare.activation, nn.ReLU)
    assert not isinstance(full.activation, nn.ReLU)


def test_a_setting_by_its_name():
    assert SearchSetting(0.1, 0.05, 0).name == "margin 0.1, weights 0.05, all rivals"
    assert SearchSetting(3.0, 0.1, 10).name == "margin 3, weights 0.1, 10 rivals"


# Recall


def test_the_rate_has_full_height_at_once_where_nothing_rises_or_falls():
    flat = RecallTraining(updates=5, learning_rate=2.0, warm_up=0, cool_down=0.0)
    assert [flat.rate(update) for update in range(5)] == [2.0] * 5
    both = RecallTraining(updates=4, learning_rate=1.0, warm_up=4, cool_down=1.0)
    assert [both.rate(update) for update in range(4)] == [0.25, 0.5, 0.5, 0.25]
    lessons = RecallTraining(updates=4, lessons=((1, 10, 3), (2, 20, 5)))
    assert lessons.total == 12
    RecallTraining(lessons=((1, 1, 1),))
    assert (CRANRecall(data=MultiQuery()).cite, LSTMRecall().cite) == (("arora2024",), ())


def test_steps_are_read_up_to_the_last_key_and_value():
    world = Stream(keys=13, values=5, longest=4, window=7, unique=4)
    numbers = recall_inference.step_numbers
    assert numbers(world, " k12 v4? ") == (12, 4)
    assert numbers(world, "k0") == (0, 5)
    assert numbers(world, "v0") == (13, 0)
    assert numbers(world, "nothing") == (13, 5)
    for wrong in ("k13", "v5"):
        with pytest.raises(ValueError, match=r"there is no \w+ \d+; expected 0 to (12|4)\."):
            numbers(world, wrong)
    for wrong in ("", "x1", "v1 k1"):
        with pytest.raises(ValueError, match=r"is no step: .* k0 to k12 and v0 to v4"):
            numbers(world, wrong)
    text = recall_inference._text
    assert [text(world, *step) for step in ((12, 4), (12, 5), (13, 0), (13, 5))] == [
        *("k12 v4", "k12", "v0", "nothing")
    ]
    assert recall_inference._letter(NextItem()) == "k"
    assert recall_inference._letter(Episodes()) == "v"


def test_curves_are_told_in_per_cent_with_half_of_their_interval():
    figures = {
        "recall/2": 0.5,
        "recall/35": 0.25,
        "recall": 1.0,
        "cliff/2": 0.1,
        "recall_near": 1.0,
    }
    assert curve(figures, "recall") == {2.0: 50.0, 35.0: 25.0}
    assert half_interval((1.0, 2.0, 4.0)) == pytest.approx(3.794583, rel=1e-4)
    assert half_interval((1.0,)) == 0.0


# Language


class Fixed(nn.Module):
    """Predicts by how many symbols it has read, so that a lost or a stale state is seen."""

    def forward(self, seen, state=None):
        state = 0 if state is None else state
        place = state + torch.arange(seen.shape[1])
        place = place.expand_as(seen)
        logits = torch.stack([place * 0.1, seen * 0.5, place * -0.2], -1)
        return NextSymbol(logits, state + seen.shape[1], logits)


@pytest.mark.parametrize("rows", [1, 2, 3, 12, 13, 500])
def test_rows_that_are_read_at_once_begin_anew_and_count_every_symbol_once(rows):
    stream = torch.randint(3, (14,), generator=seeded(0))
    found = read_in_rows(Fixed(), stream, rows, window=3)
    length = math.ceil(13 / min(rows, 13))
    expected = []
    for place in range(13):
        logits = Fixed()(stream[place : place + 1][None], place % length).logits[0, 0]
        expected.append(float(logits.log_softmax(-1)[stream[place + 1]]))
    assert found.tolist() == pytest.approx(expected, abs=1e-5)
    whole = read(Fixed(), stream, window=5)
    assert whole.log_prob.tolist() == pytest.approx(
        read_in_rows(Fixed(), stream, 1).tolist(), abs=1e-5
    )
    assert len(read(Fixed(), stream[:2]).log_prob) == 1
    with pytest.raises(ValueError, match="a text of 1 symbols"):
        read(Fixed(), stream[:1])


@pytest.mark.parametrize(("length", "batch", "window"), [(23, 2, 4), (24, 3, 7), (12, 6, 5)])
def test_windows_cover_every_row_and_updates_are_counted(length, batch, window):
    stream = torch.arange(length)
    task = LanguageTask({"train": stream, "valid": stream[:5]}, lambda rows: (), batch, window)
    row = length // batch
    assert task.row_predictions == row - 1
    seen, learnt = [[] for _ in range(batch)], []
    for position, (now, following, begins) in enumerate(task.batches("train", seeded(0), 0)):
        if position == 2 * task.updates_per_epoch:
            break
        assert begins.tolist() == [position % task.updates_per_epoch == 0] * batch
        assert torch.equal(following, now + 1)
        for one, part in zip(seen, now.tolist(), strict=True):
            one += part
        learnt.append(now.numel())
    for number, one in enumerate(seen):
        assert one == 2 * list(range(number * row, number * row + row - 1))
    for tokens in range(1, sum(learnt) + 1):
        wanted = next(n for n in range(1, len(learnt) + 1) if sum(learnt[:n]) >= tokens)
        assert task.updates_for(tokens) == wanted
    with pytest.raises(ValueError, match=f"batch={length}: "):
        LanguageTask({"train": stream}, lambda rows: (), length, window)
    LanguageTask({"train": stream}, lambda rows: (), length // 2, window)


def test_a_text_in_halves_and_a_perplexity_that_stays_a_number():
    stream = torch.tensor([0, 1, 1, 2, 0, 2])
    task = LanguageTask(
        {"train": stream, "valid": stream, "test": stream}, lambda rows: (), 1, 3, quick_rows=2
    )
    log_prob = read(Fixed(), stream).log_prob.double() / math.log(2)
    found = task.evaluate(Fixed(), "valid")
    assert found["bits/tuning"].mean == pytest.approx(-float(log_prob[:2].mean()))
    assert found["bits/reporting"].mean == pytest.approx(-float(log_prob[2:].mean()))
    assert found["predicted"].mean == 5
    assert "bits/tuning" not in task.evaluate(Fixed(), "test")
    assert task.evaluate(Fixed(), "other") == {}

    class Sure(Fixed):
        def forward(self, seen, state=None):
            found = super().forward(seen, state)
            return found._replace(logits=found.logits * 1e5)

    assert task.evaluate(Sure(), "valid")["perplexity"].mean == pytest.approx(math.exp(700.0))


def test_stretches_reach_from_the_first_word_to_the_last():
    windows = RandomWindows(batch=2000, time=3)
    assert (windows.least, windows.per_epoch(6000), windows.per_epoch(6001)) == (4, 1, 2)
    starts = windows.starts(12, 5, seeded(0), 0)
    assert (int(starts.min()), int(starts.max())) == (4, 8)  # a whole memory before, 3 words after
    for memory, least in ((8, 7), (9, 0)):
        starts = windows.starts(12, memory, seeded(0), 0)
        assert (int(starts.min()), int(starts.max())) == (least, 8)
    assert not torch.equal(windows.starts(12, 5, seeded(0), 1), windows.starts(12, 5, seeded(0), 0))
    assert RandomWindows(7).time == 1
    rows = ConsecutiveWindows(batch=3, time=2)
    assert rows.least == 7
    assert [rows.per_epoch(words) for words in (7, 12, 13, 18, 19)] == [1, 1, 2, 2, 3]
    assert [rows.starts(13, 5, seeded(0), n).tolist() for n in range(3)] == [
        *([0, 4, 8], [2, 6, 10], [0, 4, 8])
    ]


def test_texts_are_shown_from_their_ends():
    reader = text_inference.TextReader(Fixed(), ("a", END, UNKNOWN), "words", 4, None)
    assert reader.unit == "word"
    assert reader.units("a\na") == ["a", END, "a"]
    letters = text_inference.TextReader(Fixed(), ("a", "b", UNKNOWN), "characters", 4, 0.5)
    assert letters.predict(["a"]).steps == ()  # nothing before it to read
    weights = [one.slot for one in letters.predict(list("ababab")).steps[0].supports]
    assert weights == [1, 2, 3, 4]
    for count, shown in ((60, "b" * 60), (61, "…" + "b" * 60)):
        assert letters.predict(["b"] * count).question == shown
    assert letters.surprisal("a").symbols == ()
    for length, temperature in ((0, 1.0), (1, -0.1), (1, math.inf), (1, math.nan)):
        with pytest.raises(ValueError, match=f"length {length} and temperature"):
            letters.write("a", length, temperature, 0)
    assert len(letters.write("a", 1, 0.0, 0).text) == 1
    whole = letters.write("ab", 3, 0.0, 0)
    bits = letters.surprisal("ab" + whole.text).symbols[1:]
    assert whole.probability == pytest.approx(2 ** -(sum(one.bits for one in bits) / 3), rel=1e-4)


# Facts and questions


def test_words_and_names_of_freebase():
    assert question_words("Who's Gómez_2?") == ["who", "s", "gomez", "2"]
    assert question_words("ÉTÉ STRASSE straße") == ["ete", "strasse", "strasse"]
    assert mended("G00f3mez 0026amp; 015f") == "Gómez & ş"
    assert [singular(word) for word in ("films", "gas", "boss", "bus", "cats", "is")] == [
        *("film", "gas", "boss", "bus", "cat", "is")
    ]
    assert relation_words("a.people.place_of_births") == ["people", "place", "of", "birth"]
    assert own_words("a.people.place_of_births") == ["place", "of", "birth"]
    assert told("the of the") == ["the", "of", "< the", "the of", "of the", "the >"]
    facts = [Fact("m.1", "r", ("m.2", "m.2")), Fact("m.2", "r", ("m.1",))]
    aliases = aliases_of({"m.1": "G00f3", "m.2": "?", "m.3": "go"}, facts)
    assert aliases == {
        "go": [Entity("m.1", 2), Entity("m.3", 0)],
        "g00f3": [Entity("m.1", 2)],
    }
    assert linked("G00F3!", aliases) == "m.1"
    assert linked("go", aliases) is linked("other", aliases) is None


def test_groups_hold_their_members_in_order_and_none_where_there_is_none():
    groups = Groups.by(torch.tensor([2, 0, 2, 2]), 5)
    assert [groups.of(group).tolist() for group in range(5)] == [[1], [], [0, 2, 3], [], []]
    drawn = groups.draw(torch.tensor([2, 0]), 500, seeded(0))
    assert drawn[0].unique().tolist() == [0, 2, 3]
    assert drawn[1].unique().tolist() == [1]
    rows = torch.tensor([[7, 5, NO_FACT], [NO_FACT] * 3, [4, 3, 2]])
    found = _drawn(rows, 300, seeded(0))
    assert [row.unique().tolist() for row in found] == [[5, 7], [NO_FACT], [2, 3, 4]]
    assert padded([], 0).shape == (0, 1)
    assert padded([[], [3, 4]], -1).tolist() == [[-1, -1], [3, 4]]


def test_no_fact_is_asked_for_in_two_splits_and_the_later_one_loses_it():
    def asked(*subjects):
        return tuple(SimpleQuestion(one, "r", "", "") for one in subjects)

    mini = Mini((), {}, asked("a", "b", "c", "d", "b"), asked("a", "a"))
    found = _apart(mini, 2)
    assert {split: [one.subject for one in part] for split, part in found.items()} == {
        **{"test": ["a", "a"], "valid": ["d", "b"], "train": ["c"]}
    }


def test_a_fact_in_a_line():
    found = extraction(" a b \tis\t c")
    assert (found.subject, found.relation, found.object) == ("a b", "is", "c")
    for wrong in ("a\tb", "a\t\tc", "a\tb\tc\td", ""):
        with pytest.raises(ValueError, match="expected subject<TAB>relation<TAB>object"):
            extraction(wrong)
    right = [frozenset({1, 2}), frozenset(), frozenset({0})]
    assert hits(torch.tensor([2, NO_FACT, 1]), right).tolist() == [True, False, False]


def test_samples_of_the_questions_give_an_interval(monkeypatch):
    assert mini_table.bootstrap([0.25]) == (0.25, 0.25)
    low, high = mini_table.bootstrap([0.0, 1.0] * 200)
    assert (low, high) == pytest.approx((0.5 - 0.049, 0.5 + 0.049), abs=0.006)


def test_the_interval_of_a_share_by_its_equation():
    for share, number in ((0.0, 10), (0.3, 50), (1.0, 7), (0.5, 1)):
        for end, inside in zip(wilson(share, number), (1e-9, -1e-9), strict=True):
            assert 0 <= end <= 1
            if inside < end < 1 + inside:  # its ends are where the share is 1.96 errors away
                error = math.sqrt(end * (1 - end) / number)
                assert abs(end - share) == pytest.approx(1.959964 * error, abs=1e-6)


def test_one_of_so_many_movies_is_written_about():
    facts = [Triple(movie, "r", item) for movie in "abcde" for item in ("1", "2", "1")]
    assert [one.subject + one.object for one in _sampled(facts, 2)] == [
        *("a1", "a2", "c1", "c2", "e1", "e2")
    ]
    assert len(_sampled(facts, 1)) == 10


def test_facts_lead_both_ways_once_in_order():
    known = Knowledge(Triple(one, "r", item) for one, item in ("ax", "ay", "ax", "bx"))
    assert known.answers("a", "r") == ["x", "y"]
    assert known.answers("x", "!r") == ["a", "b"]
    assert known.answers(None, "r") == known.answers("a", "s") == []
    assert known.holds(["z", "a"], ["y"])
    assert not known.holds(["b"], ["y"])


@pytest.mark.parametrize(
    ("count", "said"), [(0, ""), (1, "1"), (2, "1, 2"), (3, "1, 2 and 1 more")]
)
def test_objects_in_words(count, said):
    assert in_words([str(number) for number in range(1, count + 1)], 2) == said


def test_facts_in_words_forwards():
    many = tuple("abcde")
    assert CandidateFact("x", "r", many).in_words() == "x | r | a, b, c, d and 1 more"
    assert CandidateFact("x", "!r", many[:4]).in_words() == "a, b, c, d | r | x"
    assert CandidateFact("x", "r", ()).in_words() == "x | r | (nothing)"
    assert in_words(["a"] * 21).endswith(" and 1 more")
    assert "more" not in in_words(["a"] * 20)


# Sentences


def test_words_of_a_sentence():
    assert words("Is it THE Bridge_2, 1932?")[-2:] == ["bridge_2", "1932"]
    assert [shape(word) for word in ("7", "1932", "12345", "123456", "a1")] == [
        *("#", "####", "#####", "#####", None)
    ]
    assert shared("a bridge bridge town", "Town of bridge town") == ["town", "bridge"]
    assert "who" in asking_words("who is it")
    assert Rarity(6, {"a": 3}).to_json() == {"sentences": 6, "having": {"a": 3}}
    assert (Rarity(6, {"a": 3})["a"], Rarity(6, {})["b"]) == (math.log(2), math.log(6))
    assert Rarity(0, {})["b"] == 0.0
    assert ordered([2.0, 1.0, 2.0, 1.0], [0.1, 0.9, 0.0, 0.5]) == [3.0, 1.0, 2.0, 0.0]
    assert ordered([], []) == []
