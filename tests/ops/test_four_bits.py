"""Keys of four bits: the C++ op and its twin agree, and no product is above its bound."""

import ctypes
import platform
import shutil
import subprocess

import pytest
import torch

from memnets.native import FLAGS
from memnets.ops import four_bits, native
from memnets.ops.four_bits import BLOCK, Whole, bounds, highest, pack, whole

SHAPES = [(1, 1), (16, 8), (17, 9), (64, 128), (1_003, 67)]
INSTRUCTIONS = {
    "this machine's": "-march=native",
    "AVX2": "-march=x86-64-v3",
    "none": "-march=x86-64",
}


def normal(*shape, seed=0):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


def uneven(*shape):
    """Lengths from a millionth to a million, and a key of zeros."""
    keys = normal(*shape) * 10.0 ** torch.linspace(-6, 6, shape[0])[:, None]
    keys[shape[0] // 2] = 0
    return keys


def one_hot(keys, dim):
    return torch.eye(dim).repeat(-(-keys // dim), 1)[:keys]


def nothing_lost(keys, dim):
    """Keys that four bits hold exactly: only what the query loses is left to be bounded."""
    whole_steps = torch.randint(0, 16, (keys, dim), generator=torch.Generator().manual_seed(0))
    whole_steps[:, 0] = 15
    return whole_steps - 7.5


def zeros(keys, dim):
    """Lost in the middle between two codes: products cancel to nothing but their rounding."""
    return torch.zeros(keys, dim)


def every_bound(keys, queries):
    """The bounds of all keys, (query, key)."""
    packed = pack(keys)
    asked = whole(packed, queries)
    blocks = torch.arange(-(-len(keys) // BLOCK))
    found = []
    for number in range(len(queries)):
        one = Whole(*(part[number : number + 1] for part in asked))
        found.append(bounds(packed, one, blocks))
    found = torch.stack(found)
    assert torch.equal(highest(packed, asked), found.amax(2))
    assert (found.flatten(1)[:, len(keys) :] == -torch.inf).all()
    return found.flatten(1)[:, : len(keys)]


@pytest.fixture(params=["this machine's", pytest.param("AVX2", marks=pytest.mark.slow), "none"])
def built(request, tmp_path, monkeypatch):
    """The op, built for other processors too; it takes a second."""
    compiler = next(filter(None, map(shutil.which, ("g++", "clang++", "c++"))), None)
    if compiler is None:
        pytest.skip("there is no compiler")
    if platform.machine() not in ("x86_64", "AMD64"):
        pytest.skip("these are instructions of another processor")
    source = native.OPS.sources[0].with_name("four_bits.cpp")
    command = [compiler, *FLAGS, INSTRUCTIONS[request.param], str(source)]
    subprocess.run([*command, "-o", str(tmp_path / "op.so")], check=True)
    library = ctypes.CDLL(str(tmp_path / "op.so"))
    monkeypatch.setattr(native.OPS, "loaded", lambda: library)
    monkeypatch.setenv("MEMNETS_PLAIN", "0")
    native.OPS.functions.clear()
    yield request.param
    native.OPS.functions.clear()


@pytest.fixture(params=["native", "plain"])
def way(request, monkeypatch):
    monkeypatch.setenv("MEMNETS_PLAIN", str(int(request.param == "plain")))
    if request.param == "native" and not native.available():
        pytest.skip("there is no compiler")


def test_the_op_is_its_twin_on_every_processor(built, monkeypatch):
    for shape in SHAPES:
        keys, queries = uneven(*shape), normal(3, shape[1], seed=1)
        packed, found = pack(keys), every_bound(keys, queries)
        monkeypatch.setenv("MEMNETS_PLAIN", "1")
        for mine, twins in zip(packed, pack(keys), strict=True):
            torch.testing.assert_close(mine, twins)
        in_steps = [
            some / packed.steps[: len(keys)] for some in (found, every_bound(keys, queries))
        ]
        torch.testing.assert_close(*in_steps, rtol=1e-5, atol=1e-4)
        monkeypatch.setenv("MEMNETS_PLAIN", "0")


@pytest.mark.parametrize("make", [normal, uneven, one_hot, nothing_lost, zeros])
@pytest.mark.parametrize("shape", SHAPES)
def test_no_product_is_above_its_bound(way, make, shape):
    keys = make(*shape)
    queries = torch.cat((normal(7, shape[1], seed=1), one_hot(2, shape[1]), keys[:3]))
    products = queries.double() @ keys.double().T
    assert (every_bound(keys, queries).double() >= products).all()


def test_bounds_are_close(way):
    """Within a sixth of the lengths' product: else they would leave out little."""
    keys, queries = normal(1_003, 128), normal(5, 128, seed=1)
    over = every_bound(keys, queries) - queries @ keys.T
    lengths = queries.norm(dim=1, keepdim=True) * keys.norm(dim=1)
    assert (over / lengths).mean() < 1 / 6


def test_more_threads_give_the_same_bits(monkeypatch):
    if not native.available():
        pytest.skip("there is no compiler")
    monkeypatch.setattr(four_bits, "THREAD", 1)
    keys, queries = normal(2_003, 33), normal(3, 33, seed=1)
    found = {}
    threads = torch.get_num_threads()
    try:
        for count in (1, 3):
            torch.set_num_threads(count)
            packed = pack(keys)
            found[count] = *packed[:4], highest(packed, whole(packed, queries))
    finally:
        torch.set_num_threads(threads)
    for one, three in zip(found[1], found[3], strict=True):
        assert torch.equal(torch.as_tensor(one), torch.as_tensor(three))
