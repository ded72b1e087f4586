"""Marginals of chains and trees, there and back: ours, and torch-struct's.

    python benchmarks/structured.py --peer CHECKOUT      writes results/bench-structured.json

Both get the same potentials, give marginals, and hand a gradient of the marginals back to the
potentials, as a layer that learns does. Chains: torch-struct wants one number for each pair of
states at each step, which is made for it from the states' and the pairs' numbers within the time;
where the pairs' numbers are a step's own, it is given as it wants it. CHECKOUT is one of
harvardnlp/pytorch-struct.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import torch
import tyro
from rich.console import Console
from torch import Tensor

from memnets import results
from memnets.attention import NonProjectiveTrees, ProjectiveTrees
from memnets.ops import native
from memnets.ops.chain import sum_over_chains
from memnets.report.tables import Terminal
from timing import compare


@dataclass(frozen=True)
class Sizes:
    """What is summed over; words of trees are steps without states."""

    steps: int
    states: int = 0
    batch: int = 32


CHAINS = (Sizes(100, 16), Sizes(30, 2))
TREES = (Sizes(10), Sizes(20))


@dataclass(frozen=True)
class Options:
    """Time marginals of chains and trees against torch-struct."""

    peer: Path
    """A checkout of harvardnlp/pytorch-struct."""
    only: str = ""
    """Only the rows whose name has this in it; nothing is then written."""
    repeats: int = 7
    """Pairs of a comparison."""
    threads: tuple[int, ...] = (1,)
    """Threads of both; each number is tried."""
    results: Path | None = None
    """Where the figures go; by default the checkout's results folder."""


def main() -> None:
    options = tyro.cli(Options, description=__doc__)
    peer = open_peer(options.peer)
    plan = {name: pair for name, pair in pairs(peer).items() if options.only in name}
    rows = [
        replace(
            compare(
                f"{name}, {threads} thread{'s' * (threads > 1)}",
                *pair,
                baseline_name=f"torch-struct {peer.version}",
                same=_are_close,
                repeats=options.repeats,
                threads=threads,
            ),
            metric="time there and back (ms)",
        )
        for name, pair in plan.items()
        for threads in options.threads
    ]
    bench = results.Benchmark(
        name="structured",
        command="python benchmarks/structured.py",
        config={"repeats": options.repeats, "kernels": native.kernels()},
        rows=tuple(rows),
    )
    Console().print(Terminal(bench))
    if not options.only:
        path = results.write(bench, options.results or results.results_folder())
        Console().print(f"\n{path}")


def open_peer(folder: Path) -> Any:
    """Return the package of a checkout.

    Raises:
        FileNotFoundError: it is none.
    """
    if not (folder / "torch_struct" / "__init__.py").is_file():
        raise FileNotFoundError(
            f"{folder} holds no torch_struct/__init__.py, expected a checkout of "
            f"harvardnlp/pytorch-struct. Clone it and pass its folder."
        )
    sys.path.insert(0, str(folder))
    import torch_struct

    return torch_struct


Learning = Callable[[], list[Tensor]]


def pairs(peer: Any) -> dict[str, tuple[Learning, Learning]]:
    """Return ours and the peer's of every row, by its name."""
    found = {}
    for sizes in CHAINS:
        for each in (False, True):
            whose = "pairs of each step" if each else "one matrix of pairs"
            name = f"chain of {sizes.steps} steps, {sizes.states} states, {whose}"
            theirs = partial(chain_of_peer, peer)
            given = chain_inputs(sizes, each)
            found[name] = learning(chain, *given), learning(theirs, *given)
    for sizes in TREES:
        for kind, name in (("projective", "Eisner"), ("any", "matrix-tree")):
            given = tree_inputs(sizes)
            found[f"trees of {sizes.steps} words, {name}"] = (
                learning(partial(trees, kind), *given),
                learning(partial(trees_of_peer, peer, kind), *given),
            )
    return found


def chain_inputs(sizes: Sizes, each: bool) -> tuple[Tensor, Tensor]:
    """Return the numbers of states, and of pairs of them."""
    torch.manual_seed(0)
    links = (sizes.batch, sizes.steps - 1) if each else ()
    return (
        torch.randn(sizes.batch, sizes.steps, sizes.states),
        torch.randn(*links, sizes.states, sizes.states),
    )


def tree_inputs(sizes: Sizes) -> tuple[Tensor, Tensor]:
    """Return the numbers of arcs, and of roots."""
    torch.manual_seed(0)
    return torch.randn(sizes.batch, sizes.steps, sizes.steps), torch.randn(sizes.batch, sizes.steps)


def learning(call: Callable[..., Tensor], *inputs: Tensor) -> Learning:
    """Return a function that gives marginals, goes back, and returns them with the gradients."""
    leaves = [part.clone().requires_grad_() for part in inputs]
    outer = torch.randn(call(*leaves).shape, generator=torch.Generator().manual_seed(0))

    def once() -> list[Tensor]:
        found = call(*leaves)
        gradients = torch.autograd.grad(found, leaves, outer)
        return [found.detach(), *gradients]

    return once


def chain(unary: Tensor, pairwise: Tensor) -> Tensor:
    """Return how likely each state is: ours."""
    return sum_over_chains(unary, pairwise).marginals


def chain_of_peer(peer: Any, unary: Tensor, pairwise: Tensor) -> Tensor:
    """Return the same from torch-struct: its pairs of states, summed over the one before."""
    links = pairwise if pairwise.ndim == 4 else pairwise.expand(len(unary), 1, -1, -1)
    before = torch.cat([unary[:, :1], torch.zeros_like(unary[:, 1:-1])], 1)
    edges = links + before.unsqueeze(-1) + unary[:, 1:].unsqueeze(-2)  # before, after
    found = peer.LinearChainCRF(edges.mT).marginals.mT
    return torch.cat([found[:, :1].sum(-1), found.sum(-2)], 1)


def trees(kind: str, arcs: Tensor, roots: Tensor) -> Tensor:
    """Return how likely each arc is, child by head, with that of a root on the diagonal: ours."""
    found = (ProjectiveTrees if kind == "projective" else NonProjectiveTrees)(arcs, roots).marginals
    return found.arcs + torch.diag_embed(found.roots)


def trees_of_peer(peer: Any, kind: str, arcs: Tensor, roots: Tensor) -> Tensor:
    """Return the same from torch-struct, which wants head by child and roots on the diagonal."""
    itself = torch.eye(arcs.shape[-1], dtype=torch.bool)
    scores = arcs.mT.masked_fill(itself, 0.0) + torch.diag_embed(roots)
    crf = peer.DependencyCRF if kind == "projective" else peer.NonProjectiveDependencyCRF
    return crf(scores, multiroot=False).marginals.mT


def _are_close(mine: list[Tensor], theirs: list[Tensor]) -> bool:
    """Return whether marginals and gradients agree, each to a part of its largest number.

    Not closer: of a hundred steps the gradients of torch-struct are right to a thousandth in
    float32, as log Z grows with the steps and chances are made of its differences.
    """
    return all(
        bool((one - other).abs().max() <= 5e-3 * other.abs().max())
        for one, other in zip(mine, theirs, strict=True)
    )


if __name__ == "__main__":
    main()
