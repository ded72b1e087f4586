"""The picture of what translators read."""

import pytest

pytest.importorskip("matplotlib")

from draw_translation import ACROSS, by_length, main, picture
from memnets.evidence import Alignment
from memnets.results import Series


def test_each_model_has_a_matrix_of_the_same_words():
    one = Alignment(("ein", "Hund"), ("a", "dog", "."), ((0.9, 0.1), (0.2, 0.8), (0.5, 0.5)))
    names = [f"model {number}" for number in range(ACROSS + 1)]
    figure = picture(dict.fromkeys(names, one))
    drawn = [axes for axes in figure.axes if axes.get_visible()]
    assert [axes.get_title(loc="left") for axes in drawn] == names
    for place, axes in enumerate(drawn):
        assert axes.images[0].get_array().tolist() == [list(row) for row in one.weights]
        assert [label.get_text() for label in axes.get_xticklabels()] == ["ein", "Hund"]
        words = [label.get_text() for label in axes.get_yticklabels()]
        assert words == (["a", "dog", "."] if place % ACROSS == 0 else [""] * 3)
    assert len(figure.axes) == 2 * ACROSS


def test_nothing_is_drawn_of_no_runs(tmp_path):
    with pytest.raises(SystemExit, match="no finished run"):
        main([str(tmp_path), "--pictures", str(tmp_path)])
    assert not list(tmp_path.iterdir())


def test_rows_of_several_runs_have_a_curve_by_length():
    curves = [
        Series(name="one run", x=(6.0, 11.0), y=(40.0, 30.0), spread=None),
        Series(name="three runs", x=(6.0, 11.0), y=(50.0, 20.0), spread=(3.0, 1.0)),
        Series(name="others", x=(6.0, 11.0), y=(10.0, 5.0), spread=(2.0, 2.0)),
    ]
    (axes,) = by_length(curves).axes
    assert [line.get_label() for line in axes.lines] == ["three runs", "others"]
    assert axes.lines[0].get_ydata().tolist() == [50.0, 20.0]
    edges = axes.collections[0].get_paths()[0].vertices
    assert {tuple(corner) for corner in edges.tolist()} >= {(6.0, 47.0), (6.0, 53.0), (11.0, 21.0)}
