"""Story readers: from the sentences of stories to a vector a slot, in the order of telling."""

from abc import ABC, abstractmethod

import torch.nn.functional as F
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from memnets.layers.encoders import Encoder, RecurrentEncoder
from memnets.layers.sentences import SentenceReader
from memnets.ops.bags import NIL, distinct_told
from memnets.ops.ragged import Places
from memnets.ops.sizes import at_least, at_least_one, share_of_it


class StoryReader(nn.Module, ABC):
    """Read stories, whose sentences are words of a table, into slots."""

    hidden: int
    """Width of a slot."""

    @abstractmethod
    def forward(
        self,
        sentences: Int[Tensor, "sentence word"],
        story: Int[Tensor, "batch slot"],
        told: Bool[Tensor, "batch slot"],
        table: Float[Tensor, "vocab dim"],
    ) -> Float[Tensor, "batch slot hidden"]:
        """Return the slots; zeros where nothing was told.

        Args:
            sentences: distinct sentences; nil words fill them up.
            story: which sentence a slot holds, the oldest first.
            told: which slots hold one.
            table: a vector a word.
        """


class SentencesOfStory(StoryReader):
    r"""Read every sentence by itself, then let the sentences of a story know of each other.

    $$ s_i = \mathrm{reader}(x_{i1}, \dots, x_{iM}), \qquad
       f_1, \dots, f_N = \mathrm{fusion}(s_1, \dots, s_N) $$  (Xiong et al., section 3.1)

    A sentence that many stories tell is read once.

    Deviations: none.
    Cite: xiong2016

    Args:
        reader: how a sentence is read.
        hidden: width of a slot: that of the fusion, or of the reader where there is none.
        fusion: over the sentences of a story; without it each keeps what the reader returned.
        dropout: share of the numbers of a sentence that is set to zero in training, each time it is
            told by itself.

    Raises:
        ValueError: a size is below 1, or the dropout is no share.
    """

    def __init__(
        self,
        reader: SentenceReader,
        hidden: int,
        fusion: Encoder | None = None,
        dropout: float = 0.0,
    ) -> None:
        super().__init__()
        at_least_one("SentencesOfStory", hidden=hidden)
        share_of_it("SentencesOfStory", dropout=dropout)
        self.reader, self.fusion = reader, fusion
        self.hidden = hidden if fusion is None else fusion.hidden
        self.dropout = nn.Dropout(dropout)

    def forward(
        self,
        sentences: Int[Tensor, "sentence word"],
        story: Int[Tensor, "batch slot"],
        told: Bool[Tensor, "batch slot"],
        table: Float[Tensor, "vocab dim"],
    ) -> Float[Tensor, "batch slot hidden"]:
        sentences, story = distinct_told(sentences, story.long(), told)
        read = self.reader(sentences, table.unsqueeze(1)).squeeze(1)  # sentence hidden
        places = Places.of(told)
        picked = F.embedding(story.flatten().index_select(0, places.flat), read)
        slots = places.lay_out(self.dropout(picked))
        return slots if self.fusion is None else self.fusion(slots, told)


class WordsOfStory(StoryReader):
    r"""Read all words of a story as one sequence, and keep the states at the ends of sentences.

    $$ h_t = f(E[w_t], h_{t-1}), \qquad f_i = h_{t_i} $$  (Kumar et al., section 2.1)

    Here $t_i$ is the place of the word that ends sentence $i$, a full stop.

    Deviations: none.
    Cite: kumar2016

    Args:
        recurrence: `nn.GRU(dim, hidden)` or the like.
        end: number of the word that is read at the end of each sentence.
        dropout: share of the numbers of a word that is set to zero in training.

    Raises:
        ValueError: the end is no word's number, or the dropout is no share.
    """

    def __init__(self, recurrence: nn.RNNBase, end: int, dropout: float = 0.0) -> None:
        super().__init__()
        at_least(0, "WordsOfStory", "Pass the number of a word.", end=end)
        share_of_it("WordsOfStory", dropout=dropout)
        self.encoder = RecurrentEncoder(recurrence)
        self.hidden, self.end = self.encoder.hidden, end
        self.dropout = nn.Dropout(dropout)

    def forward(
        self,
        sentences: Int[Tensor, "sentence word"],
        story: Int[Tensor, "batch slot"],
        told: Bool[Tensor, "batch slot"],
        table: Float[Tensor, "vocab dim"],
    ) -> Float[Tensor, "batch slot hidden"]:
        ended = F.pad(sentences.long(), (0, 1), value=self.end)  # the end stands in the last column
        words = ended[story.long().masked_fill(~told, 0)].masked_fill(~told.unsqueeze(-1), NIL)
        sequence = words.flatten(1)  # batch slot*word
        states = self.encoder(self.dropout(F.embedding(sequence, table)), sequence != NIL)
        return states.unflatten(1, words.shape[1:])[:, :, -1]
