"""Faults that are planted at random."""

import ast
import random
import time

import pytest

from tools.mutants.__main__ import ENDLESS, Known, modules, run
from tools.mutants.faults import draw, faults, functions_of
from tools.mutants.reached import reaching, seconds

SOURCE = '''
def short(a):
    return a + 1


def read(scores, mask=None):
    """Return sums."""
    if mask is None or scores.ndim < 2:
        raise ValueError("scores: expected 2 and 3 axes" + str(1 + 1))
    number: int = find(7, strict=True)
    kept = scores.detach().sum(-1, keepdim=True)
    kept.append(f"{1 + 1}")
    return kept if number else widen(scores, mask)


def example(hidden):
    """Return a small instance
    with
    five lines."""
    return Part(hidden + 1)
'''


@pytest.fixture
def module(tmp_path):
    path = tmp_path / "part.py"
    path.write_text(SOURCE)
    return path


def test_every_fault_is_one_change_and_messages_stay(module):
    (function,) = functions_of(module)
    found = {(one.old, one.new) for one in faults(module, function, random.Random(0))}
    assert found == {
        ("mask is None or scores.ndim < 2", "(mask is None and scores.ndim < 2)"),
        ("mask is None or scores.ndim < 2", "(mask is None)"),
        ("mask is None or scores.ndim < 2", "(scores.ndim < 2)"),
        ("mask is None", "mask is not None"),
        ("scores.ndim < 2", "scores.ndim <= 2"),
        ("2", "3"),
        ("2", "(1)"),
        ("7", "8"),
        ("7", "(6)"),
        ("scores.detach()", "scores"),
        ("scores.detach().sum(-1, keepdim=True)", "scores.detach().mean(-1, keepdim=True)"),
        ("scores.detach().sum(-1, keepdim=True)", "scores.detach().sum(-1)"),
        ("-1", "1"),
        ("1", "2"),
        ("1", "(0)"),
        ("True", "False"),
        ('kept.append(f"{1 + 1}")', "pass"),
        ("kept if number else widen(scores, mask)", "(kept)"),
        ("kept if number else widen(scores, mask)", "(widen(scores, mask))"),
        ("widen(scores, mask)", "widen(mask, scores)"),
    }
    for one in faults(module, function, random.Random(0)):
        ast.parse(one.text)
        assert one.text != SOURCE
        assert (one.function, one.path) == ("read", module)


def test_draws_are_of_the_seed_and_each_of_a_function_of_its_own(module, tmp_path):
    (tmp_path / "other.py").write_text(SOURCE.replace("read", "write"))
    files = list(modules(tmp_path))
    assert draw(files, 9, 1) == draw(files[::-1], 9, 1)
    assert {one.function for one in draw(files, 9, 1)} == {"read", "write"}
    assert len({str(draw(files, 1, seed)[0]) for seed in range(9)}) > 3
    assert list(modules(tmp_path / "part")) == [module]


class Data:
    """Coverage's data of one line."""

    def contexts_by_lineno(self, file):
        return {3: ["t.py::slow", "t.py::lost", "t.py::quick[1]"]} if file == "src/a.py" else {}


def test_the_quickest_tests_that_reach_a_line_come_first(tmp_path):
    path = tmp_path / "seconds.jsonl"
    path.write_text('["t.py::slow", 9.0]\n["t.py::quick[1]", 0.5]\n')
    took = seconds(path)
    assert reaching(Data(), "src/a.py", 3, took) == ["t.py::quick[1]", "t.py::slow"]
    assert reaching(Data(), "src/a.py", 4, took) == []


def test_few_parameters_of_a_test_are_run_before_other_tests(tmp_path):
    many = {f"t.py::many[{n}]": 0.01 for n in range(5)} | {"t.py::one": 1.0, "t.py::dear": 99.0}
    first, second = Known(tmp_path, None, many)._turns(list(many))
    assert first == ["t.py::many[0]", "t.py::many[1]", "t.py::many[2]", "t.py::one"]
    assert second == ["t.py::many[3]", "t.py::many[4]"]


def test_a_test_that_does_not_end_sees_the_fault(tmp_path):
    assert run(tmp_path, ["-c", "while True: pass"], {}, 0.2) == ENDLESS
    assert run(tmp_path, ["-c", "print(1)"], {}).strip() == "1"


def test_what_a_run_has_begun_ends_with_it(tmp_path):
    """A child that would write a file later is gone, whether the run ended or took too long."""
    child = "import time; time.sleep(1.5); open('late', 'w')"
    begin = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {child!r}])"
    assert run(tmp_path, ["-c", begin], {}) == ""
    assert run(tmp_path, ["-c", f"{begin}; import time; time.sleep(9)"], {}, 0.3) == ENDLESS
    time.sleep(2)
    assert not (tmp_path / "late").exists()


def test_one_test_that_is_not_there_keeps_no_other_from_running(tmp_path):
    """Which parameters there are may depend on what else was imported."""
    folder = tmp_path / "tests"
    folder.mkdir()
    (folder / "test_part.py").write_text(
        "import pytest\n\n"
        "@pytest.mark.parametrize('n', [1])\ndef test_many(n):\n    pass\n\n"
        "def test_fails():\n    assert False\n"
    )
    known = Known(tmp_path, None, {})
    names = [f"tests/test_part.py::{name}" for name in ("test_many[1]", "test_many[2]")]
    assert "no tests ran" in known._tested(names)
    said = known._tested([*names, "tests/test_part.py::test_fails"])
    assert "FAILED tests/test_part.py::test_fails" in said
