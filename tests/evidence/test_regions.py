"""A picture, and what was seen of it."""

import base64
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


def test_what_was_seen_is_told_and_drawn_by_its_numbers():
    seen = regions()
    assert seen.to_json() == {
        "names": ["<b>", "square"],
        "weights": [[[0, 0, 0], [0, 0, 1.0]], [[0.166667] * 3] * 2],
        "gates": [0.25, 1.0],
        "circles": [[3.0, 2.0, 1.0], None],
        "side": [4, 6],
    }
    half = np.zeros((2, 2, 3))
    half[:, 0, 0], half[:, 0, 1] = 0.5, 0.125
    veil = regions(circles=()).__class__(seen.image, "ab", half, np.ones(2)).veil(1)
    assert veil[0, :, 3].tolist() == [0, round(255 * 0.8 * 0.75), 204]
    assert not veil[..., :3].any()
    nothing = Regions(seen.image, "a", np.zeros((1, 2, 3)), np.ones(1))
    assert (nothing.veil(0)[..., 3] == 204).all()
    assert nothing.most(0) == seen.most(1) == (1.0, 1.0)
    page = seen.to_html()
    assert "--shape:6/4" in page
    assert '<svg viewBox="0 0 6 4"><circle cx="3.0" cy="2.0" r="1.0"/></svg>' in page
    first, second = page.split("<figcaption>")[2:]
    assert first.startswith("&lt;b&gt; <small>0.25</small>")
    assert second.startswith("square <small>1.00</small>")
    assert 'alt="where square looked"' in page
    png_of = "data:image/png;base64," + base64.b64encode(png(seen.veil(0))).decode()
    assert page.index(png_of) < page.index("&lt;b&gt; <small>")
    assert Answer("q", "a", 1.0, (), (), regions=seen).to_json()["regions"] == seen.to_json()


@pytest.mark.usefixtures("shapes_unchecked")
@pytest.mark.parametrize("changed", ["names", "weights", "gates"])
def test_as_many_of_each_are_expected(changed):
    given = {"names": "ab", "weights": np.zeros((2, 2, 3)), "gates": np.ones(2)}
    given[changed] = given[changed][:1]
    with pytest.raises(ValueError, match=r"and 0 circles came; expected as many of each"):
        Regions(regions().image, **given)


def test_parts_of_another_picture_are_refused():
    with pytest.raises(ValueError, match="2 names, 2 maps, 2 gates and 1 circles came; expected"):
        regions(circles=[None])
