"""From a file of facts to answers in three commands, and what is said when one is missing."""

import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from threading import current_thread, main_thread
from time import sleep

import pytest

from memnets.cli.kb_asked import _typed
from memnets.cli.main import main
from memnets.cli.status import USAGE
from memnets.experiments.execute import start
from memnets.inference import processes
from memnets.inference.kb import KB
from memnets.kb.index.vocabulary import Vocabulary
from memnets.kb.questions import ranking
from memnets.kb.questions.questions import QuestionGenerator
from memnets.kb.store.store import StoredFacts
from memnets.studies.kb_qa.recipes import KBQA, KBQATraining

ROWS = """subject,relation,object
Alien,directed_by,Ada
Alien,release_year,1979
Up,directed_by,Ben
Up,directed_by,Ada
Up,release_year,2009
"""


@pytest.fixture(scope="module")
def kb(tmp_path_factory):
    """A trained KB."""
    folder = tmp_path_factory.mktemp("kb")
    (folder / "facts.csv").write_text(ROWS)
    kb = folder / "my.kb"
    assert main(["kb", "build", str(folder / "facts.csv"), "--out", str(kb)]) == 0
    with pytest.MonkeyPatch.context() as patch:
        few_tested(patch)
        assert main(["kb", "train", str(kb), "--questions", "1009"]) == 0
    return kb


def few_tested(patch):
    """Make 503 questions to test with, and not 2,000."""
    whole = QuestionGenerator.questions

    def questions(self, number, unanswerable):
        return whole(self, 503 if number == KBQATraining.tested else number, unanswerable)

    patch.setattr(QuestionGenerator, "questions", questions)


@pytest.fixture
def fails(capsys):
    """Run a command that must be refused, and return what it says."""

    def call(*words: object) -> str:
        assert main([str(word) for word in words]) == USAGE
        said = capsys.readouterr().err
        assert "Traceback" not in said
        return " ".join(said.split())

    return call


def test_training_leaves_a_model_and_phrases_beside_the_kb(kb):
    beside = sorted(path.name for path in kb.parent.iterdir())
    assert beside == ["facts.csv", "my.kb", "my.kb.phrases.toml", "my.kb.trained"]
    assert "learn = [" in (kb.parent / "my.kb.phrases.toml").read_text()
    assert [path.name[:6] for path in kb.glob("names-*")] == ["names-"]


def test_the_figures_are_of_a_model_that_had_not_learnt_the_phrases(kb, capsys):
    trained = kb.parent / "my.kb.trained"
    runs = [json.loads((one / "run.json").read_text()) for one in (trained, trained / "measured")]
    assert [run["config"]["data"]["held_out"] for run in runs] == [False, True]
    results = [
        json.loads((run / "result.json").read_text()) for run in (trained, trained / "measured")
    ]
    assert results[0]["metrics"].keys() == {"train", "valid"}
    assert KB(kb).metrics == results[1]["metrics"]
    assert KB(kb).answerer.least == results[0]["metrics"]["valid"]["threshold"]
    assert main(["eval", str(trained)]) == USAGE
    assert "this model has learnt all ways of asking" in capsys.readouterr().err


def test_a_word_that_is_taught_is_understood_at_once(kb, capsys, fails):
    phrases = kb.with_name("my.kb.phrases.toml")
    before = phrases.read_text()
    assert main(["kb", "ask", str(kb), "helmsman of Alien", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["unknown_words"] == ["helmsman"]
    assert main(["kb", "teach", str(kb), "helmsman", "Directed by"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert said.endswith("my.kb.phrases.toml: 'helmsman' now asks for 'directed_by'")
    assert main(["kb", "ask", str(kb), "helmsman of Alien", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["objects"], said["unknown_words"]) == (["Ada"], [])
    assert said["probability"] > 0.9
    assert "the nearest are 'directed_by'" in fails("kb", "teach", kb, "helmsman", "director")
    phrases.write_text(before)


def test_vectors_tell_what_means_nearly_the_same(kb, capsys, fails):
    vectors = kb.with_name("vectors.txt")
    vectors.write_text("helmsman 3 4\ndirected 4 3\n")
    asked = ["kb", "ask", str(kb), "helmsman of Alien", "--json", "--synonyms", str(vectors)]
    assert main(asked) == 0
    assert json.loads(capsys.readouterr().out)["objects"] == ["Ada"]
    vectors.unlink()
    assert "vectors.txt: no such file. Name a file of word vectors" in fails(*asked)


def test_the_ranker_is_read_while_the_kb_is_opened(kb, capsys, monkeypatch):
    packed, by_main = ranking._packed, []

    def slowly():
        read = packed()
        sleep(0 if current_thread() is main_thread() else 0.1)
        by_main.append(current_thread() is main_thread())
        return read

    monkeypatch.setattr(ranking, "_packed", slowly)
    assert main(["kb", "ask", str(kb), "who directed Alien?"]) == 0
    assert by_main[0] is False  # for which the main thread waits
    assert True in by_main
    assert "Ada" in capsys.readouterr().out


def test_openblas_has_one_thread_unless_the_user_says_otherwise(kb, monkeypatch):
    for said, used in ((None, "1"), ("3", "3")):
        monkeypatch.setenv("OPENBLAS_NUM_THREADS", "3")
        if said is None:
            monkeypatch.delenv("OPENBLAS_NUM_THREADS")
        assert main(["kb", "ask", str(kb), "who directed Alien?"]) == 0
        assert os.environ["OPENBLAS_NUM_THREADS"] == used


def test_a_kb_is_asked_without_being_read(kb, capsys, monkeypatch):
    def refuse(*_):
        raise AssertionError("everything was read")

    monkeypatch.setattr(StoredFacts, "__iter__", refuse)
    monkeypatch.setattr(Vocabulary, "__iter__", refuse)
    assert main(["kb", "ask", str(kb), "who directed up?", "who drected alien", "uup"]) == 0
    assert "Ben, Ada" in capsys.readouterr().out


def test_all_answers_are_given_with_what_was_read(kb, capsys):
    assert main(["kb", "ask", str(kb), "who directed up?", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["objects"] == ["Ben", "Ada"]
    assert said["mentions"][0]["entities"] == ["Up"]
    assert [step["name"] for step in said["steps"]] == ["hop 1", "hop 2", "words"]


def test_it_says_how_it_understood(kb, capsys):
    assert main(["kb", "ask", str(kb), "who drected alien, zebra?", "banana"]) == 0
    said = capsys.readouterr().out
    assert "named: Alien (by its name, 'alien')" in said
    assert "read 'drected' as 'directed'" in said
    assert "not understood: zebra" in said
    assert "I don't know" in said
    assert "named: nothing that the knowledge base knows" in said


def test_a_name_that_is_only_similar_is_told_and_no_answer_is_surer(kb, capsys):
    assert main(["kb", "ask", str(kb), "director of aliens?", "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    likeness = said["likeness"]
    assert likeness == pytest.approx(10 / 11)
    assert said["caution"] == "taking 'aliens' for 'Alien' (91% alike)"
    exact = KB(kb).ask("director of Alien?")
    assert (exact.likeness, exact.answer.caution) == (1, "")
    assert said["probability"] == pytest.approx(min(exact.probability, likeness))
    assert main(["kb", "ask", str(kb), "who directed aliens?"]) == 0
    first = capsys.readouterr().out.split("\n")[2]
    assert first == "taking 'aliens' for 'Alien' (91% alike):"
    assert str(KB(kb).ask("who directed aliens?")).startswith("taking 'aliens' for 'Alien'")


def test_an_answer_tells_that_there_may_be_two_of_one_name(kb, capsys, tmp_path):
    table = tmp_path / "films.csv"
    table.write_text("title,directed_by\nAlien,Ada\nUp,Ben\nAlien,Cora\n")
    build = ["kb", "build", str(table), "--out", str(tmp_path / "my.kb")]
    assert main([*build, "--table"]) == 0
    where = "'Alien' (films.csv:2, films.csv:4): directed_by is 'Ada' and 'Cora'"
    said = " ".join(capsys.readouterr().err.split())
    assert "1 name stands in several rows that contradict each other" in said
    assert where in said
    trained = str(kb.parent / "my.kb.trained")
    ask = ["kb", "ask", str(tmp_path / "my.kb"), "--trained", trained, "--json", "who directed "]
    for film, caution in (("Alien", f"perhaps several of one name, {where}"), ("Up", "")):
        assert main([*ask[:-1], ask[-1] + film]) == 0
        assert json.loads(capsys.readouterr().out)["caution"] == caution
    assert main([*ask[:-1], "banana spoon Alien"]) == 0
    declined = json.loads(capsys.readouterr().out)
    assert (declined["objects"], declined["caution"]) == ([], "")  # rests on nothing
    table.write_text("title,directed_by\nAlien,Ada; Cora\nUp,Ben\n")
    assert main([*build, "--table"]) == 0
    assert "contradict" not in capsys.readouterr().err
    assert main([*ask[:-1], "who directed Alien"]) == 0
    assert json.loads(capsys.readouterr().out)["caution"] == ""


def test_few_of_one_name_are_told_apart_and_each_answered_for(kb, capsys, tmp_path):
    table = tmp_path / "films.csv"
    others = "".join(f"Film {number},Di,{number}\n" for number in range(9))
    table.write_text(f"title,directed_by,id\nAlien,Ada,7\nAlien,Cora,8\n{others}")
    build = ["kb", "build", str(table), "--out", str(tmp_path / "my.kb")]
    ask = ["kb", "ask", str(tmp_path / "my.kb"), "--trained", str(kb.parent / "my.kb.trained")]
    for key, one, other in (([], "Ada", "Cora"), (["--key", "id"], "7", "8")):
        assert main([*build, "--table", *key]) == 0
        said = " ".join(capsys.readouterr().err.split())
        assert f"were told apart: 'Alien ({one})', 'Alien ({other})'." in said
        assert main([*ask, "--json", "who directed Alien?"]) == 0
        answer = json.loads(capsys.readouterr().out)
        assert answer["objects"] == ["Ada", "Cora"]
        assert answer["text"] == f"Alien ({one}): Ada; Alien ({other}): Cora"
        assert answer["caution"].endswith("; each is answered for")
    assert main([*ask, "--json", "which film was directed by Cora?"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["objects"], answer["text"]) == (["Alien"], "Alien")
    assert main([*build, "--key", "id"]) == 2
    assert "--key 'id' names a column of a table. Pass --table too." in capsys.readouterr().err


def test_a_word_that_was_put_right_is_told(kb, capsys):
    question = "who driected Alien?"
    assert main(["kb", "ask", str(kb), "--json", question]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["question"], told["corrected"]) == (question, {"driected": "directed"})
    assert told["objects"] == KB(kb).ask("who directed Alien?").to_json()["objects"] != []


def test_a_page_is_written(kb, capsys, tmp_path):
    page = tmp_path / "page.html"
    assert main(["kb", "ask", str(kb), "who directed Alien?", "--report", str(page)]) == 0
    html = page.read_text()
    assert "hop 2" in html
    assert main(["kb", "ask", str(kb), "who?", "--report", str(page)]) == USAGE
    assert "page.html: this file is there already; expected a new" in capsys.readouterr().err
    assert page.read_text() == html
    assert main(["kb", "ask", str(kb), "who?", "--report", str(page), "--overwrite"]) == 0
    assert page.read_text() != html
    assert "<mark>Alien</mark> | <mark>directed</mark>_by | Ada" in html.replace("&#124;", "|")


def test_nothing_in_a_question_steers_the_terminal_or_the_page(kb, capsys, tmp_path):
    page = tmp_path / "[" / "bold]page.html"
    question = "who directed [/] Alien\x1b]0;x\x07 \u202e [bold]nobody"
    assert main(["kb", "ask", str(kb), question, "--report", str(page)]) == 0
    told = capsys.readouterr()
    assert "who directed [/] Alien<U+001B>]0;x<U+0007> <U+202E> [bold]nobody" in told.out
    assert str(page) in told.out
    assert not set("\x1b\x07\u202e") & set(told.out + told.err + page.read_text())


def test_training_again_replaces_the_model_and_keeps_the_phrases(kb, capsys, monkeypatch):
    few_tested(monkeypatch)
    phrases = kb.parent / "my.kb.phrases.toml"
    edited = phrases.read_text().replace("learn = [", 'learn = [\n    "who ever made {it}",', 1)
    phrases.write_text(edited)
    before = (kb.parent / "my.kb.trained" / "model.safetensors").read_bytes()
    assert main(["kb", "train", str(kb), "--questions", "307", "--seed", "3"]) == 0
    assert phrases.read_text() == edited
    assert "making 307 questions of 5 facts, in 2 relations" in capsys.readouterr().err
    assert (kb.parent / "my.kb.trained" / "model.safetensors").read_bytes() != before
    assert not list(kb.parent.glob(".my*"))


@pytest.fixture
def taught(monkeypatch):
    """What a training that is none is given."""
    given = []
    monkeypatch.setattr(KB, "train", lambda *asked, **named: given.append((asked[1:], named)))
    return given


def test_training_is_tested_by_questions_of_ones_own(kb, questions, taught, capsys):
    assert main(["kb", "eval", str(kb), str(questions)]) == 0
    table = capsys.readouterr().out.strip()
    command = ["kb", "train", str(kb), "--questions", "7"]
    assert main([*command, "--test", str(questions)]) == 0
    said = capsys.readouterr().out
    assert f"the model that was kept, on your own questions ({questions}):" in said
    assert table in said
    assert "how well your own" not in said
    assert main(command) == 0
    assert f"how well your own are answered: memnets kb eval {kb} QUEST" in capsys.readouterr().out
    assert taught[0] == taught[1]  # they reach no training


def test_questions_to_test_with_are_read_before_anything_is_learnt(kb, fails, taught, tmp_path):
    (tmp_path / "bad.tsv").write_text("question\tanswers\nwho directed Alien?\n")
    command = ("kb", "train", kb, "--test")
    said = fails(*command, tmp_path / "bad.tsv")
    assert "bad.tsv:2: came 'who directed Alien?'; expected question<TAB>answers" in said
    assert "no.tsv" in fails(*command, tmp_path / "no.tsv")
    assert not taught


def test_a_kb_is_evaluated_by_its_own_command(kb, fails, questions):
    said = fails("eval", kb, "--questions", questions)
    assert "my.kb: a knowledge base; expected the folder of a run." in said
    assert f"memnets kb eval {kb} QUESTIONS" in said


def test_a_kb_judges_a_file_in_python(kb, questions):
    opened = KB(kb)
    metrics, judged = opened.judge(questions)
    assert metrics.keys() == {"accuracy", "refused", "declined"}
    assert [one.given for one in judged][:2] == [
        opened.ask(one.asked.text).objects for one in judged[:2]
    ]


def test_questions_are_typed(kb, capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", iter(["who directed Alien\n", "\n", "not asked\n"]))
    monkeypatch.setattr("memnets.cli.kb_asked.sys.stdin", Lines("who directed Alien\n\nno\n"))
    assert list(_typed()) == ["who directed Alien"]


class Lines(list[str]):
    """A pipe."""

    def __init__(self, text: str) -> None:
        super().__init__(text.splitlines(keepends=True))

    def isatty(self) -> bool:
        return False


def test_nothing_asked(kb, fails, monkeypatch):
    monkeypatch.setattr("memnets.cli.kb_asked.sys.stdin", Lines(""))
    assert f'nothing was asked. Try: memnets kb ask {kb} "a question?"' in fails("kb", "ask", kb)


def test_an_empty_question(kb, fails):
    assert "the question '?' holds no word" in fails("kb", "ask", kb, "?")


def test_a_damaged_kb_is_told_and_built_again(kb, tmp_path, fails, capsys):
    copy = tmp_path / "my.kb"
    shutil.copytree(kb, copy)
    words = ["kb", "ask", str(copy), "who directed up?", "--trained", f"{kb}.trained"]
    (objects,) = copy.glob("*/facts/objects.npy")
    whole = objects.read_bytes()
    mends = "Build the knowledge base again from its source, into the same folder: that mends it."
    for damaged in (whole[:-1], whole[:-1] + b"\1"):
        objects.write_bytes(damaged)
        for command in (words, ["kb", "train", str(copy)]):
            said = fails(*command)
            assert f"{objects}: " in said
            assert mends in said
        assert main(["kb", "build", str(kb.parent / "facts.csv"), "--out", str(copy)]) == 0
        assert objects.read_bytes() == whole
        assert main(words) == 0


def test_damaged_names_are_written_again(kb, tmp_path, capsys):
    copy = tmp_path / "my.kb"
    shutil.copytree(kb, copy)
    (offsets,) = copy.glob("names-*/*/names.offsets.npy")
    whole = offsets.read_bytes()
    offsets.write_bytes(whole[:-1])
    assert main(["kb", "ask", str(copy), "who directed up?", "--trained", f"{kb}.trained"]) == 0
    assert "Up (by its name" in capsys.readouterr().out
    assert offsets.read_bytes() == whole


def test_no_kb(tmp_path, fails):
    assert f"{tmp_path / 'no.kb'}: no knowledge base here" in fails(
        "kb", "train", tmp_path / "no.kb"
    )
    assert f"{tmp_path / 'no.kb'}: no knowledge base here" in fails(
        "kb", "ask", tmp_path / "no.kb", "who"
    )


def test_a_kb_of_another_version(tmp_path, fails):
    (tmp_path / "facts.csv").write_text(ROWS)
    main(["kb", "build", str(tmp_path / "facts.csv"), "--out", str(tmp_path / "my.kb")])
    manifest = tmp_path / "my.kb" / "index.json"
    manifest.write_text(manifest.read_text().replace('"version": 1', '"version": 7'))
    assert "version 7; expected version 1" in fails("kb", "ask", tmp_path / "my.kb", "who")


def test_asking_before_training(tmp_path, fails):
    (tmp_path / "facts.csv").write_text(ROWS)
    main(["kb", "build", str(tmp_path / "facts.csv"), "--out", str(tmp_path / "my.kb")])
    said = fails("kb", "ask", tmp_path / "my.kb", "who")
    assert f"Train one: memnets kb train {tmp_path / 'my.kb'}" in said


def test_a_run_of_another_kind(kb, tmp_path, fails):
    small = ["--data.tasks", "1", "--data.size", "1k", "--training.epochs", "1"]
    run = tmp_path / "run"
    small += ["--training.linear-epochs", "0", "--out", str(run)]
    assert main(["train", "memn2n/babi-generated", *small]) == 0
    said = fails("kb", "ask", kb, "who", "--trained", run)
    assert "run: a run of another kind (" in said


def test_what_is_no_model_is_not_replaced(kb, tmp_path, fails):
    (tmp_path / "notes").mkdir()
    said = fails("kb", "train", kb, "--out", tmp_path / "notes")
    assert "notes: this is there already, and is no trained model" in said


def test_phrases_that_are_named_must_be_there(kb, tmp_path, fails):
    said = fails("kb", "train", kb, "--phrases", tmp_path / "no.toml")
    assert "no.toml: no such file. Leave --phrases out" in said


def test_a_kb_that_has_changed_is_told(kb, capsys, tmp_path):
    (tmp_path / "facts.csv").write_text(ROWS + "Alien,won,Oscar\nHeat,directed_by,Ada\n")
    main(["kb", "build", str(tmp_path / "facts.csv"), "--out", str(tmp_path / "my.kb")])
    trained = kb.parent / "my.kb.trained"
    words = ["kb", "ask", str(tmp_path / "my.kb"), "who directed Heat?"]
    assert main([*words, "--trained", str(trained)]) == 0
    said = capsys.readouterr()
    assert "has changed since the training; never learnt: won" in said.err
    assert "Heat | directed_by | Ada" in said.out


def test_a_model_can_be_asked_as_any_run(tmp_path, capsys):
    from memnets.studies.kb_qa.data import KBData
    from memnets.studies.kb_qa.recipes import KBQATraining

    training = KBQATraining(questions=101, tested=53, epochs=1)
    start(KBQA(data=KBData(rows=53), training=training), tmp_path / "run")
    assert main(["ask", str(tmp_path / "run"), "--question", "banana?"]) == 0
    assert "I don't know" in capsys.readouterr().out


@pytest.fixture
def questions(tmp_path):
    """A file of questions: two kinds, one unanswerable."""
    path = tmp_path / "questions.tsv"
    rows = ("plain\twho directed Alien?\tAda", "plain\trelease year of Up\t2009", "no\tqx\t")
    path.write_text("\n".join(("kind\tquestion\tanswers", *rows, "plain\twho is Up?\tBob")))
    return path


def test_questions_of_a_file_are_judged(kb, questions, tmp_path, capsys):
    misses = tmp_path / "misses.tsv"
    command = ["kb", "eval", str(kb), str(questions), "--misses", str(misses)]
    assert main([*command, "--baseline"]) == 0
    table = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [row for row in table if row and row[0] in ("plain", "no", "all")] == [
        ["plain", "3", "66.7%", "1", "0", "0"],
        ["no", "1", "100.0%", "0", "0", "0"],
        ["all", "4", "75.0%", "1", "0", "0"],
    ]
    assert misses.read_text().split("\n")[1:] == ["plain\tdeclined\t1.000\twho is Up?\t\tBob", ""]
    answers = tmp_path / "answers.tsv"
    assert main([*command[:-2], "--baseline", "--answers", str(answers)]) == 0
    rows = [line.split("\t")[1] for line in answers.read_text().splitlines()]
    assert rows == ["verdict", "right", "right", "right", "declined"]
    capsys.readouterr()
    assert main(command) == USAGE  # the misses are there
    assert "misses.tsv" in capsys.readouterr().err
    assert main([*command, "--overwrite", "--json"]) == 0
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(one["kind"], one["asked"]) for one in records] == [("plain", 3), ("no", 1), ("all", 4)]
    trained = KB(kb)
    expected = sum(
        trained.ask(question).objects == answers
        for question, answers in (
            ("who directed Alien?", ("Ada",)),
            ("release year of Up", ("2009",)),
            ("who is Up?", ("Bob",)),
        )
    )
    assert records[0]["right"] == expected >= 1


def test_neither_torch_nor_what_reads_options_is_loaded_to_ask(kb):
    words = ["kb", "ask", str(kb), "who directed Alien?"]
    script = f"""
import sys
from memnets.cli.main import main
assert main({words!r}) == 0
print(*{{"torch", "tyro", "cattrs", "jaxtyping"}} & sys.modules.keys())
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "Ada" in done.stdout
    assert not done.stdout.splitlines()[-1].strip()


def test_torch_answers_as_numpy_does(kb, monkeypatch):
    asked = ["who directed Alien?", "when was Up released", "who wrote Up?"]
    quick = KB(kb).ask(asked)
    monkeypatch.setenv("MEMNETS_PLAIN", "1")
    for one, other in zip(quick, KB(kb).ask(asked), strict=True):
        assert (one.text, one.objects) == (other.text, other.objects)
        assert one.probability == pytest.approx(other.probability, abs=1e-5)
        for step, twin in zip(one.answer.steps, other.answer.steps, strict=True):
            weights = [support.weight for support in twin.supports]
            assert [support.weight for support in step.supports] == pytest.approx(weights, abs=1e-5)


def test_a_command_is_read_the_same_with_options_and_without(kb, capsys):
    assert main(["kb", "ask", str(kb), "who directed Alien?"]) == 0
    plain = capsys.readouterr().out
    assert main(["kb", "ask", "--trained", f"{kb}.trained", str(kb), "who directed Alien?"]) == 0
    assert capsys.readouterr().out == plain


def test_several_processes_answer_as_one_does(kb, questions, fails, tmp_path, capsys):
    command = ["kb", "eval", str(kb), str(questions), "--json"]
    assert main([*command, "--answers", str(tmp_path / "one.tsv")]) == 0
    alone = capsys.readouterr().out
    with questions.open("a") as file:
        file.write("\nno\t!!\t")  # nobody is asked that
    assert main([*command, "--workers", "2", "--answers", str(tmp_path / "two.tsv")]) == 0
    together = capsys.readouterr().out
    assert '"asked": 2' in together.splitlines()[1]
    assert together.splitlines()[0] == alone.splitlines()[0]
    assert (tmp_path / "two.tsv").read_text().startswith((tmp_path / "one.tsv").read_text())
    assert "--workers 0: expected at least 1" in fails(*command, "--workers", "0")


def test_a_process_that_answers_is_worth_starting_for_a_hundred_questions(monkeypatch):
    monkeypatch.setattr(processes.os, "cpu_count", lambda: 4)
    counted = [processes.worth_starting(n) for n in (0, 199, 200, 399, 10**6)]
    assert counted == [1, 1, 2, 3, 4]


def test_a_process_that_answers_and_is_ended_from_outside_is_told(tmp_path, monkeypatch):
    def ended(question):
        raise BrokenProcessPool

    def pool(many, **_):
        assert many == 1  # there is one question
        return ThreadPoolExecutor(many)

    monkeypatch.setattr(processes, "_given", ended)
    monkeypatch.setattr(processes, "ProcessPoolExecutor", pool)
    opening = processes.Opening(tmp_path)
    with (
        pytest.raises(ChildProcessError, match="--workers 1"),
        processes.asked_apart(opening, ["who?"], 10**20) as ask,
    ):
        ask("who?")
