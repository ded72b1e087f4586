"""Shared by all tests.

Nothing of memnets may be imported here: pytest loads this file before the hook that checks the
shape annotations is installed, and what was imported before goes unchecked.
"""

import functools
import gc
import os
import sys
from pathlib import Path

import jaxtyping
import pytest
import torch

sys.path.insert(0, str(Path(__file__).parent))  # pairwise is no package

import lean_checks

lean_checks.install()

# What is imported and collected stays to the end: no search for garbage is to go through it.
gc.disable()


def pytest_collection_finish() -> None:
    gc.freeze()
    # After a freeze Python takes itself to be small, and would look through all again and again.
    gc.set_threshold(50_000, 20, 20)
    gc.enable()


def pytest_unconfigure() -> None:
    gc.unfreeze()  # what is torn down at the end of the process is to be found


@pytest.fixture(autouse=True)
def _seeded() -> None:
    torch.default_generator.manual_seed(20150331)  # the processor's alone: 100 times as quick


@pytest.fixture(scope="session", autouse=True)
def _git_is_asked_once():
    """Every run names its commit: a thousand times two processes of git."""
    from memnets.results import provenance

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(provenance, "commit", functools.cache(provenance.commit))
        yield


@pytest.fixture
def shapes_unchecked():
    """Leave out the checks of shapes, which take longer than a small read or step.

    Some test of every part makes them: `test_shapes_are_as_annotated`, say, for attention.
    """
    jaxtyping.config.update("jaxtyping_disable", True)
    yield
    jaxtyping.config.update("jaxtyping_disable", False)


@pytest.fixture(autouse=True)
def _real_data_go_unchecked(request):
    """What reads a million facts checks no shape: a small test of the same code does."""
    if request.node.get_closest_marker("data"):
        request.getfixturevalue("shapes_unchecked")


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


@pytest.fixture(scope="session")
def babi_root() -> Path:
    """The official files of bAbI, where the environment says they are."""
    setting = os.environ.get("MEMNETS_DATA")
    if not setting:
        pytest.skip("set MEMNETS_DATA to the folder that holds tasks_1-20_v1-2")
    for root in (Path(setting) / "tasks_1-20_v1-2", Path(setting)):
        if (root / "en").is_dir():
            return root
    pytest.fail(f"MEMNETS_DATA={setting}: there is no tasks_1-20_v1-2 with a folder en")
