"""Stories with supports as tensors, what a task counts, and the evidence that is shown."""

import pytest
import torch

from memnets.data.babi.generate import Variant, make_stories
from memnets.data.babi.reader import parse_stories
from memnets.models.memnn import END, STOP, Matching, MemNN
from memnets.models.memnn.network import MemNNOutput
from memnets.tasks import memnn as task_module
from memnets.tasks.asking import Asked
from memnets.tasks.memnn import MemNNTask, _answer, _same, ask
from memnets.tasks.supported import FeatureVocabulary, number_asked, number_supported, repeat_last
from memnets.tasks.unknown_words import drop_words, with_new_words, word_contexts
from memnets.training.task import Ratio

STORY = """1 Mary went to the hall.
2 Mary got the milk.
3 Mary went home.
4 Where is the milk? \thome\t2 3
5 Mary got the tea.
6 What has Mary? \tmilk,tea\t2 5
"""
TOLD = ["Mary went to the hall.", "Mary got the milk.", "Mary went home."]


@pytest.fixture
def stories():
    return parse_stories(STORY, 8, "qa8.txt")


@pytest.fixture
def vocabulary(stories):
    return FeatureVocabulary.of(stories, gram=3)


def build(vocabulary, adaptive=True):
    hops = vocabulary.hops
    sizes = len(vocabulary.features), vocabulary.words
    return MemNN(*sizes, Matching(5), hops, adaptive, vocabulary.said if adaptive else 1)


def test_the_share_of_several_words_is_the_product_of_theirs(vocabulary):
    shares = torch.tensor([[[0.1, 0.2, 0.7], [0.5, 0.1, 0.4]]])
    nothing = torch.zeros(1, 1)
    reply = MemNNOutput(shares.log(), nothing[None], torch.tensor([[2, 0]]), nothing, nothing)
    _, share, _ = _answer(vocabulary, reply)
    assert share == pytest.approx(0.7 * 0.5)
    _, share, _ = _answer(vocabulary, reply._replace(words=torch.tensor([[2, -1]])))
    assert share == pytest.approx(0.7)  # no more was said
    _, share, others = _answer(vocabulary, reply._replace(words=torch.tensor([[-1, -1]])))
    assert share == pytest.approx(0.2)  # that of the end
    assert [value for _, value in others] == pytest.approx([0.7, 0.1][: len(others)])


def test_sequences_of_any_lengths_are_the_same_where_both_end():
    one, other = torch.tensor([[3], [3], [4]]), torch.tensor([[3, -1], [3, 5], [3, -1]])
    same = [[True, True], [True, False], [False, True]]
    assert _same(one, other).tolist() == _same(other, one).tolist() == same


def test_features_are_words_then_grams(vocabulary):
    words = vocabulary.features[: vocabulary.words]
    assert words[:2] == ("", ".")
    assert list(words[2:]) == sorted(words[2:])
    assert all(" " not in word for word in words)
    assert all(" " in gram for gram in vocabulary.features[vocabulary.words :])
    bag = [vocabulary.features[number] for number in vocabulary.bag("Mary got the beer.")]
    assert bag == ["mary", "got", "the", "mary got", "got the", "mary got the"]
    assert (vocabulary.hops, vocabulary.said, vocabulary.gram) == (2, 2, 3)
    assert vocabulary.unknown("Mary got the beer.") == ("beer",)


def test_the_grams_of_a_sentence_reach_from_its_first_word_to_its_last():
    stories = parse_stories("1 Mary got tea.\n2 Who? \tMary\t1\n", 1, "qa1.txt")
    vocabulary = FeatureVocabulary.of(stories, gram=3)
    assert vocabulary.features[vocabulary.words :] == ("got tea", "mary got", "mary got tea")
    bag = [vocabulary.features[number] for number in vocabulary.bag("Mary got tea.")]
    assert bag == ["mary", "got", "tea", "mary got", "got tea", "mary got tea"]


def test_a_vocabulary_survives_json(vocabulary):
    assert FeatureVocabulary.from_json(vocabulary.to_json()) == vocabulary


def test_supports_and_answers_stand_in_the_order_of_the_data(stories, vocabulary):
    """List 12: an answer of several words is said word after word, and ends."""
    data = number_supported(stories, vocabulary)
    assert data.supports.tolist() == [[2, 3], [2, 4]]
    assert data.length.tolist() == [4, 5]
    assert data.story[:, 0].tolist() == [STOP, STOP]
    assert data.sentences[0].tolist()[:2] == [END, 0]
    said = [
        [vocabulary.features[word] for word in row if word >= 0] for row in data.answer.tolist()
    ]
    assert said == [["home", "."], ["milk", "tea", "."]]
    assert data.task.tolist() == [8, 8]
    without = number_supported(stories, vocabulary, stop=False)
    assert without.supports.tolist() == [[1, 2], [1, 3]]
    assert torch.equal(data.take(torch.tensor([1])).answer, data.answer[1:])


def test_a_fixed_number_of_supports_repeats_the_last():
    supports = torch.tensor([[4, -1, -1], [4, 2, -1], [4, 2, 7]])
    assert repeat_last(supports, 2).tolist() == [[4, 4], [4, 2], [4, 2]]
    assert repeat_last(supports, 5).tolist() == [[4] * 5, [4, 2, 2, 2, 2], [4, 2, 7, 7, 7]]


def test_a_question_without_supports_is_named():
    stories = parse_stories("1 Mary is here.\n2 Where is Mary?\there\n", 1, "qa1.txt")
    with pytest.raises(ValueError, match=r'qa1\.txt:1: in this story, "Where is Mary\?" names no'):
        number_supported(stories, FeatureVocabulary.of(stories))


def test_stories_that_ask_nothing_are_refused():
    with pytest.raises(ValueError, match="0 stories hold no question"):
        number_supported([], FeatureVocabulary(("", "."), 2, 1, 1, 1))


class Scripted(MemNN):
    """Says and finds what it is told to."""

    def forward(self, *asked):
        return super().forward(*asked)._replace(words=self.says, supports=self.finds)


def scripted(vocabulary, says, finds):
    model = Scripted(len(vocabulary.features), vocabulary.words, Matching(5), 2, True, 2)
    words = [[vocabulary.answer(word)[0] if word else -1 for word in row] for row in says]
    model.says, model.finds = torch.tensor(words), torch.tensor(finds)
    return model


def test_what_counts_as_right(stories, vocabulary):
    """List 13: all words, no more; all supports in any order, and each in its place."""
    task = MemNNTask({"test": number_supported(stories, vocabulary)})
    model = scripted(vocabulary, [["home", ""], ["milk", "tea"]], [[3, 2], [2, 4]])
    found = task.evaluate(model, "test")
    assert found["accuracy"] == Ratio(2, 2)
    assert found["supports_read"] == found["supports_read/8"] == Ratio(2, 2)
    assert found["gold_read_1/8"] == found["gold_read_2/8"] == Ratio(1, 2)
    model = scripted(vocabulary, [["home", "home"], ["milk", ""]], [[2, -1], [2, 4]])
    found = task.evaluate(model, "test")
    assert found["accuracy/8"] == Ratio(0, 2)
    assert found["supports_read"] == Ratio(1, 2)
    assert found["loss"].mean > 0


def test_a_question_of_one_support_does_not_count_for_the_second(vocabulary):
    """None was wanted there: none found is no hit."""
    shorter = parse_stories(STORY.replace("\t2 3", "\t3"), 8, "qa8.txt")
    task = MemNNTask({"test": number_supported(shorter, vocabulary)})
    model = scripted(vocabulary, [["home", ""], ["milk", "tea"]], [[3, -1], [2, 3]])
    found = task.evaluate(model, "test")
    assert found["gold_read_1/8"] == Ratio(2, 2)
    assert found["gold_read_2/8"] == Ratio(0, 1)
    # The first sentence may be a support too, where no stop fact stands before it.
    data = number_supported(shorter, vocabulary, stop=False)._replace(
        supports=torch.tensor([[0, -1], [1, 0]])
    )
    model.adaptive, model.finds = False, torch.tensor([[0, -1], [1, 2]])
    found = MemNNTask({"test": data}).evaluate(model, "test")
    assert found["gold_read_1/8"] == Ratio(2, 2)
    assert found["gold_read_2/8"] == Ratio(0, 1)


def test_an_answer_never_seen_is_wrong_and_no_error(stories, vocabulary):
    other = parse_stories(STORY.replace("milk,tea", "milk,beer"), 8, "qa8.txt")
    task = MemNNTask({"test": number_supported(other, vocabulary)})
    model = scripted(vocabulary, [["home", ""], ["milk", ""]], [[2, 3], [2, 4]])
    assert task.evaluate(model, "test")["accuracy"] == Ratio(1, 2)


def test_an_epoch_shows_every_question_once_and_is_resumable(stories, vocabulary):
    whole = number_supported(stories * 11, vocabulary)
    task = MemNNTask({"train": whole}, batch=5)
    generator = torch.Generator().manual_seed(3)
    stream = task.batches("train", generator, 0)
    first = [next(stream)[0] for _ in range(task.updates_per_epoch)]
    assert sorted(torch.cat(first).tolist()) == list(range(22))
    later = task.batches("train", generator, 3)
    assert torch.equal(next(later)[0], first[3])
    second = next(task.batches("train", generator, task.updates_per_epoch))[0]
    assert torch.equal(next(stream)[0], second)
    assert not torch.equal(second, first[0])


def trained(stories, vocabulary, adaptive=True, negatives=0):
    """Return a model that has seen two questions a hundred times, and its task."""
    data = number_supported(stories, vocabulary, stop=adaptive)
    task = MemNNTask({"train": data}, batch=2, margin=1.0, negatives=negatives)
    model = build(vocabulary, adaptive)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.03)
    generator = torch.Generator().manual_seed(0)
    batches = task.batches("train", generator, 0)
    for _ in range(101):
        optimizer.zero_grad()
        task.loss(model, task.collate("train", next(batches)), (), generator).loss_sum.backward()
        optimizer.step()
    return model, task


@pytest.mark.parametrize("adaptive", [True, False])
@pytest.mark.parametrize("negatives", [0, 7])
def test_a_story_is_learnt_by_heart(stories, vocabulary, adaptive, negatives):
    """List 12: of two words a model that is not adaptive says the first."""
    model, task = trained(stories, vocabulary, adaptive, negatives)
    found = task.evaluate(model, "train")
    assert found["supports_read"].mean == 1.0
    assert found["accuracy"].mean == (1.0 if adaptive else 0.5)


def test_an_answer_shows_its_supports_in_order(stories, vocabulary):
    """List 13: scores and margins in the steps' names, and which slots are gold."""
    model, _ = trained(stories, vocabulary)
    answer = ask(model, vocabulary, *Asked.of(stories[0], stories[0].questions[1]))
    assert (answer.text, answer.gold, answer.correct) == ("milk,tea", "milk,tea", True)
    assert [step.most_read.slot for step in answer.steps] == [1, 3]
    assert answer.rests_on_gold
    for number, step in enumerate(answer.steps, start=1):
        assert step.name.startswith(f"support {number}: score ")
        assert float(step.name.rpartition("margin ")[2]) > 0
        assert sorted(support.weight for support in step.supports) == [0.0, 0.0, 0.0, 1.0]
    assert 0 < answer.probability <= 1
    assert len(answer.runners_up) == 3
    assert "milk" not in dict(answer.runners_up)


def test_a_margin_is_that_of_the_tournament(stories, vocabulary):
    """List 13: by how much the chosen slot is preferred to the next best, worked out anew."""
    model, _ = trained(stories, vocabulary)
    reply = model(*number_asked(TOLD, "Where is the milk?", vocabulary))
    step = ask(model, vocabulary, TOLD, "Where is the milk?").steps[0]
    others = [m for slot, m in enumerate(reply.margins[0, 0].tolist()) if slot != 2]
    assert step.name.endswith(f"margin {min(others):.2f}")


def test_one_sentence_has_no_rival(stories, vocabulary):
    """List 13: where nothing else could be chosen there is no margin."""
    answer = ask(build(vocabulary, adaptive=False), vocabulary, TOLD[:1], "Where is Zoe?")
    assert "margin" not in answer.steps[0].name
    assert answer.unknown_words == ("zoe",)
    assert answer.correct is None


def test_nothing_told_or_nothing_known_is_refused(vocabulary):
    with pytest.raises(ValueError, match=r'"Where is Mary\?" came before any sentence'):
        ask(build(vocabulary), vocabulary, [], "Where is Mary?")
    with pytest.raises(ValueError, match=r'"Qui\?" holds no word.*trained on 13 words, for'):
        ask(build(vocabulary), vocabulary, TOLD, "Qui?")


def test_contexts_are_what_stands_left_and_right(stories):
    """List 6: shares over statements; questions are not looked at."""
    known = FeatureVocabulary.of(stories)
    others = parse_stories("1 Zoe got tea.\n2 Zoe got the bun.\n3 Who? \tzoe\t1\n", 1, "x")
    vocabulary = with_new_words(known, others)
    assert vocabulary.features[len(known.features) :] == ("bun", "who", "zoe")
    contexts = word_contexts(others, vocabulary, known)
    number = {name: place for place, name in enumerate(vocabulary.features)}
    right = {known.features[n]: contexts.right[number["zoe"], n].item() for n in range(2, 15)}
    assert {word: share for word, share in right.items() if share} == {
        "got": 0.5,
        "tea": 0.25,
        "the": 0.25,
    }
    assert not contexts.left[number["zoe"]].any()
    assert contexts.left[number["bun"]].nonzero().flatten().tolist() == sorted(
        [number["got"], number["the"]]
    )
    assert not contexts.right[number["who"]].any()
    assert contexts.replaced.nonzero().flatten().tolist() == [15, 16, 17]


def test_dropped_words_are_words(stories):
    """List 6: nil and the end are never dropped; nothing is, of a share of 0."""
    vocabulary = FeatureVocabulary.of(stories)
    contexts = word_contexts(stories, vocabulary, vocabulary)
    generator = torch.Generator().manual_seed(0)
    share = torch.stack([drop_words(contexts, 0.3, generator).replaced for _ in range(503)])
    assert not share[:, :2].any()
    assert share[:, 2:].double().mean().item() == pytest.approx(0.3, abs=0.03)
    assert not drop_words(contexts, 0.0, generator).replaced.any()


def test_n_grams_have_no_contexts(stories, vocabulary):
    with pytest.raises(ValueError, match=r"n-grams of up to 3 words.*expected gram 1"):
        with_new_words(vocabulary, stories)


def test_words_are_not_dropped_without_contexts(stories, vocabulary):
    data = {"train": number_supported(stories, vocabulary)}
    with pytest.raises(ValueError, match=r"MemNNTask\(word_dropout=0\.5\): there are no contexts"):
        MemNNTask(data, word_dropout=0.5)


def met_new_words(dropout, exact_match, seed=0):
    """Train on task 1; return the accuracy on names and places that training never said.

    Also the model, and the words that it was trained on.
    """
    variant = Variant(held_out=True)
    train, test = (
        list(make_stories(1, number, 0, split, variant))
        for number, split in ((600, "train"), (200, "test"))
    )
    known = FeatureVocabulary.of(train)
    vocabulary = with_new_words(known, test) if dropout else known
    data = {
        "train": number_supported(train, known, stop=False),
        "test": number_supported(test, vocabulary, stop=False),
    }
    contexts = None
    if dropout:
        contexts = {
            "train": word_contexts(train, known, known),
            "test": word_contexts(test, vocabulary, known),
        }
    torch.manual_seed(seed)
    matching = Matching(20, exact_match=exact_match, contexts=bool(dropout))
    model = MemNN(len(known.features), known.words, matching, hops=1)
    task = MemNNTask(data, 32, 1.0, 7, contexts, dropout)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    generator = torch.Generator().manual_seed(seed)
    batches = task.batches("train", generator, 0)
    for _ in range(200):
        optimizer.zero_grad()
        task.loss(model, task.collate("train", next(batches)), (), generator).loss_sum.backward()
        optimizer.step()
    return task.evaluate(model, "test")["accuracy"].mean, model, known


def test_words_never_seen_are_answered():
    """List 6: by contexts, exact matches and word dropout, in a story that is told as well."""
    share, model, known = met_new_words(dropout=0.2, exact_match=1.0)
    assert share > 0.6
    told = ["Zoe went to the attic.", "Mary went to the kitchen."]
    answer = ask(model, known, told, "Where is Zoe?")
    assert answer.text == "attic"
    assert answer.steps[0].most_read.slot == 0
    assert answer.unknown_words == ()
    assert ask(model, known, told, "Where is Yves?").unknown_words == ("yves",)


def test_without_contexts_words_never_seen_are_no_answers():
    """List 6: the other direction; they are named as unknown."""
    share, model, known = met_new_words(dropout=0.0, exact_match=1.0)
    assert share < 0.1
    assert ask(model, known, ["Zoe is here."], "Where is Zoe?").unknown_words == ("zoe", "here")


def test_what_is_measured_does_not_depend_on_how_many_are_asked_at_once(
    stories, vocabulary, monkeypatch
):
    task = MemNNTask({"test": number_supported(stories, vocabulary)})
    assert (task.batch, task.margin, task.negatives, task.word_dropout) == (32, 0.1, 0, 0.0)
    model = build(vocabulary)
    whole = task.evaluate(model, "test")
    assert whole["loss"].weight == 2
    monkeypatch.setattr(task_module, "EVALUATION_BATCH", 1)
    for name, ratio in task.evaluate(model, "test").items():
        assert ratio == pytest.approx(whole[name], rel=1e-5)


def test_unknown_words_come_in_the_order_of_the_story_and_three_others_are_named(vocabulary):
    answer = ask(build(vocabulary), vocabulary, ["Zoe got it.", *TOLD], "Who has Zoe or Kim?")
    assert answer.unknown_words == ("zoe", "it", "who", "or", "kim")
    assert len(answer.runners_up) == 3
    assert answer.text not in dict(answer.runners_up)
    assert all(support.gold is None for step in answer.steps for support in step.supports)
