"""Recipes: found by walking, faithful to the paper, written and read without loss."""

import dataclasses
import importlib
import inspect
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch

from memnets import studies
from memnets.attention import Identity, Softmax
from memnets.data.babi.generate import Variant
from memnets.experiments.overrides import check_overrides, override
from memnets.experiments.run import Run, fields, from_json, to_json
from memnets.experiments.tables import PlannedTable
from memnets.files import write_json
from memnets.inference import kind_of
from memnets.studies import kind, kinds, recipe, recipes, tables
from memnets.studies.babi.data import BabiData
from memnets.studies.babi.memn2n.recipes import (
    MemN2NBabi,
    MemN2NModel,
    MemN2NTraining,
    babi,
    babi_joint,
)
from memnets.training.config import Loop

TINY = MemN2NBabi(
    data=BabiData(source="generated"),
    training=MemN2NTraining(epochs=50, linear_epochs=20),
)
EPOCH = 28  # floor(900 / 32)


@pytest.fixture(scope="module")
def prepared():
    return TINY.prepare()


def test_recipes_are_found_without_a_list():
    assert {"memn2n/babi", "memn2n/babi-joint", "memn2n/babi-generated"} <= set(recipes())
    assert all(function.__doc__ for function in recipes().values())


def test_every_public_function_that_makes_a_run_or_a_table_is_named():
    for file, base, listed in (("recipes", Run, recipes()), ("tables", PlannedTable, tables())):
        for path in Path(studies.__file__).parent.rglob(f"{file}.py"):
            name = ".".join(path.relative_to(Path(studies.__file__).parent).with_suffix("").parts)
            module = importlib.import_module(f"memnets.studies.{name}")
            for function in vars(module).values():
                made = getattr(function, "__annotations__", {}).get("return")
                if inspect.isfunction(function) and inspect.isclass(made):
                    public = not function.__name__.startswith("_") and issubclass(made, base)
                    wanted = public and not inspect.signature(function).parameters
                    assert not wanted or function in listed.values(), f"{name}.{function.__name__}"


def test_every_kind_of_run_has_a_name_of_its_own():
    made = {type(make()) for make in recipes().values()}
    assert set(kinds().values()) == made
    assert all(kind.kind == name for name, kind in kinds().items())


def test_a_kind_of_run_is_found_without_the_studies_that_are_called_otherwise(monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(studies, "recipes", None)
        for name in kinds():
            assert kind(name) is kinds()[name]
    with pytest.raises(ValueError, match=r"no kind of run 'kb-qb'. Did you mean kb-qa\?"):
        kind("kb-qb")
    monkeypatch.setattr(studies, "kinds", lambda: {"elsewhere": MemN2NBabi})
    assert kind("elsewhere") is MemN2NBabi  # a study that is not called as its kind


def test_an_unknown_recipe_names_the_nearest():
    with pytest.raises(ValueError, match=r"no recipe 'memn2n/baby'. Did you mean memn2n/babi\?"):
        recipe("memn2n/baby")
    with pytest.raises(ValueError, match=r"no recipe 'zzz'. See `memnets list`"):
        recipe("zzz")


def test_a_name_that_two_studies_give_is_refused(monkeypatch):
    one, other = (SimpleNamespace(__name__=name, RECIPES={"x": babi, name: babi}) for name in "ab")
    monkeypatch.setattr(studies, "_modules", lambda *where: iter([one, other]))
    with pytest.raises(ValueError, match=r"^b: 'x' is named by another study too$"):
        studies._collected("recipes", "RECIPES")
    other.RECIPES = {"0": babi}
    monkeypatch.setattr(studies, "_modules", lambda *where: iter([one, other]))
    assert list(studies._collected("recipes", "RECIPES")) == ["0", "a", "x"]


@pytest.mark.parametrize("name", recipes())
def test_a_run_survives_json(name):
    run = recipe(name)()
    assert from_json(type(run), to_json(run), "run.json") == run


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("model", "hop"), 4, r"run\.json: .*extra fields found \(hop\) @ config\.model"),
        (("model", "dim"), "many", r"run\.json: .*expected int.*config\.model\.dim"),
        (("model", "time"), 1, r"run\.json: .*expected bool.*config\.model\.time"),
        (("data", "language"), "de", r"run\.json: .*config\.data\.language"),
    ],
)
def test_a_configuration_that_does_not_fit_names_file_and_field(path, value, message):
    record = to_json(babi())
    record[path[0]][path[1]] = value
    with pytest.raises(ValueError, match=message):
        from_json(MemN2NBabi, record, "run.json")


def test_an_unknown_field_names_the_nearest_and_its_value():
    with pytest.raises(
        ValueError,
        match=r"recipe memn2n/babi has no field model\.hop\. Did you mean model\.hops \(now 3\)",
    ):
        check_overrides("memn2n/babi", babi(), ["--model.hop", "4"])


def test_known_fields_pass_in_every_spelling():
    words = ["--training.learning-rate", "0.1", "--model.no-time", "--model.hops=2", "--out", "x"]
    check_overrides("memn2n/babi", babi(), words)


def test_every_field_has_its_dotted_name():
    assert fields(babi())["training.halve_every"] == 25


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: BabiData(tasks=(0,)), r"data\.tasks names 0: expected numbers from 1 to 20"),
        (lambda: BabiData(tasks=()), r"data\.tasks names no task"),
        (lambda: BabiData(validation=1.0), r"data\.validation is 1\.0: .* below 1.*alidation 0\.1"),
        (lambda: BabiData(validation=0.0), r"data\.validation is 0\.0: expected a share above 0"),
        (lambda: BabiData(tasks=(1, 2, 1)), r"data\.tasks names 1 twice: .* Name each task once"),
        (
            lambda: BabiData().set_aside(5, 0),
            r"of 5 training questions, 5 would be .* some of both",
        ),
        (
            lambda: MemN2NTraining(noise=2.0),
            r"training\.noise is 2\.0: expected a share from 0 to 1",
        ),
        (lambda: Loop(threads=10**5), r"loop\.threads is 100000: expected at most 1024.*reads 1,"),
        (
            lambda: BabiData(source="generated", language="hn"),
            r"data\.source is generated, so data\.path and data\.language would be ignored",
        ),
        (
            lambda: BabiData(variant=Variant(length=3)),
            r"data\.variant is length=3, and would be ignored.*--data\.source generated",
        ),
        (lambda: MemN2NModel(hops=0), r"model\.hops is 0: expected at least 1.*--model\.hops 1"),
        (lambda: MemN2NTraining(batch=0), r"training\.batch is 0: expected at least 1"),
        (lambda: Loop(threads=0), r"loop\.threads is 0: expected at least 1"),
    ],
)
def test_a_value_that_cannot_be_is_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_data_are_named_for_what_they_are():
    assert BabiData(tasks=(1, 2, 3), size="10k").name == "bAbI en-10k, tasks 1-3"
    assert BabiData(source="generated").name == "bAbI generated, task 1"
    mixed = BabiData(source="generated", test_source="official", tasks=(1, 3))
    assert mixed.name == "bAbI generated, tested on en, tasks 1, 3"


def test_a_run_may_learn_of_larger_worlds():
    wide = BabiData(source="generated", variant=Variant(actors=8, held_out=True))
    assert wide.name == "bAbI generated actors=8:held_out=True, task 1"
    train, test, record = wide.load()
    names = [
        {item.text.split()[0] for story in part for item in story.items} for part in (train, test)
    ]
    assert len(names[0] - {"Where"}) == len(names[1] - {"Where"}) == 8
    assert names[0] & names[1] == {"Where"}
    assert record != BabiData(source="generated").load().record
    run = MemN2NBabi(data=wide)
    assert from_json(MemN2NBabi, to_json(run), "run.json") == run


def test_generated_training_and_test_stories_differ():
    stories = BabiData(source="generated").load()
    train = {story.items for story in stories.train}
    assert len(train) == 200
    assert not train & {story.items for story in stories.test}
    assert BabiData(source="generated").load().record == stories.record
    assert BabiData(source="generated", tasks=(2,)).load().record.sha256 != stories.record.sha256


def test_single_tasks_validate_with_the_last_questions_and_joint_ones_with_any():
    train, valid = BabiData().set_aside(1000, seed=0)
    assert (train, valid) == (list(range(900)), list(range(900, 1000)))
    train, valid = babi_joint().data.set_aside(1000, seed=0)
    assert sorted(train + valid) == list(range(1000))
    assert len(valid) == 100
    assert valid != list(range(900, 1000))
    assert valid != babi_joint().data.set_aside(1000, seed=1)[1]


def test_the_phases_are_those_of_the_released_code(prepared):
    linear, softmax = prepared.experiment.phases
    assert (linear.updates, softmax.updates) == (20 * EPOCH, 50 * EPOCH)
    assert {linear.learning_rate(update) for update in range(20 * EPOCH)} == {0.005}
    rates = [softmax.learning_rate(epoch * EPOCH) for epoch in range(50)]
    assert rates[:24] == [0.005] * 24  # epochs 1 to 24
    assert rates[24:49] == [0.0025] * 25  # the 25th already runs halved
    assert rates[49] == 0.00125
    assert softmax.learning_rate(24 * EPOCH - 1) == 0.005


def test_a_linear_start_removes_only_the_attentions_softmax(prepared):
    model = prepared.experiment.model
    linear, softmax = prepared.experiment.phases
    linear.prepare(model)
    assert isinstance(model.attention.align, Identity)
    softmax.prepare(model)
    assert isinstance(model.attention.align, Softmax)
    assert prepared.experiment.reduction == "sum"


def test_without_a_linear_start_there_is_one_phase():
    training = dataclasses.replace(TINY.training, linear_epochs=0)
    run = dataclasses.replace(TINY, training=training)
    assert [phase.name for phase in run.prepare().experiment.phases] == ["softmax"]


def test_gradients_are_clipped_table_by_table(prepared):
    model, clip = prepared.experiment.model, prepared.experiment.clip
    model.tables.grad = torch.ones_like(model.tables)
    model.tables.grad[:, 1] *= 1000.0
    clip(model)
    assert float(model.tables.grad[:, 1].norm()) == pytest.approx(40.0, rel=1e-5)
    assert torch.equal(model.tables.grad[:, 0], torch.ones_like(model.tables[:, 0]))
    model.tables.grad = None


def test_the_seed_decides_the_weights(prepared):
    again, other = (
        dataclasses.replace(TINY, loop=Loop(seed=seed)).prepare().experiment.model.tables
        for seed in (0, 1)
    )
    assert torch.equal(again, prepared.experiment.model.tables)
    assert not torch.equal(other, again)


def test_the_first_word_is_nil_and_time_words_follow_the_vocabulary(prepared):
    words = prepared.files["vocabulary.json"]["words"]
    memory = prepared.files["vocabulary.json"]["memory"]
    tables = prepared.experiment.model.tables
    assert words[0] == ""
    assert tables.shape == (len(words) + memory, 4, 20)
    assert prepared.experiment.model.slots == memory
    assert float(tables[1:].detach().std()) == pytest.approx(0.1, rel=0.05)


def test_the_vocabulary_does_not_know_the_test_questions(prepared):
    test = prepared.experiment.task.questions["test"]
    train = prepared.experiment.task.questions["train"]
    assert train.number == 900
    assert test.number == 1000
    assert "train" not in prepared.experiment.task.splits
    assert "test" not in prepared.experiment.task.splits


def test_what_had_another_name_answers_with_the_new_one():
    with pytest.raises(ValueError, match="the recipe own_kb/films is called kb_qa/films now"):
        recipe("own_kb/films")
    run = recipe("recall/stream")()
    with pytest.raises(ValueError, match=r"the field core\.kept is called core\.k now"):
        check_overrides("recall/stream", run, ["--core.kept", "3"])
    with pytest.raises(ValueError, match=r"data\.variant\.longer is called data\.variant\.length"):
        override("memn2n/babi", TINY, {"data.variant.longer": 3})


def test_a_configuration_of_before_still_opens():
    run = recipe("recall/stream")()
    record = to_json(run)
    record["core"]["kept"] = record["core"].pop("k")
    assert from_json(type(run), record, "run.json") == run
    record = to_json(TINY)
    record["data"]["variant"]["longer"] = record["data"]["variant"].pop("length")
    assert from_json(MemN2NBabi, record, "run.json") == TINY


def test_a_run_folder_of_before_tells_its_kind_by_its_recipe(tmp_path):
    write_json(tmp_path / "run.json", {"format": 1, "recipe": "own_kb/films", "config": {}})
    assert kind_of(tmp_path) is type(recipe("kb_qa/films")())
