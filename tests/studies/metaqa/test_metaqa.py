"""Paths of facts as a run, as a command and as a table, on films that are made here."""

import json
import random
import re
import shutil
from itertools import pairwise
from unittest.mock import Mock

import jaxtyping
import pytest
import torch

from elsewhere import check_task
from judging import check_like_asked
from memnets.cli.main import main
from memnets.data.facts import Triple
from memnets.data.qa.metaqa import MetaQAQuestion
from memnets.data.qa.wikimovies import Entities
from memnets.inference import judge, load, load_run
from memnets.studies import table
from memnets.studies.metaqa import data as study_data
from memnets.studies.metaqa.data import (
    Asked,
    Facts,
    MetaQAData,
    Taught,
    Walker,
    chooses,
    digest,
    made,
    spread,
    topic_of,
    with_paths,
)
from memnets.studies.metaqa.english import is_reversed
from memnets.studies.metaqa.inference import NOTHING
from memnets.studies.metaqa.overlap import answered_by_words, follow
from memnets.studies.metaqa.recipes import KVPathsModel, KVPathsTraining, MetaQA
from memnets.studies.metaqa.task import PathVocabulary, TaughtPaths, memory_of

SMALL = [
    *("--data.made", "600", "--data.checked", "40", "--model.dim", "24", "--model.hidden", "24"),
    *("--model.dropout", "0", "--training.epochs", "3", "--training.learning-rate", "0.02"),
    *("--training.batch", "32", "--training.word-dropout", "0.02"),
]
pytestmark = [
    pytest.mark.usefixtures("shapes_unchecked"),
    pytest.mark.filterwarnings("ignore:.*this is not the published file"),
    pytest.mark.filterwarnings("ignore:.*records, where .* were published"),
]
FILMS, PEOPLE = [f"Film {number}" for number in range(16)], [f"Ann {n}" for n in range(14)]


def told():
    """Tell films by people, all of them of two years and genres."""
    draw = random.Random(0)
    for film in FILMS:
        first, *others = draw.sample(PEOPLE, 5)
        yield Triple(film, "directed_by", first)
        yield Triple(film, "written_by", others[0])
        yield from (Triple(film, "starred_actors", name) for name in others[1:])
        yield Triple(film, "release_year", draw.choice(("1990", "1991")))
        yield Triple(film, "has_genre", draw.choice(("Drama", "War")))


FRAMES = {
    1: {
        **dict.fromkeys(("who directed []", "who is the director of []"), ("directed_by",)),
        **dict.fromkeys(("who wrote []", "who is the writer of []"), ("written_by",)),
        **dict.fromkeys(("who starred in []", "who acted in []"), ("starred_actors",)),
    },
    2: {
        "which films share the director with []": ("directed_by", "!directed_by"),
        "which films have the same director as []": ("directed_by", "!directed_by"),
        "which films have the same writer as []": ("written_by", "!written_by"),
        "the writer of [] also wrote which films": ("written_by", "!written_by"),
        "which films share actors with []": ("starred_actors", "!starred_actors"),
    },
    3: {
        "when were films by actors of [] released": (
            *("starred_actors", "!starred_actors", "release_year"),
        ),
        "who directed films that share actors with []": (
            *("starred_actors", "!starred_actors", "directed_by"),
        ),
        "what genres are films with actors of []": (
            *("starred_actors", "!starred_actors", "has_genre"),
        ),
        "who wrote films that share actors with []": (
            *("starred_actors", "!starred_actors", "written_by"),
        ),
    },
}


@pytest.fixture(scope="module")
def facts():
    return Facts(told())


@pytest.fixture(scope="module")
def data(tmp_path_factory, facts):
    folder = tmp_path_factory.mktemp("data") / "wikimovies"
    folder.mkdir()
    (folder / "kb_triples.txt").write_text("".join("|".join(one) + "\n" for one in told()))
    (folder / "entities.txt").write_text("".join(f"{name}\n" for name in facts.names))
    for hops, frames in FRAMES.items():
        lines = []
        for frame, path in frames.items():
            for film in FILMS:
                if answers := led_to(facts, film, path):
                    lines.append(f"{frame.replace('[]', f'[{film}]')}\t{'|'.join(answers)}\n")
        lines.append("who directed [Lost Film]\tAnn 1\n")
        (folder / f"metaqa_{hops}hop_dev.txt").write_text("".join(lines))
    return folder


def led_to(facts, film, path):
    """Return what a path leads to from a film, which it never returns to."""
    topic = facts.number[film]
    reached = {topic}
    for name in path:
        ends = facts.ends[facts.slots.index(name)]
        reached = {end for entity in reached for end in ends.get(entity, ())} - {topic}
    return sorted(facts.names[entity] for entity in reached)


def directors(facts, film):
    return led_to(facts, film, ("directed_by",))


@pytest.fixture(scope="module")
def run(data, tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "one"
    options = ["--data.path", f"{data}", *SMALL, "--out", f"{folder}"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(study_data, "HELD", 60)
        jaxtyping.config.update("jaxtyping_disable", True)  # as `shapes_unchecked`, for a module
        assert main(["train", "metaqa/paths", *options]) == 0
    jaxtyping.config.update("jaxtyping_disable", False)
    return folder


@pytest.fixture(scope="module")
def answerer(run):
    return load_run(run)


def small_run(data):
    return MetaQA(
        data=MetaQAData(data, made=40, checked=9),
        model=KVPathsModel(dim=3, hidden=3, least=1, dropout=0.0),
        training=KVPathsTraining(batch=7),
    )


def test_paths_are_learnt_from_made_questions(run):
    metrics = json.loads((run / "result.json").read_text())["metrics"]
    assert metrics["train"]["paths"] >= 0.5
    assert metrics["test"]["hits_1"] >= 0.5
    assert metrics["train"].keys() == {"loss", "paths"}
    hits = {f"{name}_{hops}" for name in ("hits", "known") for hops in (1, 2, 3)}
    assert metrics["test"].keys() == {"loss", "paths", "hits"} | hits


def test_an_answer_has_its_path_as_evidence(answerer, facts):
    answer = answerer.ask("who directed Film 7?")
    assert answer.text in directors(facts, "Film 7")
    assert 0 < answer.probability <= 1
    first = answer.steps[0]
    assert first.name == "hop 1"
    assert first.most_read.text == f"Film 7 | directed_by | {answer.text}"
    assert {support.text.split(" | ")[1] for support in first.supports} == {
        *("directed_by", "written_by", "starred_actors", "release_year", "has_genre")
    }
    assert answer.gold is None
    assert answerer.ask("who directed [Film 7]").text == answer.text


def test_the_second_hop_shows_what_reads_on(answerer, facts):
    answer = answerer.ask("which genres are the films directed by Ann 3?")
    assert len(answer.steps) >= 2
    read = [support.text.split(" | ") for support in answer.steps[0].supports]
    assert all(names[-1] == "Ann 3" and names[0].startswith("Film") for names in read)
    texts = [support.text for support in answer.steps[1].supports]
    assert "(that is the answer)" in texts
    assert sum(support.weight for support in answer.steps[1].supports) == pytest.approx(1)
    assert all("Ann 3" not in text.split(" | ")[-1] for text in texts)  # no path returns


def test_a_file_of_questions_is_answered_as_they_are_alone(answerer, data, facts):
    for hops in FRAMES:
        path = data / f"metaqa_{hops}hop_dev.txt"
        found = answerer.judge(path)
        assert found.metrics.keys() == {"hits", f"hits_{hops}"}
        assert {one.asked.kind for one in found.judged} == {f"hops {hops}"}
        by_text = {one.asked.text: one for one in found.judged}
        answers = list(answerer.examples("test", hops))
        check_like_asked(
            [by_text[one.question] for one in answers if one.text != NOTHING],
            [one for one in answers if one.text != NOTHING],
        )
        hits = sum(by_text[one.question].is_right for one in answers) / len(answers)
        assert hits == pytest.approx(answerer.metrics["test"][f"hits_{hops}"])
        lost = by_text["who directed [Lost Film]"]
        assert (lost.verdict, lost.given) == ("declined", ())


def test_facts_that_have_moved_are_read_where_they_are(run, data, tmp_path, monkeypatch, capsys):
    moved = tmp_path / "wikimovies"
    shutil.copytree(data, moved)
    mock = Mock(side_effect=study_data.load_triples)
    monkeypatch.setattr(study_data, "load_triples", mock)
    command = ["ask", f"{run}", "--question", "who directed [Film 7]?", "--json"]
    assert main([*command, "--data", f"{moved}"]) == 0
    assert [call.args for call in mock.call_args_list] == [(moved,)]
    moved_answer = capsys.readouterr().out
    assert main(command) == 0
    assert capsys.readouterr().out == moved_answer
    assert judge(run, moved / "metaqa_1hop_dev.txt", moved).judged
    (moved / "kb_triples.txt").write_text("Film 7|directed_by|Ann 1\n")
    with pytest.raises(ValueError, match=r"this run was begun with WikiMovies. facts"):
        load(run, data=moved)


def test_a_line_of_another_form_is_named(answerer, tmp_path):
    (tmp_path / "mine.txt").write_text("who directed [Film 7]\tAnn 1\nwho directed Film 7\tAnn 1\n")
    with pytest.raises(
        ValueError, match=r"mine\.txt:2: came 'who.*expected question with \[entity"
    ):
        answerer.judge(tmp_path / "mine.txt")
    (tmp_path / "mine.txt").write_text("who directed [Film 7]\tAnn 1\n")
    assert answerer.judge(tmp_path / "mine.txt").metrics.keys() == {"hits"}  # of no number of hops


def test_unknown_words_are_named(answerer):
    assert answerer.ask("who xylographed [Film 7]?").unknown_words == ("xylographed",)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("who made it?", r"'who made it\?' names nothing that the facts know\. Write the name"),
        ("who directed [Nothing]?", r"the facts know of no 'Nothing'\. Write the name"),
    ],
)
def test_what_the_facts_do_not_know_is_said(answerer, asked, said):
    with pytest.raises(ValueError, match=said):
        answerer.ask(asked)


def test_examples_are_of_a_number_of_hops_or_of_all(answerer):
    every, two = ([*answerer.examples("test", task)] for task in (0, 2))
    assert 0 < len(two) < len(every)
    assert all(answer.gold is not None and answer.correct is not None for answer in every)
    lost = [answer for answer in every if "[Lost Film]" in answer.question]
    assert {answer.text for answer in lost} == {"(nothing)"}  # the facts know of no such film


def test_a_report_is_written(run, tmp_path):
    assert main(["report", f"{run}", "--out", f"{tmp_path / 'page'}", "--right", "1"]) == 0
    page = (tmp_path / "page" / "index.html").read_text()
    assert "Film 0 | has_genre | " in re.sub("<[^>]*>", "", page)


def test_no_template_is_on_both_halves(data):
    sources = MetaQAData(data, checked=10_000).load()
    halves = [{one.words for one in part} for part in sources.asked.values()]
    assert all(halves)
    assert halves[0].isdisjoint(halves[1])
    assert sum(map(len, sources.asked.values())) > 150
    films = (MetaQAQuestion("who directed []", film, ("Ann 1",), 1) for film in FILMS)
    assert len({chooses(one) for one in films}) == 1


def test_so_many_questions_of_each_number_of_hops_choose():
    asked = [Asked((), number, (), 1, "") for number in range(10)]
    assert [one.topic for one in spread(asked, 4)] == [0, 2, 5, 7]
    assert spread(asked, 99) == asked


def test_paths_hold_in_the_facts_and_never_return(facts):
    walker = Walker(facts, random.Random(2))
    lengths = set()
    for _ in range(300):
        topic, path = walker.path()
        lengths.add(len(path))
        directions = [is_reversed(facts.slots[slot]) for slot in path]
        assert all(one != other for one, other in pairwise(directions))
        reached = {topic}
        for slot in path:
            ends = (facts.ends[slot].get(entity, ()) for entity in reached)
            reached = {end for some in ends for end in some} - {topic}
        assert reached
    assert lengths == {1, 2, 3}


def test_a_film_that_is_called_like_a_person_is_not_taken_for_one():
    both = Facts([Triple("Film", "directed_by", "Frida"), Triple("Frida", "directed_by", "Julie")])
    walker = Walker(both, random.Random(0))
    assert {len(path) for _, path in (walker.path() for _ in range(40))} == {1}


def test_the_seed_decides_what_is_made(facts):
    first, again, other = ([*made(facts, 20, seed)] for seed in (0, 0, 1))
    assert first == again != other


def test_questions_of_one_hop_are_learnt_from_where_one_slot_has_their_answers(facts):
    film, slot = facts.number["Film 3"], facts.slots.index("written_by")
    writers = tuple(facts.names[end] for end in facts.ends[slot][film])
    asked = Asked(("who",), film, writers, 1, "")
    (taught,) = with_paths([asked], facts)
    assert (taught.topic, taught.path) == (film, (slot,))
    assert not [*with_paths([asked._replace(answers=("Nobody",))], facts)]
    both = Facts([Triple("A", "directed_by", "B"), Triple("A", "written_by", "B")])
    assert not [*with_paths([Asked(("who",), both.number["A"], ("B",), 1, "")], both)]


def test_one_hop_adds_questions_of_the_choosing_half_alone(data, monkeypatch):
    monkeypatch.setattr(study_data, "HELD", 3)
    sources = MetaQAData(data).load()
    alone, beside = (
        MetaQAData(data, made=5, one_hop=one).lessons(sources.facts, 0) for one in (False, True)
    )
    assert alone.train == beside.train[:5]
    added = {one.words for one in beside.train[5:]}
    assert added == {one.words for one in sources.asked["valid"] if one.hops == 1}
    assert added.isdisjoint(one.words for one in sources.asked["test"])


def test_the_checksum_is_of_facts_and_of_questions(data, facts):
    sources = MetaQAData(data).load()
    assert digest(sources) == digest(MetaQAData(data, one_hop=True).load())
    assert digest(sources) != digest(sources._replace(asked={"test": sources.asked["test"]}))
    fewer = Facts([*told()][1:])
    assert digest(sources) != digest(sources._replace(facts=fewer))


def test_a_topic_stands_between_brackets_or_is_the_longest_name():
    names = Entities(["Kismet", "war", "War and Peace", "the film", "1999"])
    assert topic_of("who made [war]", names) == ("war", ("who", "made", "[]"))
    assert topic_of("who made the film War and Peace?", names) == (
        *("War and Peace", ("who", "made", "the", "film", "[]")),
    )
    assert topic_of("films of war", names)[0] == "war"
    assert topic_of("is the film of 1999 good", names)[0] == "1999"


def test_words_of_relations_answer_what_they_name(facts):
    film = facts.number["Film 5"]
    asked = Asked(("who", "directed", "[]"), film, tuple(directors(facts, "Film 5")), 1, "")
    assert [facts.names[end] for end in follow(facts, asked)] == directors(facts, "Film 5")
    wrong = asked._replace(answers=("1990",))
    assert answered_by_words(facts, [asked, wrong]) == {1: 0.5, 2: 0.0, 3: 0.0}
    assert not follow(facts, asked._replace(topic=-1))


def test_words_of_relations_lead_to_others_by_another_relation_where_both_are_named():
    told = [("A", "directed_by", "X"), ("C", "directed_by", "X"), ("B", "written_by", "X")]
    facts = Facts([Triple(*one) for one in told])

    def reached(*words):
        asked = Asked(words, facts.number["A"], (), 2, "")
        return [facts.names[entity] for entity in follow(facts, asked)]

    assert reached("directed") == ["C"]  # and not A again
    assert reached("directed", "wrote") == ["B"]


def test_what_is_hashed_along_a_path_is_not_of_the_entity_that_was_asked_about():
    told = [("A", "directed_by", "X"), ("B", "directed_by", "X"), ("A", "has_genre", "War")]
    facts = Facts([Triple(*one) for one in told])
    forth, back = (facts.slots.index(slot) for slot in ("directed_by", "!directed_by"))
    taught = Taught(("who",), facts.number["A"], (forth, back))
    vocabulary = PathVocabulary.of([taught], least=1, letters=0)
    paths = TaughtPaths.of([taught], vocabulary, memory_of(facts))
    names = (*facts.slots, "stop")
    hashed = [{names[slot] for slot in hop.nonzero().flatten().tolist()} for hop in paths.hashed[0]]
    # X may lead on, B alone has come of it, and only A has a genre.
    assert hashed == [
        {"directed_by", "has_genre"},
        {"!directed_by", "stop"},
        {"directed_by", "stop"},
    ]


def test_hits_are_counted_by_the_number_of_hops(data, monkeypatch):
    monkeypatch.setattr(study_data, "HELD", 2)
    run = small_run(data)
    experiment = run.prepare().experiment
    found = experiment.task.evaluate(experiment.model.eval(), "test")
    asked = [one.hops for one in run.data.load().asked["test"]]
    for hops in (1, 2, 3):
        assert found[f"hits_{hops}"].weight == found[f"known_{hops}"].weight == asked.count(hops)
    assert found["hits"].weight == len(asked)


def test_words_and_their_beginnings_are_known_where_they_come_often_enough(facts):
    questions = [one._replace(words=("film", "films", "rare")) for one in made(facts, 2, 0)]
    vocabulary = PathVocabulary.of(questions, least=3, letters=4)
    assert vocabulary.language.words == ("^film",)  # of "film" and of "films"
    assert vocabulary.parts("filmed") == [1, 2] == vocabulary.parts_unknown("film")
    plain = PathVocabulary.of(questions, least=2, letters=0)
    assert plain.language.words == ("film", "films", "rare")
    again = PathVocabulary.from_json(json.loads(json.dumps(plain.to_json())))
    assert again.parts("films") == plain.parts("films") == [3]


def test_the_task_is_the_same_on_another_device(data, monkeypatch):
    monkeypatch.setattr(study_data, "HELD", 9)
    experiment = small_run(data).prepare().experiment
    experiment.model.reader.fusion = None  # torch packs sequences by lengths of the CPU
    check_task(experiment.task, experiment.model, {"train": None})


def test_the_weights_are_drawn_from_the_seed(data, monkeypatch):
    monkeypatch.setattr(study_data, "HELD", 1)
    first, again = (small_run(data).prepare().experiment.model for _ in range(2))
    assert all(map(torch.equal, first.parameters(), again.parameters()))


def test_the_table_has_counted_words_and_goes_on(data, tmp_path):
    place = "metaqa", tmp_path / "runs", data
    planned = table("metaqa")
    (jobs,) = planned.stages(*place, "")
    assert len(jobs) == 6
    rows = {row.row: row for row in planned.collect(*place).rows}
    assert rows["words of relations, hops known, 1 hop"].status == "done"
    assert rows["synthesised paths, 2 hops"].target == 90.0
    assert rows["synthesised paths, 3 hops"].published == 48.9
    assert rows["synthesised paths, 3 hops, hops known"].published is None
    assert rows["synthesised paths and questions of one hop, 1 hop"].status == "not run"


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: MetaQAData(made=0), r"data\.made is 0: expected at least 1"),
        (lambda: KVPathsModel(dropout=1.0), r"model\.dropout is 1\.0: expected a share"),
        (lambda: KVPathsTraining(clip=0.0), r"training\.clip is 0\.0"),
    ],
)
def test_what_cannot_be_trained_is_refused(make, said):
    with pytest.raises(ValueError, match=said):
        make()
