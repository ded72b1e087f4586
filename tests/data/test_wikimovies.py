"""WikiMovies' formats: entities inside entities, answers with commas, blocks, plots."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memnets.data.facts import Triple
from memnets.data.qa.wikimovies import (
    CLASSES,
    AnswerSlot,
    Document,
    Entities,
    EntityQuestion,
    MovieQuestion,
    Plot,
    PlotCoverage,
    PlotTexts,
    analyse,
    class_file,
    coverage,
    folded,
    load_class,
    load_entities,
    load_plots,
    load_questions,
    load_triples,
    read_blocks,
    read_documents,
    read_entities,
    read_plots,
    read_questions,
    read_slots,
    read_triples,
)
from memnets.data.rows import BadRows

NAMES = [
    "$",
    "FM",
    "What",
    "Red",
    "Redford",
    "Beauty",
    "Beauty and the Beast",
    "Love, Actually",
    "Love",
    "Actually",
    "harry connick jr.",
    "Les Misérables",
    "the movie",
    "\u00a0",
    "20,000 Leagues",
]


@pytest.fixture
def entities():
    return Entities(NAMES)


def put(path, text: str):
    path.write_text(text, encoding="utf-8", newline="")
    return path


def names(mentions) -> list[str]:
    return [mention.entity for mention in mentions]


def test_entities_are_read_as_they_stand(tmp_path):
    path = put(tmp_path / "entities.txt", "Jean Marais\r\n\u00a0\r\n\r\n=====\r\nJean Marais\r\n$")
    assert read_entities(path).names == ("Jean Marais", "\u00a0", "=====", "$")


def test_an_entity_is_known_in_its_order(entities):
    assert list(entities) == NAMES
    assert len(entities) == len(NAMES)
    assert "Red" in entities
    assert "red" not in entities


def test_the_longest_mention_is_taken(entities):
    assert names(entities.mentions("what was Beauty and the Beast about?")) == [
        "Beauty and the Beast"
    ]
    assert names(entities.every_mention("what was Beauty and the Beast about?")) == [
        "Beauty",
        "Beauty and the Beast",
    ]


def test_only_whole_words_are_mentions(entities):
    assert names(entities.mentions("did Redford see Red, or FMs?")) == ["Redford", "Red"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("what is $ about?", ["$"]),
        ("who is harry connick jr.?", ["harry connick jr."]),
        ("how popular was Les Misérables?", ["Les Misérables"]),
        ("is 20,000 Leagues good?", ["20,000 Leagues"]),
        ("nothing here", []),
        ("", []),
    ],
)
def test_odd_characters_are_found(entities, text, found):
    mentions = entities.mentions(text)
    assert names(mentions) == found
    assert all(text[one.start : one.end] == one.entity for one in mentions)


@pytest.mark.parametrize(
    ("text", "answers"),
    [
        ("Red", ("Red",)),
        ("Red, Love, Actually", ("Red", "Love, Actually")),
        ("Love, Actually, Love", ("Love, Actually", "Love")),
        (
            "Unknown, Love, Actually, 20,000 Leagues",
            ("Unknown", "Love, Actually", "20,000 Leagues"),
        ),
        ("Not, Known", ("Not", "Known")),
    ],
)
def test_answers_end_where_entities_end(entities, text, answers):
    assert entities.split(text) == answers


def test_a_long_match_that_leaves_nothing_known_is_not_taken():
    entities = Entities(["a, b", "a", "b, c"])
    assert entities.split("a, b, c") == ("a", "b, c")


@settings(deadline=None)
@given(st.lists(st.sampled_from([*NAMES, "unknown", "x, y"]), min_size=1, max_size=13))
def test_nothing_is_lost_in_splitting(pieces):
    entities = Entities(NAMES)
    split = entities.split(", ".join(pieces))
    assert ", ".join(split) == ", ".join(pieces)
    if all(piece in entities for piece in pieces):
        assert all(piece in entities for piece in split)


def test_questions_are_read(entities, tmp_path):
    path = put(tmp_path / "q.txt", "1 what is $ about?\tRed, Love, Actually\r\n1 which?\tFM")
    assert read_questions(path, entities, "movie_to_tags") == [
        MovieQuestion("what is $ about?", ("Red", "Love, Actually"), "movie_to_tags"),
        MovieQuestion("which?", ("FM",), "movie_to_tags"),
    ]


@pytest.mark.parametrize(
    "line", ["what?\tRed", "1 what?", "1 what?\tRed\tFM", "1 \tRed", "1 what?\t", "x what?\tRed"]
)
def test_a_line_that_is_no_question_is_refused(entities, tmp_path, line):
    path = put(tmp_path / "q.txt", f"1 which?\tRed\n{line}\n")
    with pytest.raises(
        ValueError, match=r"q\.txt:2: came .*1 question<TAB>answer, answer"
    ) as caught:
        read_questions(path, entities)
    assert repr(line) in str(caught.value)
    bad = BadRows()
    assert len(read_questions(path, entities, bad=bad)) == bad.count == 1


@pytest.mark.parametrize(("split", "form"), [("valid", "full"), ("dev", "wiki")])
def test_questions_that_were_never_published_are_refused(entities, split, form):
    with pytest.raises(ValueError, match=f"'{form}', '{split}': there are no such questions"):
        load_questions(split, entities, form=form)


def test_an_unknown_class_is_refused():
    with pytest.raises(ValueError, match=r"'movie_to_plot': there is no such class.*tag_to_movie"):
        class_file("movie_to_plot", "dev")


def test_questions_get_the_class_of_their_file(entities, tmp_path):
    folder = tmp_path / "questions" / "full"
    (folder / "categories").mkdir(parents=True)
    put(folder / "full_qa_dev.txt", "1 what is $ about?\tFM\n1 who made Red?\tLove\n")
    put(
        folder / "categories" / class_file("movie_to_tags", "dev", "full"), "1 what is $ about?\tFM"
    )
    with pytest.warns(UserWarning, match="full_qa_dev"):
        questions = load_questions("dev", entities, tmp_path, "full")
    assert [one.category for one in questions] == ["movie_to_tags", ""]
    assert len(CLASSES) == 13


def test_the_papers_questions_are_taken_unless_told_otherwise(entities, tmp_path):
    folder = tmp_path / "questions" / "wiki_entities"
    (folder / "categories").mkdir(parents=True)
    line = "1 what is $ about?\tFM\n"
    for split in ("train", "test"):
        put(folder / f"wiki-entities_qa_{split}.txt", line)
        put(folder / "categories" / class_file("movie_to_tags", split), line)
    assert class_file("tag_to_movie", "dev") == "wiki-entities_qa_tag_to_movie_dev.txt"
    with pytest.warns(UserWarning, match="published") as told:
        (trained,) = load_questions("train", entities, tmp_path)  # published without classes
    assert (trained.answers, trained.category) == (("FM",), "")
    assert "it has 1 records, where 96,185 were published" in str(told[-1].message)
    with pytest.warns(UserWarning, match="published"):
        assert load_questions("test", entities, tmp_path)[0].category == "movie_to_tags"
    assert load_class("movie_to_tags", "test", entities, tmp_path) == (
        MovieQuestion("what is $ about?", ("FM",), "movie_to_tags"),
    )


def test_a_class_is_that_of_the_question_with_its_answers(entities, tmp_path):
    folder = tmp_path / "questions" / "full"
    (folder / "categories").mkdir(parents=True)
    put(folder / "full_qa_dev.txt", "1 who is $?\tFM\n1 who is $?\tLove\n")
    for name, answer in (("movie_to_tags", "FM"), ("movie_to_actors", "Love")):
        put(
            folder / "categories" / class_file(name, "dev", "full"),
            f"1 who is $?\t{answer}\n",
        )
    with pytest.warns(UserWarning, match="full_qa_dev"):
        questions = load_questions("dev", entities, tmp_path, "full")
    assert [one.category for one in questions] == ["movie_to_tags", "movie_to_actors"]


@pytest.mark.parametrize("name", ["knowledge_source/entities.txt", "entities.txt"])
def test_entities_and_facts_are_loaded_from_their_files(tmp_path, name):
    (tmp_path / name).parent.mkdir(exist_ok=True)
    put(tmp_path / name, "Red\nBlue\n")
    put(tmp_path / "kb_triples.txt", "Red|directed_by|Blue\n")
    put(tmp_path / "omdb_plots.txt", "red|has_plot|a tale\n")
    with pytest.warns(UserWarning, match="published") as told:
        assert load_entities(tmp_path).names == ("Red", "Blue")
    assert "it has 2 records, where 75,542 were published" in str(told[-1].message)
    # Of these two nobody published a digest or a count: nothing is warned of.
    assert load_triples(tmp_path) == (Triple("Red", "directed_by", "Blue"),)
    assert load_plots(tmp_path) == (Plot("red", "a tale"),)


def test_of_templates_that_serve_as_many_the_longest_and_then_the_last_mention_is_taken():
    found = Entities(["Love", "Love Red", "Red", "Blue"])
    (asked,) = analyse([MovieQuestion("is Love Red?", ("x",))], found)
    assert (asked.template, asked.entity) == ("is [entity]?", "Love Red")
    (asked,) = analyse([MovieQuestion("is Blue or Love?", ("x",))], found)
    assert (asked.template, asked.entity) == ("is Blue or [entity]?", "Love")
    # One entity in many questions serves as one.
    several = [MovieQuestion("is Blue or Love?", (answer,)) for answer in "xyz"]
    assert {one.entity for one in analyse(several, found)} == {"Love"}


def test_mentions_that_overlap_give_way_to_the_longest_and_then_to_the_first():
    found = Entities(["a b", "b c", "c", "b c d"])
    assert names(found.mentions("a b c")) == ["a b", "c"]
    assert names(found.mentions("a b c d")) == ["b c d"]
    assert names(found.mentions("c a b")) == ["c", "a b"]


def test_of_answers_that_can_be_cut_in_two_ways_the_first_piece_is_the_longest():
    found = Entities(["a", "b", "a, b", "b, c", "c"])
    assert found.split("a, b, c") == ("a, b", "c")
    assert found.split("x, y, a, b") == ("x", "y", "a, b")
    assert Entities([]).split("a, b") == ("a", "b")


def test_the_entity_is_the_one_whose_template_serves_most(entities):
    questions = [
        MovieQuestion(f"the movie {name} starred who?", ("x",))
        for name in ("Red", "FM", "$", "Love")
    ]
    asked = analyse(questions, entities)
    assert asked[0] == EntityQuestion(questions[0], "the movie [entity] starred who?", "Red")
    assert {one.entity for one in asked} == {"Red", "FM", "$", "Love"}


def test_a_question_without_an_entity_is_left_out(entities):
    assert analyse([MovieQuestion("who?", ("x",))], entities) == []


def test_triples_are_read(tmp_path):
    path = put(tmp_path / "kb.txt", "$|directed_by|Richard Brooks\n$|has_tags|bd-r\n")
    assert list(read_triples(path)) == [
        Triple("$", "directed_by", "Richard Brooks"),
        Triple("$", "has_tags", "bd-r"),
    ]
    put(path, "$|directed_by\n")
    with pytest.raises(ValueError, match=r"kb\.txt:1: came .*expected movie\|relation\|object"):
        list(read_triples(path))


def test_blocks_are_parted_by_the_relation_and_the_entity_list(entities, tmp_path):
    path = put(
        tmp_path / "kb.txt",
        "1 The Man Who directed_by Red, Love, Actually\n"
        "2 The Man Who has_plot One, two, and three.\n\n"
        "1 $ release_year 1971\n",
    )
    assert list(read_blocks(path, entities)) == [
        Triple("The Man Who", "directed_by", "Red"),
        Triple("The Man Who", "directed_by", "Love, Actually"),
        Triple("The Man Who", "has_plot", "One, two, and three."),
        Triple("$", "release_year", "1971"),
    ]
    put(path, "1 $ made_by Red\n")
    with pytest.raises(ValueError, match=r"kb\.txt:1: came '1 \$ made_by Red'; expected N movie"):
        list(read_blocks(path, entities))


def test_slots_are_keys_with_values(tmp_path):
    path = put(tmp_path / "ie.txt", "1 Red directed\tA\tB\nA REV_directed\tRed\n1\tx\n")
    assert list(read_slots(path)) == [
        AnswerSlot("Red directed", ("A", "B")),
        AnswerSlot("A REV_directed", ("Red",)),
        AnswerSlot("1", ("x",)),
    ]
    put(path, "no value\n")
    with pytest.raises(ValueError, match=r"ie\.txt:1: came 'no value'; expected key<TAB>value"):
        list(read_slots(path))


def test_documents_end_at_a_blank_line_or_at_a_number_one(tmp_path):
    path = put(tmp_path / "wiki.txt", "1 a b\n2 c\n\n\n1 d\n1 e\n2 f")
    expected = [Document(("a b", "c")), Document(("d",)), Document(("e", "f"))]
    assert list(read_documents(path)) == expected
    put(path, "1 a b\nno number\n2 c\n")
    with pytest.raises(ValueError, match=r"wiki\.txt:2: came 'no number'; expected N sentence"):
        list(read_documents(path))
    bad = BadRows()
    assert list(read_documents(path, bad)) == [Document(("a b", "c"))]
    assert bad.count == 1


def test_a_plot_may_hold_what_parts_the_fields(tmp_path):
    path = put(tmp_path / "plots.txt", "red|has_plot|one | two\n")
    assert list(read_plots(path)) == [Plot("red", "one | two")]
    for line in ("red|plot|one\n", "red|has_plot|\n", "|has_plot|one\n"):
        put(path, line)
        with pytest.raises(ValueError, match=r"plots\.txt:1: .*expected movie\|has_plot\|text"):
            list(read_plots(path))


@pytest.mark.parametrize(
    ("text", "plain"),
    [("Les Misérables", "les miserables"), ("I Can't Sleep!", "i cant sleep"), ("A-b  c", "a b c")],
)
def test_texts_are_folded_as_plots_are(text, plain):
    assert folded(text) == plain


def test_coverage_counts_what_plots_can_answer(entities):
    plots = [Plot("red", "a judge hears of love, actually"), Plot("fm", "a radio")]
    questions = [
        MovieQuestion("who starred in Red?", ("Love, Actually",), "movie_to_actors"),
        MovieQuestion("who starred in FM?", ("Redford",), "movie_to_actors"),
        MovieQuestion("who starred in $?", ("Red",), "movie_to_actors"),
        MovieQuestion("which movies are about Love?", ("Red", "Unseen"), "tag_to_movie"),
        MovieQuestion("which one?", ("Red",), ""),
    ]
    assert coverage(questions, plots, entities) == PlotCoverage(5, with_plot=3, answerable=2)


def test_a_plot_names_whole_words_of_either_plot_of_a_title():
    texts = PlotTexts(
        [Plot("red", "love, actually"), Plot("red", "les miserables"), Plot("a", "x")]
    )
    assert "RED!" in texts
    assert "Redford" not in texts
    assert texts.names("Red", "Love, Actually")
    assert texts.names("Red", "Les Misérables")
    for title, name in (("Red", "Lov"), ("Red", "$"), ("A", "Love"), ("Blue", "Love")):
        assert not texts.names(title, name)


def test_the_answers_that_plots_hold_are_those_of_the_movie_or_movies_that_name_the_entity():
    texts = PlotTexts([Plot("red", "a tale of love by fm"), Plot("fm", "red love")])

    def held(entity, answers, category):
        return texts.answers(EntityQuestion(MovieQuestion("?", answers, category), "?", entity))

    assert held("Red", ("Love", "Actually", "FM"), "movie_to_tags") == ("Love", "FM")
    assert held("Love", ("Red", "Redford", "FM"), "tag_to_movie") == ("Red", "FM")
    assert held("Actually", ("Red",), "tag_to_movie") == ()
    questions = [
        EntityQuestion(MovieQuestion("?", ("Love",), "movie_to_tags"), "?", "Red"),
        EntityQuestion(MovieQuestion("?", ("Redford",), "movie_to_tags"), "?", "Red"),
        EntityQuestion(MovieQuestion("?", ("Redford",), "tag_to_movie"), "?", "Love"),
    ]
    assert texts.coverage(questions) == PlotCoverage(3, with_plot=2, answerable=1)
