"""The configuration of a dynamic memory network: a word for each of its parts."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from memnets.training.config import expect_above, expect_at_least, expect_share

if TYPE_CHECKING:
    from torch import nn

    from memnets.layers import StoryReader
    from memnets.memories import EpisodicMemory
    from memnets.models.dmn import DMN, AnswerHead
    from memnets.tasks.episodes import EpisodeVocabulary

END = 1
"""The word that ends sentences and answers."""


@dataclass(frozen=True)
class DMNModel:
    """The model; its defaults are DMN+."""

    reader: Literal["position", "bag", "gru", "lstm", "words"] = "position"
    """How sentences are read: by the places of their words, as bags, by a recurrence each, or by
    one GRU over all words of the story."""
    question: Literal["own", "story"] = "own"
    """Whether the question has a GRU of its own, or is read by that of the story's words."""
    fusion: Literal["both", "forward", "none"] = "both"
    """In which directions a GRU over sentences lets them know of each other."""
    gate: Literal["xiong", "kumar"] = "xiong"
    """The features that slots are scored by."""
    align: Literal["softmax", "sigmoid", "sparsemax"] = "softmax"
    """How scores become weights."""
    read: Literal["attention-gru", "gated-gru", "sum"] = "attention-gru"
    """How slots are read by their weights."""
    update: Literal["relu", "gru", "add"] = "relu"
    """How the memory changes: a layer for each hop, one GRU, or the sum."""
    answer: Literal["whole", "words"] = "whole"
    """Whether answers are known as a whole, or said word by word."""
    hidden: int = 80
    """Width of embeddings and states."""
    spread: float = 3**0.5
    """Embeddings start uniform between minus and plus this: with variance 1, as Xiong et al. do."""
    hops: int = 3
    """How often the story is read."""
    ends: bool = False
    """Whether a slot of its own ends the hops."""
    dropout: float = 0.1
    """Share of the numbers of a sentence, and of what the answer is made of, that is dropped."""
    window: int = 70
    """How many of the latest sentences are read; 130 in task 3."""

    def __post_init__(self) -> None:
        expect_at_least("model", self, hidden=1, hops=1, window=1)
        expect_above("model", self, spread=0)
        expect_share("model", self, "dropout")
        if self.reader == "words" and self.fusion != "none":
            raise ValueError(
                f'model.fusion is "{self.fusion}", and model.reader "words" has read the whole '
                f"story already. Pass --model.fusion none."
            )
        if self.question == "story" and self.reader != "words":
            raise ValueError(
                f'model.question is "story", and model.reader "{self.reader}" has no GRU over the '
                f"words of stories. Pass --model.question own."
            )

    def build(self, vocabulary: "EpisodeVocabulary") -> "DMN":
        from torch import nn

        from memnets.layers.sentences import RecurrentReader
        from memnets.models.dmn import DMN

        words = nn.GRU(self.hidden, self.hidden)
        own = nn.GRU(self.hidden, self.hidden)
        return DMN(
            vocabulary.language.words,
            self.hidden,
            story=self._story(vocabulary, words),
            question=RecurrentReader(words if self.question == "story" else own),
            memory=self._memory(),
            head=self._head(vocabulary),
            spread=self.spread,
        )

    def _story(self, vocabulary: "EpisodeVocabulary", words: "nn.GRU") -> "StoryReader":
        from torch import nn

        from memnets import layers

        width = self.hidden
        if self.reader == "words":
            return layers.WordsOfStory(words, END, self.dropout)
        readers: dict[str, Callable[[], layers.SentenceReader]] = {
            "position": layers.OwnLengthPositionEncoding,
            "bag": lambda: layers.BagOfWords(vocabulary.sentence_words),
            "gru": lambda: layers.RecurrentReader(nn.GRU(width, width)),
            "lstm": lambda: layers.RecurrentReader(nn.LSTM(width, width)),
        }
        fusions: dict[str, Callable[[], layers.Encoder | None]] = {
            "both": lambda: layers.SummedDirections(nn.GRU(width, width, bidirectional=True)),
            "forward": lambda: layers.RecurrentEncoder(nn.GRU(width, width)),
            "none": lambda: None,
        }
        reader, fusion = readers[self.reader](), fusions[self.fusion]()
        return layers.SentencesOfStory(reader, width, fusion, self.dropout)

    def _memory(self) -> "EpisodicMemory":
        from memnets import attention, layers
        from memnets.memories import episodic

        gates: dict[str, type[layers.Gate]] = {"xiong": layers.XiongGate, "kumar": layers.KumarGate}
        aligns: dict[str, Callable[[], attention.Align]] = {
            "softmax": attention.Softmax,
            "sigmoid": attention.Sigmoid,
            "sparsemax": attention.Sparsemax,
        }
        reads: dict[str, Callable[[], episodic.EpisodeRead]] = {
            "attention-gru": lambda: episodic.AttentionGRU(self.hidden),
            "gated-gru": lambda: episodic.GatedGRU(self.hidden),
            "sum": episodic.SoftSum,
        }
        updates: dict[str, Callable[[], episodic.MemoryUpdate]] = {
            "relu": lambda: episodic.UntiedReLU(self.hidden, self.hops),
            "gru": lambda: episodic.GRUUpdate(self.hidden),
            "add": episodic.SumUpdate,
        }
        return episodic.EpisodicMemory(
            gates[self.gate](self.hidden),
            aligns[self.align](),
            reads[self.read](),
            updates[self.update](),
            self.hops,
            self.ends,
        )

    def _head(self, vocabulary: "EpisodeVocabulary") -> "AnswerHead":
        from memnets.models.dmn import Decoder, OneAnswer

        if self.answer == "whole":
            return OneAnswer(self.hidden, len(vocabulary.answers), self.dropout)
        language = vocabulary.language
        return Decoder(self.hidden, language.words, END, language.said + 1, self.dropout)
