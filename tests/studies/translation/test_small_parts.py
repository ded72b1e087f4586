"""Translation piece by piece: settings, splits, what is measured, how likely, what is printed."""

import io
import math
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch

from memnets.attention import General
from memnets.cli import translate as command
from memnets.data.pairs import BEGIN, END, SentencePair, Subwords, Words, bleu
from memnets.evidence import Answer, Step, Support
from memnets.experiments.jobs import FinishedRun, Runs
from memnets.experiments.seeds import half_interval
from memnets.layers.decoding import by_length
from memnets.models.seq2seq import Seq2Seq, luong, luong_fed, rnnsearch, rnnsearch_torch
from memnets.studies import table
from memnets.studies.translation import data as data_module
from memnets.studies.translation import inference
from memnets.studies.translation import task as task_module
from memnets.studies.translation.data import TranslationData
from memnets.studies.translation.inference import Vocabularies, translate
from memnets.studies.translation.recipes import (
    Translation,
    TranslationAnswerer,
    TranslationModel,
    TranslationTraining,
    groups,
)
from memnets.studies.translation.task import TranslationTask
from memnets.tasks import numbered_pairs
from memnets.tasks.numbered_pairs import NumberedPairs, translations
from memnets.training.schedules import seeded

pytest.importorskip("sacrebleu")

WORDS = Vocabularies(Words.of(["a b c d e"], least=1), Words.of(["v w x y z ."], least=1))
PAIRS = [SentencePair("a b c d e a b", "v w x y z"), SentencePair("b", "w x"),
         SentencePair("c a", "y v w ."), SentencePair("d", "v")]  # fmt: skip


def small(**changed):
    return TranslationModel(**({"dim": 6, "hidden": 6, "dropout": 0.0} | changed))


# The model


@pytest.mark.parametrize(
    ("decoder", "alike"),
    [("luong", luong), ("luong-fed", luong_fed), ("rnnsearch", rnnsearch),
     ("rnnsearch-torch", rnnsearch_torch)],
)  # fmt: skip
def test_sizes_reach_the_decoder_that_was_asked_for(decoder, alike):
    model = TranslationModel(
        decoder=decoder, score="general", align="local-p", dim=5, hidden=7, layers=2, window=3,
        dropout=0.25,
    ).build(WORDS)  # fmt: skip
    expected = alike(9, 10, 5, 7, 3 if "rnn" in decoder else 2)
    assert type(model.decoder) is type(expected.decoder)
    shapes = {name: weight.shape for name, weight in expected.named_parameters()}
    found = {name: weight.shape for name, weight in model.named_parameters()}
    for part in ("source", "output", "target_embedding", "decoder.cell", "decoder.core"):
        for name in (name for name in shapes if name.startswith(part)):
            assert found[name] == shapes[name], name
    assert model.dropout.p == 0.25
    assert not model.output.bias.any()  # as modern_initial draws
    score, align = model.decoder.reader.attention.score, model.decoder.reader.attention.align
    assert score.weight.weight.shape in ((7, 7), (7, 14), (14, 7))
    assert align.window == 3
    assert align.hidden_weight.weight.shape[1] == 7


def test_every_score_and_align_is_the_one_of_its_name():
    from memnets import attention

    scores = {
        "additive": attention.Additive, "dot": attention.Dot, "scaled": attention.ScaledDot,
        "general": attention.General, "concat": attention.LuongConcat,
        "cosine": attention.LearnedCosine, "projected": attention.ProjectedDot,
        "location": attention.Location,
    }  # fmt: skip
    for name, kind in scores.items():
        model = small(decoder="luong", score=name, longest=9).build(WORDS)
        assert type(model.decoder.reader.attention.score) is kind
    assert model.decoder.reader.attention.score.weight.weight.shape == (9, 6)
    for name in ("additive", "general", "concat", "projected"):  # states twice as wide are read
        score = small(decoder="rnnsearch", score=name).build(WORDS).decoder.reader.attention.score
        assert score(torch.zeros(1, 2, 6), torch.zeros(1, 3, 12)).shape == (1, 2, 3)
    aligns = {
        "softmax": attention.Softmax, "local-m": attention.LocalM, "local-p": attention.LocalP,
        "straight-through": attention.StraightThroughArgmax, "sampled": attention.Sampled,
    }  # fmt: skip
    for name, kind in aligns.items():
        align = small(decoder="luong", align=name, window=4).build(WORDS).decoder.reader.attention
        assert type(align.align) is kind
        assert getattr(align.align, "window", 4) == 4


def test_what_is_trained_is_what_was_told(monkeypatch):
    pairs = [SentencePair("a b", "b a"), SentencePair("c", "c")]
    splits = {"train": pairs * 3, "valid": pairs, "test": pairs[::-1]}
    monkeypatch.setattr(TranslationData, "load", lambda self: splits)
    run = Translation(
        data=TranslationData(pairs="copy"),
        model=small(),
        training=TranslationTraining(batch=4, epochs=3, learning_rate=0.25),
    )
    prepared = run.prepare()
    experiment = prepared.experiment
    (phase,) = experiment.phases
    assert experiment.task.updates_per_epoch == 2
    assert (phase.name, phase.updates, phase.evaluate_every) == ("translation", 6, 2)
    rates = [phase.learning_rate(update) for update in range(7)]
    assert rates == pytest.approx([0.25 * left / 6 for left in range(6, -1, -1)])
    assert experiment.optimizer.defaults["lr"] == 0.25
    assert experiment.reduction == "mean"
    assert (experiment.keep.metric, experiment.keep.better) == ("valid/loss", "lower")
    assert experiment.task.references == {"valid": ["b a", "c"], "test": ["c", "b a"]}
    assert {name: len(part.said) for name, part in experiment.task.pairs.items()} == {
        "train": 6, "valid": 2, "test": 2
    }  # fmt: skip
    assert prepared.data.name == "pairs of sentences, copy"
    again = run.prepare().experiment.model.state_dict()
    for name, weight in experiment.model.state_dict().items():
        assert torch.equal(weight, again[name])


# Its data


def test_the_even_pairs_of_the_validation_part_choose_and_the_odd_ones_are_measured(monkeypatch):
    def load(part, path, source, target):
        number = {"train": 3, "valid": 5}[part]
        return tuple(
            SentencePair(f"{source} {part} {n}", f"{target} {path}") for n in range(number)
        )

    monkeypatch.setattr(data_module, "load_multi30k", load)
    splits = TranslationData(path=Path("here"), source="en", target="de").load()
    assert {split: [pair.source for pair in part] for split, part in splits.items()} == {
        "train": ["en train 0", "en train 1", "en train 2"],
        "valid": ["en valid 0", "en valid 2", "en valid 4"],
        "test": ["en valid 1", "en valid 3"],
    }
    assert splits["test"][0].target == "de here"


def test_symbols_are_of_the_kind_size_and_frequency_that_were_told(tmp_path):
    pytest.importorskip("tokenizers")
    texts = ["aaa bb c", "aaa bb", "aaa"]
    train = [SentencePair(text, text.upper()) for text in texts]
    files = {"pairs": "files", "source_file": tmp_path, "target_file": tmp_path}
    words = TranslationData(**files, symbols="words", least=1, most=2).vocabularies(train)
    assert [one.words for one in words] == [("aaa", "bb")] * 2
    kept = TranslationData(**files, symbols="words", least=3).vocabularies(train)
    assert [one.words for one in kept] == [("aaa",)] * 2
    pieces = TranslationData(**files, least=3, most=300).vocabularies(train)
    assert pieces == (
        Subwords.of(texts, least=3, most=300),
        Subwords.of([text.upper() for text in texts], least=3, most=300),
    )
    assert pieces[0] != Subwords.of(texts, most=300)
    assert isinstance(TranslationData(pairs="reversal", least=1).vocabularies(train)[0], Words)


def test_files_of_your_own_are_read_and_held_out_from_behind(tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).write_text("".join(f"{name} {n}\n" for n in range(5)))
    data = TranslationData(
        pairs="files", source_file=tmp_path / "a", target_file=tmp_path / "b", held_out=2
    )
    splits = data.load()
    assert {split: [pair.source for pair in part] for split, part in splits.items()} == {
        "train": ["a 0"], "valid": ["a 1", "a 2"], "test": ["a 3", "a 4"]
    }  # fmt: skip
    assert splits["train"][0].target == "b 0"


# What is measured


def task_of(batch=2):
    numbered = NumberedPairs.of(PAIRS, *WORDS)
    references = {"test": [pair.target for pair in PAIRS]}
    return TranslationTask({"train": numbered, "test": numbered}, batch, WORDS.target, references)


def test_measured_in_parts_it_is_the_same(monkeypatch):
    task, model = task_of(), small().build(WORDS).eval()
    whole = task.evaluate(model, "test")
    monkeypatch.setattr(task_module, "EVALUATION_BATCH", 3)
    parts = task.evaluate(model, "test")
    assert parts.keys() == whole.keys() >= {"bleu/0", "bleu/6"}
    for name, ratio in whole.items():
        assert parts[name].total == pytest.approx(ratio.total, rel=1e-5), name
        assert parts[name].weight == ratio.weight


def test_of_the_training_pairs_the_first_are_measured(monkeypatch):
    task, model = task_of(), small().build(WORDS).eval()
    monkeypatch.setattr(task_module, "LOOKED_AT", 2)
    found = task.evaluate(model, "train")
    assert set(found) == {"loss"}
    assert found["loss"].weight == 6 + 3
    first = task.pairs["train"].take(torch.arange(2))
    assert found["loss"].total == pytest.approx(float(model.loss(*first[:3]).detach().sum()))
    assert task.evaluate(model, "test")["loss"].weight == 6 + 3 + 5 + 2


def test_bleu_is_of_all_and_of_each_range_of_lengths(monkeypatch):
    task, model = task_of(), small().build(WORDS).eval()
    said = ["v w x y x", "w", "y v w .", "v"]
    numbers = [[*WORDS.target.numbers(text), END] for text in said]
    monkeypatch.setattr(task_module, "translations", lambda *_: numbers)
    found, written = task.evaluate(model, "test"), [pair.target for pair in PAIRS]
    texts = ["v w x y x", "w", "y v w.", "v"]
    assert found["bleu"].mean == pytest.approx(bleu(texts, written).score)
    assert found["bleu/6"].mean == pytest.approx(bleu(texts[:1], written[:1]).score)
    assert found["bleu/0"].mean == pytest.approx(bleu(texts[1:], written[1:]).score)
    assert (found["sentences"].total, found["sentences"].weight) == (2, 4)


def test_batches_are_of_like_lengths_of_source_and_target(monkeypatch):
    asked = {}

    def shuffled(lengths, batch, generator, position):
        asked.update(lengths=lengths.tolist(), batch=batch, position=position)
        return iter(())

    monkeypatch.setattr(numbered_pairs, "shuffled_by_length", shuffled)
    list(task_of(3).batches("train", torch.Generator(), 5))
    assert asked == {"lengths": [[7, 6], [1, 3], [2, 5], [1, 2]], "batch": 3, "position": 5}
    assert [task_of(batch).updates_per_epoch for batch in (1, 2, 3, 4, 5)] == [4, 2, 2, 1, 1]


def test_a_translation_that_does_not_end_is_cut_off():
    model = small().build(WORDS).eval()
    with torch.no_grad():
        model.output.bias[END] = -50.0
    numbered = NumberedPairs.of(PAIRS, *WORDS).take(torch.tensor([1, 2]))
    assert [len(said) for said in translations(model, numbered, seeded(0))] == [
        2 * 1 + 10, 2 * 2 + 10
    ]  # fmt: skip


def test_no_pairs_are_taken():
    none = NumberedPairs.of(PAIRS, *WORDS).take(torch.tensor([], dtype=torch.long))
    assert [tuple(part.shape) for part in none] == [(0, 0), (0,), (0, 0), (0,)]


# What is answered


def drawn(seed):
    torch.manual_seed(seed)
    model = small(hidden=8).build(WORDS).eval()
    with torch.no_grad():
        for weight in model.parameters():
            weight.normal_(std=0.9)
    return model


@pytest.mark.parametrize("seed", [1, 2])
def test_an_answer_is_the_best_of_the_beam_by_the_mean_of_its_symbols(seed):
    model, sentence = drawn(seed), "a b c"
    answer = translate(model, WORDS, [sentence], beam=4, references=["v w"])[0]
    asked = torch.tensor([WORDS.source.numbers(sentence)])
    found = model.translate(asked, torch.tensor([3]), END, 16, 4, by_length(1.0))
    texts = [WORDS.target.text(words) for words in found.words[0].tolist()]
    likely = found.log_prob[0].exp().tolist()
    assert (answer.text, answer.gold) == (texts[0], "v w")
    assert answer.probability == pytest.approx(likely[0])
    rivals = zip(answer.runners_up, texts[1:], strict=True)
    assert all(rival == text for (rival, _), text in rivals if "<unk>" not in text)
    assert [share for _, share in answer.runners_up] == pytest.approx(likely[1:])
    kept = [n for n, word in enumerate(found.words[0, 0].tolist()) if word > END]
    for n, step in zip(kept, answer.steps, strict=True):
        row = found.evidence.weights[0, 0, n].tolist()
        assert [support.weight for support in step.supports] == pytest.approx(row, abs=1e-6)
        assert [(one.slot, one.text) for one in step.supports] == [(0, "a"), (1, "b"), (2, "c")]
    cut = int(found.lengths[0, 0])
    said = "" if bool(found.ended[0, 0]) else f"cut off after {cut} symbols"
    assert (answer.caution, answer.unit) == (said, "word")


def test_hypotheses_are_ranked_by_the_mean_and_may_be_twice_as_long_and_ten(monkeypatch):
    asked, real = [], Seq2Seq.translate

    def translated(self, source, length, end, longest, width, divisor, generator):
        asked.append((end, longest, width, divisor(torch.tensor([4])).item()))
        assert generator.initial_seed() == seeded(0).initial_seed()
        return real(self, source, length, end, longest, width, divisor, generator)

    monkeypatch.setattr(Seq2Seq, "translate", translated)
    translate(drawn(1), WORDS, ["a b c", "d"], 3)
    assert asked == [(END, 12, 3, 4), (END, 16, 3, 4)]


def test_many_sentences_are_answered_in_their_order_whatever_is_taken_at_once(monkeypatch):
    model = drawn(0)
    sentences = ["a b", "", "c", "b a", "e d"]
    golds = [f"gold {n}" for n in range(5)]
    whole = translate(model, WORDS, sentences, 2, golds)
    assert [answer.question for answer in whole] == sentences
    assert [answer.gold for answer in whole] == golds
    assert (whole[1].text, whole[1].probability, whole[1].steps) == ("", 1.0, ())
    monkeypatch.setattr(inference, "TOGETHER", 2)
    for one, other in zip(whole, translate(model, WORDS, sentences, 2, golds), strict=True):
        assert (one.text, one.question) == (other.text, other.question)
    sizes = [len(some) for some in inference._of_one_length([[1], [], [1, 2], [3], [4]])]
    assert sizes == [2, 1, 1]


def test_the_longest_sentence_is_let_pass():
    assert translate(drawn(0), WORDS, ["a b c"], 1, longest=3)[0].question == "a b c"
    with pytest.raises(ValueError, match=r'^"a b c d\.\.\." has 4 symbols; .* at most 3\. Part it'):
        translate(drawn(0), WORDS, ["a b c d"], 1, longest=3)


def test_a_begin_that_is_said_is_no_word():
    one = inference._Said(
        [BEGIN, 5, END], torch.tensor([[9.0, 9], [0.25, 0.75], [9, 9]]), 0.0, True
    )
    text, said, weights = inference._in_words(WORDS, ["a", "b"], [4, 5], one)
    assert (text, said, weights) == (WORDS.target.symbols[5], [WORDS.target.symbols[5]],
                                     [[0.25, 0.75]])  # fmt: skip


def test_examples_are_of_the_split_that_is_asked_for(monkeypatch):
    answerer, said, one = object.__new__(TranslationAnswerer), [], answer_of("x")
    answerer.__dict__["pairs"] = {"valid": PAIRS[:1], "test": PAIRS[1:]}

    def translated(self, sentences, beam=5, references=()):
        said.append((list(sentences), list(references)))
        return [one]

    monkeypatch.setattr(TranslationAnswerer, "translate", translated)
    assert len(list(answerer.examples("test", 1))) == 3
    assert said == [(["b"], ["w x"]), (["c a"], ["y v w ."]), (["d"], ["v"])]
    assert answerer.answer([], "x") is one
    assert said[-1] == (["x"], [])


# The table


def test_the_curve_of_a_row_is_bleu_by_length_and_its_mean_has_an_interval():
    planned = table("translation-attention")
    entry = planned.entries[0]
    done = {}
    for seed, (one, two) in enumerate([(20.0, 30.0), (24.0, 31.0)]):
        metrics = {"test": {"bleu": 9.0, "bleu/0": one, "bleu/6": two}, "valid": {"bleu/0": 99.0}}
        done[seed] = FinishedRun(None, SimpleNamespace(), {"metrics": metrics})
    found = {entry.row: Runs(done, frozenset())}
    (series,) = planned.series(entry, found)
    assert series.name == entry.row
    assert series.x == (0.0, 6.0)
    assert series.y == pytest.approx((22.0, 30.5))
    assert series.spread == pytest.approx((half_interval([20, 24]), half_interval([30, 31])))
    notes = list(planned.notes(entry, planned.figures[0], found[entry.row], {0: 20.0, 1: 24.0}))
    assert len(notes) == 3
    assert "95 %" in notes[-1]
    assert [figure.metric for figure in planned.figures] == ["bleu", "loss"]
    assert entry.targets == {"bleu": 25.0}
    assert [one.targets for one in planned.entries[1:]] == [{}] * 14


# What is printed


class Typed(io.StringIO):
    def isatty(self):
        return True


def answer_of(sentence):
    step = Step("w", (Support(0, "a", 0.25), Support(1, "b\x07", 0.75)))
    return Answer(sentence, f"{sentence}!", 1.0, (), (step, Step("x", ())), ("q",), caution="care")


@pytest.fixture
def fake(monkeypatch):
    calls = []

    def translated(sentences, beam):
        calls.append((list(sentences), beam))
        return [answer_of(one) for one in sentences]

    monkeypatch.setattr(
        command,
        "load_run",
        lambda path: SimpleNamespace(translate=translated, unfit=lambda sentence: "", name="r"),
    )
    return calls


def test_what_is_typed_is_translated_line_by_line(fake, monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdin", Typed(" one \ntwo\n"))
    assert command.main(["run", "--beam", "3"]) == 0
    assert fake == [(["one"], 3), (["two"], 3)]
    told = capsys.readouterr()
    assert told.out == f"{command.HINT}\none!\ntwo!\n"
    assert "one: care\n" in told.err
    assert "one: unknown words, read as nothing: q" in told.err


def test_what_is_piped_in_is_translated_together(fake, monkeypatch, capsys):
    monkeypatch.setattr(command, "TOGETHER", 2)
    monkeypatch.setattr(sys, "stdin", io.StringIO("one\ntwo\nthree\n"))
    assert command.main(["run", "--evidence"]) == 0
    assert fake == [(["one", "two"], 5), (["three"], 5)]
    assert capsys.readouterr().out.splitlines()[:2] == ["one!", "  w ← b<U+0007> 75%"]


def test_translations_are_written_and_counted(fake, tmp_path, capsys):
    source, out = tmp_path / "in", tmp_path / "out"
    source.write_text("one\ntwo\n")
    assert command.main(["run", "--file", str(source), "--out", str(out)]) == 0
    assert out.read_bytes() == b"one!\ntwo!\n"
    told = capsys.readouterr()
    assert told.out == ""
    assert f"2 sentences translated: {out}" in told.err
    assert "two: care" in told.err
    with pytest.raises(ValueError, match=r"--out x takes translations alone"):
        command.Translate(source, out="x", evidence=True)
    assert math.isclose(command.Translate(source).beam, 5)


@pytest.mark.parametrize("name", ["luong", "luong-fed"])
def test_a_general_score_learns_at_a_root_of_the_rate(name):
    model = TranslationModel(decoder=name, score="general", dim=4, hidden=9).build(WORDS)
    rest, bilinear = groups(model)
    (weight,) = bilinear["params"]
    (score,) = (part for part in model.modules() if isinstance(part, General))
    assert weight is score.weight.weight
    assert bilinear["share"] == pytest.approx(1 / 3)
    assert "share" not in rest
    assert {*rest["params"], weight} == set(model.parameters())
    assert len(rest["params"]) == len(list(model.parameters())) - 1


def test_other_scores_learn_at_the_whole_rate():
    model = TranslationModel(dim=4, hidden=9).build(WORDS)
    (rest,) = groups(model)
    assert rest == {"params": list(model.parameters())}
