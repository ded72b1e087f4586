"""Simple QA as a recipe: its world, its run, its tables."""

import random
from dataclasses import replace

import pytest
import torch

from judging import check_judged, check_like_asked
from memnets.data.facts import Fact
from memnets.data.qa import simplequestions, webquestions
from memnets.data.qa.simplequestions import SimpleQuestion
from memnets.experiments import execute
from memnets.inference import open_run
from memnets.studies import tables
from memnets.studies.simple_qa import inference, mini_table
from memnets.studies.simple_qa import recipes as simple_qa
from memnets.studies.simple_qa import transfer as simple_qa_transfer
from memnets.studies.simple_qa.mini_table import bootstrap
from memnets.studies.simple_qa.recipes import MiniData, SimpleQAModel, SimpleQATraining, mini
from memnets.studies.simple_qa.task import by_majority, reach

BORN, GENRE = "people.person.place_of_birth", "music.artist.genre"
PEOPLE = [f"singer{letter}" for letter in "abcdefghijklm"]
TOWNS, STYLES = ["Alba", "Brno", "Caen"], ["Polka", "Tango"]


def question(number, relation):
    people, towns, styles = PEOPLE[number], TOWNS[number % 3], STYLES[number % 2]
    return (
        SimpleQuestion(f"m.{people}", BORN, f"m.{towns}", f"where was {people} born")
        if relation == BORN
        else SimpleQuestion(
            f"m.{people}", GENRE, f"m.{styles}", f"what kind of music does {people} play"
        )
    )


@pytest.fixture(autouse=True)
def tiny(monkeypatch):
    """A set of 13 people, each with a town and a style."""
    every = [question(number, kind) for number in range(13) for kind in (BORN, GENRE)]
    world = simplequestions.Mini(
        tuple(Fact(one.subject, one.relation, (one.object,)) for one in every),
        {f"m.{name}": name for name in (*PEOPLE, *TOWNS, *STYLES)},
        tuple(every[:18]),
        tuple(every[18:]),
    )
    asked = (
        webquestions.WebQuestion("0", "where was singera born?", ("alba",), "singera"),
        webquestions.WebQuestion("1", "who is this?", ("somebody",), "nobody"),
    )
    monkeypatch.setattr(simplequestions, "load_mini", lambda path: world)
    monkeypatch.setattr(webquestions, "load_questions", lambda split, path: asked)
    caches = simple_qa._load, simple_qa._numbered, simple_qa_transfer._asking
    for cached in caches:
        cached.cache_clear()
    yield
    for cached in caches:
        cached.cache_clear()


def small():
    run = mini()
    training = replace(run.training, updates=60, batch=17, own=3, strangers=5, evaluations=1)
    return replace(
        run, data=MiniData(distractors=1, tuning=3), model=SimpleQAModel(13), training=training
    )


@pytest.fixture
def ran(tmp_path, monkeypatch):
    """All runs of the first row, two of them."""
    monkeypatch.setattr(mini_table, "mini", small)
    monkeypatch.setattr(mini_table, "MEMBERS", 2)
    for job in next(tables()["simple-qa-mini"]().stages("x", tmp_path, None, "all")):
        execute.start(job.run, job.folder)
    return tmp_path


def test_the_world_has_true_facts_first_and_splits_apart():
    world = small().data.load()
    assert world.facts[0] == Fact("m.singera", BORN, ("m.Alba",))
    assert len(world.facts) > 26
    assert [len(world.splits[split]) for split in ("train", "valid", "test")] == [15, 3, 8]
    assert list(world.splits) == ["test", "valid", "train"]
    assert world.sha256 != replace(small().data, seed=1).load().sha256


def test_no_fact_is_asked_for_in_two_splits(monkeypatch):
    world = simplequestions.load_mini(None)
    again = replace(world.valid[0], text="the same fact in other words")
    early = replace(world.train[-1], text="asked before")
    leaking = replace(world, train=(again, early, *world.train))
    monkeypatch.setattr(simplequestions, "load_mini", lambda path: leaking)
    splits = small().data.load().splits
    facts = [{(q.subject, q.relation) for q in questions} for questions in splits.values()]
    assert len(set.union(*facts)) == sum(map(len, facts))
    assert [len(splits[split]) for split in ("train", "valid", "test")] == [15, 3, 8]


def test_what_cannot_be_set_aside_is_refused():
    with pytest.raises(ValueError, match=r"data.tuning=18: expected fewer than the 18 training"):
        MiniData(tuning=18).load()
    with pytest.raises(ValueError, match=r"dim"):
        SimpleQAModel(dim=0)
    with pytest.raises(ValueError, match=r"updates"):
        SimpleQATraining(updates=0)


def test_questions_of_the_web_are_learnt_where_they_can_be_answered():
    run = small()
    more = replace(run, training=replace(run.training, webquestions=True))
    counts = [one.numbered().questions["train"].number for one in (run, more)]
    assert counts == [15, 16]


def test_tables_are_found_and_filled(ran, tmp_path):
    found = tables()["simple-qa-mini"]().collect("simple-qa-mini", ran, None)
    rows = {row.row: row for row in found.rows}
    assert rows["all"].seeds == (0, 1)
    assert rows["all: of what candidates allow"].target == 90
    recall = rows["candidate recall"].measured
    ratio = rows["all"].values[0] / recall
    assert rows["all: of what candidates allow"].values[0] == pytest.approx(100 * ratio, abs=1e-3)
    assert "95 % interval" in rows["ensemble of 2 minus its members"].note
    assert rows["random guess"].measured < recall
    counted = rows["naive Bayes over words and pairs of words"]
    assert rows["random guess"].measured < counted.measured <= recall
    assert rows["no candidates as negatives"].status == "not run"
    assert found.data.sha256 == small().data.load().sha256
    _, memory, questions = small().numbered()
    test, asked = questions["test"], [one.relation for one in small().data.load().splits["train"]]
    reached = {name: 100 * hit.double().mean() for name, hit in reach(test).items()}
    assert rows["candidates"].measured == pytest.approx(float(reached["candidates"]) / 100)
    assert recall == pytest.approx(float(reached["recall"]))
    assert rows["random guess"].measured == pytest.approx(float(reached["guess"]))
    majority = 100 * by_majority(memory, test, asked).double().mean()
    assert rows["majority relation"].measured == pytest.approx(float(majority))
    together = rows["ensemble of 2"]
    of_recall = rows["ensemble of 2: of what candidates allow"]
    assert of_recall.measured == pytest.approx(100 * together.measured / recall)
    assert (together.target, of_recall.target) == (None, 90.0)
    gain = together.measured - rows["all"].measured
    assert rows["ensemble of 2 minus its members"].measured == pytest.approx(gain, abs=1e-3)
    assert rows["all: of what candidates allow"].note.startswith(
        f"{float(reached['candidates']) / 100:.1f} candidates a question"
    )
    moved = tables()["simple-qa-transfer"]().collect("simple-qa-transfer", ran, None)
    named = {row.row: row for row in moved.rows}
    gain = named["linked: trained minus drawn"]
    trained, drawn = (
        named[f"linked: {what}"] for what in ("trained on Freebase", "vectors as drawn")
    )
    assert gain.measured == pytest.approx(trained.measured - drawn.measured, abs=1e-3)
    assert named["unlinked: trained on Freebase"].note == "0.0% of the strings linked"
    assert named["WebQuestions: topic at hand"].measured == 50
    assert named["WebQuestions: answer at hand"].measured == 50
    of_them = named["WebQuestions: answer at hand, F1"]
    assert of_them.note == "ensemble of 2; 1 questions"
    assert named["WebQuestions: all"].measured == of_them.measured / 2
    assert named["WebQuestions: all"].note == "ensemble of 2"
    asking = simple_qa_transfer._asking(small(), 1.0)
    candidates = asking.questions.candidates.tolist()
    hit = [len(right & set(row)) for row, right in zip(candidates, asking.right, strict=True)]
    sizes = [sum(fact >= 0 for fact in row) for row in candidates]
    right = 100 * sum(map(bool, hit)) / len(hit)
    assert named["candidate recall"].measured == pytest.approx(right)
    assert named["candidate recall"].note == f"{sum(sizes) / len(sizes):.1f} facts a question"
    guess = sum(one / max(1, size) for one, size in zip(hit, sizes, strict=True)) / len(hit)
    assert named["random guess"].measured == pytest.approx(100 * guess)


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_as_many_strings_are_linked_as_names_are_known(share):
    run, world = small(), simplequestions.load_mini(None)
    asking = simple_qa_transfer._asking(run, share)
    draw = random.Random(run.data.seed)
    known = {name for entity, name in world.names.items() if draw.random() < share}
    for text, link in asking.strings.links.items():
        assert link == (f"m.{text}" if text in known else None)
    assert len(asking.strings.links) > 0
    linked = asking.strings.share_linked
    assert (linked > 0, linked < 1) == (share > 0, share < 1)
    assert len(asking.right) == len(asking.questions.candidates) == 8
    for asked, right in zip(world.valid, asking.right, strict=True):
        said = [asking.strings.extractions[number] for number in right]
        assert [(f"m.{one.subject}", f"m.{one.object}") for one in said] == [
            (asked.subject, asked.object)
        ]


def test_a_trained_run_answers(ran):
    folder = ran / "simple-qa" / "all" / "0"
    answerer = open_run(folder).run.restore(folder)
    answers = list(answerer.examples("train", 1))
    assert len(answers) == 15
    assert sum(answer.correct for answer in answers) > 7
    told = ["Someone\tborn\tRome"]
    assert answerer.ask("where was someone born?", told).text == "Rome"


def test_a_file_of_questions_is_answered_as_a_split_is(ran, tmp_path, monkeypatch):
    folder, path = ran / "simple-qa" / "all" / "0", tmp_path / "mine.txt"
    answerer = open_run(folder).run.restore(folder)
    lines = [
        f"{one.subject}\t{one.relation}\t{one.object}\t{one.text}"
        for one in answerer.world.splits["train"]
    ]
    path.write_text("\n".join(lines))
    measured = answerer.evaluate("train")
    found = check_judged(answerer, path, measured)
    assert found.metrics.keys() == measured.keys()
    check_like_asked(found.judged, answerer.examples("train", 1))
    unknown = f"m.nobody\t{BORN}\tm.Alba\twho is nobody"
    path.write_text("\n".join((unknown, *lines)))
    whole = answerer.judge(path)
    assert whole.metrics["recall"] == pytest.approx(15 / 16)
    monkeypatch.setattr(inference, "AT_ONCE", 4)  # some at a time
    assert answerer.judge(path).metrics == pytest.approx(whole.metrics)
    assert [one.given for one in answerer.judge(path).judged] == [one.given for one in whole.judged]
    path.write_text("\n".join((lines[0], unknown)))
    one, other = answerer.judge(path).judged
    assert (one.asked.answers, other.asked.answers) == (("Alba",), ("Alba",))
    assert (other.verdict, other.given, other.probability) == ("declined", (), 0.0)
    path.write_text("\n".join((*lines[:2], "who is nobody?\tAlba")))
    said = r"mine\.txt:3: came 'who is.*expected subject<TAB>relation<TAB>object<TAB>question"
    with pytest.raises(ValueError, match=said):
        answerer.judge(path)


def test_every_setting_reaches_the_run():
    training = SimpleQATraining(
        **{"updates": 9, "batch": 5, "learning_rate": 0.3, "margin": 0.25, "made": 0.2},
        **{"own": 2, "strangers": 3, "evaluations": 3},
    )
    prepared = replace(small(), training=training).prepare()
    experiment = prepared.experiment
    assert experiment.task.mixture._asdict() == {
        **{"batch": 5, "made": 0.2, "own": 2, "strangers": 3, "margin": 0.25}
    }
    (phase,) = experiment.phases
    assert (phase.updates, phase.evaluate_every) == (9, 3)
    rates = [phase.learning_rate(update) for update in (0, 3, 6)]
    assert rates == pytest.approx([0.3, 0.2, 0.1])
    assert experiment.reduction == "mean"
    assert experiment.task.questions["valid"].number == 3
    assert experiment.model.weight.shape[1] == 13
    assert prepared.data.name == "SimpleQuestions mini with 1 drawn facts an entity"
    (rows,) = next(experiment.task.batches("train", torch.Generator(), 0))
    assert int((rows < 0).sum()) == 1


def test_runs_of_another_configuration_are_refused(ran, monkeypatch):
    monkeypatch.setattr(mini_table, "mini", lambda: replace(small(), model=SimpleQAModel(17)))
    with pytest.raises(ValueError, match=r"all/0: it was run with another configuration than 'al"):
        tables()["simple-qa-mini"]().collect("simple-qa-mini", ran, None)


def test_rows_are_chosen_by_name(tmp_path):
    table = tables()["simple-qa-mini"]()
    (stage,) = table.stages("simple-qa-mini", tmp_path, None, "made of facts")
    assert {job.name for job in stage} == {"no questions made of facts"}
    with pytest.raises(ValueError, match=r"--only 'zzz' matches no row of simple-qa-mini"):
        list(table.stages("simple-qa-mini", tmp_path, None, "zzz"))
    assert tables()["simple-qa-transfer"]().collect("simple-qa-transfer", tmp_path, None).rows == ()


def test_an_interval_by_samples_of_the_questions():
    low, high = bootstrap([0.0, 1.0] * 50)
    assert 0.35 < low < 0.45 < 0.55 < high < 0.65
    assert bootstrap([0.5] * 7) == (0.5, 0.5)


def test_the_interval_of_a_mean_leaves_a_fortieth_out_at_each_end():
    # By the normal law: 0.5 - 1.96 * 0.05 to 0.5 + 1.96 * 0.05.
    assert bootstrap([0.0] * 50 + [1.0] * 50) == pytest.approx((0.402, 0.598), abs=0.011)
