"""WikiQA as runs and as a table, on a small set of the published form."""

import json

import pytest

from judging import check_like_asked
from memnets.cli.main import main
from memnets.data.qa.wikiqa import HEADER
from memnets.inference import load_run, open_run
from memnets.studies import table
from memnets.studies.wikiqa.recipes import WikiQATraining, digest, kv_memnn, memnn

QUESTIONS = {
    "where is {0}": ["{0} is a town.|0", "the town {0} is in norway.|1", "it rains there.|0"],
    "who founded {0}": ["{0} is old.|0", "king haakon founded {0} once.|1"],
    "when was {0} built": ["nobody knows.|0", "it was small.|0"],
    "what is {0}": ["{0} is a town.|1"],
}
NAMES = {"train": ("oslo", "bergen", "moss"), "dev": ("hamar", "molde"), "test": ("voss", "narvik")}
SMALL = ["--model.dim", "5", "--training.epochs", "2", "--training.batch", "2"]


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """A folder with the second form of the set; it is not the published one, which is said."""
    folder = tmp_path_factory.mktemp("data") / "wikiqa"
    folder.mkdir()
    for split, names in NAMES.items():
        lines = [
            f"{question}\t{sentence}\t{label}\n".format(name)
            for name in names
            for question, candidates in QUESTIONS.items()
            for sentence, label in (one.split("|") for one in candidates)
        ]
        (folder / f"WikiQASent-{split}.txt").write_text("".join(lines))
    return folder


pytestmark = [
    pytest.mark.filterwarnings("ignore:.*this is not the published file"),
    pytest.mark.filterwarnings("ignore:.*records, where .* were published"),
]


@pytest.fixture(scope="module")
def run(data, tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "one"
    with pytest.warns(UserWarning, match="WikiQASent"):
        assert (
            main(
                ["train", "wikiqa/kv-memnn", "--data.path", f"{data}", *SMALL, "--out", f"{folder}"]
            )
            == 0
        )
    return folder


def test_a_run_is_trained_and_asked(run):
    result = json.loads((run / "result.json").read_text())
    assert {"map", "mrr", "map_mixed", "mrr_mixed", "loss"} <= result["metrics"]["test"].keys()
    answerer = open_run(run).run.restore(run)
    answer = answerer.ask(["It rains.", "The town Oslo is in Norway."], "where is oslo")
    assert answer.text in ("It rains.", "The town Oslo is in Norway.")
    assert [len(step.supports) for step in answer.steps] == [2, 2]
    assert answer.gold is None  # nobody said which is right
    with pytest.raises(ValueError, match=r'"where\?" came before any sentence was told\. Tell the'):
        answerer.ask([], "where?")


def test_examples_are_the_questions_that_have_an_answer(run):
    answers = list(open_run(run).run.restore(run).examples("test", 1))
    assert [answer.question for answer in answers] == [
        f"{asked} {name}"
        for name in ("voss", "narvik")
        for asked in ("where is", "who founded", "what is")
    ]
    assert all(answer.gold is not None for answer in answers)


@pytest.mark.parametrize("header", [False, True])
def test_a_file_of_either_form_is_ranked_as_a_split_is(run, data, tmp_path, header):
    path = data / "WikiQASent-test.txt"
    if header:
        rows = (line.split("\t") for line in path.read_text().splitlines())
        lines = (f"Q{asked}\t{asked}\tD\tT\tS\t{told}\t{label}\n" for asked, told, label in rows)
        path = tmp_path / "mine.txt"
        path.write_text(f"{HEADER}\n{''.join(lines)}")
    answerer = load_run(run)
    found = answerer.judge(path)
    assert found.metrics == pytest.approx(answerer.metrics["test"])
    assert len(found.judged) == 6  # of eight: two of them have no right sentence
    check_like_asked(found.judged, answerer.examples("test", 1))
    right = [one.asked.answers == ("voss is a town.",) for one in found.judged]
    assert right == [False, False, True, False, False, False]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("where is it\there.\t1\nwhere\there.\tno\n", r"mine\.txt:2: came 'where.*with 0 or 1"),
        ("where is it\there.\t0\n", r"mine\.txt: nothing is asked here; expected question<TAB>se"),
        (f"{HEADER}\nwhere\there\t1\n", r"mine\.txt:2: came 'where.*expected QuestionID<TAB>Que"),
        ("", r"mine\.txt: nothing is asked here"),
    ],
)
def test_a_row_that_cannot_be_read_is_named(run, tmp_path, text, said):
    (tmp_path / "mine.txt").write_text(text)
    with pytest.raises(ValueError, match=said):
        load_run(run).judge(tmp_path / "mine.txt")


def test_the_table_is_filled_and_goes_on(data, tmp_path, monkeypatch, capsys):
    place = "wikiqa", tmp_path / "runs", data
    planned = table("wikiqa")
    (jobs,) = planned.stages(*place, "")
    assert len(jobs) == 4 * 3
    assert len({job.folder for job in jobs}) == len(jobs)
    (only,) = planned.stages(*place, "^MemNN$")
    assert {job.name for job in only} == {"MemNN"}
    with pytest.raises(
        ValueError, match=r"--only 'task 4' matches no row of wikiqa\. Its rows are 'Me"
    ):
        next(planned.stages(*place, "task 4"))
    empty = planned.collect(*place)
    assert {row.status for row in empty.rows if row.row.startswith(("MemNN", "KV"))} == {"not run"}
    for job in (only[0], only[1]):
        options = ["--data.path", f"{data}", "--loop.seed", f"{job.seed}", "--out", f"{job.folder}"]
        assert main(["train", "wikiqa/memnn", *options]) == 0
    rows = {(row.row, row.metric): row for row in planned.collect(*place).rows}
    filled = rows["MemNN", "MAP"]
    assert (filled.status, filled.seeds, filled.published) == ("partial", (0, 1), 0.517)
    assert rows["MemNN, of the questions with right and wrong candidates", "MAP"].published is None
    assert rows["word count", "MRR"].published == 0.4924
    assert len(rows["word count", "MAP"].values) == 20
    first, drawn, last = (
        rows[f"no words{order}", "MAP"].measured
        for order in (", the earlier of equal ones first", "", ", the later of equal ones first")
    )
    # Right are the second of three, the second of two, and the only one.
    assert first == pytest.approx((1 / 2 + 1 / 2 + 1) / 3)
    assert last == pytest.approx((1 / 2 + 1 + 1) / 3)
    assert first < drawn < last
    record = only[0].folder / "run.json"
    record.write_text(record.read_text().replace('"epochs": 5', '"epochs": 9'))
    with pytest.raises(ValueError, match=r"0: it was run with another configuration than 'MemNN'"):
        planned.collect(*place)


def test_memnn_and_kv_memnn_differ_in_their_keys_alone():
    assert memnn().model.memory == "sentences"
    assert kv_memnn().model.memory == "windows"
    assert memnn().training == kv_memnn().training


def test_the_digest_is_of_what_is_asked(run, data):
    loaded = kv_memnn().data.__class__(data).load()
    assert digest(loaded) == json.loads((run / "run.json").read_text())["data"]["sha256"]
    assert digest({**loaded, "test": loaded["test"][:-1]}) != digest(loaded)


def test_dropping_all_words_is_refused():
    with pytest.raises(ValueError, match=r"training\.dropout is 1\.0: expected a share"):
        WikiQATraining(dropout=1.0)
