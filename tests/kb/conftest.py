"""Shared by the tests of the store."""

import os

import pytest


@pytest.fixture(autouse=True)
def _no_waiting_for_the_disk(monkeypatch):
    # Nothing here pulls the plug, and a busy disk would make seconds of milliseconds.
    monkeypatch.setattr(os, "fsync", lambda _: None)
