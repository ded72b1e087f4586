"""A dynamic memory network that tags: an answer behind every word of a sentence."""

from typing import NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from memnets.attention import Readout
from memnets.layers.story_readers import StoryReader
from memnets.memories.episodic import EpisodicMemory, RecurrentRead
from memnets.ops.sizes import at_least, at_least_one, share_of_it

SPREAD = 0.1
"""Embeddings and the question start uniform between minus and plus this: a word sums several."""


class TaggerOutput(NamedTuple):
    """The scores of every tag for each word, and what was read.

    Attributes:
        scores: of the tags; of no meaning where a row has no word.
        hops: a readout each; the tags are of the last one.
        told: where a row has a word.
    """

    scores: Float[Tensor, "batch slot tag"]
    hops: tuple[Readout, ...]
    told: Bool[Tensor, "batch slot"]


class DMNTagger(nn.Module):
    r"""Read the words of a sentence several times, and tag each by the state behind it.

    $$ f_1, \dots, f_N = \mathrm{story}(x), \qquad m = \mathrm{memory}(f, q), \qquad
       e_t = h^T_t, \qquad \hat y_t = \mathrm{softmax}(W e_t + b) $$
    (Kumar et al., section 2.3)

    Slots are words: a word is read as a sentence of what it is made of, such as the word itself,
    its ends and its shape, so that its vector is their sum. The question is the same for every
    sentence: a vector that is learnt. $h^T_t$ is the state of the last hop behind word $t$.

    The gates are to be of each word by itself, such as sigmoids: of a softmax over the words every
    one has a small share, and the state behind it hardly knows of it.

    Deviations: the paper lets its answer module speak at every word and does not print how; here
    it is one layer. What a word is made of is ours; so are the two directions in which words know
    of each other before they are read, where the paper has one.
    Cite: kumar2016

    Args:
        vocab: number of things that words are made of, nil (0) included.
        dim: width of an embedding.
        story: from words to slots.
        memory: reads the slots; its read is recurrent, and no slot ends its hops.
        tags: how many there are.
        dropout: share of the numbers of a state that is set to zero in training.

    Raises:
        TypeError: the memory has no state behind every slot.
        ValueError: a size is too small, the dropout is no share, or a slot ends the hops.
    """

    def __init__(
        self,
        vocab: int,
        dim: int,
        story: StoryReader,
        memory: EpisodicMemory,
        tags: int,
        dropout: float = 0.0,
    ) -> None:
        super().__init__()
        at_least(2, "DMNTagger", "Nil is one of them.", vocab=vocab)
        at_least_one("DMNTagger", dim=dim, tags=tags)
        share_of_it("DMNTagger", dropout=dropout)
        if not isinstance(memory.read, RecurrentRead):
            raise TypeError(
                f"DMNTagger(memory=...) reads by {type(memory.read).__name__}: expected a "
                f"recurrent read, which has a state behind every word. Pass GatedGRU, say."
            )
        if memory.end is not None:
            raise ValueError(
                "DMNTagger(memory=...) has a slot that ends its hops: expected none, as every "
                "word is tagged by the last hop. Build the memory with ends=False."
            )
        self.embedding = nn.Parameter(torch.empty(vocab, dim))
        self.question = nn.Parameter(torch.empty(memory.gate.hidden))
        self.story, self.memory = story, memory
        self.dropout = nn.Dropout(dropout)
        self.tag = nn.Linear(memory.gate.hidden, tags)
        self.reset_parameters()

    def reset_parameters(self, generator: torch.Generator | None = None) -> None:
        """Draw every matrix as Xavier does; embeddings and question uniform; biases are zero."""
        with torch.no_grad():
            for name, parameter in self.named_parameters():
                if name in ("embedding", "question"):
                    parameter.uniform_(-SPREAD, SPREAD, generator=generator)
                elif parameter.ndim > 1:
                    nn.init.xavier_uniform_(parameter, generator=generator)
                else:
                    parameter.zero_()

    def forward(
        self,
        words: Int[Tensor, "word part"],
        sentence: Int[Tensor, "batch slot"],
        length: Int[Tensor, " batch"],
    ) -> TaggerOutput:
        """Tag sentences.

        Args:
            words: distinct words, as what they are made of; nil fills them up.
            sentence: which of the words stands in each slot.
            length: how many words a sentence has.
        """
        longest = int(length.max()) if len(length) else 0
        sentence = sentence[:, :longest]
        told = torch.arange(longest, device=length.device) < length.unsqueeze(-1)
        slots = self.story(words, sentence, told, self.embedding)
        found = self.memory(slots, told, self.question.expand(len(length), -1))
        weights = found.hops[-1].weights.squeeze(-2)
        read = self.memory.read
        assert isinstance(read, RecurrentRead)
        states = read.states(found.remembered, weights, told)
        return TaggerOutput(self.tag(self.dropout(states)), found.hops, told)
