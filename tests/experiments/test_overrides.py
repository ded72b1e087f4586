"""Fields by their dotted names: read as the run has them, refused by name."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from memnets.experiments.overrides import override
from memnets.experiments.run import from_json, to_json
from memnets.studies import recipe


def changed(name, values):
    return override(name, recipe(name)(), values)


def test_fields_of_one_section_are_replaced_at_once():
    # Each alone would be refused: a variant is of generated stories.
    run = changed("memn2n/babi", {"data.source": "generated", "data.variant.actors": 7})
    assert (run.data.source, run.data.variant.actors) == ("generated", 7)
    with pytest.raises(ValueError, match="would be ignored: the stories are official"):
        changed("memn2n/babi", {"data.variant.actors": 7})


def test_a_wrong_value_is_refused_by_the_whole_name_of_its_field():
    for name, value in (("data.variant.actors", "seven"), ("training.batch", "x")):
        with pytest.raises(
            ValueError, match=rf"^{re.escape(name)} came as '{value}'; expected int"
        ):
            changed("memn2n/babi", {"data.source": "generated", name: value})


def test_values_are_read_as_the_run_has_them():
    values = {"data.path": "here", "data.tasks": [1, 2], "training.noise": 1, "loop.seed": 3}
    run = changed("memn2n/babi", values)
    assert (
        run.data.path
        == Path("here")
        == changed("memn2n/babi", {"data.path": Path("here")}).data.path
    )
    assert run.data.tasks == (1, 2)
    assert run.training.noise == 1.0
    assert isinstance(run.training.noise, float)
    assert run.loop.seed == 3
    whole = replace(run, data=replace(run.data, path=Path("here").resolve()))
    assert from_json(type(run), to_json(run), "run.json") == whole  # found from anywhere


def test_a_part_that_may_be_of_several_kinds_keeps_its_own():
    assert changed("simulated_world/lstm", {"reader.hidden": 7}).reader.hidden == 7
    with pytest.raises(ValueError, match=r"no field reader\.hidden\. Did you mean reader"):
        changed("simulated_world/memnn", {"reader.hidden": 7})


def test_nothing_changes_where_nothing_is_given():
    assert changed("memn2n/babi", {}) == recipe("memn2n/babi")()
