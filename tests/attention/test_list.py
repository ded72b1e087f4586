"""Every number of list.txt has its tests, and the script that says so can say otherwise."""

import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
SCRIPT = HERE.parents[1] / "tools" / "numbered.py"


def run(path, folder):
    command = [sys.executable, str(SCRIPT), str(path), "attention", str(folder)]
    return subprocess.run(command, capture_output=True, text=True)


def test_no_number_is_without_a_test():
    done = run(HERE / "list.txt", HERE)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 without a test" in done.stdout


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("def test_it():\n    '''List 1: one.'''\n", "1 without a test\n  2 two"),
        ("def test_it():\n    '''List 1, 2, 5: all.'''\n", "1 not in the list\n"),
        ("def helper():\n    '''List 1, 2: no test.'''\n", "2 without a test\n  1 one\n  2 two"),
    ],
)
def test_what_is_missing_is_named(tmp_path, text, said):
    (tmp_path / "list.txt").write_text("# a list\n1 attention one\n2 attention two\n3 kernels x\n")
    (tmp_path / "test_it.py").write_text(text)
    done = run(tmp_path / "list.txt", tmp_path)
    assert done.returncode == 1
    assert said in done.stdout
    assert "1 left to others\n  3 x (kernels)" in done.stdout
