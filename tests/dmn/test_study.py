"""DMN on bAbI: its recipes, its settings, its tables, and a run from end to end."""

import json
from dataclasses import fields, replace
from itertools import islice

import pytest
import torch

import memnets
from judging import check_judged, check_like_asked
from memnets.data.babi import Question, Statement, Story, write_stories
from memnets.experiments.run import to_json
from memnets.studies.babi.data import BabiData
from memnets.studies.babi.dmn.model import DMNModel
from memnets.studies.babi.dmn.recipes import DMNBabi, DMNTraining, dmn, dmn_generated, dmn_plus
from memnets.studies.babi.dmn.tables import TABLES, models, on_task
from memnets.tasks.episodes import EpisodeTask, EpisodeVocabulary
from memnets.training.schedules import seeded

GENERATED = BabiData(source="generated", size="1k")
PRESETS = {"ODMN": "odmn", "DMN2": "dmn2", "DMN3": "dmn3", "DMN+": "dmn_plus"}


def vocabulary(by_words=False, window=70):
    story = Story(
        (
            Statement(1, "Mary got the milk."),
            Statement(2, "Mary went to the garden."),
            Question(3, "Where is the milk?", "garden", (1, 2)),
            Question(4, "What is Mary carrying?", "milk,apple", (1,)),
        ),
        1,
        "made",
        1,
    )
    return EpisodeVocabulary.of([story], window, by_words)


def shapes(model):
    return {name: tuple(part.shape) for name, part in model.named_parameters()}


@pytest.mark.parametrize("name", PRESETS)
def test_a_configuration_builds_the_networks_of_the_paper(name):
    from memnets.models import dmn as presets

    known = vocabulary()
    words, answers = known.language.words, len(known.answers)
    needed = (words, answers, 1) if name == "ODMN" else (words, answers)
    expected = getattr(presets, PRESETS[name])(*needed)
    built = models()[name].model.build(known)
    assert shapes(built) == shapes(expected)
    assert str(built) == str(expected)


def test_the_recipe_of_dmn_builds_kumars_network():
    from memnets.models import dmn as presets

    known = vocabulary(by_words=True)
    language = known.language
    expected = presets.dmn(language.words, end=1, longest=language.said + 1, hops=5)
    paper = replace(dmn().model, align="sigmoid", question="own")
    assert dmn().model == replace(paper, align="softmax", question="story")
    built = paper.build(known)
    assert shapes(built) == shapes(expected)
    assert str(built) == str(expected)


CHANGED = {
    "reader": "bag",
    "fusion": "forward",
    "gate": "kumar",
    "align": "sparsemax",
    "read": "sum",
    "update": "add",
    "answer": "words",
    "hidden": 7,
    "spread": 0.1,
    "hops": 2,
    "ends": True,
    "dropout": 0.7,
    "window": 1,
}


def test_every_setting_of_the_model_changes_something():
    """List 21: the loss of a training batch, or what is read at all."""
    assert {*CHANGED, "question"} == {field.name for field in fields(DMNModel)}
    plain = DMNModel(hidden=8)

    def trained(model):
        run = DMNBabi(data=GENERATED, model=model)
        stories = run.data.load().train[:20]
        known = EpisodeVocabulary.of(stories, model.window, model.answer == "words")
        network = model.build(known).train()
        network.reset_parameters(seeded(3))
        torch.manual_seed(3)
        task = EpisodeTask({"train": known.number(stories)}, batch=9)
        step = task.loss(network, task.collate("train", (torch.arange(9),)), (), seeded(0))
        return float(step.loss_sum.detach())

    before = trained(plain)
    assert before == trained(plain)
    for name, value in CHANGED.items():
        assert trained(replace(plain, **{name: value})) != before, name
    words = replace(plain, reader="words", fusion="none")
    assert trained(words) != trained(replace(words, question="story"))


def test_a_question_read_by_the_gru_of_the_story_shares_its_weights():
    model = DMNModel(hidden=8, reader="words", fusion="none", question="story")
    shared = model.build(vocabulary())
    apart = replace(model, question="own").build(vocabulary())
    assert shared.question.encoder.recurrence is shared.story.encoder.recurrence
    numbers = [sum(part.numel() for part in one.parameters()) for one in (apart, shared)]
    assert numbers[0] - numbers[1] == 2 * (3 * 8 * 8 + 3 * 8)
    with pytest.raises(ValueError, match=r'model.question is "story", and model.reader "bag" has'):
        replace(model, reader="bag")


def test_every_setting_of_the_training_reaches_the_run():
    """List 21: none is read and forgotten."""
    changed = {
        "batch": 16,
        "epochs": 3,
        "patience": 2,
        "enough": 0.25,
        "learning_rate": 0.5,
        "l2": 0.7,
        "evidence": 0.3,
        "evidence_epochs": 2,
        "ordered": False,
    }
    assert changed.keys() == {field.name for field in fields(DMNTraining)}
    run = replace(dmn_generated(), training=DMNTraining(**changed))
    experiment = run.prepare().experiment
    task, (first, second) = experiment.task, experiment.phases
    assert task.batch == 16
    assert not task.ordered
    assert first.updates == 2 * task.updates_per_epoch
    assert second.updates == 3 * task.updates_per_epoch
    assert (experiment.keep.patience, experiment.keep.enough) == (2, 0.25)
    assert first.rate(0, ()) == 0.5
    first.prepare(experiment.model)
    assert tuple(task.weights) == (0.0, 0.3)
    second.prepare(experiment.model)
    assert tuple(task.weights) == (1.0, 0.3)


def test_the_penalty_leaves_biases_out():
    """List 19: its gradient is that of l2 times the squared weights, beside a mean over a batch."""
    run = dmn_generated()
    run = replace(run, training=replace(run.training, l2=0.5, batch=20))
    experiment = run.prepare().experiment
    matrices, biases = experiment.optimizer.param_groups
    assert {part.ndim for part in biases["params"]} == {1}
    assert biases["weight_decay"] == 0
    assert all(part.ndim > 1 for part in matrices["params"])
    weight = torch.tensor([3.0], requires_grad=True)
    (0.5 / 20 * weight**2).sum().backward()
    assert float(weight.grad) == pytest.approx(matrices["weight_decay"] * 3.0)
    counted = len(matrices["params"]) + len(biases["params"])
    assert counted == len(list(experiment.model.parameters()))


def test_tasks_have_what_the_papers_set_for_them():
    """List 19, 20: no penalty in tasks 6 and 19, 130 sentences in task 3."""
    runs = {task: on_task(dmn(), task, "1k") for task in range(1, 21)}
    assert {task for task, run in runs.items() if run.training.l2 == 0} == {6, 19}
    assert {task: run.model.window for task, run in runs.items() if run.model.window != 70} == {
        3: 130
    }
    assert {task for task, run in runs.items() if not run.training.ordered} == {7, 8}
    many = {task: on_task(dmn_plus(), task).training.l2 for task in range(1, 21)}
    assert {task: many.pop(task) for task in (6, 17, 18, 19)} == {6: 0, 17: 0.001, 18: 0.001, 19: 0}
    assert set(many.values()) == {0.05}
    assert on_task(dmn_plus(), 17, "1k").training.l2 == 0.05
    assert on_task(dmn_plus(), 3).data.source == "generated"
    assert on_task(dmn_plus(), 3).data.test_source == "official"


@pytest.mark.parametrize("name", TABLES)
def test_every_table_is_planned(name):
    table = TABLES[name]()
    assert len({table.place(entry) for entry in table.entries}) == len(table.entries)
    for entry in table.entries:
        assert json.dumps(to_json(entry.run))


def test_the_published_columns_have_their_means():
    ten = TABLES["dmn-plus-babi-10k"]()
    official = [cell.published for cell in ten.cells if cell.column == "DMN+"]
    assert len(official) == 19
    assert sum(official) / 19 == pytest.approx(ten.columns["DMN+"].mean, abs=0.05)
    others = [
        cell.published for cell in ten.cells if cell.column == "DMN+" and "16" not in cell.row
    ]
    assert sum(others) / 18 == pytest.approx(ten.columns["DMN+ without task 16"].mean, abs=0.01)
    one = TABLES["dmn-babi-1k"]()
    kumar = [cell.published for cell in one.cells if cell.column == "DMN, supports"]
    assert sum(kumar) / 20 == pytest.approx(one.columns["DMN, supports"].mean, abs=0.05)


SMALL = {
    "model.hidden": 8,
    "training.batch": 50,
    "training.epochs": 2,
    "training.learning_rate": 0.01,
}


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "dmn"
    return memnets.train("dmn-plus/babi-generated", SMALL, out=folder, show=False)


def test_a_file_of_stories_is_answered_as_a_split_is(run, tmp_path):
    write_stories(tmp_path / "qa1_all.txt", run.stories.test)
    judged = check_judged(run, tmp_path / "qa1_all.txt", run.metrics["test"]).judged
    check_like_asked(judged[:7], islice(run.examples("test", 1), 7))


def test_a_run_answers_and_shows_what_each_hop_read(run):
    told = ["Mary went to the kitchen.", "John moved to the garden."]
    answer = run.ask(told, "Where is Mary?")
    assert answer.text in run.vocabulary.answers
    assert [step.name for step in answer.steps] == ["hop 1", "hop 2", "hop 3"]
    for step in answer.steps:
        assert [support.text for support in step.supports] == told
        assert sum(support.weight for support in step.supports) == pytest.approx(1, abs=1e-5)
    assert len(answer.runners_up) == 3


def test_only_the_window_is_read_and_the_rest_is_told(run):
    told = [f"Mary went to the {place}." for place in ("kitchen", "garden") * 40]
    answer = run.ask(told, "Where is Mary?")
    assert answer.unread == 10
    assert answer.steps[0].supports[0].slot == 10


def test_bad_questions_are_refused(run):
    with pytest.raises(ValueError, match="before any sentence was told"):
        run.ask([], "Where is Mary?")
    with pytest.raises(ValueError, match="no word that this model knows"):
        run.ask(["Mary went to the kitchen."], "Xyzzy?")


def test_the_same_seed_gives_the_same_numbers(run, tmp_path):
    """List 22: the weights, bit for bit."""
    again = memnets.train("dmn-plus/babi-generated", SMALL, out=tmp_path / "again", show=False)
    one, other = (trained.model.state_dict() for trained in (run, again))
    assert all(torch.equal(one[name], other[name]) for name in one)


def test_test_questions_are_not_looked_at_in_training():
    """List 18: what is evaluated for the log is the validation split alone."""
    task = dmn_generated().prepare().experiment.task
    assert task.splits == ("valid",)
    assert "test" in task.final_splits


def test_supports_are_needed_where_they_are_taught():
    from memnets.studies.babi.dmn.recipes import expect_supports

    without = Story((Statement(1, "A b."), Question(2, "Where?", "b", ())), 1, "made.txt", 7)
    with pytest.raises(ValueError, match=r"made\.txt:7: .*training\.evidence 0"):
        expect_supports([without])


def test_settings_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match=r"--model\.fusion none"):
        DMNModel(reader="words")
    with pytest.raises(ValueError, match=r"--training\.evidence 1"):
        DMNTraining(evidence_epochs=3)
    with pytest.raises(ValueError, match=r"model\.spread is 0\.0: expected a number above 0"):
        DMNModel(spread=0.0)


@pytest.mark.slow
@pytest.mark.data
@pytest.mark.parametrize(("task", "epochs", "least"), [(1, 2, 0.99), (2, 6, 0.75)])
def test_tasks_are_learnt_in_few_epochs(task, epochs, least, tmp_path, babi_root):
    """List 23: DMN+ on 10,000 official questions."""
    chosen = {"data.tasks": [task], "data.size": "10k", "training.epochs": epochs}
    run = memnets.train("dmn-plus/babi", chosen, out=tmp_path / "run", show=False)
    assert run.folder.read_json("result.json")["metrics"]["test"]["accuracy"] >= least
