"""Which relation a question asks for: the ranker of the package, and what it is made of."""

import hashlib
from importlib import resources

import numpy as np
import pytest

from memnets.kb.questions.ranking import (
    BACKWARDS,
    FOLDER,
    FORWARDS,
    HEAD,
    PATHS,
    RelationRanker,
    asking,
)
from memnets.kb.questions.ranking import ranker as the_ranker
from memnets.kb.questions.sentences import PIECES, WEIGHTS
from memnets.kb.questions.tokens import FIRST, LAST, LONGEST, UNKNOWN, WordPieces

COLUMNS = {
    "manager": ("link", ("Ada Crane", "Bo Lund")),
    "salary": ("number", ("32000 EUR", "29100 EUR")),
    "born": ("date", ("1980-02-01", "1975-05-03")),
    "based in": ("text", ("Rome", "Bari")),
    "languages": ("text", ("Polish", "German", "French")),
    "remote": ("yes or no", ("yes", "no")),
}


@pytest.fixture(scope="module")
def ranker():
    return the_ranker()


def likeliest(ranker, question):
    """Return the name and way that a question asks for, and how strongly."""
    forwards, backwards = (
        ranker.encode([asking(name, *of)[way] for name, of in COLUMNS.items()]) for way in (0, 1)
    )
    hops = ranker.hop(forwards[[*COLUMNS].index("manager")], forwards)
    ways = [*(FORWARDS,) * 6, *(BACKWARDS,) * 6, *(PATHS,) * 6]
    vectors = np.concatenate([forwards, backwards, hops])
    found = ranker.strengths(ranker.encode([question])[0], vectors, ways)
    best = int(found.argmax())
    return ([*COLUMNS][best % 6], ways[best]), float(found[best])


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("who tells it what to do", ("manager", FORWARDS)),
        ("what does it earn", ("salary", FORWARDS)),
        ("how old is it", ("born", FORWARDS)),
        ("where does it sit", ("based in", FORWARDS)),
        ("which tongues does it speak", ("languages", FORWARDS)),
        ("does it work from home", ("remote", FORWARDS)),
        ("which people have it for a boss", ("manager", BACKWARDS)),
        ("what does it 's boss earn", ("salary", PATHS)),
        ("where does the boss of it sit", ("based in", PATHS)),
    ],
)
def test_a_question_in_other_words_asks_for_its_relation(ranker, question, asked):
    assert likeliest(ranker, question)[0] == asked


def test_what_no_relation_answers_is_asked_for_less_strongly(ranker):
    odd = max(likeliest(ranker, f"{text} it")[1] for text in ("what shoes fit", "is the moon on"))
    assert odd < 0 < likeliest(ranker, "what does it earn")[1]


def test_a_plain_question_says_what_objects_are_and_some_of_them():
    assert asking("based in", "text", ("Rome, Italy", "Bari", "Oslo", "Bonn")) == (
        "what is its based in name rome italy bari oslo",
        "which have it as based in",
    )
    long = asking("note", "text", ("x" * 99,))[0]
    assert long == "what is its note name " + "x" * 30
    assert asking("boss", "link", ())[0] == "what is its boss one"


def test_strengths_by_hand():
    head = {
        "hop.weight": np.array([[0.0, 1.0], [1.0, 0.0]], np.float32),
        "hop.bias": np.array([0.0, 2.0], np.float32),
        "scale": np.float32(10.0),
        "biases": np.array([-1.0, -2.0, -3.0], np.float32),
    }
    ranker = RelationRanker(None, head)
    hop = ranker.hop(np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([[0.0, 1.0]] * 2))
    expected = np.array([[0.0, 4.0], [1.0, 3.0]])  # (0, 1) + (0, 1) or (1, 0) + (0, 2)
    np.testing.assert_allclose(hop, expected / [[4.0], [10**0.5]])
    vectors = np.array([[1.0, 0.0], [0.6, 0.8], [0.0, 1.0]])
    found = ranker.strengths(np.array([1.0, 0.0]), vectors, [FORWARDS, BACKWARDS, PATHS])
    np.testing.assert_allclose(found, [9.0, 4.0, -3.0])


PIECES_OF_WORDS = [
    *("[UNK]", "[CLS]", "[SEP]"),
    *sorted(
        ["who", "super", "supers", "##vis", "##es", "##e", "it", "'", "s", "##s", "19", "##99"]
    ),
]


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("Who supervises it's", ["who", "super", "##vis", "##es", "it", "'", "s"]),
        ("1999 süpers", ["19", "##99", "supers"]),
        ("qwertz supervisor it", ["[UNK]", "[UNK]", "it"]),  # "or" does not go on with a word
        ("s" * LONGEST, ["s", *["##s"] * (LONGEST - 1)]),
        ("s" * (LONGEST + 1), ["[UNK]"]),
        ("", []),
    ],
)
def test_the_longest_pieces_are_tokens(text, pieces):
    tokens = WordPieces("\n".join(PIECES_OF_WORDS))
    assert tokens.numbers([text]) == [[FIRST, *map(PIECES_OF_WORDS.index, pieces), LAST]]
    assert PIECES_OF_WORDS[UNKNOWN] == "[UNK]"


def test_they_are_those_that_the_library_tokenizers_takes():
    tokenizers = pytest.importorskip("tokenizers")
    known = {piece: at for at, piece in enumerate(PIECES_OF_WORDS)}
    theirs = tokenizers.BertWordPieceTokenizer(known, lowercase=True)
    texts = ["Who supervises it's", "1999 süpers", "qwertz, supervisor-it", "s" * 101, "who_it", ""]
    mine = WordPieces("\n".join(PIECES_OF_WORDS)).numbers(texts)
    assert mine == [one.ids for one in theirs.encode_batch(texts)]


def test_it_is_told_from_others_by_what_its_files_hold(ranker):
    folder = resources.files("memnets.kb.questions") / FOLDER
    held = b"".join(folder.joinpath(name).read_bytes() for name in (PIECES, WEIGHTS, HEAD))
    assert ranker.fingerprint == hashlib.sha256(held).hexdigest()[:16]
