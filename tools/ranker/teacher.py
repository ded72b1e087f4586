"""What teaches a ranker: a larger network that learnt from the same questions before."""

import random
from collections.abc import Sequence

import torch
from rich.progress import track
from torch import Tensor
from torch.nn import functional as F

from memnets.kb.questions.ranking import asking
from tools.ranker.batches import Batch
from tools.ranker.networks import Head
from tools.ranker.phrasings import Table
from tools.ranker.training import Model

AT_ONCE = 1024
"""Texts that are encoded between two steps of the progress that is shown."""
COMPARED = 4000
"""Texts by which vectors are turned."""


class Teacher:
    """Tells what a trained model makes of texts, each encoded once.

    Args:
        model: was trained.
        tables: whose questions and columns are encoded.
        further: texts that nobody asked.
    """

    def __init__(self, model: Model, tables: Sequence[Table], further: Sequence[str] = ()) -> None:
        self.further = further
        texts = {one.text for table in tables for one in table.phrasings}
        columns = {one for table in tables for one in table.columns.values()}
        every = sorted(texts.union(further, *(asking(*one) for one in columns)))
        model.encoder.eval()
        with torch.inference_mode(), torch.autocast("cpu", torch.bfloat16):
            parts = [every[at : at + AT_ONCE] for at in range(0, len(every), AT_ONCE)]
            found = torch.cat([model.encode(some).float() for some in track(parts, "texts")])
        self._vectors, self.head = F.normalize(found, dim=1).clone(), model.head
        self._places = {text: at for at, text in enumerate(every)}

    @torch.no_grad()
    def turn_to(self, model: Model) -> None:
        """Take the vectors in as many directions as a model has, turned to where it begins.

        The directions are those in which the vectors differ most. They are turned by what brings
        them nearest to the model's vectors of the same texts (Schönemann 1966), which leaves how
        they lie to each other as it is.
        """
        dim = model.encoder.shape.dim
        texts = random.Random(0).sample([*self._places], min(COMPARED, len(self._places)))
        model.encoder.eval()
        begun = model.encode(texts)
        turned = torch.linalg.svd(self._vectors, full_matrices=False)[2][:dim].T
        left, _, right = torch.linalg.svd((self.encode(texts) @ turned).T @ begun)
        turned = turned @ left @ right
        self._vectors = F.normalize(self._vectors @ turned, dim=1)
        old = self.head
        self.head = Head(dim)
        self.head.load_state_dict(
            old.state_dict()
            | {"hop.weight": turned.T @ old.hop.weight @ turned, "hop.bias": old.hop.bias @ turned}
        )

    def encode(self, texts: Sequence[str]) -> Tensor:
        """Return the vectors of texts."""
        return self._vectors[torch.tensor([self._places[text] for text in texts], dtype=torch.long)]

    def vectors(self, batch: Batch) -> list[Tensor]:
        """Return the vectors of all texts of a batch, as `Batch.texts` has them."""
        return [self.encode(texts) for texts in batch.texts]

    @torch.no_grad()
    def scores(self, batch: Batch) -> Tensor:
        """Return how strongly each question asks for each, and for none."""
        scores: Tensor = self.head(*self.vectors(batch), batch.paths)
        return scores
