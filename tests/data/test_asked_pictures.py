"""Questions about pictures: sort-of-CLEVR as it is generated, and the readers of files."""

import json
import os
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from memnets.data.pictures.asked import human_score, question_only
from memnets.data.pictures.easy_vqa import load_easy_vqa
from memnets.data.pictures.features import write_features
from memnets.data.pictures.questions import load_questions, read_questions
from memnets.data.pictures.shapes import load_shapes
from memnets.data.pictures.sort_of_clevr import COLOURS, GROUPS, QUESTIONS, sort_of_clevr

Image = pytest.importorskip("PIL.Image")


@pytest.fixture(scope="module")
def pictures():
    return sort_of_clevr(300, 3)


def seen(image):
    """Return what a picture shows: the middle and the shape of every colour, by its pixels."""
    found = {}
    for name, colour in COLOURS.items():
        y, x = np.nonzero((image == colour).all(-1))
        found[name] = (x.min() + x.max()) / 2, (y.min() + y.max()) / 2, len(x)
    return found


def test_answers_are_read_off_the_pixels(pictures):
    """List 26: by another way than they were made: areas and middles of what can be seen whole."""
    told, known = Counter(), [seen(image) for image in pictures.images[:50]]
    for row, question in enumerate(pictures.questions[:1000]):
        things = known[pictures.of[row]]
        if any(area not in (81, 121) for _, _, area in things.values()):
            continue  # one stands before another
        name = next(word for word in question.split() if word in COLOURS)
        x, y, area = things[name]
        others = {other: (x - a) ** 2 + (y - b) ** 2 for other, (a, b, _) in things.items()}
        del others[name]
        shape = {81: "circle", 121: "rectangle"}
        kind = pictures.kinds[row]
        right = {
            "shape": shape[area],
            "left": "yes" if x < 37.5 else "no",
            "top": "yes" if y < 37.5 else "no",
            "closest": shape[things[min(others, key=others.get)][2]],
            "furthest": shape[things[max(others, key=others.get)][2]],
            "count": str(sum(things[other][2] == area for other in others)),
        }[kind]
        assert pictures.answers[row] == right, question
        told[kind] += 1
    assert told.keys() == QUESTIONS.keys()
    assert min(told.values()) > 50


def test_objects_stand_apart_and_nothing_is_tied(pictures):
    """List 26: an object is never its own closest one; nobody is as close as another."""
    centres = pictures.objects.centres
    assert centres.shape == (300, 6, 2)
    assert centres.min() >= 5.5
    assert centres.max() <= 70
    away = ((centres[:, :, None] - centres[:, None]) ** 2).sum(-1)
    ordered = np.sort(away, -1)
    assert ordered[..., 1].min() >= 100
    assert (ordered[..., 1] < ordered[..., 2]).all()
    assert (ordered[..., -2] < ordered[..., -1]).all()
    objects = pictures.objects
    asks = np.isin(pictures.kinds, ["closest", "furthest"])
    assert ((objects.meant >= 0) == asks).all()
    assert (objects.meant[asks] != objects.named[asks]).all()
    far = ordered[..., 1] > 31.6**2  # where the generator that is often copied goes wrong
    assert far.any()


def test_what_a_picture_is_asked(pictures):
    """List 26: ten of either group, ten answers, and a floor that is the known one."""
    assert len(pictures) == 20 * len(pictures.images) == 6000
    for group in GROUPS.values():
        counts = Counter(pictures.of[np.isin(pictures.kinds, group)])
        assert set(counts.values()) == {10}
    assert set(pictures.answers) == {"yes", "no", "circle", "rectangle", *"012345"}
    many = sort_of_clevr(600, 4)
    said = question_only(many, pictures.questions)
    right = np.mean([a == b for a, b in zip(said, pictures.answers, strict=True)])
    assert right == pytest.approx(0.469, abs=0.02)
    assert len(set(many.questions)) == 36


def test_the_seed_decides_all_of_it(pictures):
    """List 26: and pictures are cut with all that belongs to them."""
    assert sort_of_clevr(300, 3).sha256 == pictures.sha256 != sort_of_clevr(300, 4).sha256
    others = {"images": pictures.images ^ 1, "of": pictures.of[::-1]} | {
        name: getattr(pictures, name)[::-1] for name in ("questions", "answers", "kinds")
    }
    changed = [replace(pictures, **{name: other}).sha256 for name, other in others.items()]
    assert len({pictures.sha256, *changed}) == 6
    first, second = pictures.cut(200)
    assert (len(first.images), len(second.images)) == (200, 100)
    assert second.questions == pictures.questions[4000:]
    assert second.of.min() == 0
    assert (second.objects.centres == pictures.objects.centres[200:]).all()
    assert (second.objects.meant == pictures.objects.meant[4000:]).all()
    assert len(sort_of_clevr(0, 1)) == 0
    with pytest.raises(ValueError, match=r"sort_of_clevr\(number=-1\): expected 0 pictures"):
        sort_of_clevr(-1, 1)


def test_the_floor_and_the_score_of_people():
    """List 26: the most frequent answer to a question; three people make an answer right."""
    train = sort_of_clevr(1, 1)
    usual = Counter(train.answers).most_common(1)[0][0]
    assert question_only(train, ["what is it?"]) == (usual,)
    assert human_score("red", ["red"] * 2 + ["blue"] * 8) == pytest.approx(2 / 3)
    assert human_score("blue", ["red"] * 2 + ["blue"] * 8) == 1.0


def save(path, size=(12, 10), **changed):
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("RGB", size, (9, 8, 7)).save(path, **changed)


@pytest.fixture
def easy(tmp_path):
    rows = [["is it red?", "yes", 7], ["what color is it?", "red", 2], ["shape?", "circle", 7]]
    (tmp_path / "data" / "test").mkdir(parents=True)
    (tmp_path / "data" / "test" / "questions.json").write_text(json.dumps(rows))
    for n in (2, 7):
        save(tmp_path / "data" / "test" / "images" / f"{n}.png", (64, 64))
    return tmp_path


def test_easy_vqa_is_read(easy, monkeypatch):
    """List 26: a picture once, its kinds by the answers; also below MEMNETS_DATA."""
    found = load_easy_vqa(easy, "test")
    assert found.images.shape == (2, 64, 64, 3)
    assert found.of.tolist() == [1, 0, 1]
    assert found.kinds == ("yes_no", "colour", "shape")
    monkeypatch.setenv("MEMNETS_DATA", str(easy))
    assert load_easy_vqa(None, "test", side=16).images.shape == (2, 16, 16, 3)
    with pytest.raises(FileNotFoundError, match=r"easy-VQA is not there \(train/questions.json"):
        load_easy_vqa(easy, "train")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('[["is it red?", "yes", 7], ["wh', "it is no JSON that can be read to its end"),
        ("{}", "it holds no list of questions; expected rows such as"),
        ("[]", "it holds no list of questions; expected rows such as"),
        ('[["is it?", "yes", 7], ["is it?", 3]]', r"row 2 is \['is it\?', 3\]; expected a"),
        ('[["is it?", "yes", "7"]]', "row 1 is"),
    ],
)
def test_questions_that_are_none_are_refused(easy, text, said):
    """List 26: of easy-VQA; the row is named."""
    (easy / "data" / "test" / "questions.json").write_text(text)
    with pytest.raises(ValueError, match=said):
        load_easy_vqa(easy, "test")


def test_pictures_that_are_none_are_refused(easy):
    """List 26: cut off, of one pixel, missing; grey ones are taken, others resized."""
    path = easy / "data" / "test" / "images" / "7.png"
    Image.new("L", (100, 70), 50).save(path)
    assert (load_easy_vqa(easy, "test").images[1] == 50).all()
    Image.new("RGB", (1, 1)).save(path)
    with pytest.raises(ValueError, match=r"7.png: the picture has 1 x 1 pixels"):
        load_easy_vqa(easy, "test")
    Image.effect_noise((64, 64), 50).save(path)
    path.write_bytes(path.read_bytes()[:700])
    with pytest.raises(ValueError, match=r"7.png: the picture cannot be read to its end"):
        load_easy_vqa(easy, "test")
    path.unlink()
    with pytest.raises(FileNotFoundError, match=r"7.png: this does not exist"):
        load_easy_vqa(easy, "test")


@pytest.fixture
def shapes(tmp_path):
    images = np.zeros((2, 30, 30, 3), np.uint8)
    images[..., 0] = 200  # blue stands first
    for name in ("train.tiny", "train.small", "val"):
        np.save(tmp_path / f"{name}.input.npy", images)
        (tmp_path / f"{name}.query_str.txt").write_text("is a circle red\nis blue red\n")
        (tmp_path / f"{name}.output").write_text("true\nfalse\n")
    return tmp_path


def test_shapes_are_read(shapes):
    """List 26: all sizes that are there together, in red, green and blue."""
    train = load_shapes(shapes, "train")
    assert train.images.shape == (4, 30, 30, 3)
    assert (train.images[..., 2] == 200).all()
    assert train.answers == ("yes", "no") * 2
    assert train.questions[0] == "is a circle red"
    assert len(load_shapes(shapes, "val")) == 2
    with pytest.raises(FileNotFoundError, match=r"SHAPES is not there \(test.input.npy\)"):
        load_shapes(shapes, "test")
    (shapes / "val.output").write_text("true\nperhaps\n")
    with pytest.raises(ValueError, match=r"val.output:2: 'perhaps' came; expected true or false"):
        load_shapes(shapes, "val")
    (shapes / "val.output").write_text("true\n")
    with pytest.raises(ValueError, match="2 pictures, 2 questions and 1 answers came"):
        load_shapes(shapes, "val")
    np.save(shapes / "val.input.npy", np.zeros((2, 30, 30)))
    with pytest.raises(ValueError, match=r"it holds \(2, 30, 30\) of type float64; expected"):
        load_shapes(shapes, "val")
    path = shapes / "train.tiny.input.npy"
    path.write_bytes(path.read_bytes()[:500])
    with pytest.raises(ValueError, match="no array of NumPy that can be read to its end"):
        load_shapes(shapes, "train")


@pytest.fixture
def vqa(tmp_path):
    """Ten pictures of COCO's names, each asked once, by three people each."""
    asked, answered = [], []
    for n in range(1, 11):
        asked.append({"question_id": n, "image_id": n, "question": "is it red?"})
        given = [{"answer": word} for word in ("yes", "yes", "no")]
        answered.append({"question_id": n, "answer_type": "yes/no", "answers": given})
        save(tmp_path / "images" / f"COCO_train2014_{n:012}.jpg")
    answered[0]["multiple_choice_answer"] = "no"
    (tmp_path / "q.json").write_text(json.dumps({"questions": asked}))
    (tmp_path / "a.json").write_text(json.dumps({"annotations": answered}))
    return tmp_path


def test_files_of_vqa_are_read(vqa):
    """List 26: pictures by their numbers, all people's answers, parts without a shared picture."""
    parts = load_questions(vqa / "q.json", vqa / "a.json", side=8)
    assert {part: len(one) for part, one in parts.items()} == {"train": 8, "valid": 1, "test": 1}
    train = parts["train"]
    assert train.images.shape == (8, 8, 8, 3)
    assert train.kinds[0] == "yes_no"
    assert train.humans[0] == ("yes", "yes", "no")
    assert Counter(a for one in parts.values() for a in one.answers) == {"yes": 9, "no": 1}
    (vqa / "images" / "COCO_train2014_000000000004.jpg").unlink()
    with pytest.raises(FileNotFoundError, match="asks about the picture 4, which is not there"):
        load_questions(vqa / "q.json", vqa / "a.json")
    with pytest.raises(ValueError, match="have their answers in a file of their own"):
        read_questions(vqa / "q.json")
    with pytest.raises(ValueError, match=r"they are not questions .* KeyError"):
        read_questions(vqa / "a.json", vqa / "q.json")
    (vqa / "q.json").write_text('{"questions": [')
    with pytest.raises(ValueError, match="no JSON that can be read to its end"):
        read_questions(vqa / "q.json", vqa / "a.json")


def test_features_take_the_place_of_pictures(vqa):
    """List 26: by the names that questions have; what made them is told."""
    values = {str(n): np.full((4, 3), n, np.float32) for n in range(1, 11)}
    made = {"network": "vgg19", "layer": "pool5", "side": 448, "grid": (2, 2)}
    file = write_features(vqa / "f.safetensors", values, **made)
    parts = load_questions(vqa / "q.json", vqa / "a.json", features=file)
    assert parts["test"].images.shape == (1, 4, 3)
    assert parts["test"].features["layer"] == "pool5"


@pytest.fixture
def daquar(tmp_path):
    lines = [f"what is on the table in the image{n} ?\nlamp\n" for n in range(1, 11)]
    (tmp_path / "qa.txt").write_text("".join(lines))
    for n in range(1, 11):
        save(tmp_path / f"image{n}.png")
    (tmp_path / "train.txt").write_text("".join(f"image{n}\n" for n in range(1, 8)))
    (tmp_path / "test.txt").write_text("image8\nimage9\nimage10\n")
    return tmp_path


def test_files_of_daquar_are_read(daquar):
    """List 26: the picture's number is no word of the question; official parts are disjoint."""
    assert read_questions(daquar / "qa.txt")[0][:3] == ("image1", "what is on the table?", "lamp")
    parts = load_questions(daquar / "qa.txt", splits=daquar, side=8)
    assert {part: len(one) for part, one in parts.items()} == {"train": 6, "valid": 1, "test": 3}
    (daquar / "test.txt").write_text("image7\nimage8\n")
    with pytest.raises(ValueError, match="image7 and 0 other pictures are in two parts"):
        load_questions(daquar / "qa.txt", splits=daquar)
    (daquar / "test.txt").write_text("image70\n")
    with pytest.raises(ValueError, match="no question is of the part 'test'"):
        load_questions(daquar / "qa.txt", splits=daquar, side=8)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("what is there ?\nlamp\n", r"qa.txt:1: 'what is there \?' has no picture"),
        ("what is in image1 ?\nlamp\n\nand in image2 ?\n", "qa.txt:4: .* has no answer in the"),
        ("", "it holds no question. Expected one at least"),
    ],
)
def test_a_bad_line_is_named(tmp_path, text, said):
    """List 26: of a text of questions."""
    (tmp_path / "qa.txt").write_text(text)
    with pytest.raises(ValueError, match=said):
        read_questions(tmp_path / "qa.txt")


@pytest.mark.data
def test_the_sets_at_hand_are_whole():
    """List 26: easy-VQA's counts and its floor; the questions of SHAPES' test never came before."""
    if not os.environ.get("MEMNETS_DATA"):
        pytest.skip("set MEMNETS_DATA to the folder that holds easy_vqa and shapes")
    train, test = load_easy_vqa(None, "train"), load_easy_vqa(None, "test")
    assert (len(train), len(test), len(set(train.questions))) == (38_575, 9_673, 107)
    assert (len(train.images), len(test.images)) == (4000, 1000)
    said = question_only(train, test.questions)
    right = [a == b for a, b in zip(said, test.answers, strict=True)]
    assert np.mean(right) == pytest.approx(0.670, abs=0.005)
    yes_no = np.array(test.kinds) == "yes_no"
    assert np.array(right)[yes_no].mean() == pytest.approx(0.825, abs=0.005)
    known, asked = load_shapes(None, "train"), load_shapes(None, "test")
    assert not set(known.questions) & set(asked.questions)
    assert np.mean([a == "no" for a in asked.answers]) == pytest.approx(0.634, abs=0.001)
