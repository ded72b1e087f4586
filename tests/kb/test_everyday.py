"""Questions as people type them, about seven small worlds: a garage, a hotel, a stage, a club, a
shop, a ward and some forts.

A file has a fact a line, an empty line, and a question a line with its answers, parted by "|".
"""

from pathlib import Path

import pytest

from memnets.kb.linking.opened import open_names
from memnets.kb.programs.parsing import Parser
from memnets.kb.store.store import Store, build

WORLDS = {path.stem: path for path in sorted((Path(__file__).parent / "everyday").glob("*.txt"))}


def halves(world):
    facts, questions = WORLDS[world].read_text("utf-8").split("\n\n")
    return facts.splitlines(), [line.rsplit(";", 1) for line in questions.splitlines()]


@pytest.fixture(scope="module")
def parsers(tmp_path_factory):
    made = {}
    for world in WORLDS:
        folder = tmp_path_factory.mktemp(world) / "kb"
        build([tuple(line.split(";")) for line in halves(world)[0]], folder)
        store = Store.open(folder)
        made[world] = Parser(store, open_names(store))
    return made


@pytest.mark.parametrize(
    ("world", "question", "answers"),
    [(world, *line) for world in WORLDS for line in halves(world)[1]],
)
def test_it_is_understood(parsers, world, question, answers):
    candidates = parsers[world].parse(question).candidates
    found = candidates[0].outcome.answers if candidates else ()
    assert {*found} == {*filter(None, answers.split("|"))}
