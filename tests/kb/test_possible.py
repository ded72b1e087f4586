"""What may be asked of what a question names, by its relations and by what it means."""

import math
from unittest.mock import Mock

import numpy as np
import pytest

from memnets.kb.linking.opened import open_names
from memnets.kb.programs.guessing import ENOUGH
from memnets.kb.programs.meaning import Meanings
from memnets.kb.programs.operators import Having, Named, Path
from memnets.kb.programs.parsing import Parser
from memnets.kb.programs.possible import NONE, WEIGHTS, WITH_ENCODER, probabilities, weights_of
from memnets.kb.questions.sentences import SentenceEncoder
from memnets.kb.store.store import Store, build
from memnets.kb.values.columns import open_columns

FACTS = [
    *(("Moth", "given_by", "Ada Crane"), ("Geese", "given_by", "Ada Crane")),
    *(("Moth", "painted by", "Bo Lund"), ("Geese", "painted by", "Bo Lund")),
    *(("Chair", "painted by", "Ada Crane"), ("Moth", "year", "1901"), ("Geese", "year", "1950")),
]


class Letters:
    """Encodes a text as how often it has each letter."""

    def __init__(self):
        self.asked = []

    def encode(self, texts):
        self.asked += texts
        counts = np.array(
            [[text.lower().count(chr(97 + at)) for at in range(26)] for text in texts]
        )
        return (counts / np.linalg.norm(counts, axis=1, keepdims=True)).astype(np.float32)


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    folder = tmp_path_factory.mktemp("possible") / "kb"
    build(FACTS, folder)
    return Store.open(folder)


def possible(store, question, encoder=None):
    found = Parser(store, open_names(store), encoder=encoder).possibilities.of(question)
    return {one.program: one for one in found}


def test_all_that_leads_from_a_name_and_to_it_may_be_asked(store):
    ada, moth = Named(("Ada Crane",)), Named(("Moth",))
    found = possible(store, "Which were presents from Ada Crane?")
    assert found.keys() == {Having("given_by", ada), Having("painted by", ada)}
    assert found[Having("given_by", ada)].outcome.answers == ("Geese", "Moth")
    of_moth = possible(store, "And what about Moth?")
    assert of_moth.keys() == {Path(moth, (name,)) for name in ("given_by", "painted by", "year")}
    assert not possible(store, "What about it?")


def test_what_speaks_for_each_by_hand(store):
    moth, two = Path(Named(("Moth",)), ("year",)), Having("given_by", Named(("Ada Crane",)))
    found = possible(store, "When was Moth made, beside Ada Crane?")
    when = {"answers": 1.0, "fits": 1.0, "many": math.log(2)}
    none = dict.fromkeys(found[moth].features, 0.0)
    said = found[moth].features["said"]
    assert 0 < said < 1  # "when" and "made" bring a year to mind
    assert found[moth].features == pytest.approx(none | when | {"said": said})
    backwards = {"backwards": 1.0, "many": math.log(3), "other names": 1.0}
    assert found[two].features == pytest.approx(none | backwards)  # and names are no answer to when
    assert {*none} == {*WEIGHTS} - {NONE}
    given = possible(store, "What was donated by Ada Crane?")[two].features
    assert 0 < given["backwards said"] <= 1 - math.exp(-10 / ENOUGH)


def test_the_likeliest_is_that_which_the_words_bring_to_mind(store):
    found = [*possible(store, "What was donated by Ada Crane?").values()]
    likely = dict(
        zip([one.program.relation for one in found], probabilities(found, WEIGHTS), strict=True)
    )
    assert likely["given_by"] > likely["painted by"]
    assert 0 < sum(likely.values()) < 1  # it may be none of them
    flat = dict.fromkeys(WEIGHTS, 0.0)
    assert probabilities(found, flat) == pytest.approx([1 / 3] * 2)
    assert probabilities(found, flat | {NONE: math.log(2)}) == pytest.approx([1 / 4] * 2)
    assert probabilities([], WEIGHTS) == []


def test_an_encoder_tells_how_nearly_each_is_meant(store):
    letters = Letters()
    encoder = Mock(spec=SentenceEncoder, encode=letters.encode)
    found = possible(store, "And what about Moth?", encoder)
    path = Path(Named(("Moth",)), ("painted by",))
    by = Letters().encode
    asked = by(["and what about it"])[0]
    assert found[path].features["means"] == pytest.approx(
        float(by(["What is its painted by?"])[0] @ asked)
    )
    assert "painted by: Bo Lund, Ada Crane" in letters.asked  # the commonest first
    objects = by(["painted by: bo lund, ada crane"])[0]
    assert found[path].features["means objects"] == pytest.approx(float(objects @ asked))
    assert found[path].features["backwards means"] == 0
    found = possible(store, "And what about Ada Crane?", encoder)
    gave = found[Having("given_by", Named(("Ada Crane",)))].features
    backwards = by(["Which ones have it as given by?"])[0]
    assert gave["backwards means"] == pytest.approx(float(backwards @ asked))
    assert (gave["means"], gave["means objects"]) == (0, 0)
    assert {*gave} == {*WITH_ENCODER} - {NONE}
    assert (weights_of(True), weights_of(False)) == (WITH_ENCODER, WEIGHTS)


def test_plain_questions_are_encoded_once(store):
    letters = Letters()
    columns = open_columns(store)
    meanings = Meanings(letters, {"year": ("year",), "given_by": ("given",)}, columns, store)
    for _ in range(2):
        named = [(0, 1), (2, 3)]
        first, second = meanings.of(["moth", "or", "geese"], named, {"year"})
        assert first.keys() == second.keys() == {"year"}
    plain = ["What is its year?", "year: 1901, 1950", "Which ones have it as year?"]
    assert [text for text in letters.asked if "year" in text] == plain
    assert letters.asked.count("it or geese") == letters.asked.count("moth or it") == 2
