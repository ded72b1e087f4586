"""What is served in all tests here: a run, a knowledge base and documents, made once, small."""

import sys
from contextlib import contextmanager
from pathlib import Path

import jaxtyping
import pytest

import memnets

pytest.importorskip("fastapi", reason="the server needs memnets[serve]")
sys.path.insert(0, str(Path(__file__).parent))  # asgi is no package

FACTS = [
    ("Alien", "directed_by", "Ada"),
    ("Alien", "release_year", "1979"),
    ("Up", "directed_by", "Ben"),
    ("Up", "directed_by", "Ada"),
    ("Up", "release_year", "2009"),
]


@contextmanager
def unchecked():
    """Leave out the checks of shapes, which other tests make."""
    jaxtyping.config.update("jaxtyping_disable", True)
    yield
    jaxtyping.config.update("jaxtyping_disable", False)


@pytest.fixture(scope="session")
def run(tmp_path_factory):
    """The folder of a run that has hardly learnt anything."""
    folder = tmp_path_factory.mktemp("served") / "stories"
    overrides = {"data.tasks": [1, 2], "data.size": "1k", "training.epochs": 1}
    with unchecked():
        memnets.train("memn2n/babi-generated", overrides, out=folder, show=False)
    return folder


@pytest.fixture(scope="session")
def kb(tmp_path_factory):
    """The folder of a trained knowledge base."""
    built = memnets.build_kb(FACTS, tmp_path_factory.mktemp("served") / "films.kb")
    with unchecked():
        return built.train(questions=100, show=False).path


@pytest.fixture(scope="session")
def documents(tmp_path_factory):
    """The folder of a store of documents."""
    from memnets.kb.documents import docstore

    folder = tmp_path_factory.mktemp("texts")
    (folder / "red.txt").write_text("Red is a film of 1994. It was made in Geneva.\n")
    docstore.build(folder, out := tmp_path_factory.mktemp("served") / "films.docs")
    return out


@pytest.fixture(scope="session")
def things(run, kb, documents):
    from memnets.serve.things import Thing

    return [Thing("stories", run), Thing("films", kb), Thing("texts", documents)]


@pytest.fixture(scope="module")
def client(things):
    from asgi import Client

    with Client(*things) as client:
        yield client
