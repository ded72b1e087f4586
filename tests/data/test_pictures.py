"""Generated pictures, photos and their files, scores of captions."""

import gzip
import json
import math
import warnings
from collections import Counter

import numpy as np
import pytest

from memnets.data.pictures import (
    NOBODY,
    caption_bleu,
    cider_d,
    digit_grids,
    held_out_pairs,
    load_digits,
    relation,
    shape_scenes,
    split_digits,
)
from memnets.data.pictures.features import read_features, write_features
from memnets.data.pictures.images import read_image, resized
from memnets.data.pictures.photos import load_photos, read_captions

pytest.importorskip("PIL")
from PIL import Image


@pytest.fixture(scope="module")
def scenes():
    return shape_scenes(300, 7)


def test_scenes_are_those_of_their_seed(scenes):
    """List 14: and the first ones do not depend on what is drawn elsewhere."""
    again = shape_scenes(300, 7)
    assert again.sha256 == scenes.sha256 != shape_scenes(300, 8).sha256
    assert (again.images == scenes.images).all()
    assert scenes.images.shape == (300, 56, 56, 3)
    assert scenes.take([5]).texts == scenes.texts[5:6]
    assert len(shape_scenes(0, 1)) == 0


def test_captions_are_those_of_the_objects(scenes):
    """List 14: words by the pixels at the centres and by the places, all four relations."""
    found = Counter()
    for row, words in enumerate(scenes.captions):
        first, second = scenes.centres[row]
        between = words[3:-3]
        assert between == relation(first, second)
        found[between[0]] += 1
        for item, place in enumerate((1, len(words) - 2)):
            x, y = scenes.centres[row, item].astype(int)
            red, green, blue = scenes.images[row, y, x] > 150
            colour = {"red": (1, 0, 0), "green": (0, 1, 0), "blue": (0, 0, 1), "yellow": (1, 1, 0)}
            assert (red, green, blue) == colour[words[place]]
            assert [scenes.owners[row][place + n] for n in (0, 1)] == [item] * 2
        assert Counter(scenes.owners[row])[NOBODY] == len(words) - 4
        away = np.abs(first - second)
        assert np.hypot(*away) > scenes.radii[row].sum() + 3
        assert abs(away[0] - away[1]) >= 4
        names = (words[1:3], words[-2:])
        assert names[0] != names[1] or first[0] <= second[0]
    assert found.keys() == {"left", "right", "above", "below"}
    assert min(found.values()) > 50


def test_relations_by_hand():
    """List 14: across where that is farther, down otherwise; down grows."""
    place = np.array([20.0, 20.0])
    assert relation(place, np.array([40.0, 30.0])) == ("left", "of")
    assert relation(place, np.array([1.0, 30.0])) == ("right", "of")
    assert relation(place, np.array([25.0, 30.0])) == ("above",)
    assert relation(place, np.array([25.0, 3.0])) == ("below",)


def test_pairs_are_held_out():
    """List 14: none of them is learnt from."""
    known, unseen = held_out_pairs(3)
    assert len(known) == 13
    assert len(unseen) == 3
    few = shape_scenes(40, 1, unseen)
    assert {words[1:3] for words in few.captions} <= set(unseen)
    with pytest.raises(ValueError, match="there is no 'pink' 'circle'"):
        shape_scenes(1, 1, [("pink", "circle")])
    with pytest.raises(ValueError, match="no pair of colour and shape came"):
        shape_scenes(1, 1, [])
    with pytest.raises(ValueError, match=r"shape_scenes\(number=-1\)"):
        shape_scenes(-1, 1)


def digits():
    """Ten digits that differ in one pixel's place."""
    pictures = np.zeros((20, 8, 8), int)
    pictures[np.arange(20), 3, np.arange(20) % 8] = 16
    return pictures, np.arange(20) % 10


def test_digits_are_read_from_left_to_right():
    """List 14: an owner a word, its ink at its place; splits share no digit."""
    grids = digit_grids(60, 3, digits())
    assert grids.images.shape == (60, 64, 64, 3)
    assert {len(words) for words in grids.captions} == {2, 3, 4}
    for row, words in enumerate(grids.captions):
        across = grids.centres[row, : len(words), 0]
        assert (np.diff(across) > 0).all()
        assert grids.owners[row] == tuple(range(len(words)))
        assert np.isnan(grids.centres[row, len(words) :]).all()
        for x, y in grids.centres[row, : len(words)].astype(int):
            assert grids.images[row, y - 8 : y + 8, x - 8 : x + 8].max() == 255
    parts = split_digits(digits())
    assert [len(part[1]) for part in parts.values()] == [14, 2, 4]
    with pytest.raises(ValueError, match="expected 0 grids or more, of one digit at least"):
        digit_grids(1, 1, (np.zeros((0, 8, 8)), np.zeros(0)))


def test_digits_are_found_and_their_lines_checked(tmp_path):
    """List 14: gzip or plain; a bad line is named."""
    line = ",".join(["0"] * 63 + ["16", "7"])
    (tmp_path / "digits.csv.gz").write_bytes(gzip.compress(f"{line}\n{line}\n".encode()))
    pictures, labels = load_digits(tmp_path)
    assert pictures.shape == (2, 8, 8)
    assert pictures[0, 7, 7] == 16
    assert labels.tolist() == [7, 7]
    bad = tmp_path / "bad.csv"
    bad.write_text(f"{line}\n1,2,3\n")
    with pytest.raises(ValueError, match=r"bad.csv:2: 3 numbers came; expected 64 pixels"):
        load_digits(bad)
    with pytest.raises(FileNotFoundError, match=r"digits.csv.gz, of scikit-learn\) are not there"):
        load_digits(tmp_path / "nowhere")


def picture(path, mode="RGB", size=(12, 10), colour=None, **saved):
    Image.new(mode, size, colour or 0).save(path, **saved)
    return path


def test_pictures_of_every_kind_become_colours(tmp_path):
    """List 14: grey, CMYK, a palette, 16 bits, transparency."""
    grey = read_image(picture(tmp_path / "grey.png", "L", colour=100))
    assert grey.shape == (10, 12, 3)
    assert (grey == 100).all()
    cmyk = read_image(picture(tmp_path / "cmyk.jpg", "CMYK", colour=(0, 0, 0, 0)))
    assert (cmyk > 250).all()
    deep = np.full((10, 12), 0x8000, np.uint16)
    Image.fromarray(deep).save(tmp_path / "deep.png")
    assert (read_image(tmp_path / "deep.png") == 128).all()
    clear = read_image(picture(tmp_path / "clear.png", "RGBA", colour=(0, 0, 0, 0)))
    assert (clear == 255).all()
    assert read_image(tmp_path / "grey.png", 9).shape == (9, 9, 3)
    assert resized(grey, 8).shape == (8, 8, 3)
    with pytest.raises(ValueError, match=r"a picture of shape \(10, 12\) and type uint8 came"):
        resized(grey[..., 0], 8)


def test_pictures_that_cannot_be_read_are_refused(tmp_path, monkeypatch):
    """List 14: cut off, tiny, animated, far too large, no picture."""
    whole = picture(tmp_path / "whole.png", size=(200, 200)).read_bytes()
    noise = np.random.default_rng(0).integers(0, 256, (64, 64, 3), dtype=np.uint8)
    Image.fromarray(noise).save(tmp_path / "noise.jpg")
    cut = {"cut.png": whole[: len(whole) // 2], "head.png": whole[:20]}
    cut["cut.jpg"] = (tmp_path / "noise.jpg").read_bytes()[:900]
    for name, data in cut.items():
        (tmp_path / name).write_bytes(data)
        with pytest.raises(ValueError, match=f"{name}: .*cannot be read|{name}: it is no picture"):
            read_image(tmp_path / name)
    with pytest.raises(ValueError, match=r"tiny.png: the picture has 1 x 1 pixels; expected 8"):
        read_image(picture(tmp_path / "tiny.png", size=(1, 1)))
    frames = [Image.new("L", (20, 20), shade) for shade in (0, 100)]
    frames[0].save(tmp_path / "moving.gif", save_all=True, append_images=frames[1:])
    with pytest.raises(ValueError, match=r"moving.gif: it is animated, of 2 frames"):
        read_image(tmp_path / "moving.gif")
    from memnets.data.pictures import images

    monkeypatch.setattr(images, "MOST", 30_000)
    with pytest.raises(ValueError, match=r"claims 200 x 200 pixels; expected 30,000 in all"):
        read_image(tmp_path / "whole.png")
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 10_000)
    for limit in (30_000, 10_000):
        monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", limit)
        with warnings.catch_warnings(), pytest.raises(ValueError, match="claims far more pixels"):
            read_image(tmp_path / "whole.png")
    (tmp_path / "text.png").write_text("no picture")
    with pytest.raises(ValueError, match=r"text.png: it is no picture that can be read"):
        read_image(tmp_path / "text.png")
    with pytest.raises(FileNotFoundError):
        read_image(tmp_path / "missing.png")


FORMS = {
    "a.csv": 'image,caption\n1.png,"a dog, running"\n1.png,two dogs\n2.png,a cat\n',
    "a.token.txt": "1.png#0\ta dog, running\n1.png#1\ttwo dogs\n\n2.png#0\ta cat\n",
    "coco.json": json.dumps(
        {
            "images": [{"id": 9, "file_name": "1.png"}, {"id": 4, "file_name": "2.png"}],
            "annotations": [
                {"image_id": 9, "caption": "a dog, running"},
                {"image_id": 9, "caption": " two  dogs\n"},
                {"image_id": 4, "caption": "a cat"},
            ],
        }
    ),
}


@pytest.mark.parametrize("name", FORMS)
def test_captions_of_every_format(name, tmp_path):
    """List 14: the same captions, by photo."""
    (tmp_path / name).write_text(FORMS[name])
    told = read_captions(tmp_path / name)
    assert told.captions == {"1.png": ("a dog, running", "two dogs"), "2.png": ("a cat",)}
    assert told.parts == {}


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("e.csv", "image,caption\n1.png, \n", r"e.csv:2: the caption of 1.png is empty"),
        ("f.csv", "image,caption\nword\n", r"f.csv:2: 'word' came; expected image,caption"),
        ("g.txt", "1.png a dog\n", r"g.txt:1: '1.png a dog' came; expected image.jpg#0, a TAB"),
        ("h.csv", "image,caption\n", r"h.csv: it holds no caption"),
        ("i.json", '{"images": 1}', r"i.json: it is not the JSON of COCO"),
        ("j.json", '{"images": [], "annotations": []}', r"j.json: it holds no caption"),
    ],
)
def test_bad_captions_are_named(name, text, said, tmp_path):
    """List 14: with file and line."""
    (tmp_path / name).write_text(text)
    with pytest.raises(ValueError, match=said):
        read_captions(tmp_path / name)


def karpathy(names):
    def one(name, part):
        return {"filename": name, "split": part, "sentences": [{"raw": f"a {name}"}]}

    parts = ("train", "restval", "val", "test")
    return json.dumps({"images": [one(n, p) for n, p in zip(names, parts, strict=True)]})


def test_photos_come_in_three_parts(tmp_path):
    """List 14: as the captions say, as files of names say, or the last ones held back."""
    names = [f"{n}.png" for n in range(4)]
    for n, name in enumerate(names):
        picture(tmp_path / name, size=(20, 16), colour=(n, 0, 0))
    (tmp_path / "k.json").write_text(karpathy(names))
    parts = load_photos(tmp_path / "k.json", side=12)
    assert {part: photos.names for part, photos in parts.items()} == {
        "train": ("0.png", "1.png"), "valid": ("2.png",), "test": ("3.png",),
    }  # fmt: skip
    assert parts["test"].images.shape == (1, 12, 12, 3)
    assert parts["test"].images[0, 0, 0, 0] == 3
    assert parts["train"].flat == ("a 0.png", "a 1.png")
    assert parts["train"].sha256 != parts["test"].sha256
    for part, name in (("train", "3.png"), ("dev", "0.png"), ("test", "1.png\n9.png")):
        (tmp_path / f"{part}.txt").write_text(f"{name}\n")
    listed = load_photos(tmp_path / "k.json", splits=tmp_path, side=12)
    assert listed["valid"].names == ("0.png",)
    assert listed["test"].names == ("1.png",)
    rest = "".join(f"{name},a b\n" for name in names)
    (tmp_path / "c.csv").write_text(f"image,caption\n{rest}")
    with pytest.raises(ValueError, match="no photo of the part 'valid' has a caption"):
        load_photos(tmp_path / "c.csv")
    (tmp_path / "3.png").unlink()
    with pytest.raises(FileNotFoundError, match=r"3.png: .*k.json has a caption of this picture"):
        load_photos(tmp_path / "k.json", side=12)
    with pytest.raises(FileNotFoundError, match=r"it has no file train.txt or"):
        load_photos(tmp_path / "k.json", splits=tmp_path / "none")


def test_features_say_what_they_are_of(tmp_path):
    """List 17: another layer, size or width is refused, and so is what is no such file."""
    values = {"1.png": np.arange(12.0).reshape(4, 3), "2.png": np.zeros((4, 3))}
    made = {"network": "vgg19", "layer": "conv5_4", "side": 224, "grid": (2, 2)}
    path = write_features(tmp_path / "f.safetensors", values, **made)
    found = read_features(path, layer="conv5_4", side=224, dim=3)
    assert found.described == made | {"grid": [2, 2], "dim": 3}
    assert found.of(["2.png", "1.png"])[1].tolist() == values["1.png"].tolist()
    assert found.of(["1.png"]).dtype == np.float32
    with pytest.raises(ValueError, match=r"it has no features of 3.png and 0 others"):
        found.of(["3.png"])
    for name, wanted, came in (("layer", "pool5", "conv5_4"), ("side", 448, 224), ("dim", 512, 3)):
        said = f"the {name} of its features is {came}; expected {wanted}"
        with pytest.raises(ValueError, match=said):
            read_features(path, **{name: wanted})
    (tmp_path / "bad").write_bytes(b"nothing of the kind")
    with pytest.raises(ValueError, match="it is no file of features"):
        read_features(tmp_path / "bad")
    with pytest.raises(ValueError, match=r"expected \(9, dim\) of every"):
        write_features(tmp_path / "g", values, **made | {"grid": (3, 3)})
    names = [f"{n}.png" for n in range(10)]
    (tmp_path / "c.csv").write_text("image,caption\n" + "".join(f"{n},a b\n" for n in names))
    path = write_features(tmp_path / "h", dict.fromkeys(names, values["1.png"]), **made)
    parts = load_photos(tmp_path / "c.csv", features=path)
    assert parts["train"].images.shape == (8, 4, 3)
    assert parts["test"].features["layer"] == "conv5_4"


def test_bleu_of_captions_by_hand():
    """List 18: two references; words are not cut anew, a short caption is punished."""
    pytest.importorskip("sacrebleu")
    said = [["a", "dog", "runs"], ["a", "cat"]]
    known = [[["a", "dog", "walks"], ["the", "dog", "runs"]], [["a", "small", "cat", "sits"]]]
    one = caption_bleu(said, known, 1)
    assert one.unpunished == pytest.approx(100.0)
    assert one.score == pytest.approx(100 * math.exp(1 - 7 / 5))
    assert "tok:none" in one.signature
    two = caption_bleu(said, known, 2)
    assert two.unpunished == pytest.approx(100 * math.sqrt(1.0 * 2 / 3))
    for order in (1, 4):
        assert caption_bleu([["a", "b", "c", "d"]], [[["a", "b", "c", "d"]]], order).score == (
            pytest.approx(100)
        )
    with pytest.raises(ValueError, match="BLEU: 1 captions for 2 pictures came, and picture 2"):
        caption_bleu(said[:1], known, 1)
    with pytest.raises(ValueError, match="picture 1 lacks one of the two"):
        caption_bleu(said, [[], known[1]], 1)
    with pytest.raises(ValueError, match="no caption came"):
        caption_bleu([], [], 1)


def test_cider_d_by_hand():
    """List 18: what only one of two pictures has weighs log 2, what both have nothing."""
    known = [[["a", "dog", "runs"]], [["a", "cat", "sits"]]]
    same = cider_d([["a", "dog", "runs"], ["a", "cat", "sits"]], known)
    # n-grams of 1, 2 and 3 words are alike; there is none of 4
    assert same == pytest.approx([10 * 3 / 4] * 2)
    # "a dog": of one word a (0) and dog: 1 / sqrt(2); of two "a dog": 1 / sqrt(2); none longer;
    # one bigram less: exp(-1 / 72)
    short = cider_d([["a", "dog"], ["a", "cat", "sits"]], known)[0]
    assert short == pytest.approx(10 / 4 * math.exp(-1 / 72) * 2 / math.sqrt(2))
    # repeated words are clipped: dog counts 3 log 2 and is cut to log 2, its norm is not
    often = cider_d([["dog", "dog", "dog"], ["a", "cat", "sits"]], known)[0]
    assert often == pytest.approx(10 / 4 * (1 / (3 * math.sqrt(2))))
    assert cider_d([["a"], ["a"]], known) == [0.0, 0.0]
    two = cider_d([["a", "dog"], ["x"]], [[["a", "dog"], ["y"]], [["z"]]])[0]
    assert two == pytest.approx(10 / 4 * (1 + 1) / 2)
