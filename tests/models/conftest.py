"""Which path a model's forward takes: the C++ ops, or their plain twins."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # cran_cases and cran_loops are no package


@pytest.fixture
def eager(monkeypatch):
    """Run the plain twins."""
    monkeypatch.setenv("MEMNETS_PLAIN", "1")


@pytest.fixture
def native(monkeypatch):
    """Run the C++ ops."""
    from memnets.ops import native

    monkeypatch.setenv("MEMNETS_PLAIN", "0")
    if native.kernels() != "native":
        pytest.skip("there is no compiler")


@pytest.fixture(params=["native", "eager"])
def path(request, monkeypatch):
    """Run a test once on each path."""
    from memnets.ops import native

    monkeypatch.setenv("MEMNETS_PLAIN", "1" if request.param == "eager" else "0")
    if native.kernels() != request.param:
        pytest.skip("there is no compiler")
