"""Captions as a run, as commands and as a table, on generated pictures and small files."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

import memnets
from memnets.attention import Argmax, Softmax
from memnets.cli.main import main
from memnets.data.pairs import END, Words
from memnets.data.pictures import digit_grids, shape_scenes
from memnets.data.pictures.features import write_features
from memnets.experiments.run import to_json
from memnets.inference import load_run
from memnets.models import show_attend_tell as sat
from memnets.studies import table
from memnets.studies.captions import controls
from memnets.studies.captions import data as data_module
from memnets.studies.captions.controls import deletion, turned
from memnets.studies.captions.data import CaptionData, Kept, digest
from memnets.studies.captions.encoding import encode, of_scenes
from memnets.studies.captions.recipes import (
    CaptionModel,
    Captions,
    CaptionTraining,
    shape_scenes_hard,
)
from memnets.studies.captions.task import CaptionTask
from memnets.training.schedules import seeded

pytest.importorskip("sacrebleu")
image = pytest.importorskip("PIL.Image")
pytestmark = pytest.mark.usefixtures("shapes_unchecked")

LEARNING = {"penalty": 0.0, "entropy": 0.0, "reward": 1.0, "samples": 1}
TINY = {
    **{"model.channels": (3, 3, 4), "model.dim": 4, "model.hidden": 5, "model.score": 3},
    **{"data.train": 12, "data.held_out": 6, "training.epochs": 1, "training.batch": 12},
}


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "soft"
    return memnets.train("captions/shape-scenes", TINY, out=folder, show=False)


def tiny(scenes, **changed):
    """Return a small model for scenes, and what is kept beside it."""
    kept, captions, references = encode({"train": scenes, "test": scenes}, CaptionData())
    model = replace(CaptionModel(channels=(3, 3, 4), dim=4, hidden=5, score=3), **changed)
    built = model.build(kept)
    built.reset_parameters(seeded(0))
    learning = LEARNING | {"entropy": 0.1}
    return built, CaptionTask(captions, 4, kept.words, references, learning, side=kept.side)


def test_pictures_are_numbered_with_their_objects():
    """List 16: an end behind each caption, owners beside the words, pictures taken once."""
    scenes = shape_scenes(5, 1)
    words = Words.of(scenes.texts, least=1)
    numbered = of_scenes(scenes, words)
    for row, text in enumerate(scenes.texts):
        length = int(numbered.length[row])
        assert words.text(numbered.words[row, :length].tolist()) == text
        assert numbered.words[row, length - 1] == END
        owners = numbered.objects.owners[row].tolist()
        assert owners[: length - 1] == list(scenes.owners[row])
        assert set(owners[length - 1 :]) == {-1}
    pictures = numbered.images * 255 if numbered.images.is_floating_point() else numbered.images
    assert np.array_equal(pictures.permute(0, 2, 3, 1).numpy(), scenes.images)
    assert numbered.pictures.max() <= 1
    several = numbered._replace(of=torch.tensor([3, 1, 3, 1, 0]), objects=())
    some = several.take(torch.tensor([0, 2, 1]))
    assert len(some.images) == 2
    assert torch.equal(some.images[some.of], numbered.images[[3, 3, 1]])


def test_batches_hold_one_length():
    """List 16: nothing is padded, and every caption comes once an epoch."""
    _, task = tiny(shape_scenes(40, 2))
    stream = task.batches("train", seeded(3), 0)
    batches = [next(stream)[0] for _ in range(task.updates_per_epoch)]
    assert torch.cat(batches).sort().values.tolist() == list(range(40))
    lengths = task.captions["train"].length
    assert all(len(lengths[rows].unique()) == 1 for rows in batches)
    assert sorted(map(len, batches), reverse=True)[0] == 4
    later = task.batches("train", seeded(3), 5)
    assert torch.equal(next(later)[0], batches[5])
    batch = task.collate("train", (batches[0],))
    assert (batch.words > 0).all()


def test_what_is_minimised_holds_the_penalty():
    """List 16: a caption's negative log-likelihood, and the penalty in the paper's scaling."""
    model, task = tiny(shape_scenes(6, 2))
    batch = task.captions["train"].take(torch.tensor([0]))
    plain = task.loss(model, batch, task.start("train", batch), seeded(0))
    told = model(batch.pictures, batch.words)
    assert plain.loss_sum.item() == pytest.approx(-told.log_prob.sum().item(), rel=1e-5)
    assert plain.weight == 1
    assert plain.sums["cross_entropy"].item() == pytest.approx(plain.loss_sum.item(), rel=1e-5)
    assert plain.state.mean.item() == pytest.approx(-0.1 * plain.loss_sum.item(), rel=1e-5)
    task.penalty = 0.5
    more = task.loss(model, batch, plain.state, seeded(0))
    expected = plain.loss_sum + 0.5 * told.unevenness.sum()
    assert more.loss_sum.item() == pytest.approx(expected.item(), rel=1e-5)


def test_draws_are_averaged():
    """List 16: M draws of a caption weigh as one; the authors' baseline is of a word."""
    model, task = tiny(shape_scenes(6, 2), attention="hard")
    model.train()
    batch = task.captions["train"].take(torch.tensor([0, 1]))
    task.samples = 3
    step = task.loss(model, batch, task.start("train", batch), seeded(0))
    told = model(batch.pictures, batch.words, batch.of, seeded(0), 3)
    gained = told.objective(task.start("train", batch), 1.0, 0.1)
    assert step.loss_sum.item() == pytest.approx(-gained.sum().item() / 3, rel=1e-5)
    assert step.state.mean.item() == pytest.approx(
        0.1 * told.log_prob.sum(-1).mean().item(), rel=1e-5
    )
    task.as_run = True
    step = task.loss(model, batch, task.start("train", batch), seeded(0))
    word = (told.log_prob.sum(-1) / told.told.sum(-1)).mean().item()
    assert step.state.mean.item() == pytest.approx(0.1 * word, rel=1e-5)


def test_what_is_measured_of_an_oracle():
    """List 16: pointing and mass are 1, another picture's weights are not."""
    scenes = shape_scenes(30, 2)
    model, task = tiny(scenes)
    captions = task.captions["test"]
    from memnets.tasks.pointing import on_objects

    there = on_objects(captions.objects, model.stem.grid(56, 56), (56, 56)).double()
    owners = captions.objects.owners
    weights = torch.zeros(30, owners.shape[1], there.shape[-1], dtype=torch.float64)
    rows, words = (owners >= 0).nonzero(as_tuple=True)
    weights[rows, words] = there[rows, owners[rows, words]]
    weights = (weights / weights.sum(-1, keepdim=True).clamp(min=1)).float()
    real = model.teller.forward

    def oracle(places, target, generator=None, samples=1):
        told = real(places, target, generator, samples)
        return told._replace(seen=told.seen._replace(weights=weights[:, : target.shape[1]]))

    model.teller.forward = oracle
    with torch.no_grad():
        found = task._given(model, captions)
    assert found["pointing"].mean == found["mass"].mean == 1.0
    assert found["other_object"].mean == 0.0
    assert 0 < found["shuffled"].mean < 0.6
    assert 0 < found["chance"].mean < 0.2
    assert torch.equal(turned(weights)[1], weights[0])
    assert found["tokens"].mean < 1.0
    assert found["loss"].weight == 30


def test_captions_said_are_compared_whole(monkeypatch):
    """List 16: exact ones, BLEU and CIDEr of those said without help."""
    model, task = tiny(shape_scenes(4, 2))
    right = [texts[0] for texts in task.references["test"]]
    wrong = ["a red circle"]
    monkeypatch.setattr(task, "said", lambda model, split, beam=1: right[:3] + wrong)
    found = task._free(model, "test", True)
    assert found["exact"].mean == found["exact_beam"].mean == 0.75
    assert found["bleu_1"].mean < found["bleu_1_unpunished"].mean <= 100
    assert found["cider"].mean > 1
    assert task._free(model, "train", False).keys() == {"exact"}


def test_places_are_deleted():
    """List 16: the place that was looked at most matters, in a model made to look at one."""
    scenes = shape_scenes(10, 2)
    model, task = tiny(scenes)
    with torch.no_grad():
        for part in model.parameters():
            part.normal_(std=0.7, generator=seeded(1))
    found = deletion(model, task.captions["test"])
    assert found["deleted"].weight == found["deleted_random"].weight == 40
    assert abs(found["deleted"].mean) > abs(found["deleted_random"].mean)
    nobody = task.captions["test"]._replace(objects=())
    assert deletion(model, nobody) == {}
    control, _ = tiny(scenes, attention="none")
    assert deletion(control, task.captions["test"]) == {}


def test_hard_attention_is_measured_in_three_ways(monkeypatch):
    """List 16: and its gradients scatter less with a baseline, and with more draws."""
    monkeypatch.setattr(controls, "DRAWS", 6)
    model, task = tiny(shape_scenes(6, 2), attention="hard")
    found = task.evaluate(model.eval(), "test")
    assert {"exact_argmax", "exact_expectation", "exact_sample"} <= found.keys()
    assert found["scatter_without_baseline"].mean > 2
    assert found["scatter_4_draws"].mean < 0.6
    reader = model.teller.reader
    assert type(reader.test) is Argmax
    assert reader.coin is not None
    assert not model.training


def test_settings_that_would_be_ignored_are_refused():
    """List 16: with how to mend them."""
    with pytest.raises(ValueError, match=r"where nothing is drawn: model.test and"):
        CaptionModel(test="sample")
    with pytest.raises(ValueError, match=r"training.reward, entropy and samples would be ignored"):
        Captions(training=CaptionTraining(samples=2))
    with pytest.raises(ValueError, match=r"training.penalty is 1, and model.attention is \"hard\""):
        replace(shape_scenes_hard(), training=CaptionTraining(penalty=1.0))
    with pytest.raises(ValueError, match=r"model.channels is \(\): expected widths"):
        CaptionModel(channels=())
    with pytest.raises(ValueError, match=r"data.splits is x, and data.pictures"):
        CaptionData(splits=Path("x"))
    with pytest.raises(ValueError, match=r'is "photos", and data.captions names no file'):
        CaptionData(pictures="photos")
    with pytest.raises(ValueError, match=r"data.unseen_pairs is 2, and data.pictures is .digits"):
        CaptionData(pictures="digits", unseen_pairs=2)


@pytest.mark.parametrize(
    ("changed", "gate", "output", "score"),
    [
        ({}, sat.ContextGate, sat.DeepOutput, "Additive"),
        ({"variant": "ungated"}, sat.NoGate, sat.DeepOutput, "Additive"),
        ({"variant": "as-run"}, sat.ContextGate, sat.OutputAsRun, "ScoreAsRun"),
    ],
)
def test_variants_are_built_of_their_parts(changed, gate, output, score):
    """List 16: soft, and hard with the test of one's choice."""
    kept = Kept(Words.of(["a b"], least=1), (16, 16))
    soft = CaptionModel(**changed).build(kept).teller
    assert (type(soft.gate), type(soft.features)) == (gate, output)
    assert type(soft.reader.attention.score).__name__ == score
    hard = CaptionModel(**changed, attention="hard", test="expectation").build(kept).teller
    assert type(hard.reader.test) is Softmax
    assert len(hard.begin.shared) == ("as-run" in changed.values())


def test_generated_splits_differ(monkeypatch):
    """List 16: other seeds, other digits, other pairs."""
    splits = CaptionData(train=5, held_out=5).load()
    assert len({part.sha256 for part in splits.values()}) == 3
    assert digest(splits) == digest(CaptionData(train=5, held_out=5).load())
    unseen = CaptionData(train=30, held_out=10, unseen_pairs=2).load()
    pairs = {part: {w[1:3] for w in s.captions} for part, s in unseen.items()}
    assert not pairs["train"] & pairs["test"]
    digits = np.eye(8, dtype=int)[None].repeat(50, 0) * 16, np.arange(50) % 10
    monkeypatch.setattr(data_module, "load_digits", lambda path: digits)
    grids = CaptionData(pictures="digits", train=4, held_out=3).load()
    assert [len(part) for part in grids.values()] == [4, 3, 3]
    assert digit_grids(2, 0, digits).images.shape == (2, 64, 64, 3)


def test_a_run_tells_of_pictures(run, tmp_path, capsys):
    """List 16: from Python and as a command, with a page and a drawing."""
    assert load_run(run.folder.path).folder.path == run.folder.path
    image.fromarray(shape_scenes(1, 5).images[0]).resize((80, 70)).save(tmp_path / "one.png")
    answer = run.ask(str(tmp_path / "one.png"))
    assert answer.question == "one.png"
    assert len(answer.steps) == len(answer.regions.names)
    assert answer.regions.image.shape == (56, 56, 3)
    assert answer.regions.weights.shape[1:] == (7, 7)
    record = json.loads(json.dumps(answer.to_json()))
    assert record["regions"]["names"] == list(answer.regions.names)
    array = shape_scenes(1, 5).images[0]
    assert run.caption([array], beam=1)[0].question == "picture 1"
    told = ["caption", str(run.folder.path), str(tmp_path / "one.png"), "--out", str(tmp_path)]
    assert main(told) == 0
    said = capsys.readouterr()
    assert said.out.strip() == answer.text
    page = (tmp_path / "one.html").read_text()
    assert "data:image/png;base64," in page
    assert (tmp_path / "one.png").stat().st_size > 5000  # the drawing stands in its place
    example = next(run.examples("test", 0))
    assert example.gold
    assert example.regions.image.shape == (56, 56, 3)
    run.check_data()


def test_what_cannot_be_told_of_is_refused(run, tmp_path, capsys):
    """List 16: in one sentence, without a traceback."""
    folder = str(run.folder.path)
    image.new("L", (1, 1)).save(tmp_path / "dot.png")
    for words, said in (
        ([str(tmp_path / "dot.png")], "dot.png: the picture has 1 x 1 pixels; expected 8"),
        ([str(tmp_path / "none.png")], "none.png"),
        (["a/x.png", "b/x.jpg", "--out", "o"], "two pictures are called x"),
        (["x.png", "--beam", "0"], "--beam 0: expected at least 1 hypothesis a caption"),
    ):
        assert main(["caption", folder, *words]) == 2
        assert said in capsys.readouterr().err


def test_features_take_the_place_of_pictures(tmp_path):
    """List 17: a run on them is told which they are, and asks for no picture."""
    names = [f"{n}.png" for n in range(10)]
    lines = "".join(f"{name},a dog\n{name},a cat runs\n" for name in names)
    (tmp_path / "c.csv").write_text(f"image,caption\n{lines}")
    values = {name: np.random.default_rng(n).random((4, 5)) for n, name in enumerate(names)}
    made = {"network": "vgg19", "layer": "conv5_4", "side": 224, "grid": (2, 2)}
    path = write_features(tmp_path / "f.safetensors", values, **made)
    sizes = {"model.dim": 4, "model.hidden": 5, "model.score": 3, "training.epochs": 1}
    told = {"data.pictures": "photos", "data.captions": tmp_path / "c.csv", "data.least": 1}
    trained = memnets.train(
        "captions/shape-scenes", sizes | told | {"data.features": path},
        out=tmp_path / "run", show=False,
    )  # fmt: skip
    assert trained.metrics["test"]["bleu_4"] >= 0
    assert trained.vocabulary.features["layer"] == "conv5_4"
    assert next(trained.examples("test", 0)).regions is None
    with pytest.raises(ValueError, match="reads features of vgg19, layer conv5_4"):
        trained.caption([np.zeros((20, 20, 3), np.uint8)])


def test_the_table_is_planned():
    """List 16: three seeds of what is compared; controls beside."""
    planned = table("captions")
    rows = {entry.row: entry for entry in planned.entries}
    assert {"soft", "hard", "no attention", "soft, penalty", "digits, soft"} <= rows.keys()
    assert rows["soft"].seeds == rows["hard"].seeds == 3
    figures = {figure.row for entry in planned.entries for figure in entry.figures}
    assert {"soft, pointing", "soft, shuffled", "hard, exact_sample"} <= figures
    assert "no attention, pointing" not in figures
    assert {name for pair in planned.contrasts for name in pair} <= figures
    assert json.dumps(to_json(rows["hard"].run))
