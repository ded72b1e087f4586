"""A file of questions, answered by a trained run: as a split of its own data would be."""

import shutil
from types import SimpleNamespace

import pytest

import memnets
from judging import check_judged, check_like_asked
from memnets.data.babi import write_stories
from memnets.experiments.answerer import Answerer
from memnets.inference import judge, load_run, load_to_ask, runs
from memnets.studies.babi.memn2n.task import BabiTask
from memnets.tasks.asking import Asked


@pytest.fixture
def stories(run):
    return load_run(run).stories.test[:23]


@pytest.fixture
def path(stories, tmp_path):
    write_stories(tmp_path / "qa1_mine.txt", stories)
    return tmp_path / "qa1_mine.txt"


def test_a_file_is_measured_as_a_split_is(run, tmp_path):
    answerer = load_run(run)
    write_stories(tmp_path / "qa1_all.txt", answerer.stories.test)
    measured = memnets.evaluate(run)
    found = check_judged(answerer, tmp_path / "qa1_all.txt", measured)
    assert found.metrics.keys() == measured.keys()
    assert memnets.evaluate(run, questions=tmp_path / "qa1_all.txt") == found.metrics
    assert {one.asked.kind for one in found.judged} == {"task 1"}


def test_answers_are_those_to_questions_asked_alone(run, stories, path):
    answerer = load_run(run)
    asked = [Asked.of(story, question) for story in stories for question in story.questions]
    check_like_asked(judge(run, path).judged, map(answerer.answer_asked, asked))


def test_a_thousand_questions_are_answered_many_at_once(run, tmp_path, monkeypatch):
    answerer, batches = load_run(run), []
    write_stories(tmp_path / "all.txt", answerer.stories.test)
    collate = BabiTask.collate
    monkeypatch.setattr(
        BabiTask, "collate", lambda *given: batches.append(given) or collate(*given)
    )
    found = answerer.judge(tmp_path / "all.txt")
    assert len(found.judged) == 1000
    assert len(batches) == 4  # two to measure, two for the answers
    assert "accuracy/0" in found.metrics  # no task is named


def test_the_data_of_the_training_are_not_needed(run, path, monkeypatch):
    monkeypatch.setattr("memnets.studies.babi.data.BabiData.load", lambda _: 1 / 0)
    assert judge(run, path).judged


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1 Mary went home.\n2 Where is Mary?\n", r"mine\.txt:2: the question has no answer\. Ex"),
        ("1 Mary went home.\n", r"mine\.txt: nothing is asked here; expected lines with a ques"),
        (
            f"1 Mary came.\n2 Where is she?\thome\t1\n1 She {'so ' * 50}came.\n2 Who?\tMary\t1\n",
            r"mine\.txt:3: in this story, .* has 52 words\. This model was trained on sentences",
        ),
    ],
)
def test_what_cannot_be_read_is_said_with_its_line(run, tmp_path, text, said):
    (tmp_path / "mine.txt").write_text(text)
    with pytest.raises(ValueError, match=said) as raised:
        judge(run, tmp_path / "mine.txt")
    assert str(tmp_path) in str(raised.value)
    with pytest.raises(FileNotFoundError, match=r"lost\.txt: this does not exist"):
        judge(run, tmp_path / "lost.txt")


def test_a_file_stands_in_the_place_of_a_split(run, path):
    with pytest.raises(ValueError, match=r"split=valid and questions=.*: expected one of them\."):
        memnets.evaluate(run, "valid", questions=path)


def test_data_that_would_not_be_read_are_refused(run, path, monkeypatch):
    monkeypatch.setattr(runs, "_with_data", lambda run, data: run)  # its stories are generated
    for ask in (lambda: judge(run, path, data="there"), lambda: load_to_ask(run, "there")):
        with pytest.raises(ValueError, match=r"--data there: memn2n/babi-generated answers with"):
            ask()
    assert memnets.load(run, data="there").ask(["Mary went home."], "Where is Mary?")


def test_a_knowledge_base_holds_its_facts(kb):
    with pytest.raises(ValueError, match=r"data=there: .*films\.kb is a knowledge base, which hol"):
        memnets.load(kb.path, data="there")


def test_a_kb_is_asked_by_its_run_where_it_lies_now(kb, tmp_path):
    moved = shutil.copytree(kb.path, tmp_path / "moved.kb")
    answer = load_to_ask(kb.trained, moved).ask("who directed Alien?")
    assert answer.objects == kb.ask("who directed Alien?").objects == ("Ada",)
    other = memnets.build_kb([("Alien", "directed_by", "Bo")], tmp_path / "other.kb")
    with pytest.raises(ValueError, match=r"this run was begun with films\.kb"):
        load_to_ask(kb.trained, other.path)


def test_a_run_that_answers_no_file_says_so(tmp_path):
    one = SimpleNamespace(name="ptb", folder=SimpleNamespace(path="runs/ptb"))
    with pytest.raises(ValueError, match=r"q\.txt: ptb answers no file of questions\. .* --split"):
        Answerer.judge(one, "q.txt")
