"""Questions of several facts: the program that is read from each, and what is not understood."""

from types import SimpleNamespace

import pytest

import memnets
from memnets.kb.index import keeping
from memnets.kb.linking.opened import open_names
from memnets.kb.programs import wordings
from memnets.kb.programs.arguments import Argument, Arguments
from memnets.kb.programs.asked import Asked, _both
from memnets.kb.programs.direction import backwards, goes_back
from memnets.kb.programs.forms import BASES, same_stem, singulars
from memnets.kb.programs.hops import once
from memnets.kb.programs.kinds import row_nouns
from memnets.kb.programs.lexicon import BEHIND, COMPARISONS, DEGREES
from memnets.kb.programs.nouns import Nouns
from memnets.kb.programs.operators import in_words
from memnets.kb.programs.parsing import Parser
from memnets.kb.programs.saying import Options, Sayings
from memnets.kb.programs.wordings import groups, likeness, named, of_countries
from memnets.kb.store.store import Store, build

TABLE = """
name;job title;department;manager;based in;started on;salary;languages;remote;mentor
Ada Lund;physicist;Research;Bo Reed;Oslo;2001-02-03;500 EUR;Welsh, Dutch;yes;Cy Hart
Bo Reed;director;Research;Di Wolf;Rome;1999-05-01;900 EUR;Welsh;no;
Cy Hart;welder;Works;Di Wolf;Rome;2010-07-09;300 EUR;Dutch, Greek;yes;Bo Reed
Di Wolf;owner;Board;;Oslo;1990-01-01;950 EUR;Greek;no;
Ed Moss;welder;Works;Cy Hart;Oslo;2020-03-04;300 EUR;Welsh;no;Ada Lund
Flo Penn;physicist;Research;Bo Reed;Rome;2020-11-30;480 EUR;Dutch;no;Ada Lund
"""


def facts():
    header, *rows = (line.split(";") for line in TABLE.strip().splitlines())
    for name, *cells in rows:
        for relation, cell in zip(header[1:], cells, strict=True):
            for part in filter(None, cell.split(", ")):
                yield name, relation, part


@pytest.fixture(scope="module")
def parser(tmp_path_factory):
    folder = tmp_path_factory.mktemp("parsing") / "kb"
    build(facts(), folder)
    store = Store.open(folder)
    return Parser(store, open_names(store))


QUESTIONS = [
    # One hop, forwards and backwards.
    ("What is Ada Lund's salary?", "500 EUR"),
    ("Who manages Ada Lund?", "Bo Reed"),
    ("Whom does Bo Reed manage?", "Ada Lund, Flo Penn"),
    ("Who reports to Bo Reed?", "Ada Lund, Flo Penn"),
    ("Whom does Bo Reed report to?", "Di Wolf"),
    ("people mentored by Ada Lund", "Ed Moss, Flo Penn"),
    ("Whose mentor is Cy Hart?", "Ada Lund"),
    ("Who is based in Rome?", "Bo Reed, Cy Hart, Flo Penn"),
    ("list all welders", "Cy Hart, Ed Moss"),
    ("Who joined on 4 March 2020?", "Ed Moss"),
    ("whose salary is 300 eur", "Cy Hart, Ed Moss"),
    # Two hops and three.
    ("Where is the manager of Ed Moss based?", "Rome"),
    ("What does Ed Moss's manager earn?", "300 EUR"),
    ("Who is the manager of Ed Moss's manager?", "Di Wolf"),
    ("What languages does the mentor of Ed Moss's manager speak?", "Welsh"),
    ("Which people have a boss who reports to Di Wolf?", "Ada Lund, Ed Moss, Flo Penn"),
    ("Who is the manager of the owner?", ""),
    ("Who is Ed Moss's mentor's manager?", "Bo Reed"),
    ("Whose manager's mentor is Bo Reed?", "Ed Moss"),
    ("Whom does the manager of Ed Moss report to?", "Di Wolf"),
    ("To whom does Ed Moss report?", "Cy Hart"),
    ("Who are the mentees of Ada Lund?", "Ed Moss, Flo Penn"),
    # Sets.
    ("Who is based in Oslo or Rome?", "Ada Lund, Bo Reed, Cy Hart, Di Wolf, Ed Moss, Flo Penn"),
    ("Who is not in Oslo and is remote?", "Cy Hart"),
    ("Which people are not remote?", "Bo Reed, Di Wolf, Ed Moss, Flo Penn"),
    ("How many people are there besides Ada Lund who speak Dutch?", "2"),
    ("Who in Research speaks Dutch?", "Ada Lund, Flo Penn"),
    ("Who speaks both Dutch and Greek?", "Cy Hart"),
    ("Who speaks Dutch or Greek?", "Ada Lund, Cy Hart, Di Wolf, Flo Penn"),
    ("Which physicists are not based in Oslo?", "Flo Penn"),
    ("Everyone in Research who does not work remotely", "Bo Reed, Flo Penn"),
    ("Welders outside Rome?", "Ed Moss"),
    ("Who speaks neither Welsh nor Dutch?", "Di Wolf"),
    ("Who reports to Di Wolf except Cy Hart?", "Bo Reed"),
    ("all towns except Rome", "Oslo"),
    ("Everyone in Research except the physicists", "Bo Reed"),
    ("Who has no mentor?", "Bo Reed, Di Wolf"),
    ("Which people in Rome have no mentor?", "Bo Reed"),
    ("Whom does Bo Reed not manage?", "Bo Reed, Cy Hart, Ed Moss"),
    # Numbers.
    ("How many people speak Welsh?", "3"),
    ("number of welders", "2"),
    ("how many are managed by Bo Reed?", "2"),
    # The word that asks, as it is typed, and what it may ask for.
    ("were is Ada Lund based", "Oslo"),
    ("wich languages dose Ada Lund speak", "Dutch, Welsh"),
    ("When did Ada Lund first start?", "2001-02-03"),
    ("In which year did Ada Lund start?", "2001-02-03"),
    ("How many departments are there?", "3"),
    ("how many people joined in 2020", "2"),
    ("how many languages does Ada Lund speak?", "2"),
    # Order.
    ("Who earns the most?", "Di Wolf"),
    ("Lowest salary - who has it?", "Cy Hart, Ed Moss"),
    ("Who has been here the longest?", "Di Wolf"),
    ("Who was the last to join in Works?", "Ed Moss"),
    ("Which department has the most people?", "Research"),
    ("Who earns more than 480 EUR?", "Ada Lund, Bo Reed, Di Wolf"),
    ("Who earns at least 900?", "Bo Reed, Di Wolf"),
    ("Who started after 2010?", "Ed Moss, Flo Penn"),
    ("who started before may 1999", "Di Wolf"),
    ("who joined in 2010 or later", "Cy Hart, Ed Moss, Flo Penn"),
    ("Who was hired between 1 January and 30 June 2020?", "Ed Moss"),
    ("Who in Research earns more than Flo Penn?", "Ada Lund, Bo Reed"),
    ("Does Ada Lund or Cy Hart earn more?", "Ada Lund"),
    ("Who earns no more than 300 EUR?", "Cy Hart, Ed Moss"),
    ("Who earns no less than 900 EUR?", "Bo Reed, Di Wolf"),
    ("Who earns up to 480 EUR?", "Cy Hart, Ed Moss, Flo Penn"),
    ("Who earns under 480 EUR?", "Cy Hart, Ed Moss"),  # and is under nobody
    ("Who earns from 300 to 480 EUR?", "Cy Hart, Ed Moss, Flo Penn"),
    ("Who earns between 480 EUR and 900 EUR?", "Ada Lund, Bo Reed, Flo Penn"),
    ("Who earns 500 EUR or more?", "Ada Lund, Bo Reed, Di Wolf"),
    ("Who earns less than Bo Reed?", "Ada Lund, Cy Hart, Ed Moss, Flo Penn"),
    ("Who earns the least in Rome?", "Cy Hart"),
    ("Who started between 1999 and 2001?", "Ada Lund, Bo Reed"),
    ("Who started from 1999 to 2001?", "Ada Lund, Bo Reed"),
    ("Who started from 1990-1999?", "Bo Reed, Di Wolf"),
    ("Who is newer, Lund or Moss?", "Ed Moss"),
    ("Who earns a bigger salary than Flo Penn?", "Ada Lund, Bo Reed, Di Wolf"),
    ("Who has more salary than Flo Penn?", "Ada Lund, Bo Reed, Di Wolf"),
    ("Who was not hired in 2020?", "Ada Lund, Bo Reed, Cy Hart, Di Wolf"),
    ("Who does not earn more than 480 EUR?", "Cy Hart, Ed Moss, Flo Penn"),
    ("Who started from 2001?", "Ada Lund, Cy Hart, Ed Moss, Flo Penn"),
    ("Who started between 1 May 1999 and 30 June 2001?", "Ada Lund, Bo Reed"),
    ("Who started in the 1990s?", "Bo Reed, Di Wolf"),
    ("Who started before the year 1999?", "Di Wolf"),
    ("Who started until 1999?", "Bo Reed, Di Wolf"),
    ("Who joined in Nov 2020?", "Flo Penn"),
    ("Who is the youngest?", "Flo Penn"),
    ("Who is the newest in Works?", "Ed Moss"),
    ("Who started first?", "Di Wolf"),
    ("Who has the largest number of languages?", "Ada Lund, Cy Hart"),
    ("Who speaks the most languages?", "Ada Lund, Cy Hart"),
    ("Which language do most people speak?", "Dutch, Welsh"),
    ("Which department has the most sorts of people?", "Research"),
    # Yes or no.
    ("Is Ada Lund based in Oslo?", "yes"),
    ("Does Ada Lund speak Greek?", "no"),
    ("Is Cy Hart the manager of Ed Moss?", "yes"),
    ("Is Ed Moss the manager of Cy Hart?", "no"),
    ("Is there a welder in Rome?", "yes"),
    ("Did Ada Lund start before Bo Reed?", "no"),
    ("Is Bo Reed remote?", "no"),
    ("Ada Lund is based in Oslo, right", "yes"),
    ("Did Cy Hart start after Bo Reed?", "yes"),
]


@pytest.mark.parametrize(("question", "answers"), QUESTIONS)
def test_what_is_asked_first_is_answered(parser, question, answers):
    understood = parser.parse(question)
    first = understood.candidates[0]
    assert ", ".join(first.outcome.answers) == answers, in_words(first.program)


@pytest.mark.parametrize(
    "question",
    [
        "How do I make a sourdough bread?",
        "Who manages Olga Thundersley?",  # nobody of this name
        "What shoe size does Ada Lund have?",  # no such relation
        "blue fish sideways Oslo",
        "Who earns more than 500 USD?",  # no relation has this unit
        "Who earns less than 5 km?",
        "who won the match last night",
        "",
        "?!",
        "not more than",
    ],
)
def test_what_is_not_understood_gives_no_program(parser, question):
    assert parser.parse(question).candidates == ()


def test_a_fact_that_is_not_there_gives_no_answer(parser):
    first = parser.parse("Who is the mentor of Di Wolf?").candidates[0]
    assert in_words(first.program) == "mentor of (Di Wolf)"
    assert first.outcome.answers == ()


def test_the_words_that_were_understood_are_told(parser):
    assert parser.parse("How many purple welders are in Rome?").words == (
        "how", "many", "welders", "rome",
    )  # fmt: skip


def test_other_programs_follow_by_what_they_explain(parser):
    candidates = parser.parse("Which manager earns most?").candidates
    scores = [one.score for one in candidates if one.outcome]
    assert len(scores) > 1
    assert scores == sorted(scores, reverse=True)


def test_too_many_names_are_not_understood(parser):
    names = " and ".join(["Ada Lund", "Bo Reed", "Cy Hart", "Di Wolf", "Ed Moss"] * 4)
    question = f"Who manages the mentor of the manager of {names} in Rome, Oslo and Research?"
    assert parser.parse(question).candidates == ()
    assert len(parser.parse(question).words) == 46


def test_stems_and_plurals():
    assert same_stem("managed", "manager")
    assert same_stem("departments", "department")
    assert not same_stem("start", "stark weather")
    assert not same_stem("over", "oven")
    assert same_stem("cat", "cats")
    assert not same_stem("a", "as")
    assert not same_stem("sled", "sling")  # two letters in common are no stem
    assert same_stem("writing", "writers")  # four letters in common, three and four at most differ
    assert same_stem("manage", "management")  # a long stem and a known ending
    assert not same_stem("plan", "planetary")
    assert "duty" in singulars("duties")
    assert singulars("women") == ("woman",)
    assert "box" in singulars("boxes")
    assert singulars("glass") == ()
    assert likeness("earn", ("yearly", "salary")) == 0.6
    assert likeness("salaries", ("salary",)) == 1
    assert likeness("the", ("the",)) == 0


def test_peoples_and_countries_lead_to_each_other_in_lower_case():
    known = of_countries()
    assert (known["danish"], known["denmark"]) == (("denmark",), ("danish",))
    assert known["dutch"] == ("netherlands", "holland")
    assert known["holland"] == ("dutch",)


def test_a_misspelt_name_is_less_sure(parser):
    exact, misspelt = (f"What is the salary of Ada {name}?" for name in ("Lund", "Lunnd"))
    assert [parser._reader.read(one).arguments[0].surely for one in (exact, misspelt)] == [
        True,
        False,
    ]
    (rightly, *_), (nearly, *_) = (parser.parse(one).candidates for one in (exact, misspelt))
    assert nearly.program == rightly.program
    assert nearly.score == pytest.approx(rightly.score - 0.5)


def test_the_first_word_of_a_question_is_no_name_for_its_capital(parser):
    found = parser._reader._arguments._exactly(["Rome", "Oslo?", "rome"], [0, 1, 2, 3])
    assert [(one.begin, one.names) for one in found] == [(1, ("Oslo",))]


class Typed:
    """Relations, of which those with "date" in their names are of dates."""

    def __init__(self, *relations):
        self.relations = relations

    def of(self, relation):
        return SimpleNamespace(kind="date" if "date" in relation else "link")


def test_groups_and_names_are_looked_up_as_if_all_were_compared():
    words = sorted({one for group in groups() for one in group} | {*BASES})
    for part in words[::4]:
        every = {n for n, of in enumerate(groups()) for one in of if named(one, (part,))}
        assert wordings._said_by((part,)) == every, part
    sayings = Sayings(Typed("came from", "shot by", "tutor"), ())
    called = [word for word in words if sayings.calls(word)]
    names = sayings.relations.values()
    assert called == [word for word in words if any(likeness(word, of) == 1 for of in names)]
    assert {"come", "shoot", "tutor"} <= {*called}


def test_what_words_say_is_remembered_for_some_of_them(monkeypatch):
    monkeypatch.setattr(keeping, "KEPT", 2)
    sayings = Sayings(Typed("boss"), ())
    heard = [sayings.of_word(word) for word in ("boss", "chief", "boss", "hat", "boss")]
    assert heard == [(("boss", 1.0),), (("boss", 0.6),), (("boss", 1.0),), (), (("boss", 1.0),)]
    assert len(sayings._words) == 2  # it does not grow for ever


def test_of_words_that_say_relations_the_surest_count():
    sayings = Sayings(Typed("boss", "manager", "date of birth", "born in"), {"bosd"})
    assert sayings.of_word("boss") == (("boss", 1.0),)
    assert sayings.of_word("chief") == (("boss", 0.6), ("manager", 0.6))
    assert sayings.of_word("manger") == (("manager", pytest.approx(0.6 * 6 / 7)),)
    assert sayings.of_word("bosd") == ()
    assert sayings.of_word("born") == (("born in", 1.0), ("date of birth", 0.6))
    assert [word for word in ("boss", "bosses", "manages", "chief") if sayings.calls(word)] == [
        *("boss", "bosses", "manages"),
    ]  # fmt: skip
    assert dict(sayings.of_phrase(("how", "old"))).keys() == {"date of birth", "born in"}
    assert sayings.of_phrase(("purple", "hat")) == ()
    words = SimpleNamespace(_names=SimpleNamespace(names={"cat": ["Cat", "CAT", "cAT"]}))
    assert [one.names for one in Arguments._plural(words, ["cats"])] == [("Cat", "CAT")]
    assert _both(Options((("a", 0.6), ("b", 1.0))), Options((("a", 1.0),))) == (("a", 1.0),)
    vague, sure = Asked(0, 1, (("town", 0.4),)), Asked(2, 3, (("town", 1.0),))
    for said in ([vague, sure], [sure, vague]):
        assert once(said, lambda _: "text") == [sure]
        assert once(said, lambda _: "link") == said


@pytest.mark.parametrize(
    ("said", "preferred"),
    [
        ("a=1 b=1 c=1 d=1", "c=1 d=1 a=1 b=1"),  # as surely: known ones first, in their order
        ("a=1 b=0.6 c=0.6 d=0.6", "a=1 c=0.6 d=0.6 b=0.6"),
        ("c=0.6 a=0.6", "c=0.6 a=0.6"),
        ("b=0.4", "b=0.4"),
    ],
)
def test_of_relations_said_as_surely_those_come_first_that_what_is_named_has(said, preferred):
    options, expected = (
        Options((one[0], float(one[2:])) for one in of.split()) for of in (said, preferred)
    )
    found = options.preferring(["d", "e", "c"])
    assert found == expected
    assert (found.weights, found.best) == (dict(expected), expected.best)
    assert found.surely == Options(one for one in expected if expected[0][1] < 1 or one[1] == 1)


def test_of_no_options_none_is_sure_and_of_even_ones_none_is_copied():
    even = Options([("a", 1.0), ("b", 1.0)])
    assert Options().surely == ()
    assert even.surely is even


def test_words_of_comparison_and_their_opposites():
    said = {" ".join(phrase): how for phrase, how in (COMPARISONS | BEHIND).items()}
    for more, less in (
        ("more than", "less than"), ("over", "under"), ("above", "below"), ("after", "before"),
        ("later than", "earlier than"), ("higher than", "lower than"), ("more than", "fewer than"),
        ("larger than", "smaller than"), ("longer than", "shorter than"),
    ):  # fmt: skip
        assert (said[more], said[less]) == ("more than", "less than")
    for least, most in (
        ("at least", "at most"), ("since", "until"), ("from", "up to"), ("or later", "or earlier"),
        ("or more", "or less"), ("or after", "or before"),
    ):  # fmt: skip
        assert (said[least], said[most]) == ("at least", "at most")
    for most, least in (
        ("most", "least"), ("highest", "lowest"), ("largest", "smallest"), ("maximum", "minimum"),
        ("latest", "earliest"), ("last", "first"), ("longest", "shortest"), ("more", "fewer"),
        ("heaviest", "lightest"), ("dearest", "cheapest"), ("richest", "poorest"),
        ("later", "earlier"),
    ):  # fmt: skip
        assert (DEGREES[most].least, DEGREES[least].least) == (False, True)
    # Who is oldest was born first, and has the most years; what has lasted longest began first.
    old, young = DEGREES["oldest"], DEGREES["youngest"]
    assert (old.least, old.least_of_dates) == (False, True)
    assert (young.least, young.least_of_dates) == (True, False)
    assert (DEGREES["longest"].least_of_dates, DEGREES["latest"].least_of_dates) == (True, False)


@pytest.mark.parametrize(
    ("question", "relation", "sign"),
    [
        ("ada 's manager", "manager", -1),
        ("manager of ada", "manager", -1),
        ("manager to ada", "manager", -1),
        ("manager for ada", "manager", -1),
        ("whom does ada manage", "manager", 1),
        ("managed by ada", "manager", 1),
        ("ada is manager of", "manager", 1),
        ("ada is manager to", "manager", 1),
        ("whose manager is ada", "manager", 1),
        ("whose friend is a manager of ada", "manager", -1),
        ("who reports to ada", "manager", 1),
        ("to whom does ada report", "manager", -1),
        ("does ada manage", "manager", 1),
        ("employees of ada", "employer", 1),
        ("pupils of ada", "pupil of", 1),
        ("what lies in ada", "lies in", 1),
        ("where does ada lie", "lies in", -1),
        ("what does ada border", "borders", -1),
    ],
)
def test_word_order_tells_the_direction(question, relation, sign):
    words, parts = question.split(), tuple(relation.split())
    at = next(n for n, word in enumerate(words) if likeness(word, parts) > 0.5)
    name = words.index("ada")
    score = backwards(
        words, Argument(name, name + 1, ("ada",)), Asked(at, at + 1, ((relation, 1.0),)), parts
    )
    assert score * sign > 0


def test_what_somebody_has_leads_back():
    words = ["people", "having", "a", "manager", "in", "rome"]
    asked = Asked(3, 4, (("manager", 1.0),))
    assert goes_back(words, asked, 5, ("manager",))
    assert goes_back(["with", *words[2:]], Asked(2, 3, asked.options), 4, ("manager",))
    assert not goes_back(["of", *words[2:]], Asked(2, 3, asked.options), 4, ("manager",))


ATLAS = [
    *(("Ost", "lies_in", "Arn"), ("Wick", "lies_in", "Arn"), ("Tarn", "lies_in", "Bel")),
    *(("Arn", "borders", "Bel"), ("Bel", "borders", "Cor"), ("Arn", "capital", "Ost")),
    *(("Bel", "capital", "Tarn"), ("Lin", "flows_into", "Mar"), ("Mar", "flows_into", "Sea")),
    *(("Ina", "worth_eur", "7"), ("Jon", "worth_eur", "9")),
    *(("Mar", "length", "80 km"), ("Lin", "length", "20 km"), ("Ina", "pupil_of", "Jon")),
    *(("Jon", "pupil_of", "Kit"), ("Kit", "lives in", "Ost"), ("Jon", "lives in", "Tarn")),
    *(("Una Moss", "plays_for", "Reds"), ("Reds", "coach", "Vic Holt")),
]


@pytest.fixture(scope="module")
def atlas(tmp_path_factory):
    folder = tmp_path_factory.mktemp("atlas") / "kb"
    build(ATLAS, folder)
    store = Store.open(folder)
    return Parser(store, open_names(store))


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        # The subject acts: the same words, turned round, ask the other way.
        ("Where does Ost lie?", "Arn"),
        ("Which towns lie in Arn?", "Ost, Wick"),
        ("What does Bel border?", "Cor"),
        ("What borders Bel?", "Arn"),
        ("What does the Mar flow into?", "Sea"),
        ("What flows into the Mar?", "Lin"),
        ("Who is a pupil of Jon?", "Ina"),
        ("In what is Wick?", ""),
        ("Who lives in the capital of Arn?", "Kit"),
        ("Which is longer, the Lin or the Mar?", "Mar"),
        ("Who is worth more than 8 EUR?", "Jon"),  # the unit stands in the relation's name
        ("Who is worth less than 9 EUR?", "Ina"),
        ("What is shorter, the Lin or the Mar?", "Lin"),
        ("Which river is longer than 20 km?", "Mar"),
        ("Who is Una Moss's coach?", "Vic Holt"),  # her club's
        ("Whose coach is Una Moss?", ""),
    ],
)
def test_who_acts_tells_the_direction(atlas, question, answers):
    candidates = atlas.parse(question).candidates
    found = candidates[0].outcome.answers if candidates else ()
    assert ", ".join(found) == answers, [in_words(one.program) for one in candidates[:3]]


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("In which department does Ada Lund work?", {"department": 1.0}),
        ("Which manager has Ada Lund?", {"manager": 1.0}),
        ("What is the department of Ada Lund?", {}),
        ("Who is the manager of Ada Lund?", {}),
        ("Which boss has Ada Lund?", {"manager": 0.6}),  # another word for it
    ],
)
def test_what_stands_behind_which_is_asked_for(parser, question, asked):
    reading = parser._reader.read(question)
    assert Nouns(parser._reader, reading).asked_for(reading.asked) == asked


@pytest.mark.parametrize(
    ("word", "relation"), [("made", "made by"), ("make", "made_by"), ("used", "used in")]
)
def test_a_little_word_says_the_relation_that_is_called_so(word, relation):
    parts = tuple(relation.replace("_", " ").split())
    assert likeness(word, parts) == 1
    assert likeness("by", parts) == likeness("in", parts) == 0


def first_answers(parser, question):
    candidates = parser.parse(question).candidates
    return ", ".join(sorted(candidates[0].outcome.answers)) if candidates else ""


DISHES = """dish;price;opened;guests;drink;vegetarian
Onion soup;5 EUR;1990;1500;cider;yes
Fish pie;12 EUR;2005;2600;ale;no
Plum cake;6 EUR;2011;1900;tea;yes
"""


FLATS = """flat;tenant;rent;size;rooms;energy class;let since
1 Elm;Ada Lund;500 EUR;40 m2;2;A;2020-01-01
2 Oak;Bo Reed;700 EUR;60 m2;3;B;2019-05-05
3 Ash;Cy Hart;400 EUR;20 m2;0;C;2021-08-09
"""
STAGES = """stage;from;winner;wins;starts;country;leader is
Stage 1;Rome;Ada Lund;2;160;Italy;Irish
Stage 2;Oslo;Bo Reed;1;158;Norway;Danish
Stage 3;Rome;Ada Lund;9;157;Italy;Danish
"""


def of_table(folder, text):
    (folder / "table.csv").write_text(text)
    memnets.build_kb(folder / "table.csv", folder / "kb", table=True)
    store = Store.open(folder / "kb")
    return Parser(store, open_names(store))


@pytest.fixture(scope="module")
def menu(tmp_path_factory):
    return of_table(tmp_path_factory.mktemp("menu"), DISHES)


@pytest.fixture(scope="module")
def flats(tmp_path_factory):
    return of_table(tmp_path_factory.mktemp("flats"), FLATS)


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Who rents 1 Elm?", "Ada Lund"),  # the rent is nobody
        ("How big is 1 Elm?", "40 m2"),  # its rooms say it where no size does
        ("Which EC does 1 Elm have?", "A"),
        ("Is 1 Elm cheaper than 2 Oak?", "yes"),
        ("Which flat was let the longest ago?", "2 Oak"),
        ("How much do I pay for 2 Oak?", "700 EUR"),
        ("Which flats have no rooms?", "3 Ash"),  # a number of none
    ],
)
def test_words_of_everyday_life_say_relations(flats, question, answers):
    assert first_answers(flats, question) == answers


@pytest.fixture(scope="module")
def stages(tmp_path_factory):
    return of_table(tmp_path_factory.mktemp("stages"), STAGES)


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Who won Stage 3?", "Ada Lund"),  # not what wins 9
        ("Which stages did Ada Lund win?", "Stage 1, Stage 3"),
        ("Did Ada Lund win Stage 2?", "no"),
        ("Where did Stage 2 start?", "Oslo"),
        ("Which stages start in Rome?", "Stage 1, Stage 3"),
        ("What starts in Rome?", "Stage 1, Stage 3"),
        ("Who won Stage 9?", ""),  # there is none, and nine are no wins
        ("Which stages are Italian?", "Stage 1, Stage 3"),
        ("How many Norwegian stages are there?", "1"),
        ("Which stages have a leader from Denmark?", "Stage 2, Stage 3"),
    ],
)
def test_of_a_number_and_a_name_names_are_asked_for_by_who_and_where(stages, question, answers):
    assert first_answers(stages, question) == answers


def test_where_no_relation_of_some_names_is_others_are_asked_for(tmp_path):
    parser = of_table(tmp_path, FLATS.replace("size", "gas").replace(" m2", ""))
    assert first_answers(parser, "How big is 1 Elm?") == "2"


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Which dishes are vegetarian?", "Onion soup, Plum cake"),  # what a row is called
        ("How many dishes are there?", "3"),
        ("Which dish is the cheapest?", "Onion soup"),
        ("Which dishes opened after 2000?", "Fish pie, Plum cake"),
        ("Which dishes are from before 1995?", "Onion soup"),  # no number of guests is a year
        ("Which dishes did not open in 2011?", "Fish pie, Onion soup"),
        ("Which dishes have more guests than Plum cake?", "Fish pie"),
        ("Which dishes opened in the 20th century?", "Onion soup"),
        # How much of something that has the most of it, or of another.
        ("How much is the cheapest dish?", "5 EUR"),
        ("What is the price of the cheapest dish?", "5 EUR"),
        ("How much is the newest dish?", "6 EUR"),
        ("When did the newest dish open?", "2011"),
    ],
)
def test_the_rows_of_a_table_are_what_its_first_column_is_called(menu, question, answers):
    assert first_answers(menu, question) == answers


@pytest.mark.parametrize(
    ("called", "nouns"),
    [
        ("dish", {"dish", "dishes"}),
        ("Dish name", {"dish", "dishes"}),
        ("towns", {"town", "towns"}),
        ("name", set()),
        ("full_name", set()),
        ("", set()),
    ],
)
def test_a_row_is_called_as_the_first_column(called, nouns):
    assert row_nouns(called) >= nouns
    assert bool(row_nouns(called)) == bool(nouns)


def test_a_year_narrows_no_number_that_is_none(menu):
    programs = [one.program for one in menu.parse("Which dishes are from before 1995?").candidates]
    assert [in_words(one) for one in programs] == ["those with opened less than 1995"]


def test_rows_with_an_empty_cell_are_counted_too(tmp_path):
    gaps = of_table(tmp_path, "dish,rating,cook\nPie,,Ada\nStew,4,Bo\nSoup,,Ada\n")
    assert first_answers(gaps, "How many dishes are there?") == "3"


CLASSES = """\
class,room,pupils,hired,plays,also_plays
2a,104,27,2012,violin,piano
3a,210,25,2009,piano,violin
"""


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Which is bigger, 2a or 3a?", "2a"),  # by its pupils, not by the number of a room
        ("What is the biggest class?", "2a"),
        ("Which class has been here the longest?", "3a"),  # of hired: the number is a year
        ("What does 2a play?", "violin"),  # "also plays" is said less surely
    ],
)
def test_the_usual_column_is_meant(tmp_path, question, answers):
    assert first_answers(of_table(tmp_path, CLASSES), question) == answers


TRAINS = """\
train,departs,arrives,built
Night Owl,22:10,01:25,1999
Dawn,05:10,06:25,2001
"""


@pytest.mark.parametrize(
    "question",
    [
        "If I take the Night Owl, at what time do I get there?",
        "At what time does the Night Owl get there?",
    ],
)
def test_two_places_that_say_one_relation_narrow_it(tmp_path, question):
    """Many relations give a time; "get there" asks for one of them."""
    assert first_answers(of_table(tmp_path, TRAINS), question) == "01:25"


LETTINGS = """flat;floor;tenant;heated with;balcony;pets allowed
Hope;1;Ada Lund;oil;yes;no
Wolf;;Bo Reed;oil;yes;yes
May;2;;gas;no;no
Rosa;3;Cy Hart;;;yes
Ivy;4;Di Fox;gas;no;yes
Elm;5;Ed Ash;oil;yes;
"""


@pytest.fixture(scope="module")
def lettings(tmp_path_factory):
    return of_table(tmp_path_factory.mktemp("lettings"), LETTINGS)


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        # Flats are known by their floor, which one of them lacks.
        ("How many flats are there?", {"6"}),
        ("How many flats are heated with oil?", {"3"}),
        ("Which flats have a balcony?", {"Hope", "Wolf", "Elm"}),
        ("Which flats have no tenant?", {"May"}),
        ("Which flats have no floor?", {"Wolf"}),
        # Flags whose words stand apart, or the other way round.
        ("flats where pets are not allowed", {"Hope", "May"}),
        ("flats where pets are allowed", {"Wolf", "Rosa", "Ivy"}),
        ("In total, how many flats allow pets?", {"3"}),
    ],
)
def test_all_rows_of_a_table_are_what_it_is_called_by(lettings, question, answers):
    assert {*lettings.parse(question).candidates[0].outcome.answers} == answers
