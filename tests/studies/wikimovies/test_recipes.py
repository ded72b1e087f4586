"""Questions made from facts: no entity of another side in them; and the recipe on real data."""

import dataclasses
import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import pytest

from judging import check_judged, check_like_asked
from memnets import results
from memnets.data.facts import Triple
from memnets.data.qa.wikimovies import CLASSES, SLOT, Entities, EntityQuestion, MovieQuestion, Split
from memnets.experiments.run import to_json
from memnets.kb.store.layouts import LAYOUTS, Slot
from memnets.studies import tables
from memnets.studies.wikimovies import data, recipes
from memnets.studies.wikimovies.data import WikiMoviesData, told
from memnets.studies.wikimovies.knowledge import (
    RELATION,
    Knowledge,
    Recogniser,
    SymbolicBaseline,
    WikiMovies,
    WordsAsked,
    _templates,
    common_words,
    load,
    made_questions,
)
from memnets.studies.wikimovies.recipes import (
    KVMemNNWikiMovies,
    WikiMoviesAnswerer,
    wikimovies_kb,
)
from memnets.studies.wikimovies.tables import kv_memnn_documents, kv_memnn_wikimovies
from memnets.training.record import describe
from memnets.training.runs import RunFolder

TRIPLES = [
    Triple("Red", "directed_by", "K."),
    Triple("Blue", "directed_by", "K."),
    Triple("Alien", "directed_by", "Scott"),
    Triple("The Movie", "directed_by", "What"),
    Triple("Red", "release_year", "1994"),
    Triple("Alien", "release_year", "1979"),
]
ENTITIES = Entities(["Red", "Blue", "Alien", "The Movie", "K.", "Scott", "What", "movie", "world"])


def asked(template, entity, answers, category):
    return EntityQuestion(
        MovieQuestion(template.replace(SLOT, entity), answers, category), template, entity
    )


SPLIT = Split(
    {
        "train": (
            asked(f"who directed {SLOT}?", "Alien", ("Scott",), "movie_to_director"),
            asked(f"What year is the movie {SLOT} from?", "Alien", ("1979",), "movie_to_year"),
            asked(f"What movie did {SLOT} direct?", "Scott", ("Alien",), "director_to_movie"),
        ),
        "valid": (asked(f"{SLOT} is by whom?", "Blue", ("K.",), "movie_to_director"),),
        "test": (asked(f"the maker of {SLOT}?", "Red", ("K.",), "movie_to_director"),),
    },
    0,
)


def test_no_entity_of_another_side_is_asked_about_or_is_an_answer():
    made = list(made_questions(SPLIT, Knowledge(TRIPLES), 300, seed=0))
    assert {one.entity for one in made} == {"Alien", "The Movie", "Scott", "What"}
    assert not {"Red", "Blue"} & {word for one in made for word in (*one.words, *one.answers)}
    assert {one.category for one in made} == {
        "movie_to_director", "movie_to_year", "director_to_movie"
    }  # fmt: skip
    one = next(one for one in made if one.category == "movie_to_year")
    assert one.words == ("what", "year", "is", "the", "movie", "Alien", "from", "?")
    assert one.answers == ("1979",)


def test_a_rare_class_is_asked_and_a_tag_of_too_many_movies_is_not():
    tagged = [
        Triple(f"{tag} {number}", "has_tags", tag)
        for tag, most in (("few", 50), ("many", 51))
        for number in range(most)
    ]
    often = asked(f"who directed {SLOT}?", "Alien", ("Scott",), "movie_to_director")
    rare = asked(f"which films are {SLOT}?", "few", ("few 0",), "tag_to_movie")
    split = Split({"train": (*[often] * 999, rare), "valid": (), "test": ()}, 0)
    made = list(made_questions(split, Knowledge([*TRIPLES, *tagged]), 2000, seed=0))
    kinds = Counter(one.category for one in made)
    assert 10 <= kinds["tag_to_movie"] <= 35  # a hundredth of all, where one in a thousand asked
    assert {one.entity for one in made if one.category == "tag_to_movie"} == {"few"}


def test_the_validation_side_can_be_learnt_from():
    movies = WikiMovies(ENTITIES, tuple(TRIPLES), SPLIT).learning_valid()
    made = list(made_questions(movies.split, Knowledge(TRIPLES), 300, seed=0))
    assert {one.entity for one in made} == {"Alien", "The Movie", "Scott", "What", "Blue"}
    assert any("whom" in one.words for one in made)
    assert not any("maker" in one.words for one in made)


def test_the_same_seed_makes_the_same_questions():
    first, second, other = (
        list(made_questions(SPLIT, Knowledge(TRIPLES), 40, seed)) for seed in (3, 3, 4)
    )
    assert first == second != other


def test_a_name_of_ordinary_words_is_the_last_choice():
    recogniser = Recogniser(ENTITIES, SPLIT.templates("train"))
    assert recogniser.mention("What movie did Scott direct?").entity == "Scott"
    assert recogniser.mention("What movie did What direct?").entity == "What"
    assert recogniser.mention("who in the world directed Red?").entity == "Red"
    assert recogniser.mention("what about the world?").entity == "world"
    assert recogniser.mention("who directed The Movie?").entity == "The Movie"
    assert recogniser.mention("who directed it?") is None
    found = recogniser.read(asked("who directed [entity]?", "nobody", ("X",), "movie_to_director"))
    assert found == WordsAsked(
        ("who", "directed", "nobody", "?"), None, ("X",), "movie_to_director",
        "who directed nobody?",
    )  # fmt: skip


def test_the_baseline_looks_up_the_likeliest_relation_that_the_entity_has():
    baseline = SymbolicBaseline(SPLIT, Knowledge(TRIPLES))
    words = ("who", "directed", "Red", "then", "?")
    assert baseline.answer(WordsAsked(words, "Red", (), "")) == "K."
    assert baseline.answer(WordsAsked(("what", "year"), "Red", (), "")) == "1994"
    assert baseline.answer(WordsAsked(words, "nobody", (), "")) is None
    # No year of it is known, so that something else must be meant.
    assert baseline.answer(WordsAsked(("what", "year"), "Blue", (), "")) == "K."
    # Nobody directs a director: the question is turned round.
    assert baseline.answer(WordsAsked(words, "K.", (), "")) == "Red"
    # In no template, but a word of the relation's name, or one that begins like it.
    assert baseline.answer(WordsAsked(("released", "?"), "Red", (), "")) == "1994"


def test_facts_lead_both_ways():
    knowledge = Knowledge(TRIPLES)
    assert knowledge.answers("K.", "!directed_by") == ["Red", "Blue"]
    assert knowledge.holds(["nothing", "Red"], ["K."])
    assert knowledge.holds(["K."], ["Red"])
    assert not knowledge.holds(["K."], ["Alien"])


def test_words_of_many_classes_are_common():
    assert common_words(SPLIT, 2) == {"?"}
    assert common_words(SPLIT, 1) == {"?", "what", "movie"}


def test_every_class_has_a_relation():
    assert set(RELATION) == set(CLASSES)


def test_a_question_has_the_words_of_its_keys_and_their_beginnings():
    one = WordsAsked(("who", "directed", "Red", "?"), "Red", (), "")
    facts = WikiMoviesData(letters=3)
    assert facts.question(one, frozenset("?")) == ("who", "directed", "1:Red", "^who", "^dir")
    # A film that is called like a common word is no common word.
    assert facts.question(one, frozenset(["?", "Red", "who"])) == ("directed", "1:Red", "^dir")
    windows = WikiMoviesData(memory="documents", letters=0)
    assert windows.question(one, frozenset("?")) == LAYOUTS["window + center + title"].question(
        ("who", "directed", "Red")
    )


def test_slots_are_told_in_words():
    assert told(Slot(("1:Red", "directed_by", "^dir"), ("K.",))) == "Red directed_by → K."
    assert told(Slot(("it", "stars"), ("it", "stars"))) == "it stars"


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"style": "verse"}, r"data.style is 'verse': expected one of one template"),
        ({"layout": "page"}, r"data.layout is 'page': expected one of sentence, window"),
        ({"made": 0}, r"data.made is 0: expected at least 1"),
    ],
)
def test_data_that_are_not_there_are_refused(arguments, text):
    with pytest.raises(ValueError, match=text):
        WikiMoviesData(**arguments)


def write_run(job, hits, others=()):
    """Write the folder of a finished run."""
    record = describe("kv_memnn/wikimovies-kb", to_json(job.run), job.run.loop, {"sha256": "d1"})
    RunFolder.create(job.folder, {**record, "commit": "c1"})
    metrics = {"test": {"hits/in_kb": hits, **dict(others)}}
    job.folder.joinpath("result.json").write_text(json.dumps({"metrics": metrics, "wall_s": 2.0}))


def test_rows_and_differences_are_of_all_seeds(tmp_path):
    table = kv_memnn_documents()
    (jobs,) = table.stages("t", tmp_path, None, "layout: (window . title|sentence)")
    assert len(jobs) == 10
    for job in jobs:
        if job.seed < 3:
            write_run(job, (0.7 if "sentence" in job.name else 0.9) + 0.01 * job.seed)
    found = {row.row: row for row in table.collect("t", tmp_path, None).rows}
    row = found["layout: window + title"]
    assert row.measured == pytest.approx(91.0)
    assert row.seeds == (0, 1, 2)
    assert row.status == "partial"
    assert row.commit == "c1"
    difference = found["layout: window + title minus layout: sentence"]
    assert difference.measured == pytest.approx(20.0)
    assert difference.note == "95 % interval 20.0 to 20.0"
    assert found["knowledge base"].status == "not run"
    results.write(table.collect("t", tmp_path, None), tmp_path)


def test_rows_share_the_seconds_of_their_runs(tmp_path):
    table = kv_memnn_wikimovies()
    ((job, *_),) = table.stages("t", tmp_path, None, "")
    metrics = {figure.metric: 0.5 for figure in table.entries[0].figures}
    write_run(job, 0.5, metrics)
    rows = table.collect("t", tmp_path, None).rows
    assert {row.measured for row in rows} == {50.0}
    assert sum(row.wall_s for row in rows) == pytest.approx(2.0)


def test_a_row_that_is_not_there_and_a_folder_of_another_run_are_refused(tmp_path):
    table = kv_memnn_wikimovies()
    with pytest.raises(ValueError, match=r"--only 'prose' matches no row of t. Its rows are 'gold"):
        next(table.stages("t", tmp_path, None, "prose"))
    ((job, *_),) = table.stages("t", tmp_path, None, "")
    other = dataclasses.replace(job.run, data=WikiMoviesData(made=7))
    write_run(job._replace(run=other), 0.5)
    with pytest.raises(ValueError, match=r"0: it was run with another configuration than 'gold"):
        table.collect("t", tmp_path, None)


def test_the_tables_are_found():
    assert {"kv-memnn-wikimovies", "kv-memnn-documents"} <= set(tables())


def small(memory, **data):
    """Return a run of a few seconds."""
    path = Path(os.environ["MEMNETS_DATA"])
    run = wikimovies_kb()
    return dataclasses.replace(
        run,
        data=WikiMoviesData(path=path, memory=memory, asked=40, made=300, **data),
        model=dataclasses.replace(run.model, dim=32),
        training=dataclasses.replace(run.training, epochs=1),
    )


@pytest.mark.data
@pytest.mark.parametrize("memory", ["facts", "triples", "documents"])
def test_every_memory_can_be_asked(memory, tmp_path):
    from memnets.experiments.execute import start
    from memnets.inference import open_run

    run = small(memory)
    result = start(run, tmp_path / "run")
    assert result["metrics"]["test"]["in_kb"] > 0.9
    answerer = open_run(tmp_path / "run").run.restore(tmp_path / "run")
    example = next(answerer.examples("test", 4))
    assert answerer.ask(example.question).text == example.text
    if memory == "facts":
        assert all(step.supports for step in example.steps)
        keys = {slot.key[1:] for slot in answerer.sources.slots}
        assert {("directed_by", "^dir"), ("!directed_by", "^dir")} <= keys
    with pytest.raises(ValueError, match=r"'Red came\.' was told before 'who made Red"):
        answerer.answer(("Red came.", "Blue came."), "who made Red?")


def test_other_facts_than_those_of_the_training_are_not_asked(tmp_path, monkeypatch):
    run = wikimovies_kb()
    RunFolder.create(tmp_path / "run", describe(run.kind, to_json(run), run.loop))
    looked = []
    monkeypatch.setattr(WikiMoviesData, "load", lambda *_: SimpleNamespace(slots=()))
    monkeypatch.setattr(WikiMoviesAnswerer, "read_vocabulary", lambda _: None)
    monkeypatch.setattr(WikiMoviesAnswerer, "check_data", lambda self: looked.append(self) or 1 / 0)
    with pytest.raises(ZeroDivisionError):  # before anything is made of them
        WikiMoviesAnswerer(run, tmp_path / "run")
    assert len(looked) == 1


@pytest.fixture
def tiny(tmp_path, monkeypatch):
    """A run on six facts."""
    from memnets.experiments.execute import start

    world = WikiMovies(ENTITIES, tuple(TRIPLES), SPLIT)
    for module in (data, recipes):
        monkeypatch.setattr(module, "load", lambda _: world)
    run = dataclasses.replace(
        wikimovies_kb(),
        data=WikiMoviesData(made=60, letters=0),
        model=dataclasses.replace(wikimovies_kb().model, dim=5),
        training=dataclasses.replace(wikimovies_kb().training, epochs=1, negatives=2),
    )
    start(run, tmp_path / "run")
    return run.restore(tmp_path / "run")


def test_a_file_of_questions_is_answered_as_a_split_is(tiny, tmp_path):
    path = tmp_path / "wiki-entities_qa_movie_to_director_mine.txt"
    path.write_text("1 the maker of Red?\tK.\n")
    measured = tiny.evaluate("test")
    found = check_judged(tiny, path, measured)
    assert found.metrics.keys() == {name for name, value in measured.items() if value == value}
    assert found.judged[0].asked.kind == "movie_to_director"
    assert "hits/movie_to_director" in found.metrics
    path = path.rename(tmp_path / "mine.txt")
    path.write_text("1 the maker of Red?\tK., Scott\n2 who is the maker of Up?\tAda\n")
    found = tiny.judge(path)
    assert [one.asked.answers for one in found.judged] == [("K.", "Scott"), ("Ada",)]
    check_like_asked(found.judged, [tiny.ask(one.asked.text) for one in found.judged])
    assert not {f"hits/{name}" for name in CLASSES} & found.metrics.keys()  # none is named
    assert found.metrics["in_kb"] == 0.5


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1 who?\tK.\nwho?\tK.\n", r"mine\.txt:2: came 'who.*expected 1 question<TAB>answer, ans"),
        ("\n", r"mine\.txt: nothing is asked here; expected 1 question<TAB>answer"),
    ],
)
def test_a_line_of_a_file_that_cannot_be_read_is_named(tiny, tmp_path, text, said):
    (tmp_path / "mine.txt").write_text(text)
    with pytest.raises(ValueError, match=said):
        tiny.judge(tmp_path / "mine.txt")


def test_templates_come_in_the_same_order_in_every_process():
    texts = [f"{word} {SLOT}?" for word in "fadebc"]
    rows = tuple(asked(text, "Red", ("K.",), "movie_to_director") for text in texts)
    found = _templates(Split({"train": rows}, 0), "movie_to_director")
    assert [before for before, _ in found] == [(word,) for word in "abcdef"]


PLOTS = """
import dataclasses, json, sys
from pathlib import Path

from memnets.experiments.execute import start
from memnets.inference import open_run
from memnets.studies.wikimovies.recipes import wikimovies_kb

run, folder = wikimovies_kb(), Path(sys.argv[1])
data = dataclasses.replace(run.data, memory="plots", questions="in plots", made=300)
model, training = (
    dataclasses.replace(part, **{name: small})
    for part, name, small in ((run.model, "dim", 16), (run.training, "epochs", 1))
)
run = dataclasses.replace(run, data=data, model=model, training=training)
test = start(run, folder)["metrics"]["test"]
answerer = open_run(folder).run.restore(folder)
sources = answerer.sources
held_out = {one.entity for one in sources.test} | sources.movies.split.entities("test")
taught = {word for one in sources.train for word in (one.entity, *one.words, *one.answers)}
examples = len(list(answerer.examples("test", 4)))
print(json.dumps({**test, "examples": examples, "known": len(held_out & taught)}))
"""


@pytest.mark.data
def test_plots_are_asked_what_they_can_answer(tmp_path):
    """In a process of its own: with every call checked for its types it would take minutes."""
    command = [sys.executable, "-c", PLOTS, str(tmp_path / "run")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    test = json.loads(done.stdout.splitlines()[-1])
    assert test["coverage/questions"] == 3_764
    assert test["coverage/asked"] == 235
    assert test["coverage/answerable"] == pytest.approx(235 / 3_764)
    assert test["coverage/with_plot"] == 1
    assert 0.8 < test["untaught/reachable"] < 1
    assert test["examples"] == 2
    assert test["known"] == 0


@pytest.mark.data
@pytest.mark.parametrize("learn_valid", [True, False])
def test_the_sides_share_no_template_no_entity_no_question(learn_valid):
    run = small("facts", learn_valid=learn_valid)
    sources, split = run.data.load(0), load(run.data.path).split
    for kind in (split.templates, split.entities):
        sides = [kind(side) for side in ("train", "valid", "test")]
        assert sum(map(len, sides)) == len(frozenset.union(*sides))
    unseen = ("test",) if learn_valid else ("valid", "test")
    held_out = frozenset.union(*(split.entities(side) for side in unseen))
    made = [one for one in sources.train if not one.text]
    assert len(made) == 300
    assert not any(held_out & {one.entity, *one.answers} for one in made)
    texts = {one.question.text for side in unseen for one in split.sides[side]}
    assert not texts & {one.text for one in sources.train}
    known = dataclasses.replace(run.data, asked=0, made=1).load(0).train[1:]
    assert len(known) > 1_000
    assert not any(held_out & {one.entity, *one.answers} for one in known)
    assert isinstance(wikimovies_kb(), KVMemNNWikiMovies)
