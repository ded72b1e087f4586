"""Words of English that say what is to be done with facts, and words for what relations say.

They are few, written by hand and general: of counting, of order, of time, of leaving out.
"""

from itertools import pairwise
from typing import NamedTuple

from memnets.kb.index.ngrams import INTERROGATIVES
from memnets.kb.programs.forms import (
    TAILS,
    singulars,
    word_set,
)
from memnets.kb.programs.operators import How
from memnets.kb.questions.english import PREPOSITIONS

COUNT = (("how", "many"), ("number", "of"), ("total", "of"), ("count",), ("how", "often"))
"""Ask for a number of things."""
COMPARISONS: dict[tuple[str, ...], How] = {
    **dict.fromkeys((("more", "than"), ("over",), ("above",), ("after",)), "more than"),
    **dict.fromkeys((("later", "than"), ("higher", "than"), ("greater", "than")), "more than"),
    **dict.fromkeys((("larger", "than"), ("bigger", "than"), ("exceeding",)), "more than"),
    **dict.fromkeys((("longer", "than"), ("taller", "than"), ("newer", "than")), "more than"),
    **dict.fromkeys((("less", "than"), ("under",), ("below",), ("before",)), "less than"),
    **dict.fromkeys((("earlier", "than"), ("lower", "than"), ("smaller", "than")), "less than"),
    **dict.fromkeys((("fewer", "than"), ("shorter", "than"), ("cheaper", "than")), "less than"),
    **dict.fromkeys((("at", "least"), ("since",), ("from",)), "at least"),
    **dict.fromkeys((("at", "most"), ("until",), ("till",), ("up", "to")), "at most"),
}
"""Stand before a value, or before another entity whose value is meant."""
BEHIND: dict[tuple[str, ...], How] = {
    **dict.fromkeys((("or", "later"), ("or", "more"), ("or", "after")), "at least"),
    **dict.fromkeys((("or", "earlier"), ("or", "less"), ("or", "before")), "at most"),
    **dict.fromkeys((("or", "over"), ("and", "later"), ("and", "above")), "at least"),
}  # fmt: skip
"""Stand behind a value."""
NOT = word_set(
    "not no non without outside neither nor never isn aren don doesn didn wasn weren hasn haven "
    "lack lacks lacked lacking cannot"
)
"""What is named next is denied; the "t" of "isn't" is a word of its own."""
EXCEPT = (
    *(("except",), ("besides",), ("excluding",), ("other", "than"), ("apart", "from")),
    *(
        ("not", "counting"),
        ("leaving", "out"),
        ("but", "not"),
        ("else", "than"),
        ("aside", "from"),
        ("not", "including"),
    ),
)
"""What is named next is left out."""
YES_OR_NO = word_set("is are was were does do did has have had can could would will")
"""A question that begins so is answered by yes or no, unless it asks for names as well."""
TELL = word_set(
    "have tell list show give name find say help explain look check remind share provide"
)
"""Behind "can you" they ask for more than yes or no."""
PRONOUNS = word_set("he she it they there")
PEOPLE = word_set(
    "product products item items people person persons somebody someone anybody anyone "
    "everybody everyone staff ones one another things thing entries us company whole names name "
    "anything something lasts"
)
"""Say nothing of which are meant."""
FILLING = word_set(
    "please tell show list give find look looking want like know knows need named called there "
    "different exactly direct directly all every each both work works working everybody many much "
    "whats wats whos wheres whens hows possible current currently right got gets get well kind "
    "sell sells stock "
    "actually really just only even still yet ever again exactly precisely sharp "
    "originally presently ago maybe perhaps hi hello hey dear thanks pls plz curious wonder "
    "wondering "
    "thank already offer offers provide provides feature features "
    "total altogether overall completely entirely hold holds go goes going went take takes "
    "mean "
    "should shall may might must will would could let "
    "moment nowadays "
    "t re ve ll d m s"
)
"""Ask, and say nothing of what is asked."""


_HERE = word_set(
    "company firm business organisation organization house club shop school region league country "
    "world planet list table register catalogue collection records database library museum area"
)
_OURS = _HERE | word_set(
    "station zoo library museum office hotel stable farm garden park brigade society association "
    "theatre institute university college hospital clinic agency"
)
_IN_ALL = (["in", "the"], ["at", "the"], ["in", "our"], ["of", "the"], ["in", "this"])
_WHOLE = word_set("whole entire")
_HAS_ALL = (["does", "the"], ["does", "our"], ["does", "this"], ["does", "your"])


def is_here(words: list[str], at: int) -> bool:
    """Whether a word only says that all are meant: "who is the oldest in the company"."""
    end = at - 1 if words[at - 1] in _WHOLE else at  # "in the whole league"
    before = words[max(0, end - 2) : end]
    if words[at + 1 : at + 2] == ["have"] and before in _HAS_ALL:
        return words[at] in _OURS  # "how many animals does the zoo have"
    return words[at] in _HERE and before in _IN_ALL


class Degree(NamedTuple):
    """What a superlative or comparative asks for."""

    least: bool
    """Of numbers."""
    least_of_dates: bool
    hints: str = ""
    """Words of the relations that it is likely to be about."""

    @property
    def is_of_age(self) -> bool:
        """Whether it compares ages: the greater the age, the earlier the date."""
        return "age" in self.hints.split()


_SIZES = (
    "area size population capacity employees inhabitants surface seats students pupils members "
    "staff rooms height length"
)
_LENGTHS = "length duration runtime running pages lifespan long distance time"
_HEIGHTS = "height elevation altitude"
_PRICES = "price cost value rent fee fare admission"
_BIRTHS = "born birth age"
_MADE = "founded built year opened planted vintage established introduced installed offered active"
_POWERS = "power strength output thrust alcohol"
_WEALTH = "worth wealth fortune salary income"
_DEGREES = {
    "most greatest maximum top more": Degree(False, False),
    "highest": Degree(False, False, _HEIGHTS),
    "largest biggest larger bigger": Degree(False, False, _SIZES),
    "smallest smaller": Degree(True, True, _SIZES),
    "latest recent recently later": Degree(False, False, "date"),
    "newest newer": Degree(False, False, f"date {_MADE} made released launched"),
    "narrowest narrower": Degree(True, True, "width gauge breadth"),
    "steepest steeper": Degree(False, False, "gradient slope incline"),
    "strongest stronger powerful mightiest": Degree(False, False, _POWERS),
    "weakest weaker": Degree(True, True, _POWERS),
    "busiest busier": Degree(False, False, "passengers visitors traffic guests"),
    "thickest thicker": Degree(False, False, "thickness girth diameter"),
    "thinnest thinner": Degree(True, True, "thickness girth diameter"),
    "nearest closest nearer closer": Degree(True, True, "distance"),
    "furthest farthest further farther": Degree(False, False, "distance"),
    "hardest harder": Degree(False, False, "hardness difficulty"),
    "softest softer": Degree(True, True, "hardness"),
    "fattest fatter": Degree(False, False, "fat weight"),
    "quickest quicker": Degree(True, True, "duration time journey"),
    "last": Degree(False, False, "date start"),
    "least fewest minimum less fewer lower": Degree(True, True),
    "lowest": Degree(True, True, _HEIGHTS),
    "earliest first earlier": Degree(True, True, "date start born"),
    "oldest older eldest": Degree(False, True, f"{_BIRTHS} {_MADE}"),
    "youngest younger": Degree(True, False, f"{_BIRTHS} planted vintage"),
    "longest longer": Degree(False, True, f"{_LENGTHS} start"),
    "shortest shorter": Degree(True, False, f"height {_LENGTHS}"),
    "tallest taller higher": Degree(False, False, _HEIGHTS),
    "heaviest heavier": Degree(False, False, "weight mass"),
    "lightest lighter": Degree(True, True, "weight mass"),
    "deepest deeper": Degree(False, False, "depth"),
    "widest wider broadest broader": Degree(False, False, "width gauge breadth span"),
    "fastest faster": Degree(False, False, "speed"),
    "slowest slower": Degree(True, True, "speed"),
    "best better": Degree(False, False, "rating score grade marks"),
    "worst worse": Degree(True, True, "rating score grade marks"),
    "hottest warmest hotter warmer": Degree(False, False, "temperature"),
    "coldest colder": Degree(True, True, "temperature"),
    "dearest priciest expensive dearer pricier": Degree(False, False, _PRICES),
    "cheapest cheaper": Degree(True, True, _PRICES),
    "richest richer": Degree(False, False, _WEALTH),
    "populous populated": Degree(False, False, "population inhabitants"),
    "poorest poorer": Degree(True, True, _WEALTH),
}
DEGREES = {word: degree for words, degree in _DEGREES.items() for word in words.split()}
"""By the words that ask for the most or the least of something."""

MISTYPED = {
    **dict.fromkeys(("wat", "waht", "wht", "wot"), "what"),
    **dict.fromkeys(("hwo",), "who"),
    **dict.fromkeys(("whear", "wher"), "where"),
    **dict.fromkeys(("wen", "wehn", "whn"), "when"),
    **dict.fromkeys(("wich", "whitch", "whic", "wihch"), "which"),
    **{"dose": "does", "teh": "the", "kindly": "please", "whit": "with", "woz": "was"},
    **{f"{verb}nt": f"{verb}n" for verb in word_set("is are was were do does did has have")},
    **{"cant": "cannot", "wont": "not"},
}
"""Words that ask as they are often typed."""
SIGNS = {">=": "at least", "<=": "at most", "≥": "at least", "≤": "at most"} | {
    ">": "more than",
    "<": "less than",
}
"""Of comparison, in words."""
_REQUESTS = INTERROGATIVES | word_set("would could can please kindly")
_GREETED = word_set("morning afternoon evening day")
_HELPING = word_set("is are was were did does do can has have")


def signs_in_words(question: str) -> str:
    """Return a question without signs of comparison: "price > 5" is "price more than 5"."""
    for sign, words in SIGNS.items():
        question = question.replace(sign, f" {words} ")
    return question


def asking_words(words: list[str]) -> list[str]:
    """Return the words of a question with those that ask spelt right: "were is" is "where is"."""
    found = [MISTYPED.get(word, word) for word in words]
    asks = not _REQUESTS.isdisjoint(words)
    for at, (before, word) in enumerate(pairwise(words), 1):
        if word == "'s" and before in INTERROGATIVES:
            found[at] = "is"
        if (
            (before, word) == ("how", "much")
            and words[at + 1 : at + 2]
            and singulars(words[at + 1])
        ):
            found[at] = "many"
        if (before, word) == ("longest", "ago"):
            found[at - 1] = "earliest"
        if (before, word) == ("so", "kind"):  # "would you be so kind"
            found[at] = "please"
        if before == "good" and word in _GREETED and asks:
            found[at - 1 : at + 1] = ["please", "please"]
        if (before, word) == ("can", "t"):
            found[at - 1] = "cannot"
    if words[:1] == ["were"] and words[1:2] and words[1] in _HELPING:
        found[0] = "where"
    return found


AGENTS = word_set(
    "guide coach judge sponsor host guard pilot captain mentor tutor chair head lead umpire boss "
    "nurse doctor cook author partner model rule"
)
"""Verbs that are also called those who do so: "guides" are those by whom one is guided."""


def is_done_to(word: str, relation: tuple[str, ...]) -> bool:
    """Whether a noun is what is done something to: "films" of `filmed_in`, "plays" of `played_by`.

    But "guides" of `guided_by` are those who do.
    """
    base = word.removesuffix("s")
    participle = len(relation) > 1 and relation[0] in (
        f"{base}ed",
        f"{base}d",
        f"{base}{base[-1:]}ed",
    )
    acts = relation[-1] == "by" and base in AGENTS
    return participle and not acts and relation[-1] in PREPOSITIONS - {"of"}


QUALIFYING = word_set(
    "favourite favorite previous formerly former next last old deputy vice assistant second other "
    "also"
)
"""Of a relation that begins so the noun alone says little: "club" of "previous club"."""
QUALIFIED = 0.5
"""How surely it does."""
SAID, ASKED = 0.6, 0.4
"""How surely another word says a relation, and how surely "where" does."""
GENERAL = word_set(
    "live lives living lived come comes came by from work works plays play lie lies stand stands"
)
"""Words that say a relation less surely than others, since they are said of much."""
SHORT, LONG = 4, 7
"""Letters of the shortest word that may be misspelt, and of those that hardly are other words."""
GENERIC = TAILS | word_set("title kind type sort size amount count rate level code person people")
"""Of compounds that end in these, the words before say as much: "birth date", "job title"."""
PART_OF = word_set("of per to for")
"""Behind them stands what a relation's name is only about: "weight of 1000 seeds"."""
MUTUAL = word_set(
    "border borders bordering neighbour neighbours neighbor neighbors adjacent adjoins married "
    "marries spouse partner sibling siblings twin twinned friend friends ally allies rival rivals "
    "colleague cousin"
)
"""Words of relations that hold both ways, though they may be written down in one."""
INVERSE = word_set("report reports reported reporting under")
"""Verbs whose subject is the subject of the relation: who reports to Ada has her as a manager."""


def phrase_at(words: list[str], at: int, phrase: tuple[str, ...]) -> bool:
    """Whether a phrase stands at a place."""
    return words[at : at + 1] == [phrase[0]] and tuple(words[at : at + len(phrase)]) == phrase
