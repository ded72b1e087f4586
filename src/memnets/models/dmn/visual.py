"""A dynamic memory network that is asked about pictures: regions stand where sentences stood."""

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from memnets.layers.region_readers import RegionReader
from memnets.layers.sentences import SentenceReader
from memnets.layers.stems import Stem
from memnets.memories.episodic import Episodes, EpisodicMemory, MeanOfSlots
from memnets.models.dmn.heads import AnswerHead
from memnets.models.dmn.network import DMNOutput, EpisodicNetwork, StoryInSlots


class VisualDMN(EpisodicNetwork):
    r"""See pictures, read their regions several times for a question, and answer.

    $$ f_1, \dots, f_N = \mathrm{regions}(\mathrm{stem}(x)), \quad q = \mathrm{question}(x_q), \quad
       m = \mathrm{memory}(f, q), \quad \hat a = \mathrm{head}(m, q) $$
    (Xiong et al., sections 3.2 and 3.3)

    A picture is seen once for all its questions. `presets` has the paper's model.

    Deviations: none of its own; see the parts.
    Cite: xiong2016

    Args:
        vocab: number of words of questions, nil (0) included.
        dim: width of an embedding.
        stem: sees pictures, or passes on what was seen.
        regions: from what was seen to slots.
        question: from the words of a question to a vector as wide as a slot.
        memory: reads the slots, by what is asked or, as a control, all alike.
        head: answers.

    Raises:
        ValueError: a size is too small.
    """

    def __init__(
        self,
        vocab: int,
        dim: int,
        stem: Stem,
        regions: RegionReader,
        question: SentenceReader,
        memory: EpisodicMemory | MeanOfSlots,
        head: AnswerHead,
    ) -> None:
        super().__init__(vocab, dim)
        self.stem, self.regions = stem, regions
        self.question, self.memory, self.head = question, memory, head
        self.reset_parameters()

    def reset_parameters(self, generator: torch.Generator | None = None) -> None:
        """Draw the first weights; the stem draws its own, published ones stay as they are."""
        super().reset_parameters(generator)
        self.stem.reset_parameters(generator)

    def drawn(self) -> list[tuple[str, nn.Parameter]]:
        return [(name, part) for name, part in super().drawn() if not name.startswith("stem.")]

    def forward(
        self,
        images: Float[Tensor, "image ..."],
        question: Int[Tensor, "batch _"],
        of: Int[Tensor, " batch"] | None = None,
    ) -> DMNOutput:
        """Answer questions about pictures.

        Args:
            images: pictures, or what the stem passes on.
            question: the words of the questions.
            of: the picture of each question; by default there is one for each.
        """
        found, asked = self.episodes(self.see(images, of), question)
        return DMNOutput(self.head(found.memory, asked), found.hops, found.memory, asked)

    def see(
        self, images: Float[Tensor, "image ..."], of: Int[Tensor, " batch"] | None = None
    ) -> StoryInSlots:
        """See pictures, once each, and lay out their slots for every question."""
        slots = self.regions(self.stem(images))
        slots = slots if of is None else slots.index_select(0, of)
        seen = torch.ones(slots.shape[:2], dtype=torch.bool, device=slots.device)
        return StoryInSlots(slots, seen)

    def loss(
        self,
        images: Float[Tensor, "image ..."],
        question: Int[Tensor, "batch _"],
        said: Int[Tensor, "batch _"],
        of: Int[Tensor, " batch"] | None = None,
    ) -> tuple[Float[Tensor, " batch"], Episodes]:
        r"""Return $-\log p$ of the right answers, and what was read for them."""
        found, asked = self.episodes(self.see(images, of), question)
        return self.head.loss(found.memory, asked, said), found
