"""A KV-MemNN over a KB's own facts: what is right, what is said, when it is declined."""

import numpy as np
import pytest
import torch

from memnets.data.facts import Triple
from memnets.kb.linking.naming import Names
from memnets.kb.questions.phrases import ways_of_asking
from memnets.kb.questions.questions import Facts, GeneratedQuestion, QuestionGenerator
from memnets.kb.questions.relations import RelationScorer
from memnets.kb.questions.vocabulary import LACKING, MARKS, TokenVocabulary
from memnets.models.kv_memnn import KVMemNN
from memnets.studies.kb_qa import inference
from memnets.studies.kb_qa import task as task_module
from memnets.studies.kb_qa.encoding import (
    NO_FACT,
    NOTHING_READ,
    CandidateFact,
    QuestionEncoder,
    in_words,
)
from memnets.studies.kb_qa.inference import UNSURE, KBReader
from memnets.studies.kb_qa.numbering import number
from memnets.studies.kb_qa.reading import ByTorch
from memnets.studies.kb_qa.task import Decided, KBQATask, choose_threshold, decide

TRIPLES = [
    Triple("Alien", "directed_by", "Ada"),
    Triple("Alien", "has_genre", "Horror"),
    Triple("Up", "directed_by", "Ada"),
    Triple("Up", "directed_by", "Ben"),
    Triple("Up", "has_genre", "Comedy"),
    Triple("Heat", "directed_by", "Cora"),
    Triple("Heat", "written_by", "Cora"),
]
FACTS = Facts(TRIPLES)
WAYS = ways_of_asking(FACTS.relations)
LEXICON = TokenVocabulary.of(WAYS, len(FACTS))
LISTENER = QuestionEncoder(FACTS, LEXICON, Names(FACTS.links(), LEXICON.words))


def question(text: str, kind: str = "known", *of: str) -> GeneratedQuestion:
    entity, relation = of or ("", "")
    return GeneratedQuestion(text, kind, entity, relation, FACTS.of(entity).get(relation, ()))


def test_the_facts_of_what_is_named_are_candidates():
    facts = LISTENER.listen("who directed Alien?").facts
    assert facts[:2] == (
        CandidateFact("Alien", "directed_by", ("Ada",)),
        CandidateFact("Alien", "has_genre", ("Horror",)),
    )


def test_what_others_have_and_an_entity_lacks_is_a_candidate_too():
    facts = LISTENER.listen("what did Alien direct?").facts[2:]
    assert {(fact.relation, fact.objects) for fact in facts} == {
        ("!directed_by", ()),
        ("!has_genre", ()),
        ("written_by", ()),
        ("!written_by", ()),
    }
    asked = number(LISTENER, [question("what did Alien direct?", "inapplicable relation")])
    keys = [asked.memory.keys.row(slot) for slot in asked.candidates.row(0)]
    lacking = [MARKS.index(LACKING) in key for key in keys]
    assert lacking == [False, False, False, True, True, True, True]
    assert [asked.memory.values.row(slot) == [0] for slot in asked.candidates.row(0)] == [
        True, False, False, True, True, True, True
    ]  # fmt: skip
    assert asked.right.row(0) == [1, 0, 0, 1, 1, 1, 1]
    assert asked.said.row(0) == [0, 1, 2, 0, 0, 0, 0]


def test_a_fact_or_an_entity_is_thought_away():
    missing = question("who directed Alien?", "missing fact", "Alien", "directed_by")
    facts = LISTENER.listen(missing.text, missing).facts
    assert [fact.relation for fact in facts if fact.objects] == ["has_genre"]
    assert CandidateFact("Alien", "directed_by", ()) in facts
    unknown = question("who directed Alien?", "unknown entity", "Alien", "directed_by")
    assert LISTENER.listen(unknown.text, unknown).facts == ()


def test_the_right_candidates_are_marked():
    asked = number(
        LISTENER,
        [
            question("who directed Up", "known", "Up", "directed_by"),
            question("banana", "nonsense"),
            question("who directed Alien", "missing fact", "Alien", "directed_by")._replace(
                answers=()
            ),
            question("who made what", "known", "Up", "directed_by"),
            question("what did Cora do", "known", "Cora", "!written_by"),
        ],
    )
    up, banana, alien, what, cora = (asked.right.row(n) for n in range(5))
    assert up == [0, 1, 0, 0, 0, 0, 0]
    assert banana == what == [1]
    assert alien == [1, 0, 1, 1, 1, 1, 1]
    assert cora == [0, 1, 1, 0, 0, 0, 0]
    assert asked.candidates.row(0)[0] == 0
    assert asked.memory.keys.rows == max(asked.candidates.items) + 1
    assert asked.said.row(4)[1] == asked.said.row(4)[2]
    assert asked.kinds.tolist() == [0, 5, 2, 0, 0]


class Fixed(KVMemNN):
    """Gives scores that were agreed upon, whatever is asked; to what lacks the last one.

    Where no last one is given, what lacks has no share.
    """

    def __init__(self, scores: list[float], lacking: float = -torch.inf) -> None:
        super().__init__(vocab=len(LISTENER.vocabulary), dim=7, hops=1)
        self.scores = torch.tensor(scores + [lacking] * (7 - len(scores)))

    def read(self, questions, memory, candidates):
        _, hops = super().read(questions, memory, candidates)
        return self.scores.clamp(min=-1e9).expand(candidates.rows, -1), hops

    def embed_answers(self, answers):
        return torch.eye(7)[: answers.rows]

    def read_one(self, question, keys, values):
        _, hops = super().read_one(question, keys, values)
        return self.scores.clamp(min=-1e9)[: len(keys)], hops


def test_facts_that_say_the_same_count_together():
    asked = number(LISTENER, [question("what did Cora do", "known", "Cora", "!written_by")])
    decided = decide(Fixed([0.0, 0.0, 0.0]), asked)
    assert decided.support.item() == pytest.approx(2 / 3)
    assert decided.right.item()


def test_the_empty_slot_is_no_support():
    asked = number(LISTENER, [question("who directed Alien", "known", "Alien", "directed_by")])
    decided = decide(Fixed([5.0, 1.0, 0.0]), asked)
    assert decided.support.item() == pytest.approx(torch.tensor([5.0, 1, 0]).softmax(0)[1].item())
    assert decided.right.item()
    nothing = decide(Fixed([1.0]), number(LISTENER, [question("banana", "nonsense")]))
    assert nothing == Decided(torch.zeros(1), torch.tensor([False]))


def ask(model, listener, least, text, relations=()):
    """Answer by what is learnt; and, of relations that are named, by words."""
    return KBReader(ByTorch(model), listener, RelationScorer(relations), least).ask(text)


def test_an_answer_names_all_objects_and_what_was_read():
    said = ask(Fixed([0.0, 3.0, 1.0]), LISTENER, 0.5, "Who drected Up?")
    assert said.objects == ("Ada", "Ben")
    assert said.answer.text == "Ada, Ben"
    shares = torch.tensor([0.0, 3.0, 1.0]).softmax(0)
    assert said.answer.probability == pytest.approx(shares[1].item())
    assert [text for text, _ in said.answer.runners_up] == ["Comedy"]
    assert said.corrected == (("drected", "directed"),)
    assert [m.entities for m in said.mentions] == [("Up",)]
    texts = [support.text for support in said.answer.steps[0].supports]
    assert texts[:3] == [NOTHING_READ, "Up | directed_by | Ada, Ben", "Up | has_genre | Comedy"]
    assert said.answer.question == "Who drected Up?"
    assert said.answer.unknown_words == ()
    strange = ask(Fixed([0.0, 3.0, 1.0]), LISTENER, 0.5, "who directed up quickly")
    assert strange.answer.unknown_words == ("quickly",)
    record = said.to_json()
    assert record["objects"] == ["Ada", "Ben"]
    assert record["mentions"][0]["how"] == "name"
    assert record["corrected"] == {"drected": "directed"}


def test_without_support_it_declines():
    said = ask(Fixed([0.0, 3.0, 1.0]), LISTENER, 0.99, "who directed up")
    assert said.declined
    assert said.answer.text == UNSURE
    assert [text for text, _ in said.answer.runners_up] == ["Ada, Ben", "Comedy"]


def test_an_answer_of_just_the_least_support_is_given():
    sure = ask(Fixed([0.0, 3.0, 1.0]), LISTENER, 0.0, "who directed up").probability
    assert not ask(Fixed([0.0, 3.0, 1.0]), LISTENER, sure, "who directed up").declined
    declined = ask(Fixed([0.0, 3.0, 1.0]), LISTENER, sure * 1.001, "who directed up")
    assert declined.declined
    nothing = torch.tensor([0.0, 3.0, 1.0]).softmax(0)[0].item()
    assert declined.probability == pytest.approx(nothing)
    assert declined.answer.runners_up[0][1] == pytest.approx(sure)


@pytest.mark.parametrize("text", ["banana zebra", "who directed Alf"])
def test_a_question_without_a_known_name_is_declined(text):
    said = ask(Fixed([0.0]), LISTENER, 0.0, text)
    assert said.declined
    assert said.mentions == ()
    assert said.answer.probability == pytest.approx(1.0)
    assert said.answer.unknown_words


@pytest.mark.parametrize("text", ["", "  ", "?!"])
def test_a_question_without_words_is_refused(text):
    with pytest.raises(ValueError, match=r"the question '.*' holds no word. Ask with words"):
        ask(Fixed([0.0]), LISTENER, 0.5, text)


PEOPLE = [
    Triple("Erika Sand", "manager", "Ada Reed"),
    Triple("Erik Sand", "manager", "Ben Ng"),
    Triple("Erik Sand", "town", "Hope"),
    Triple("Hope", "rank", "3"),
    Triple("Hope Ferris", "manager", "Ada Reed"),
    *(Triple("Kim", of, to) for of, to in (("manager", "Ben Ng"), ("rank", "2"))),
    *(Triple("Kim Lund", of, to) for of, to in (("manager", "Ben Ng"), ("town", "Hope"))),
    Triple("Kim Lund", "rank", "4"),
    *(
        Triple(f"{name} Stone", "manager", "Ada Reed")
        for name in ("Al", "Bo", "Cy", "Di", "Ed", "Fi")
    ),
]


@pytest.fixture(scope="module")
def staff():
    """A reader of people, that was taught nothing: it answers by words alone."""
    facts = Facts(PEOPLE)
    vocabulary = TokenVocabulary.of(ways_of_asking(facts.relations), len(facts))
    listener = QuestionEncoder(facts, vocabulary, Names(facts.links(), vocabulary.words))
    model = KVMemNN(vocab=len(vocabulary), dim=3, hops=1)
    return KBReader(ByTorch(model), listener, RelationScorer(facts.relations), 2.0)


def test_each_of_a_name_is_answered_for(staff):
    said = staff.ask("who is Sand's manager?")
    assert said.objects == ("Ben Ng", "Ada Reed")
    assert said.text == "Erik Sand: Ben Ng; Erika Sand: Ada Reed"
    assert said.answer.caution == "'sand' may be 'Erik Sand' or 'Erika Sand'; each is answered for"
    assert [sum(one.weight for one in step.supports) for step in said.answer.steps] == (
        pytest.approx([1, 1])
    )
    assert len({one.slot for one in said.answer.steps[0].supports}) == len(
        said.answer.steps[0].supports
    )


def test_only_those_of_a_name_that_have_the_fact_answer(staff):
    said = staff.ask("which town has Sand?")
    assert (said.text, said.answer.caution) == ("Hope", "")
    assert staff.ask("who is the manager of hope?").objects == ("Ada Reed",)  # of Hope Ferris
    assert staff.ask("what is the rank of hope?").objects == ("3",)


def test_who_lacks_a_fact_is_not_taken_for_a_namesake_of_the_same_kind(staff):
    """Kim, who has a manager and a rank, is not Kim Lund; the town Hope may be Hope Ferris."""
    assert staff.ask("which town has Kim Lund?").objects == ("Hope",)
    assert staff.ask("which town has Kim?").declined


def test_of_too_many_of_a_name_none_is_answered_for(staff):
    said = staff.ask("who is the manager of stone?")
    assert said.declined
    assert said.answer.caution.startswith("'stone' may be any of Al Stone, Bo Stone")
    assert said.answer.caution.endswith("and 1 more; ask by a longer name")


def test_what_the_words_decide_is_told_as_what_was_read(staff):
    said = staff.ask("manager of Erik Sand")
    assert said.answer.probability >= 0.95
    (words,) = [step for step in said.answer.steps if step.name == "words"]
    assert [one.text for one in words.supports if one.weight] == ["Erik Sand | manager | Ben Ng"]
    lacking = staff.ask("town of Erika Sand")
    assert lacking.declined
    assert lacking.answer.steps[-1].supports[0].weight == 1


def test_more_than_a_fact_is_declined_with_the_reason(staff):
    said = staff.ask("which town is not of Erik Sand")
    assert said.declined
    assert said.answer.caution == (
        "more than one fact is asked for (the word 'not'), which is not understood"
    )


def test_what_the_asking_word_does_not_fit_is_no_answer():
    assert ask(Fixed([0.0, 3.0, 1.0]), LISTENER, 0.5, "directed Up?").objects == ("Ada", "Ben")
    assert ask(Fixed([0.0, 3.0, 1.0]), LISTENER, 0.5, "when directed Up?").declined


class Reads(KVMemNN):
    """Reads shares that were agreed upon, hop by hop."""

    def __init__(self, *hops: list[float]) -> None:
        super().__init__(vocab=len(LISTENER.vocabulary), dim=3, hops=1)
        self.shares = [torch.tensor(hop) for hop in hops]

    def read_one(self, question, keys, values):
        scores, _ = super().read_one(question, keys, values)
        return scores, torch.stack(self.shares)


def test_what_lacks_is_shown_where_it_is_read_and_else_counts_as_nothing():
    model = Reads([0.1, 0.2, 0, 0.05, 0.5, 0.08, 0.07], [0.3, 0.6, 0, 0.02, 0.03, 0.03, 0.02])
    steps = ask(model, LISTENER, 0.5, "what did Alien direct?").answer.steps
    lacked = LISTENER.listen("what did Alien direct?").facts[3]
    assert [support.text for support in steps[1].supports][3:] == [lacked.in_words()]
    assert [support.slot for support in steps[1].supports] == [0, 1, 2, 4]
    for step, weights in zip(steps, ([0.3, 0.2, 0, 0.5], [0.37, 0.6, 0, 0.03]), strict=True):
        assert [support.weight for support in step.supports] == pytest.approx(weights)


@pytest.mark.parametrize(("weight", "shown"), [(0.125, [0, 1]), (0.0625, [0])])
def test_a_lack_is_shown_from_the_least_share_on(monkeypatch, weight, shown):
    monkeypatch.setattr(inference, "LEAST_SHOWN", 0.125)
    facts = (NO_FACT, CandidateFact("Up", "won", ()))
    hops = np.array([[1.0, 0.0], [1 - weight, weight]], np.float32)
    steps = list(inference._steps(facts, hops))
    assert [[support.slot for support in step.supports] for step in steps] == [shown] * 2
    for step in steps:
        assert sum(support.weight for support in step.supports) == 1


def test_the_rest_of_many_objects_is_counted():
    assert in_words(("a", "b"), 2) == "a, b"
    assert in_words(("a", "b", "c"), 2) == "a, b and 1 more"


def test_a_relation_that_an_entity_lacks_in_words():
    assert CandidateFact("Ada", "directed_by", ()).in_words() == "Ada | directed_by | (nothing)"
    assert CandidateFact("Up", "!directed_by", ()).in_words() == "(nothing) | directed_by | Up"
    assert NO_FACT.in_words() == NOTHING_READ


def test_a_fact_read_backwards_is_shown_forwards():
    assert (
        CandidateFact("Ada", "!directed_by", ("Alien", "Up")).in_words()
        == "Alien, Up | directed_by | Ada"
    )
    assert in_words([str(n) for n in range(7)], 5) == "0, 1, 2, 3, 4 and 2 more"


def test_the_threshold_makes_the_fewest_mistakes():
    known = torch.tensor([0.9, 0.8, 0.7, 0.6])
    unanswerable = torch.tensor([0.1, 0.2, 0.3])
    assert 0.3 < choose_threshold(known, unanswerable) < 0.6
    assert choose_threshold(known, known[:0]) == 0.5


def test_a_refusal_weighs_as_two_answers_that_should_not_be():
    known = torch.tensor([0.2, 0.7, 0.8, 0.9])
    assert choose_threshold(known, torch.tensor([0.1, 0.1, 0.3, 0.3, 0.3])) > 0.3
    assert choose_threshold(known, torch.tensor([0.1, 0.1, 0.1, 0.3, 0.3])) < 0.2


def test_it_learns_and_adds_up():
    torch.manual_seed(0)
    sides = {"train": "learn", "valid": "tune", "test": "test"}
    numbered = {
        split: number(LISTENER, QuestionGenerator(FACTS, WAYS, side).questions(307, 0.4))
        for split, side in sides.items()
    }
    model = KVMemNN(len(LISTENER.vocabulary), dim=17, hops=2)
    task = KBQATask(numbered, batch=61, lost=0.2)
    generator = torch.Generator().manual_seed(0)
    batches = task.batches("train", generator, 0)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.02)
    before = task.evaluate(model, "train")["loss"].mean
    for _ in range(60):
        step = task.loss(model, task.collate("train", next(batches)), (), generator)
        optimizer.zero_grad()
        (step.loss_sum / step.weight).backward()
        optimizer.step()
    found = task.evaluate(model, "train")
    assert found["loss"].mean < before / 3
    assert found["accuracy"].mean > 0.8
    assert found["declined"].weight + found["refused"].weight == 307
    kinds = [ratio for name, ratio in found.items() if name.startswith("declined/")]
    assert sum(kind.total for kind in kinds) == found["declined"].total


def test_batches_resume_where_they_were():
    numbered = {"train": number(LISTENER, [question("banana", "nonsense")] * 11)}
    task = KBQATask(numbered, batch=3, lost=0.0)
    generator = torch.Generator().manual_seed(5)
    whole = task.batches("train", generator, 0)
    first = [next(whole)[0].tolist() for _ in range(9)]
    again = task.batches("train", generator, 6)
    assert [next(again)[0].tolist() for _ in range(3)] == first[6:]
    assert sorted(row for rows in first[:4] for row in rows) == list(range(11))


@pytest.mark.parametrize("most", [1, 5])
def test_what_is_measured_does_not_depend_on_how_many_are_asked_at_once(monkeypatch, most):
    some = QuestionGenerator(FACTS, WAYS, "tune").questions(13, 0.4)
    task = KBQATask({"valid": number(LISTENER, some)}, batch=3, lost=0.0)
    model = KVMemNN(len(LISTENER.vocabulary), dim=7)
    whole = task.evaluate(model, "valid")
    monkeypatch.setattr(task_module, "EVALUATION_BATCH", most)
    for name, ratio in task.evaluate(model, "valid").items():
        assert ratio == pytest.approx(whole[name], rel=1e-4)


def test_the_threshold_is_the_best_of_all_by_a_search():
    for seed in range(20):
        random = torch.Generator().manual_seed(seed)
        known, others = ((9 * torch.rand(n, generator=random)).ceil() / 10 for n in (7, 9))

        def cost(least, known=known, others=others):
            refused = float((known < least).double().mean())
            answered = float((others >= least).double().mean())
            return refused / task_module.REFUSED + answered / task_module.ANSWERED

        found = choose_threshold(known, others)
        # Above the largest support nothing would be answered: that is not among what is tried.
        most = float(torch.cat([known, others]).max())
        best = min(cost(step / 1000) for step in range(int(1000 * most)))
        assert cost(found) == pytest.approx(best)
        assert 0 < found < most
    assert choose_threshold(known[:0], others) == choose_threshold(known, others[:0]) == 0.5
