"""Paths of facts as a run, as a command and as a table, on films that are made here."""

import json
import random
from itertools import pairwise

import pytest
import torch

from elsewhere import check_task
from memnets.cli.main import main
from memnets.data.facts import Triple
from memnets.data.qa.metaqa import MetaQAQuestion
from memnets.data.qa.wikimovies import Entities
from memnets.inference import load_run
from memnets.studies import table
from memnets.studies.metaqa.data import (
    Asked,
    Facts,
    MetaQAData,
    Walker,
    chooses,
    digest,
    made,
    spread,
    topic_of,
    with_paths,
)
from memnets.studies.metaqa.english import is_reversed
from memnets.studies.metaqa.overlap import answered_by_words, follow
from memnets.studies.metaqa.recipes import KVPathsModel, KVPathsTraining, MetaQA
from memnets.studies.metaqa.task import PathVocabulary

SMALL = [
    *("--data.made", "1200", "--data.checked", "40", "--model.dim", "24", "--model.hidden", "24"),
    *("--model.dropout", "0", "--training.epochs", "3", "--training.learning-rate", "0.01"),
    *("--training.batch", "32", "--training.word-dropout", "0.02"),
]
pytestmark = [
    pytest.mark.filterwarnings("ignore:.*this is not the published file"),
    pytest.mark.filterwarnings("ignore:.*records, where .* were published"),
]
FILMS, PEOPLE = [f"Film {number}" for number in range(30)], [f"Ann {n}" for n in range(24)]


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
    1: [
        *("who directed []", "who wrote []", "who is the director of []", "who is in []"),
        *("who was [] written by", "which actors starred in []", "who was [] directed by"),
    ],
    2: [
        *("which films share the director with []", "the writer of [] also wrote which films"),
        *("which movies have the same actor as []", "the films by the director of [] were what"),
    ],
    3: ["when were the films directed by the director of [] released", "who can say of [] what"],
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
        for frame in frames:
            for film in FILMS:
                answers = directors(facts, film)
                lines.append(f"{frame.replace('[]', f'[{film}]')}\t{'|'.join(answers)}\n")
        lines.append("who directed [Lost Film]\tAnn 1\n")
        (folder / f"metaqa_{hops}hop_dev.txt").write_text("".join(lines))
    return folder


def directors(facts, film):
    slot = facts.slots.index("directed_by")
    return [facts.names[end] for end in facts.ends[slot][facts.number[film]]]


@pytest.fixture(scope="module")
def run(data, tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / "one"
    options = ["--data.path", f"{data}", *SMALL, "--out", f"{folder}"]
    assert main(["train", "metaqa/paths", *options]) == 0
    return folder


def small_run(data, **given):
    return MetaQA(
        data=MetaQAData(data, made=40, checked=9, **given),
        model=KVPathsModel(dim=3, hidden=3, least=1),
        training=KVPathsTraining(batch=7),
    )


def test_paths_are_learnt_from_made_questions(run):
    metrics = json.loads((run / "result.json").read_text())["metrics"]
    assert metrics["train"]["paths"] >= 0.6
    assert metrics["valid"]["paths"] >= 0.5
    assert metrics["train"].keys() == {"loss", "paths"}
    hits = {f"{name}_{hops}" for name in ("hits", "known") for hops in (1, 2, 3)}
    assert metrics["test"].keys() == {"loss", "paths", "hits"} | hits


def test_an_answer_has_its_path_as_evidence(run, facts):
    answer = load_run(run).ask("who directed Film 7?")
    assert answer.text in directors(facts, "Film 7")
    assert 0 < answer.probability <= 1
    first = answer.steps[0]
    assert first.name == "hop 1"
    assert first.most_read.text == f"Film 7 | directed_by | {answer.text}"
    assert {support.text.split(" | ")[1] for support in first.supports} == {
        *("directed_by", "written_by", "starred_actors", "release_year", "has_genre")
    }
    assert answer.gold is None
    assert load_run(run).ask("who directed [Film 7]").text == answer.text


def test_the_second_hop_shows_what_reads_on(run, facts):
    answer = load_run(run).ask("which genres are the films directed by Ann 3?")
    assert len(answer.steps) >= 2
    texts = [support.text for support in answer.steps[1].supports]
    assert "(that is the answer)" in texts
    assert sum(step.weight for step in answer.steps[1].supports) == pytest.approx(1)
    assert all("Ann 3" not in text.split(" | ")[-1] for text in texts)  # no path returns


def test_unknown_words_are_named(run):
    assert load_run(run).ask("who xylographed [Film 7]?").unknown_words == ("xylographed",)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("who made it?", r"'who made it\?' names nothing that the facts know\. Write the name"),
        ("who directed [Nothing]?", r"the facts know of no 'Nothing'\. Write the name"),
    ],
)
def test_what_the_facts_do_not_know_is_said(run, asked, said):
    with pytest.raises(ValueError, match=said):
        load_run(run).ask(asked)


def test_examples_are_of_a_number_of_hops_or_of_all(run):
    answerer = load_run(run)
    every, two = ([*answerer.examples("test", task)] for task in (0, 2))
    assert 0 < len(two) < len(every)
    assert all(answer.gold is not None and answer.correct is not None for answer in every)


def test_a_report_is_written(run, tmp_path):
    assert main(["report", f"{run}", "--out", f"{tmp_path / 'page'}", "--right", "1"]) == 0
    assert "directed_by" in (tmp_path / "page" / "index.html").read_text()


def test_no_template_is_on_both_halves(data):
    sources = MetaQAData(data, made=1, checked=10_000).load(0)
    halves = [{one.words for one in part} for part in sources.asked.values()]
    assert all(halves)
    assert halves[0].isdisjoint(halves[1])
    assert sum(map(len, sources.asked.values())) == 30 * sum(map(len, FRAMES.values())) + 3
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


def test_one_hop_adds_questions_of_the_choosing_half_alone(data):
    alone, beside = (MetaQAData(data, made=5, one_hop=one).load(0) for one in (False, True))
    added = beside.train[5:]
    assert alone.train == beside.train[:5]
    assert added
    tested = {one.words for one in beside.asked["test"]}
    assert not tested & {one.words for one in added}
    assert digest(alone) == digest(beside)


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


def test_words_and_their_beginnings_are_known_where_they_come_often_enough(facts):
    questions = [one._replace(words=("film", "films", "rare")) for one in made(facts, 2, 0)]
    vocabulary = PathVocabulary.of(questions, least=3, letters=4)
    assert vocabulary.language.words == ("^film",)  # of "film" and of "films"
    assert vocabulary.parts("filmed") == [1, 2] == vocabulary.parts_unknown("film")
    plain = PathVocabulary.of(questions, least=2, letters=0)
    assert plain.language.words == ("film", "films", "rare")
    again = PathVocabulary.from_json(json.loads(json.dumps(plain.to_json())))
    assert again.parts("films") == plain.parts("films") == [3]


def test_the_task_is_the_same_on_another_device(data):
    experiment = small_run(data).prepare().experiment
    experiment.model.reader.fusion = None  # torch packs sequences by lengths of the CPU
    check_task(experiment.task, experiment.model, {"train": None})


def test_the_weights_are_drawn_from_the_seed(data):
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
