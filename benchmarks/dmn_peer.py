"""Somebody else's DMN+, run by their own code from their own checkout.

Nothing of theirs is kept here. Their text is for PyTorch 0.1 and a GPU: what has a new name since
is renamed while it is read, and nothing else; `EDITS` says all of it. What is timed is their
batches, their loss and their gradient, and an update of Adam.
"""

import importlib.util
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import chdir
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import torch
from torch.utils.data import DataLoader

EDITS = (
    (r"\.cuda\(\)", ""),
    (r"init\.(xavier_normal|uniform)\(", r"init.\1_("),
    (r"F\.(sigmoid|tanh)\(", r"torch.\1("),
    (r"F\.softmax\((\w+)\)", r"F.softmax(\1, dim=1)"),
    (r", sparse=True", ""),  # Adam takes no sparse gradients any more
    (r"size_average=False", "reduction='sum'"),
    (r"== answers\.data", "== targets.data"),  # it looked at a variable of the script
)
BATCH, HIDDEN = 100, 80
"""As their script has them."""


class Peer(NamedTuple):
    """A checkout of dandelin/Dynamic-memory-networks-plus-Pytorch, and the data of a task."""

    name: str
    script: ModuleType
    data: Any
    collate: Any

    def model(self) -> tuple[Any, torch.optim.Optimizer]:
        """Return a new model of theirs, and its optimiser."""
        model = self.script.DMNPlus(HIDDEN, len(self.data.QA.VOCAB), num_hop=3, qa=self.data.QA)
        return model, torch.optim.Adam(model.parameters())

    def batches(self, split: str) -> Iterator[tuple[torch.Tensor, ...]]:
        """Yield the batches of a split by their loader."""
        self.data.set_mode(split)
        batches = DataLoader(self.data, BATCH, split == "train", collate_fn=self.collate)
        for contexts, questions, answers in batches:
            yield contexts.long(), questions.long(), answers

    def learn(self, model: Any, optimizer: torch.optim.Optimizer, updates: int | None) -> None:
        """Make updates, or an epoch of them."""
        model.train()
        for batch in islice(self.batches("train"), updates):
            optimizer.zero_grad()
            loss, _ = model.get_loss(*batch)
            loss.backward()
            optimizer.step()

    @torch.no_grad()
    def accuracy(self, model: Any) -> float:
        """Return the share of their validation questions that are answered rightly."""
        model.eval()
        right = [
            (model(*asked).argmax(1) == told).float() for *asked, told in self.batches("valid")
        ]
        return float(torch.cat(right).mean())


def open_peer(folder: Path, data: Path, task: int) -> Peer:
    """Read a checkout, and a task of bAbI 10k as it does.

    Args:
        folder: of the checkout.
        data: the folder tasks_1-20_v1-2.
        task: 1 to 20.

    Raises:
        ValueError: the folder holds no such checkout.
    """
    paths = [folder / "babi_main.py", folder / "babi_loader.py"]
    if not all(path.is_file() for path in paths):
        raise ValueError(
            f"{folder}: expected babi_main.py and babi_loader.py in it. Name a checkout of "
            f"dandelin/Dynamic-memory-networks-plus-Pytorch with --peer."
        )
    loader = _module("babi_loader", paths[1])
    sys.modules["babi_loader"] = loader  # their script imports it by this name
    script = _module("babi_main", paths[0])
    del sys.modules["babi_loader"]
    script.hidden_size = HIDDEN  # type: ignore[attr-defined]  # their reader looks for the script's
    with tempfile.TemporaryDirectory() as here, chdir(here):
        Path("data").symlink_to(data.resolve(), target_is_directory=True)
        stories = loader.BabiDataset(task)
    git = ["git", "-C", str(folder), "rev-parse", "--short=7", "HEAD"]
    head = subprocess.run(git, capture_output=True, text=True).stdout.strip()
    return Peer(f"dandelin {head}".strip(), script, stories, loader.pad_collate)


def _module(name: str, path: Path) -> ModuleType:
    """Run a file of theirs with its edits, as a module."""
    text = path.read_text("utf-8")
    for old, new in EDITS:
        text = re.sub(old, new, text)
    spec = importlib.util.spec_from_loader(name, loader=None)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    exec(compile(text, str(path), "exec"), vars(module))
    return module
