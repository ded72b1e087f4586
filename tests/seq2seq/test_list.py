"""Every number of list.txt that is the models' own has its tests, here or where the part is."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
TESTS = HERE.parent
ELSEWHERE = (
    "layers/test_decoding.py",
    "studies/translation/test_translation.py",
    "training/test_like_lengths.py",
)
sys.path.insert(0, str(TESTS.parent / "tools"))


def test_no_number_is_without_a_test(tmp_path, capsys):
    import numbered

    for path in [*HERE.glob("test_*.py"), *(TESTS / name for name in ELSEWHERE)]:
        (tmp_path / path.name).symlink_to(path)
    wrong = numbered.main(str(HERE / "list.txt"), "seq2seq", str(tmp_path))
    assert not wrong, capsys.readouterr().out
