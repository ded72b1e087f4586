"""Questions about pictures as a run, as a command and as tables, on few generated pictures."""

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file
from torch.nn import BatchNorm2d

import memnets
from memnets.cli.main import main
from memnets.data.pictures.asked import AskedPictures, question_only
from memnets.data.pictures.questions import HELD_OUT
from memnets.data.pictures.sort_of_clevr import sort_of_clevr
from memnets.evidence import Regions
from memnets.experiments.execute import resume
from memnets.inference import load_run
from memnets.layers import snake
from memnets.layers.sentences import OwnLengthPositionEncoding, RecurrentReader
from memnets.layers.stems import Given
from memnets.memories import AttentionGRU, MeanOfSlots, SoftSum
from memnets.report import gallery
from memnets.studies import table
from memnets.studies.visual_questions.data import Kept, VisualData, digest
from memnets.studies.visual_questions.encoding import UNANSWERABLE, encode
from memnets.studies.visual_questions.recipes import VisualModel, VisualQuestions, VisualTraining
from memnets.studies.visual_questions.task import VisualTask
from memnets.training.schedules import seeded

image = pytest.importorskip("PIL.Image")
pytestmark = pytest.mark.usefixtures("shapes_unchecked")

TINY = {
    **{"model.channels": (3, 3, 4), "model.hidden": 5, "model.hops": 2, "data.train": 6},
    **{"data.held_out": 2, "training.epochs": 1, "training.batch": 3},
}


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "clevr"
    return memnets.train("dmn-plus/sort-of-clevr", TINY, out=folder, show=False)


def tiny(part, **changed):
    """Return a small model for the questions of a split, and the task."""
    kept, questions, kinds, groups = encode({"train": part, "test": part}, VisualData())
    built = replace(VisualModel(channels=(3, 3, 4), hidden=5, hops=2), **changed).build(kept)
    built.reset_parameters(seeded(0))
    return built.eval(), VisualTask(questions, 2, kinds, groups, kept.side)


def test_questions_of_a_picture_come_with_it():
    """The words, the right answers, the objects, of pictures in any order."""
    part = sort_of_clevr(4, 1)
    _, task = tiny(part)
    kept = encode({"train": part}, VisualData()).kept
    batch = task.collate("test", (torch.tensor([2, 0]),))
    assert len(batch.images) == 2
    assert batch.images.dtype == torch.uint8
    assert batch.of.tolist() == [0] * 20 + [1] * 20
    assert batch.first.tolist() == [0, 20, 40]
    rows = [*range(40, 60), *range(20)]
    for n, row in enumerate(rows):
        assert kept.words.text(batch.question[n].tolist()) == part.questions[row]
        assert kept.answers[batch.answer[n]] == part.answers[row]
        assert task.kinds[batch.kind[n]] == part.kinds[row]
    floor = question_only(part, part.questions)
    assert batch.floor.tolist() == [floor[row] == part.answers[row] for row in rows]
    assert batch.named.tolist() == part.objects.named[rows].tolist()
    assert batch.meant.tolist() == part.objects.meant[rows].tolist()
    assert torch.equal(batch.pictures[1].mul(255).byte().permute(1, 2, 0), torch.tensor(
        part.images[0]
    ))  # fmt: skip
    again = batch.about(torch.tensor([1]))
    assert torch.equal(again.answer, batch.answer[20:])


def test_questions_that_stand_apart_are_put_together():
    """Pictures without a question, questions of unequal numbers, answers that are not known."""
    part = AskedPictures(
        np.zeros((3, 8, 8, 3), np.uint8),
        np.array([2, 0, 2]),
        ("what is it?", "is it red?", "why?"),
        ("a cat", "yes", "rare"),
        ("open", "yes_no", "open"),
        {"open": ("open", "colour"), "never": ("shape",)},
    )
    kept, questions, kinds, groups = encode({"train": part}, VisualData(answers=2))
    assert kept.answers == ("a cat", "rare")
    numbered = questions["train"]
    assert numbered.of.tolist() == [0, 2, 2]
    assert numbered.first.tolist() == [0, 1, 1, 3]
    assert numbered.answer.tolist() == [UNANSWERABLE, 0, 1]
    batch = numbered.about(torch.tensor([1, 2]))
    assert batch.of.tolist() == [1, 1]
    assert (kinds, groups) == (("open", "yes_no"), {"open": (0,)})
    assert len(numbered.about(torch.tensor([1])).answer) == 0
    assert [numbered.about(torch.tensor([n])).question.shape[1] for n in (0, 2)] == [4, 4]


def test_questions_of_a_picture_keep_their_order_and_their_words():
    """A hundred questions of two pictures in turn, each longer than the one before."""
    texts = tuple(" ".join(["w"] * (1 + n)) for n in range(100))
    of = np.arange(100) % 2
    part = AskedPictures(
        np.zeros((2, 8, 8, 3), np.uint8), of, texts, ("yes",) * 100, ("open",) * 100, {}
    )
    _, questions, _, _ = encode({"train": part}, VisualData())
    batch = questions["train"].about(torch.tensor([1, 0]))
    lengths = [*range(2, 101, 2), *range(1, 101, 2)]  # those of the second picture first
    assert (batch.question != 0).sum(1).tolist() == lengths
    assert batch.question.shape[1] == 100
    assert batch.of.tolist() == [0] * 50 + [1] * 50
    assert batch.first.tolist() == [0, 50, 100]
    few = questions["train"]._replace(question=questions["train"].question[:, :3])
    few = few._replace(first=torch.tensor([0, 2, 100]))
    read = few.about(torch.tensor([0])).question != 0
    assert read.tolist() == [[True, False, False], [True, True, True]]
    few = few._replace(question=few.question * torch.tensor([1, 1, 0]))
    assert few.about(torch.tensor([0])).question.shape == (2, 2)  # no column of nothing


def test_questions_of_some_kinds_stand_with_all_pictures():
    """Their words, answers and objects, in their order; a picture may have none."""
    part = sort_of_clevr(5, 3)
    questions, kinds = encode({"train": part}, VisualData())[1:3]
    whole, left = questions["train"], kinds.index("left")
    few = whole.of_kinds((left,))
    rows = [n for n in range(100) if whole.kind[n] == left and whole.of[n] != 2]
    assert rows
    one = whole._replace(kind=torch.where(whole.of == 2, 1 - left, whole.kind)).of_kinds((left,))
    for found in (few.about(torch.tensor([0, 1, 3, 4])), one.about(torch.arange(5))):
        assert torch.equal(found.question, whole.question[rows][:, : found.question.shape[1]])
        assert (found.kind == left).all()
        for name in ("answer", "floor", "named", "meant"):
            assert torch.equal(getattr(found, name), getattr(whole, name)[rows]), name
    assert one.about(torch.tensor([2])).answer.tolist() == []
    assert one.of.tolist() == whole.of[rows].tolist()
    assert len(few.images) == len(few.first) - 1 == 5


def test_one_group_is_asked_alone_at_first(tmp_path, monkeypatch):
    """For so many epochs, at an even rate; then all, at a falling one; an interrupted run goes on
    to the same weights, running means included."""
    options = TINY | {"training.first_epochs": 2, "training.epochs": 2}
    run = memnets.train("dmn-plus/sort-of-clevr", options, out=tmp_path / "whole", show=False)
    experiment = run.run.prepare().experiment
    one, whole = experiment.phases
    assert (one.name, one.stream, one.updates) == ("non_relational", "first", 4)
    assert (whole.name, whole.stream, whole.updates) == ("questions", "train", 4)
    assert [one.learning_rate(n) for n in (0, 3)] == [0.001, 0.001]
    assert whole.learning_rate(2) == pytest.approx(0.0005)
    task = experiment.task
    kinds = {task.kinds[k] for k in task.questions["first"].kind.tolist()}
    assert kinds == {"shape", "left", "top"}
    assert {task.kinds[k] for k in task.questions["train"].kind.tolist()} == set(task.kinds)
    log = (run.folder.path / "log.jsonl").read_text("utf-8")
    phases = [line["phase"] for line in map(json.loads, log.splitlines()) if "valid" in line]
    assert phases == ["non_relational"] * 2 + ["questions"] * 2

    made, real = [], VisualTask.loss

    def loss(self, *given):
        made.append(given)
        if len(made) == 6:
            raise OSError("a power cut")
        return real(self, *given)

    monkeypatch.setattr(VisualTask, "loss", loss)
    options |= {"loop.checkpoint_seconds": 0.0}
    with pytest.raises(OSError, match="a power cut"):
        memnets.train("dmn-plus/sort-of-clevr", options, out=tmp_path / "cut", show=False)
    resume(tmp_path / "cut", VisualQuestions)
    ends = [load_file(tmp_path / name / "model.safetensors") for name in ("whole", "cut")]
    assert any(name.endswith("running_mean") for name in ends[0])
    for name, tensor in ends[0].items():
        assert torch.equal(tensor, ends[1][name]), name


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"first": "relational"}, 'training.first is "relational", and would be ignored'),
        (
            {"first_epochs": 3, "patience": 3},
            "training.first_epochs is 3: expected fewer than training.patience, 3, or the run",
        ),
    ],
)
def test_a_beginning_that_cannot_be_is_refused(changed, told):
    with pytest.raises(ValueError, match=re.escape(told)):
        VisualTraining(**changed)


def test_a_group_that_is_not_asked_is_named(tmp_path):
    told = "training.first is 'colours': expected one of non_relational, relational"
    with pytest.raises(ValueError, match=told):
        memnets.train(
            "dmn-plus/sort-of-clevr",
            TINY | {"training.first": "colours"},
            out=tmp_path / "run",
            show=False,
        )


def test_the_loss_is_that_of_right_answers():
    """A mean over questions; an epoch has every picture once; the stem sees each once."""
    model, task = tiny(sort_of_clevr(5, 2))
    stream = task.batches("train", seeded(1), 0)
    pictures = [next(stream)[0] for _ in range(task.updates_per_epoch)]
    assert torch.cat(pictures).sort().values.tolist() == list(range(5))
    batch = task.collate("train", (pictures[0],))
    step = task.loss(model, batch, (), seeded(0))
    reply = model(batch.pictures, batch.question, batch.of)
    right = reply.scores[:, 0].log_softmax(-1).gather(1, batch.answer.unsqueeze(1))
    assert step.loss_sum.item() == pytest.approx(-right.sum().item(), rel=1e-5)
    assert step.weight == 40


def test_an_oracle_is_measured_as_one(monkeypatch):
    """Right whatever is asked, looking where it should; of another picture's answers few are."""
    part = sort_of_clevr(12, 3)
    model, task = tiny(part)
    rows, columns = model.regions.grid

    def reply(pictures, question, of):
        batch = task.questions["test"]
        turned = not torch.equal(pictures, batch.pictures)
        answer = batch.answer.roll(20) if turned else batch.answer
        cells = (batch.centres * torch.tensor([columns, rows]) / 75).long()
        place = (cells[..., 1] * columns + cells[..., 0])[of]
        hops = []
        for item in (batch.named, batch.meant.where(batch.meant >= 0, batch.named)):
            weights = torch.zeros(len(of), rows * columns)
            weights.scatter_(1, place.gather(1, item.unsqueeze(1)), 1.0)
            hops.append(model_hop._replace(weights=weights[:, snake(rows, columns)].unsqueeze(1)))
        scores = torch.nn.functional.one_hot(answer, 10).float().unsqueeze(1)
        memory = torch.zeros(len(of), 5)
        return real._replace(scores=scores, hops=tuple(hops), memory=memory, asked=memory)

    batch = task.questions["test"]
    with torch.no_grad():
        real = model(batch.pictures, batch.question, batch.of)
    model_hop = real.hops[0]
    monkeypatch.setattr(model, "forward", reply)
    found = {name: ratio.mean for name, ratio in task.evaluate(model, "test").items()}
    assert found["accuracy"] == found["relational"] == found["count"] == 1.0
    assert found["named/1"] == found["meant/2"] == 1.0
    assert found["meant/1"] < 0.9
    assert found["named/2"] < 0.95
    assert 0 < found["place"] < 0.4
    assert 0 < found["moved/2"] < 0.7
    assert found["shuffled"] < 0.8
    assert found["prior"] == pytest.approx(batch.floor.double().mean().item())
    assert found["prior/left"] <= 1.0


def test_people_s_answers_are_scored():
    """By how many gave the answer that the model gives; one that nobody gave is wrong."""
    part = AskedPictures(
        np.zeros((2, 8, 8, 3), np.uint8),
        np.array([0, 1]),
        ("what?", "what?"),
        ("a", "b"),
        ("all", "all"),
        humans=(("a", "a", "b"), ("c", "c", "c")),
    )
    model, task = tiny(part)
    found = task.evaluate(model, "train")
    said = model.head.words(model(*(getattr(task.questions["train"], n) for n in (
        "pictures", "question", "of",
    ))).scores)  # fmt: skip
    expected = [(2 / 3, 1 / 3)[int(said[0])], 0.0]
    assert found["people"].total == pytest.approx(sum(expected))
    assert task.evaluate(model, "valid") == {}


@pytest.mark.parametrize(
    ("changed", "read"),
    [({}, AttentionGRU), ({"attention": "sum"}, SoftSum), ({"attention": "none"}, MeanOfSlots)],
)
def test_variants_are_built_of_their_parts(changed, read):
    """And a model without attention has no map."""
    part = sort_of_clevr(2, 1)
    model, task = tiny(part, **changed)
    assert type(getattr(model.memory, "read", model.memory)) is read
    found = task.evaluate(model, "test")
    assert ("named/1" in found) is (changed.get("attention") != "none")
    rows, _ = tiny(part, order="rows")
    assert rows.regions.order.tolist() == list(range(81))
    assert model.regions.order.tolist() != list(range(81))


@pytest.mark.parametrize("placed", [True, False])
def test_questions_are_read_by_a_gru_or_by_the_places_of_their_words(placed):
    """And layers that see are normalised where that is said."""
    part = sort_of_clevr(2, 1)
    model, _ = tiny(part, question="placed" if placed else "gru", batch_norm=placed)
    reader = OwnLengthPositionEncoding if placed else RecurrentReader
    assert type(model.question) is reader
    norms = [type(part) for part in model.stem.modules() if isinstance(part, BatchNorm2d)]
    assert len(norms) == 3 * placed


def test_the_mean_of_slots_takes_all_alike():
    """Padding left out; each hop has a layer of its own."""
    from memnets.memories import UntiedReLU

    update = UntiedReLU(3, 2)
    memory = MeanOfSlots(update, 2)
    slots, question = torch.randn(2, 4, 3), torch.randn(2, 3)
    mask = torch.tensor([[True] * 4, [True, False, True, False]])
    found = memory(slots, mask, question)
    mean = torch.stack([slots[0].mean(0), slots[1, [0, 2]].mean(0)])
    expected = update(1, update(0, question, mean, question), mean, question)
    torch.testing.assert_close(found.memory, expected)
    assert found.hops == ()


def test_features_take_the_place_of_pictures():
    """Vectors go to the memory as they are; a question about a picture is refused."""
    made = {"network": "vgg19", "layer": "pool5", "grid": [2, 2], "dim": 3}
    part = AskedPictures(
        np.random.default_rng(0).random((3, 4, 3), np.float32),
        np.arange(3),
        ("what?",) * 3,
        ("a", "b", "a"),
        ("all",) * 3,
        features=made,
    )
    model, task = tiny(part)
    assert type(model.stem) is Given
    assert task.evaluate(model, "train")["accuracy"].weight == 3
    from memnets.studies.visual_questions.inference import see

    kept = encode({"train": part}, VisualData()).kept
    with pytest.raises(ValueError, match="this run reads features of vgg19, layer pool5"):
        see(model, kept, np.zeros((9, 9, 3), np.uint8), "what?")
    for one in (kept, replace(kept, answers=("two", "one", "all"), side=(3, 5))):  # as classes are
        assert Kept.from_json(json.loads(json.dumps(one.to_json()))) == one


def test_settings_that_would_be_ignored_are_refused():
    """With how to mend them."""
    with pytest.raises(ValueError, match=r"model.channels is \(\): expected widths"):
        VisualModel(channels=())
    with pytest.raises(ValueError, match=r"data.splits is x, and data.pictures is"):
        VisualData(splits=Path("x"))
    with pytest.raises(
        ValueError, match=r"data.train is 9, .*Leave it out, or pass --data.pictures s"
    ):
        VisualData(pictures="shapes", train=9)
    with pytest.raises(ValueError, match=r"data.side is 2000: expected at most 1,024"):
        VisualData(pictures="easy-vqa", side=2000)
    with pytest.raises(ValueError, match=r'is "files", and data.questions names no file'):
        VisualData(pictures="files")
    with pytest.raises(ValueError, match=r"training.batch"):
        VisualTraining(batch=0)


def test_splits_share_no_picture(tmp_path, monkeypatch):
    """Generated by other seeds; the same every time."""
    data = VisualData(train=3, held_out=2)
    splits = data.load()
    assert [len(part.images) for part in splits.values()] == [3, 2, 2]
    assert len({part.sha256 for part in splits.values()}) == 3
    assert digest(splits) == digest(data.load())
    with pytest.raises(FileNotFoundError, match="SHAPES is not there"):
        VisualData(pictures="shapes", path=tmp_path).load()
    with pytest.raises(FileNotFoundError, match="easy-VQA is not there"):
        VisualData(pictures="easy-vqa", path=tmp_path).load()


def test_the_last_training_pictures_of_easy_vqa_choose(monkeypatch):
    read = []

    def load(path, split, side):
        read.append((path, split, side))
        many = {"train": 30, "test": 3}[split]
        images = np.full((many, side, side, 3), 7, np.uint8)
        images[:, 0, 0, 0] = np.arange(many)
        rest = (("q",) * many, (split,) * many, ("kind",) * many, {})
        return AskedPictures(images, np.arange(many), *rest)

    monkeypatch.setattr("memnets.studies.visual_questions.data.load_easy_vqa", load)
    found = VisualData(pictures="easy-vqa", path=Path("there"), side=9).load()
    assert set(read) == {(Path("there"), "train", 9), (Path("there"), "test", 9)}
    shown = {name: part.images[:, 0, 0, 0].tolist() for name, part in found.items()}
    known = 30 - round(HELD_OUT * 30)
    assert shown == {**{"train": [*range(known)], "valid": [*range(known, 30)], "test": [0, 1, 2]}}
    assert list(found) == ["train", "valid", "test"]
    assert [set(part.answers) for part in found.values()] == [{"train"}, {"train"}, {"test"}]


def test_pictures_of_one_s_own_are_read_as_is_told(monkeypatch):
    read = []
    monkeypatch.setattr(
        "memnets.studies.visual_questions.data.load_questions", lambda *told: read.append(told)
    )
    one, two, three, four, five = map(Path, "abcde")
    VisualData(
        pictures="files", questions=one, annotations=two, path=three, splits=four, features=five,
        side=9,
    ).load()  # fmt: skip
    assert read == [(one, two, three, four, five, 9)]


def test_a_run_is_asked_about_a_picture(run, tmp_path, capsys, monkeypatch):
    """From Python and as a command, with a page and a drawing for each question."""
    shown = sort_of_clevr(1, 9).images[0]
    image.fromarray(shown).resize((90, 80)).save(tmp_path / "one.png")
    loaded = load_run(run.folder.path)
    answer = loaded.ask(str(tmp_path / "one.png"), "What is the shape of the red object")
    assert isinstance(answer.regions, Regions)
    assert answer.regions.image.shape == (75, 75, 3)
    assert answer.regions.weights.shape == (2, 9, 9)
    assert answer.regions.weights.sum((1, 2)) == pytest.approx([1, 1], abs=1e-5)
    assert [step.name for step in answer.steps] == ["hop 1", "hop 2"]
    assert 0 < answer.probability <= 1
    assert len(answer.runners_up) == 3
    assert loaded.see(shown, "is the red cat on the left?").unknown_words == ("cat",)
    with pytest.raises(ValueError, match=r"0 pictures came, but .* takes ask"):
        loaded.ask(" ", "is the red object on the left?")
    both = loaded.ask(str(tmp_path / "one.png"), ["is the red object on the top?"] * 2)
    assert both[0] == both[1]
    folder = str(run.folder.path)
    asked = ["--question", "is the red object on the left?", "what is the shape of blue?"]
    told = ["ask", folder, "--image", str(tmp_path / "one.png"), *asked]
    drawn = []
    real = gallery.write_gallery
    monkeypatch.setattr(
        gallery,
        "write_gallery",
        lambda *to: drawn.append(to[1]) or (real(*to) if to[1] == "one-1" else ()),
    )
    assert main([*told, "--out", str(tmp_path), "--json"]) == 0
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [record["question"] for record in records] == asked[1:]
    assert len(records[0]["regions"]["weights"]) == 2
    page = (tmp_path / "one-1.html").read_text()
    assert "data:image/png;base64," in page
    assert "is the red object on the left?" in page
    assert (tmp_path / "one-1.png").stat().st_size > 5000
    assert drawn == ["one-1", "one-2"]
    assert main(told) == 0
    lines = capsys.readouterr().out.splitlines()
    assert 6 <= sum("column" in line for line in lines) <= 12  # of 81 regions, for two questions


def test_examples_name_the_objects(run):
    """The one that is named first, then that which is asked for; the data are those of before."""
    run.check_data()
    part = run.splits["test"]
    found = [answer for answer, _ in zip(run.examples("test", 0), range(20), strict=False)]
    assert [answer.gold for answer in found] == list(part.answers[:20])
    assert [answer.question for answer in found] == list(part.questions[:20])
    objects = part.objects
    for row, answer in enumerate(found):
        named = tuple(objects.centres[0, objects.named[row]])
        assert answer.regions.circle(0)[:2] == named
        asks = part.kinds[row] in ("closest", "furthest")
        assert (answer.regions.circle(1)[:2] != named) == asks


def test_what_cannot_be_answered_is_refused(run, tmp_path, capsys, monkeypatch):
    """In one sentence, without a traceback; the other questions are answered."""
    folder, picture = str(run.folder.path), tmp_path / "one.png"
    image.fromarray(sort_of_clevr(1, 9).images[0]).save(picture)
    image.new("L", (1, 1)).save(tmp_path / "dot.png")
    (tmp_path / "cut.png").write_bytes(picture.read_bytes()[:200])
    good = ["--question", "is the red object on the left?"]
    for words, said in (
        (["--question", "where?"], "is asked about a picture, and none came. Pass --image FILE"),
        (["--image", str(picture), "--question", "zxc"], "no word of this question came in"),
        (["--image", "none.png", *good], "--image none.png: there is no such file"),
        (["--image", str(tmp_path / "dot.png"), *good], "dot.png: the picture has 1 x 1 pixels"),
        (["--image", str(tmp_path / "cut.png"), *good], "cannot be read to its end"),
        (["--image", str(picture), "--story", "s"], "takes a picture and questions, and nothing"),
        (["--image", str(picture), *good, "--out", str(picture)], "--out"),
    ):
        assert main(["ask", folder, *words]) == 2, words
        assert said in " ".join(capsys.readouterr().err.split()), words
    monkeypatch.setattr("memnets.cli.ask._typed", lambda hint: ["", "zxc\n", f"{good[1]}\n"])
    assert main(["ask", folder, "--image", str(picture)]) == 2
    assert "is the red object on the left?" in capsys.readouterr().out
    monkeypatch.setattr("memnets.cli.ask._typed", lambda hint: [])
    assert main(["ask", folder, "--image", str(picture)]) == 2
    assert "nothing was asked" in capsys.readouterr().err


def test_tables_plan_what_was_promised():
    """Three seeds, the controls beside every target, each difference of rows that there are."""
    planned = table("visual-questions")
    rows = {entry.row: entry for entry in planned.entries}
    assert rows.keys() == {"DMN+", "rows", "sum", "no attention"}
    assert rows["rows"].run.model.order == "rows"
    assert rows["sum"].run.model.attention == "sum"
    assert planned.seeds == 3
    figures = {figure.row: figure for entry in planned.entries for figure in entry.figures}
    assert figures["DMN+, relational"].target == 75.0
    assert figures["DMN+, prior/relational"].metric == "prior/relational"
    assert {"DMN+, shuffled/non_relational", "DMN+, meant/2"} <= figures.keys()
    assert {name for pair in planned.contrasts for name in pair} <= figures.keys()
    easy = table("visual-questions-easy-vqa")
    metrics = {figure.metric for entry in easy.entries for figure in entry.figures}
    assert {"accuracy", "prior", "shuffled", "yes_no", "prior/yes_no", "colour"} <= metrics


def test_every_figure_is_measured(run):
    """What the tables ask for is what a run measures."""
    planned = table("visual-questions")
    measured = run.metrics["test"].keys()
    figures = next(entry for entry in planned.entries if entry.row == "DMN+").figures
    assert {f.metric for f in figures} - measured == {"meant/3"}  # of a third hop


def test_the_page_s_model_runs():
    """The first piece of Python on the page, as it stands there."""
    page = Path(__file__).resolve().parents[3] / "docs" / "visual-questions.md"
    text = page.read_text("utf-8").split("```python\n")[1].split("```")[0]
    space = {}
    exec(compile(text, str(page), "exec"), space)
    assert space["answers"].shape == (3, 1)
    assert [m.shape for m in space["maps"]] == [(3, 1, 7, 7)] * 3
