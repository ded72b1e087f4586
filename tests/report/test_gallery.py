"""A picture beside what each word saw of it: what is drawn where."""

import numpy as np
import pytest

pytest.importorskip("matplotlib")

from memnets.evidence import Answer, Regions
from memnets.report.gallery import seen_regions, write_gallery


def answer(reads=7):
    image = np.full((20, 30, 3), 7, np.uint8)
    weights = np.zeros((reads, 2, 3))
    weights[:, 1, 2] = 1.0
    gates = np.arange(reads) / 10
    rings = [(3.0, 4.0, 5.0), *[None] * (reads - 1)]
    names = [f"$w{n}$" for n in range(reads)]
    return Answer("<q>", "a b", 0.5, (), (), regions=Regions(image, names, weights, gates, rings))


def test_a_picture_stands_first_and_then_once_for_each_word():
    told = answer()
    figure = seen_regions(told)
    tall = 1.6 * 20 / 30 + 0.3
    assert figure.get_size_inches().tolist() == pytest.approx([6 * 1.6, 2 * tall])
    assert len(figure.axes) == 8
    for number, axes in enumerate(figure.axes):
        row, column = divmod(number, 6)
        place = axes.get_position(original=True)
        assert (place.x0, place.y0) == pytest.approx((column / 6, 1 - (row + 1) / 2))
        assert place.height == pytest.approx((tall - 0.3) / tall / 2)
        picture, *veils = axes.images
        assert np.array_equal(picture.get_array(), told.regions.image)
        assert picture.get_extent() == [0, 30, 20, 0]
        assert len(veils) == bool(number)
        assert len(axes.patches) == (number == 1)
    for read in range(7):
        axes = figure.axes[read + 1]
        assert axes.get_title() == f"$w{read}$  0.{read}0"
        assert not axes.title.get_parse_math()
        assert np.array_equal(axes.images[1].get_array(), told.regions.veil(read))
        assert (axes.get_xlim(), axes.get_ylim()) == ((0, 30), (20, 0))
    (ring,) = figure.axes[1].patches
    assert (ring.center, ring.radius) == ((3.0, 4.0), 5.0)
    assert figure.get_suptitle() == "<q>\na b (50.0%)"
    (title,) = figure.texts
    assert (title.get_position()[1], title.get_va()) == (1 + 0.1 / (2 * tall), "bottom")
    assert title.get_fontsize() > figure.axes[1].title.get_fontsize()
    assert not title.get_parse_math()
    few = seen_regions(answer(2))
    assert few.get_size_inches().tolist() == pytest.approx([3 * 1.6, tall])


def test_a_gallery_is_a_page_and_a_picture_of_one_name(tmp_path):
    page, picture = write_gallery(tmp_path, "n", answer(1))
    assert (page, picture) == (tmp_path / "n.html", tmp_path / "n.png")
    text = page.read_text()
    assert "<title>&lt;q&gt;</title>" in text
    assert "<h1>&lt;q&gt;</h1>" in text
    assert 'class="regions"' in text
    assert "<q>" not in text
    assert picture.read_bytes().startswith(b"\x89PNG")
