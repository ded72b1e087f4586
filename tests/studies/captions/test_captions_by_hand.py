"""What is counted and told of captions, by hand: models that say what they are told to."""

import hashlib
from dataclasses import fields
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from torch import nn

from memnets.attention import Argmax, Baseline, Sampled, Softmax
from memnets.data.pairs import END, UNKNOWN, Words
from memnets.data.pictures import Scenes, caption_bleu, cider_d, held_out_pairs, shape_scenes
from memnets.data.pictures.photos import CaptionedPhotos
from memnets.layers.decoding import Hypotheses, by_length
from memnets.layers.stems import Given
from memnets.layers.stepwise import LastState
from memnets.models import show_attend_tell as sat
from memnets.studies.captions import data as data_module
from memnets.studies.captions import inference, recipes, task
from memnets.studies.captions.controls import deletion
from memnets.studies.captions.data import CaptionData, Kept, digest
from memnets.studies.captions.encoding import NumberedCaptions, encode
from memnets.studies.captions.recipes import (
    CaptionAnswerer,
    CaptionModel,
    Captions,
    CaptionTraining,
)
from memnets.studies.captions.scores import caption_scores
from memnets.studies.captions.task import CaptionTask
from memnets.tasks.pointing import Objects, Pointing
from memnets.training.best import Best
from memnets.training.clipping import GlobalNorm
from memnets.training.schedules import seeded

pytestmark = pytest.mark.usefixtures("shapes_unchecked")

PHOTOS = CaptionData(pictures="photos", captions=Path("c"), least=1)
LEARNING = {"penalty": 0.0, "entropy": 0.0, "reward": 1.0, "samples": 1}
WORDS = Words.of(["a dog runs", "a cat"], least=1)
A, CAT, DOG, RUNS = WORDS.numbers("a cat dog runs")


def changed(kind, /, **values):
    """Return a configuration of which every field is told, and is not the usual one."""
    usual = kind()
    assert values.keys() == {field.name for field in fields(kind)}
    assert not [name for name, value in values.items() if value == getattr(usual, name)]
    return kind(**values)


def test_every_setting_reaches_what_is_trained():
    model = changed(
        CaptionModel,
        **{"attention": "hard", "variant": "as-run", "test": "sample", "coin": 1.0},
        **{"channels": (3, 5), "deep": 1, "dim": 4, "hidden": 6, "score": 7, "dropout": 0.25},
    )
    training = CaptionTraining(
        **{"batch": 3, "epochs": 2, "patience": 4, "learning_rate": 0.5, "clip": 3.0},
        **{"reward": 0.5, "entropy": 0.25, "samples": 2},
    )
    run = Captions(data=CaptionData(train=9, held_out=2), model=model, training=training)
    prepared = run.prepare()
    experiment = prepared.experiment
    whole, asked, (phase,) = experiment.model, experiment.task, experiment.phases
    widths = [layer.out_channels for layer in whole.stem.layers]
    assert (widths, whole.stem.side, whole.stem.halved) == ([3, 5, 5], (56, 56), 2)
    teller = whole.teller
    assert (teller.embedding.weight.shape[1], teller.core.cells.hidden_size) == (4, 6)
    assert teller.embedding.weight.shape[0] == len(asked.vocabulary)
    assert (teller.dropout.p, len(teller.begin.shared)) == (0.25, 1)
    assert type(teller.reader.test) is Sampled
    assert teller.reader.coin(5, seeded(0)).all()
    assert (asked.batch, asked.reward, asked.entropy, asked.samples) == (3, 0.5, 0.25, 2)
    assert (asked.penalty, asked.as_run, asked.side) == (0.0, True, (56, 56))
    epoch = asked.updates_per_epoch
    assert (phase.updates, phase.evaluate_every) == (2 * epoch, epoch)
    assert [phase.learning_rate(at) for at in (0, epoch)] == [0.5, 0.25]
    assert isinstance(experiment.optimizer, torch.optim.Adam)
    assert experiment.optimizer.param_groups[0]["lr"] == 0.5
    assert experiment.clip == GlobalNorm(3.0)
    assert experiment.keep == Best("valid/loss", patience=4)
    assert experiment.reduction == "mean"
    assert (prepared.data.name, prepared.data.sha256) == (
        "captions, shape-scenes", digest(run.data.load())
    )  # fmt: skip
    assert Kept.from_json(prepared.files["vocabulary.json"]).words == asked.vocabulary
    soft = Captions(
        data=run.data, model=CaptionModel(channels=(3,), score=7, hidden=6),
        training=CaptionTraining(penalty=2.0),
    ).prepare().experiment  # fmt: skip
    assert (soft.task.penalty, soft.task.as_run) == (2.0, False)
    assert soft.model.teller.reader.attention.score.key_weight.weight.shape == (7, 3)
    drawn = CaptionModel(attention="hard", coin=0.0).teller(9, 4).reader
    assert not drawn.coin(50, seeded(0)).any()
    tests = [
        type(CaptionModel(attention="hard", test=name).teller(9, 4).reader.test)
        for name in ("argmax", "expectation", "sample")
    ]
    assert tests == [Argmax, Softmax, Sampled]
    assert type(CaptionModel(attention="none").teller(9, 4).reader) is LastState
    each = CaptionModel(attention="hard").teller(9, 4).reader.coin(60, seeded(0))
    assert 0 < each.sum() < 60


def test_bounds_of_what_is_told():
    CaptionData(unseen_pairs=4)
    for values, message in (
        ({"unseen_pairs": 5}, r"data\.unseen_pairs is 5: expected at most 4"),
        ({"side": 32}, r"side is 32, .* is .shape-scenes.: .* pass --data.pictures photos or fl"),
        ({"pictures": "digits", "most": 9}, r"data\.most is 9, and data\.pictures is .digits"),
        ({"pictures": "flickr8k", "train": 9}, r"data\.train is 9, and data\.pictures is .flick"),
        ({"pictures": "flickr8k", "side": 2000}, r"data\.side is 2000: expected at most 1,024"),
        ({"pictures": "digits", "features": Path("f")}, r'features is f, and data.pictures is "di'),
        ({"side": 7}, r"data\.side is 7: expected at least 8"),
        ({"most": 0}, r"data\.most is 0: expected at least 1"),
    ):
        with pytest.raises(ValueError, match=message):
            CaptionData(**values)
    with pytest.raises(ValueError, match=r"model\.coin is 1\.5"):
        CaptionModel(attention="hard", coin=1.5)
    with pytest.raises(
        ValueError, match=r"model\.test and model\.coin would be ignored|model.coin"
    ):
        CaptionModel(coin=0.25)
    ignored = (("soft", {"entropy": 0.5}), ("none", {"reward": 0.5}), ("soft", {"samples": 2}))
    for kind, drawn in ignored:
        with pytest.raises(ValueError, match=r"training\.reward, entropy and samples would be"):
            Captions(model=CaptionModel(attention=kind), training=CaptionTraining(**drawn))
    with pytest.raises(
        ValueError, match=r'training\.penalty is 0\.5, and model\.attention is "non'
    ):
        Captions(model=CaptionModel(attention="none"), training=CaptionTraining(penalty=0.5))


def test_each_split_has_its_own_seed():
    splits = CaptionData(train=4, held_out=3).load()
    for name, size, seed in (("train", 4, 1), ("valid", 3, 2), ("test", 3, 3)):
        assert splits[name].sha256 == shape_scenes(size, (0, seed)).sha256
    known, unseen = held_out_pairs(3)
    apart = CaptionData(train=4, held_out=3, unseen_pairs=3).load()
    for name, size, seed, pairs in (
        ("train", 4, 1, known), ("valid", 3, 2, known), ("test", 3, 4, unseen),
    ):  # fmt: skip
        assert apart[name].sha256 == shape_scenes(size, (0, seed), pairs).sha256
    told = "".join(f"{name}\t{part.sha256}\n" for name, part in splits.items())
    assert digest(splits) == hashlib.sha256(told.encode()).hexdigest()


def test_digits_come_from_the_part_of_their_split(monkeypatch):
    made = []
    monkeypatch.setattr(data_module, "load_digits", lambda path: path)
    parts = {"train": "t", "valid": "v", "test": "e"}
    monkeypatch.setattr(data_module, "split_digits", lambda digits: parts)
    monkeypatch.setattr(data_module, "digit_grids", lambda *given: made.append(given))
    CaptionData(pictures="digits", train=4, held_out=3, path=Path("d")).load()
    assert made == [(4, (0, 1), "t"), (3, (0, 2), "v"), (3, (0, 3), "e")]


def test_words_of_photos_are_those_that_occur_often():
    photos = CaptionData(pictures="photos", captions=Path("c"), least=2, most=1)
    texts = ["a b", "a b", "a c"]
    assert photos.vocabulary(texts).words == ("a",)
    assert CaptionData().vocabulary(texts).words == ("a", "b", "c")
    assert CaptionData(pictures="photos", captions=Path("c"), least=3).vocabulary(texts).words == (
        "a",
    )
    assert photos.generated is False
    assert CaptionData(pictures="digits").generated
    kept = Kept(WORDS, (3, 5), {"layer": "l"})
    assert Kept.from_json(kept.to_json()) == kept
    assert kept.to_json()["side"] == [3, 5]


def photos(features=None):
    shape = (3, 4, 2) if features else (3, 4, 6, 3)
    images = np.arange(np.prod(shape)).reshape(shape).astype(np.float32 if features else np.uint8)
    told = (("a dog", "a cat runs"), ("a dog",), ("a cat", "runs"))
    return CaptionedPhotos(("x", "y", "z"), told, images, features)


def test_photos_are_numbered_with_all_their_captions():
    kept, captions, references = encode({"train": photos(), "test": photos()}, PHOTOS)
    assert (kept.side, kept.features) == ((4, 6), None)
    found = captions["test"]
    assert found.of.tolist() == [0, 0, 1, 2, 2]
    assert found.length.tolist() == [3, 4, 3, 3, 2]
    assert kept.words.text(found.words[1].tolist()) == "a cat runs"
    assert found.images.shape == (3, 3, 4, 6)
    assert int(found.images[1, 2, 3, 5]) == int(photos().images[1, 3, 5, 2])
    assert references["test"] == [["a dog", "a cat runs"], ["a dog"], ["a cat", "runs"]]
    torch.testing.assert_close(found.pictures, found.images / 255)
    some = found.take(torch.tensor([4, 3, 0]))
    assert some.words.shape == (3, 3)
    assert some.of.tolist() == [1, 1, 0]
    assert torch.equal(some.images, found.images[[0, 2]])
    features = {"network": "n", "grid": [2, 2], "dim": 2}
    kept, captions, _ = encode({"train": photos(features)}, PHOTOS)
    assert kept.features == features
    assert captions["train"].pictures is captions["train"].images
    assert captions["train"].images.shape == (3, 4, 2)
    stem = CaptionModel().stem(kept)
    assert (type(stem), stem.dim, stem.grid(9, 9)) == (Given, 2, (2, 2))


def test_captions_are_scored_without_marks_and_capitals():
    said = ["A dog, runs.", "a cat"]
    known = [["a dog runs", "the dog"], ["A cat sits!"], ["never read"]]
    mine = [["a", "dog", "runs"], ["a", "cat"]]
    right = [[["a", "dog", "runs"], ["the", "dog"]], [["a", "cat", "sits"]]]
    found = caption_scores(said, known, True)
    assert found["cider"] == (pytest.approx(sum(cider_d(mine, right))), 2)
    for order in range(1, 5):
        bleu = caption_bleu(mine, right, order)
        assert found[f"bleu_{order}"] == (pytest.approx(bleu.score), 1)
        assert found[f"bleu_{order}_unpunished"] == (pytest.approx(bleu.unpunished), 1)
    assert found["cider_shuffled"] == (pytest.approx(sum(cider_d([mine[1], mine[0]], right))), 2)
    assert found["cider_shuffled"].total < found["cider"].total
    assert caption_scores(said, known, False).keys() == {"cider", "bleu_4"}
    assert caption_scores(said, known, False)["bleu_4"] == found["bleu_4"]


# What a split is measured by


class Teller(nn.Module):
    """Says captions that were written down; a caption costs as much as its first word's number."""

    def __init__(self, *said):
        super().__init__()
        self.said, self.asked = said, []
        self.stem, self.teller = Given(2, (2, 2)), SimpleNamespace(reader=None)

    def forward(self, pictures, words, of, generator=None, samples=1):
        told = words > 0
        log_prob = -(words[:, :1] * told / told.sum(-1, keepdim=True)).float()
        gate = 0.5 * told
        weights = torch.zeros(*words.shape, 4)
        best = (words == A) | ~told
        return sat.Told(log_prob, sat.Seen(weights, gate), told, best)

    def caption(self, pictures, end, longest, width=1, divisor=None, generator=None):
        first = sum(asked[0] for asked in self.asked if asked[3] == width)
        self.asked.append((len(pictures), end, longest, width))
        words = torch.zeros(len(pictures), 2, longest, dtype=torch.long)
        lengths = torch.zeros(len(pictures), 2, dtype=torch.long)
        for row in range(len(pictures)):
            told = self.said[(first + row) % len(self.said)]
            words[row, 0, : len(told)] = torch.tensor(told)
            lengths[row, 0] = len(told)
        return SimpleNamespace(words=words, lengths=lengths)


SAID = ([A, DOG, RUNS, END], [A, CAT, END], [DOG, END], [A, A, A, A])
RIGHT = [["a dog runs"], ["a dog", "a cat"], ["a dog"], ["a a a", "a a a a"]]


def numbered(objects=()):
    words = torch.tensor([
        [A, DOG, RUNS, END], [DOG, END, 0, 0], [A, CAT, END, 0], [CAT, DOG, END, 0]
    ])  # fmt: skip
    images = torch.arange(4 * 4 * 2.0).view(4, 4, 2)
    return NumberedCaptions(images, words, (words > 0).sum(-1), torch.arange(4), objects)


def asked_of(split="test"):
    return CaptionTask({split: numbered()}, 2, WORDS, {split: list(RIGHT)}, LEARNING)


@pytest.mark.parametrize("most", [200, 3, 1])
def test_captions_are_counted_by_hand(most, monkeypatch):
    monkeypatch.setattr(task, "EVALUATION_BATCH", most)
    monkeypatch.setattr(task, "Captioner", Teller)
    model, measured = Teller(*SAID), asked_of()
    found = measured.evaluate(model, "test")
    assert found["loss"] == (pytest.approx(A + DOG + A + CAT), 4)
    assert found["tokens"] == (2, 4 + 2 + 3 + 3)
    assert found["gate"] == (6, 12)
    assert found["exact"] == found["exact_beam"] == (3, 4)
    assert found["bleu_2"].weight == 1
    assert "pointing" not in found
    assert "deleted" not in found
    assert {asked[1:] for asked in model.asked} == {(END, 8, 1), (END, 8, 5)}
    assert sum(asked[0] for asked in model.asked) == 8
    assert measured.evaluate(model, "valid") == {}
    valid = asked_of("valid").evaluate(Teller(*SAID), "valid")
    assert valid.keys() == {"loss", "tokens", "gate", "exact"}
    several = asked_of("valid")
    several.references["valid"][0] = ["a dog runs", "a"]
    assert several.evaluate(Teller(*SAID), "valid").keys() == valid.keys() | {"cider", "bleu_4"}


def test_of_training_captions_the_first_are_measured(monkeypatch):
    monkeypatch.setattr(task, "LOOKED_AT", 2)
    monkeypatch.setattr(task, "Captioner", Teller)
    model = Teller(*SAID)
    found = asked_of("train").evaluate(model, "train")
    assert found["loss"] == (pytest.approx(A + DOG), 2)
    assert found["exact"] == (2, 2)
    assert model.asked == [(2, END, 8, 1)]


def test_hard_attention_is_asked_in_each_way_by_its_name_and_left_as_it_was(monkeypatch):
    measured = asked_of()
    reader = sat.Drawn(sat.ScoreAsRun(2, 2), test=Softmax())
    usual, model = reader.test, SimpleNamespace(teller=SimpleNamespace(reader=reader))
    ways = {"Argmax": 1, "Softmax": 2, "Sampled": 3}
    right = [one[-1] for one in RIGHT]
    monkeypatch.setattr(
        measured, "said",
        lambda model, split: right[: ways[type(reader.test).__name__]] + ["x"] * 4,
    )  # fmt: skip
    monkeypatch.setattr(task, "gradient_scatter", lambda model, few: {"of": len(few.words)})
    monkeypatch.setattr(measured, "_exact", lambda said, split: sum(one in right for one in said))
    found = measured._drawn(model, "test", numbered())
    assert found == {"exact_argmax": 1, "exact_expectation": 2, "exact_sample": 3, "of": 4}
    assert reader.test is usual


def test_what_words_point_at_is_told_by_its_name():
    seen, others = Pointing(8, 1.0, 2.0, 3.0, 4.0), Pointing(8, 5.0, 6.0, 7.0, 8.0)
    assert task._pointing(seen, others) == {
        "pointing": (1, 8), "other_object": (2, 8), "mass": (3, 8), "chance": (4, 8),
        "shuffled": (5, 8),
    }  # fmt: skip


def test_what_a_word_loses_without_a_place_is_worked_out_one_by_one():
    torch.manual_seed(4)
    teller = sat.show_attend_tell(len(WORDS), 2, 3, 4).eval()
    with torch.no_grad():
        for weight in teller.parameters():
            weight.normal_(std=0.9)
    model = sat.Captioner(Given(2, (2, 2)), teller)
    owners = torch.tensor([[-1, 0, 1, -1], [0, -1, -1, -1], [-1, -1, -1, -1], [1, 0, -1, -1]])
    some = numbered(Objects(torch.zeros(4, 2, 2), torch.ones(4, 2), owners))
    some = some._replace(images=torch.randn(4, 4, 2), of=torch.tensor([0, 2, 2, 1]))
    found, sums, dice = deletion(model, some), {"deleted": 0.0, "deleted_random": 0.0}, seeded(1)
    with torch.no_grad():
        for word in range(3):
            rows = [row for row in range(4) if owners[row, word] >= 0]
            anywhere = torch.randint(4, (len(rows),), generator=dice).tolist()
            for row, random in zip(rows, anywhere, strict=True):
                places, words = some.images[some.of[row]][None], some.words[row][None]
                told = teller(places, words)
                looked = int(told.seen.weights[0, word].argmax())
                for name, place in (("deleted", looked), ("deleted_random", random)):
                    without = places.clone()
                    without[0, place] = 0.0
                    less = teller(without, words).log_prob[0, word]
                    sums[name] += float(told.log_prob[0, word] - less)
    assert found == {name: (pytest.approx(total, abs=1e-5), 5) for name, total in sums.items()}
    assert sums["deleted"] != sums["deleted_random"]


def test_the_gradient_goes_through_what_is_minimised_and_no_figure():
    measured = CaptionTask({"train": numbered()}, 2, WORDS, {}, LEARNING | {"samples": 2})
    model = sat.Captioner(Given(2, (2, 2)), sat.show_attend_tell(len(WORDS), 2, 3, 4))
    batch = measured.collate("train", (torch.tensor([2, 3]),))
    step = measured.loss(model, batch, Baseline.start(), seeded(0))
    expected = model.teller.loss(batch.images, batch.words).sum()
    torch.testing.assert_close(step.loss_sum, expected)
    assert step.weight == 2
    assert step.loss_sum.requires_grad
    assert not step.sums["cross_entropy"].requires_grad
    assert not step.state.mean.requires_grad
    torch.testing.assert_close(step.sums["cross_entropy"], expected.detach())
    told = model(batch.pictures, batch.words, batch.of, None, 2)
    weights = measured.reward, measured.entropy = 0.5, 0.25
    assert torch.equal(
        measured.objective(told, Baseline.start()), told.objective(Baseline.start(), *weights)
    )


# Answers


def hypotheses(*rows, ended=True):
    """Return what was found of one picture: words of each hypothesis, and its probability."""
    most = max(len(words) for words, _ in rows)
    words = torch.zeros(1, len(rows), most, dtype=torch.long)
    for n, (said, _) in enumerate(rows):
        words[0, n, : len(said)] = torch.tensor(said)
    log_prob = torch.tensor([[share for _, share in rows]]).log()
    weights = torch.arange(most * 6.0).view(most, 6).expand(1, len(rows), -1, -1) / 100
    gate = (torch.arange(most) / 10).expand(1, len(rows), -1)
    lengths = torch.tensor([[len(said) for said, _ in rows]])
    over = torch.full_like(lengths, ended).bool()
    return Hypotheses(words, lengths, log_prob, log_prob, over, sat.Seen(weights, gate))


def test_a_caption_is_told_with_where_each_word_looked():
    kept = Kept(WORDS, (20, 30))
    image = np.zeros((20, 30, 3), np.uint8)
    found = hypotheses(
        ([A, UNKNOWN, CAT, END], 0.5), ([A, CAT, END], 0.25), ([END], 0.125), ([], 0.1)
    )
    circles = {0: (1.0, 2.0, 3.0), 2: (4.0, 5.0, 6.0), 9: (7.0, 8.0, 9.0)}
    answer = inference._answer(kept, found, image, "n", (2, 3), "a dog cat", circles)
    assert (answer.question, answer.text, answer.gold) == ("n", "a <unk> cat", "a dog cat")
    assert answer.probability == pytest.approx(0.5)
    assert list(answer.runners_up) == [("a cat", pytest.approx(0.25)), ("", pytest.approx(0.125))]
    assert (answer.unit, answer.caution) == ("word", "")
    assert [step.name for step in answer.steps] == ["a", "<unk>", "cat"]
    third = answer.steps[2].supports
    assert [one.slot for one in third] == list(range(6))
    assert [one.text for one in third] == [
        f"row {row}, column {column}" for row in (1, 2) for column in (1, 2, 3)
    ]
    assert [one.weight for one in third] == pytest.approx([0.12, 0.13, 0.14, 0.15, 0.16, 0.17])
    regions = answer.regions
    assert regions.image is image
    assert list(regions.names) == ["a", "<unk>", "cat"]
    assert regions.weights.shape == (3, 2, 3)
    assert regions.weights[1].flatten().tolist() == pytest.approx(
        [0.06 + n / 100 for n in range(6)]
    )
    assert regions.gates.tolist() == pytest.approx([0, 0.1, 0.2])
    assert list(regions.circles) == [(1.0, 2.0, 3.0), None, (4.0, 5.0, 6.0)]
    cut = hypotheses(([A, CAT], 0.5), ended=False)
    told = inference._answer(kept, cut, image, "n", (2, 3), None, {})
    assert (told.caution, told.gold, told.regions.circles) == ("cut off after 2 words", None, ())
    features = Kept(WORDS, (20, 30), {"layer": "l"})
    assert inference._answer(features, cut, image, "n", (2, 3), None, {}).regions is None
    blind = cut._replace(evidence=cut.evidence._replace(weights=cut.evidence.weights * 0))
    assert inference._answer(kept, blind, image, "n", (2, 3), None, {}).regions is None
    silent = inference._answer(kept, hypotheses(([], 1.0)), image, "n", (2, 3), None, {})
    assert (silent.text, silent.probability, silent.steps) == ("", 1.0, ())


class Told:
    """Keeps what it is asked, and finds the same for every picture."""

    def __init__(self):
        self.stem, self.asked, self.weight = Given(2, (2, 3)), [], nn.Parameter(torch.zeros(1))

    def parameters(self):
        return iter([self.weight])

    def caption(self, images, end, longest, width, divisor, generator):
        self.asked.append((images, end, longest, width, divisor, generator))
        one = hypotheses(([A, CAT, END], 0.5))
        return one.index_select(torch.zeros(len(images), dtype=torch.long))


def test_pictures_are_told_of_together_with_their_names_golds_and_objects(monkeypatch):
    monkeypatch.setattr(inference, "TOGETHER", 2)
    kept, model = Kept(WORDS, (8, 8)), Told()
    pictures = [np.full((8, 8, 3), n, np.uint8) for n in range(3)]
    found = inference.caption(model, kept, pictures, 4)
    assert [one.question for one in found] == ["picture 1", "picture 2", "picture 3"]
    assert [int(one.regions.image[0, 0, 0]) for one in found] == [0, 1, 2]
    assert [len(asked[0]) for asked in model.asked] == [2, 1]
    images, end, longest, width, divisor, dice = model.asked[0]
    assert images.shape == (2, 3, 8, 8)
    torch.testing.assert_close(images[1], torch.full((3, 8, 8), 1 / 255))
    assert (end, longest, width, dice.initial_seed()) == (END, 50, 4, seeded(0).initial_seed())
    assert divisor(torch.tensor([4.0])).tolist() == by_length(1.0)(torch.tensor([4.0])).tolist()
    assert found[0].gold is None
    assert found[0].regions.circles == ()
    scenes = Scenes(
        np.stack(pictures), (("a", "cat"), ("a", "dog"), ("cat", "cat")),
        ((-1, 1), (0, -1), (1, 0)),
        np.arange(12.0).reshape(3, 2, 2), np.arange(6.0).reshape(3, 2),
    )  # fmt: skip
    model = Told()
    found = list(inference.examples(model, kept, scenes, "test"))
    assert [one.question for one in found] == [f"picture {n} of test" for n in (1, 2, 3)]
    assert [one.gold for one in found] == ["a cat", "a dog", "cat cat"]
    assert [asked[3] for asked in model.asked] == [1, 1]
    assert [list(one.regions.circles) for one in found] == [
        [None, (2.0, 3.0, 1.0)], [(4.0, 5.0, 2.0), None], [None, (8.0, 9.0, 4.0)],
    ]  # fmt: skip
    assert int(found[2].regions.image[0, 0, 0]) == 2
    told = CaptionedPhotos(("x",), (("a dog", "a cat"),), np.stack(pictures[:1]))
    (photo,) = inference.examples(Told(), kept, told, "valid")
    assert (photo.question, photo.gold) == ("picture 1 of valid", "a dog")
    assert inference._name(Path("b/c.png"), 3) == "c.png"
    wide = np.zeros((10, 30, 3), np.uint8)
    wide[:, 10:20] = 9
    assert (inference._fitted(wide, (10, 10))[:, 1:-1] == 9).all()


def test_examples_are_of_the_split_that_is_named(monkeypatch):
    answerer = CaptionAnswerer.__new__(CaptionAnswerer)
    answerer.__dict__ |= {"model": "m", "vocabulary": "v", "splits": {"valid": 1, "test": 2}}
    monkeypatch.setattr(inference, "examples", lambda *given: iter(given))
    assert list(answerer.examples("test", 0)) == ["m", "v", 2, "test"]
    assert list(answerer.examples("valid", 0)) == ["m", "v", 1, "valid"]
    monkeypatch.setattr(inference, "caption", lambda *given: [given])
    assert answerer.caption(["p", "q"]) == [("m", "v", ["p", "q"], 5)]
    assert answerer.caption(["p"], 3)[0][3] == 3


def test_recipes_are_of_the_pictures_and_the_attention_of_their_names():
    found = {
        name.partition("/")[2]: (run.data.pictures, run.model.attention, run.training.reward)
        for name, made in recipes.RECIPES.items()
        for run in [made()]
    }
    assert found == {
        "shape-scenes": ("shape-scenes", "soft", 1.0),
        "shape-scenes-hard": ("shape-scenes", "hard", 0.1),
        "digits": ("digits", "soft", 1.0),
        "flickr8k": ("flickr8k", "soft", 1.0),
    }
