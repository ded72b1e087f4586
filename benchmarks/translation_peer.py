"""Somebody else's translator, run by their own code from their own checkout.

Nothing of theirs is kept here. The cells of their notebook that define the model, its first weights
and the training are run as they are; those that download data and packages are not. Their batches
are made as theirs are: pairs in any order, filled up to the longest, a start and an end around each
sentence.
"""

import json
import random
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn.utils.rnn import pad_sequence

from memnets.data.pairs import END
from memnets.tasks.numbered_pairs import NumberedPairs

NOTEBOOK = "3 - Neural Machine Translation by Jointly Learning to Align and Translate.ipynb"
DEFINES = ("class Encoder", "class Attention", "class Decoder", "class Seq2Seq", "def train_fn")
BATCH, DROPOUT, CLIP, FORCED, SPREAD = 128, 0.5, 1.0, 0.5, 0.01
"""As their notebook has them; weights are drawn with this standard deviation."""
PAD, START = 0, 2
"""Numbers of ours that no word has: what fills up, and what stands before a sentence."""


class Peer(NamedTuple):
    """A checkout of bentrevett/pytorch-seq2seq."""

    name: str
    script: ModuleType

    def model(self, source: int, target: int, dim: int, hidden: int) -> nn.Module:
        """Return a model of theirs with their first weights.

        Args:
            source: words of the source.
            target: words of the target.
            dim: width of an embedding.
            hidden: width of a state.
        """
        attention = self.script.Attention(hidden, hidden)
        encoder = self.script.Encoder(source, dim, hidden, hidden, DROPOUT)
        decoder = self.script.Decoder(target, dim, hidden, hidden, DROPOUT, attention)
        model: nn.Module = self.script.Seq2Seq(encoder, decoder, "cpu")
        for name, weight in model.named_parameters():
            if "weight" in name:
                nn.init.normal_(weight, std=SPREAD)
            else:
                nn.init.zeros_(weight)
        return model

    def learn(
        self, model: nn.Module, optimizer: torch.optim.Optimizer, batches: Sequence[dict[str, Any]]
    ) -> float:
        """Learn some batches by their loop, and return their loss."""
        criterion = nn.CrossEntropyLoss(ignore_index=PAD)
        loss: float = self.script.train_fn(
            model, batches, optimizer, criterion, CLIP, FORCED, "cpu"
        )
        return loss

    @torch.no_grad()
    def translate(self, model: Any, source: Tensor, longest: int) -> list[int]:
        """Say the likeliest symbol after symbol of one sentence, as their last cells do."""
        model.eval()
        states, hidden = model.encoder(_column(source))
        said = [START]
        for _ in range(longest):
            scores, hidden, _ = model.decoder(torch.tensor(said[-1:]), hidden, states)
            said.append(int(scores.argmax()))
            if said[-1] == END:
                break
        return said[1:]


def batches(pairs: NumberedPairs, order: Tensor) -> Iterator[dict[str, Tensor]]:
    """Yield batches in the order given, with their names."""
    for rows in order.split(BATCH):
        source, length, target, said = pairs.take(rows)
        texts = zip(source, length, strict=True), zip(target, said, strict=True)
        columns = [[_column(one[:number]) for one, number in side] for side in texts]
        yield {
            name: pad_sequence([one[:, 0] for one in side], padding_value=PAD)
            for name, side in zip(("de_ids", "en_ids"), columns, strict=True)
        }


def _column(words: Tensor) -> Tensor:
    """Return a sentence with its start and its end, one below the other."""
    words = words[words != END]
    return torch.cat([torch.tensor([START]), words, torch.tensor([END])]).unsqueeze(1)


def open_peer(folder: Path) -> Peer:
    """Run the cells of a checkout that define model and training.

    Args:
        folder: of the checkout.

    Raises:
        ValueError: the folder holds no such notebook.
    """
    path = folder / NOTEBOOK
    if not path.is_file():
        raise ValueError(
            f"{path}: expected this notebook. Name a checkout of bentrevett/pytorch-seq2seq with "
            f"--peer."
        )
    cells = ("".join(cell["source"]) for cell in json.loads(path.read_text("utf-8"))["cells"])
    script = ModuleType("notebook")
    vars(script).update(torch=torch, nn=nn, random=random)
    for text in cells:
        if text.startswith(DEFINES):
            exec(compile(text, str(path), "exec"), vars(script))
    git = ["git", "-C", str(folder), "rev-parse", "--short=7", "HEAD"]
    head = subprocess.run(git, capture_output=True, text=True).stdout.strip()
    return Peer(f"bentrevett notebook 3 {head}".strip(), script)
