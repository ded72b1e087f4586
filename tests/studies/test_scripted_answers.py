"""What is said of a model's reply: models that reply what they are told to, answers by hand."""

from itertools import islice
from types import SimpleNamespace
from unittest.mock import Mock

import pytest
import torch
from torch import nn

from memnets.attention import Readout
from memnets.data.babi import Question, Statement, Story
from memnets.data.text import UNKNOWN
from memnets.data.worlds.recall import Episodes, Stream
from memnets.evidence import Answer
from memnets.experiments.configs.cran import CRANCore
from memnets.layers.recurrent import LSTM
from memnets.layers.zone_choice import TopZones
from memnets.models.dmn import DMN, DMNTagger
from memnets.models.language import LanguageModel
from memnets.models.memn2n import MemN2N
from memnets.models.recall import Recall
from memnets.models.story_rnn import StoryRNN
from memnets.studies.babi.dmn import inference as dmn_inference
from memnets.studies.babi.memn2n.inference import ask as ask_memn2n
from memnets.studies.language import recipes as language
from memnets.studies.language.inference import TextReader
from memnets.studies.language.recipes import LanguageAnswerer, RecurrentLanguage
from memnets.studies.recall.inference import examples, read_windows
from memnets.studies.sentiment.inference import ask as ask_sentiment
from memnets.studies.sentiment.task import QUESTION
from memnets.studies.simple_qa.inference import _answer as fact_answer
from memnets.studies.simulated_world.inference import ask as ask_rnn
from memnets.studies.simulated_world.recipes import WorldAnswerer
from memnets.studies.tagging.inference import ask as ask_tags
from memnets.studies.tagging.task import TaggingVocabulary
from memnets.tasks.asking import Asked
from memnets.tasks.episodes import EpisodeVocabulary
from memnets.tasks.stories import StoryVocabulary
from memnets.tasks.word_slots import WordVocabulary

WORDS = StoryVocabulary(("", "a", "b", "c", "d"), sentence_words=2, memory=2)
TOLD = ["a b", "z b", "c y"]


def played(kind, reply=None, **parts):
    """Return what passes for a model of a kind, and replies so."""
    return Mock(spec=kind, side_effect=reply, **parts)


def hops(*weights):
    """Return what each hop read of the slots of one story."""
    rows = [torch.tensor(one).view(1, 1, -1) for one in weights]
    return tuple(Readout(one, one) for one in rows)


def supports(step):
    return [(one.slot, one.text, round(one.weight, 6), one.gold) for one in step.supports]


def near(pairs):
    return [(text, pytest.approx(share, abs=1e-5)) for text, share in pairs]


def test_memn2n_by_hand():
    seen = []

    def model(*given):
        seen.append([one.tolist() for one in given])
        logits = torch.tensor([[0.15, 0.35, 0.05, 0.25, 0.2]]).log()
        return SimpleNamespace(logits=logits, hops=hops([0.3, 0.7, 0.0], [0.6, 0.4, 0.0]))

    answer = ask_memn2n(played(MemN2N, model), WORDS, TOLD, "d y", "a", frozenset({1}))
    ((_, story, time, question),) = seen
    assert (story, time, question) == ([[1, 2]], [[2, 1]], [[4, 0]])
    assert (answer.question, answer.text, answer.gold) == ("d y", "a", "a")
    assert answer.probability == pytest.approx(0.35)
    assert list(answer.runners_up) == near([("c", 0.25), ("d", 0.2), ("(no word)", 0.15)])
    assert [step.name for step in answer.steps] == ["hop 1", "hop 2"]
    assert supports(answer.steps[0]) == [(1, "z b", 0.3, True), (2, "c y", 0.7, False)]
    assert supports(answer.steps[1]) == [(1, "z b", 0.6, True), (2, "c y", 0.4, False)]
    assert answer.unknown_words == ("z", "y")
    assert answer.unread == 1
    assert ask_memn2n(played(MemN2N, model), WORDS, TOLD[:2], "d").unread == 0


def test_a_time_word_is_no_answer():
    def model(*given):
        return SimpleNamespace(logits=torch.tensor([[0.0, 1.0, 2.0, 3.0, 4.0, 9.0]]), hops=())

    answer = ask_memn2n(played(MemN2N, model), WORDS, TOLD, "d")
    assert answer.text == "(no word)"
    assert [text for text, _ in answer.runners_up] == ["d", "c", "b"]


@pytest.mark.parametrize(("ends", "shown"), [(True, 2), (False, 3)])
def test_dmn_shows_hops_up_to_the_end(ends, shown):
    asked = Asked(["x", "y", "z"], "where?", None, frozenset({1}))
    read = hops([0.1, 0.6, 0.3], [0.7, 0.1, 0.2], [0.2, 0.5, 0.3])
    steps = list(dmn_inference._steps(read, ends, asked, 1 if ends else 0))
    assert [step.name for step in steps] == ["hop 1", "hop 2", "hop 3"][:shown]
    if ends:  # the first slot is no sentence, and the first sentence is too old
        assert supports(steps[0]) == [(1, "y", 0.6, True), (2, "z", 0.3, False)]
    else:
        assert supports(steps[0]) == [
            (0, "x", 0.1, False),
            (1, "y", 0.6, True),
            (2, "z", 0.3, False),
        ]


def test_dmn_says_whole_answers_and_words():
    shares = torch.tensor([[[0.1, 0.4, 0.2, 0.05, 0.25]]])
    model = played(DMN, head=SimpleNamespace(words=lambda scores: scores.argmax(-1)))
    whole = played(EpisodeVocabulary, answers=tuple("abcde"), in_words=str)
    text, share, others = dmn_inference._answer(model, whole, shares.log())
    assert (text, share) == ("[1]", pytest.approx(0.4))
    assert list(others) == near([("e", 0.25), ("c", 0.2), ("a", 0.1)])
    said = played(EpisodeVocabulary, answers=(), in_words=str)
    model.head.words = lambda scores: torch.tensor([[2, 1, -1]])
    several = torch.tensor([[[0.2, 0.3, 0.5], [0.3, 0.6, 0.1], [0.1, 0.1, 0.8]]])
    text, share, others = dmn_inference._answer(model, said, several.log())
    assert (text, share, others) == ("[2, 1, -1]", pytest.approx(0.5 * 0.6), ())


def test_a_recurrent_net_of_stories_by_hand():
    seen = []

    def model(words, place):
        seen.append((words.tolist(), place.tolist()))
        return torch.tensor([[[0.05, 0.35, 0.1, 0.2, 0.3]]]).log()

    answer = ask_rnn(played(StoryRNN, model), WORDS, ["a b", "z"], "d", "c", frozenset({0}))
    assert seen == [([[1, 2, 0, 4]], [[3]])]
    assert (answer.text, answer.gold, answer.steps) == ("a", "c", ())
    assert answer.probability == pytest.approx(0.35)
    assert list(answer.runners_up) == near([("d", 0.3), ("c", 0.2), ("b", 0.1)])
    assert answer.unknown_words == ("z",)


READ = Answer("Where?", "hall", 1.0, (), ())


def test_examples_of_the_simulated_world_have_their_gold_and_their_proof():
    story = Story(
        (
            Statement(1, "A went."),
            Statement(2, "B left."),
            Question(3, "Where?", "hall", (2,)),
            Statement(4, "C came."),
            Question(5, "Who?", "c", (4, 1)),
        ),
        *(0, "by hand", 1),
    )
    asked = []
    answerer = WorldAnswerer.__new__(WorldAnswerer)
    reader = SimpleNamespace(ask=lambda model, words, *rest: asked.append(rest) or READ)
    answerer.run = SimpleNamespace(reader=reader)
    answerer.__dict__ |= {"model": None, "vocabulary": None}
    answerer.__dict__["world"] = SimpleNamespace(valid=[story], test=[])
    told = ["A went.", "B left."]
    given = [answer.given for answer in answerer.examples("valid", 0)]
    assert given == [tuple(told), (*told, "C came.")]
    assert list(answerer.examples("test", 0)) == []
    assert asked == [
        (told, "Where?", "hall", frozenset({1})),
        ([*told, "C came."], "Who?", "c", frozenset({2, 0})),
    ]


def test_tags_by_hand():
    vocabulary = TaggingVocabulary(WordVocabulary(["word a", "word b"]), ("N", "V"), spelt=False)
    seen = []

    def model(words, sentence, length):
        seen.append((words.tolist(), sentence.tolist(), length.tolist()))
        scores = torch.tensor([[[0.75, 0.25], [0.2, 0.8], [0.5, 0.25]]]).log()
        return SimpleNamespace(scores=scores, hops=hops([0.9, 0.2, 0.4], [0.1, 0.3, 0.5]))

    answer = ask_tags(played(DMNTagger, model), vocabulary, ["b", "x", "b"], ["N", "V", "V"])
    assert seen == [([[3], [1], [1], [1]], [[0, 1, 0]], [3])]
    assert (answer.question, answer.text) == ("b x b", "b/N x/V b/N")
    assert answer.probability == pytest.approx(0.75 * 0.8 * 2 / 3)
    assert (answer.gold, answer.correct) == ("b/N x/V b/V", False)
    assert [step.name for step in answer.steps] == ["hop 1", "hop 2"]
    assert supports(answer.steps[1]) == [
        (0, "b/N", 0.1, None), (1, "x/V", 0.3, None), (2, "b/N", 0.5, None)
    ]  # fmt: skip
    assert (answer.unknown_words, answer.unit) == (("x",), "word")


def test_sentiment_by_hand():
    vocabulary = WordVocabulary([QUESTION, "so", "dull"])

    def model(words, sentence, length, question):
        assert (length.tolist(), question.tolist()) == ([3], [[2]])
        assert words[sentence[0].long()].flatten().tolist() == [3, 4, 1]
        scores = torch.tensor([[[0.2, 0.1, 0.7]]]).log()
        return SimpleNamespace(scores=scores, hops=hops([0.9, 0.2, 0.4], [0.1, 0.3, 0.5]))

    answer = ask_sentiment(
        played(DMN, model), vocabulary, ["So", "dull", "Book"], ("bad", "fair", "good"), 1
    )
    assert (answer.question, answer.text, answer.gold) == ("So dull Book", "good", "fair")
    assert answer.probability == pytest.approx(0.7)
    assert list(answer.runners_up) == near([("bad", 0.2), ("fair", 0.1)])
    assert supports(answer.steps[1]) == [
        (0, "So", 0.1, None), (1, "dull", 0.3, None), (2, "Book", 0.5, None)
    ]  # fmt: skip
    assert (answer.unknown_words, answer.unit) == (("book",), "word")
    silent = ask_sentiment(
        played(DMN, model), vocabulary, ["So", "dull", "Book"], ("bad", "fair", "good")
    )
    assert silent.gold is None


def test_facts_by_hand():
    texts = [("Rome", "a | b | Rome"), ("Oslo", "c"), ("Paris", "d"), ("Bonn", "e"), ("Bern", "f")]
    scores = torch.tensor([0.1, 0.3, 0.25, 0.2, 0.15])
    answer = fact_answer("where?", scores, texts, [4, 9, 7, 2, 1], ("quux",))
    shares = (20 * scores).softmax(0).tolist()
    assert (answer.question, answer.text) == ("where?", "Oslo")
    assert answer.probability == pytest.approx(shares[1])
    assert list(answer.runners_up) == near(
        [("Paris", shares[2]), ("Bonn", shares[3]), ("Bern", shares[4])]
    )
    (step,) = answer.steps
    assert step.name == "best of 5 facts: cosine 0.30"
    assert [(one.slot, one.text) for one in step.supports] == [
        (4, "a | b | Rome"), (9, "c"), (7, "d"), (2, "e"), (1, "f")
    ]  # fmt: skip
    assert [one.weight for one in step.supports] == pytest.approx(shares)
    assert answer.unknown_words == ("quux",)


# Recall


def recalling(world):
    core = CRANCore(hidden=7, key_dim=5, zones=3, slots=5, k=3).build(5)
    model = Recall(core, world.keys, world.values, world.answers, dim=5, hidden=7)
    model.core.cell.choice = TopZones(3)
    return model.eval()


STREAM = Stream(keys=67, values=5, longest=9, window=11, unique=9)


@pytest.mark.parametrize(
    "world", [Episodes(keys=23, values=5, pairs=7), STREAM], ids=lambda world: world.task
)
def test_what_told_an_answer_is_gold_wherever_it_is_remembered(world):
    """All of the last 15 steps are read here, and nothing is asked for later than 14 steps."""
    for answer in islice(examples(recalling(world), world, "test"), 4):
        (golden,) = [one for one in answer.steps[0].supports if one.gold]
        assert golden.text == f"{answer.question} {answer.gold}"
        places = [one.slot for one in answer.steps[0].supports]
        assert places == sorted(places)
        assert golden.slot < places[-1]


def test_a_window_of_a_stream_is_told_after_those_before_it():
    world, model = STREAM, recalling(STREAM)
    texts = list(read_windows(model, world, "test", rows=3))
    assert len(texts) == 3
    for text in texts:
        assert len(text.words) == 11
        assert text.first == 11 * world.settling
        # A step reads the 10 to 15 before it, of which the first words had nearly all before.
        newest = [int(held.max()) for held in text.steps]
        assert newest == list(range(-1, 10))
        assert text.unit == "step"
    assert len({tuple(text.words) for text in texts}) == 3
    first = next(examples(model, world, "test"))
    assert first.question in texts[0].words
    assert list(read_windows(Recall(LSTM(5, 7), 67, 5, 5, 5, 7), world, "test")) == []


# Language

LETTERS = (*"abc \n", UNKNOWN)


def test_what_is_read_at_the_last_symbols_of_a_text():
    core = CRANCore(hidden=7, key_dim=3, zones=2, slots=3, k=2).build(5)
    model = LanguageModel(len(LETTERS), core, dim=5).eval()
    reader = TextReader(model, LETTERS, "characters", 4, None)
    text = reader.read(list("abca\nb c"), shown=4)
    assert (list(text.words), text.first, text.unit) == (["⏎", "b", "␣", "c"], 4, "character")
    with torch.no_grad():
        trace = core.trace(model.embedding(torch.tensor([[0, 1, 2, 0, 4, 1, 3, 2]])))
    assert (text.zones == trace.zones[0, 4:].double().numpy()).all()
    assert (text.slots == trace.slots[0, 4:].double().numpy()).all()
    assert text.steps.tolist() == (trace.steps[0, 4:] - 4).tolist()
    whole = reader.read(list("ab"), shown=4)
    assert (list(whole.words), whole.first) == (["a", "b"], 0)
    plain = TextReader(LanguageModel(6, LSTM(5, 7), dim=5), LETTERS, "characters", 4, None)
    assert plain.read(list("ab"), 2) is None


def language_answerer(monkeypatch, part):
    """Return an answerer of a text that tells what it was asked, and the text's symbols."""
    monkeypatch.setattr(language, "CONTEXT", 4)
    monkeypatch.setattr(language, "EXAMPLE_EVERY", 3)
    monkeypatch.setattr(language, "SYMBOLS_READ", 2)
    answerer = LanguageAnswerer.__new__(LanguageAnswerer)
    symbols = "abcdefghijklmnopqrstuvwxyz"
    splits = {"valid": part, "test": part[::-1]}
    answerer.__dict__["text"] = SimpleNamespace(
        vocabulary=SimpleNamespace(symbols=symbols), splits=splits
    )
    answerer.__dict__["reader"] = SimpleNamespace(
        predict=lambda units, gold: ("".join(units), gold),
        read=lambda units, shown: ("".join(units), shown) if units[0] < "f" else None,
    )
    return answerer


def test_examples_of_a_text_lie_far_from_each_other(monkeypatch):
    answerer = language_answerer(monkeypatch, list(range(11)))
    said = [("abcd", "e"), ("defg", "h"), ("ghij", "k")]
    assert list(answerer.examples("valid", 0)) == list(answerer.examples("train", 0)) == said
    assert next(answerer.examples("test", 0)) == ("kjih", "g")
    assert list(answerer.examples("valid", 1)) == []


def test_two_pieces_of_a_text_are_read(monkeypatch):
    answerer = language_answerer(monkeypatch, list(range(12)))
    assert list(answerer.read_texts()) == [("abcd", 2)]  # of the second one nothing is known
    answerer = language_answerer(monkeypatch, list(range(9)))
    assert list(answerer.read_texts()) == [("abcd", 2)]
    answerer.text.splits["valid"] = list(range(10))[::-1]
    monkeypatch.setattr(language, "CONTEXT", 3)
    assert list(answerer.read_texts()) == [("dcb", 2)]
    answerer.reader.read = lambda units, shown: "".join(units)
    assert list(answerer.read_texts()) == ["jih", "dcb"]


def test_a_cache_is_as_flat_as_it_was_tuned():
    answerer = LanguageAnswerer.__new__(LanguageAnswerer)
    answerer.run = RecurrentLanguage()
    valid = {"cache_flatness": 0.3, "joint_flatness": 1.0}
    answerer.folder = SimpleNamespace(
        result={"metrics": {"valid": valid, "test": {"cache_flatness": 0.1}}}
    )
    answerer.__dict__ |= {"model": nn.Identity(), "vocabulary": {"symbols": "ab", "unit": "words"}}
    reader = answerer.reader
    assert (reader.flatness, reader.window, reader.unit) == (0.3, 100, "word")
    assert (reader.symbols, reader.between) == (("a", "b"), " ")
