"""Ranking the sentences of an article: what is counted, what is read, what is learnt."""

import math

import pytest
import torch
from torch.testing import assert_close

from elsewhere import check_task
from memnets.data.qa.wikiqa import Candidate, WikiQAQuestion, ranking
from memnets.models.kv_memnn import KVMemNN
from memnets.studies.wikiqa import task as task_module
from memnets.studies.wikiqa.task import (
    ASKED,
    LEVELS,
    SentenceRanker,
    WeightedVocabulary,
    WikiQATask,
    ask,
    number,
)
from memnets.studies.wikiqa.words import (
    Rarity,
    asking_words,
    ordered,
    shape,
    weighted_word_count,
    word_count,
    words,
)


def question(text: str, *sentences: str) -> WikiQAQuestion:
    """A question whose right sentences begin with a star."""
    return WikiQAQuestion(
        text, tuple(Candidate(one.removeprefix("*"), one[0] == "*") for one in sentences)
    )


RIVER = question(
    "When was the longest bridge of Oslo built?",
    "Oslo is a town.",
    "*Its longest bridge was built in 1932.",
    "A bridge of wood, the bridge of 1932.",
)
TOWN = question("who rules the town", "*A king rules it.", "The town is old.")
ALL_RIGHT = question("where is it", "*There it lies.")
NONE_RIGHT = question("why so", "Nobody knows.", "A town of towns.")
QUESTIONS = [RIVER, TOWN, ALL_RIGHT, NONE_RIGHT]


@pytest.fixture
def vocabulary():
    return WeightedVocabulary.of(QUESTIONS, least=1)


def ranker(vocabulary, place=True, seed=0):
    torch.manual_seed(seed)
    return SentenceRanker(KVMemNN(len(vocabulary.words), dim=5), place)


def test_words_that_tell_something():
    assert words(RIVER.text) == ["longest", "bridge", "oslo", "built"]
    assert asking_words(RIVER.text) == ["when", "longest", "bridge", "oslo", "built"]
    assert [shape(word) for word in ("7", "1932", "1234567", "x1")] == ["#", "####", "#####", None]


def test_baselines_by_hand():
    assert word_count(RIVER) == [1.0, 3.0, 1.0]
    rarity = Rarity.of(QUESTIONS)
    assert rarity.sentences == 8
    assert rarity["bridge"] == math.log(8 / 2)
    assert rarity["never seen"] == math.log(8)
    expected = [math.log(8), math.log(8) + math.log(4) + math.log(8), math.log(4)]
    assert weighted_word_count(RIVER, rarity) == pytest.approx(expected)


def test_equal_scores_are_told_apart_by_further_numbers():
    assert ordered([5.0, 7.0, 5.0], [2.0, 0.0, 1.0]) == [1.0, 2.0, 0.0]
    assert ordered([5.0, 7.0, 5.0], [1.0, 0.0, 2.0]) == [0.0, 2.0, 1.0]
    assert ordered([], []) == []


def test_map_and_mrr_are_those_of_another_implementation():
    measures = pytest.importorskip("ir_measures")
    generator = torch.Generator().manual_seed(0)
    asked, scores = [], []
    for count in (1, 2, 3, 5, 7, 11, 13, 29):
        labels = torch.rand(count, generator=generator) < 0.4
        labels[int(torch.randint(count, (), generator=generator))] = True
        asked.append(question("?", *("*x" if label else "x" for label in labels)))
        scores.append(torch.rand(count, generator=generator).tolist())
    rows = [
        (f"q{place}", f"d{at}", one.right, score)
        for place, (each, given) in enumerate(zip(asked, scores, strict=True))
        for at, (one, score) in enumerate(zip(each.candidates, given, strict=True))
    ]
    relevant = [measures.Qrel(name, document, int(right)) for name, document, right, _ in rows]
    ranked = [measures.ScoredDoc(name, document, score) for name, document, _, score in rows]
    theirs = measures.calc_aggregate([measures.AP, measures.RR], relevant, ranked)
    ours = ranking(asked, scores)
    assert ours.average_precision == pytest.approx(theirs[measures.AP], abs=1e-6)
    assert ours.reciprocal_rank == pytest.approx(theirs[measures.RR], abs=1e-6)


def test_a_vocabulary_keeps_words_that_ask_and_shapes_of_numbers():
    rare = WeightedVocabulary.of(QUESTIONS, least=100)
    assert rare.words == (ASKED, *LEVELS, "####", *("when", "where", "who", "why"))
    assert "king" in WeightedVocabulary.of(QUESTIONS, least=1).words
    assert "king" not in WeightedVocabulary.of(QUESTIONS, least=2).words
    assert "town" in WeightedVocabulary.of(QUESTIONS, least=2).words


def test_shared_words_are_words_of_the_bag(vocabulary):
    def named(bag):
        return [vocabulary.words[number] for number in bag]

    assert named(vocabulary.said(["bridge", "1932", "bridge"], {"bridge"})) == [
        *("bridge", "1932", "####", "bridge", "=1"),
    ]
    assert named(vocabulary.said(["king", "nowhere"], {"king", "nowhere"})) == ["king", "=2", "=2"]
    assert named(vocabulary.asked("Who rules 7 kings?")) == [ASKED, "who", "rules"]


def test_a_vocabulary_survives_its_file(vocabulary):
    again = WeightedVocabulary.from_json(vocabulary.to_json())
    assert again.words == vocabulary.words
    assert again.said(["bridge"], {"bridge"}) == vocabulary.said(["bridge"], {"bridge"})


@pytest.mark.parametrize(("memory", "slots"), [("sentences", [3, 2]), ("windows", [10, 4])])
def test_the_memory_of_a_question_is_its_own_candidates(vocabulary, memory, slots):
    numbered = number([RIVER, TOWN], vocabulary, memory)
    assert numbered.slots.lengths.tolist() == slots
    assert numbered.candidates.lengths.tolist() == [3, 2]
    assert numbered.right.tolist() == [False, True, False, True, False]
    assert numbered.memory.values.rows == len(numbered.home) == sum(slots)
    for some in (numbered, numbered.take(torch.tensor([1])), numbered.take(torch.tensor([1, 0]))):
        for slot, home in enumerate(some.home.tolist()):
            assert some.memory.values.row(slot) == some.sentences.row(home)
    assert numbered.features[1].tolist() == pytest.approx(
        [3.0, math.log(8) + math.log(4) + math.log(8), math.log(2)]
    )


def test_windows_do_not_cross_sentences(vocabulary):
    numbered = number([TOWN], vocabulary, "windows")
    keys = [[vocabulary.words[n] for n in numbered.memory.keys.row(slot)] for slot in range(4)]
    assert keys[0] == ["king", "rules", LEVELS[2]]
    assert keys[3] == ["town", "old", LEVELS[0]]


def test_windows_have_seven_words(vocabulary):
    long = question("x", "aa bb cc dd ee ff gg hh ii")
    numbered = number([long], WeightedVocabulary.of([long], 1), "windows")
    assert numbered.memory.keys.lengths.tolist() == [4, 5, 6, 7, 7, 7, 6, 5, 4]


@pytest.mark.parametrize("memory", ["sentences", "windows"])
def test_a_batch_is_its_questions_one_by_one(vocabulary, memory):
    model, both = ranker(vocabulary), number(QUESTIONS, vocabulary, memory)
    order = torch.tensor([3, 1, 0, 2])
    whole, _ = model(both.take(order))
    alone = [model(number([QUESTIONS[row]], vocabulary, memory))[0] for row in order.tolist()]
    assert_close(whole, torch.cat(alone))


def test_a_ranker_begins_as_the_weighted_word_count(vocabulary):
    model = ranker(vocabulary)
    with torch.no_grad():
        model.memory.table.zero_()
    scores, _ = model(number([RIVER], vocabulary, "windows"))
    assert_close(scores, 0.5 * torch.tensor(weighted_word_count(RIVER, vocabulary.rarity)))


def test_the_place_counts_only_where_it_is_told(vocabulary):
    numbered = number([RIVER], vocabulary, "sentences")
    moved = numbered._replace(features=numbered.features + torch.tensor([0.0, 0.0, 3.0]))
    for place in (True, False):
        model = ranker(vocabulary, place)
        with torch.no_grad():
            model.features.fill_(1.0)
        assert torch.equal(model(numbered)[0], model(moved)[0]) != place


def test_questions_without_a_choice_are_not_learnt_from(vocabulary):
    task = WikiQATask({"train": QUESTIONS, "valid": QUESTIONS}, vocabulary, "sentences", 3, 0.0)
    assert task.questions == {"train": [RIVER, TOWN], "valid": [RIVER, TOWN, ALL_RIGHT]}
    assert task.updates_per_epoch == 1
    metrics = task.evaluate(ranker(vocabulary), "valid")
    assert (metrics["map"].weight, metrics["map_mixed"].weight) == (3, 2)


def test_loss_and_measures_by_hand(vocabulary):
    task = WikiQATask({"train": [RIVER], "test": [RIVER]}, vocabulary, "sentences", 2, 0.0)
    model = ranker(vocabulary, place=False)
    with torch.no_grad():
        model.memory.table.zero_()
        model.features.copy_(torch.tensor([1.0, 0.0]))  # scores 1, 3, 1
    share = math.exp(3) / (math.exp(3) + 2 * math.exp(1))
    step = task.loss(model, task.collate("train", (torch.tensor([0]),)), (), torch.Generator())
    assert float(step.loss_sum.detach()) == pytest.approx(-math.log(share))
    assert float(step.sums["accuracy"]) == 1
    found = task.evaluate(model, "test")
    assert [found[name].mean for name in ("map", "mrr", "map_mixed")] == [1, 1, 1]
    assert found["loss"] == (pytest.approx(-math.log(share)), 1)
    with torch.no_grad():
        model.features.copy_(torch.tensor([-1.0, 0.0]))  # now it comes last
    assert task.evaluate(model, "test")["map"].mean == pytest.approx(1 / 3)
    step = task.loss(model, task.collate("train", (torch.tensor([0]),)), (), torch.Generator())
    assert float(step.sums["accuracy"]) == 0


def test_equal_candidates_are_in_no_order(vocabulary):
    first_is_right = question("where", "*One.", "Two.", "Three.")
    task = WikiQATask({"test": [first_is_right] * 7}, vocabulary, "sentences", 2, 0.0)
    found = task.evaluate(ranker(vocabulary), "test")
    # All orders are as likely: (1 + 1/2 + 1/3) / 3. That of the article would be worth 1.
    assert found["map"].mean == found["mrr"].mean == pytest.approx(11 / 18, abs=0.06)


def test_every_draw_orders_equal_candidates_anew(vocabulary, monkeypatch):
    """One question in one order would be worth 1, 1/2 or 1/3."""
    monkeypatch.setattr("memnets.studies.wikiqa.task.DRAWS", 500)
    task = WikiQATask(
        {"test": [question("where", "*One.", "Two.", "Three.")]}, vocabulary, "sentences", 2, 0.0
    )
    assert task.evaluate(ranker(vocabulary), "test")["mrr"].mean == pytest.approx(11 / 18, abs=0.05)


def test_dropout_leaves_words_out_and_no_bags(vocabulary):
    task = WikiQATask({"train": QUESTIONS}, vocabulary, "windows", 2, 0.5)
    model = ranker(vocabulary)
    generator = torch.Generator().manual_seed(0)
    rows = torch.tensor([0, 1])
    losses = {
        float(task.loss(model, task.collate("train", (rows,)), (), generator).loss_sum.detach())
        for _ in range(5)
    }
    assert len(losses) == 5
    assert all(math.isfinite(loss) for loss in losses)


def test_dropout_leaves_out_words_of_everything_that_is_read(vocabulary):
    task = WikiQATask({"train": QUESTIONS}, vocabulary, "windows", 2, 0.5)
    whole, seen = task.collate("train", (torch.tensor([0, 1]),)), []
    model = ranker(vocabulary)
    model.register_forward_pre_hook(lambda _, given: seen.append(*given))
    task.loss(model, whole, (), torch.Generator().manual_seed(0))
    for before, after in (
        (whole.questions, seen[0].questions),
        (whole.memory.keys, seen[0].memory.keys),
        (whole.memory.values, seen[0].memory.values),
        (whole.sentences, seen[0].sentences),
    ):
        assert after.rows == before.rows
        assert len(after.items) < len(before.items)


def test_it_is_the_same_on_another_device(vocabulary):
    splits = {"train": [RIVER, RIVER], "valid": [RIVER]}
    check_task(WikiQATask(splits, vocabulary, "windows", batch=2, dropout=0.3), ranker(vocabulary))


def test_batches_are_a_function_of_seed_and_place(vocabulary):
    task = WikiQATask({"train": QUESTIONS * 3}, vocabulary, "sentences", 4, 0.0)
    generator = torch.Generator().manual_seed(7)
    stream = task.batches("train", generator, 0)
    first = [next(stream)[0].tolist() for _ in range(5)]
    assert sorted(first[0] + first[1]) == list(range(6))
    later = task.batches("train", generator, 3)
    assert [next(later)[0].tolist() for _ in range(2)] == first[3:]


def test_it_learns(vocabulary):
    task = WikiQATask({"train": QUESTIONS}, vocabulary, "windows", 2, 0.0)
    model = ranker(vocabulary)
    optimizer = torch.optim.Adam(model.parameters(), 0.05)
    losses = []
    for _ in range(20):
        optimizer.zero_grad()
        loss = task.loss(
            model, task.collate("train", (torch.tensor([0, 1]),)), (), torch.Generator()
        ).loss_sum
        loss.backward()
        optimizer.step()
        losses.append(float(loss.detach()))
    assert losses[-1] < 0.05 * losses[0]


@pytest.mark.parametrize("memory", ["sentences", "windows"])
def test_an_answer_is_a_sentence_with_what_was_read(vocabulary, memory):
    model = ranker(vocabulary)
    with torch.no_grad():
        model.memory.table.mul_(0.01)
    answer = ask(model, vocabulary, memory, RIVER)
    assert answer.text == answer.gold == "Its longest bridge was built in 1932."
    assert answer.rests_on_gold is not None
    assert len(answer.steps) == 2
    for step in answer.steps:
        assert [support.text for support in step.supports] == [one[0] for one in RIVER.candidates]
        assert sum(support.weight for support in step.supports) == pytest.approx(1)
    assert answer.probability + sum(share for _, share in answer.runners_up) == pytest.approx(1)


def test_of_several_right_sentences_the_one_that_is_given_is_gold(vocabulary):
    both = question("town king", "*A town.", "*The king of the town.")
    assert ask(ranker(vocabulary), vocabulary, "sentences", both).correct is True
    nobody = ask(ranker(vocabulary), vocabulary, "sentences", NONE_RIGHT)
    assert (nobody.gold, nobody.correct, nobody.rests_on_gold) == (None, None, None)
    assert ask(
        ranker(vocabulary), vocabulary, "sentences", question("why quarks", "x")
    ).unknown_words == ("quarks",)


@pytest.mark.parametrize("most", [1, 2])
def test_what_is_measured_does_not_depend_on_how_many_are_ranked_at_once(
    vocabulary, monkeypatch, most
):
    task = WikiQATask({"valid": QUESTIONS}, vocabulary, "windows", 3, 0.0)
    model = ranker(vocabulary)
    whole = task.evaluate(model, "valid")
    monkeypatch.setattr(task_module, "EVALUATION_BATCH", most)
    for name, ratio in task.evaluate(model, "valid").items():
        assert ratio == pytest.approx(whole[name], rel=1e-5)
    assert (task_module.DRAWS, task_module.RUNNERS_UP) == (20, 3)
    assert task_module.LEVELS[9:] == ("=9",)
