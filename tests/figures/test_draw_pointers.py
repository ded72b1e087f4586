"""The pictures of trained pointer networks, transducers and Turing machines."""

import pytest

pytest.importorskip("matplotlib")

import draw_heads
import draw_ntm
import draw_pointers


@pytest.mark.parametrize("module", [draw_heads, draw_ntm, draw_pointers])
def test_nothing_is_drawn_of_no_runs(tmp_path, module):
    with pytest.raises(SystemExit, match="no finished run"):
        module.main([str(tmp_path), "--pictures", str(tmp_path)])
    assert not list(tmp_path.iterdir())


def test_a_word_belongs_to_the_operator_of_its_brackets():
    words = ["(", "*", "(", "+", "8", "7", ")", "5", ")"]
    found = [words[place] if place >= 0 else None for place in draw_heads.parents(words)]
    assert found == [None, None, "*", "*", "+", "+", "+", "*", "*"]
