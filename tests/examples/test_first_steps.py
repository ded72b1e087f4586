"""The notebook and the chapter for Python run as they stand, from import to answer."""

import ast
import json
import re
from pathlib import Path

import pytest

from memnets.attention import Dot

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOK = ROOT / "examples" / "first_steps.ipynb"
CHAPTER = ROOT / "docs" / "library.md"


def run_cell(source, space):
    """Run a cell, and return the value of its last line where that is an expression."""
    *body, last = ast.parse(source).body
    if not isinstance(last, ast.Expr):
        body.append(last)
    exec(compile(ast.Module(body, []), NOTEBOOK.name, "exec"), space)
    if isinstance(last, ast.Expr):
        return eval(compile(ast.Expression(last.value), NOTEBOOK.name, "eval"), space)
    return None


@pytest.mark.slow
def test_the_notebook_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    cells = json.loads(NOTEBOOK.read_text("utf-8"))["cells"]
    assert len(cells) <= 12
    space, shown = {}, []
    for cell in cells:
        if cell["cell_type"] == "code":
            assert cell["outputs"] == []
            assert cell["execution_count"] is None
            shown.append(run_cell("".join(cell["source"]), space))
    _, answerer, answer, answers, (accuracy, unknown), _, said, both = shown
    assert repr(answerer).startswith("MemN2NAnswerer(memn2n/babi-generated in runs/first-steps")
    assert answer.text == "garden"
    assert "<mark>Mary</mark> travelled to the garden." in answer._repr_html_()
    assert [one.text for one in answers] == ["garden", "hallway"]
    assert accuracy > 0.9
    assert unknown == ("zoe",)
    assert said.text == "Ben"
    assert [one.text for one in both] == ["1979", "I don't know"]
    assert "garden (" in capsys.readouterr().out


def test_the_chapter_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    space = {"MyScore": Dot}
    for text in re.findall(r"```python\n(.*?)```", CHAPTER.read_text("utf-8"), re.DOTALL):
        exec(compile(text, CHAPTER.name, "exec"), space)
    said = capsys.readouterr().out.splitlines()
    assert sum(line.startswith("bathroom (") for line in said) == 1
    assert any(line.startswith("hop 3 Mary moved to the bathroom. ") for line in said)
    assert "('story', 'question') answer" in said
    assert any(line.startswith("Ben (") and line.endswith("('Ben',) False") for line in said)
    assert any(line.startswith("I don't know (") for line in said)
    assert [space["first"].text, space["second"].text] == ["bathroom", "hallway"]
