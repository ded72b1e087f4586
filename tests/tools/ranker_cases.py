"""A table with questions, and small models, shared by the tests of rankers."""

import random

import torch

from tools.ranker.networks import Encoder, Head, Shape
from tools.ranker.phrasings import (
    read_table,
)
from tools.ranker.training import Model

FILE = """boss\tlink\tAda; Bo
baseTown\tname\tRome; Bari; Oslo
paid_from\tdate\t2001-02-03

boss\tf\twho tells {} what to do
boss\tb\twho does {}'s bidding
baseTown\tb\tanybody in {}?
boss > baseTown\th\twhere does {}'s boss sit
baseTown > paid_from\tr\tsince when do those in {} get money
boss > boss > baseTown\tt\twhere is the boss of {}'s boss
baseTown > boss\tw\twhose boss sits in {}
boss > boss\to\twho else has {}'s boss
-\tn\tdoes {} snore
"""


def table(tmp_path, text=FILE):
    (tmp_path / "staff.tsv").write_text(text, "utf-8")
    return read_table(tmp_path / "staff.tsv")


class Everything(random.Random):
    """Leaves nothing out."""

    def randint(self, least, most):
        return least


class Words:
    """Every new word is a token."""

    def __init__(self):
        self.known = {}

    def numbers(self, texts):
        return [
            [self.known.setdefault(word, len(self.known) + 2) for word in text.split()]
            for text in texts
        ]


def small_model():
    torch.manual_seed(0)
    shape = Shape(words=80, dim=16, wide=32, heads=2, layers=1, longest=20)
    return Model(Encoder(shape), Head(16), Words())


def jittered(model):
    """Return a model whose weights are not as at first."""
    torch.manual_seed(1)
    for one in (*model.encoder.parameters(), *model.head.parameters()):
        one.data += 0.2 * torch.randn_like(one)
    model.encoder.eval()
    return model
