"""The words by which strangers ask: of kinds, of units, by other verbs, of days."""

import pytest

from memnets.kb.linking.opened import open_names
from memnets.kb.programs.amounts import values_in
from memnets.kb.programs.forms import forms_of, inflected, same_stem, singulars
from memnets.kb.programs.lexicon import asking_words, is_done_to
from memnets.kb.programs.operators import (
    And,
    Between,
    Count,
    Having,
    Named,
    OtherThan,
    Path,
    in_words,
    relations_of,
)
from memnets.kb.programs.parsing import Parser
from memnets.kb.programs.wordings import phrases, rules
from memnets.kb.store.store import Store, build

FILMS = """
Home;filmed_in:Oslo;running_time:79 min;budget:5 EUR;in_colour:yes;studio:Kite;year:1970;genre:drama
Rain;filmed_in:Rome;running_time:99 min;budget:7 EUR;in_colour:no;studio:Owls;year:1980;genre:drama
Crow;filmed_in:Rome;running_time:88 min;budget:9 EUR;in_colour:no;studio:Owls;year:1990;genre:farce
Home;directed_by:Ada Lund;published by:Hart Press
Rain;directed_by:Bo Reed;published by:Hart Press
Crow;directed_by:Bo Reed;published by:Reed Books
Ada Lund;born_in:Oslo;born_on:1930-04-05
Bo Reed;born_in:Rome;born_on:1940-05-06
Kit;species:wolf;came from:Zoo Basel;weight:40 kg;mother:Mia;house:Wood;arrived:2031-03-22
Mia;species:wolf;came from:Zoo Bern;weight:35 kg;house:Wood;arrived:2031-03-27
Tom;species:bear;came from:Zoo Bern;weight:95 kg;mother:Mia;house:Wood;arrived:2031-03-21
Oslo;country:Ost
Rome;country:Rum
"""


@pytest.fixture(scope="module")
def parser(tmp_path_factory):
    facts = [
        (subject, *cell.split(":"))
        for subject, *cells in (line.split(";") for line in FILMS.strip().splitlines())
        for cell in cells
    ]
    folder = tmp_path_factory.mktemp("asking") / "kb"
    build(facts, folder)
    store = Store.open(folder)
    return Parser(store, open_names(store))


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        # What is filmed is no place.
        ("Which films were shot in Rome?", "Crow, Rain"),
        ("How many films are not in colour?", "2"),
        ("Which films appeared in 1980?", "Rain"),
        ("What is the longest film?", "Rain"),
        # Where, when, and the day or place of a birth.
        ("When was Ada Lund born?", "1930-04-05"),
        ("Where was Ada Lund born?", "Oslo"),
        ("birthday of Bo Reed", "1940-05-06"),
        ("birthplace of Bo Reed", "Rome"),
        ("Where do the wolves live?", "Wood"),
        # What "which" asks for is the answer.
        ("Which species live in the Wood?", "bear, wolf"),
        ("Which country was Rain filmed in?", "Rum"),
        ("Which directors made films in Rome?", "Bo Reed"),
        # Units, irregular verbs and children.
        ("How many minutes does Home last?", "79 min"),
        ("How many kilos is Tom?", "95 kg"),
        ("Where did Kit come from?", "Zoo Basel"),
        ("How many children has Mia?", "2"),
        ("What arrived between 20 and 24 March 2031?", "Kit, Tom"),
    ],
)
def test_what_strangers_ask_for(parser, question, answers):
    candidates = parser.parse(question).candidates
    found = candidates[0].outcome.answers if candidates else ()
    assert ", ".join(found) == answers, [in_words(one.program) for one in candidates[:3]]


def test_a_number_by_which_something_goes_counts_nothing(parser):
    counted, not_counted = "number of films by Hart Press?", "telephone number of Hart Press?"
    assert isinstance(parser.parse(counted).candidates[0].program, Count)
    programs = [one.program for one in parser.parse(not_counted).candidates]
    assert not any(isinstance(program, Count) for program in programs)


def test_who_is_named_is_hardly_the_answer(parser):
    named = parser.parse("Who is Tom the bear?").candidates[0]
    assert named.outcome.answers == ("Tom",)
    assert named.score < 0


def test_what_is_said_and_not_read_is_a_doubt(parser):
    assert parser.parse("Who directed Rain?").doubts.unread == 0
    assert parser.parse("Where was Kit's mother born?").doubts.unread > 0


def test_a_preposition_of_what_is_said_asks_for_nothing_else(parser):
    reading = parser._reader.read("By whom was Rain directed?")
    assert [reading.words[one.begin : one.end] for one in reading.asked] == [["directed"]]
    alone = parser._reader.read("Which film is by Ann Lee?")
    assert ["by"] in [alone.words[one.begin : one.end] for one in alone.asked]


def test_words_that_ask_are_read_as_they_are_meant():
    assert asking_words(["were", "is", "it"]) == ["where", "is", "it"]
    assert asking_words(["were", "films", "shot"]) == ["were", "films", "shot"]
    assert asking_words(["wich", "dose", "teh", "wen"]) == ["which", "does", "the", "when"]


def test_verbs_of_irregular_forms_are_the_same_word():
    assert same_stem("came", "come")
    assert same_stem("written", "wrote")
    assert not same_stem("come", "cost")


def test_plurals_in_ves_have_two_singulars():
    assert {"wolf", "knife"} <= {*singulars("wolves"), *singulars("knives")}


@pytest.mark.parametrize(
    ("word", "relation", "done"),
    [
        ("films", ("filmed", "in"), True),
        ("plans", ("planned", "for"), True),
        ("guides", ("guided", "by"), False),
        ("locations", ("located", "in"), False),
        ("film", ("film",), False),
    ],
)
def test_a_noun_may_be_what_is_done_something_to(word, relation, done):
    assert is_done_to(word, relation) is done


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("between 20 and 24 March 2031", ["20 March 2031", "24 March 2031"]),
        ("from 1 May to 30 June 2009", ["1 May 2009", "30 June 2009"]),
        ("20 and 24", ["20", "24"]),
        ("in the 1970s?", ["1970-1979"]),
        ("open 2009 2011 and 5 May 2011 7", ["2009", "2011", "5 May 2011", "7"]),
    ],
)
def test_days_are_read_with_the_month_that_follows(text, values):
    assert [one.text for one in values_in(text.split(), ())] == values


def test_the_relations_of_a_program_are_all_that_it_reads():
    kinds = And((Having("kind", Named(("Ada",))), Between("year", "1", "2")))
    program = Count(OtherThan(Path(kinds, ("!boss", "town")), Having("job")))
    assert {*relations_of(program)} == {"kind", "year", "boss", "town", "job"}


@pytest.mark.parametrize(
    ("verb", "forms"),
    [
        ("be", "are be been being is was were"),
        ("stop", "stop stopped stopping stops"),
        ("carry", "carried carries carry carrying"),
        ("fix", "fix fixed fixes fixing"),
        ("play", "play played playing plays"),
        ("agree", "agree agreed agreeing agrees"),
        ("use", "use used uses using"),
    ],
)
def test_the_forms_of_a_verb(verb, forms):
    assert " ".join(sorted(forms_of(verb))) == forms


def test_irregular_verbs_have_their_forms_too():
    assert {"go", "goes", "going", "went", "gone"} <= forms_of("go")
    assert {"make", "makes", "making", "made"} <= forms_of("make")


def test_a_phrase_is_said_with_its_verb_in_all_forms():
    assert inflected("set off") == ["set off"]
    assert sorted(inflected("~look at it")) == [f"{one} at it" for one in sorted(forms_of("look"))]
    assert sorted(inflected("~look")) == sorted(forms_of("look"))


def test_rules_name_kinds_that_there_are():
    """And a rule that names no word of a relation would never be used."""
    found = [rule for phrase in phrases() for rule in rules(tuple(phrase.split()))]
    assert {rule.kind for rule in found} == {"", "name", "number", "date", "yes or no"}
    assert all(rule.of for rule in found)
    assert all(phrase == " ".join(phrase.split()) for phrase in phrases())
    assert rules(("took", "home"))
    assert not rules(("home", "took"))
