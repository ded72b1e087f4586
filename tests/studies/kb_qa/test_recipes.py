"""The recipe of a KB of one's own, and its table."""

from dataclasses import replace
from itertools import islice

import pytest

from memnets.data.facts import Triple
from memnets.experiments.execute import start
from memnets.experiments.jobs import DIVERGED, Job
from memnets.experiments.run import to_json
from memnets.experiments.seeds import Entry, SeedsTable
from memnets.files import write_json
from memnets.inference import open_run
from memnets.kb.questions.phrase_files import write_phrases
from memnets.kb.questions.phrases import ways_of_asking
from memnets.kb.questions.questions import Facts
from memnets.kb.store.store import build
from memnets.studies import recipe, tables
from memnets.studies.kb_qa.data import KBData
from memnets.studies.kb_qa.recipes import KBQA, KBAnswerer, KBQATraining, films
from memnets.studies.kb_qa.tables import own_kb
from memnets.training.record import describe
from memnets.training.runs import RunFolder

SMALL = KBQA(
    data=KBData(rows=101), training=KBQATraining(questions=211, tested=101, epochs=1, batch=67)
)


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A small run on invented films."""
    folder = tmp_path_factory.mktemp("runs") / "one"
    return folder, start(SMALL, folder)


def test_a_run_is_measured_and_opened_again(trained):
    folder, result = trained
    test = result["metrics"]["test"]
    assert 0 <= test["accuracy"] <= 1
    assert {"refused", "declined", "threshold", "declined/missing fact"} <= test.keys()
    assert open_run(folder).run == SMALL
    answerer = SMALL.restore(folder)
    assert isinstance(answerer, KBAnswerer)
    assert answerer.least == result["metrics"]["valid"]["threshold"]
    assert not answerer.changed
    assert answerer.never_learnt == []
    examples = {split: list(answerer.examples(split, 1)) for split in ("valid", "test")}
    example = examples["test"][0]
    assert all(one.gold for one in examples["test"])
    assert len(examples["test"]) < SMALL.training.tested + SMALL.training.tested_unanswerable
    assert {one.question for one in examples["valid"]} != {one.question for one in examples["test"]}
    assert answerer.ask(example.question).text == example.text


def test_a_file_of_questions_is_judged(trained, tmp_path):
    answerer, path = SMALL.restore(trained[0]), tmp_path / "mine.tsv"
    asked = [one.question for one in islice(answerer.examples("test", 1), 9)]
    answered = [answerer.ask(one) for one in asked]
    given = next(one for one in answered if not one.declined)
    # What it says is right but for one answer, which is another; and to one there is none.
    rows = [
        f"{question}\t{' | '.join(answer.objects or ('Somebody',))}"
        for question, answer in zip(asked, answered, strict=True)
    ]
    rows += [f"{given.answer.question}\tSomebody", "who is xyz?\t"]
    path.write_text("\n".join(("question\tanswers", *rows)))
    metrics, judged = answerer.judge(path)
    assert [one.given for one in judged[:9]] == [one.objects for one in answered]
    declined = sum(one.declined for one in answered)
    shares = {"accuracy": (9 - declined) / 10, "refused": declined / 10, "declined": 1.0}
    assert metrics == pytest.approx(shares)
    path.write_text("\n".join(("question\tanswers", rows[0], "who is xyz?")))
    with pytest.raises(ValueError, match=r"mine\.tsv:3: came 'who is xyz\?'; expected question"):
        answerer.judge(path)


def test_a_story_is_refused(trained):
    with pytest.raises(ValueError, match=r"'Mary moved.' was told, but a KB holds its facts"):
        SMALL.restore(trained[0]).answer(["Mary moved.", "John came."], "who directed it")


def test_without_a_result_it_is_not_known_when_to_decline(trained, tmp_path):
    folder = tmp_path / "unfinished"
    folder.mkdir()
    for name in ("run.json", "vocabulary.json", "model.safetensors"):
        (folder / name).write_bytes((trained[0] / name).read_bytes())
    with pytest.raises(ValueError, match=r"unfinished: the training has not ended"):
        _ = SMALL.restore(folder).least


def test_a_fact_that_was_added_is_read(trained, tmp_path):
    folder, _ = trained
    triples = [
        *SMALL.data.read(0).triples,
        Triple("Alien", "directed_by", "Ada"),
        ("Alien", "won", "A"),
    ]
    build(triples, tmp_path / "my.kb", names=[("Alien", "The Eighth Passenger")])
    answerer = KBAnswerer(SMALL, folder, tmp_path / "my.kb")
    (mention,) = answerer.understand("who directed the eighth passenger").mentions
    assert (mention.entities, mention.how) == (("Alien",), "alias")
    assert answerer.changed
    assert answerer.never_learnt == ["won"]
    said = answerer.understand("who directed Alien")
    assert "Alien | directed_by | Ada" in {s.text for s in said.answer.steps[0].supports}


def test_a_kb_that_is_opened_answers_as_one_that_is_read(trained, tmp_path):
    folder, _ = trained
    triples = SMALL.data.read(0).triples
    build(triples, tmp_path / "my.kb")
    opened = KBAnswerer(SMALL, folder, tmp_path / "my.kb")
    read = SMALL.restore(folder)
    film = next(triple.subject for triple in triples if triple.relation == "directed_by")
    for question in (f"who directed {film}", f"who drected {film[:-1]}", f"{film} was born when"):
        answer = opened.understand(question)
        assert answer.mentions
        other = read.understand(question)  # which has no programs to be weighed beside
        assert answer.mentions == other.mentions
        assert {*answer.corrected} <= {*other.corrected}


def test_a_kb_of_one_fact(tmp_path):
    build([("Rome", "mayor", "Ada")], tmp_path / "one.kb")
    run = replace(SMALL, data=KBData(path=tmp_path / "one.kb"))
    start(run, tmp_path / "run")
    said = KBAnswerer(run, tmp_path / "run").understand("who is the mayor of Rome?")
    assert {s.text for s in said.answer.steps[0].supports} >= {"Rome | mayor | Ada"}


def test_all_ways_of_asking_are_learnt_where_none_is_held_out(tmp_path):
    build([("Rome", "mayor", "Ada"), ("Bari", "mayor", "Ben")], tmp_path / "my.kb")
    questions = KBQATraining(questions=2003, tested=11, epochs=1)
    runs = [
        KBQA(data=KBData(path=tmp_path / "my.kb", held_out=held_out), training=questions)
        for held_out in (True, False)
    ]
    facts = Facts(runs[0].data.read(0).triples)
    some, every = (run.data.ways(facts, seed=0) for run in runs)
    held_out = {phrase for of in some.values() for phrase in (*of.tune, *of.test)}
    learnt = [
        {one.phrase for one in run.questions(facts, ways, "train") if one.kind == "known"}
        for run, ways in zip(runs, (some, every), strict=True)
    ]
    assert held_out
    assert not held_out & learnt[0]
    assert held_out <= learnt[1]
    assert runs[1].prepare().experiment.task.final_splits == ("train", "valid")
    with pytest.raises(ValueError, match="has learnt all ways of asking"):
        runs[1].questions(facts, every, "test")


def test_edited_phrases_are_asked_and_others_are_made(tmp_path):
    facts = Facts([Triple("Rome", "mayor", "Ada"), Triple("Rome", "motto", "SPQR")])
    ways = ways_of_asking(facts.relations)
    path = tmp_path / "my.toml"
    write_phrases(path, {"mayor": ways["mayor"]._replace(learn=("who rules {it}",))})
    found = KBData(phrases=path).ways(facts, seed=0)
    assert found["mayor"].learn == ("who rules {it}",)
    assert found["motto"] == ways["motto"]


@pytest.mark.parametrize("name", ["unanswerable", "tested_unanswerable", "word_dropout"])
def test_a_share_is_below_one(name):
    with pytest.raises(ValueError, match=rf"training.{name} is 1.0: expected a share from 0"):
        KBQATraining(**{name: 1.0})


def test_the_smallest_sizes_are_taken():
    least = KBQATraining(questions=1, tested=1, epochs=1, batch=1, weight_decay=0.0)
    assert (least.epochs, least.weight_decay) == (1, 0)
    assert KBData(rows=1).rows == 1


def test_sizes_are_positive():
    with pytest.raises(ValueError, match=r"data.rows is 0: expected at least 1"):
        KBData(rows=0)
    with pytest.raises(ValueError, match=r"training.batch is 0: expected at least 1"):
        KBQATraining(batch=0)
    with pytest.raises(ValueError, match=r"model.hops is 0: expected at least 1"):
        replace(films().model, hops=0)


def test_recipes_and_the_table_are_found():
    assert recipe("kb_qa/towns")().data.world == "towns"
    assert tables()["own-kb"]() == own_kb()


def small_table() -> SeedsTable:
    return replace(own_kb(), entries=(Entry(row="films", run=SMALL),), seeds=2)


def test_the_table_is_made_of_what_was_run(tmp_path):
    table = small_table()
    (jobs,) = table.stages("own-kb", tmp_path, None, "")
    assert [(job.seed, job.name) for job in jobs] == [(0, "films"), (1, "films")]
    assert table.collect("own-kb", tmp_path, None).rows[0].status == "not run"
    first: Job = jobs[0]
    result = start(first.run, first.folder)
    rows = {row.metric: row for row in table.collect("own-kb", tmp_path, None).rows}
    declined = rows["unanswerable, and declined"]
    assert declined.status == "partial"
    assert declined.values == (100 * result["metrics"]["test"]["declined"],)
    assert declined.target == 90
    assert rows["answerable, but declined"].target == 5
    assert "declined: foreign" in rows


def test_a_row_says_which_of_its_runs_diverged(tmp_path):
    ((first, second),) = small_table().stages("own-kb", tmp_path, None, "")
    start(first.run, first.folder)
    RunFolder.create(second.folder, describe("own_kb", to_json(second.run), second.run.loop))
    write_json(second.folder / DIVERGED, {"message": "the loss is not a finite number"})
    row = small_table().collect("own-kb", tmp_path, None).rows[0]
    assert (row.status, row.seeds) == ("done", (0,))
    assert row.note == "diverged and not counted: seeds 1"


def test_a_table_refuses_runs_of_another_configuration(tmp_path):
    ((job, _),) = small_table().stages("own-kb", tmp_path, None, "films")
    other = replace(job.run, training=replace(job.run.training, epochs=2))
    start(other, job.folder)
    with pytest.raises(ValueError, match=r"0: it was run with another configuration than 'films'"):
        small_table().collect("own-kb", tmp_path, None)


def test_only_must_match(tmp_path):
    with pytest.raises(ValueError, match=r"--only 'birds' matches no row of own-kb. Its rows are"):
        next(small_table().stages("own-kb", tmp_path, None, "birds"))
