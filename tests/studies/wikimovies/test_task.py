"""Questions to slots of words: numbered, learnt, ranked, and answered with evidence."""

import itertools

import pytest
import torch
from torch.testing import assert_close

from elsewhere import check_task
from memnets.memories.keyvalue import Ragged
from memnets.models.kv_memnn import KVMemNN
from memnets.studies.wikimovies import task as task_module
from memnets.studies.wikimovies.task import (
    KBQuestionsTask,
    SlotVocabulary,
    ask,
    number_questions,
    one_of_each,
    right_among,
)
from memnets.training.task import fold_in

FACTS = [
    ("Red", "made_by", "K."),
    ("Red", "year", "1994"),
    ("Blue", "made_by", "K."),
    ("Blue", "year", "1993"),
    ("Alien", "made_by", "Scott"),
    ("Alien", "year", "1979"),
]
SLOTS = [((subject, relation), (item,)) for subject, relation, item in FACTS]
MADE, WHEN = ("who", "made", "?"), ("when", "came", "?")


def asked(titles):
    """Return questions, their candidates and answers, for some films."""
    rows = []
    for title, (words, relation) in itertools.product(titles, ((MADE, 0), (WHEN, 1))):
        slots = [n for n, ((subject, _), _) in enumerate(SLOTS) if subject == title]
        rows.append(((title, *words), slots, (SLOTS[slots[relation]][1][0],), relation))
    return list(zip(*rows, strict=True))


def small_task(**arguments):
    words, candidates, answers, kinds = asked(["Red", "Blue", "Alien"])
    vocabulary = SlotVocabulary.of(SLOTS, words)
    train = number_questions(vocabulary, words, candidates, answers, kinds)
    marks = [{"known": kind == 0} for kind in kinds]
    test = number_questions(vocabulary, words, candidates, answers, kinds, marks)
    labels = vocabulary.bags((answer,) for answer in vocabulary.answers)
    task = KBQuestionsTask(
        vocabulary.memory(SLOTS), labels, {"train": train, "valid": test}, ("made", "came"),
        **{"batch": 5, "negatives": 7, **arguments},
    )  # fmt: skip
    return task, vocabulary


def trained(updates=80):
    task, vocabulary = small_task()
    torch.manual_seed(0)
    model = KVMemNN(len(vocabulary.words), dim=29)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.03)
    generator = torch.Generator().manual_seed(3)
    for batch in itertools.islice(task.batches("train", generator, 0), updates):
        optimizer.zero_grad()
        step = task.loss(model, task.collate("train", batch), (), generator)
        (step.loss_sum / step.weight).backward()
        optimizer.step()
    return model, task, vocabulary


def test_words_are_those_of_slots_and_questions_and_values_are_answers():
    vocabulary = SlotVocabulary.of(SLOTS, [("Red", "who")])
    assert vocabulary.answers == ("K.", "1994", "1993", "Scott", "1979")
    assert vocabulary.numbers(("Red", "nobody", "made_by")) == [0, 1]
    assert vocabulary.labels(("Scott", "Red")) == [3]
    assert vocabulary.unknown(("Red", "nobody")) == ["nobody"]
    assert SlotVocabulary.of(SLOTS, [], {"K.", "Red"}).answers == ("K.",)
    assert SlotVocabulary.from_json(vocabulary.to_json()) == vocabulary


def test_it_learns_and_reports():
    model, task, _ = trained()
    ratios = task.evaluate(model, "valid")
    assert ratios["accuracy"].mean == 1.0
    assert ratios["hits/came"].weight == 3
    assert ratios["known"].mean == 0.5
    assert ratios["hits/known"].weight == 3
    assert 0 < ratios["loss"].mean < 0.5


def test_hits_and_loss_are_those_of_a_plain_softmax():
    task, vocabulary = small_task()
    model, data = KVMemNN(len(vocabulary.words), dim=7), task.questions["valid"]
    ratios = task.evaluate(model, "valid")
    logits = model(data.words, task.memory, data.candidates, task.answers).logits
    gold = data.right.items
    assert ratios["accuracy"].total == float((logits.argmax(-1) == gold).sum())
    loss = torch.nn.functional.cross_entropy(logits, gold, reduction="sum")
    assert ratios["loss"].total == pytest.approx(loss.item(), rel=1e-5)


def test_any_right_answer_counts_and_none_is_no_error():
    task, vocabulary = small_task()
    answers = [tuple(vocabulary.answers), ("nobody",)]
    questions = number_questions(vocabulary, [MADE, MADE], [(0, 1), ()], answers, [0, 0])
    task.questions["valid"] = questions
    ratios = task.evaluate(KVMemNN(len(vocabulary.words), dim=7), "valid")
    assert ratios["accuracy"].total == 1.0
    assert ratios["accuracy"].weight == 2
    assert ratios["loss"].weight == 1  # of the questions that have an answer to be wrong about


def test_figures_of_a_whole_side_are_reported_as_they_are():
    task, vocabulary = small_task()
    rows = [MADE], [(0,)], [("K.",)], [0]
    task.questions["valid"] = number_questions(vocabulary, *rows, (), {"coverage/asked": 7.0})
    ratios = task.evaluate(KVMemNN(len(vocabulary.words), dim=7), "valid")
    assert ratios["coverage/asked"].mean == 7.0
    assert number_questions(vocabulary, *rows).figures == {}


def test_the_words_of_the_answers_are_numbered_once():
    """There may be tens of thousands, and each question is asked of all of them."""
    slots = [(("Red",), ("K.",)), (("Blue", "K."), ("Red", "Scott"))]
    vocabulary = SlotVocabulary.of(slots, [MADE])
    numbered = vocabulary.answer_bags
    assert numbered.rows == len(vocabulary.answers) == 3
    assert [vocabulary.words[number] for number in numbered.items] == ["K.", "Red", "Scott"]
    assert vocabulary.answer_bags is numbered


def test_values_may_hold_words_that_come_after_every_answer():
    slots = [(("Red", "K.", "made", "it"), ("Red", "K.", "made", "it"))]
    vocabulary = SlotVocabulary.of(slots, [MADE], {"Red", "K."})
    assert vocabulary.answers == ("Red", "K.")
    data = {"train": number_questions(vocabulary, [MADE], [(0,)], [("K.",)], [0])}
    answers = vocabulary.bags((answer,) for answer in vocabulary.answers)
    task = KBQuestionsTask(vocabulary.memory(slots), answers, data, ["made"], 1, 3)
    drawn = task._draw(data["train"].candidates, torch.Generator().manual_seed(0))
    assert set(drawn.tolist()) <= {0, 1}


def test_the_loss_of_all_answers_is_the_full_softmax():
    task, vocabulary = small_task(negatives=1000, batch=6)
    model, data = KVMemNN(len(vocabulary.words), dim=7), task.questions["train"]
    step = task.loss(
        model, task.collate("train", (torch.arange(6),)), (), torch.Generator().manual_seed(0)
    )
    logits = model(data.words, task.memory, data.candidates, task.answers).logits
    loss = torch.nn.functional.cross_entropy(logits, data.right.items, reduction="sum")
    assert_close(step.loss_sum, loss)


def test_each_of_several_right_answers_is_learnt_at_times():
    task, vocabulary = small_task(negatives=1000)
    right = tuple(vocabulary.answers[:3])
    task.questions["train"] = number_questions(vocabulary, [MADE], [(0, 1)], [right], [0])
    model, batch = KVMemNN(len(vocabulary.words), dim=7), task.collate("train", (torch.arange(1),))
    steps = [task.loss(model, batch, (), torch.Generator().manual_seed(n)) for n in range(23)]
    assert len({f"{step.loss_sum.item():.4f}" for step in steps}) == 3


def test_half_of_the_drawn_are_values_of_the_candidates():
    slots = [(("Red", "made"), (f"N{number}",)) for number in range(23)]
    slots += [(("Blue", "made"), (f"M{number}",)) for number in range(997)]
    vocabulary = SlotVocabulary.of(slots, [MADE], {item for _, (item,) in slots})
    data = {"train": number_questions(vocabulary, [MADE], [tuple(range(23))], [("N0",)], [0])}
    answers = vocabulary.bags((answer,) for answer in vocabulary.answers)
    task = KBQuestionsTask(vocabulary.memory(slots), answers, data, ["made"], 1, negatives=14)
    drawn = task._draw(data["train"].candidates, torch.Generator().manual_seed(0))
    near = [label for label in drawn.tolist() if vocabulary.answers[label].startswith("N")]
    assert (len(drawn), len(near)) == (14, 7)
    # Not the same seven ever again: each of them is drawn at times.
    draws = [
        task._draw(data["train"].candidates, torch.Generator().manual_seed(seed)).tolist()
        for seed in range(61)
    ]
    assert {vocabulary.labels((f"N{number}",))[0] for number in range(23)} <= set().union(*draws)


def test_it_is_the_same_on_another_device():
    task, vocabulary = small_task()
    check_task(task, KVMemNN(len(vocabulary.words), dim=7))


def test_batches_depend_on_the_seed_and_their_number_only():
    task, _ = small_task()
    generator = fold_in(torch.Generator().manual_seed(5), 1)
    first = list(itertools.islice(task.batches("train", generator, 0), 7))
    later = list(itertools.islice(task.batches("train", generator, 3), 4))
    assert all(torch.equal(a[0], b[0]) for a, b in zip(first[3:], later, strict=True))
    assert sorted(torch.cat([rows for (rows,) in first[:2]]).tolist()) == list(range(6))


def test_right_answers_among_the_drawn_are_spared():
    among = right_among(Ragged.of([(4, 1), (0,), ()]), torch.tensor([1, 3, 0, 4]), labels=5)
    assert among.tolist() == [[True, False, False, True], [False, False, True, False], [False] * 4]


def test_one_of_each_row_is_drawn_and_each_item_can_be():
    rows = Ragged.of([(3, 5, 7), (2,)])
    generator = torch.Generator().manual_seed(0)
    drawn = torch.stack([one_of_each(rows, generator) for _ in range(60)])
    assert set(drawn[:, 0].tolist()) == {3, 5, 7}
    assert set(drawn[:, 1].tolist()) == {2}


def test_an_answer_comes_with_what_was_read():
    model, task, vocabulary = trained()
    slots = {4: "Alien made_by → Scott", 5: "Alien year → 1979"}
    words = ("Alien", "who", "made", "it")
    answer = ask(model, vocabulary, task.memory, words, slots, "who made Alien?", ("Scott",))
    assert answer.text == "Scott"
    assert answer.correct
    assert answer.probability > 0.5
    assert [step.name for step in answer.steps] == ["hop 1", "hop 2"]
    assert answer.steps[1].most_read.text == "Alien made_by → Scott"
    assert answer.unknown_words == ("it",)
    assert len(answer.runners_up) == 3


def test_a_question_without_candidates_still_has_an_answer():
    model, task, vocabulary = trained(updates=1)
    answer = ask(model, vocabulary, task.memory, (), {}, "?", ("Scott", "K."))
    assert answer.text in vocabulary.answers
    assert all(step.supports == () for step in answer.steps)
    assert answer.gold in ("Scott", "K.")


@pytest.mark.parametrize("most", [1, 4])
def test_what_is_measured_does_not_depend_on_how_many_are_asked_at_once(monkeypatch, most):
    task, vocabulary = small_task()
    model = KVMemNN(len(vocabulary.words), dim=7)
    whole = task.evaluate(model, "valid")
    monkeypatch.setattr(task_module, "EVALUATION_BATCH", most)
    parts = task.evaluate(model, "valid")
    assert parts.keys() == whole.keys()
    for name, ratio in parts.items():
        assert ratio == pytest.approx(whole[name], rel=1e-5)


def test_the_settings_are_the_ones_that_are_told():
    task, _ = small_task()
    made = KBQuestionsTask(task.memory, task.answers, task.questions)
    assert (made.batch, made.negatives, made.word_dropout) == (256, 1000, 0.0)
    assert (task_module.EVALUATION_BATCH, task_module.RUNNERS_UP) == (500, 3)
    assert [small_task(batch=n)[0].updates_per_epoch for n in (1, 4, 6, 7)] == [6, 2, 1, 1]


def test_marks_are_counted_and_so_are_hits_and_other_marks_among_them():
    task, vocabulary = small_task()
    model, data = KVMemNN(len(vocabulary.words), dim=7), task.questions["valid"]
    in_kb = torch.tensor([True, True, True, True, False, False])
    symbolic = torch.tensor([True, False, False, False, True, False])
    task.questions["valid"] = data._replace(marks={"in_kb": in_kb, "symbolic": symbolic})
    found = task.evaluate(model, "valid")
    logits = model(data.words, task.memory, data.candidates, task.answers).logits
    hit = (logits.argmax(-1) == data.right.items).float()
    expected = {
        **{"in_kb": 4 / 6, "symbolic": 2 / 6, "symbolic/in_kb": 1 / 4, "in_kb/symbolic": 1 / 2},
        **{"hits/in_kb": float(hit[in_kb].mean()), "hits/symbolic": float(hit[symbolic].mean())},
        **{"hits/made": float(hit[::2].mean()), "hits/came": float(hit[1::2].mean())},
    }
    assert {name: found[name].mean for name in expected} == pytest.approx(expected)
    assert found.keys() == expected.keys() | {"loss", "accuracy"}


def test_of_several_right_answers_the_one_that_is_given_is_gold_or_else_the_first():
    task, vocabulary = small_task()
    model = KVMemNN(len(vocabulary.words), dim=7)
    slots = {0: "Red made_by", 1: "Red year"}

    def asked(*gold):
        return ask(model, vocabulary, task.memory, ("Red", *MADE), slots, "who?", gold)

    given = asked().text
    wrong = [one for one in vocabulary.answers if one != given]
    assert asked(wrong[0], given).gold == given
    assert asked(wrong[1], wrong[0]).gold == wrong[1]
    assert asked().gold is None
    assert [support.slot for support in asked().steps[0].supports] == [0, 1]
