"""The films of the example are those that its script invents."""

import importlib.util
from pathlib import Path

from memnets.kb.store.store import Store, build

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def test_the_file_is_what_the_script_writes(tmp_path):
    spec = importlib.util.spec_from_file_location("invent_films", EXAMPLES / "invent_films.py")
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    script.main(tmp_path / "films.csv")
    assert (tmp_path / "films.csv").read_bytes() == (EXAMPLES / "films.csv").read_bytes()


def test_it_becomes_a_kb(tmp_path):
    assert build(EXAMPLES / "films.csv", tmp_path / "films.kb").facts == 1000
    assert Store.open(tmp_path / "films.kb").facts[0].relation == "born_in"
