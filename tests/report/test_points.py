"""Pictures of answers about points: what is drawn, how surely, and in the page of a report."""

from dataclasses import replace

import pytest

from memnets.evidence import PointsAnswer, Step, Support
from memnets.evidence.points import _placed, picture_of
from memnets.report.html import write_report
from memnets.report.points import points_plot


def step(name, *weights):
    return Step(name, tuple(Support(n, str(n), weight) for n, weight in enumerate(weights)))


def answer(shape="polygon", chosen=(1, 2, 3, 1), sure=0.75):
    rest = 1 - sure
    steps = [step(str(n), *(sure if n == at else rest / 3 for at in range(4))) for n in chosen]
    points = ((0.0, 0.0), (2.0, 0.0), (0.0, 1.0))
    given = {"gold": "1 2 3 1", "points": points, "chosen": chosen, "shape": shape}
    return PointsAnswer("hull <of> 3", "1 2 3 1", 0.5, (), tuple(steps), **given)


def lines(found, chosen):
    return [(line.start, line.end, line.weight) for line in found.lines if line.chosen is chosen]


def test_a_line_is_as_sure_as_the_choice_of_its_end():
    found = answer(sure=0.75)
    assert lines(found, True) == [(0, 1, 0.75), (1, 2, 0.75), (2, 0, 0.75)]
    faint = pytest.approx(0.25 / 3)
    assert lines(found, False) == [(0, 2, faint), (1, 0, faint), (2, 1, faint)]
    assert not lines(answer(sure=0.97), False)
    assert lines(answer("tour", (1, 2, 3)), True)[-1] == (2, 0, 1.0)
    assert lines(answer("triangles", (1, 2, 3)), True) == [(0, 1, 0.75), (1, 2, 0.75), (2, 0, 0.75)]
    assert answer("order", (2, 1, 3)).drawn == ((0, 2), (2, 1), (0, 3))


def test_lines_of_several_triangles_and_of_what_was_weighed_beside_them():
    """A triangle is as sure as its least sure corner; a point weighed by 5 % is not drawn."""
    given = [(0.1, 0.5, 0.2, 0.2), (0.1, 0.1, 0.6, 0.2), (0.1, 0.1, 0.1, 0.7)] * 2 + [
        (1.0, 0.0, 0.0, 0.0)
    ]
    steps = tuple(step(str(n), *weights) for n, weights in enumerate(given))
    points = ((0.0, 0.0), (2.0, 0.0), (0.0, 1.0))

    def drawn(shape, chosen, steps=steps):
        return PointsAnswer("q", "a", 0.5, (), steps, points=points, chosen=chosen, shape=shape)

    found = drawn("triangles", (1, 2, 3, 3, 2, 1))
    assert lines(found, True) == [
        *((0, 1, 0.5), (1, 2, 0.5), (2, 0, 0.5)), *((2, 1, 0.1), (1, 0, 0.1), (0, 2, 0.1))
    ]  # fmt: skip
    assert len(lines(drawn("triangles", (1, 2, 3, 3, 2)), True)) == 3
    assert lines(drawn("tour", (1, 2)), True) == [(0, 1, 0.6)]
    faint = tuple(
        step("s", *weights) for weights in ((0.0, 1.0, 0.0, 0.0), (0.0, 0.05, 0.9, 0.051))
    )
    assert lines(drawn("polygon", (1, 2), faint), False) == [(0, 2, 0.051)]
    assert lines(drawn("polygon", (3, 2), faint), False) == []
    assert [one.chosen for one in drawn("polygon", (1, 2), faint).lines] == [False, True]
    last = lines(drawn("polygon", (1, 2), faint[:1] + faint[1:] * 2), False)
    assert last == [(0, 2, 0.051), (1, 2, 0.051)]
    assert drawn("order", (3, 1)).drawn == ((0, 2), (2, 0), (0, 1))
    assert drawn("tour", (3, 1)).drawn == points


def test_where_points_stand_in_a_picture():
    assert list(_placed(((0.0, 5.0), (4.0, 7.0), (2.0, 6.0)))) == [
        (24, 296), (296, 160), (160, 228)
    ]  # fmt: skip
    assert list(_placed(((1.0, 0.0), (2.0, 4.0)))) == [(24, 296), (92, 24)]
    assert list(_placed(((3.0, 3.0),))) == [(24, 296)]
    assert list(_placed(())) == []
    drawn = picture_of(answer())
    assert '<text x="29.0" y="291.0">1</text>' in drawn
    assert 'class="said" x1="24.0" y1="296.0" x2="296.0" y2="296.0" style="--sure:0.750"' in drawn
    assert "<title>1 to 2: 0.750000</title>" in drawn
    assert drawn.index('class="beside"') < drawn.index('class="said"') < drawn.index("<circle")


def test_what_is_right_is_said_and_its_picture_coloured():
    right = replace(answer(), runners_up=(("1 3 2 1", 0.25),))
    assert right.remarks == ("right, as computed",)
    page = right.to_html()
    assert '<p class="good">' in page
    assert '<p class="remark">then 1 3 2 1 25.0%' in page
    assert "as computed" not in page  # the sign before the answer says it
    wrong = replace(right, text="1 3 2 1")
    assert wrong.remarks == ("wrong: computed was 1 2 3 1",)
    assert '<p class="bad">' in wrong.to_html()
    nobody = replace(right, gold=None)
    assert nobody.remarks == ()
    assert '<p class="">' in nobody.to_html()
    assert "<svg" not in replace(right, points=(), chosen=(), steps=()).to_html()


def test_a_plot_has_the_points_and_their_lines(tmp_path):
    pytest.importorskip("matplotlib")
    (axes,) = points_plot(answer()).axes
    said = [line for line in axes.lines if line.get_linestyle() == "-"]
    beside = [line for line in axes.lines if line.get_linestyle() == "--"]
    assert [list(line.get_xdata()) for line in said] == [[0, 2], [2, 0], [0, 0]]
    assert [list(line.get_ydata()) for line in said] == [[0, 0], [0, 1], [1, 0]]
    assert {line.get_alpha() for line in said} == {0.25 + 0.75 * 0.75}
    assert [line.get_alpha() for line in beside] == [pytest.approx(0.25 / 3)] * 3
    (dots,) = (line for line in axes.lines if line.get_marker() == "o")
    assert [tuple(one) for one in dots.get_xydata()] == [(0, 0), (2, 0), (0, 1)]
    texts = [(text.get_text(), text.xy) for text in axes.texts]
    assert texts[:3] == [("1", (0, 0)), ("2", (2, 0)), ("3", (0, 1))]
    assert texts[3][0] == answer().in_words
    assert axes.texts[3].get_color() == "#0072B2"
    wrong = points_plot(replace(answer(), text="x")).axes[0].texts[3]
    assert wrong.get_color() == "#C04A00"
    assert points_plot(replace(answer(), gold=None)).axes[0].texts[3].get_color() == "black"
    order = points_plot(answer("order", (2, 1, 3))).axes[0]
    assert (order.get_xlabel(), order.get_ylabel()) == ("number", "place that it was given")
    assert (order.get_aspect(), axes.get_aspect()) == ("auto", 1.0)


def test_a_page_shows_the_points(tmp_path):
    pytest.importorskip("matplotlib")
    found = answer()
    text = found.to_html()
    assert "hull &lt;of&gt; 3" in text
    assert text.count("<circle") == 3
    assert text.count('class="said"') == 3
    assert 'x1="24.0" y1="296.0" x2="296.0"' in text  # from the lower left to the right
    page = write_report(tmp_path / "index.html", title="t", record={}, answers=[found])
    assert (tmp_path / "points-01.png").read_bytes().startswith(b"\x89PNG")
    assert "points-01.png" in page.read_text()
    for shape in ("tour", "triangles", "order"):
        axes = points_plot(answer(shape, (1, 2, 3))).axes[0]
        assert axes.get_title() == "hull <of> 3"
