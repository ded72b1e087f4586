"""A caption's training step: ours beside sgrvinod's decoder, on annotations of VGG and ResNet.

    python benchmarks/captions.py --peer PATH      writes results/bench-captions.json

PATH is a checkout of a-PyTorch-Tutorial-to-Image-Captioning. A step is forward, backward, clipping
and an update by Adam (ours fused, as for photos) of captions of one length. Sizes, dropout and
penalty are theirs. Their gate is a vector, and their words are chosen by the state alone; ours is
the paper's model, with its deep output.
"""

import importlib
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import torch
import torch.nn.functional as F
import tyro
from rich.console import Console
from torch import Tensor, nn

from memnets import results
from memnets.models.show_attend_tell import show_attend_tell
from memnets.ops import native
from memnets.report.tables import Terminal
from timing import compare

PEER = "sgrvinod's decoder"
DROPOUT, PENALTY, CLIP, RATE = 0.5, 1.0, 5.0, 4e-4
"""As in their script."""


@dataclass(frozen=True)
class Setting:
    """Sizes of a training step; those of their script, but for the width of annotations.

    Attributes:
        context: width of an annotation; VGG's and ResNet's are 512 and 2,048.
        side: of the grid of annotations.
        batch: captions of an update, each of another picture.
        words: of a caption.
        vocab: words there are.
        width: of embeddings, states and scores.
    """

    context: int
    side: int = 14
    batch: int = 32
    words: int = 20
    vocab: int = 9490
    width: int = 512

    @property
    def title(self) -> str:
        return (
            f"{self.batch} captions of {self.words} words, {self.side}x{self.side}x{self.context}"
        )


SETTINGS = (Setting(512), Setting(2048))


@dataclass(frozen=True)
class Options:
    """Time a training step of captions against a peer's."""

    peer: Path
    """A checkout of a-PyTorch-Tutorial-to-Image-Captioning."""
    repeats: int = 31
    """Pairs of a comparison."""
    threads: int = 2
    """Threads of both."""
    results: Path | None = None
    """Where the figures go; by default the checkout's results folder."""


def main() -> None:
    options = tyro.cli(Options, description=__doc__)
    peer = peer_at(options.peer)
    bench = results.Benchmark(
        name="captions",
        command="python benchmarks/captions.py --peer PATH",
        config={"repeats": options.repeats, "kernels": native.kernels()},
        rows=tuple(row(setting, peer, options) for setting in SETTINGS),
    )
    Console().print(Terminal(bench))
    path = results.write(bench, options.results or results.results_folder())
    Console().print(f"\n{path}")


def row(setting: Setting, peer: ModuleType, options: Options) -> results.BenchRow:
    return compare(
        f"{setting.title}, {options.threads} threads",
        our_step(setting),
        peer_step(peer, setting),
        baseline_name=PEER,
        repeats=options.repeats,
        threads=options.threads,
        note="forward, backward, clipping and Adam; one length",
    )


def given(setting: Setting) -> tuple[Tensor, Tensor]:
    """Return annotations and the numbers of words; 0 and 1 are nil and the first word of theirs."""
    dice = torch.Generator().manual_seed(0)
    places = torch.rand(setting.batch, setting.side**2, setting.context, generator=dice)
    words = torch.randint(2, setting.vocab, (setting.batch, setting.words), generator=dice)
    return places, words


def our_step(setting: Setting) -> Callable[[], Tensor]:
    """Return a function that trains our model by one update."""
    places, words = given(setting)
    sizes = setting.vocab, setting.context, setting.width, setting.width

    def loss(model: Any) -> Tensor:
        told = model(places, words)
        spread = told.unevenness.mean() / places.shape[1]  # a mean over places, as theirs
        return -told.log_prob.mean() + PENALTY * spread

    return _step(lambda: show_attend_tell(*sizes, dropout=DROPOUT), loss, fused=True)


def peer_step(peer: ModuleType, setting: Setting) -> Callable[[], Tensor]:
    """Return a function that trains theirs by one update, as their script does."""
    places, words = given(setting)
    grid = places.unflatten(1, (setting.side, setting.side))
    captions = torch.cat([torch.ones_like(words[:, :1]), words], 1)
    lengths = torch.full((setting.batch, 1), captions.shape[1])
    sizes = setting.width, setting.width, setting.width, setting.vocab, setting.context

    def loss(model: Any) -> Tensor:
        scores, sorted_, _, weights, _ = model(grid, captions, lengths)
        right = F.cross_entropy(scores.flatten(0, 1), sorted_[:, 1:].flatten())
        return right + PENALTY * ((1.0 - weights.sum(dim=1)) ** 2).mean()

    return _step(lambda: peer.DecoderWithAttention(*sizes, DROPOUT), loss)


def peer_at(path: Path) -> ModuleType:
    """Return the peer's module of models, without torchvision, which only its encoder needs.

    Raises:
        FileNotFoundError: there is none.
    """
    if not (path / "models.py").is_file():
        raise FileNotFoundError(
            f"--peer {path}: expected a checkout of a-PyTorch-Tutorial-to-Image-Captioning, with "
            f"models.py in it. Run git clone "
            f"https://github.com/sgrvinod/a-PyTorch-Tutorial-to-Image-Captioning {path}."
        )
    sys.path.insert(0, str(path))
    sys.modules["torchvision"] = ModuleType("torchvision")
    try:
        return importlib.import_module("models")
    finally:
        sys.path.remove(str(path))
        del sys.modules["torchvision"]


def _step(
    build: Callable[[], nn.Module], loss: Callable[[Any], Tensor], fused: bool | None = None
) -> Callable[[], Tensor]:
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        model = build().train()
    optimizer = torch.optim.Adam(model.parameters(), RATE, fused=fused)

    def once() -> Tensor:
        optimizer.zero_grad()
        found = loss(model)
        found.backward()
        for weight in model.parameters():
            if weight.grad is not None:
                weight.grad.clamp_(-CLIP, CLIP)
        optimizer.step()
        return found.detach()

    return once


if __name__ == "__main__":
    main()
