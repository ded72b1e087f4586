"""Shared by the tests of knowledge bases."""

import os

import pytest


@pytest.fixture(autouse=True)
def _no_waiting_for_the_disk(monkeypatch):
    # Nothing here pulls the plug, and a busy disk would make seconds of milliseconds.
    monkeypatch.setattr(os, "fsync", lambda _: None)


@pytest.fixture(scope="session")
def asking(tmp_path_factory):
    """Build a knowledge base of facts, and return what its likeliest program answers."""
    # Not above: what is imported before the hook that checks shapes goes unchecked.
    from memnets.kb.linking.opened import open_names
    from memnets.kb.programs.parsing import Parser
    from memnets.kb.store.store import Store, build

    def built(facts):
        folder = tmp_path_factory.mktemp("asked") / "kb"
        build(facts, folder)
        store = Store.open(folder)
        parser = Parser(store, open_names(store))

        def answers(question):
            best = next(iter(parser.parse(question).candidates), None)
            return ", ".join(best.outcome.answers) if best and best.outcome else ""

        return answers

    return built
