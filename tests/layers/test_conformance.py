"""Every sentence reader, found by walking the package."""

import pytest

from memnets.layers import SentenceReader
from memnets.testing import check_reader, discover


@pytest.mark.parametrize("reader", discover(SentenceReader), ids=lambda part: part.__name__)
def test_reader_conforms(reader):
    check_reader(reader)
