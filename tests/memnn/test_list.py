"""Every number of list.txt has its tests."""

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
SCRIPT = HERE.parents[1] / "tools" / "numbered.py"


def run(path, folder):
    command = [sys.executable, str(SCRIPT), str(path), "memnn", str(folder)]
    return subprocess.run(command, capture_output=True, text=True)


def test_no_number_is_without_a_test():
    done = run(HERE / "list.txt", HERE)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 without a test" in done.stdout
