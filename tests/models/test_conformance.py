"""Every model, found by walking the package."""

import pytest

from memnets.testing import check_model, model_modules


@pytest.mark.parametrize("module", model_modules(), ids=lambda module: module.__name__)
def test_model_conforms(module):
    check_model(module)
