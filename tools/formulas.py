r"""Formulas of the site as MathML: browsers draw it without a script, a font or a network.

An extension of Python-Markdown, named in mkdocs.yml. `$a$` stands within a line, `$$ a $$` on its
own line, in pages and docstrings alike; words may follow it, such as where the paper says so.
"""

import re

from markdown import Markdown
from markdown.extensions import Extension
from markdown.inlinepatterns import InlineProcessor
from math_core import LatexError, LatexToMathML

WITHIN = r"(?<![\\$])\$(?!\s)([^$]+?)(?<!\s)\$(?![\d$])"
"""A formula between single dollars; "$5 and $6" is none."""
DISPLAYED = r"\$\$(.+?)\$\$"
PRIORITY = 185
"""After code (190), before backslashes (180) and emphasis: a_1 and b_1 is not to become italics."""


class Formulas(Extension):  # type: ignore[misc]
    """Let `$` and `$$` enclose formulas."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802
        """Add one pattern for each kind."""
        md.inlinePatterns.register(Formula(DISPLAYED, md, True), "displayed formula", PRIORITY + 1)
        md.inlinePatterns.register(Formula(WITHIN, md, False), "formula", PRIORITY)


class Formula(InlineProcessor):  # type: ignore[misc]
    """Replace a formula by its MathML."""

    def __init__(self, pattern: str, md: Markdown, displayed: bool):
        super().__init__(pattern, md)
        self.displayed = displayed

    def handleMatch(self, m: re.Match[str], data: str) -> tuple[str, int, int]:  # noqa: N802
        """Return what stands for the formula, and where it stood."""
        return self.md.htmlStash.store(mathml(m[1], self.displayed)), m.start(0), m.end(0)


def mathml(formula: str, displayed: bool) -> str:
    """Return a formula of LaTeX as MathML.

    Raises:
        ValueError: LaTeX does not know it.
    """
    try:
        drawn = LatexToMathML().convert_with_local_state(formula.strip(), displaystyle=displayed)
    except LatexError as error:
        raise ValueError(f"the formula {formula!r} cannot be drawn: {error}") from None
    return f'<span class="formula">{drawn}</span>' if displayed else drawn  # a box to scroll in


def makeExtension(**options: object) -> Formulas:  # noqa: N802
    """Return the extension, as Markdown asks for it."""
    return Formulas(**options)
