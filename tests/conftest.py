"""Shared by all tests.

Nothing of memnets may be imported here: pytest loads this file before the hook that checks the
shape annotations is installed, and what was imported before goes unchecked.
"""

from pathlib import Path

import pytest
import torch

PACKAGE = Path(__file__).resolve().parents[1] / "src" / "memnets"


@pytest.fixture(autouse=True)
def _seeded() -> None:
    torch.manual_seed(20150331)


@pytest.fixture(scope="session")
def package() -> Path:
    """Return the folder of the package's source."""
    return PACKAGE
