"""What was trained once, small, for all tests here."""

import pytest

import memnets

FACTS = [
    ("Alien", "directed_by", "Ada"),
    ("Alien", "release_year", "1979"),
    ("Up", "directed_by", "Ben"),
    ("Up", "directed_by", "Ada"),
    ("Up", "release_year", "2009"),
]


@pytest.fixture(scope="session")
def run(tmp_path_factory):
    """The folder of a run that knows where people went."""
    folder = tmp_path_factory.mktemp("runs") / "one"
    overrides = {"data.tasks": [1], "data.size": "1k", "training.epochs": 10}
    overrides |= {"training.halve_every": 5, "training.evaluate_every": 10}
    memnets.train("memn2n/babi-generated", overrides, out=folder, show=False)
    return folder


@pytest.fixture(scope="session")
def kb(tmp_path_factory):
    """A trained knowledge base."""
    built = memnets.build_kb(FACTS, tmp_path_factory.mktemp("kb") / "films.kb")
    return built.train(questions=1009, show=False)
