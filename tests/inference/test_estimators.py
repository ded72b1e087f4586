"""The estimator of scikit-learn: its own checks, what it learns, what it draws."""

import numpy as np
import pytest

from memnets.inference import estimators
from memnets.inference.estimators import RBM


@pytest.fixture
def two():
    """Rows that are one of two patterns, a few bits turned."""
    random = np.random.default_rng(0)
    patterns = np.array([[1, 1, 1, 0, 0, 0], [0, 0, 0, 1, 1, 1]])
    rows = patterns[random.integers(0, 2, 200)]
    return np.where(random.random(rows.shape) < 0.05, 1 - rows, rows).astype(float)


def test_it_passes_scikit_learns_own_checks():
    checks = pytest.importorskip("sklearn.utils.estimator_checks")
    small = RBM(n_components=3, n_iter=1, batch_size=50, random_state=0)
    found = checks.check_estimator(small, on_skip=None, on_fail=None)
    assert len(found) > 30
    assert [one for one in found if one["status"] not in ("passed", "skipped")] == []


@pytest.mark.parametrize("persistent", [True, False])
def test_it_learns_what_rows_there_are(two, persistent):
    pytest.importorskip("sklearn")
    made = RBM(4, learning_rate=0.3, batch_size=20, persistent=persistent)
    made.set_params(random_state=0)
    before = made.set_params(n_iter=1).fit(two).score_samples(two).mean()
    after = made.set_params(n_iter=20).fit(two)
    assert after.score_samples(two).mean() > before + 1
    assert after.transform(two[:5]).shape == (5, 4)
    drawn = after.sample(200, steps=30, random_state=0)
    halves = drawn.reshape(-1, 2, 3).mean(-1).round()
    assert (halves[:, 0] != halves[:, 1]).mean() > 0.8
    assert np.array_equal(drawn, after.sample(200, steps=30, random_state=0))


def test_what_it_cannot_do(two, monkeypatch):
    pytest.importorskip("sklearn")
    with pytest.raises(ValueError, match=r"n_samples=0, steps=1000\): expected one row"):
        RBM(2, n_iter=1).fit(two).sample(0)
    monkeypatch.setattr(estimators, "is_installed", False)
    with pytest.raises(ModuleNotFoundError, match="pip install 'memnets\\[sklearn\\]'"):
        RBM(2).fit(two)
