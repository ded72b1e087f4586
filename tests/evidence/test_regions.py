"""A picture, and what was seen of it."""

import io

import numpy as np
import pytest

from memnets.evidence import Answer, Regions, Step, Support
from memnets.evidence.regions import VEIL, png


def regions(**changed):
    image = np.arange(4 * 6 * 3, dtype=np.uint8).reshape(4, 6, 3)
    weights = np.zeros((2, 2, 3))
    weights[0, 1, 2], weights[1] = 1.0, 1 / 6
    given = {"circles": [(3.0, 2.0, 1.0), None]} | changed
    return Regions(image, ("<b>", "square"), weights, np.array([0.25, 1.0]), **given)


def test_a_read_has_its_place_and_its_veil():
    seen = regions()
    assert seen.most(0) == (5.0, 3.0)
    assert seen.circle(0) == (3.0, 2.0, 1.0)
    assert seen.circle(1) is None
    veil = seen.veil(0)[..., 3]
    assert veil[1, 2] == 0
    assert (np.delete(veil.flatten(), 5) == round(255 * VEIL)).all()
    assert not seen.veil(1)[..., 3].any()
    assert regions(circles=()).circle(0) is None


def test_a_picture_is_written_as_others_read_it():
    image = pytest.importorskip("PIL.Image")
    for array in (regions().image, regions().veil(0)):
        read = np.asarray(image.open(io.BytesIO(png(array))))
        assert np.array_equal(read, array)


def test_an_answer_shows_the_picture_in_place_of_the_heat_map():
    steps = (Step("<b>", (Support(0, "row 1, column 1", 1.0),)),)
    answer = Answer("<i>.png", "a & b", 0.5, (), steps, regions=regions())
    page = answer.to_html()
    assert page.count("data:image/png;base64,") == 3
    assert page.count("<circle") == 1
    assert 'class="heat"' not in page
    assert "&lt;b&gt; <small>0.25</small>" in page
    assert "<b>" not in page.replace("<b>row", "")
    assert "<i>" not in page
    record = answer.to_json()
    assert record["regions"]["side"] == [4, 6]
    assert "regions" not in Answer("q", "a", 1.0, (), ()).to_json()


def test_parts_of_another_picture_are_refused():
    with pytest.raises(ValueError, match="2 names, 2 maps, 2 gates and 1 circles came; expected"):
        regions(circles=[None])
