"""A dynamic memory network: a story in slots, an episodic memory over them, an answer."""

from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from memnets.attention import Readout, Softmax
from memnets.layers.encoders import SummedDirections
from memnets.layers.gates import XiongGate
from memnets.layers.sentences import OwnLengthPositionEncoding, RecurrentReader, SentenceReader
from memnets.layers.story_readers import SentencesOfStory, StoryReader
from memnets.memories.episodic import (
    AttentionGRU,
    Episodes,
    EpisodicMemory,
    MeanOfSlots,
    UntiedReLU,
)
from memnets.models.dmn.heads import AnswerHead, OneAnswer
from memnets.ops.sizes import at_least, at_least_one, within

EMBEDDING_SPREAD = 3**0.5
"""Embeddings start uniform between minus and plus this, with variance 1 (Xiong et al., 6.2)."""


class DMNOutput(NamedTuple):
    """What was answered, and what was read for it.

    Attributes:
        scores: of every choice, for each word of the answer.
        hops: a readout each; their scores are those of the gate, of the slots that stories fill.
        memory: after the last hop.
        asked: the question as it was read.
    """

    scores: Float[Tensor, "batch word choice"]
    hops: tuple[Readout, ...]
    memory: Float[Tensor, "batch hidden"]
    asked: Float[Tensor, "batch hidden"]


class StoryInSlots(NamedTuple):
    """A story, or a picture, that was read, for any number of questions."""

    slots: Float[Tensor, "batch slot hidden"]
    mask: Bool[Tensor, "batch slot"]


class EpisodicNetwork(nn.Module):
    """What is asked about slots, whatever these were made of: sentences of a story, or a picture.

    A subclass sets the parts, in the order in which their weights are to be drawn.

    Args:
        vocab: number of words, nil (0) included.
        dim: width of an embedding.
        spread: embeddings start uniform between minus and plus this.

    Raises:
        ValueError: a size is too small, or the spread is not above 0.
    """

    question: SentenceReader
    memory: EpisodicMemory | MeanOfSlots
    head: AnswerHead

    def __init__(self, vocab: int, dim: int, spread: float = EMBEDDING_SPREAD) -> None:
        super().__init__()
        at_least(2, type(self).__name__, "Nil is one of them.", vocab=vocab)
        at_least_one(type(self).__name__, dim=dim)
        within(lambda x: x > 0, type(self).__name__, "a number above 0. Pass 1.7.", spread=spread)
        self.spread = spread
        self.embedding = nn.Parameter(torch.empty(vocab, dim))

    def reset_parameters(self, generator: torch.Generator | None = None) -> None:
        """Draw every matrix as Xavier does, the embeddings uniform; biases begin at zero."""
        with torch.no_grad():
            for name, parameter in self.drawn():
                if name == "embedding":
                    parameter.uniform_(-self.spread, self.spread, generator=generator)
                elif parameter.ndim > 1:
                    nn.init.xavier_uniform_(parameter, generator=generator)
                else:
                    parameter.zero_()

    def drawn(self) -> list[tuple[str, nn.Parameter]]:
        """Return the weights that `reset_parameters` draws, in this order, with their names."""
        return list(self.named_parameters())

    def episodes(
        self, story: StoryInSlots, question: Int[Tensor, "batch word"]
    ) -> tuple[Episodes, Float[Tensor, "batch hidden"]]:
        """Return what the hops over the slots found, and the question that they were asked."""
        asked = self.question(question, self.embedding.unsqueeze(1)).squeeze(1)
        return self.memory(*story, asked), asked


class DMN(EpisodicNetwork):
    r"""Read a story into slots, read these several times for a question, and answer.

    $$ f_1, \dots, f_N = \mathrm{story}(x), \quad q = \mathrm{question}(x_q), \quad
       m = \mathrm{memory}(f, q), \quad \hat a = \mathrm{head}(m, q) $$
    (Kumar et al., section 2; Xiong et al., section 3)

    Story and question are read with the same embeddings. Every part is given: `presets` has the
    models of the papers.

    Deviations: none of its own; see the parts.
    Cite: kumar2016, xiong2016

    Args:
        vocab: number of words, nil (0) included.
        dim: width of an embedding.
        story: from sentences to slots.
        question: from the words of a question to a vector as wide as a slot.
        memory: reads the slots.
        head: answers.
        spread: embeddings start uniform between minus and plus this.

    Raises:
        ValueError: a size is too small, or the spread is not above 0.
    """

    memory: EpisodicMemory

    def __init__(
        self,
        vocab: int,
        dim: int,
        story: StoryReader,
        question: SentenceReader,
        memory: EpisodicMemory,
        head: AnswerHead,
        spread: float = EMBEDDING_SPREAD,
    ) -> None:
        super().__init__(vocab, dim, spread)
        self.story, self.question, self.memory, self.head = story, question, memory, head
        self.reset_parameters()

    def forward(
        self,
        sentences: Int[Tensor, "sentence word"],
        story: Int[Tensor, "batch slot"],
        length: Int[Tensor, " batch"],
        question: Int[Tensor, "batch _"],
    ) -> DMNOutput:
        """Answer a question about each story.

        Args:
            sentences: distinct sentences, as words; each is read once, if any story tells it.
            story: which of the sentences a slot holds, the oldest first.
            length: how many slots a story has.
            question: the words of the questions.
        """
        found, asked = self.episodes(self.remember(sentences, story, length), question)
        return DMNOutput(self.head(found.memory, asked), found.hops, found.memory, asked)

    def remember(
        self,
        sentences: Int[Tensor, "sentence word"],
        story: Int[Tensor, "batch slot"],
        length: Int[Tensor, " batch"],
    ) -> StoryInSlots:
        """Read stories into slots; many questions may follow."""
        longest = int(length.max()) if len(length) else 0
        story = story[:, :longest]  # slots that no story fills regroup sums, and cost time
        told = torch.arange(longest, device=length.device) < length.unsqueeze(-1)
        return StoryInSlots(self.story(sentences, story, told, self.embedding), told)

    def loss(
        self,
        sentences: Int[Tensor, "sentence word"],
        story: Int[Tensor, "batch slot"],
        length: Int[Tensor, " batch"],
        question: Int[Tensor, "batch _"],
        said: Int[Tensor, "batch _"],
    ) -> tuple[Float[Tensor, " batch"], Episodes]:
        r"""Return $-\log p$ of the right answers, and what was read for them."""
        found, asked = self.episodes(self.remember(sentences, story, length), question)
        return self.head.loss(found.memory, asked, said), found


def example() -> tuple[DMN, tuple[Tensor, ...]]:
    """Return a small model and its inputs for the conformance tests."""
    dim, hidden, hops = 5, 6, 2
    model = DMN(
        vocab=13,
        dim=dim,
        story=SentencesOfStory(
            OwnLengthPositionEncoding(),
            dim,
            SummedDirections(nn.GRU(dim, hidden, bidirectional=True)),
        ),
        question=RecurrentReader(nn.GRU(dim, hidden)),
        memory=EpisodicMemory(
            XiongGate(hidden), Softmax(), AttentionGRU(hidden), UntiedReLU(hidden, hops), hops
        ),
        head=OneAnswer(hidden, answers=7),
    )
    for bias in (part for part in model.parameters() if part.ndim == 1):
        nn.init.normal_(bias)
    sentences, story = torch.randint(1, 13, (11, 4)), torch.randint(0, 11, (3, 7))
    return model, (sentences, story, torch.tensor([3, 7, 2]), torch.randint(1, 13, (3, 3)))
