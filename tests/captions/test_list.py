"""Every number of list.txt that is the model's own has its tests."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
TESTS = HERE.parent
sys.path.insert(0, str(TESTS.parent / "tools"))


def test_no_number_is_without_a_test(capsys):
    import numbered

    wrong = numbered.main(str(HERE / "list.txt"), "captions", str(HERE))
    assert not wrong, capsys.readouterr().out
