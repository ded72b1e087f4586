"""Translation by the models of Bahdanau et al. (2015) and Luong et al. (2015), small.

The papers' sizes and millions of sentences are out of reach of two cores: sizes and training are
ours, for the 29,000 captions of Multi30k.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from memnets.data.pairs import SentencePair
from memnets.evidence import Alignment, Answer
from memnets.experiments.answerer import Answerer
from memnets.experiments.run import DataRecord, Prepared, Run
from memnets.studies.translation.data import TOYS, TranslationData, digest
from memnets.training.config import expect_above, expect_at_least, expect_share

if TYPE_CHECKING:
    from memnets.attention import Align, Attention, Score
    from memnets.layers.stepwise import StepReader
    from memnets.models.seq2seq import Seq2Seq
    from memnets.studies.translation.inference import Vocabularies


@dataclass(frozen=True)
class TranslationModel:
    """The model."""

    decoder: Literal["rnnsearch", "rnnsearch-torch", "luong", "luong-fed"] = "rnnsearch"
    """Bahdanau's, with the paper's GRU or torch's; Luong's, without input feeding or with it."""
    score: Literal[
        "additive",
        "dot",
        "scaled",
        "projected",
        "general",
        "concat",
        "cosine",
        "location",
        "none",
    ] = "additive"
    """How a word of the source is matched; dot, scaled and cosine need Luong's decoder, whose
    states are as wide as those of the source. With none the source's last state is all there is."""
    align: Literal["softmax", "local-m", "local-p", "straight-through", "sampled"] = "softmax"
    """How scores become weights; what is sampled learns by REINFORCE."""
    dim: int = 256
    """Width of an embedding."""
    hidden: int = 256
    """Width of a state; of Bahdanau's encoder, in each direction."""
    layers: int = 1
    """Of Luong's encoder and decoder."""
    window: int = 5
    """Words on either side that a local align reads."""
    longest: int = 200
    """Symbols of the longest source that the score by location knows."""
    dropout: float = 0.3
    """Share of the numbers of embeddings and features that is dropped."""

    def __post_init__(self) -> None:
        expect_at_least("model", self, dim=1, hidden=1, layers=1, window=1, longest=1)
        expect_share("model", self, "dropout")
        if self.of_search and self.score in ("dot", "scaled", "cosine"):
            raise ValueError(
                f'model.score is "{self.score}", and the states of model.decoder "{self.decoder}" '
                f"are half as wide as those of its source. Pass --model.score general, or "
                f"--model.decoder luong."
            )
        if self.score == "none" and self.align != "softmax":
            raise ValueError(
                f'model.align is "{self.align}", and with model.score none nothing is aligned. '
                f"Leave it out."
            )

    @property
    def of_search(self) -> bool:
        """Whether the decoder is Bahdanau's."""
        return self.decoder.startswith("rnnsearch")

    @property
    def reads(self) -> bool:
        """Whether there is attention."""
        return self.score != "none"

    def build(self, vocabularies: "Vocabularies") -> "Seq2Seq":
        from memnets.models import seq2seq

        sizes: dict[str, Any] = {"dim": self.dim, "hidden": self.hidden, "dropout": self.dropout}
        if self.of_search:
            sizes["maxout"] = self.hidden // 2
        else:
            sizes["layers"] = self.layers
        builders: dict[str, Callable[..., Seq2Seq]] = {
            "rnnsearch": seq2seq.rnnsearch,
            "rnnsearch-torch": seq2seq.rnnsearch_torch,
            "luong": seq2seq.luong,
            "luong-fed": seq2seq.luong_fed,
        }
        return builders[self.decoder](
            len(vocabularies.source),
            len(vocabularies.target),
            attention=self._reader(),
            initial=seq2seq.modern_initial,
            **sizes,
        )

    def _reader(self) -> "Attention | StepReader":
        from memnets.attention import Attention
        from memnets.layers.stepwise import LastState

        if self.score == "none":
            return LastState()
        return Attention(self._score(), self._align())

    def _score(self) -> "Score":
        from memnets import attention

        query, key = self.hidden, self.hidden * (2 if self.of_search else 1)
        scores: dict[str, Callable[[], Score]] = {
            "additive": lambda: attention.Additive(query, key, query),
            "dot": attention.Dot,
            "scaled": attention.ScaledDot,
            "projected": lambda: attention.ProjectedDot(query, key, query),
            "general": lambda: attention.General(query, key),
            "concat": lambda: attention.LuongConcat(query, key),
            "cosine": attention.LearnedCosine,
            "location": lambda: attention.Location(query, self.longest),
        }
        return scores[self.score]()

    def _align(self) -> "Align":
        from memnets import attention

        aligns: dict[str, Callable[[], Align]] = {
            "softmax": attention.Softmax,
            "local-m": lambda: attention.LocalM(self.window),
            "local-p": lambda: attention.LocalP(self.hidden, self.window),
            "straight-through": attention.StraightThroughArgmax,
            "sampled": attention.Sampled,
        }
        return aligns[self.align]()


@dataclass(frozen=True)
class TranslationTraining:
    """The training: Adam on the mean cross entropy of the target's symbols."""

    batch: int = 64
    """Pairs in an update, of like lengths."""
    epochs: int = 5
    """How many there are; the one of lowest validation loss is kept."""
    learning_rate: float = 0.002
    """Of Adam, at first; it falls in a straight line to 0 at the end."""
    clip: float = 1.0
    """The longest gradient; a longer one is shortened."""
    entropy: float = 0.0
    """Weight of the entropy of what is drawn; of use with a sampled align alone."""

    def __post_init__(self) -> None:
        expect_at_least("training", self, batch=1, epochs=1, entropy=0)
        expect_above("training", self, learning_rate=0, clip=0)


@dataclass(frozen=True, kw_only=True)
class Translation(Run):
    """A translator of sentences."""

    kind: ClassVar[str] = "translation"

    data: TranslationData = TranslationData()
    model: TranslationModel = TranslationModel()
    training: TranslationTraining = TranslationTraining()

    @property
    def cite(self) -> tuple[str, ...]:
        return ("bahdanau2015",) if self.model.of_search else ("luong2015",)

    def prepare(self) -> Prepared:
        import torch

        from memnets.studies.translation.inference import Vocabularies
        from memnets.studies.translation.links import LinkedWords
        from memnets.studies.translation.task import TranslationTask
        from memnets.tasks.numbered_pairs import NumberedPairs
        from memnets.training.best import Best
        from memnets.training.clipping import GlobalNorm
        from memnets.training.experiment import Experiment, Phase
        from memnets.training.schedules import linear_decay, seeded

        splits = self.data.load()
        vocabularies = Vocabularies(*self.data.vocabularies(splits["train"]))
        model = self.model.build(vocabularies)
        model.reset_parameters(seeded(self.loop.seed))
        training = self.training
        held = {name: part for name, part in splits.items() if name != "train"}
        step = TOYS.get(self.data.pairs)
        corpus = [] if step else splits["train"]
        links = {"test": LinkedWords(splits["test"], corpus, step)} if self.model.reads else {}
        task = TranslationTask(
            {name: NumberedPairs.of(part, *vocabularies) for name, part in splits.items()},
            training.batch,
            vocabularies.target,
            {name: [pair.target for pair in part] for name, part in held.items()},
            training.entropy,
            vocabularies.source,
            links,
        )
        epoch, updates = task.updates_per_epoch, training.epochs * task.updates_per_epoch
        experiment = Experiment(
            model=model,
            task=task,
            optimizer=torch.optim.Adam(groups(model), training.learning_rate, fused=True),
            phases=(
                Phase("translation", updates, linear_decay(training.learning_rate, updates), epoch),
            ),
            reduction="mean",
            clip=GlobalNorm(training.clip),
            keep=Best("valid/loss"),
        )
        record = DataRecord(f"pairs of sentences, {self.data.pairs}", digest(splits))
        return Prepared(experiment, {"vocabulary.json": vocabularies.to_json()}, record)

    def restore(self, folder: Path) -> "TranslationAnswerer":
        return TranslationAnswerer(self, folder)


def groups(model: "Seq2Seq") -> "list[dict[str, Any]]":
    r"""Return the weights that learn at the whole rate, and matrices of general scores apart.

    $q^\top W k$ sums as many products as $W$ has entries, and Adam moves all of them alike: at the
    rate of the other weights scores saturate before the links between words are found. Such a
    matrix, $d$ wide, learns at $1 / \sqrt d$ of the rate.
    """
    from memnets.attention import General

    bilinear = [part.weight.weight for part in model.modules() if isinstance(part, General)]
    apart = set(map(id, bilinear))
    rest = [weight for weight in model.parameters() if id(weight) not in apart]
    return [
        {"params": rest},
        *({"params": [weight], "share": len(weight) ** -0.5} for weight in bilinear),
    ]


class TranslationAnswerer(Answerer):
    """A trained translator."""

    takes = ("text",)
    run: Translation

    def read_vocabulary(self) -> "Vocabularies":
        from memnets.studies.translation.inference import Vocabularies

        return Vocabularies.from_json(self.folder.read_json("vocabulary.json"))

    @cached_property
    def pairs(self) -> "dict[str, Sequence[SentencePair]]":
        return dict(self.run.data.load())

    def data_sha256(self) -> str:
        return digest(self.pairs)

    def answer(self, context: Sequence[str], asked: str) -> Answer:
        return self.translate([asked])[0]

    @property
    def longest(self) -> int:
        """Symbols of the longest sentence that can be translated."""
        from memnets.studies.translation.inference import MOST_SYMBOLS

        model = self.run.model
        return min(MOST_SYMBOLS, model.longest) if model.score == "location" else MOST_SYMBOLS

    def unfit(self, sentence: str) -> str:
        """Return why a sentence cannot be translated; nothing where it can."""
        from memnets.studies.translation.inference import unfit

        return unfit(sentence, len(self.vocabulary.source.numbers(sentence)), self.longest)

    def translate(
        self, sentences: Sequence[str], beam: int = 5, references: Sequence[str] = ()
    ) -> list[Answer]:
        """Translate sentences at once, each with what was read for every word of it.

        Args:
            sentences: to be translated.
            beam: hypotheses of a sentence that are gone on with; 1 takes the likeliest symbol.
            references: the right translations, where they are known.

        Raises:
            ValueError: the beam is below 1, or a sentence is too long.
        """
        from memnets.studies.translation.inference import translate

        model, vocabulary = self.model, self.vocabulary
        return translate(model, vocabulary, sentences, beam, references, self.longest)

    def align(self, source: str, target: str) -> Alignment:
        """Return what is read for each word of a translation that is given.

        Args:
            source: a sentence.
            target: its translation.

        Raises:
            ValueError: the sentence is too long, or one of both has no word.
        """
        from memnets.studies.translation.inference import aligned

        if not (source.split() and target.split()):
            raise ValueError(
                f'align: "{source}" and "{target}"; expected a word at least in each. Pass a '
                f"sentence and its translation."
            )
        if told := self.unfit(source):
            raise ValueError(told)
        return aligned(self.model, self.vocabulary, SentencePair(source, target))

    def examples(self, split: str, task: int) -> Iterator[Answer]:
        """Translate the sentences of a split; there is one task."""
        for pair in self.pairs[split]:
            yield self.translate([pair.source], references=[pair.target])[0]


def rnnsearch() -> Translation:
    """RNNsearch (Bahdanau et al.) translates the captions of Multi30k."""
    return Translation()


def luong() -> Translation:
    """Luong et al.'s model with input feeding translates the captions of Multi30k."""
    return Translation(model=TranslationModel(decoder="luong-fed", score="general"))


def reversal() -> Translation:
    """RNNsearch says letters from behind; trains in a minute, no data needed."""
    return Translation(
        data=TranslationData(pairs="reversal"),
        model=TranslationModel(dim=32, hidden=48, dropout=0.0),
        training=TranslationTraining(batch=32, epochs=6, learning_rate=0.005),
    )


RECIPES = {
    "translation/rnnsearch": rnnsearch,
    "translation/luong": luong,
    "translation/reversal": reversal,
}
