"""What MemNN reads: the features of a question, of its story, and of the supports so far (x)."""

from typing import NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor

from memnets.layers.bag_features import Contexts, count_features, embed_bags
from memnets.models.memnn.matching import Match
from memnets.models.memnn.ranking import last_given
from memnets.ops.bags import distinct_told

# Roles of a feature: what is chosen (the block of Phi_y), and where in x it stands.
CHOICE, QUESTION, SUPPORT, LATEST, SAID = range(5)


class StoryBags(NamedTuple):
    """Questions and their stories, as bags of features.

    Attributes:
        sentences: distinct sentences; where the model is adaptive, the stop fact is among them.
        story: which sentence a slot holds, oldest first; in an adaptive model slot 0 is the stop.
        length: how many slots a story has.
        question: the questions.
        contexts: of words that are to be read by them.
    """

    sentences: Int[Tensor, "sentence feature"]
    story: Int[Tensor, "batch slot"]
    length: Int[Tensor, " batch"]
    question: Int[Tensor, "batch feature_of_question"]
    contexts: Contexts | None = None


def those_told(asked: StoryBags) -> StoryBags:
    """Keep the sentences that are told, each once, where that is less than all."""
    told = torch.arange(asked.story.shape[1], device=asked.story.device) < asked.length[:, None]
    sentences, story = distinct_told(asked.sentences, asked.story.long(), told)
    return asked._replace(sentences=sentences, story=story)


class Read(NamedTuple):
    """Questions and sentences, embedded once by a match; hops and words use them again."""

    story: Int[Tensor, "batch slot"]
    table: Float[Tensor, "word role dim"]
    question: Float[Tensor, "batch dim"]
    choice: Float[Tensor, "sentence dim"]
    support: Float[Tensor, "sentence dim"]
    latest: Float[Tensor, "sentence dim"] | None
    asked: Float[Tensor, "batch _"]
    """Features counted, where exact matches count."""
    counts: Float[Tensor, "sentence _"]

    @classmethod
    def by(cls, match: Match, asked: StoryBags, latest: bool) -> "Read":
        """Read with the rows of a match; the latest support has some of its own, or has not."""
        table = match.features.table(asked.contexts)
        question = embed_bags(asked.question, table, [QUESTION])[0]
        roles = [CHOICE, SUPPORT, LATEST][: 3 if latest else 2]
        rows = embed_bags(asked.sentences, table, roles)
        counted = [question.new_zeros(len(bags), 0) for bags in (asked.question, asked.sentences)]
        if match.exact_match:
            both = (asked.question, asked.sentences)
            counted = [count_features(bags, len(table), table.dtype) for bags in both]
        own = rows[2] if latest else None
        return cls(asked.story.long(), table, question, rows[0], rows[1], own, *counted)

    def states(
        self, supports: Int[Tensor, "batch hop"]
    ) -> tuple[Float[Tensor, "batch state dim"], Float[Tensor, "batch state _"]]:
        """Return the sum of x's rows, and its counts, with the first 0, 1, ... supports in it.

        After the last support of a question they stay as they are.
        """
        given = supports >= 0
        sentences = self.story.gather(1, supports.clamp(min=0).long())
        here = given.unsqueeze(-1)
        found, counts = self.support[sentences] * here, self.counts[sentences] * here
        states = self.question.unsqueeze(1) + F.pad(found.cumsum(1), (0, 0, 1, 0))
        counts = self.asked.unsqueeze(1) + F.pad(counts.cumsum(1), (0, 0, 1, 0))
        if self.latest is not None:
            rows = self.latest[sentences.gather(1, last_given(given))] * given[:, :1, None]
            states = states + F.pad(rows, (0, 0, 1, 0))
        return states, counts
