"""Plots as a memory: names found again, what plots can answer, and what needs no learning."""

import dataclasses
from pathlib import Path

import pytest

from memnets.cli.main import main
from memnets.data.facts import Triple
from memnets.data.qa.wikimovies import (
    CLASSES,
    SLOT,
    Entities,
    EntityQuestion,
    EntitySpan,
    MovieQuestion,
    Plot,
    PlotCoverage,
    Split,
)
from memnets.kb.store.layouts import LAYOUTS, Slot, window_slots
from memnets.studies.wikimovies.data import Hashing, WikiMoviesData
from memnets.studies.wikimovies.hits import wilson
from memnets.studies.wikimovies.knowledge import (
    Knowledge,
    Recogniser,
    SymbolicBaseline,
    WikiMovies,
    WordsAsked,
    load,
    made_questions,
)
from memnets.studies.wikimovies.plots import (
    PlotMemory,
    Spelling,
    coverage_in_words,
    read_plot,
    shares,
    untaught,
)
from memnets.studies.wikimovies.recipes import (
    KVMemNNModel,
    KVMemNNTraining,
    KVMemNNWikiMovies,
    wikimovies_plots,
)
from memnets.studies.wikimovies.tables import kv_memnn_plots

ENTITIES = Entities(["Red", "The Movie"])
NAMES = ["alien", "Alien", "ALIEN", "Her", "René Clair", "comedy", "Comedy", "$", "Alien 3", "war"]
TRIPLES = [
    Triple("ALIEN", "has_tags", "alien"),
    Triple("Alien", "has_genre", "Comedy"),
    Triple("Alien", "directed_by", "René Clair"),
    Triple("Her", "has_genre", "Comedy"),
    Triple("Alien 3", "has_tags", "comedy"),
    Triple("Alien 3", "has_tags", "war"),
]
PLOTS = [
    Plot("alien", "rene clair meets her in a comedy of war"),
    Plot("alien 3", "an alien comedy"),
    Plot("unlisted", "war"),
]


@pytest.fixture
def spell():
    return Spelling(NAMES, TRIPLES)


def asked(template, entity, answers, category):
    return EntityQuestion(
        MovieQuestion(template.replace(SLOT, entity), answers, category), template, entity
    )


QUESTIONS = (
    asked(f"who directed {SLOT}?", "Alien", ("René Clair", "Scott"), "movie_to_director"),
    asked(f"what is {SLOT} about?", "Alien 3", ("war",), "movie_to_tags"),
    asked(f"what films are about {SLOT}?", "war", ("Alien 3", "Alien"), "tag_to_movie"),
)


def test_a_name_is_written_as_the_knowledge_base_writes_it(spell):
    # A movie is known by its title, of two the one with more facts; a tag stays a tag.
    assert [spell(name) for name in ("ALIEN", "Alien", "alien")] == ["Alien", "Alien", "alien"]
    assert spell("comedy") == spell("Comedy") == "Comedy"
    assert [spell(name) for name in ("$", "Nobody")] == ["$", "Nobody"]
    assert [spell.title(text) for text in ("alien", "her", "unlisted")] == [
        "Alien", "Her", "unlisted"
    ]  # fmt: skip


def test_names_are_found_without_case_and_accents(spell):
    found = spell.mentions("her alien 3 and rene clair an alien comedy")
    assert found == [
        EntitySpan("Alien 3", 4, 11),
        EntitySpan("René Clair", 16, 26),
        EntitySpan("alien", 30, 35),
        EntitySpan("Comedy", 36, 42),
    ]  # "her" is a stop word, though it is a movie too


def test_facts_and_questions_are_written_alike(spell):
    test = (asked("is {}?", "ALIEN", ("comedy", "Comedy"), "movie_to_genre"),)
    movies = WikiMovies(ENTITIES, tuple(TRIPLES), Split({"train": QUESTIONS[1:], "test": test}, 7))
    same = spell.of(movies)
    assert same.triples[0] == Triple("Alien", "has_tags", "alien")
    assert Triple("Alien 3", "has_tags", "Comedy") in same.triples
    (one,) = same.split.sides["test"]
    assert (one.entity, one.question.answers) == ("Alien", ("Comedy",))
    assert one.question.text == test[0].question.text
    assert same.split.dropped == 7
    assert same.split.entities("test") == {"Alien"}


def test_a_plot_is_one_sentence_that_begins_with_its_title(spell):
    reading = read_plot("Alien", "rene clair meets her", spell.mentions)
    assert reading.sentences == ("Alien rene clair meets her",)
    words = [(token.word, token.is_entity) for token in reading.tokens]
    assert words == [("Alien", True), ("René Clair", True), ("meets", False), ("her", False)]
    assert [reading.sentences[0][one.start : one.end] for one in reading.tokens][1] == "rene clair"
    (_, window) = window_slots(reading, width=3)
    assert window[:2] == (("Alien", "René Clair", "meets"), ("René Clair",))


def test_the_plots_of_the_movies_that_are_known_are_read(spell):
    memory = PlotMemory(PLOTS)
    assert [one.title for one in memory.readings({"Alien", "Alien 3"}, spell)] == [
        "Alien", "Alien 3"
    ]  # fmt: skip
    assert [one.title for one in memory.readings({"unlisted"}, spell)] == ["unlisted"]


def test_what_plots_hold_is_learnt_from_alone():
    memory = PlotMemory(PLOTS)
    held = memory.knowledge(TRIPLES)
    assert held.answers("Alien", "directed_by") == ["René Clair"]
    assert held.answers("Alien 3", "has_tags") == ["comedy"]
    assert held.answers("war", "!has_tags") == []
    test = (asked(f"is {SLOT} good?", "Red", ("Love",), "movie_to_tags"),)
    taught = list(memory.taught(Split({"train": QUESTIONS, "test": test}, 0)))
    assert [one.question.answers for one in taught] == [("René Clair",), ("Alien",)]
    assert [one.question.text for one in taught] == [
        "who directed Alien?", "what films are about war?"
    ]  # fmt: skip


def test_a_name_of_another_side_is_no_answer_in_training():
    test = (asked(f"is {SLOT} good?", "Alien", ("war",), "movie_to_tags"),)
    split = Split({"train": QUESTIONS[2:], "test": test}, 0)
    assert list(PlotMemory(PLOTS).taught(split)) == []


def test_a_name_that_is_on_two_sides_when_written_alike_stays_on_the_later(spell):
    sides = {
        "train": (*QUESTIONS, asked(f"{SLOT}?", "ALIEN", ("war",), "movie_to_tags")),
        "valid": (asked(f"is {SLOT}?", "Comedy", ("Her",), "tag_to_movie"),),
        "test": (
            asked(f"was {SLOT}?", "Alien", ("war",), "movie_to_tags"),
            asked(f"on {SLOT}?", "comedy", ("Her",), "tag_to_movie"),
        ),
    }
    split = spell.of(WikiMovies(ENTITIES, tuple(TRIPLES), Split(sides, 7))).split
    assert list(split.sides) == ["train", "valid", "test"]
    assert [split.entities(side) for side in split.sides] == [
        {"Alien 3", "war"}, set(), {"Alien", "Comedy"}
    ]  # fmt: skip
    assert split.dropped == 7 + 3


def test_classes_come_as_often_as_where_plots_answer():
    split = Split({"train": QUESTIONS, "test": ()}, 0)
    made = list(made_questions(split, Knowledge(TRIPLES), 50, 0, QUESTIONS[:1]))
    assert {one.category for one in made} == {"movie_to_director"}
    both = {one.category for one in made_questions(split, Knowledge(TRIPLES), 50, 0)}
    assert both == {"movie_to_director", "movie_to_tags", "tag_to_movie"}


def test_where_no_fact_can_be_asked_about_nothing_is_made():
    split = Split({"train": QUESTIONS, "test": ()}, 0)
    with pytest.raises(
        ValueError, match=r"no training question can be made: no fact of the memory"
    ):
        list(made_questions(split, Knowledge([]), 50, 0))


def test_a_question_names_what_it_asks_about_as_plots_do(spell):
    recogniser = Recogniser(ENTITIES, ["who?"], lambda name: {"Red": "RED"}.get(name, name))
    found = recogniser.read(asked(f"who made {SLOT}?", "Red", (), ""))
    assert (found.words, found.entity) == (("who", "made", "RED", "?"), "RED")
    assert list(recogniser.every_name("The Movie Red")) == ["The Movie", "RED"]


SLOTS = [
    Slot(("Red", "a", "b"), ("Red",)),
    Slot(("Red", "war"), ("war",)),
    Slot(("Red", "by", "K.", "directed"), ("K.",)),
    Slot(("Red", "war", "x"), ("war", "plain")),
]
KNOWN = {"Red", "war", "K."}


def found_untaught(answers, slots=(0, 1, 2, 3), seed=0):
    words = ("who", "directed", "Red")
    one = WordsAsked(words, "Red", answers, "")
    return untaught([one], [words], [slots], SLOTS, KNOWN, seed)


def test_what_needs_no_learning_by_hand():
    assert found_untaught(("war",))["untaught/frequent"] == 1
    assert found_untaught(("war",))["untaught/overlap"] == 0
    assert found_untaught(("K.",))["untaught/overlap"] == 1
    assert found_untaught(("K.",))["untaught/reachable"] == 1
    # The entity asked about and words that are no names are no answers.
    for none in (("Red",), ("plain",)):
        assert set(found_untaught(none).values()) == {0}
    drawn = {found_untaught(("K.",), seed=seed)["untaught/random"] for seed in range(9)}
    assert drawn == {0, 1}


@pytest.mark.parametrize("slots", [(), (0,)])
def test_where_nothing_can_be_read_nothing_is_right(slots):
    assert set(found_untaught(("Red", "war"), slots).values()) == {0}


def test_coverage_is_told_in_words_and_figures():
    coverage = {"valid": PlotCoverage(0, 0, 0), "test": PlotCoverage(4_000, 3_000, 250)}
    assert list(coverage_in_words(coverage)) == [
        "valid: 0 questions, 0 about a movie with a plot, 0 that a plot can answer (none)",
        "test: 4,000 questions, 3,000 about a movie with a plot, 250 that a plot can answer (6.2%)",
    ]
    assert shares(coverage["test"]) == {
        "coverage/questions": 4000.0,
        "coverage/with_plot": 0.75,
        "coverage/answerable": 0.0625,
    }


def test_the_interval_of_a_share_by_hand():
    assert wilson(0.5, 100) == pytest.approx((0.40383, 0.59617), abs=1e-5)
    assert wilson(0.0, 10) == pytest.approx((0.0, 0.27754), abs=1e-5)
    assert wilson(1.0, 10) == pytest.approx((0.72246, 1.0), abs=1e-5)


def test_every_layout_of_plots_is_a_row():
    table = kv_memnn_plots()
    rows = {figure.row for entry in table.entries for figure in entry.figures}
    assert {f"plots: {layout}" for layout in LAYOUTS} <= rows
    assert {row for pair in table.contrasts for row in pair} <= rows
    assert table.seeds >= 5
    assert {one.run.data.questions for one in table.entries} == {"in plots"}


FILMS = ["Amber Road", "Blue Tide", "Cold Harbour", "Dust", "Étude", "Ferry"]
FILMS += ["Glass", "Hollow", "Iris", "Jade", "Kiosk", "Lantern"]
MAKERS = ["Ana Ruiz", "Bo Lind", "Cy Dahl", "Di Foy", "Éva Nagy", "Fay Moss"]
MAKERS += ["Gus Hall", "Hal Ito", "Ida Juhl", "Jo Kerr", "Kim Lux", "Lee Moe"]
TEMPLATES = {
    "movie_to_director": ("who directed {}?", "the director of {} was?", "{} is directed by whom?"),
    "director_to_movie": ("what did {} direct?", "{} is the director of?", "films {} has made?"),
}
PATTERN = "{} shoots a tale of the sea"


@pytest.fixture
def folder(tmp_path) -> Path:
    """Write a WikiMovies of twelve films, of which nine have a plot that names the director."""
    place = tmp_path / "wikimovies"
    place.joinpath("categories").mkdir(parents=True)
    pairs = list(zip(FILMS, MAKERS, strict=True))
    every = []
    for kind, templates in TEMPLATES.items():
        lines = []
        for number, (film, maker) in enumerate(pairs):
            about, answer = (film, maker) if kind.startswith("movie") else (maker, film)
            lines.append(f"1 {templates[number % 3].format(about)}\t{answer}\n")
        place.joinpath("categories", f"wiki-entities_qa_{kind}_dev.txt").write_text("".join(lines))
        every += lines
    place.joinpath("wiki-entities_qa_dev.txt").write_text("".join(every))
    place.joinpath("entities.txt").write_text("\n".join([*FILMS, *MAKERS, "sea"]) + "\n")
    facts = (f"{film}|directed_by|{maker}\n" for film, maker in pairs)
    place.joinpath("kb_triples.txt").write_text("".join(facts))
    plain = {name: name.lower().replace("é", "e") for name in FILMS + MAKERS}
    plots = (
        f"{plain[film]}|has_plot|{PATTERN.format(plain[maker] if n % 4 else 'nobody')}\n"
        for n, (film, maker) in enumerate(pairs)
    )
    place.joinpath("omdb_plots.txt").write_text("".join(plots))
    return place


@pytest.fixture
def arguments(folder):
    return ["--data.path", str(folder), "--data.made", "64", "--model.dim", "32"]


@pytest.mark.filterwarnings("ignore:.*(records, where|not the published file):UserWarning")
def test_plots_are_learnt_asked_and_shown(folder, arguments, tmp_path, capsys):
    run = tmp_path / "run"
    assert main(["train", "kv_memnn/wikimovies-plots", *arguments, "--out", str(run)]) == 0
    told = capsys.readouterr().out
    lines = told.splitlines()
    assert lines[0].startswith("valid: ")
    assert " that a plot can answer (" in lines[1]
    assert "update" not in lines[0] + lines[1]
    question = f"who directed {FILMS[1]}?"
    assert main(["ask", str(run), "--question", question]) == 0
    assert f"{FILMS[1]} {MAKERS[1]} shoots a tale" in capsys.readouterr().out.replace("\n", " ")
    assert main(["report", str(run)]) == 0
    page = run.joinpath("report", "index.html").read_text()
    assert "shoots a tale" in page


@pytest.mark.filterwarnings("ignore:.*(records, where|not the published file):UserWarning")
def test_only_what_plots_answer_is_asked(folder):
    data = WikiMoviesData(path=folder, memory="plots", questions="in plots", made=32)
    sources = data.load(0)
    without = {name for n in range(0, len(FILMS), 4) for name in (FILMS[n], MAKERS[n])}
    for side in (sources.train, sources.valid, sources.test):
        assert not without & {word for one in side for word in (one.entity, *one.answers)}
    for side in ("valid", "test"):
        asked = getattr(sources, side)
        assert sources.coverage[side].answerable == len(asked)
    everything = dataclasses.replace(data, questions="all").load(0)
    assert len(everything.test) == sources.coverage["test"].questions > len(sources.test)
    facts = dataclasses.replace(data, memory="facts").load(0)
    assert [one.text for one in facts.test] == [one.text for one in sources.test]
    assert facts.coverage == sources.coverage
    assert not dataclasses.replace(data, memory="facts", questions="all").load(0).coverage
    assert wikimovies_plots().data.questions == "in plots"


@pytest.mark.filterwarnings("ignore:.*(records, where|not the published file):UserWarning")
def test_plots_that_answer_nothing_are_refused(folder):
    plots = folder / "omdb_plots.txt"
    plots.write_text("dust|has_plot|nobody shoots a tale\n")
    data = WikiMoviesData(path=folder, memory="plots", questions="in plots")
    with pytest.raises(ValueError, match=r"no plot answers any of \d+ questions of a side"):
        data.load(0)


@pytest.mark.filterwarnings("ignore:.*(records, where|not the published file):UserWarning")
@pytest.mark.parametrize("memory", ["facts", "plots"])
def test_what_is_said_and_known_of_every_side_reaches_the_run(folder, memory):
    training = KVMemNNTraining(
        batch=5, epochs=3, learning_rate=0.25, negatives=7, word_dropout=0.125
    )
    data = WikiMoviesData(path=folder, memory=memory, made=20)
    run = KVMemNNWikiMovies(data=data, model=KVMemNNModel(dim=3), training=training)
    prepared, sources = run.prepare(), data.load(0)
    experiment = prepared.experiment
    task, (phase,) = experiment.task, experiment.phases
    assert (task.batch, task.negatives, task.word_dropout) == (5, 7, 0.125)
    epoch = task.updates_per_epoch
    assert (phase.updates, phase.evaluate_every) == (3 * epoch, epoch)
    assert phase.learning_rate(0) == 0.25
    assert phase.learning_rate(epoch) == pytest.approx(0.25 * 2 / 3)
    assert (experiment.reduction, task.categories) == ("mean", CLASSES)
    assert prepared.data.name == "WikiMovies dev questions by template and entity"
    assert not task.questions["train"].marks
    assert not task.questions["train"].figures
    hashing = Hashing(sources)
    baseline = SymbolicBaseline(sources.movies.split, sources.knowledge)
    for side in ("valid", "test"):
        asked, numbered = getattr(sources, side), task.questions[side]
        assert asked
        assert [CLASSES[n] for n in numbered.category.tolist()] == [one.category for one in asked]
        assert numbered.marks["in_kb"].all()  # all facts are those of the questions
        right = [baseline.answer(one) in one.answers for one in asked]
        assert numbered.marks["symbolic"].tolist() == right
        rows = [numbered.candidates.row(n) for n in range(len(asked))]
        assert rows == [hashing.candidates(one.entity) for one in asked]
        assert numbered.number == len(asked)
        told = numbered.figures
        if memory == "facts":
            assert not told
            for one, slots in zip(asked, rows, strict=True):
                assert {sources.slots[n].key[0] for n in slots} == {f"1:{one.entity}"}
            continue
        assert told["coverage/asked"] == len(asked)
        assert told["coverage/questions"] == sources.coverage[side].questions
        assert 0 <= told["untaught/frequent"] <= told["untaught/reachable"] <= 1


@pytest.mark.filterwarnings("ignore:.*(records, where|not the published file):UserWarning")
def test_what_is_learnt_from_is_made_and_then_asked_by_people(folder):
    data = WikiMoviesData(path=folder, made=20)
    sides = load(folder).split.sides
    texts = {side: {one.question.text for one in asked} for side, asked in sides.items()}
    for learn_valid in (True, False):
        train = dataclasses.replace(data, learn_valid=learn_valid).load(0).train
        assert {one.text for one in train[:20]} == {""}
        known = [one.text for one in train[20:]]
        assert known
        assert not texts["test"] & {*known}
        assert bool(texts["valid"] & {*known}) is learn_valid
    few = dataclasses.replace(data, asked=2).load(0)
    assert {one.text for one in few.train} == {""}
    assert (len(few.valid), len(few.test), len(few.train)) == (1, 2, 20)
    names = {one.entity for one in (*few.valid, *few.test)}
    names |= {name for one in (*few.valid, *few.test) for name in one.answers}
    held = {word.removeprefix("1:") for slot in few.slots for word in (slot.key[0], *slot.value)}
    assert names <= held
    assert len(held) == 2 * 2 * len(names & {*FILMS})
