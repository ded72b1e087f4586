"""A denial may also mean those of whom nothing is known."""

from unittest.mock import Mock

import pytest

from memnets.kb.linking.opened import open_names
from memnets.kb.programs.operators import And, Count, Having, Named, Not, OtherThan, Path
from memnets.kb.programs.parsing import Parser
from memnets.kb.programs.unknowns import with_unknown
from memnets.kb.store.store import Store, build

TUGS, LARGE = Having("type", Named(("tug",))), Having("size", Named(("large",)))
NO_COAL, NOT_HERE = Not("fuel", Named(("coal",))), Not("berth", Named(("Pier 1",)))
COAL, HERE = Having("fuel", Named(("coal",))), Having("berth", Named(("Pier 1",)))
FACTS = [
    *((name, "type", "tug") for name in ("Wren", "Tern", "Swan", "Gull")),
    *(("Moth", "type", "ferry"), ("Moth", "fuel", "gas")),
    *(("Wren", "fuel", "coal"), ("Tern", "fuel", "gas"), ("Swan", "fuel", "gas")),
]


@pytest.mark.parametrize(
    ("program", "more"),
    [
        (And((TUGS, NO_COAL)), OtherThan(TUGS, COAL)),
        (And((NO_COAL, TUGS, LARGE)), OtherThan(And((TUGS, LARGE)), COAL)),
        (And((TUGS, NO_COAL, NOT_HERE)), OtherThan(OtherThan(TUGS, COAL), HERE)),
        (Count(And((TUGS, NO_COAL))), Count(OtherThan(TUGS, COAL))),
        (Path(And((TUGS, NO_COAL)), ("crew",)), Path(OtherThan(TUGS, COAL), ("crew",))),
        *((one, None) for one in (NO_COAL, TUGS, And((TUGS, LARGE)), Count(NO_COAL))),
        (And((NO_COAL, NOT_HERE)), None),  # of which nothing else is said
    ],
)
def test_what_is_denied_is_left_out_of_the_others(program, more):
    assert with_unknown(program) == more


def test_those_of_which_nothing_is_known_are_the_second_reading(tmp_path):
    build(FACTS, tmp_path / "kb")
    store = Store.open(tmp_path / "kb")
    parser = Parser(store, open_names(store), by=Mock(fingerprint=""))
    first, second = parser.parse("Which tugs do not burn coal?").candidates[:2]
    assert (first.outcome.answers, second.outcome.answers) == (
        ("Swan", "Tern"),
        ("Gull", "Swan", "Tern"),
    )
    assert second.program == OtherThan(TUGS, COAL)
    assert first.score - 1 < second.score < first.score
