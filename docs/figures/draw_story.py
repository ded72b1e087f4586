"""The picture of the README's first screen: what its first lines of Python read for their answer.

python docs/figures/draw_story.py     # trains as they do, in ten seconds
"""

import re
from contextlib import chdir
from pathlib import Path
from tempfile import TemporaryDirectory

from memnets.evidence import Answer
from memnets.report.plots import evidence, save

README = Path(__file__).resolve().parents[2] / "README.md"
PICTURE = Path(__file__).with_name("story.png")
PYTHON = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)


def first_answer(folder: Path) -> Answer:
    """Run the README's first lines of Python in a folder, and return what they print."""
    lines = PYTHON.findall(README.read_text("utf-8"))[0]
    space: dict[str, Answer] = {}
    with chdir(folder):
        exec(compile(lines, README.name, "exec"), space)
    return space["answer"]


if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        save(evidence(first_answer(Path(folder))), PICTURE)
    print(PICTURE)
