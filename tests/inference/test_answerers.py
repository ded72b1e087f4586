"""What answerers declare is so, whatever they are."""

import pytest

from memnets.evidence import Answer
from memnets.experiments.answerer import ASKED, PARTS, Answerer
from memnets.serve.examples import PLAIN
from memnets.studies.kb_qa.recipes import KBAnswerer
from memnets.testing import discover

ANSWERERS = discover(Answerer)


class Echo(Answerer):
    """Says what came."""

    takes = ("question",)
    may_take = ("facts",)
    name = "echo"

    def __init__(self):
        self.device = "cpu"

    def answer(self, context, asked):
        return Answer(asked, "|".join(context), 1.0, (), ())

    def data_sha256(self):
        return ""

    def examples(self, split, task):
        return iter(())


@pytest.mark.parametrize("answerer", ANSWERERS, ids=lambda answerer: answerer.__name__)
def test_what_is_declared_can_be_given(answerer):
    parts = (*answerer.takes, *answerer.may_take)
    assert set(parts) <= PARTS.keys()
    assert sum(name in ASKED for name in answerer.takes) == 1
    writes = hasattr(answerer, "write"), hasattr(answerer, "surprisal")
    assert writes == (answerer.gives == "text",) * 2


def test_every_study_has_one():
    studies = {answerer.__module__.split(".")[2] for answerer in ANSWERERS}
    assert studies == {
        *("babi", "captions", "kb_qa", "language", "metaqa", "pointers", "recall"),
        "sequences",
        *("simple_qa", "sentiment", "simulated_world", "tagging", "transduction", "translation"),
        *("visual_questions", "wikimovies", "wikiqa"),
    }
    assert KBAnswerer in ANSWERERS


def test_those_that_read_facts_have_to_have_them_at_hand():
    facts = {answerer.__module__.split(".")[2] for answerer in ANSWERERS if answerer.reads_data}
    assert facts == {"kb_qa", "metaqa", "simple_qa", "wikimovies"}


def test_every_one_has_an_example_where_its_data_are_not_at_hand():
    # A question alone is put to facts, which are there wherever it can be opened.
    assert {answerer.takes for answerer in ANSWERERS} == {*PLAIN, ("question",)}


def test_what_may_be_given_may_be_left_out():
    assert Echo().ask("who?").text == ""
    assert Echo().ask("who?", "a\tb\tc\n\nd. e\tf\tg\n").text == "a\tb\tc|d. e\tf\tg"
    assert Echo().ask("who?", facts=["a\tb\tc"]).text == "a\tb\tc"
    with pytest.raises(ValueError, match=r"no question came, but echo takes ask\(question, facts="):
        Echo().ask(facts=["a\tb\tc"])
