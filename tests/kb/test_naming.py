"""Entities in questions: by name, by another form of it, nearly spelt."""

import pytest

from memnets.kb.linking.mention import Mention
from memnets.kb.linking.naming import Names
from memnets.kb.linking.spelling import ALIKE, nearest_word, trigrams
from memnets.kb.linking.words import other_names, question_words

LINKS = {
    "Blade Runner": 7,
    "Blade Runner (book)": 5,
    "Alien": 11,
    "The Godfather": 3,
    "Scott, Ridley": 2,
    "Amélie": 2,
    "1982": 13,
    "Director": 1,
    "It": 1,
    "Schindler's List": 3,
}
NAMES = Names(LINKS, ordinary={"who", "what", "directed", "director", "film"})


def named(question: str, unknown: str | None = None) -> list[Mention]:
    if unknown:
        return NAMES.learnt(question_words(question), unknown)
    return NAMES.mentions(question_words(question))


def test_words_are_without_case_accents_and_punctuation():
    words = ["the", "strasse", "of", "zoe", "'s", "office", "2nd"]  # ß is ss in any other case
    assert question_words("The Straße of Zoë’s ofﬁce, 2nd!") == words
    assert question_words("THE STRASSE of ZOË'S Office 2ND") == words


@pytest.mark.parametrize(
    ("question", "entity", "how"),
    [
        ("who directed ALIEN?", "Alien", "name"),
        ("who directed schindler’s list?", "Schindler's List", "name"),
        ("who directed Amelie", "Amélie", "name"),
        ("who directed godfather", "The Godfather", "alias"),
        ("what did ridley scott make", "Scott, Ridley", "alias"),
        ("who directed the godfahter", "The Godfather", "spelling"),
        ("what was made in 1982", "1982", "name"),
    ],
)
def test_an_entity_is_recognised(question, entity, how):
    (mention,) = named(question)
    assert mention.entities[0] == entity
    assert mention.how == how
    assert (mention.likeness < 1) == (how == "spelling")
    assert mention.likeness <= 1


def test_a_name_of_several_entities_leads_to_all_and_to_two_to_learn_from():
    links = {"Alien (1979)": 5, "Alien (book)": 7, "Alien (game)": 1}
    (mention,) = Names(links).mentions(["alien"])
    assert mention.entities == ("Alien (book)", "Alien (1979)", "Alien (game)")
    (mention,) = Names(links).learnt(["alien"])
    assert mention.entities == ("Alien (book)", "Alien (1979)")


def test_the_longest_name_is_taken_and_none_overlap():
    mentions = Names({"Rome": 3, "Rome Open City": 2, "Open": 5}).mentions(["rome", "open", "city"])
    assert [(m.begin, m.end, m.entities) for m in mentions] == [(0, 3, ("Rome Open City",))]


def test_names_may_stand_side_by_side():
    mentions = Names({"Ada": 3, "Ben": 2}).mentions(["is", "ada", "ben", "ada"])
    assert [(m.begin, m.end) for m in mentions] == [(1, 2), (2, 3), (3, 4)]


def test_names_come_in_the_order_of_the_words_and_not_of_their_length():
    found = named("is Alien older than Blade Runner and The Godfather?")
    assert [one.entities[0] for one in found] == ["Alien", "Blade Runner", "The Godfather"]


def test_a_word_of_questions_is_a_name_only_where_there_is_no_other():
    assert [m.entities for m in named("who is the director of Alien")] == [("Alien",)]
    assert [m.entities for m in named("who is the director")] == [("Director",)]
    assert [m.entities for m in named("who directed it")] == [("It",)]
    assert [m.entities for m in named("who directed it and Alien")] == [("Alien",)]
    assert named("who directed that") == []


def test_an_entity_may_be_thought_away():
    assert named("who directed Alien", unknown="Alien") == []
    assert named("who directed blade runner", unknown="Blade Runner")[0].entities == (
        "Blade Runner (book)",
    )


@pytest.mark.parametrize("question", ["made in 1983", "made in 1892", "who directed Alf", "", "?!"])
def test_numbers_and_short_names_must_be_spelt_rightly(question):
    assert named(question) == []


def test_an_english_word_is_no_misspelt_name():
    links = {"olives": 1, "Old Nan": 1}
    assert [m.name for m in Names(links).mentions(["lives"])] == ["olives"]
    names = Names(links)
    names.is_word = {"lives", "old"}.__contains__
    assert names.mentions(["lives"]) == []
    assert [m.name for m in names.mentions(["old", "nann"])] == ["old nan"]


def test_the_numbers_of_a_misspelt_name_must_be_right():
    names = Names({"Apollo 12 mission": 1})
    assert [m.how for m in names.mentions(["appollo", "12", "mission"])] == ["spelling"]
    assert names.mentions(["apollo", "13", "mission"]) == []
    assert names.learnt(["apollo", "mission"]) == []
    assert [m.how for m in names.mentions(["apollo", "mission"])] == ["part"]


def test_a_misspelt_name_is_learnt_with_its_article_and_its_place():
    for words, begin, end in (
        (["who", "directed", "the", "godfahter"], 2, 4),
        (["the", "godfahter", "directed"], 0, 2),
        (["godfahter", "directed"], 0, 1),
    ):
        (mention,) = NAMES.learnt(words)
        assert (mention.begin, mention.end) == (begin, end)
        assert (mention.entities, mention.how) == (("The Godfather",), "spelling")
        assert mention.name == " ".join(words[begin:end]).replace("ahter", "ather")
    assert NAMES.learnt(["who", "directed", "alien", "godfahter"])[0].how == "name"


def test_of_names_that_are_as_alike_to_learn_from_the_first_is_meant():
    names = Names({"Caroline": 2, "Carolina": 7, "Carolino": 5})
    assert [m.entities for m in names.learnt(["carolinx"])] == [("Carolina",)]


def test_of_names_that_are_as_alike_the_one_with_most_facts_is_meant():
    names = Names({"Caroline": 2, "Carolina": 7, "Carolino": 5})
    assert [m.entities for m in names.mentions(["carolinx"])] == [("Carolina",)]


def test_as_alike_as_is_asked_for_is_enough():
    name, spelt = "abcdefghijklmnopqrstuvwxy", "abcdefghijklmnopqrstuzzzz"  # 21 letters of 25
    assert [m.likeness for m in Names({name: 1}).mentions([spelt])] == [ALIKE]
    assert nearest_word(spelt, [name]) == name


@pytest.mark.parametrize(
    ("question", "likeness"),
    [("who directed aliem", 0.8), ("what does blade runnner cost", 24 / 25)],
)
def test_it_is_told_how_alike_a_name_is_that_stands_around_a_part(question, likeness):
    (mention,) = named(question)
    assert (mention.how, mention.likeness) == ("spelling", pytest.approx(likeness))


def test_names_of_more_than_twelve_words_are_not_looked_for():
    for words, longest, found in ((11, 11, ["name"]), (12, 12, ["name"]), (14, 12, [])):
        name = [f"word{number}" for number in range(words)]
        names = Names({" ".join(name): 1})
        assert names.longest == longest
        assert [mention.how for mention in names.mentions(name)] == found


def test_a_misspelt_name_has_four_letters_at_least():
    assert nearest_word("wite", ["write"]) == "write"
    assert nearest_word("wit", ["with"]) is None  # as much alike as 6 of 7 letters
    names = Names({"Rome": 1, "Ada": 1})
    assert [m.entities for m in names.mentions(["romex"])] == [("Rome",)]
    assert names.mentions(["adax"]) == []


def test_as_many_entities_as_share_a_name_are_kept_in_the_order_of_their_facts():
    links = {"Up (b)": 3, "Up (a)": 3, "Up (c)": 9}
    assert Names(links).aliases["up"] == ["Up (c)", "Up (a)", "Up (b)"]


def test_a_word_that_asks_is_no_name_and_a_part_of_one():
    names = Names({"What": 3, "What Who": 1})
    assert names.mentions(["what"]) == []
    assert [m.entities for m in names.mentions(["what", "who"])] == [("What Who",)]


def test_a_name_is_no_alias_of_its_own():
    names = Names({"Alien": 1, "The": 1, "?!": 1}, further=[("Alien", "alien!"), ("Alien", "...")])
    assert dict(names.aliases) == {}
    assert Mention(0, 1, ("Alien",), "name", "alien").likeness == 1


def test_a_name_may_be_written_in_one_word_more_than_any_has():
    names = Names({"Godfather": 1})
    (mention,) = names.mentions(["the", "god", "father"])
    assert (mention.begin, mention.end, mention.how) == (1, 3, "spelling")


def test_the_beginning_of_a_long_name_is_just_alike():
    name = "abcdefghijklmnopqrstuvwxyzabc"  # 21 of its 29 letters: 42 of 50
    assert nearest_word(name[:21], [name]) == name
    assert nearest_word(name[:20], [name]) is None


def test_each_word_of_a_misspelt_name_is_alike():
    names = Names({"Ada Brandtner": 1})
    assert names.mentions(["ada", "brantner"])[0].entities == ("Ada Brandtner",)
    assert not names.learnt(["zara", "brandtner"])
    assert names.learnt(["adda", "brandtnr"])[0].entities == ("Ada Brandtner",)


def test_letters_that_come_often_in_a_long_name_count_like_others():
    name = "abcdefghij" * 25
    for spelt in (f"{name[:-1]}x", f"x{name[1:]}"):
        assert nearest_word(spelt, [name]) == name


def test_other_names():
    assert list(other_names("The Thing (1982)")) == ["the thing", "thing"]
    assert list(other_names("An Hour")) == ["an hour", "hour"]
    assert list(other_names("A")) == ["a"]
    assert [*other_names("The Fool's Wife")][2:] == ["the fools wife", "fools wife"]
    assert list(other_names("Rome, Oslo, Lima")) == ["rome oslo lima"]
    assert list(other_names("Scott, Ridley")) == ["scott ridley", "ridley scott"]


def test_further_names():
    names = Names({"Alien": 3, "Up": 2}, further=[("Alien", "Xenomorph!"), ("Heat", "Feu")])
    (mention,) = names.mentions(["xenomorph"])
    assert (mention.entities, mention.how) == (("Alien",), "alias")
    assert names.mentions(["feu"]) == []
    assert Names({"Up": 2}, further=[("Up", "up")]).mentions(["up"])[0].how == "name"


def test_the_nearest_word():
    known = ["directed", "written", "who"]
    assert nearest_word("direcetd", known) == "directed"
    assert nearest_word("banana", known) is None
    assert nearest_word("wo", known) is None
    assert nearest_word("1982", ["1983"]) is None
    assert nearest_word("directed", []) is None


def test_a_kb_without_names():
    assert Names({}).mentions(["who", "directed", "alien"]) == []


def test_a_name_has_a_trigram_for_its_end_too():
    # Padded to two spaces before it and one behind; each counts once.
    assert trigrams("anna") == ["  a", " an", "ann", "nna", "na "]
    assert trigrams("aaaa") == ["  a", " aa", "aaa", "aa "]


def test_two_words_side_by_side_are_of_a_longer_name():
    """A "cherry tart" is no "cherry", and a "cup final" no cup."""
    links = {"Ann's Cherry Tart": 3, "Bo's Cherry Tart": 2, "cherry": 9, "Tart Ann of Cherry": 1}
    names = Names(links)
    (tart,) = names.mentions(["what", "costs", "the", "cherry", "tart"])
    assert (tart.begin, tart.end, tart.how) == (3, 5, "part")
    assert set(tart.entities) == {"Ann's Cherry Tart", "Bo's Cherry Tart"}
    assert names.mentions(["what", "costs", "a", "cherry"])[0].entities == ("cherry",)
    finals = Names({"Cup Final 2019": 2, "Cup Final 2020": 1, "Iron Cup": 1}, ordinary=["final"])
    (final,) = finals.mentions(["who", "won", "the", "cup", "final"])
    assert set(final.entities) == {"Cup Final 2019", "Cup Final 2020"}


@pytest.mark.parametrize(
    ("question", "entities"),
    [
        ("brackwater shnitzel recipe", ("Brackwater Schnitzel",)),
        ("brackwater people", ("Brackwater",)),
        ("whats old halow like", ("Old Hallow",)),
        ("fisherman friday cook", ("Fisherman's Friday",)),
        ("fisherman fridey cook", ("Fisherman's Friday",)),
        ("friday weight", ("Friday",)),  # of no Friday Wright: it is a word of questions
    ],
)
def test_a_misspelt_word_beside_a_right_one_is_of_the_longer_name(question, entities):
    links = dict.fromkeys(("Brackwater", "Brackwater Schnitzel", "Old Hallow", "Port Hallow"), 3)
    links |= dict.fromkeys(("Friday", "Fisherman's Friday", "Friday Wright"), 3)
    names = Names(links, ordinary=("recipe", "weight", "people", "cook"))
    (mention,) = names.mentions(question.split())
    assert mention.entities == entities


CARRIERS = Names(
    {"Cold Chain": 3, "Cold Harbour": 2, "Lady Ash": 2, "Ash Town": 2, "Brisa Town": 2}
    | {"Penny Bakery": 2, "Tortoise": 3, "route": 9, "goth rock": 1, "rock": 2},
    ordinary={"based"},
)


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("cold chaon (the route), opened on", ["Cold Chain", "route"]),  # beside a kind
        ("which route goes to Brisa Town", ["Brisa Town", "route"]),  # beside a name there is none
        ("what town is penny bakry based in", ["Penny Bakery"]),  # and no Ash Town
        ("the course of lay ash", ["Lady Ash"]),  # a short word beside a part
        ("who plays both rock", ["rock"]),  # but not beside a whole name
        ("which route is cold", ["route"]),  # a part alone is none beside a kind
        ("wieght of route tortose", ["Tortoise", "route"]),  # but all of a long name is
        ("which route is coldish", ["route"]),
    ],
)
def test_a_name_is_found_beside_kinds_and_beside_parts_of_others(question, names):
    found = CARRIERS.mentions(question_words(question))
    assert sorted(one.entities[0] for one in found) == names


HARBOUR = Names(
    dict.fromkeys(("Coal Wharf", "coal", "Thunderclap", "Thunder", "Renée Balai", "Quiet Ocean"), 3)
    | dict.fromkeys(("Beatriz Lund", "Zygmunt Król", "Peat House", "Boathouse", "Zephyr"), 3)
    | dict.fromkeys(("Thunderclaps", "Renée Wait", "Lunda"), 3)
    | dict.fromkeys(("Pieces of Nine", "Coldharbour", "The Wait", "Ships and Salvage"), 3)
    | dict.fromkeys(("project", "container ship", "Marmalade", "Feather", "Edmund Grey"), 3),
    ordinary={"lead", "extras", "type", "deep", "trained", "released", "led"},
)
HARBOUR.is_word = {"weight"}.__contains__


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("when does zefyr leave", ["Zephyr"]),
        ("how deep is coal warf", ["Coal Wharf"]),  # around a name
        ("what does thunder clap wear", ["Thunderclap"]),
        ("what does thunder wear", ["Thunder"]),
        ("cleaned by renay balai", ["Renée Balai"]),  # nearly, beside the rest of a name
        ("who trained zigmund krol", ["Zygmunt Król"]),
        ("books by edmond gray", ["Edmund Grey"]),
        ("who is quiet oshen led by", ["Quiet Ocean"]),
        ("who is quiet orchid led by", []),
        ("what projects does beatris lund lead", ["Beatriz Lund", "project"]),  # beside a kind
        ("what type of ship is coldharber", ["Coldharbour", "container ship"]),
        ("extras of peathouse", ["Peat House"]),  # rather than the Boathouse
        ("ships an salvege costs", ["Ships and Salvage"]),
        ("who is marmelades father", ["Marmalade"]),  # and no feather
        ("when was the weight released", []),  # English, and no wait
        ("who adopted pieces fo nine", ["Pieces of Nine"]),
        ("cleaned by renee weight", []),  # not even beside the rest of a name
        ("what projects of balay", ["project"]),  # too short beside a kind
        ("which project is zygmunnt on", ["project"]),  # not all of a name
        ("what ship is lundo", ["container ship"]),
        ("what does lund lead", ["Beatriz Lund"]),  # a part that is right, and no Lunda
    ],
)
def test_names_that_were_spelt_by_ear_are_found(question, names):
    found = HARBOUR.mentions(question_words(question))
    assert sorted(one.entities[0] for one in found) == names


def test_a_name_around_a_part_takes_all_its_words():
    (mention,) = HARBOUR.mentions(["ships", "an", "salvege", "costs"])
    assert mention[:2] == (0, 3)
    assert mention.how == "spelling"
    assert mention.likeness == pytest.approx(30 / 33)


def test_the_same_names_beside_other_ordinary_words():
    assert HARBOUR.mentions(["zefyr"])[0].entities == ("Zephyr",)
    others = HARBOUR.beside({"zefyr"})
    assert others.mentions(["zefyr"]) == []
    assert HARBOUR.mentions(["zefyr"])[0].entities == ("Zephyr",)
    assert others.parts is HARBOUR.parts


TILLIES = Names(
    dict.fromkeys(("Doctor Tilly", "Sweet Tilly", "Saint Tilly"), 3)
    | dict.fromkeys(("Ambersett", "Upper Ambersett", "Ambersett Shed"), 2)
    | dict.fromkeys(("Cousin Ruth's Waffles", "Cousin Ruth's Soup", "Heron 4", "Kite 4", "4"), 2)
    | dict.fromkeys(("wind", "Pebble Bay Wind Farm", "Marram Wind Farm", "Asha Nair"), 2)
    | dict.fromkeys(("Priya Nair", "Ann Reed", "Anna Reed", "Hope", "Hope Ferris"), 1)
    | dict.fromkeys(("Ashby Fen", "Ashby Fen Marvel", "Snowball (laptop)", "Old Tortoise"), 1)
    | dict.fromkeys(("Silver", "Silver Bells", "Silver Belle"), 1)
    | dict.fromkeys(("Silver Mountain", "Silver Mountains"), 1)
    | dict.fromkeys(("laptop", "St. Odo's", "St. Odo's Tower"), 5),
    ordinary={"town", "opened", "packets", "engineer", "owner"},
)


@pytest.mark.parametrize(
    ("question", "entities"),
    [
        ("packets of seet tilly", {"Sweet Tilly"}),
        ("ambersltt opened", {"Ambersett"}),  # and not what has it in its name
        ("upper amberset", {"Upper Ambersett"}),
        ("cosin ruth's waffles", {"Cousin Ruth's Waffles"}),
        ("cousin ruths wafles", {"Cousin Ruth's Waffles"}),
        ("silver mountaain", {"Silver Mountain"}),  # two errors in Silver Mountains
        ("silver bellx", {"Silver Bells", "Silver Belle"}),  # as many errors in both
        ("engineer of heroon 4", {"Heron 4"}),  # and not of what the number is of
        ("owner of 4", {"4"}),
        ("pebnle bay wind farm", {"Pebble Bay Wind Farm"}),  # beside two words spelt rightly
        ("prya nair", {"Priya Nair"}),  # a short word beside a part
        ("nair", {"Asha Nair", "Priya Nair"}),
        ("prudence nair", set()),
        ("anxa reed", {"Anna Reed"}),  # one error, where Ann has two
        ("ashby fen msarvel", {"Ashby Fen Marvel"}),  # and not the name that begins it
        ("owner of st odo's tonwer", {"St. Odo's Tower"}),
        ("owner of st odo's packets", {"St. Odo's"}),
        ("soowball (laptop)", {"Snowball (laptop)"}),  # all of it
        ("tortose (laptop)", {"laptop"}),  # which is not all of a name
        ("hopes town", {"Hope", "Hope Ferris"}),
    ],
)
def test_of_those_that_have_a_word_the_name_that_stands_there_is_meant(question, entities):
    found = TILLIES.mentions(question_words(question))
    assert {one for mention in found for one in mention.entities} == entities


def test_those_that_have_a_misspelt_name_in_theirs_are_kept_beside_it():
    (mention,) = TILLIES.mentions(["ambersltt", "opened"])
    assert {*mention.others} == {"Upper Ambersett", "Ambersett Shed"}
    assert (mention.begin, mention.end, mention.how) == (0, 1, "spelling")
    (exact,) = TILLIES.mentions(question_words("owner of St. Odo's"))
    assert (exact.entities, exact.others) == (("St. Odo's",), ())  # of a name of several words none


def test_of_many_names_those_with_both_words_are_compared():
    many = {f"Wind {letter}": 9 for letter in "bcdefghijklmnopqrstuvw"}
    names = Names({"wind": 9} | many | {"Pebble Bay Wind Farm": 1, "Marram Wind Farm": 1})
    (mention,) = names.mentions(question_words("owner of pebnle bay wind farm"))
    assert mention.entities == ("Pebble Bay Wind Farm",)
