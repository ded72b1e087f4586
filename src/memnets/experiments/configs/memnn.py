"""The first memory network (Weston et al., 2014 and 2015): which of its parts, and its training.

The settings are recalled (width about 50, margin 0.1, SGD at 0.01); where ours differ the field
says so.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from memnets.training.config import expect_above, expect_at_least

if TYPE_CHECKING:
    from memnets.models.memnn import MemNN
    from memnets.tasks.supported import FeatureVocabulary


@dataclass(frozen=True)
class MemNNModel:
    """The model, and which of the additions of 2015 it has."""

    dim: int = 50
    """Width of every embedding, n."""
    adaptive: bool = True
    """Whether supports end with a stop fact and answers with an end word ("AM")."""
    hops: int = 0
    """The most supports; 0 for as many as the training questions have."""
    gram: int = 3
    """The longest n-gram that is a feature ("NG"); 1 for words alone."""
    nonlinear: bool = True
    """Whether sentences are matched by two layers of tanh ("NL")."""
    time: bool = True
    """Whether it is known when a sentence was written (2014, section 3.4)."""
    exact_match: float = 0.0
    """Weight of the words that question and sentence share (2014, section 3.6)."""
    latest: bool = True
    """Whether the words of the support found last are features of their own; not in the papers."""
    initial_scale: float = 0.05
    """Standard deviation of the initial weights; the papers name none."""

    def __post_init__(self) -> None:
        expect_at_least("model", self, dim=1, hops=0, gram=1, exact_match=0)
        expect_above("model", self, initial_scale=0)

    def build(self, vocabulary: "FeatureVocabulary") -> "MemNN":
        from memnets.models.memnn import Matching, MemNN

        return MemNN(
            len(vocabulary.features),
            vocabulary.words,
            Matching(self.dim, self.nonlinear, self.exact_match, scale=self.initial_scale),
            hops=self.hops or vocabulary.hops,
            adaptive=self.adaptive,
            said=vocabulary.said if self.adaptive else 1,
            time=self.time,
            latest=self.latest,
        )


@dataclass(frozen=True)
class MemNNTraining:
    """The training."""

    batch: int = 32
    """Questions in an update; recalled: one."""
    epochs: int = 30
    """Epochs; recalled of 2014: 10."""
    learning_rate: float = 0.01
    """Of Adam, falling in a straight line to 0; recalled: of plain SGD, fixed."""
    margin: float = 1.0
    """Gamma; recalled: 0.1."""
    negatives: int = 10
    """Slots drawn as rivals of each support; 0 for all."""
    evaluate_every: int = 5
    """Epochs from one look at the validation questions to the next."""

    def __post_init__(self) -> None:
        expect_at_least(
            "training",
            self,
            batch=1,
            epochs=1,
            margin=0,
            negatives=0,
            evaluate_every=1,
        )
        expect_above("training", self, learning_rate=0)
