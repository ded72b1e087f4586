"""Formulas of the site: drawn wherever they stand, and nothing else taken for one."""

import pytest

pytest.importorskip("markdown", reason="make docs installs it")
pytest.importorskip("math_core", reason="make docs installs it")

import markdown

from tools.formulas import Formulas, mathml


def html(text):
    return markdown.markdown(text, extensions=[Formulas(), "tables"])


def test_a_displayed_formula_may_be_followed_by_its_source():
    drawn = html("$$ e_{ij} = v_a^\\top k_j,\n   \\qquad j < n $$  (Luong et al., Eq. 8)")
    assert drawn.startswith('<p><span class="formula"><math display="block">')
    assert drawn.endswith("</math></span>  (Luong et al., Eq. 8)</p>")
    assert drawn.count("<math") == 1


def test_signs_of_markdown_mean_nothing_within_a_formula():
    drawn = html(r"$\{a_1, b_1\}$ and $a*b*c$, $x_1$")
    assert drawn.count("<math>") == 3
    assert "<em>" not in drawn
    assert "{" in drawn  # a backslash before it is LaTeX's


@pytest.mark.parametrize("text", ["$5 and $6", r"\$a\$", "`$a$` and `$$a$$`", "a $ b $ c"])
def test_dollars_that_enclose_no_formula_stay(text):
    drawn = html(text)
    assert "<math" not in drawn
    assert "$" in drawn


def test_a_formula_stands_in_a_table():
    assert "<td><math>" in html("| score |\n| --- |\n| $q^\\top k$ |")


def test_a_formula_that_cannot_be_drawn_is_named():
    with pytest.raises(ValueError, match=r"the formula '\\\\fracc a' cannot be drawn"):
        mathml(r"\fracc a", displayed=False)
