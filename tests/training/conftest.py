import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # toy_runs is also a script, and not a package


@pytest.fixture(autouse=True)
def no_power_cuts(monkeypatch):
    """Do not wait for the disk: what the tests kill are processes, not machines."""
    monkeypatch.setattr(os, "fsync", lambda file: None)
