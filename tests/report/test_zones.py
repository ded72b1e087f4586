"""What a memory of zones read: the numbers by hand, the picture, the page."""

import json
import re
from html.parser import HTMLParser

import numpy as np
import pytest

from memnets.evidence import ReadText
from memnets.report.zones import heat_map, write_page, write_texts

WORDS = ("Mary", "went", "home", "<b>", "$5")
# Two zones of two slots; at the fifth step the first zone is still there, the third is not begun.
ZONES = [[0, 0], [1, 0], [0.75, 0], [0.25, 0.5], [0, 0.625]]
SLOTS = [
    [[0, 0], [0, 0]],
    [[1, 0], [0, 0]],
    [[0.25, 0.75], [0, 0]],
    [[0.5, 0.5], [1, 0]],
    [[0, 0], [0.2, 0.8]],
]
STEPS = [
    [[-1, -1], [-1, -1]],
    [[0, -1], [-1, -1]],
    [[0, 1], [-1, -1]],
    [[0, 1], [2, -1]],
    [[0, 1], [2, 3]],
]
WEIGHTS = [
    [0, 0, 0, 0, 0],
    [1, 0, 0, 0, 0],
    [0.1875, 0.5625, 0, 0, 0],
    [0.125, 0.125, 0.5, 0, 0],
    [0, 0, 0.125, 0.5, 0],
]


def text(words=WORDS, shift=0, **changes):
    """Return the text above; with a shift, as if it had begun so many words later."""
    numbers = {"zones": np.array(ZONES, float), "slots": np.array(SLOTS, float)}
    steps = np.array(STEPS) - shift
    numbers = {name: part[shift:] for name, part in {**numbers, "steps": steps}.items()}
    return ReadText(words[shift:], **{**numbers, "first": shift, **changes})


def test_a_word_s_weight_is_the_product_of_both():
    np.testing.assert_allclose(text().weights, WEIGHTS)
    assert text().readable.tolist() == [[s < t for s in range(5)] for t in range(5)]
    assert not text().before.any()
    assert [text().chosen(t) for t in range(5)] == [
        {}, {0: 1.0}, {0: 0.75}, {0: 0.25, 1: 0.5}, {1: 0.625},
    ]  # fmt: skip
    assert text().borders == [0, 2, 4]


def test_a_text_begins_with_its_first_word_unless_told_otherwise():
    plain = ReadText(("a",), np.ones((1, 1)), np.ones((1, 1, 2)), np.full((1, 1, 2), -1))
    assert (plain.first, plain.unit) == (0, "word")
    assert plain.borders == [0]
    assert plain.before.tolist() == [0.0]


def test_a_zone_is_as_long_as_it_has_slots_however_many_zones_there_are():
    steps = np.full((7, 2, 3), -9)
    steps[3, 0], steps[6, 0], steps[6, 1] = [-1, 0, 1], [-1, 0, 1], [2, 3, 4]
    zones = np.zeros((7, 2))
    zones[3], zones[6] = [0.5, 0], [0.25, 0.75]
    told = ReadText("abcdefg", zones, np.full((7, 2, 3), 0.5), steps, first=1)
    assert told.borders == [2, 5]
    assert [told.zone_of(step) for step in range(7)] == [0, 0, 1, 1, 1, 2, 2]
    assert (told.chosen(3), told.chosen(6)) == ({0: 0.5}, {0: 0.25, 1: 0.75})
    assert told.weights[6].tolist() == [0.125, 0.125, 0.375, 0.375, 0.375, 0, 0]
    assert told.before.tolist() == [0, 0, 0, 0.25, 0, 0, 0.125]


def test_a_text_may_begin_amid_a_zone():
    late = text(shift=1)
    np.testing.assert_allclose(late.weights, np.array(WEIGHTS)[1:, 1:])
    np.testing.assert_allclose(late.before, np.array(WEIGHTS)[1:, 0])
    assert late.borders == [1, 3]
    assert [late.zone_of(t) for t in range(4)] == [0, 1, 1, 2]
    assert [late.chosen(t) for t in range(4)] == [{}, {0: 0.75}, {0: 0.25, 1: 0.5}, {1: 0.625}]


def test_zeros_that_no_step_wrote_are_not_what_was_before_the_text():
    zones, slots = np.array(ZONES, float), np.array(SLOTS, float)
    zones[1], slots[1, 1] = [0.5, 0.5], [0.5, 0.5]  # of the zone that is still empty
    late = text(shift=1, zones=zones[1:], slots=slots[1:])
    np.testing.assert_allclose(late.before, [0.5, *np.array(WEIGHTS)[2:, 0]])
    assert late.chosen(0) == {}


def test_what_was_forgotten_cannot_be_read():
    steps = np.array(STEPS)
    steps[4] = [[2, 3], [-1, -1]]
    assert text(steps=steps).readable[4].tolist() == [False, False, True, True, False]


@pytest.mark.parametrize(
    "changes",
    [
        {"zones": np.zeros((4, 2))},
        {"slots": np.zeros((5, 2, 3))},
        {"steps": np.zeros((5, 3, 2), int)},
        {"words": WORDS[:4]},
    ],
)
def test_numbers_of_another_text_are_refused(changes):
    numbers = {"words": WORDS, "zones": np.zeros((5, 2)), "slots": np.zeros((5, 2, 2))}
    numbers |= {"steps": np.zeros((5, 2, 2), int)} | changes
    words = len(numbers["words"])
    with pytest.raises(ValueError, match=rf"ReadText of {words} words: .* Pass the numbers of one"):
        ReadText(**numbers)


def test_the_picture_shows_weights_zones_and_what_was_chosen():
    pytest.importorskip("matplotlib")
    figure = heat_map(text())
    axes = figure.axes[0]
    shown = axes.images[0].get_array()
    np.testing.assert_allclose(shown.filled(0), WEIGHTS)
    assert (~shown.mask).tolist() == text().readable.tolist()
    assert [line.get_xdata()[0] for line in axes.lines] == [-0.5, 1.5, 3.5]
    frames = [(patch.get_x(), patch.get_y(), patch.get_width()) for patch in axes.patches]
    assert frames == [(-0.5, 0.5, 1), (-0.5, 1.5, 2), (-0.5, 2.5, 2), (1.5, 2.5, 1), (1.5, 3.5, 2)]
    for labels in (axes.get_xticklabels(), axes.get_yticklabels()):
        assert tuple(label.get_text() for label in labels) == WORDS
        assert not any(label.get_parse_math() for label in labels)


def test_a_picture_of_a_text_that_began_earlier_frames_its_own_words():
    pytest.importorskip("matplotlib")
    axes = heat_map(text(shift=1)).axes[0]
    assert [line.get_xdata()[0] for line in axes.lines] == [0.5, 2.5]
    frames = [(patch.get_x(), patch.get_y(), patch.get_width()) for patch in axes.patches]
    assert frames == [(-0.5, 0.5, 1), (-0.5, 1.5, 1), (0.5, 1.5, 1), (0.5, 2.5, 2)]


def test_no_text_is_clipped(tmp_path):
    pytest.importorskip("matplotlib")
    from PIL import Image

    from memnets.report.plots import save

    save(heat_map(text(words=("a very long word indeed", *WORDS[1:]))), tmp_path / "heat.png")
    image = Image.open(tmp_path / "heat.png").convert("L")
    across, down = image.size
    edges = [(0, 0, across, 5), (0, down - 5, across, down), (0, 0, 5, down)]
    edges.append((across - 5, 0, across, down))
    assert all(image.crop(edge).getextrema() == (255, 255) for edge in edges)


class Page(HTMLParser):
    """Collects the words by zone, and the scripts."""

    def __init__(self, page):
        super().__init__()
        self.zones, self.scripts, self.tags, self.now = {}, [], [], None
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.tags.append((tag, given))
        self.now = tag if tag == "script" else given.get("class")
        if self.now == "zone":
            self.zones[int(given["data-zone"])] = []

    def handle_endtag(self, tag):
        self.now = None

    def handle_data(self, data):
        if self.now == "word":
            list(self.zones.values())[-1].append(data)
        if self.now == "script":
            self.scripts.append(data)


def written(folder, shown, title="a title"):
    path = write_page(folder / "page.html", shown, title)
    assert [path.name for path in folder.iterdir()] == ["page.html"]
    return Page(path.read_text("utf-8"))


def test_the_page_has_the_words_zone_by_zone_and_what_each_read(tmp_path):
    page = written(tmp_path, text())
    assert page.zones == {0: ["Mary", "went"], 1: ["home", "<b>"], 2: ["$5"]}
    words = [given for tag, given in page.tags if given.get("class") == "word"]
    assert [given["data-step"] for given in words] == list("01234")
    assert all(given["tabindex"] == "0" for given in words)
    reads = json.loads(page.scripts[0])
    assert reads[0] == {"words": {}, "zones": {}, "readable": [], "before": 0}
    assert reads[3] == {
        "words": {"0": 0.125, "1": 0.125, "2": 0.5},
        "zones": {"0": 0.25, "1": 0.5},
        "readable": [0, 2],
        "before": 0,
    }
    assert reads[4]["words"] == {"2": 0.125, "3": 0.5}


def test_what_is_read_by_half_a_per_cent_is_told(tmp_path):
    zones = np.array([[0.0], [1.0], [1.0]])
    slots = np.array([[[0.0, 0.0]], [[0.005, 0.0]], [[0.0049, 0.995]]])
    steps = np.array([[[-1, -1]], [[0, -1]], [[0, 1]]])
    page = written(tmp_path, ReadText(("a", "b", "c"), zones, slots, steps))
    assert [read["words"] for read in json.loads(page.scripts[0])] == [
        {}, {"0": 0.005}, {"1": 0.995},
    ]  # fmt: skip


def test_a_page_of_a_text_that_began_earlier_says_what_was_read_of_that(tmp_path):
    page = written(tmp_path, text(shift=1))
    assert page.zones == {0: ["went"], 1: ["home", "<b>"], 2: ["$5"]}
    assert [read["before"] for read in json.loads(page.scripts[0])] == [1, 0.1875, 0.125, 0]


def test_the_page_loads_nothing_and_hostile_text_stays_text(tmp_path, hostile):
    page = written(tmp_path, text(words=(hostile, "</script><b>", *WORDS[2:])), title=hostile)
    assert page.zones[0] == [hostile, "</script><b>"]
    assert [tag for tag, _ in page.tags].count("script") == 2
    assert {tag for tag, _ in page.tags}.isdisjoint({"link", "iframe", "img", "object"})
    assert not any("src" in given or "href" in given for _, given in page.tags)
    source = (tmp_path / "page.html").read_text("utf-8")
    assert not re.search(r"url\(|@import|fetch\(|import ", source)


def test_an_empty_text_is_an_empty_page(tmp_path):
    nothing = ReadText((), np.zeros((0, 2)), np.zeros((0, 2, 2)), np.zeros((0, 2, 2), int))
    assert written(tmp_path, nothing).zones == {}


def test_every_text_has_a_page_and_a_picture(tmp_path):
    pages = list(write_texts(tmp_path, [text(), text(shift=1)], "a run"))
    assert [page.name for page in pages] == ["read-1.html", "read-2.html"]
    assert "<h1>a run: what was read</h1>" in pages[0].read_text()
    assert {path.name for path in tmp_path.glob("*.png")} == {"read-1.png", "read-2.png"}


def test_the_page_and_the_picture_name_what_is_read(tmp_path):
    told = text(unit="character")
    page = write_page(tmp_path / "read.html", told, "toy").read_text()
    assert "Point at a character" in page
    assert "which earlier characters were read" in page
    assert 'data-unit="character"' in page
    axes = heat_map(told).axes[0]
    assert axes.get_ylabel() == "character read"
    assert axes.get_xlabel().startswith("character remembered")
