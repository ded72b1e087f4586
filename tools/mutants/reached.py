"""Which tests reach which line: a plugin of pytest, and what it leaves in coverage's file."""

import json
import os
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from coverage import Coverage, CoverageData

SECONDS = "MEMNETS_SECONDS_OF_TESTS"
"""Names the file of how long each test took."""


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Tell coverage which test runs, and note how long it takes."""
    measured = Coverage.current()
    if measured is not None:
        measured.switch_context(item.nodeid)
    began = time.process_time()
    yield
    if path := os.environ.get(SECONDS):
        with Path(path).open("a", encoding="utf-8") as file:
            took = round(time.process_time() - began, 4)
            file.write(json.dumps([item.nodeid, took]) + "\n")


def seconds(path: Path) -> dict[str, float]:
    """Return how long each test took."""
    return dict(json.loads(line) for line in path.read_text("utf-8").splitlines())


def reaching(data: CoverageData, file: Path, line: int, took: Mapping[str, float]) -> list[str]:
    """Return the tests that reach a line, the quickest first."""
    reached = data.contexts_by_lineno(str(file)).get(line, [])
    return sorted((name for name in reached if name in took), key=took.__getitem__)
