"""Every number of list.txt has its tests."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
TESTS = HERE.parent
sys.path.insert(0, str(TESTS.parent / "tools"))


def test_no_number_is_without_a_test(tmp_path, capsys):
    import numbered

    elsewhere = (
        *(TESTS / "data").glob("test_geometry*.py"),
        TESTS / "studies/pointers/test_pointers.py",
    )
    for path in (*HERE.glob("test_*.py"), *elsewhere):
        (tmp_path / path.name).symlink_to(path)
    wrong = numbered.main(str(HERE / "list.txt"), "pointer", str(tmp_path))
    assert not wrong, capsys.readouterr().out
