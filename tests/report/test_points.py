"""Pictures of answers about points: what is drawn, how surely, and in the page of a report."""

import pytest

from memnets.evidence import PointsAnswer, Step, Support
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
