"""Learn to say translations word by word, and measure them by BLEU."""

from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import Tensor, nn

from memnets.attention import Baseline
from memnets.data.pairs import SentenceVocabulary, bleu, bleu_by_length
from memnets.models.seq2seq import Seq2Seq
from memnets.studies.translation.links import LinkedWords
from memnets.tasks.numbered_pairs import NumberedPairs, PairsTask, translations
from memnets.training.schedules import seeded
from memnets.training.task import Ratio, Step

EVALUATION_BATCH = 200
"""Sentences translated at once when nothing is learnt."""
LOOKED_AT = 1000
"""Training pairs that are measured at the end: the first ones."""


class TranslationTask(PairsTask):
    """Translate: the loss is the mean cross entropy of the target's symbols.

    Where an align draws what is read, its score function learns by REINFORCE, beside a moving mean
    of the rewards.

    Args:
        pairs: the splits by name: "train", and what is to be evaluated.
        batch: pairs in an update, of like lengths.
        vocabulary: of the target, which BLEU is measured in.
        references: the targets of the splits whose BLEU is measured, as they are written.
        entropy: weight of the entropy of what is drawn.
        sources: the vocabulary of the source; it is needed where links are given.
        links: of the words of splits, that what attention reads is compared with.
    """

    def __init__(
        self,
        pairs: Mapping[str, NumberedPairs],
        batch: int,
        vocabulary: SentenceVocabulary,
        references: Mapping[str, Sequence[str]],
        entropy: float = 0.0,
        sources: SentenceVocabulary | None = None,
        links: Mapping[str, LinkedWords] | None = None,
    ) -> None:
        super().__init__(pairs, batch)
        self.entropy = entropy
        self.vocabulary, self.references = vocabulary, references
        self.sources, self.links = sources, links or {}

    def start(self, split: str, batch: NumberedPairs) -> Any:
        return Baseline.start()

    def loss(
        self, model: nn.Module, batch: NumberedPairs, state: Baseline, generator: torch.Generator
    ) -> Step:
        taught = model(batch.source, batch.length, batch.target, generator)
        gained = taught.objective(state, entropy_weight=self.entropy)
        words = int(batch.said.sum())
        after = state.update(taught.log_prob.sum(-1).detach())
        told = -taught.log_prob.sum().detach()  # what is minimised may hold draws' rewards too
        return Step(-gained.sum(), words, after, {"cross_entropy": told})

    @torch.no_grad()
    def evaluate(self, model: nn.Module, split: str) -> dict[str, Ratio]:
        """Return the loss of a symbol, whole sentences that come out right, BLEU and linked words.

        `linked` is the share of words whose most read source word is linked with them, the right
        words before given; `linked_diagonal` and `linked_chance` are those of readers that see no
        word (`memnets.tasks.link_agreement`).
        """
        assert isinstance(model, Seq2Seq)
        pairs, loss, right = self.pairs[split], 0.0, 0
        said: list[str] = []
        read: list[Tensor] = []
        rows = torch.arange(len(pairs.length), device=pairs.length.device)
        rows = rows[:LOOKED_AT] if split == "train" else rows
        dice = seeded(0)  # of reads that are drawn
        for some in rows.split(EVALUATION_BATCH):
            asked = pairs.take(some)
            taught = model(asked.source, asked.length, asked.target, dice)
            loss -= float(taught.log_prob.sum())
            if split in self.links:
                sizes = zip(asked.said.tolist(), asked.length.tolist(), strict=True)
                rows_of = zip(taught.readout.weights, sizes, strict=True)
                read += [one[: words - 1, :slots].cpu() for one, (words, slots) in rows_of]
            if split in self.references:
                found = translations(model, asked, dice)
                wanted = zip(asked.target.tolist(), asked.said.tolist(), strict=True)
                right += sum(
                    words == target[:number]
                    for words, (target, number) in zip(found, wanted, strict=True)
                )
                said += [self.vocabulary.text(words) for words in found]
        ratios = {"loss": Ratio(loss, float(pairs.said[rows].sum()))}
        if split in self.references:
            ratios["sentences"] = Ratio(right, len(rows))
            ratios |= self._bleu(pairs.length[rows].tolist(), said, self.references[split])
        if split in self.links:
            ratios |= self._linked(self.links[split], read)
        return ratios

    def _linked(self, links: LinkedWords, read: Sequence[Tensor]) -> dict[str, Ratio]:
        assert self.sources is not None
        found = links.agreement(read, self.sources, self.vocabulary)
        shares = {
            "linked": found.attention,
            "linked_diagonal": found.diagonal,
            "linked_chance": found.chance,
        }
        return {
            name: Ratio(share.agreement * found.words, found.words)
            for name, share in shares.items()
        }

    def _bleu(
        self, lengths: Sequence[int], said: Sequence[str], references: Sequence[str]
    ) -> dict[str, Ratio]:
        """Return BLEU, of all sentences and of those whose source has `bleu/N` symbols or more."""
        bins = bleu_by_length(lengths, said, references)
        by_length = {f"bleu/{one.shortest}": Ratio(one.bleu.score, 1) for one in bins}
        return {"bleu": Ratio(bleu(said, references).score, 1), **by_length}
