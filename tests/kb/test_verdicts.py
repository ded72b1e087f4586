"""Questions of yes and no: nobody, either of two, both ways, and what nobody knows."""

import pytest

from memnets.kb.linking.opened import open_names
from memnets.kb.programs.operators import IsThere, Named, in_words
from memnets.kb.programs.parsing import Parser
from memnets.kb.store.store import Store, build

FACTS = [
    *(("Ada", "town", "Rome"), ("Bo", "town", "Rome"), ("Cy", "town", "Bari")),
    *(("Ada", "job", "welder"), ("Bo", "job", "cook"), ("Cy", "job", "cook")),
    *(("Ada", "sex", "female"), ("Bo", "sex", "male"), ("Cy", "sex", "male")),
    *(("Ada", "boss", "Bo"), ("Bo", "boss", "Cy"), ("Ada", "insured", "yes")),
    *(("Bo", "insured", "no"), ("Cy", "insured", "yes"), ("Ada", "speaks", "Welsh")),
    *(("Bo", "speaks", "Greek"), ("Arn", "borders", "Bel"), ("Bel", "borders", "Cor")),
    *(("Arn", "area", "5 km"), ("Bel", "area", "7 km"), ("Cor", "area", "9 km")),
    *(("Dot", "mother", "Fay"), ("Fay", "mother", "Gil"), ("Hal", "mother", "Gil")),
]


@pytest.fixture(scope="module")
def parser(tmp_path_factory):
    folder = tmp_path_factory.mktemp("verdicts") / "kb"
    build(FACTS, folder)
    store = Store.open(folder)
    return Parser(store, open_names(store))


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Is anybody in Rome?", "yes"),
        ("Is nobody in Rome?", "no"),
        ("Is no one in Rome?", "no"),
        ("Does nobody speak Welsh?", "no"),
        ("Is there no cook in Rome?", "no"),
        ("Is nobody in Bari a welder?", "yes"),
        # Which of two it is, and not whether it is either.
        ("Is Ada male or female?", "female"),
        ("Is Bo a boy or a girl?", "male"),
        ("Is Ada male?", "no"),
        # What one is, besides, is no second of two.
        ("Is Bo a boss in Rome?", "yes"),
        # Of whom a relation leads to.
        ("Is the boss of Ada insured?", "no"),
        ("Is Ada insured?", "yes"),
        # A statement that is to be confirmed.
        ("Ada speaks Welsh, doesn't she?", "yes"),
        ("Bo speaks Welsh, right?", "no"),
        # What holds both ways is written down in one.
        ("Does Bel border Arn?", "yes"),
        ("Does Arn border Bel?", "yes"),
        ("Does Cor border Arn?", "no"),
        ("Is Gil the mother of Fay?", "yes"),
        ("Is anyone insured?", "yes"),
        ("Is will insured?", ""),  # whoever that is
        # Nothing is known of what Cy speaks.
        ("Does Cy speak Welsh?", ""),
    ],
)
def test_what_is_asked_by_yes_or_no(parser, question, answer):
    candidates = parser.parse(question).candidates
    found = candidates[0].outcome.answers if candidates else ()
    assert ", ".join(found) == answer, [in_words(one.program) for one in candidates[:3]]


def test_whether_there_is_none_is_told_in_words():
    assert in_words(IsThere(Named(("Ada",)))) == "whether there is any: Ada"
    assert in_words(IsThere(Named(("Ada",)), none=True)) == "whether there is none: Ada"
