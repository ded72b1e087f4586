"""Every number of cran_list.txt that is CRAN's own has its tests."""

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
SCRIPT = HERE.parents[1] / "tools" / "numbered.py"


def test_no_number_is_without_a_test(tmp_path):
    for path in HERE.glob("test_cran*.py"):  # the folder holds the tests of other models too
        (tmp_path / path.name).symlink_to(path)
    command = [sys.executable, str(SCRIPT), str(HERE / "cran_list.txt"), "cran", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 without a test" in done.stdout
