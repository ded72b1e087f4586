"""Show, Attend and Tell (Xu et al., 2015), small, on pictures whose attention can be measured.

Sizes and training are ours, for pictures of a few thousand pixels; the model is the paper's.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from memnets.evidence import Answer
from memnets.experiments.answerer import Answerer
from memnets.experiments.run import DataRecord, Prepared, Run
from memnets.studies.captions.data import CaptionData, Kept, Splits, digest
from memnets.training.config import expect_above, expect_at_least, expect_at_most, expect_share

if TYPE_CHECKING:
    from memnets.layers.stems import Stem
    from memnets.layers.stepwise import StepReader
    from memnets.models.show_attend_tell import Captioner, ShowAttendTell


@dataclass(frozen=True)
class CaptionModel:
    """The model."""

    attention: Literal["soft", "hard", "none"] = "soft"
    """The expectation of all places, one that is drawn, or the mean alone: the control."""
    variant: Literal["paper", "ungated", "as-run"] = "paper"
    """The paper's model with its gate, without it, or as the authors' code has it."""
    test: Literal["argmax", "expectation", "sample"] = "argmax"
    """What hard attention reads when a picture is asked about."""
    coin: float = 0.5
    """Share of captions whose draws are replaced by their expectation in training."""
    channels: tuple[int, ...] = (32, 64, 64)
    """Widths of the layers that see pictures, each of which halves their sides."""
    deep: int = 0
    """Further layers, which keep the size."""
    dim: int = 32
    """Width of an embedded word."""
    hidden: int = 128
    """Width of the LSTM's state."""
    score: int = 64
    """Width of the hidden layer that scores places."""
    dropout: float = 0.0
    """Share of the numbers of states and features that is dropped."""

    def __post_init__(self) -> None:
        expect_at_least("model", self, deep=0, dim=1, hidden=1, score=1)
        expect_share("model", self, "dropout")
        expect_share("model", self, "coin", all_of_it=True)
        if not self.channels or min(self.channels) < 1:
            raise ValueError(
                f"model.channels is {self.channels}: expected widths of at least 1. "
                f"Pass --model.channels 32 64 64."
            )
        if self.attention != "hard" and (self.test, self.coin) != ("argmax", 0.5):
            raise ValueError(
                f'model.attention is "{self.attention}", where nothing is drawn: model.test and '
                f"model.coin would be ignored. Leave them out."
            )

    def build(self, kept: Kept) -> "Captioner":
        """Build the model for words and pictures of a size."""
        from memnets.models.show_attend_tell import Captioner

        stem = self.stem(kept)
        return Captioner(stem, self.teller(len(kept.words), stem.dim))

    def stem(self, kept: Kept) -> "Stem":
        """Build what sees pictures, or passes on features of them."""
        from memnets.layers.stems import Given, SmallCNN

        if kept.features is not None:
            return Given(kept.features["dim"], tuple(kept.features["grid"]))
        return SmallCNN(self.channels, kept.side, self.deep)

    def teller(self, words: int, context: int) -> "ShowAttendTell":
        """Build what tells of them."""
        from memnets.layers.recurrent import FedLSTM
        from memnets.models import show_attend_tell as sat

        gate = sat.NoGate() if self.variant == "ungated" else sat.ContextGate(self.hidden)
        as_run = self.variant == "as-run"
        output = sat.OutputAsRun if as_run else sat.DeepOutput
        return sat.ShowAttendTell(
            words,
            self.dim,
            sat.StartByMean(context, self.hidden, shared=int(as_run)),
            self._reader(context),
            gate,
            FedLSTM(self.dim, context, self.hidden),
            output(self.dim, self.hidden, context),
            self.dropout,
        )

    def _reader(self, context: int) -> "StepReader":
        from memnets import attention
        from memnets.layers.stepwise import LastState, Stepwise
        from memnets.models.show_attend_tell import (
            Drawn,
            ScoreAsRun,
            coin_for_all,
            coin_for_each,
        )

        if self.attention == "none":
            return LastState()
        score: attention.Score
        if self.variant == "as-run":
            score = ScoreAsRun(self.hidden, context)
        else:
            score = attention.Additive(self.hidden, context, self.score, bias=True)
        if self.attention == "soft":
            return Stepwise(attention.Attention(score, attention.Softmax()))
        tests: dict[str, attention.Align] = {
            "argmax": attention.Argmax(),
            "expectation": attention.Softmax(),
            "sample": attention.Sampled(),
        }
        coin = (coin_for_all if self.variant == "as-run" else coin_for_each)(self.coin)
        return Drawn(score, coin, tests[self.test])


@dataclass(frozen=True)
class CaptionTraining:
    """The training: Adam on the mean negative log-likelihood of a caption."""

    batch: int = 64
    """Captions of one length in an update."""
    epochs: int = 20
    """The most there are."""
    patience: int = 10
    """Epochs without a lower validation loss after which the run ends."""
    learning_rate: float = 0.001
    """Of Adam; it falls in a straight line to nothing."""
    clip: float = 5.0
    """The longest gradient; a longer one is shortened."""
    penalty: float = 0.0
    """Weight of the doubly stochastic penalty, in the paper's scaling; of soft attention alone."""
    reward: float = 1.0
    """Weight of what draws earn; of hard attention alone, like the two below."""
    entropy: float = 0.0
    """Weight of the entropy of what is drawn from."""
    samples: int = 1
    """How often every caption is gone through with draws of its own."""

    def __post_init__(self) -> None:
        least = {"batch": 1, "epochs": 1, "patience": 1, "samples": 1}
        expect_at_least("training", self, **least, penalty=0, reward=0, entropy=0)
        expect_at_most("training", self, batch=4096)
        expect_above("training", self, learning_rate=0, clip=0)


@dataclass(frozen=True, kw_only=True)
class Captions(Run):
    """A teller of pictures."""

    kind: ClassVar[str] = "captions"

    data: CaptionData = CaptionData()
    model: CaptionModel = CaptionModel()
    training: CaptionTraining = CaptionTraining()

    def __post_init__(self) -> None:
        super().__post_init__()
        training, hard = self.training, self.model.attention == "hard"
        drawn = (training.reward, training.entropy, training.samples)
        if not hard and drawn != (1.0, 0.0, 1):
            raise ValueError(
                f'model.attention is "{self.model.attention}", where nothing is drawn: '
                f"training.reward, entropy and samples would be ignored. Leave them out."
            )
        if self.model.attention != "soft" and training.penalty:
            raise ValueError(
                f"training.penalty is {training.penalty:g}, and model.attention is "
                f'"{self.model.attention}": the penalty is of soft attention. Leave it out.'
            )

    @property
    def cite(self) -> tuple[str, ...]:
        return ("xu2015",)

    def prepare(self) -> Prepared:
        import torch

        from memnets.studies.captions.encoding import encode
        from memnets.studies.captions.task import CaptionTask
        from memnets.training.best import Best
        from memnets.training.clipping import GlobalNorm
        from memnets.training.experiment import Experiment, Phase
        from memnets.training.schedules import linear_decay, seeded

        splits = self.data.load()
        training = self.training
        kept, captions, references = encode(splits, self.data)
        model = self.model.build(kept)
        model.reset_parameters(seeded(self.loop.seed))
        names = ("penalty", "entropy", "reward", "samples")
        task = CaptionTask(
            captions,
            training.batch,
            kept.words,
            references,
            {name: getattr(training, name) for name in names},
            as_run=self.model.variant == "as-run",
            side=kept.side,
        )
        epoch = task.updates_per_epoch
        updates = training.epochs * epoch
        rate = linear_decay(training.learning_rate, updates)
        # Of the thousands of words of photos most rest in an update: fused, Adam sees them once.
        fused = None if self.data.generated else True
        experiment = Experiment(
            model=model,
            task=task,
            optimizer=torch.optim.Adam(model.parameters(), training.learning_rate, fused=fused),
            phases=(Phase("captions", updates, rate, epoch),),
            reduction="mean",
            clip=GlobalNorm(training.clip),
            keep=Best("valid/loss", patience=training.patience),
        )
        record = DataRecord(f"captions, {self.data.pictures}", digest(splits))
        return Prepared(experiment, {"vocabulary.json": kept.to_json()}, record)

    def restore(self, folder: Path) -> "CaptionAnswerer":
        return CaptionAnswerer(self, folder)


class CaptionAnswerer(Answerer):
    """A trained teller of pictures."""

    takes = ("picture",)
    run: Captions

    def read_vocabulary(self) -> Kept:
        return Kept.from_json(self.folder.read_json("vocabulary.json"))

    @cached_property
    def splits(self) -> Splits:
        return self.run.data.load()

    def data_sha256(self) -> str:
        return digest(self.splits)

    def answer(self, context: Sequence[str], asked: str) -> Answer:
        return self.caption([asked])[0]

    def caption(self, pictures: Sequence[Any], beam: int = 5) -> list[Answer]:
        """Say captions of pictures, each with what was seen for every word.

        Args:
            pictures: files of pictures, or arrays `(height, width, 3)` from 0 to 255.
            beam: hypotheses of a caption that are gone on with; 1 takes the likeliest word.

        Raises:
            ValueError: a picture cannot be read, the beam is below 1, or the run takes features.
        """
        from memnets.studies.captions.inference import caption

        return caption(self.model, self.vocabulary, pictures, beam)

    def examples(self, split: str, task: int) -> Iterator[Answer]:
        """Tell of the pictures of a split; there is one task."""
        from memnets.studies.captions.inference import examples

        yield from examples(self.model, self.vocabulary, self.splits[split], split)


def shape_scenes() -> Captions:
    """Soft attention tells of two coloured shapes; minutes on one core, no data needed."""
    return Captions()


def shape_scenes_hard() -> Captions:
    """Hard attention (REINFORCE) tells of two coloured shapes; no data needed."""
    return Captions(
        model=CaptionModel(attention="hard"),
        training=CaptionTraining(entropy=0.01, reward=0.1),
    )


def digits() -> Captions:
    """Soft attention reads handwritten digits in a grid, from left to right."""
    return Captions(data=CaptionData(pictures="digits"))


def flickr8k() -> Captions:
    """Soft attention tells of photos (Flickr8k), which it sees through a small network."""
    return Captions(
        data=CaptionData(pictures="flickr8k"),
        model=CaptionModel(dropout=0.3),
        training=CaptionTraining(epochs=30),
    )


RECIPES = {
    "captions/shape-scenes": shape_scenes,
    "captions/shape-scenes-hard": shape_scenes_hard,
    "captions/digits": digits,
    "captions/flickr8k": flickr8k,
}
