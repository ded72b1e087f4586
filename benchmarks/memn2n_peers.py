"""Other people's MemN2N, run by their own code from their own checkouts.

Nothing of theirs is kept here. A checkout is recognised by its files and imported from where it
lies; what is timed is the function of theirs that trains for an epoch, as it is. Where the batches
are ready beforehand, that same function is given a list in the place of its loader.
"""

import contextlib
import importlib
import io
import os
import re
import subprocess
import sys
import tempfile
import time
from argparse import Namespace
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch.utils.data import DataLoader

from memnets.data.babi import TASKS
from memnets.studies.babi.memn2n.recipes import MemN2NBabi, babi, babi_joint

BATCH = 32
BATCHES = 23
"""How many batches of joint data are gone through."""
BABI = "tasks_1-20_v1-2"


@dataclass(frozen=True)
class Match:
    """Updates of a peer's, and the run of ours that makes as many."""

    row: str
    epoch: Callable[[], object]
    """Makes all the updates once."""
    updates: int
    stories: int
    """How many of them the peer's updates use up."""
    run: MemN2NBabi
    batch: int = BATCH
    ready: bool = False
    """Whether the batches of both were made beforehand; if not, each makes its own."""


@dataclass(frozen=True)
class Peer:
    """A checkout of somebody's."""

    name: str
    repository: str
    folder: Path
    matches: Callable[[], Iterator[Match]]
    """Builds them one after the other, so that only one is in memory."""
    train: tuple[str, ...]
    """Its own command that learns task 1; `{data}` stands for the folder that holds bAbI's."""
    accuracy: str
    """Where its output says the test accuracy."""


class Trained(NamedTuple):
    """How a whole training ended."""

    accuracy: float
    seconds: float

    def __str__(self) -> str:
        return f"test accuracy {self.accuracy:.3f} after {self.seconds:.0f} s"


def open_peer(folder: Path, data: Path) -> Peer:
    """Recognise a checkout.

    Args:
        folder: of the checkout.
        data: the folder tasks_1-20_v1-2.

    Raises:
        ValueError: it is nobody's we know, lacks a package, or was not edited.
    """
    for file, peer in PEERS.items():
        if (folder / file).is_file():
            return peer(folder, data)
    raise ValueError(
        f"{folder}: holds no peer that is known; expected {' or '.join(PEERS)} in it. Name a "
        f"checkout of nmhkahn/MemN2N-pytorch or Sandali05/memn2n-babi-qa-pytorch with --peer."
    )


def nmhkahn(folder: Path, data: Path) -> Peer:
    """Return nmhkahn/MemN2N-pytorch: d 20 and 3 hops, SGD, gradient noise, a loader process."""
    names = ("data_utils", "dataset", "model", "trainer")
    text, dataset, model, trainer = modules(folder / "memn2n", *names)
    _expect_edits(folder, text.tokenize)
    config = Namespace(dataset_dir=str(data / "en"), task=1, batch_size=BATCH, cuda=False)
    config.max_hops, config.lr, config.max_clip = 3, 0.01, 40.0  # its own defaults

    def training() -> Any:
        with contextlib.redirect_stdout(io.StringIO()):
            return trainer.Trainer(config)

    def joint(batch: int, joint_data: Any) -> Match:
        theirs = training()
        settings = {
            "use_cuda": False,
            "num_vocab": joint_data.num_vocab,
            "embedding_dim": babi_joint().model.dim,
            "sentence_size": joint_data.sentence_size,
            "max_hops": config.max_hops,
        }
        theirs.mem_n2n = model.MemN2N(settings)
        theirs.opt = torch.optim.SGD(theirs.mem_n2n.parameters(), lr=config.lr)
        batches = DataLoader(joint_data, batch, shuffle=True, drop_last=True)
        theirs.train_loader = list(islice(batches, BATCHES))
        epoch = partial(theirs._train_single_epoch, 0)
        row, stories = f"joint, batch {batch}, batches ready", BATCHES * batch
        return Match(row, epoch, BATCHES, stories, babi_joint(), batch, ready=True)

    def matches() -> Iterator[Match]:
        theirs = training()
        epoch, updates = partial(theirs._train_single_epoch, 0), len(theirs.train_loader)
        yield Match("task 1, with its loader", epoch, updates, len(theirs.train_data), babi())
        theirs = training()
        theirs.train_loader = batches = whole(theirs.train_loader)
        epoch, stories = partial(theirs._train_single_epoch, 0), len(batches) * BATCH
        yield Match("task 1, batches ready", epoch, len(batches), stories, babi(), ready=True)
        # Its data set asks for one task; here that gives it all of them.
        dataset.load_task = partial(_all_tasks, dataset.load_task)
        joint_data = dataset.bAbIDataset(config.dataset_dir)
        for batch in (BATCH, 128):
            yield joint(batch, joint_data)

    train = ("memn2n/train.py", "--task=1", f"--dataset_dir={{data}}/{BABI}/en/")
    repository = "nmhkahn/MemN2N-pytorch"
    return Peer(version(folder, "nmhkahn"), repository, folder, matches, train, r"(\S+)\s*\Z")


def sandali05(folder: Path, data: Path) -> Peer:
    """Return Sandali05/memn2n-babi-qa-pytorch: d 50 and 3 hops, free B and W, dropout, Adam."""
    (theirs,) = modules(folder, "memnn_babi")
    theirs.tqdm = lambda batches, **_: batches  # its progress bar is not what is compared
    memory, words, dim = 50, 20, 50  # its own defaults

    def matches() -> Iterator[Match]:
        files = theirs.get_task_files(str(data), 1, babi_10k=False)
        train, test = map(theirs.get_stories, files)
        vocabulary, _ = theirs.build_vocab(train, test)
        arrays = theirs.vectorize_data(train, vocabulary, memory, words, words)
        loader = DataLoader(theirs.BabiDataset(*arrays), BATCH, shuffle=True)
        model = theirs.MemN2N(len(vocabulary), dim, words, words, memory)
        adam = torch.optim.Adam(model.parameters(), lr=4e-3)
        cpu, run = torch.device("cpu"), replace(babi(), model=replace(babi().model, dim=dim))
        epoch = partial(theirs.train_one_epoch, model, loader, adam, cpu)
        yield Match("task 1, d 50, with its loader", epoch, len(loader), len(train), run)
        batches = whole(loader)
        epoch = partial(theirs.train_one_epoch, model, batches, adam, cpu)
        updates, stories = len(batches), len(batches) * BATCH
        yield Match("task 1, d 50, batches ready", epoch, updates, stories, run, ready=True)

    options = ("--data_dir={data}", "--task_id=1", "--use_time", "--no_cuda")
    train, accuracy = ("memnn_babi.py", *options), r"\[test\].* acc=(\S+)"
    repository = "Sandali05/memn2n-babi-qa-pytorch"
    return Peer(version(folder, "Sandali05"), repository, folder, matches, train, accuracy)


PEERS = {"memn2n/trainer.py": nmhkahn, "memnn_babi.py": sandali05}
"""Whose checkout it is, by a file that it holds."""


def modules(folder: Path, *names: str) -> list[Any]:
    """Import a peer's modules, and leave Python's path and its list of modules as they were.

    Raises:
        ValueError: a package is missing that they need.
    """
    folder, before = folder.resolve(), set(sys.modules)
    sys.path.insert(0, str(folder))
    try:
        return [importlib.import_module(name) for name in names]
    except ModuleNotFoundError as error:
        raise ValueError(
            f"{folder}: this peer needs the package {error.name!r}, which is not installed. "
            f"Install what the peers need: pip install six tqdm."
        ) from None
    finally:
        sys.path.remove(str(folder))
        for name in set(sys.modules) - before:
            if Path(getattr(sys.modules[name], "__file__", None) or "").parent == folder:
                del sys.modules[name]  # another peer's may be called the same


def whole(batches: Any) -> list[Any]:
    """Make all batches of the full size."""
    return [batch for batch in batches if len(batch[0]) == BATCH]


def version(folder: Path, name: str) -> str:
    """Return the name with the commit of a checkout, and whether it was edited."""
    if not (folder / ".git").exists():
        return name
    git = ["git", "-C", str(folder)]
    head = subprocess.run([*git, "rev-parse", "--short=7", "HEAD"], capture_output=True, text=True)
    edited = subprocess.run([*git, "diff", "--quiet", "HEAD"]).returncode
    return f"{name} {head.stdout.strip()}{', edited' if edited else ''}"


def train(peer: Peer, data: Path, threads: int) -> Trained:
    """Let a peer learn task 1 from beginning to end, by its own command.

    Raises:
        ValueError: its command fails, or does not say the accuracy.
    """
    with tempfile.TemporaryDirectory() as folder:
        # A peer that does not find the folder by its own name would download it.
        Path(folder, BABI).symlink_to(data.resolve(), target_is_directory=True)
        words = [word.replace("{data}", folder) for word in peer.train]
        start = time.perf_counter()
        done = subprocess.run(
            [sys.executable, *words],
            cwd=peer.folder,
            env=os.environ | {"OMP_NUM_THREADS": str(threads)},
            capture_output=True,
            text=True,
        )
        seconds = time.perf_counter() - start
    found = re.search(peer.accuracy, done.stdout)
    if done.returncode or not found:
        last = (done.stderr.strip() or done.stdout.strip() or "no output").splitlines()[-1]
        raise ValueError(
            f"{peer.folder}: `python {' '.join(peer.train)}` ended with status {done.returncode}, "
            f"its last words: {last}. Expected status 0 and the test accuracy; make it run by "
            f"itself first."
        )
    return Trained(float(found[1]), seconds)


def _expect_edits(folder: Path, tokenize: Callable[[str], object]) -> None:
    """Refuse nmhkahn's code as published, for PyTorch 0.2: its tokeniser is what fails first.

    Raises:
        ValueError: it fails.
    """
    try:
        tokenize("told here")
    except AttributeError:
        raise ValueError(
            f"{folder}: this peer's code runs on PyTorch 0.2 only; its tokeniser finds None where "
            f"it expected a word. Make the six edits that docs/memn2n.md names, under Speed."
        ) from None


def _all_tasks(load_task: Callable[..., Any], folder: str, _: int) -> list[list[Any]]:
    splits = zip(*(load_task(folder, task) for task in TASKS), strict=True)
    return [list(chain.from_iterable(split)) for split in splits]
