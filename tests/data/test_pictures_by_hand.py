"""Generated pictures, digits, photos and scores: what they are, worked out by hand."""

import gzip
import hashlib
import math
from dataclasses import replace

import numpy as np
import pytest

from memnets.data.pictures import (
    NOBODY,
    Scenes,
    caption_bleu,
    cider_d,
    digit_grids,
    held_out_pairs,
    load_digits,
    shape_scenes,
    split_digits,
)
from memnets.data.pictures.digits import NAMES
from memnets.data.pictures.features import read_features, write_features
from memnets.data.pictures.photos import CaptionedPhotos, flickr8k, load_photos, read_captions

COLOURS = ("red", "green", "blue", "yellow")
SHAPES = ("circle", "square", "triangle", "cross")


def covers():
    from memnets.data.pictures.shape_scenes import _COVERS

    return _COVERS


@pytest.mark.parametrize(
    ("shape", "inside", "outside"),
    [
        ("circle", [(10, 0), (0, -10), (6, 8), (7, 7)], [(7.1, 7.1), (10.1, 0), (0, 10.1)]),
        ("square", [(8.5, 8.5), (-8.5, 0)], [(8.6, 0), (0, -8.6), (8.6, 8.6)]),
        (
            "triangle",  # its point is above, where `dy` is below 0
            [(0, -10), (9, 8), (-9, 8), (5, 0)],
            [(0, -10.1), (0, 8.1), (5.1, 0), (1, -9), (9.1, 8)],
        ),
        ("cross", [(3, 10), (-10, -3), (3, 3), (0, 0)], [(3.1, 3.1), (0, 10.1), (10.1, 0)]),
    ],
)
def test_pixels_of_a_shape(shape, inside, outside):
    for places, there in ((inside, True), (outside, False)):
        for dx, dy in places:
            found = covers()[shape](np.array([[float(dx)]]), np.array([[float(dy)]]), np.array(10))
            assert bool(found[0, 0]) is there, (dx, dy)


def test_scenes_lie_whole_within_their_pictures_and_are_named_in_order():
    scenes = shape_scenes(60, 3)
    assert (scenes.radii >= 6).all()
    assert (scenes.radii <= 8).all()
    assert (scenes.centres >= scenes.radii[..., None]).all()
    assert (scenes.centres <= 56 - scenes.radii[..., None]).all()
    place = np.arange(56) + 0.5
    for row, words in enumerate(scenes.captions):
        names = words[1:3], words[-2:]
        numbers = [(COLOURS.index(colour), SHAPES.index(shape)) for colour, shape in names]
        assert numbers == sorted(numbers)
        near = np.zeros((56, 56), bool)
        for (_, shape), (x, y), r in zip(
            names, scenes.centres[row], scenes.radii[row], strict=True
        ):
            there = covers()[shape](place[None] - x, place[:, None] - y, r)
            sharp = covers()[shape](place[None] - x, place[:, None] - y, 0.95 * r)
            assert (scenes.images[row][there & sharp].max(-1) >= round(0.75 * 255)).all()
            near |= (np.abs(place[None] - x) <= r) & (np.abs(place[:, None] - y) <= r)
        assert scenes.images[row][~near].max() <= 64
        assert scenes.images[row][~near].max() > 55
    assert words[0] == words[-3] == "a"


def test_scenes_are_drawn_and_painted_some_at_a_time(monkeypatch):
    import sys

    monkeypatch.setattr(sys.modules["memnets.data.pictures.shape_scenes"], "_CHUNK", 7)
    scenes = shape_scenes(20, 3, [("red", "square")])
    assert scenes.images.shape == (20, 56, 56, 3)
    assert len(scenes) == len(scenes.captions) == len(scenes.owners) == len(scenes.radii) == 20
    for row in range(20):
        for x, y in scenes.centres[row].astype(int):
            red, green, blue = scenes.images[row, y, x]
            assert red >= 191
            assert green == blue == 0
    assert {words[1:3] for words in scenes.captions} == {("red", "square")}


def test_held_out_pairs_are_one_of_each_colour_and_shape():
    known, unseen = held_out_pairs(2)
    assert unseen == (("red", "circle"), ("green", "square"))
    assert known == tuple((c, s) for c in COLOURS for s in SHAPES if (c, s) not in unseen)
    assert held_out_pairs(9)[1] == tuple(zip(COLOURS, SHAPES, strict=True))
    assert held_out_pairs(0)[1] == ()


def some_scenes():
    images = np.arange(2 * 2 * 2 * 3, dtype=np.uint8).reshape(2, 2, 2, 3)
    centres = np.array([[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [np.nan, np.nan]]])
    radii = np.array([[1.0, 2.0], [3.0, np.nan]])
    return Scenes(images, (("a", "b"), ("c",)), ((0, NOBODY), (0,)), centres, radii)


def test_some_scenes_are_taken_whole_and_a_checksum_is_of_all():
    scenes = some_scenes()
    assert scenes.texts == ("a b", "c")
    turned = scenes.take([1, 0, 1])
    assert turned.texts == ("c", "a b", "c")
    assert turned.owners == ((0,), (0, NOBODY), (0,))
    assert np.array_equal(turned.images, scenes.images[[1, 0, 1]])
    assert np.array_equal(turned.centres, scenes.centres[[1, 0, 1]], equal_nan=True)
    assert np.array_equal(turned.radii, scenes.radii[[1, 0, 1]], equal_nan=True)
    others = (
        replace(scenes, images=scenes.images + np.uint8(1)),
        replace(scenes, captions=(("a", "b"), ("d",))),
        replace(scenes, owners=((0, 1), (0,))),
        replace(scenes, centres=scenes.centres + 1),
    )
    assert len({one.sha256 for one in (scenes, *others)}) == 5
    assert replace(scenes, centres=scenes.centres + 1e-9).sha256 == scenes.sha256
    photos = CaptionedPhotos(("1", "2"), (("a", "b"), ("c",)), scenes.images)
    expected = hashlib.sha256(repr((photos.names, photos.captions)).encode())
    expected.update(scenes.images.tobytes())
    assert photos.sha256 == expected.hexdigest()
    assert (len(photos), photos.flat) == (2, ("a", "b", "c"))


def test_a_grid_shows_the_digits_that_its_caption_says():
    """Every digit has one pixel of full ink, of its own, and one of half."""
    pictures = np.zeros((20, 8, 8), int)
    for n in range(20):
        pictures[n, 2 + n % 10 // 4, 2 + n % 10 % 4] = 16
        pictures[n, 5, 5] = 8
    grids = digit_grids(40, 3, (pictures, np.arange(20) % 10))
    for row, words in enumerate(grids.captions):
        assert np.ptp(grids.images[row], -1).max() == 0  # grey
        assert (grids.radii[row, : len(words)] == 8).all()
        assert np.isnan(grids.radii[row, len(words) :]).all()
        columns, ink = [], 0
        for word, (x, y) in zip(words, grids.centres[row, : len(words)].astype(int), strict=True):
            cell = grids.images[row, y - 8 : y + 8, x - 8 : x + 8, 0]
            assert cell.shape == (16, 16)
            down, across = np.nonzero(cell[2:14, 2:14] == 255)
            n = NAMES.index(word)
            assert set(down + 2) == {4 + 2 * (n // 4), 5 + 2 * (n // 4)}
            assert set(across + 2) == {4 + 2 * (n % 4), 5 + 2 * (n % 4)}
            assert (cell[10:12, 10:12] == 127).all()
            columns.append(round((x - 8) / 16))
            assert abs(x - 8 - 16 * columns[-1]) <= 2
            assert abs(y - 8 - 16 * round((y - 8) / 16)) <= 2
            ink += 4
        assert len(set(columns)) == len(words)
        assert (grids.images[row, ..., 0] == 255).sum() == ink
        rest = grids.images[row][(grids.images[row] != 255) & (grids.images[row] != 127)]
        assert 50 < rest.max() <= 64
    tops = {float(y) // 16 for y in grids.centres[..., 1].flatten() if y == y}
    assert tops == {0, 1, 2, 3}
    assert set(np.concatenate(grids.captions)) == set(NAMES)
    assert len(digit_grids(0, 1, (pictures, np.arange(20) % 10))) == 0


def test_splits_of_digits_share_none_and_keep_their_labels():
    pictures = np.arange(50)[:, None, None] * np.ones((1, 8, 8), int)
    parts = split_digits((pictures, np.arange(50) * 10))
    assert list(parts) == ["train", "valid", "test"]
    assert [len(labels) for _, labels in parts.values()] == [35, 5, 10]
    found = np.concatenate([labels for _, labels in parts.values()])
    assert sorted(found) == list(range(0, 500, 10))
    assert found.tolist() != sorted(found)
    for some, labels in parts.values():
        assert (some[:, 0, 0] * 10 == labels).all()
    other = split_digits((pictures, np.arange(50)), seed=1)
    assert other["test"][1].tolist() != (parts["test"][1] // 10).tolist()


@pytest.mark.parametrize(
    "line", [[0] * 64 + [10], [17] + [0] * 64, [-1] + [0] * 64, [0] * 64, [0] * 66]
)
def test_lines_that_are_no_digits_are_refused(line, tmp_path):
    path = tmp_path / "d.csv"
    path.write_text(",".join(map(str, [16] * 64 + [9])) + "\n" + ",".join(map(str, line)) + "\n")
    with pytest.raises(ValueError, match=rf"d\.csv:2: {len(line)} numbers came; expected 64 pixel"):
        load_digits(path)
    path.write_text("")
    with pytest.raises(ValueError, match=r"d\.csv: it holds no digit; expected 1,797\. Fetch"):
        load_digits(path)


def test_digits_are_looked_for_where_it_is_said(tmp_path, monkeypatch):
    def written(path, label):
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(gzip.compress(f"{','.join(['0'] * 64)},{label}\n".encode()))

    written(tmp_path / "digits" / "digits.csv.gz", 3)
    written(tmp_path / "other" / "digits.csv.gz", 4)
    assert load_digits(tmp_path)[1].tolist() == [3]
    monkeypatch.setenv("MEMNETS_DATA", str(tmp_path))
    assert load_digits()[1].tolist() == [3]
    assert load_digits(tmp_path / "other")[1].tolist() == [4]
    assert load_digits(tmp_path / "other" / "digits.csv.gz")[1].tolist() == [4]


def test_flickr8k_is_looked_for_where_it_is_said(tmp_path, monkeypatch):
    monkeypatch.delenv("MEMNETS_DATA", raising=False)
    with pytest.raises(FileNotFoundError, match=r"^Flickr8k: Flickr8k is not there"):
        flickr8k()
    folder = tmp_path / "flickr8k"
    folder.mkdir()
    captions, images = folder / "captions.txt", folder / "Images"
    captions.write_text("image,caption\n", encoding="utf-8")
    with pytest.raises(FileNotFoundError, match=rf"^{folder}: .*captions\.txt and Images"):
        flickr8k(folder)
    images.mkdir()
    assert flickr8k(folder) == flickr8k(tmp_path) == (captions, images)
    monkeypatch.setenv("MEMNETS_DATA", str(tmp_path))
    assert flickr8k() == (captions, images)
    with pytest.raises(FileNotFoundError, match=r"^elsewhere: .* is not there .*--data\.path"):
        flickr8k("elsewhere")


def test_cider_d_of_several_references_by_hand():
    """The mean over references; a picture counts once, however many of its captions say it."""
    apart = [[["a", "dog"], ["b", "cat"]], [["z"]]]
    assert cider_d([["a", "dog"], ["x"]], apart) == pytest.approx([10 * 2 / 4 / 2, 0])
    twice = [[["a", "dog"], ["a", "cat"]], [["z"]]]
    one = 1 / math.sqrt(2) * math.exp(-1 / 72)
    assert cider_d([["a"], ["z"]], twice) == pytest.approx([10 / 4 * one, 10 / 4])
    long = cider_d([["a", "dog", *"pqrst"], ["z"]], apart)[0]  # five bigrams more than either
    weigh = [2 / math.sqrt(2 * 7), 1 / math.sqrt(1 * 6)]
    assert long == pytest.approx(10 / 4 / 2 * math.exp(-25 / 72) * sum(weigh))
    known = [[["a", "b", "c", "d", "e"]], [["z"]]]  # whole, to four words in a row
    assert cider_d([["a", "b", "c", "d", "e"], ["z"]], known)[0] == pytest.approx(10)


def test_bleu_without_a_match_and_by_its_longest_grams():
    pytest.importorskip("sacrebleu")
    said, known = [["a", "b", "x", "c", "d"]], [[["a", "b", "y", "c", "d"]]]
    found = [caption_bleu(said, known, order) for order in (1, 2, 3)]
    assert found[0].unpunished == pytest.approx(80)
    assert found[1].unpunished == pytest.approx(100 * math.sqrt(0.8 * 0.5))
    assert found[1].score == pytest.approx(found[1].unpunished)  # as long as it should be
    assert caption_bleu([["q"]], [[["a"]]], 1).unpunished == 0
    with pytest.raises(ValueError, match=r"2 captions for 1 pictures came, and picture 2 lacks"):
        caption_bleu([["a"], ["b"]], known, 1)
    with pytest.raises(ValueError, match=r"CIDEr-D: 1 captions for 2 pictures"):
        cider_d([["a"]], [[["a"]], [["b"]]])


def test_the_last_photos_by_name_are_held_back_a_tenth_for_each_part(tmp_path):
    names = [f"{n:02}.png" for n in range(20)]
    lines = "".join(f"{name},of {name}\n" for name in names[::-1])
    (tmp_path / "c.csv").write_text(f"image,caption\n{lines}")
    values = {name: np.full((1, 2), float(n)) for n, name in enumerate(names)}
    made = {"network": "n", "layer": "l", "side": 8, "grid": (1, 1)}
    path = write_features(tmp_path / "f", values, **made)
    parts = load_photos(tmp_path / "c.csv", features=path)
    assert {part: photos.names for part, photos in parts.items()} == {
        "train": tuple(names[:16]), "valid": tuple(names[16:18]), "test": tuple(names[18:]),
    }  # fmt: skip
    assert parts["test"].captions == (("of 18.png",), ("of 19.png",))
    assert parts["test"].images[:, 0, 0].tolist() == [18, 19]
    assert parts["valid"].features["side"] == 8
    for name in ("train", "val", "test_images"):
        (tmp_path / f"{name}.txt").write_text("03.png\n\n 03.png \n01.png\nmissing.png\n")
    (tmp_path / "valid.txt").write_text("05.png\n")  # comes before val.txt
    listed = load_photos(tmp_path / "c.csv", splits=tmp_path, features=path)
    assert [listed[part].names for part in ("train", "valid", "test")] == [
        *(("03.png", "01.png"), ("05.png",), ("03.png", "01.png"))
    ]
    for name in ("valid", "val"):
        (tmp_path / f"{name}.txt").unlink()
    with pytest.raises(FileNotFoundError, match=r"it has no file valid\.txt or dev\.txt or val\.t"):
        load_photos(tmp_path / "c.csv", splits=tmp_path, features=path)


def test_captions_with_commas_and_blanks_are_read_whole(tmp_path):
    path = tmp_path / "c.csv"
    path.write_text('Image, Caption\n 1.png ,a dog, running,  fast\n\n2.png,"x, y"\n1.png,b\n')
    assert read_captions(path).captions == {
        "1.png": ("a dog, running, fast", "b"),
        "2.png": ("x, y",),
    }
    (tmp_path / "t.txt").write_text("1.png#0\ta\tb\n1.png \t c  d \n")
    assert read_captions(tmp_path / "t.txt").captions == {"1.png": ("a b", "c d")}
    (tmp_path / "t.txt").write_text("1.png#0\ta\n\n1.png#1\t \n")
    with pytest.raises(ValueError, match=r"t\.txt:3: the caption of 1\.png is empty; expected wor"):
        read_captions(tmp_path / "t.txt")
    (tmp_path / "c.csv").write_text("image,caption\n1.png,a\n\nno\n")
    with pytest.raises(ValueError, match=r"c\.csv:4: 'no' came; expected image,caption\."):
        read_captions(path)


def test_parts_of_karpathy_are_sorted_by_name_and_pictures_found_in_folders_below(tmp_path):
    import json

    image = pytest.importorskip("PIL.Image")
    told = [("b.png", "train"), ("a.png", "restval"), ("c.png", "val"), ("d.png", "test")]
    record = {"images": [
        {"filename": name, "split": part, "sentences": [{"raw": name}, {"raw": "x"}]}
        for name, part in told
    ]}  # fmt: skip
    (tmp_path / "k.json").write_text(json.dumps(record))
    below = tmp_path / "pictures" / "below"
    below.mkdir(parents=True)
    for n, (name, _part) in enumerate(told):
        image.new("RGB", (10, 10), (n, 0, 0)).save(below / name)
    parts = load_photos(tmp_path / "k.json", tmp_path / "pictures", side=10)
    assert parts["train"].names == ("a.png", "b.png")
    assert parts["train"].images[:, 0, 0, 0].tolist() == [1, 0]
    assert parts["train"].captions == (("a.png", "x"), ("b.png", "x"))
    assert parts["train"].features is None
    assert (parts["valid"].names, parts["test"].names) == (("c.png",), ("d.png",))
    for wrong in (tmp_path / "nowhere", tmp_path / "k.json"):
        with pytest.raises(FileNotFoundError, match=r"there is no such folder of pictures\. Name"):
            load_photos(tmp_path / "k.json", wrong)


def test_features_that_are_not_as_many_as_is_said_are_refused(tmp_path):
    import json

    from safetensors.numpy import save

    told = {"network": "n", "layer": "l", "side": 8, "grid": [2, 3], "dim": 4, "names": ["a", "b"]}
    for shape in ((2, 6, 5), (2, 5, 4), (3, 6, 4)):
        path = tmp_path / "f"
        path.write_bytes(save({"features": np.zeros(shape)}, {"memnets": json.dumps(told)}))
        with pytest.raises(ValueError, match=r"expected 2 pictures of 6 places, each of width 4"):
            read_features(path)
    with pytest.raises(ValueError, match=r"features of the shapes \[\(4, 2\), \(4, 3\)\] came; "):
        write_features(
            tmp_path / "g", {"a": np.zeros((4, 2)), "b": np.zeros((4, 3))},
            network="n", layer="l", side=8, grid=(2, 2),
        )  # fmt: skip
    path = write_features(
        tmp_path / "h", {"a": np.zeros((6, 2)), "b": np.ones((6, 2))},
        network="n", layer="l", side=8, grid=(2, 3),
    )  # fmt: skip
    found = read_features(path, network="n", grid=[2, 3])
    assert (found.path, found.names) == (path, ("a", "b"))
    assert found.values[1].all()
    with pytest.raises(ValueError, match=r"no features of c and 1 others"):
        found.of(["a", "c", "d"])


def test_pictures_are_cut_in_their_middle_turned_and_measured(tmp_path):
    image = pytest.importorskip("PIL.Image")
    from memnets.data.pictures.images import LEAST, read_image, resized

    thirds = np.zeros((10, 30, 3), np.uint8)
    thirds[:, 10:20, 1] = 200
    assert (resized(thirds, 10)[:, 1:-1] == [0, 200, 0]).all()
    assert (resized(thirds.transpose(1, 0, 2).copy(), 10)[1:-1] == [0, 200, 0]).all()
    assert resized(thirds, 5).shape == (5, 5, 3)
    held = image.fromarray(thirds)
    exif = image.Exif()
    exif[0x0112] = 6  # held upright
    held.save(tmp_path / "held.png", exif=exif)
    assert read_image(tmp_path / "held.png").shape == (30, 10, 3)
    assert np.array_equal(read_image(tmp_path / "held.png"), np.rot90(thirds, -1))
    half = image.new("RGBA", (LEAST, LEAST), (0, 0, 0, 51))  # a fifth black on white
    half.save(tmp_path / "half.png")
    assert (read_image(tmp_path / "half.png") == 204).all()
    for size in ((LEAST - 1, 20), (20, LEAST - 1)):
        image.new("L", size).save(tmp_path / "thin.png")
        with pytest.raises(ValueError, match=rf"has {size[0]} x {size[1]} pixels; expected 8 on"):
            read_image(tmp_path / "thin.png")
    share = np.full((9, 9), 0.5, np.float32)
    image.fromarray(share).save(tmp_path / "share.tiff")
    assert (read_image(tmp_path / "share.tiff") == 128).all()
    image.fromarray(share * 65_535).save(tmp_path / "whole.tiff")
    assert (read_image(tmp_path / "whole.tiff") == 128).all()
    for wrong in (np.zeros((9, 9, 4), np.uint8), np.zeros((9, 9, 3), np.float32)):
        with pytest.raises(ValueError, match=r"expected \(height, width, 3\), whole numbers"):
            resized(wrong, 8)


def test_a_picture_may_have_just_the_most_pixels(tmp_path, monkeypatch):
    image = pytest.importorskip("PIL.Image")
    from memnets.data.pictures import images

    image.new("L", (20, 10)).save(tmp_path / "a.png")
    monkeypatch.setattr(images, "MOST", 200)
    assert images.read_image(tmp_path / "a.png").shape == (10, 20, 3)
    monkeypatch.setattr(images, "MOST", 199)
    with pytest.raises(ValueError, match=r"claims 20 x 10 pixels; expected 199 in all at most"):
        images.read_image(tmp_path / "a.png")


def test_what_is_drawn_from_a_seed_is_the_same_everywhere():
    """Models are trained on them; if they are changed on purpose, renew the digests."""
    pictures = np.arange(20)[:, None, None] * np.ones((1, 8, 8), int) % 17
    grids = digit_grids(20, 3, (pictures, np.arange(20) % 10))
    assert shape_scenes(20, 7).sha256[:16] == "c3911a90d4a524a9"
    assert grids.sha256[:16] == "64fda315b3725300"
