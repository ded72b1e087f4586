"""Every number of list.txt that is DMN's own has its tests, here or where the part is tested."""

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
TESTS = HERE.parent
ELSEWHERE = (
    "data/test_asked_pictures.py",
    "layers/test_gates.py",
    "layers/test_readers.py",
    "ops/test_gru.py",
    "tasks/test_episodes.py",
    "tasks/test_evidence_loss.py",
    "training/test_best.py",
)


def test_no_number_is_without_a_test(tmp_path):
    for path in [*HERE.glob("test_*.py"), *(TESTS / name for name in ELSEWHERE)]:
        (tmp_path / path.name).symlink_to(path)
    script = TESTS.parent / "tools" / "numbered.py"
    command = [sys.executable, str(script), str(HERE / "list.txt"), "dmn", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "0 without a test" in done.stdout
