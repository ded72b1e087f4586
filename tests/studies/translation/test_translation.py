"""Translation as a run, as commands and as a table, on generated pairs and small files."""

import json
from dataclasses import replace

import pytest
import torch

import memnets
from memnets.cli.main import main
from memnets.cli.translate import Translate
from memnets.data.pairs import END, UNKNOWN, SentencePair, Words, bleu
from memnets.experiments.run import to_json
from memnets.inference import load_run
from memnets.models.seq2seq import Seq2Seq
from memnets.studies import table
from memnets.studies.translation import task as task_module
from memnets.studies.translation.data import TOY_PAIRS, TranslationData, digest, toys
from memnets.studies.translation.inference import MOST_SYMBOLS, Vocabularies, translate
from memnets.studies.translation.links import LinkedWords
from memnets.studies.translation.recipes import Translation, TranslationModel, TranslationTraining
from memnets.studies.translation.task import TranslationTask
from memnets.tasks.numbered_pairs import NumberedPairs, translations
from memnets.training.schedules import seeded

pytest.importorskip("sacrebleu")

PAIRS = [SentencePair("a b c", "c b a"), SentencePair("d", "d"), SentencePair("c a", "a c")]
SMALL = {
    "model.dim": 8,
    "model.hidden": 8,
    "training.batch": 500,
    "training.epochs": 1,
    "training.learning_rate": 0.01,
}


def vocabularies():
    return Vocabularies(*(Words.of(["a b c d"], least=1) for _ in range(2)))


def small(**changed):
    return TranslationModel(**({"dim": 6, "hidden": 6, "dropout": 0.0} | changed))


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "reversal"
    return memnets.train("translation/reversal", SMALL, out=folder, show=False)


def test_toys_are_copied_or_said_from_behind():
    there, back = toys(1), toys(-1)
    assert {split: len(part) for split, part in there.items()} == TOY_PAIRS
    assert all(pair.source == pair.target for pair in there["train"])
    assert all(pair.target == pair.source[::-1] for pair in back["test"])
    assert {len(pair.source.split()) for pair in there["train"]} == set(range(4, 13))
    assert digest(there) == digest(toys(1)) != digest(back)
    assert not {pair.source for pair in there["test"]} & {pair.source for pair in there["valid"]}


def test_pairs_are_numbered_with_an_end_behind_the_target():
    numbered = NumberedPairs.of(PAIRS, *vocabularies())
    assert numbered.length.tolist() == [3, 1, 2]
    assert numbered.said.tolist() == [4, 2, 3]
    assert numbered.target[0, 3] == numbered.target[1, 1] == END
    some = numbered.take(torch.tensor([1, 2]))
    assert some.source.shape == (2, 2)
    assert some.target.shape == (2, 3)


def task_of(pairs=PAIRS, **options):
    known = vocabularies()
    numbered = NumberedPairs.of(pairs, *known)
    references = {"test": [pair.target for pair in pairs]}
    return TranslationTask(
        {"train": numbered, "test": numbered}, 2, known.target, references, **options
    )


def test_what_is_measured_is_worked_out_by_hand(monkeypatch):
    """List 14: a model that says two sentences right, and of the third the first word alone.

    Its loss is a mean over symbols that were taught, ends among them, not over batches.
    """
    pairs = [SentencePair("a b c d", "d c b a"), SentencePair("d", "d"), PAIRS[2]]
    task, model = task_of(pairs), small().build(vocabularies())
    numbered = task.pairs["test"]
    said = [row[:number].tolist() for row, number in zip(*numbered[2:], strict=True)]
    said[2] = [said[2][0], END]
    monkeypatch.setattr(task_module, "translations", lambda model, asked, dice: said)
    found = task.evaluate(model, "test")
    assert found["sentences"].mean == pytest.approx(2 / 3)
    expected = bleu(["d c b a", "d", "a"], [pair.target for pair in pairs]).score
    assert found["bleu"].mean == pytest.approx(expected)
    assert 0 < expected < 100
    assert found["bleu/0"].mean == pytest.approx(expected)
    assert found["loss"].weight == 5 + 2 + 3
    total = model.loss(*numbered[:3]).sum().detach()
    assert found["loss"].total == pytest.approx(float(total), rel=1e-5)
    assert set(found) == {"loss", "sentences", "bleu", "bleu/0"}
    assert set(task.evaluate(model, "train")) == {"loss"}


def test_words_that_are_read_where_they_are_linked_are_counted(monkeypatch):
    """Reading from behind agrees with a reversal in every word, with a copy in a third of them.

    The word in the middle of "a b c" stands where it stood; the diagonal is right of a copy.
    """
    pairs, known = [SentencePair("a b c", "c b a")], vocabularies()
    numbered = NumberedPairs.of(pairs, *known)
    weights = torch.tensor([[[0, 0, 1.0], [0, 1, 0], [1, 0, 0], [1, 0, 0]]])  # the end's last
    model = small().build(known)
    taught = model(*numbered[:3])
    read = taught._replace(readout=taught.readout._replace(weights=weights))
    monkeypatch.setattr(model, "forward", lambda *_: read)
    for step, shares in ((-1, (1.0, 1 / 3, 1 / 3)), (1, (1 / 3, 1.0, 1 / 3))):
        task = task_of(pairs, sources=known.source, links={"test": LinkedWords(pairs, (), step)})
        found = task.evaluate(model, "test")
        names = ("linked", "linked_diagonal", "linked_chance")
        assert [found[name].mean for name in names] == pytest.approx(shares)
        assert found["linked"].weight == 3
        assert "linked" not in task.evaluate(model, "train")


def test_links_are_learnt_from_all_pairs():
    words = {"rot": "red", "blau": "blue", "ball": "ball", "haus": "house"}
    corpus = [SentencePair(f"{a} {b}", f"{words[b]} {words[a]}") for a in words for b in words]
    asked = LinkedWords([SentencePair("Rot Haus", "house red")], corpus)
    assert asked.links[0].sure.tolist() == [[False, True], [True, False]]


def test_the_loss_of_a_batch_is_that_of_its_symbols():
    task, model = task_of(), small().build(vocabularies())
    batch = task.collate("train", (torch.tensor([0, 2]),))
    step = task.loss(model, batch, task.start("train", batch), seeded(0))
    assert step.weight == 7
    expected = model.loss(*batch[:3]).sum()
    torch.testing.assert_close(step.loss_sum, expected)
    torch.testing.assert_close(step.sums["cross_entropy"], expected.detach())
    assert float(step.state.mean) == pytest.approx(-0.1 * float(expected.detach()) / 2, rel=1e-5)


def test_draws_learn_by_what_they_earn():
    task = task_of(entropy=0.5)
    model = small(align="sampled").build(vocabularies())
    batch = task.collate("train", (torch.arange(3),))
    step = task.loss(model, batch, task.start("train", batch), seeded(0))
    assert not torch.allclose(step.loss_sum.detach(), step.sums["cross_entropy"])
    step.loss_sum.backward()
    assert all(part.grad is not None for part in model.decoder.reader.parameters())


COMBINED = [
    *[{"decoder": "luong", "score": score} for score in ("additive", "dot", "scaled", "general")],
    *[{"decoder": "luong", "score": score} for score in ("concat", "cosine", "location", "none")],
    *[{"decoder": "luong-fed", "align": align} for align in ("local-m", "local-p")],
    *[{"decoder": "rnnsearch", "align": align} for align in ("straight-through", "sampled")],
    {"decoder": "rnnsearch-torch", "score": "general"},
]


@pytest.mark.parametrize("parts", COMBINED, ids=lambda parts: "-".join(parts.values()))
def test_every_part_can_be_trained_and_asked(parts):
    model = small(**parts).build(vocabularies())
    assert isinstance(model, Seq2Seq)
    numbered = NumberedPairs.of(PAIRS, *vocabularies())
    model(*numbered[:3], seeded(0)).log_prob.sum().backward()
    answers = translate(model.eval(), vocabularies(), ["a b c", "", "d x"], beam=2)
    assert [answer.question for answer in answers] == ["a b c", "", "d x"]
    assert answers[1].text == ""
    assert answers[2].unknown_words == ("x",)
    for answer in answers[::2]:
        for step in answer.steps:
            assert [support.text for support in step.supports] == answer.question.split()


def test_many_sentences_are_translated_as_each_alone(run):
    sentences = ["a b c d e", "f", "a b", "p o n m l k j i"]
    together = run.translate(sentences, beam=3)
    for sentence, answer in zip(sentences, together, strict=True):
        assert run.translate([sentence], beam=3)[0].text == answer.text
    assert run.ask("f").question == "f"


def test_a_translation_that_does_not_end_is_as_long_beside_longer_sentences():
    model = small().build(vocabularies()).eval()
    with torch.no_grad():
        model.output.bias[END] = -50.0
    alone = translate(model, vocabularies(), ["a b"], beam=2)[0]
    beside = translate(model, vocabularies(), ["a b c d a b c", "a b"], beam=2)[1]
    assert alone.caution == beside.caution == "cut off after 14 symbols"
    assert alone.text == beside.text


def test_a_given_translation_is_aligned_as_the_same_one_that_was_said(run):
    (answer,) = run.translate(["a b c d"], beam=1)
    alignment = run.align("a b c d", answer.text)
    assert alignment.source == ("a", "b", "c", "d")
    assert list(alignment.said) == answer.text.split()
    said = answer.alignment.weights[: len(alignment.said)]
    torch.testing.assert_close(torch.tensor(alignment.weights), torch.tensor(said))
    with pytest.raises(ValueError, match=r"expected a word at least in each"):
        run.align("a", " ")
    with pytest.raises(ValueError, match=r"has 1,001 symbols"):
        run.align("a " * (MOST_SYMBOLS + 1), "a")


def test_an_unknown_word_is_replaced_by_what_was_read_for_it():
    """Luong et al., section 4.1: here every word that is said is the unknown one."""
    model = small().build(vocabularies()).eval()
    with torch.no_grad():
        model.output.bias[UNKNOWN] = 50.0
    (answer,) = translate(model, vocabularies(), ["a b zebra"], beam=1)
    words = answer.text.split()
    assert len(words) == 2 * 3 + 10
    assert words == [step.most_read.text for step in answer.steps]
    assert set(words) <= {"a", "b", "zebra"}
    assert answer.caution == "cut off after 16 symbols"
    assert answer.unknown_words == ("zebra",)


def test_what_cannot_be_translated_is_told(run):
    with pytest.raises(ValueError, match=r"has 1,001 symbols; expected a sentence of at most"):
        run.translate(["a " * (MOST_SYMBOLS + 1)])
    with pytest.raises(ValueError, match="width"):
        run.translate(["a"], beam=0)


def test_a_file_is_translated_line_by_line(run, tmp_path, capsys):
    source, out = tmp_path / "in.txt", tmp_path / "out.txt"
    source.write_text("a b c\n\nd q e\n")
    folder = str(run.folder.path)
    assert main(["translate", folder, "--file", str(source), "--out", str(out)]) == 0
    lines = out.read_text().split("\n")
    assert len(lines) == 4
    assert lines[1] == lines[3] == ""
    expected = [answer.text for answer in run.translate(["a b c", "", "d q e"])]
    assert lines[:3] == expected
    assert "d q e: unknown words: q" in capsys.readouterr().err
    assert main(["translate", folder, "--file", str(source), "--evidence"]) == 0
    assert "←" in capsys.readouterr().out
    assert main(["translate", folder, "--file", str(source), "--json"]) == 0
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [record["text"] for record in records] == expected


def test_a_line_that_is_too_long_is_named_and_the_others_are_translated(run, tmp_path, capsys):
    source, out = tmp_path / "in.txt", tmp_path / "out.txt"
    source.write_text(f"a b\n{'b ' * (MOST_SYMBOLS + 1)}\nc d\n")
    options = ["translate", str(run.folder.path), "--file", str(source)]
    assert main([*options, "--out", str(out)]) == 2
    first, last = (run.translate([sentence])[0].text for sentence in ("a b", "c d"))
    assert out.read_text() == f"{first}\n\n{last}\n"
    told = capsys.readouterr().err
    assert 'left out: "b b b' in told
    assert "has 1,001 symbols" in told
    assert "2 sentences translated" in told
    assert "sentences left out: 1" in told
    assert main(options) == 2
    assert capsys.readouterr().out == f"{first}\n\n{last}\n"


def test_the_score_by_location_knows_as_many_places_as_it_has(run):
    short = run.run.model
    try:
        object.__setattr__(run.run, "model", replace(short, score="location", longest=3))
        assert run.longest == 3
        assert "has 4 symbols; expected a sentence of at most 3" in run.unfit("a b c d")
        assert not run.unfit("a b c")
    finally:
        object.__setattr__(run.run, "model", short)
    assert run.longest == MOST_SYMBOLS


def test_one_hypothesis_is_enough_and_a_file_takes_translations_alone(tmp_path):
    assert Translate(tmp_path, beam=1, out=tmp_path / "x.txt").beam == 1
    assert Translate(tmp_path, evidence=True, json=True).evidence
    with pytest.raises(ValueError, match=r"x\.txt takes translations alone"):
        Translate(tmp_path, out=tmp_path / "x.txt", evidence=True)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--beam", "0"], "--beam 0: expected at least 1"),
        (["--out", "x.txt", "--json"], "--out x.txt takes translations alone"),
        (["--file", "missing.txt"], "missing.txt"),
    ],
)
def test_options_that_make_no_sense_are_refused(run, options, told, capsys):
    assert main(["translate", str(run.folder.path), *options]) == 2
    assert told in capsys.readouterr().err


def test_a_run_that_does_not_translate_is_refused(tmp_path, capsys):
    settings = {"model.hidden": 4, "training.epochs": 1, "training.batch": 200}
    other = memnets.train("dmn-plus/babi-generated", settings, out=tmp_path / "dmn", show=False)
    assert main(["translate", str(other.folder.path)]) == 2
    assert "does not translate" in capsys.readouterr().err


@pytest.fixture
def files(tmp_path):
    source, target = tmp_path / "a.de", tmp_path / "a.en"
    source.write_text("".join(f"wort {n} hier\n" for n in range(40)))
    target.write_text("".join(f"word {n} here\n" for n in range(40)))
    return {"pairs": "files", "source_file": source, "target_file": target}


def test_the_last_pairs_of_files_are_held_out(files):
    splits = TranslationData(**files, held_out=5).load()
    assert {name: len(part) for name, part in splits.items()} == {
        "train": 30,
        "valid": 5,
        "test": 5,
    }
    assert splits["test"][-1] == ("wort 39 hier", "word 39 here")
    with pytest.raises(ValueError, match="40 pairs, of which 40 are to be held back"):
        TranslationData(**files, held_out=20).load()


def test_nothing_but_spaces_has_an_empty_translation(files):
    pytest.importorskip("tokenizers")
    data = TranslationData(**files, held_out=5, most=300)
    known = Vocabularies(*data.vocabularies(data.load()["train"]))
    answer, other = translate(small().build(known).eval(), known, ["  ", " wort 7"], beam=1)
    assert (answer.text, answer.steps) == ("", ())
    assert other.alignment.source == ("wort", "7")


def test_both_files_are_named_or_none(files):
    with pytest.raises(ValueError, match=r"expected both files with data.pairs files"):
        TranslationData(source_file=files["source_file"])
    with pytest.raises(ValueError, match=r"expected both files with data.pairs files"):
        TranslationData(pairs="files")


def test_subwords_are_of_each_language(files):
    pytest.importorskip("tokenizers")
    data = TranslationData(**files, held_out=5, most=300)
    source, target = data.vocabularies(data.load()["train"])
    assert source.text(source.numbers("wort 7 hier")) == "wort 7 hier"
    assert source.numbers("wort")[:1] != target.numbers("wort")[:1] or len(source) != len(target)


@pytest.mark.parametrize("score", ["dot", "scaled", "cosine"])
def test_a_score_of_unequal_widths_is_refused(score):
    with pytest.raises(ValueError, match="are half as wide as those of its source"):
        TranslationModel(score=score)
    assert TranslationModel(score=score, decoder="luong").score == score


def test_nothing_is_aligned_without_attention():
    with pytest.raises(ValueError, match=r"with model.score none nothing is aligned"):
        TranslationModel(score="none", align="local-m")


def test_the_table_is_planned():
    planned = table("translation-attention")
    rows = [entry.row for entry in planned.entries]
    assert len(set(rows)) == len(rows) == 15
    for entry in planned.entries:
        assert json.dumps(to_json(entry.run))
    assert {first for pair in planned.contrasts for first in pair} <= set(rows)


def test_a_run_is_opened_again(run):
    again = load_run(run.folder.path)
    assert isinstance(again.run, Translation)
    assert again.ask("a b").text == run.ask("a b").text
    assert again.data_sha256() == run.folder.record["data"]["sha256"]
    example = next(iter(again.examples("test", 1)))
    assert example.gold == toys(-1)["test"][0].target


def test_a_longer_beam_than_one_is_at_least_as_likely(run):
    sentence = "a b c d e f g"
    narrow, wide = (run.translate([sentence], beam=beam)[0] for beam in (1, 4))
    assert len(narrow.runners_up) == 0
    assert len(wide.runners_up) == 3
    assert narrow.text in (wide.text, *(text for text, _ in wide.runners_up)) or (
        wide.probability >= narrow.probability
    )


def test_settings_reach_the_run():
    training = TranslationTraining(batch=7, epochs=2, learning_rate=0.25, clip=0.5, entropy=0.25)
    run = replace(
        Translation(),
        data=TranslationData(pairs="copy"),
        model=small(),
        training=training,
    )
    experiment = run.prepare().experiment
    assert experiment.task.batch == 7
    assert experiment.task.entropy == 0.25
    assert experiment.phases[0].updates == 2 * experiment.task.updates_per_epoch
    phase = experiment.phases[0]
    rates = [phase.rate(update, ()) for update in (0, phase.updates // 2, phase.updates)]
    assert rates == [0.25, 0.125, 0.0]
    assert experiment.clip.limit == 0.5


def test_greedy_translations_end(run):
    asked = NumberedPairs.of([SentencePair("a b c", "c b a")], *run.vocabulary)
    (said,) = translations(run.model, asked, seeded(0))
    assert len(said) <= 2 * 3 + 10
