"""Writes docs/session.md: from a CSV file to ten answers, with what the commands really said.

    python docs/figures/draw_session.py

The ten questions are drawn at random from those that were typed for the theatre of
examples/strangers, which nobody has read who works on how questions are understood.
"""

import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import tyro

from memnets.data.qa.asked import read_asked
from memnets.data.qa.judged import Judged
from memnets.files import write_bytes
from memnets.inference import KB
from memnets.kb.questions.judged import judge

DOCS = Path(__file__).parents[1]
SOURCE = DOCS.parent / "examples/strangers/theatre.csv"
QUESTIONS = SOURCE.with_suffix(".questions.tsv")
ASKED, SEED = 10, 0
SIGNS = {"right": "right", "declined": "**declined**", "wrong": "**wrong**"}


@dataclass(frozen=True)
class Draw:
    """Build, train and ask a knowledge base, and write what happened."""

    page: Path = DOCS / "session.md"
    """The page that is written."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Write the page."""
    options = tyro.cli(Draw, args=arguments, prog="python docs/figures/draw_session.py")
    asked = random.Random(SEED).sample(read_asked(QUESTIONS), ASKED)
    with tempfile.TemporaryDirectory() as folder:
        kb = Path(folder) / "theatre.kb"
        built = _said("build", str(SOURCE), "--out", str(kb))
        began = time.monotonic()
        trained = _said("train", str(kb))
        minutes = (time.monotonic() - began) / 60
        whole = _said("ask", str(kb), asked[0].text)
        opened = KB(kb)
        judged = judge(asked, lambda question: _answered(opened, question))
    page = _page(built, trained, minutes, whole, judged)
    write_bytes(options.page, page.encode())


def _said(command: str, *arguments: str) -> str:
    """Return what a command of knowledge bases printed, without the folders of this machine."""
    called = [sys.executable, "-m", "memnets", "kb", command, *arguments]
    ran = subprocess.run(called, capture_output=True, text=True, check=False)
    if ran.returncode:
        sys.exit(f"memnets kb {command}: {ran.stderr}")
    return re.sub(r"\S*/(theatre\.)", r"\1", ran.stdout).rstrip()


def _answered(kb: KB, question: str) -> tuple[Sequence[str], float]:
    answer = kb.answerer.understand(question)
    return answer.objects, answer.probability


def _page(built: str, trained: str, minutes: float, whole: str, judged: Sequence[Judged]) -> str:
    head = SOURCE.read_text(encoding="utf-8").splitlines()[:4]
    right = sum(one.verdict == "right" for one in judged)
    rows = [_row(one) for one in judged]
    return "\n".join([
        "# From a CSV file to ten answers",
        "",
        "A session with a theatre of which memnets knew nothing before, written by",
        "`python docs/figures/draw_session.py`. The facts are a text file:",
        *_shown("\n".join([*head, "..."])),
        *_shown(f"$ memnets kb build theatre.csv --out theatre.kb\n{built}"),
        *_shown(f"$ memnets kb train theatre.kb\n{trained}"),
        f"That took {minutes:.1f} minutes on two cores. No question had to be written for it.",
        *_shown(f'$ memnets kb ask theatre.kb "{judged[0].asked.text}"\n{whole}'),
        "Ten questions, drawn at random from those that somebody typed who had seen neither the",
        f"program nor its answers, and which nobody read who mended it; {right} were answered",
        "rightly.",
        "",
        "| typed | answered | probability | | should be |",
        "|---|---|--:|---|---|",
        *rows,
        "",
        "One that is not understood, or that the facts do not answer, should be declined. What of",
        "every kind of question is answered rightly:",
        "[how well it does](ask-your-kb.md#how-well-it-does).",
        "",
    ])  # fmt: skip


def _shown(text: str) -> list[str]:
    return ["", "```", text, "```", ""]


def _row(one: Judged) -> str:
    given = " · ".join(one.given) or "I don't know"
    right = " · ".join(one.asked.answers) or "I don't know"
    sign = SIGNS[one.verdict]
    cells = (one.asked.text, given, f"{one.probability:.0%}", sign, right)
    return f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |"


if __name__ == "__main__":
    main()
