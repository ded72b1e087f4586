"""Readers of files, given random bytes and spoilt files: a result, or words with the file's name.

Whatever is in a file, a reader may raise ValueError or OSError only, and its text begins with the
path, and with the line where lines are what it reads.
"""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memnets import results
from memnets.data.babi import read_stories
from memnets.data.pairs import read_pairs
from memnets.data.rows import BadRows
from memnets.data.treebanks import read_sentiment, read_tagged
from memnets.kb.documents.documents import sentences
from memnets.kb.store.facts import blocks
from memnets.kb.store.tables import table_facts
from memnets.results import known_results
from memnets.training.runs import RunFolder

EXAMPLES = 150
"""Files for each reader: of random bytes, and of a whole one with a few slips."""


def all_of(read: Callable[..., Iterable[Any]], **options: Any) -> Callable[[Path], Any]:
    """Return what reads a whole file, bad rows counted."""

    def every(path: Path) -> Any:
        bad = BadRows()
        found = list(read(path, bad, **options))
        for complaint in bad.first:
            assert complaint.startswith(str(path)), complaint
        return found

    return every


BABI = b"1 Mary moved to the garden.\n2 Where is Mary?\tgarden\t1\n1 Bo ran.\n2 Who ran?\tBo\t1\n"
TSV = b"subject\trelation\tobject\nAda\tborn_in\tOslo\nBo\tlikes\tAda\n"
CSV = b'"Ada, the first",born_in,Oslo\nBo,likes,"Ada\nLovelace"\n'
TRIPLES = b'<ada> <born_in> <oslo> .\n_:b <name> "B\\u00f6"@de .\n# no fact\n'
TABLE = b"title,year,stars\nAlien,1979,Sigourney Weaver; Tom Skerritt\nRed,1994,\n"
TAGS = b"He\tPRON\tPRP\nruns\tVERB\tVBZ\n\nGo\tVERB\tVB\n"
TEN = b"# a\n1\tHe\the\tPRON\tPRP\t_\t2\tnsubj\t_\t_\n2\truns\trun\tVERB\tVBZ\t_\t0\troot\t_\t_\n"
TREES = b"(3 (2 It) (4 (2 's) (4 lovely)))\n(0 Bad)\n"
PROSE = b"# Ada\n\nAda was born in *Oslo*. She lives in [Rome](x).\n\n```\ncode\n```\n- one\n"
RUN = b'{"format": 1, "version": "1.0", "kind": "x", "config": {"a": [1, 2.5, null]}, "data": null}'
RESULT = sorted(known_results().glob("memn2n*.json"))[0]

READERS: dict[str, tuple[str, bytes, Callable[[Path], Any]]] = {
    "bAbI": ("qa1_x_train.txt", BABI, read_stories),
    "tsv": ("facts.tsv", TSV, all_of(blocks)),
    "csv": ("facts.csv", CSV, all_of(blocks)),
    "N-Triples": ("facts.nt", TRIPLES, all_of(blocks)),
    "a table": ("films.csv", TABLE, all_of(table_facts)),
    "prose": ("ada.txt", PROSE, all_of(sentences)),
    "Markdown": ("ada.md", PROSE, all_of(sentences)),
    "tagged words": ("dev.tsv", TAGS, lambda path: list(read_tagged(path))),
    "CoNLL-U": ("dev.conllu", TEN, lambda path: list(read_tagged(path))),
    "pairs of sentences": ("a.de", BABI, lambda path: list(read_pairs(path, path))),
    "trees": ("train.txt", TREES, lambda path: list(read_sentiment(path))),
    "results": (RESULT.name, RESULT.read_bytes()[:3000], results.reading.read),
    "run.json": ("run.json", RUN, lambda path: RunFolder.open(path.parent)),
}
"""The name of a file, one that is whole, and what reads it."""


def spoilt(whole: bytes) -> st.SearchStrategy[bytes]:
    """Return random bytes, and a whole file with a few pieces replaced."""
    piece = st.sampled_from(PIECES) | st.binary(max_size=4)
    place = st.integers(0, len(whole))
    slips = st.lists(st.tuples(place, st.integers(0, 9), piece), min_size=1, max_size=4)
    return st.binary(max_size=200) | slips.map(lambda some: with_slips(whole, some))


PIECES = (
    *(b"\t", b"\n", b"\r", b'"', b",", b";", b"|", b"<", b">", b".", b"?", b"[", b"{"),
    *(b"\0", b"\xff", b"\xef\xbb\xbf", b"\xff\xfe", b"\x1f\x8b", b"PK\x03\x04", b"\xed\xa0\x80"),
    *(b"NaN", b"1e999", b"-1", b"9" * 5000, b"[" * 5000, b"\xe2\x80\xa8", b"\x0c", b"\x1a", b""),
    *(b"\\", b"\\d", b"\\ud800"),
)


def with_slips(whole: bytes, slips: Iterable[tuple[int, int, bytes]]) -> bytes:
    """Replace so many bytes from each place by a piece."""
    for start, count, piece in slips:
        whole = whole[:start] + piece + whole[start + count :]
    return whole


def expect_words(kind: str, content: bytes, folder: Path) -> None:
    """Fail unless a file is read, or refused by its name."""
    name, _, read = READERS[kind]
    path = folder / name
    path.write_bytes(content)
    try:
        read(path)
    except UnicodeError:
        raise
    except (ValueError, OSError) as refused:
        said = str(refused)
    else:
        return
    assert said.startswith(str(path)), said
    assert len(said) < 2000


@pytest.mark.parametrize("kind", READERS)
def test_a_whole_file_is_read(kind, tmp_path):
    name, whole, read = READERS[kind]
    whole = RESULT.read_bytes() if kind == "results" else whole
    (tmp_path / name).write_bytes(whole)
    assert read(tmp_path / name)


@pytest.mark.parametrize("piece", [b"\0", b"\xff", b"9" * 5000, b"[" * 100_000, b'"'])
@pytest.mark.parametrize("kind", READERS)
def test_a_slip_is_read_or_refused_in_words(kind, piece, tmp_path):
    whole = READERS[kind][1]
    expect_words(kind, with_slips(whole, [(len(whole) // 2, 1, piece)]), tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("kind", READERS)
def test_whatever_is_in_a_file_it_is_read_or_refused_in_words(kind, tmp_path):
    per_way = [HealthCheck.function_scoped_fixture]

    @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=per_way, database=None)
    @given(spoilt(READERS[kind][1]))
    def check(content):
        expect_words(kind, content, tmp_path)

    check()
    print(f"malformed: {EXAMPLES} cases, files of {kind}")
