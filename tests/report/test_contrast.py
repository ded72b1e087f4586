"""Every text of a page stands out from what is behind it: 4.5 to 1, as WCAG 2 asks (AA)."""

import re
from itertools import pairwise

import pytest
from matplotlib import colormaps
from matplotlib.colors import to_rgb

from memnets.evidence.html import DARK
from memnets.evidence.html import STYLE as HEAT
from memnets.report import plots
from memnets.report.html import STYLE as PAGE
from memnets.report.zones import STYLE as ZONES

LEAST = 4.5
DEPTHS = [step / 1000 for step in range(1001)]


def luminance(colour):
    parts = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour))
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True))


def contrast(one, other):
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def mixed(one, other, share):
    pairs = zip(to_rgb(one), to_rgb(other), strict=True)
    return tuple(share * a + (1 - share) * b for a, b in pairs)


def rules(css):
    """Every rule: what it is for, its declarations, and whether it is for dark pages."""
    for dark, part in enumerate(re.split(r"@media \(prefers-color-scheme: dark\)", css)):
        block, rest = part, ""
        if dark:  # up to the brace that closes the media rule
            depth = [0]
            for sign in part:
                depth.append(depth[-1] + {"{": 1, "}": -1}.get(sign, 0))
            end = next(i for i, (a, b) in enumerate(pairwise(depth)) if (a, b) == (1, 0))
            block, rest = part[part.index("{") + 1 : end], part[end + 1 :]
        for text, for_dark in ((block, bool(dark)), (rest, False)):
            for selector, body in re.findall(r"([^{}]+)\{([^{}]*)\}", text):
                pairs = (one.split(":", 1) for one in body.split(";") if ":" in one)
                yield selector.strip(), {k.strip(): v.strip() for k, v in pairs}, for_dark


def variables(css, dark):
    found = {}
    for _, declared, for_dark in rules(css):
        if not for_dark or dark:
            found |= {name: value for name, value in declared.items() if name.startswith("--")}
    return found


def texts(css, dark):
    """Every colour of a text, what it is of, and what is behind it."""
    known = variables(css, dark)

    def value(text):
        return re.sub(r"var\((--[\w-]+)\)", lambda name: known.get(name[1], name[1]), text)

    for selector, declared, _ in rules(css):
        for name in ("color", "fill") if "text" in selector.split() else ("color",):
            if declared.get(name, "inherit") not in ("inherit", "none"):
                yield (
                    selector,
                    value(declared[name]),
                    value(declared.get("background", "var(--paper)")),
                )


def behind(background, depth):
    """The colour of a background, a mixture or plain."""
    found = re.match(r"color-mix\(in srgb, (#\w+) .*, (#\w+)\)", background)
    return mixed(*found.groups(), depth) if found else background


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize(
    "styles", [(PAGE, HEAT), (PAGE, ZONES), (HEAT,)], ids=["page", "zones", "alone"]
)
def test_every_text_can_be_read(styles, dark):
    css = "".join(style.read_text("utf-8") for style in styles)
    found = {selector: pair for selector, *pair in texts(css, dark) if "heat td" not in selector}
    assert len(found) >= 3
    for selector, (colour, background) in found.items():
        assert contrast(colour, background) >= LEAST, selector


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_every_weight_can_be_read(dark):
    cells = {s: pair for s, *pair in texts(HEAT.read_text("utf-8"), dark) if "heat td" in s}
    (pale, background), (deep, _) = cells.values()
    for depth in DEPTHS:
        colour = deep if depth > DARK else pale
        assert contrast(colour, behind(background, depth)) >= LEAST, depth


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_a_word_that_was_read_can_be_read(dark):
    known = variables(PAGE.read_text("utf-8") + ZONES.read_text("utf-8"), dark)
    (share,) = re.findall(r"calc\((\d+)% \* var\(--share\)\)", ZONES.read_text("utf-8"))
    behind_all_of_it = mixed(known["--heat"], known["--paper"], int(share) / 100)
    assert contrast(known["--ink"], behind_all_of_it) >= LEAST
    assert "opacity" not in ZONES.read_text("utf-8")


def test_pictures_can_be_read():
    for colour in (plots.BLUE, plots.RED_TEXT, plots.GREY):
        assert contrast(colour, "white") >= LEAST
    for depth in DEPTHS:
        colour = "white" if depth > plots.DARK else "black"
        assert contrast(colour, colormaps["Blues"](0.95 * depth)) >= LEAST - 0.02, depth


def test_what_is_too_pale_is_found():
    assert contrast("#ffffff", "#000000") == pytest.approx(21)
    assert contrast("#b87700", "#ffffff") == pytest.approx(3.7, abs=0.01)
    css = """
    :root { --paper: #ffffff; } a { color: #999999; }
    @media (prefers-color-scheme: dark) { :root { --paper: #000000; } }
    b { color: #eeeeee; }
    """
    assert [contrast(*pair) >= LEAST for _, *pair in texts(css, dark=False)] == [False, False]
    assert [contrast(*pair) >= LEAST for _, *pair in texts(css, dark=True)] == [True, True]
