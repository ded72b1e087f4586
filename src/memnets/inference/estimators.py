"""A restricted Boltzmann machine as scikit-learn's estimators are. Needs memnets[sklearn]."""

from typing import TYPE_CHECKING, Any

import numpy as np

from memnets.ops.sizes import at_least, within

try:
    from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin

    is_installed = True
except ModuleNotFoundError:  # said where somebody wants to fit
    is_installed = False
    BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin = (
        type(name, (), {}) for name in ("Estimator", "Features", "Transformer")
    )

if TYPE_CHECKING:
    from torch import Tensor

DTYPES = ("float64", "float32")


class RBM(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Features that a restricted Boltzmann machine finds in bits, or in numbers from 0 to 1.

    Like scikit-learn's `BernoulliRBM`, and trained by `memnets.memories.boltzmann.Updates`; it
    goes into a `Pipeline` or a `GridSearchCV`. Its machine is `machine_`.

    Args:
        n_components: number of hidden bits.
        learning_rate: of plain gradient descent.
        batch_size: rows of an update, and number of persistent chains.
        n_iter: times that all rows are gone through.
        steps: of the chains for every update.
        persistent: whether chains go on from update to update, or begin at the data (CD).
        random_state: seed of all that is drawn: a number, a `RandomState`, or None.
    """

    def __init__(
        self,
        n_components: int = 256,
        *,
        learning_rate: float = 0.05,
        batch_size: int = 100,
        n_iter: int = 10,
        steps: int = 1,
        persistent: bool = True,
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.learning_rate = learning_rate
        self.batch_size = batch_size
        self.n_iter = n_iter
        self.steps = steps
        self.persistent = persistent
        self.random_state = random_state

    def fit(self, X: Any, y: Any = None) -> "RBM":  # noqa: N803, as scikit-learn has it
        """Fit the machine to rows of numbers from 0 to 1.

        Raises:
            ModuleNotFoundError: scikit-learn is not installed.
            TypeError: a size is no whole number, or the rate no number.
            ValueError: a number is NaN or infinite, or there are no rows; a size is below 1, or
                the rate below 0.
        """
        _expect_library()
        import torch
        from sklearn.utils import check_random_state
        from sklearn.utils.validation import validate_data

        from memnets.memories.boltzmann import RestrictedBoltzmannMachine, Updates, uniform
        from memnets.training.schedules import globally_seeded
        from memnets.training.task import shuffled

        self._expect_sizes()
        rows = validate_data(self, X, dtype=DTYPES)
        seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        generator = torch.Generator().manual_seed(seed)
        data = torch.tensor(rows)  # a copy: rows may not be ours to write
        with globally_seeded(seed):
            machine = RestrictedBoltzmannMachine(rows.shape[1], self.n_components).to(data.dtype)
        chains = None
        if self.persistent:
            chains = torch.zeros(self.batch_size, self.n_components)
        updates = Updates(machine, data, self.batch_size, chains, self.steps, uniform(seed))
        batches = shuffled(len(rows), self.batch_size, generator, 0)
        for _ in range(self.n_iter * -(-len(rows) // self.batch_size)):
            (numbers,) = next(batches)
            updates.follow(numbers, self.learning_rate)
        machine = updates.write()
        self.machine_ = machine.requires_grad_(False)
        self.n_iter_ = self.n_iter
        return self

    def _expect_sizes(self) -> None:
        sizes = ("n_components", "batch_size", "steps")
        at_least(1, "RBM", "Pass 100, say.", **{name: getattr(self, name) for name in sizes})
        at_least(0, "RBM", "Pass 10, say.", n_iter=self.n_iter)
        expected = "a number of at least 0. Pass 0.05, say."
        within(lambda rate: rate >= 0, "RBM", expected, learning_rate=self.learning_rate)

    @property
    def _n_features_out(self) -> int:
        return int(self.machine_.hidden)

    def transform(self, X: Any) -> np.ndarray:  # noqa: N803
        """Return how likely each hidden bit is 1, row by row.

        Raises:
            ValueError: a number is NaN or infinite, or a row has another width.
        """
        import torch

        chances: np.ndarray = torch.sigmoid(self.machine_.hidden_field(self._rows(X))).numpy()
        return chances

    def score_samples(self, X: Any) -> np.ndarray:  # noqa: N803
        """Return the pseudo-log-likelihood of every row.

        Unlike scikit-learn's, which guesses it from one bit of each row, it is the exact one.

        Raises:
            ValueError: a number is NaN or infinite, or a row has another width.
        """
        from memnets.memories.boltzmann import pseudo_log_likelihood

        found: np.ndarray = pseudo_log_likelihood(self.machine_, self._rows(X)).numpy()
        return found

    def sample(self, n_samples: int = 1, steps: int = 1000, random_state: Any = None) -> np.ndarray:
        """Return rows that the machine draws itself.

        Args:
            n_samples: number of rows.
            steps: of the chain behind every row; more steps come closer to the distribution.
            random_state: seed of what is drawn.

        Raises:
            ValueError: it is not fitted, or there is no row.
        """
        import torch
        from sklearn.utils import check_random_state
        from sklearn.utils.validation import check_is_fitted

        check_is_fitted(self)
        if n_samples < 1 or steps < 0:
            raise ValueError(
                f"sample(n_samples={n_samples}, steps={steps}): expected one row at least, and no "
                f"negative steps. Pass n_samples=10, steps=1000, say."
            )
        seed = int(check_random_state(random_state).randint(2**31 - 1))
        generator = torch.Generator().manual_seed(seed)
        chain = self.machine_.random_chain(n_samples, generator)
        drawn: np.ndarray = self.machine_.sample(chain, steps, generator).numpy()
        return drawn

    def _rows(self, X: Any) -> "Tensor":  # noqa: N803
        import torch
        from sklearn.utils.validation import check_is_fitted, validate_data

        check_is_fitted(self)
        rows = validate_data(self, X, dtype=DTYPES, reset=False)
        return torch.tensor(rows).to(self.machine_.weight.dtype)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = list(DTYPES)
        return tags


def _expect_library() -> None:
    if not is_installed:
        raise ModuleNotFoundError(
            "RBM is an estimator of scikit-learn, which is not installed. "
            "Run: pip install 'memnets[sklearn]'"
        )
