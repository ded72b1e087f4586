"""Energy memories against what others take: recall, modern layers, restricted machines.

    python benchmarks/hopfield.py [--peer CHECKOUT]     writes results/bench-hopfield.json

Recall goes to the fixed point, one neuron after the other, beside the plain loop in NumPy: a row
product a neuron. A sweep is what a curve of capacity takes: every load is learnt and recalled, for
networks of several sizes. Modern layers are timed beside those of ml-jku/hopfield-layers, of which
CHECKOUT is one, set up so that they recall: no projections, no norms, the same strength and number
of reads. The restricted machine is trained beside scikit-learn's BernoulliRBM on its small digits.
"""

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
import tyro
from rich.console import Console
from torch import Tensor

from memnets import results
from memnets.layers import HopfieldRetrieval
from memnets.memories.hopfield import Asynchronous, Hebb, flipped, random_patterns
from memnets.memories.hopfield.capacity import recalled
from memnets.ops import native
from memnets.report.tables import Terminal
from timing import compare


class Sizes(NamedTuple):
    """A network, and what it is asked."""

    neurons: int
    patterns: int
    cues: int


class Reads(NamedTuple):
    """Patterns of a modern network, and what it is asked."""

    dim: int
    patterns: int
    cues: int
    beta: float


RECALLS = (Sizes(512, 62, 62), Sizes(1024, 125, 125), Sizes(2048, 250, 250), Sizes(4096, 500, 500))
READS = (Reads(64, 1000, 100, 2.0), Reads(784, 1000, 100, 0.25))
STEPS = 3
NOISE = 0.1
SWEPT, LOADS = (100, 200, 400, 800), (0.05, 0.1, 0.15, 0.2)
MACHINES = ((64, 100), (100, 10), (100, 100), (256, 10), (256, 100))
EPOCHS = 10


@dataclass(frozen=True)
class Options:
    """Time recall, modern layers and restricted machines against others."""

    peer: Path | None = None
    """A checkout of ml-jku/hopfield-layers; without one its rows are left out."""
    only: str = ""
    """Only the rows whose name has this in it; nothing is then written."""
    cues: int | None = None
    """Cues of each recall, where fewer are to be timed; nothing is then written."""
    repeats: int = 7
    """Pairs of a comparison."""
    results: Path | None = None
    """Where the figures go; by default the checkout's results folder."""


class Pair(NamedTuple):
    """Ours, the other's, and who that is."""

    ours: Callable[[], Any]
    theirs: Callable[[], Any]
    whose: str
    same: Callable[[Any, Any], bool] | None
    metric: str
    note: str = ""


def main() -> None:
    options = tyro.cli(Options, description=__doc__)
    rows = []
    for name, made in plan(options):
        if options.only not in name:
            continue
        pair = made()
        row = compare(
            name,
            pair.ours,
            pair.theirs,
            baseline_name=pair.whose,
            same=pair.same,
            repeats=options.repeats,
            warmup=1,
            note=pair.note,
        )
        rows.append(replace(row, metric=pair.metric))
    bench = results.Benchmark(
        name="hopfield",
        command="python benchmarks/hopfield.py --peer CHECKOUT",
        config={"repeats": options.repeats, "kernels": native.kernels()},
        rows=tuple(rows),
    )
    Console().print(Terminal(bench))
    if not options.only and options.cues is None:
        path = results.write(bench, options.results or results.results_folder())
        Console().print(f"\n{path}")


def plan(options: Options) -> Iterator[tuple[str, Callable[[], Pair]]]:
    """Yield every row's name, and what makes its pair: only those that are wanted are made."""
    for one in RECALLS:
        sizes = one if options.cues is None else one._replace(cues=min(one.cues, options.cues))
        name = f"recall, N {sizes.neurons}, P {sizes.patterns}, {sizes.cues} cues, 10 % turned"
        yield name, lambda sizes=sizes: recall(sizes)
    for neurons in SWEPT:
        name = f"capacity sweep, N {neurons}, {len(LOADS)} loads to {LOADS[-1]:g}, 10 % turned"
        yield name, lambda neurons=neurons: swept(neurons)
    if options.peer is not None:
        peer = open_peer(options.peer)
        for reads in READS:
            name = f"modern, width {reads.dim}, {reads.patterns} patterns, {STEPS} reads"
            yield name, lambda reads=reads: modern(peer, reads)
    for hidden, batch in MACHINES:
        name = f"restricted machine, digits, {hidden} hidden, batch {batch}, {EPOCHS} epochs"
        yield name, lambda hidden=hidden, batch=batch: digits(hidden, batch)


def recall(sizes: Sizes) -> Pair:
    """Return recall of a batch, and the same cue by cue and neuron by neuron."""
    generator = torch.Generator().manual_seed(0)
    patterns = random_patterns(sizes.patterns, sizes.neurons, generator)
    cues = flipped(patterns[: sizes.cues], NOISE, generator)
    network, dynamics = Hebb().learn(patterns), Asynchronous()
    weights = network.weights.numpy().astype(np.float64)
    starts = cues.numpy().astype(np.float64)
    return Pair(
        lambda: dynamics.recall(network, cues).states.numpy(),
        lambda: np.stack([one_by_one(weights, cue) for cue in starts]),
        f"NumPy {np.__version__}, a loop",
        lambda mine, theirs: bool((mine == theirs).all()),
        "time of all cues (ms)",
    )


def swept(neurons: int) -> Pair:
    """Return the shares recalled at every load, and the same from plain loops."""
    generator = torch.Generator().manual_seed(0)
    stored = random_patterns(round(LOADS[-1] * neurons), neurons, generator)
    cues = flipped(stored, NOISE, generator).numpy().astype(np.float64)
    rows = stored.numpy().astype(np.float64)

    def plain() -> list[float]:
        shares = []
        for load in LOADS:
            kept, begun = rows[: round(load * neurons)], cues[: round(load * neurons)]
            weights = kept.T @ kept
            np.fill_diagonal(weights, 0)
            ends = np.stack([one_by_one(weights, cue) for cue in begun])
            shares.append(float((ends == kept).all(1).mean()))
        return shares

    return Pair(
        lambda: list(recalled(Hebb(), neurons, LOADS, noise=NOISE)),
        plain,
        f"NumPy {np.__version__}, a loop",
        lambda mine, theirs: mine == theirs,
        "time of a curve (ms)",
    )


def one_by_one(weights: np.ndarray, cue: np.ndarray) -> np.ndarray:
    """Return where a cue ends: the loop that anybody would write first."""
    state, moving = cue.copy(), True
    while moving:
        moving = False
        for i in range(len(state)):
            field = weights[i] @ state
            if field * state[i] < 0:
                state[i], moving = -state[i], True
    return state


def open_peer(folder: Path) -> Any:
    """Return the package of a checkout.

    Raises:
        FileNotFoundError: it is none.
    """
    if not (folder / "hflayers" / "__init__.py").is_file():
        raise FileNotFoundError(
            f"{folder} holds no hflayers/__init__.py, expected a checkout of "
            f"ml-jku/hopfield-layers. Clone it and pass its folder."
        )
    sys.path.insert(0, str(folder))
    import hflayers

    return hflayers


def modern(peer: Any, reads: Reads) -> Pair:
    """Return recall of the modern network by both."""
    generator = torch.Generator().manual_seed(0)
    patterns = random_patterns(reads.patterns, reads.dim, generator).float().unsqueeze(0)
    cues = patterns[:, : reads.cues].clone()
    cues[..., reads.dim // 2 :] = 0
    ours = HopfieldRetrieval(reads.beta, most=STEPS, tolerance=0.0)
    theirs = peer.Hopfield(
        scaling=reads.beta,
        update_steps_max=STEPS,
        update_steps_eps=1e-30,  # it wants one above 0
        stored_pattern_as_static=True,
        state_pattern_as_static=True,
        pattern_projection_as_static=True,
        normalize_stored_pattern=False,
        normalize_stored_pattern_affine=False,
        normalize_state_pattern=False,
        normalize_state_pattern_affine=False,
        normalize_pattern_projection=False,
        normalize_pattern_projection_affine=False,
        disable_out_projection=True,
    ).eval()
    read = torch.no_grad()
    return Pair(
        read(lambda: ours(cues, patterns).value),
        read(lambda: theirs((patterns, cues, patterns))),
        "hopfield-layers",
        lambda mine, others: bool(torch.allclose(mine, others, rtol=1e-4, atol=1e-4)),
        "time of all cues (ms)",
    )


def digits(hidden: int, batch: int) -> Pair:
    """Return the training of a restricted machine by both, on scikit-learn's digits.

    Both have as many chains as an update has rows, one step of them, and as many updates.
    """
    import sklearn
    from sklearn.datasets import load_digits
    from sklearn.neural_network import BernoulliRBM

    from memnets.inference.estimators import RBM
    from memnets.memories.boltzmann import RestrictedBoltzmannMachine, pseudo_log_likelihood

    rows = (load_digits().data > 7).astype(np.float32)
    settings = {
        "n_components": hidden,
        "learning_rate": 0.05,
        "batch_size": batch,
        "n_iter": EPOCHS,
    }
    ours, theirs = RBM(**settings, random_state=0), BernoulliRBM(**settings, random_state=0)
    theirs.fit(rows)
    machine = RestrictedBoltzmannMachine(rows.shape[1], hidden).requires_grad_(False)
    for name, learnt in (
        ("weight", theirs.components_.T),
        ("visible_bias", theirs.intercept_visible_),
        ("hidden_bias", theirs.intercept_hidden_),
    ):
        getattr(machine, name).copy_(torch.from_numpy(np.asarray(learnt)))
    mine = float(ours.fit(rows).score_samples(rows).mean())
    others = float(pseudo_log_likelihood(machine, _tensor(rows)).mean())
    return Pair(
        lambda: ours.fit(rows),
        lambda: theirs.fit(rows),
        f"scikit-learn {sklearn.__version__}",
        None,
        "time of a fit (ms)",
        f"pseudo-log-likelihood of a row: ours {mine:.2f}, theirs {others:.2f}",
    )


def _tensor(rows: np.ndarray) -> Tensor:
    return torch.from_numpy(rows)


if __name__ == "__main__":
    main()
