import sys
from pathlib import Path

import jaxtyping
import pytest

sys.path.insert(0, str(Path(__file__).parent))  # attention_oracles is no package


@pytest.fixture
def shapes_unchecked():
    """Leave out the checks of shapes, which take longer than a small read.

    `test_shapes_are_as_annotated` makes them, for every part.
    """
    jaxtyping.config.update("jaxtyping_disable", True)
    yield
    jaxtyping.config.update("jaxtyping_disable", False)
