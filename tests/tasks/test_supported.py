"""Stories with supports as bags of features, and words known by their company, by hand."""

import pytest
import torch

from memnets.data.babi.reader import parse_stories
from memnets.models.memnn import END
from memnets.tasks.supported import (
    LOST,
    FeatureVocabulary,
    answer_words,
    number_asked,
    number_supported,
    repeat_last,
)
from memnets.tasks.unknown_words import drop_words, with_new_words, word_contexts

TEXT = "1 B a b.\n2 C.\n3 Who c? \tA,D\t2 1\n4 B a b.\n5 Who? \ta\t4\n"
BARE = "1 B.\n2 Who? \tb\n"


def stories(text: str = TEXT):
    return parse_stories(text, 1, "qa.txt")


def test_features_stand_in_order_words_before_n_grams():
    plain = FeatureVocabulary.of(stories())
    assert plain.features == ("", ".", "a", "b", "c", "d", "who")
    assert (plain.words, plain.gram, plain.hops, plain.said) == (7, 1, 2, 2)
    wide = FeatureVocabulary.of(stories(), gram=3)
    assert wide.features == (*plain.features, "a b", "b a", "b a b", "who c")
    assert wide.words == 7
    assert wide.bag("B a b z") == [3, 2, 3, 8, 7, 9]
    assert wide.unknown("B z") == ("z",)
    assert FeatureVocabulary.from_json(wide.to_json()) == wide
    bare = FeatureVocabulary.of(stories(BARE))
    assert (bare.hops, bare.said) == (1, 1)


def test_an_answer_is_its_words_and_the_end():
    vocabulary = FeatureVocabulary.of(stories())
    assert answer_words("Apple,Milk") == ["apple", "milk"]
    assert vocabulary.answer("A,Z,d") == [2, -2, 5, END]


@pytest.mark.parametrize("stop", [True, False])
def test_questions_are_numbered_as_by_hand(stop):
    data = number_supported(stories(), FeatureVocabulary.of(stories()), stop=stop)
    first = int(stop)  # the stop fact is sentence 0, in slot 0
    rows = [[1, 2, 0], [1, 2, 1]]
    assert data.story.tolist() == ([[0, *row] for row in rows] if stop else rows)
    assert data.length.tolist() == [2 + first, 3 + first]
    assert data.sentences.tolist() == [[END, 0, 0], [3, 2, 3], [4, 0, 0]]
    assert data.supports.tolist() == [[first + 1, first], [first + 2, -1]]
    assert data.question.tolist() == [[6, 4], [6, 0]]
    assert data.answer.tolist() == [[2, 5, END], [2, END, -1]]
    assert data.task.tolist() == [1, 1]


def test_a_window_looks_back_on_the_latest_and_loses_supports():
    vocabulary = FeatureVocabulary.of(stories())
    data = number_supported(stories(), vocabulary, window=1)
    assert data.story.tolist() == [[0, 2], [0, 1]]
    assert data.supports.tolist() == [[1, LOST], [1, -1]]
    whole = number_supported(stories(), vocabulary, window=3)
    assert whole.supports.tolist() == number_supported(stories(), vocabulary).supports.tolist()


def test_supports_are_needed_unless_it_is_said_that_they_are_not():
    vocabulary = FeatureVocabulary.of(stories(BARE))
    with pytest.raises(ValueError, match=r'qa.txt:1: in this story, "Who\?" names no'):
        number_supported(stories(BARE), vocabulary)
    data = number_supported(stories(BARE), vocabulary, needed=False)
    assert data.supports.tolist() == [[-1]]
    assert data.story.tolist() == [[0, 1]]  # with the stop fact
    with pytest.raises(ValueError, match="1 stories hold no question"):
        number_supported(stories("1 B.\n"), vocabulary)


def test_the_last_support_is_repeated_as_often_as_there_are_hops():
    supports = torch.tensor([[3, 1, 2], [5, -1, -1], [-1, -1, -1], [4, LOST, -1]])
    assert repeat_last(supports, 2).tolist() == [[3, 1], [5, 5], [-1, -1], [4, 4]]
    assert repeat_last(supports, 4)[:2].tolist() == [[3, 1, 2, 2], [5, 5, 5, 5]]


def test_what_is_asked_by_hand():
    vocabulary = FeatureVocabulary.of(stories())
    with_stop = number_asked(["B a.", "Z."], "who", vocabulary)
    assert with_stop.sentences.tolist() == [[END, 0], [3, 2], [0, 0]]
    assert with_stop.story.tolist() == [[0, 1, 2]]
    assert with_stop.length.tolist() == [3]
    without = number_asked(["B a."], "who", vocabulary, stop=False)
    assert (without.sentences.tolist(), without.length.tolist()) == ([[3, 2]], [1])
    empty = number_asked([], "who", vocabulary, stop=False)
    assert (empty.sentences.tolist(), empty.length.tolist()) == ([[0]], [0])


def test_contexts_are_what_stands_left_and_right_in_statements():
    known = FeatureVocabulary.of(stories("1 A b.\n2 Who? \tb\t1\n"))
    told = stories("1 Zed a b a.\n2 Who zed yes? \tb\t1\n3 Yak zed.\n")
    wider = with_new_words(known, told)
    assert wider.features == (*known.features, "yak", "yes", "zed")
    assert (wider.words, wider.gram) == (known.words, 1)
    found = word_contexts(told, wider, known)
    number = {word: wider.features.index(word) for word in wider.features}
    wanted = {"left": torch.zeros(8, 5), "right": torch.zeros(8, 5)}
    for line in (["zed", "a", "b", "a"], ["yak", "zed"]):
        for place, word in enumerate(line):
            for other, near in enumerate(line):
                if other != place and near in known.features:
                    side = wanted["left" if other < place else "right"]
                    side[number[word], number[near]] += 1
    for side, shares in zip(wanted.values(), found[:2], strict=True):
        torch.testing.assert_close(shares, side / side.sum(1, keepdim=True).clamp(min=1))
    assert found.replaced.tolist() == [False] * 5 + [True] * 3
    with pytest.raises(ValueError, match="counts n-grams of up to 2 words"):
        with_new_words(FeatureVocabulary.of(stories(), gram=2), told)


def test_words_are_dropped_at_their_share_and_never_nil_or_the_end():
    known = FeatureVocabulary.of(stories())
    contexts = word_contexts(stories(), known, known)
    contexts = contexts._replace(replaced=torch.zeros(4000, dtype=torch.bool))
    contexts.replaced[2000:] = True
    dropped = drop_words(contexts, 0.2, torch.Generator().manual_seed(0)).replaced
    assert not dropped[: END + 1].any()
    assert dropped[2000:].all()
    assert float(dropped[:2000].float().mean()) == pytest.approx(0.2, abs=0.03)
    every = drop_words(contexts, 1.0, torch.Generator().manual_seed(0)).replaced
    assert every[END + 1 :].all()
    assert not every[: END + 1].any()
    none = drop_words(contexts, 0.0, torch.Generator().manual_seed(0)).replaced
    assert torch.equal(none, contexts.replaced)
