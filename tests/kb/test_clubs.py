"""Questions about clubs, matches and mascots: things of several kinds that share relations."""

import pytest

LEAGUE = """
Ash United;town:Ash;head coach:Ann Poe;nickname:The Trees;titles:3;mascot:Twig;budget:5 EUR
Elm Town;town:Elm;head coach:Ben Orr;nickname:The Leaves;titles:1;budget:9 EUR;league position:2
Ash United;home ground:Oak Park;league position:1;goals against:30
Elm Town;home ground:Pine Lane;goals against:20
Saint Ann's;town:Fir;head coach:Cal Fry;nickname:The Bells;titles:0;mascot:Bell;budget:7 EUR
Saint Ann's;home ground:Fir Field;league position:3;goals against:45
Cy Lee;plays for:Ash United;position:keeper;height:1.9 m;previous clubs:Elm Town
Cy Lee;goals this season:1;born in:Elm
Di Fay;plays for:Elm Town;position:striker;height:1.6 m;previous clubs:Ash United
Di Fay;goals this season:7;born in:Elm
Ed Kay;plays for:Saint Ann's;position:striker;height:1.7 m;previous clubs:Elm Town
Ed Kay;goals this season:20;born in:Fir
Leaf Match;referee:Flo Hart;final score:6-5;attendance:900;man of the match:Cy Lee
Leaf Match;played at:Oak Park;played on:2020-01-02;weather:snow
Wood Cup;referee:Flo Hart;final score:0-1;attendance:4000;man of the match:Di Fay
Wood Cup;played at:Pine Lane;played on:2021-03-04;weather:rain
Flo Hart;matches refereed:70;day job:teacher;lives in:Ash
Ash;county:Seaward;river:Aach
Elm;county:Westvale;river:Tern
Fir;county:Seaward;river:Tern
Ann Poe;speaks:English;speaks:Polish;in charge since:2020-07-01;used to coach:Elm Town
Ann Poe;assistant:Ben Orr
Cal Fry;assistant:Ben Orr
Ben Orr;speaks:Polish;in charge since:2022-01-01;used to coach:Ash United
Cal Fry;speaks:English;in charge since:2019-02-03
Twig;height:2.5 m;worn by:Gus Day
Bell;height:2.1 m;worn by:Hal Lea
Oak Park;food stalls:pretzels;has a roof:no;capacity:5000
Pine Lane;food stalls:soup;has a roof:yes;capacity:8000
Fir Field;food stalls:soup;has a roof:no;capacity:2000
"""


FACTS = [
    (subject, *cell.split(":"))
    for subject, *cells in (line.split(";") for line in LEAGUE.strip().splitlines())
    for cell in cells
]
NOUNS = (
    *("town", "head coach", "nickname", "titles", "mascot", "budget", "league position"),
    *("position", "height", "referee", "final score", "attendance", "day job", "capacity"),
)
"""Relations that are called by a noun."""
OBJECTS = (
    *("What is the {r} of {x}?", "{x}'s {r}?", "{r} of {x}", "{x} {r}", "{x}: {r}?", "{x}, {r}?"),
    *("Tell me the {r} of {x}.", "Could you tell me the {r} of {x}?", "{r} for {x}?"),
    *("I'd like to know the {r} of {x}.", "{x} - what's its {r}?", "whats the {r} of {x}"),
    *("Which {r} does {x} have?", "What {r} has {x}?", "Do you know the {r} of {x}?"),
    *("I need {x}'s {r}.", "Any idea what the {r} of {x} is?", "The {r} of {x}, please."),
    *("As for {x}, what is the {r}?", "For {x}, what's the {r}?", "hi! {x}'s {r}?"),
    *("What do we have as {r} for {x}?", "Can you look up the {r} of {x} for me?"),
)
SUBJECTS = (
    *("What has {o} as {r}?", "Which ones have the {r} {o}?", "Everything with {r} {o}"),
    *("Which have {o} for {r}?", "Which has {r} {o}?", "Find all with {o} as their {r}."),
    *("What has a {r} of {o}?", "Anything whose {r} is {o}?", "List all whose {r} is {o}"),
)
VERDICTS = (
    *("Is the {r} of {x} {o}?", "Does {x} have {o} as {r}?", "Is {o} {x}'s {r}?"),
    *("{x} has {o} as {r}, right?", "Is it true that the {r} of {x} is {o}?"),
)
COMPARED = (
    *("Which have a {r} over {o}?", "Which have a {r} of more than {o}?", "all with {r} > {o}"),
    *("Which have a {r} greater than {o}?", "What has a {r} higher than {o}?"),
)


@pytest.fixture(scope="module")
def answers(asking):
    return asking(FACTS)


def told(relation, asked, given):
    """Return what facts of a relation give: of what is asked for, by what is given."""
    found = {}
    for fact in FACTS:
        if fact[1] == relation:
            found.setdefault(fact[given], []).append(fact[asked])
    return {one: ", ".join(sorted(others)) for one, others in found.items()}


@pytest.mark.parametrize("relation", NOUNS)
def test_common_forms_of_a_question_for_an_object(answers, relation):
    for x, expected in told(relation, 2, 0).items():
        asked = [form.format(r=relation, x=x) for form in OBJECTS]
        assert {one: answers(one) for one in asked} == dict.fromkeys(asked, expected)


@pytest.mark.parametrize("relation", NOUNS)
def test_common_forms_of_a_question_for_subjects(answers, relation):
    for o, expected in told(relation, 0, 2).items():
        asked = [form.format(r=relation, o=o) for form in SUBJECTS]
        assert {one: answers(one) for one in asked} == dict.fromkeys(asked, expected)


@pytest.mark.parametrize("relation", NOUNS)
def test_common_forms_of_a_question_for_yes_or_no(answers, relation):
    right = told(relation, 2, 0)
    for x, expected in right.items():
        other = next((one for one in right.values() if one != expected), expected)
        for o in {expected, other}:
            asked = [form.format(r=relation, x=x, o=o) for form in VERDICTS]
            verdict = "yes" if o == expected else "no"
            assert {one: answers(one) for one in asked} == dict.fromkeys(asked, verdict)


@pytest.mark.parametrize("relation", ["titles", "budget", "height", "attendance", "capacity"])
def test_common_forms_of_a_comparison(answers, relation):
    number = {x: float(o.split()[0]) for x, o in told(relation, 2, 0).items()}
    for o in told(relation, 0, 2):
        more = ", ".join(sorted(x for x, n in number.items() if n > float(o.split()[0])))
        if not more:
            continue
        asked = [form.format(r=relation, o=o) for form in COMPARED]
        assert {one: answers(one) for one in asked} == dict.fromkeys(asked, more)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which club is nicknamed The Leaves?", "Elm Town"),
        ("Which club has the smallest budget?", "Ash United"),
        ("Which club has a mascot called Twig?", "Ash United"),
        ("Which match finished 6-5?", "Leaf Match"),
        ("Which matches did Flo Hart referee?", "Leaf Match, Wood Cup"),
        ("Which match was Cy Lee man of the match in?", "Leaf Match"),
        ("Who is the tallest player?", "Cy Lee"),  # and not the mascot
    ],
)
def test_a_noun_says_of_what_kind_the_answers_are(answers, question, expected):
    """A club is what `previous clubs` leads to; a match is not who was man of one."""
    assert answers(question) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Who scored the most goals this season?", "Ed Kay"),
        ("What position does Cy Lee play?", "keeper"),
        ("How many previous clubs does Cy Lee have?", "1"),
        ("What is the league position of Elm Town?", "2"),
        ("Which head coaches don't speak English?", "Ben Orr"),
        ("Which club has conceded the fewest goals against?", "Elm Town"),
    ],
)
def test_the_whole_name_of_a_relation_is_that_relation(answers, question, expected):
    """A `position` is no `league position`, and goals of this season are no other goals."""
    assert answers(question) == expected


@pytest.mark.parametrize(
    "question",
    [
        "Which clubs don't have a mascot?",
        "What club has got no mascot?",
        "Which clubs lack a mascot?",
    ],
)
def test_what_is_not_had(answers, question):
    assert answers(question) == "Elm Town"


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Where can you get pretzels?", "Oak Park"),
        ("Has Pine Lane got a roof?", "yes"),
        ("Would you tell me who coaches Ash United?", "Ann Poe"),
        ("Who coaches the club that Cy Lee plays for?", "Ann Poe"),
        ("county of the town that Flo Hart lives in", "Seaward"),
        ("I am new here, so may I ask which nickname has Ash United?", "The Trees"),
        ("We are visitors and need the nickname of Elm Town.", "The Leaves"),
        ("St Anns budget?", "7 EUR"),
    ],
)
def test_what_stands_around_a_question_is_left_out(answers, question, expected):
    assert answers(question) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How did the Wood Cup end?", "0-1"),
        ("How many spectators came to the Leaf Match?", "900"),
        ("What was it like outside during the Leaf Match?", "snow"),
        ("Who whistled the Wood Cup?", "Flo Hart"),
        ("What do fans call Elm Town?", "The Leaves"),
        ("Who is inside the Twig costume?", "Gus Day"),
        ("How big is Cy Lee?", "1.9 m"),
    ],
)
def test_games_are_asked_for_in_other_words(answers, question, expected):
    assert answers(question) == expected


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("positon of cy lee", "keeper"),  # a letter lost
        ("heihgt of cy lee", "1.9 m"),  # two letters swapped
        ("capcity of oak park", "5000"),
        ("oak park pries", ""),  # nothing of a like name is had
    ],
)
def test_misspelt_words(answers, question, expected):
    assert answers(question) == expected


def test_those_that_have_something_are_counted_and_not_what_they_have(answers):
    assert answers("How many have a position?") == "3"
    assert answers("How many positions are there?") == "2"


def test_a_noun_may_be_what_few_are_to_others_of_their_kind(answers):
    """Assistants are those whom `assistant` leads to, and not all who coach."""
    assert answers("What assistants are there?") == "Ben Orr"
