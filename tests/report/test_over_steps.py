"""Where heads stood over many steps: a map for each head."""

import numpy as np
import pytest

pytest.importorskip("matplotlib")

from memnets.evidence import Answer, Step, Support
from memnets.report import html
from memnets.report.over_steps import WIDE, over_steps


def sequence(steps: int) -> Answer:
    """A machine that writes downwards from slot 9 and reads slot 3 throughout."""

    def head(step, kind, slot):
        return Step(f"{step + 1}: {kind}", (Support(slot, f"slot {slot}", 1.0),))

    heads = [(head(step, "write", 9 - step % 4), head(step, "read", 3)) for step in range(steps)]
    return Answer("copy of 7", "0110", 0.5, (), tuple(step for both in heads for step in both))


def test_every_head_has_a_map_of_the_same_slots():
    write, read = over_steps(sequence(30)).axes
    assert [axes.get_title(loc="left") for axes in (write, read)] == ["write", "read"]
    for axes in (write, read):
        assert [label.get_text() for label in axes.get_yticklabels()] == [
            *("slot 3", "slot 6", "slot 7", "slot 8", "slot 9")
        ]
        named = [label.get_text() for label in axes.get_xticklabels()]
        assert named == [str(1 + step) for step in range(0, 30, 3)]
    drawn = np.asarray(write.images[0].get_array())
    assert drawn.shape == (5, 30)
    assert drawn.argmax(0).tolist() == [4 - step % 4 for step in range(30)]
    assert np.asarray(read.images[0].get_array()).argmax(0).tolist() == [0] * 30
    assert write.images[0].get_clim() == (0, 1)


def test_few_steps_keep_their_figures():
    few, many = sequence(WIDE // 2), sequence(WIDE // 2 + 1)
    (_, figures), (_, maps) = html._drawn([], [few, many], [], [])
    assert not figures.axes[0].images
    assert len(maps.axes) == 2
