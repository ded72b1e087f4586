"""The page of a session: answers beside what they should be, misses marked."""

import pytest

import draw_session
from memnets.data.qa.asked import AskedQuestion
from memnets.kb.questions.judged import compared


def test_misses_are_marked():
    asked = AskedQuestion("who | what?", ("Ada", "Bo"), "plain")
    rows = [
        compared(asked, ("Bo", "Ada"), 0.914),
        compared(asked, ("Bo",), 0.5),
        compared(asked, (), 0.3),
        compared(AskedQuestion("why?", ()), (), 0.7),
    ]
    page = draw_session._page("BUILT", "TRAINED", 1.25, "ASKED", rows)
    assert [line for line in page.splitlines() if line.startswith("| wh")] == [
        "| who / what? | Bo · Ada | 91% | right | Ada · Bo |",
        "| who / what? | Bo | 50% | **wrong** | Ada · Bo |",
        "| who / what? | I don't know | 30% | **declined** | Ada · Bo |",
        "| why? | I don't know | 70% | right | I don't know |",
    ]
    assert "2 were answered\nrightly" in page
    assert all(said in page for said in ("BUILT", "TRAINED", "1.2 minutes", "ASKED"))


def test_a_command_that_fails_ends_it(tmp_path):
    with pytest.raises(SystemExit, match=r"none.csv: this does not exist"):
        draw_session._said("build", str(tmp_path / "none.csv"), "--out", str(tmp_path / "kb"))
