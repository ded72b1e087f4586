"""Files of tensors are mapped as the library reads them; damaged ones are refused."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from safetensors.numpy import load_file, save, save_file

from memnets.mapped import DTYPES, tensors_of

TENSORS = {
    name: np.arange(12).astype(dtype).reshape(3, 4) for name, dtype in sorted(DTYPES.items())
}


@pytest.fixture
def path(tmp_path):
    save_file(TENSORS, tmp_path / "a.safetensors", {"of": "all"})
    return tmp_path / "a.safetensors"


def test_tensors_of_every_type_are_those_of_the_library(path):
    found, said = tensors_of(path)
    read = load_file(path)
    assert said == {"of": "all"}
    assert found.keys() == read.keys() == DTYPES.keys()
    for name, tensor in found.items():
        assert tensor.dtype == read[name].dtype
        np.testing.assert_array_equal(tensor, read[name])


@given(tensor=arrays(np.float32, array_shapes(min_dims=0, max_dims=3, min_side=0)))
def test_tensors_have_any_shape(tensor, tmp_path_factory):
    path = tmp_path_factory.mktemp("any") / "a.safetensors"
    save_file({"a": tensor}, path)
    found, said = tensors_of(path)
    assert said == {}
    np.testing.assert_array_equal(found["a"], tensor)
    assert found["a"].shape == tensor.shape


def test_nothing_is_copied_or_changed(path):
    tensor = tensors_of(path)[0]["F32"]
    assert not tensor.flags.writeable
    assert tensor.base is not None


@given(cut=st.integers(0, len(save(TENSORS)) - 1))
def test_a_file_cut_short_is_refused(cut, tmp_path_factory):
    path = tmp_path_factory.mktemp("cut") / "a.safetensors"
    path.write_bytes(save(TENSORS)[:cut])
    with pytest.raises(ValueError, match=r"a\.safetensors: not a whole safetensors file"):
        tensors_of(path)


@pytest.mark.parametrize(
    "of",
    [
        {"dtype": "BF16", "shape": [2], "data_offsets": [0, 4]},  # NumPy has no such type
        {"dtype": "F32", "shape": [2], "data_offsets": [0, 4]},
        {"dtype": "F32", "shape": [1], "data_offsets": [4, 8]},
        {"dtype": "F32", "shape": [-1], "data_offsets": [0, 4]},
        {"dtype": "F32", "shape": ["a"], "data_offsets": [0, 4]},
        {"dtype": "F32", "shape": [1], "data_offsets": [0]},
        {"dtype": "F32", "shape": [1]},
        [],
    ],
)
def test_a_header_that_is_wrong_is_refused(of, tmp_path):
    header = json.dumps({"a": of}).encode()
    path = tmp_path / "a.safetensors"
    path.write_bytes(len(header).to_bytes(8, "little") + header + bytes(4))
    with pytest.raises(ValueError, match="not a whole safetensors file"):
        tensors_of(path)
    path.write_bytes(bytes(8) + b"x")
    with pytest.raises(ValueError, match="not a whole safetensors file"):
        tensors_of(path)
    path.write_bytes((2).to_bytes(8, "little") + b"[]")
    with pytest.raises(ValueError, match="not a whole safetensors file"):
        tensors_of(path)


def test_more_than_its_tensors_is_refused(path):
    path.write_bytes(path.read_bytes() + b"x")
    with pytest.raises(ValueError, match="not a whole safetensors file"):
        tensors_of(path)


def test_a_missing_file_is_missing(tmp_path):
    with pytest.raises(FileNotFoundError):
        tensors_of(tmp_path / "none")
