"""The handbook that is asked: an answer is one sentence, and the two files are apart."""

from collections import Counter
from pathlib import Path

import pytest

from memnets.data.qa.placed import read_placed
from memnets.data.rows import BadRows
from memnets.kb.documents.documents import find_files, sentences

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "documents"
FILES = ("choosing", "reporting")


@pytest.fixture(scope="module")
def begun():
    """Return how many sentences begin on each line of each file."""
    bad = BadRows()
    read, others, links = find_files(FOLDER / "handbook")
    assert not others
    assert not links
    found = Counter(
        (path.relative_to(FOLDER / "handbook").as_posix(), sentence.line)
        for path in read
        for sentence in sentences(path, bad)
    )
    assert bad.count == 0
    return found


@pytest.mark.parametrize("name", FILES)
def test_each_answer_is_one_sentence(begun, name):
    asked = read_placed(FOLDER / f"{name}.tsv")
    assert {(one.file, one.line) for one in asked if begun[one.file, one.line] != 1} == set()
    assert len({one.text for one in asked}) == len(asked)


def test_there_are_enough_questions_and_the_files_they_ask_about_are_apart():
    choosing, reporting = (read_placed(FOLDER / f"{name}.tsv") for name in FILES)
    assert len(choosing) >= 40
    assert len(reporting) >= 60
    files = [{one.file for one in asked} for asked in (choosing, reporting)]
    assert files[0].isdisjoint(files[1])
    assert all(len(some) >= 10 for some in files)
