"""Calls of C++: what is declared once holds for every call."""

import shutil
from ctypes import ArgumentError

import pytest
import torch

from memnets.native import Function, Library
from memnets.ops import binding
from memnets.ops.binding import are_plain, by_precision, fields, pointers, threads_for

pytestmark = pytest.mark.skipif(
    not any(map(shutil.which, ("g++", "clang++", "c++"))), reason="there is no compiler"
)
SOURCE = """
#include <cstdint>
struct Parts { const double *left, *right; };
extern "C" {
int64_t total(const int64_t* numbers, int64_t count) {
  int64_t sum = 0;
  for (int64_t i = 0; i < count; ++i) sum += numbers[i];
  return sum;
}
void both(const Parts* parts, double* out) { *out = *parts->left + (parts->right ? 1 : 0); }
void twice_float(const float* number, float* out) { *out = 2 * *number; }
void twice_double(const double* number, double* out) { *out = 2 * *number; }
}
"""


@pytest.fixture
def library(tmp_path, monkeypatch):
    """Build a few lines in a folder of the test's own, as the library of all ops."""
    (tmp_path / "few.cpp").write_text(SOURCE)
    monkeypatch.setenv("MEMNETS_CACHE", str(tmp_path))
    monkeypatch.setenv("MEMNETS_PLAIN", "0")
    found = Library(tmp_path, "few lines")
    monkeypatch.setattr(binding, "OPS", found)
    return found


def test_numbers_are_whole_and_so_are_addresses(library):
    total = binding.Op("total", "numbers count#", returns=True)
    numbers = torch.tensor([2**40, 3, -1])
    assert total(numbers, 3) == 2**40 + 2
    assert total(numbers[1:], 2) == 2


def test_a_function_is_one_of_each_precision(library):
    twice = by_precision("twice", "number out")
    for dtype in (torch.float32, torch.float64):
        out = torch.zeros((), dtype=dtype)
        assert twice[dtype](torch.tensor(1.25, dtype=dtype), out) is None
        assert out == 2.5


def test_a_structure_of_pointers_may_hold_none(library):
    both, left, out = binding.Op("both", "parts out"), torch.tensor(3.0).double(), torch.ones(())
    for right, expected in ((None, 3), (left, 4)):
        out = out.double()
        both(pointers(left, right), out)
        assert out == expected


def test_what_is_not_as_declared_is_refused(library):
    total = binding.Op("total", "numbers count#", returns=True)
    with pytest.raises(TypeError, match="argument"):
        total(torch.arange(3))
    with pytest.raises(ArgumentError):
        total(torch.arange(3), 1.5)
    with pytest.raises(AssertionError):
        total(torch.arange(6)[::2], 3)
    with pytest.raises(AttributeError, match="nothing"):
        binding.Op("nothing", "")()


def test_a_library_that_is_forgotten_is_asked_no_more(library, tmp_path):
    total = Function(library, "total", "numbers count#", returns=True)
    assert total(None, 0) == 0
    library.forget()
    (tmp_path / "few.cpp").write_text(SOURCE.replace("sum = 0", "sum = 7"))
    assert total(None, 0) == 7


def test_ordinary_tensors_will_do():
    weight = torch.nn.Parameter(torch.zeros(2))
    assert are_plain(weight, None, torch.zeros(3), indices=(torch.zeros(2, dtype=torch.int32),))
    for others in (
        (torch.zeros(2).double(),),
        (torch.zeros(2, device="meta"),),
        (torch.zeros(2).as_subclass(type("Theirs", (torch.Tensor,), {})),),
    ):
        assert not are_plain(weight, *others)
    assert not are_plain(torch.zeros(2).half())
    assert not are_plain(None)
    for index in (torch.zeros(2), torch.zeros(2, dtype=torch.complex64)):
        assert not are_plain(weight, indices=(index,))


def test_threads_and_fields(monkeypatch):
    monkeypatch.setattr(torch, "get_num_threads", lambda: 3)
    assert [threads_for(numbers, 10) for numbers in (0, 9, 10, 20, 99)] == [1, 1, 2, 3, 3]
    assert fields(int, "one two") == (("one", int), ("two", int))
