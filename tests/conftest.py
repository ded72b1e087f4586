"""Shared by all tests.

Nothing of memnets may be imported here: pytest loads this file before the hook that checks the
shape annotations is installed, and what was imported before goes unchecked.
"""

import pytest
import torch


@pytest.fixture(autouse=True)
def _seeded() -> None:
    torch.manual_seed(20150331)
