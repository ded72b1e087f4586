"""What words read of each other, by the same scores: one by one, and as heads in a tree.

    python examples/heads_of_words.py

draws docs/figures/heads-of-words.png. The scores speak for the right heads, with noise; a softmax
hears each word by itself, trees hear all of them together.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import torch
import tyro
from torch import Tensor

from memnets.attention import NonProjectiveTrees, ProjectiveTrees
from memnets.report.plots import save

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WORDS = ["the", "cat", "that", "we", "saw", "yesterday", "sleeps", "on", "a", "mat"]
HEADS = (1, 6, 4, 4, 1, 4, -1, 6, 9, 7)
"""Of each word its head in the sentence, -1 for the root."""
SPEAKS, NOISE, SEED = 3.0, 1.5, 3
"""What the scores have for the right head, how much noise, and its seed."""


@dataclass(frozen=True)
class Options:
    """Draw what words read of each other."""

    picture: Path = Path(__file__).parents[1] / "docs" / "figures" / "heads-of-words.png"


def main() -> None:
    """Draw the picture, and say how much of the right heads is read."""
    options = tyro.cli(Options, description=__doc__)
    found = reads()
    save(picture(found), options.picture)
    for name, weights in found.items():
        print(f"{name}: {right(weights):.0%} of what is read are right heads")
    print(options.picture)


def scores() -> tuple[Tensor, Tensor]:
    """Return how well each word heads each other, and is the root."""
    noise = NOISE * torch.randn(
        len(WORDS), len(WORDS) + 1, generator=torch.Generator().manual_seed(SEED)
    )
    whole = noise + SPEAKS * torch.nn.functional.one_hot(torch.tensor(HEADS) + 1, len(WORDS) + 1)
    return whole[:, 1:], whole[:, 0]


def reads() -> dict[str, Tensor]:
    """Return what each word reads of the root and of all words, in four ways."""
    arcs, roots = scores()
    itself = torch.eye(len(WORDS), dtype=torch.bool)
    whole = torch.cat([roots.unsqueeze(-1), arcs.masked_fill(itself, -torch.inf)], -1)
    found = {"softmax": whole.softmax(-1), "sigmoid": whole.sigmoid()}
    for name, trees in (("any tree", NonProjectiveTrees), ("no arcs cross", ProjectiveTrees)):
        marginals = trees(arcs, roots).marginals
        found[name] = torch.cat([marginals.roots.unsqueeze(-1), marginals.arcs], -1)
    return found


def right(weights: Tensor) -> float:
    """Return the share of all that is read which is of right heads."""
    places = torch.tensor(HEADS).unsqueeze(-1) + 1
    return float(weights.gather(-1, places).sum() / weights.sum())


def picture(found: dict[str, Tensor]) -> "Figure":
    """Draw a table of weights for each way; right heads are framed."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(12, 4), layout="constrained")
    for axes, (name, weights) in zip(figure.subplots(1, len(found)), found.items(), strict=True):
        _draw(axes, f"{name}: {right(weights):.0%} right", weights)
        if name != "softmax":
            axes.set_yticklabels([])
    return figure


def _draw(axes: "Axes", title: str, weights: Tensor) -> None:
    from matplotlib.patches import Rectangle

    axes.imshow(weights.numpy(), cmap="Blues", vmin=0, vmax=1)
    for word, head in enumerate(HEADS):
        frame = Rectangle((head + 0.5, word - 0.5), 1, 1, fill=False, edgecolor="black")
        axes.add_patch(frame)
    axes.set_title(title, fontsize=10)
    axes.set_xticks(range(len(WORDS) + 1), ["(root)", *WORDS], rotation=90, fontsize=8)
    axes.set_yticks(range(len(WORDS)), WORDS, fontsize=8)
    axes.tick_params(length=0)


if __name__ == "__main__":
    main()
