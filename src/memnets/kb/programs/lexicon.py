"""Words of English that say what is to be done with facts, and words for what relations say.

They are few, written by hand and general: of counting, of order, of time, of leaving out.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from importlib import resources
from itertools import chain, pairwise
from string import ascii_lowercase
from typing import NamedTuple

from memnets.kb.index.ngrams import INTERROGATIVES, STOP_WORDS
from memnets.kb.linking.parts import NearWords, distance
from memnets.kb.linking.parts import likeness as nearly
from memnets.kb.programs.forms import (
    BASES,
    TAILS,
    base_of,
    inflected,
    same_stem,
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


_HERE = word_set("company firm business organisation organization house club shop school")
_OURS = _HERE | word_set(
    "station zoo library museum office hotel stable farm garden park brigade society association "
    "theatre institute university college hospital clinic agency"
)
_IN_ALL = (["in", "the"], ["at", "the"], ["in", "our"], ["of", "the"], ["in", "this"])
_HAS_ALL = (["does", "the"], ["does", "our"], ["does", "this"], ["does", "your"])


def is_here(words: list[str], at: int) -> bool:
    """Whether a word only says that all are meant: "who is the oldest in the company"."""
    before = words[max(0, at - 2) : at]
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
    "newest newer": Degree(False, False, "date opened built founded made released year"),
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
    **dict.fromkeys(("wat", "waht", "wht"), "what"),
    **dict.fromkeys(("hwo",), "who"),
    **dict.fromkeys(("whear", "wher"), "where"),
    **dict.fromkeys(("wen", "wehn", "whn"), "when"),
    **dict.fromkeys(("wich", "whitch", "whic", "wihch"), "which"),
    **{"dose": "does", "teh": "the", "kindly": "please"},
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


class Rule(NamedTuple):
    """Which relations a phrase asks for."""

    of: frozenset[str]
    """Words of their names."""
    kind: str
    """Of their objects: name, number, date, or yes or no; "" for any."""
    inverse: bool = False
    """Whether the phrase names their subjects: "the children of" those who are a mother."""
    otherwise: frozenset[str] = frozenset()
    """Words of the names of others, which are asked for where there are none of these."""


@cache
def groups() -> tuple[frozenset[str], ...]:
    """Return the sets of words that are said for the same relation."""
    return tuple(word_set(words) for (words,) in written("groups"))


@cache
def of_countries() -> Mapping[str, tuple[str, ...]]:
    """Return the countries of "Danish", and "danish" of Denmark, in lower case."""
    sets = [words.casefold().split() for (words,) in written("peoples")]
    found = {people: tuple(countries) for people, *countries in sets}
    return found | {country: (people,) for people, *countries in sets for country in countries}


@cache
def rules() -> Mapping[tuple[str, ...], tuple[Rule, ...]]:
    """Return what phrases ask for, by their words."""
    found: dict[tuple[str, ...], tuple[Rule, ...]] = {}
    for kind, of, said, *otherwise in written("rules"):
        rule = Rule(
            word_set(of),
            "" if kind in ("any", "inverse") else kind,
            kind == "inverse",
            word_set(" ".join(otherwise)),
        )
        for phrase in chain.from_iterable(map(inflected, said.split(", "))):
            words = tuple(phrase.split())
            found[words] = (*found.get(words, ()), rule)
    return found


def having_of(forms: Iterable[str]) -> frozenset[str]:
    """Return words of the relations that things of a kind have, whatever else has them too.

    Args:
        forms: a noun, in the singular.
    """
    asked = {*forms}
    return frozenset().union(*(of for say, of in _kinds() if say & asked))


@cache
def _kinds() -> tuple[tuple[frozenset[str], frozenset[str]], ...]:
    return tuple((word_set(nouns), word_set(of)) for nouns, of in written("kinds"))


def written(name: str) -> Iterator[list[str]]:
    """Yield the lines of a table that was written by hand, in its columns."""
    text = resources.files("memnets.kb.programs").joinpath(f"{name}.txt").read_text("utf-8")
    for line in text.splitlines():
        if line and not line.startswith("#"):
            yield [column.strip() for column in line.split("|")]


_KNOWING = word_set("know knows")
LITTLE = STOP_WORDS - word_set("made make own part use used")
"""Words that say nothing of a relation. The others of the stop words may: `made_by`, `used_in`."""


@lru_cache(2**16)
def likeness(word: str, relation: tuple[str, ...]) -> float:
    """Return how much a word of a question says a relation: 1 by its name, less by another word.

    Args:
        word: of the question, in lower case.
        relation: the words of its name.
    """
    last = ("last",) * (relation[0] == "last")
    telling = [part for part in (*last, *_literally(relation)) if part not in LITTLE]
    if word in LITTLE - {"under"} or not telling:
        return 0.0
    if word in _KNOWING and word not in relation:  # "do you know" asks for nothing that is known
        return 0.0
    if word == "".join(relation):
        return 1.0
    if word not in INTERROGATIVES and any(same_stem(word, part) for part in telling):
        qualified = len(telling) > 1 and telling[0] in QUALIFYING and word != telling[0]
        return QUALIFIED if qualified else SAID if is_about(word, relation) else 1.0
    if _saying(word).isdisjoint(_said_by(tuple(telling))) or _is_no_agent(word, relation):
        return 0.0
    return ASKED if word in INTERROGATIVES or word in GENERAL else SAID


@lru_cache(2**16)
def is_about(word: str, relation: tuple[str, ...]) -> bool:
    """Whether a word is only what a compound is about: "station" of `station_master`.

    Verbs have no such words ("year built", "grows well beside"), nor has "birth date".
    """
    telling = [part for part in relation if part not in LITTLE]
    verbal = any(part in BASES or part.endswith("ed") for part in telling)
    places = {relation[0], relation[-1], *(part for part in relation if part not in PART_OF)}
    if verbal or not places.isdisjoint(PREPOSITIONS):  # "lies on river" is verbal too
        return False
    cut = next((at for at, part in enumerate(relation) if part in PART_OF), len(relation))
    heads = [part for part in relation[:cut] if part not in LITTLE][-1:]
    if not heads or heads[0] in GENERIC or same_stem(word, heads[0]):
        return False
    return any(same_stem(word, part) for part in telling)


@lru_cache(2**16)
def _saying(word: str) -> frozenset[int]:
    """Return the numbers of the groups that a word of a question belongs to."""
    alike = (
        one
        for one in _grouped().get(base_of(word)[:2], ())
        if len(one) > 3 and same_stem(word, one)
    )
    return frozenset(number for one in (word, *alike) for number in _numbers().get(one, ()))


def says(word: str) -> bool:
    """Whether a word is said for some relation, whatever knowledge base has it."""
    return bool(_saying(word)) or (word,) in rules()


def _literally(relation: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words of a name that mean what they say: what "takes place" takes no place."""
    if relation[0] == "last":  # "last restored" is no length of time
        return relation[1:] or relation
    idiom = relation[0] in ("takes", "take", "took") and relation[1:2] == ("place",)
    return ("happens", *relation[2:]) if idiom else relation


@lru_cache(2**16)
def _said_by(relation: tuple[str, ...]) -> frozenset[int]:
    """Return the numbers of the groups that name a relation."""
    return frozenset(number for part in _literally(relation) for number in _naming(part))


@lru_cache(2**16)
def _naming(part: str) -> frozenset[int]:
    """Return the numbers of the groups with a word that names a relation of one word."""
    words, tails = _grouped(), (tail for tail in TAILS if part.endswith(tail))
    may = {*words.get(part[:2], ()), *words.get(BASES.get(part, part)[:2], ()), *tails}
    return frozenset(
        number for one in may if named(one, (part,)) for number in _numbers().get(one, ())
    )


@cache
def _numbers() -> Mapping[str, tuple[int, ...]]:
    """Return the numbers of the groups that each word is in."""
    found: dict[str, tuple[int, ...]] = {}
    for number, group in enumerate(groups()):
        for one in group:
            found[one] = (*found.get(one, ()), number)
    return found


@cache
def _grouped() -> Mapping[str, tuple[str, ...]]:
    """Return the words of all groups by the two letters that they, or their bases, begin with."""
    found: dict[str, tuple[str, ...]] = {}
    for one in _numbers():
        for letters in {one[:2], BASES.get(one, one)[:2]}:
            found[letters] = (*found.get(letters, ()), one)
    return found


@lru_cache(2**16)
def meant(of: frozenset[str], relation: tuple[str, ...]) -> bool:
    """Whether a rule that asks for some names asks for a relation of such a name."""
    return any(named(one, relation) for one in of if not _is_no_agent(one, relation))


def _is_no_agent(word: str, relation: tuple[str, ...]) -> bool:
    """Whether a relation leads to a place, and no one who acts: no keeper is `kept_in`."""
    acts = word.removesuffix("s").endswith(("er", "or"))
    return acts and len(relation) > 1 and relation[-1] in ("in", "at", "on")


@lru_cache(2**16)
def misspelt(word: str, relation: tuple[str, ...]) -> float:
    """Return how nearly a word is spelt like one of a relation's name, or 0."""
    telling = [part for part in relation if part not in LITTLE]
    return SAID * max(_nearly(word, part) for part in (*telling, "".join(relation)))


def _nearly(word: str, part: str) -> float:
    """Return how nearly a word is spelt like another; short ones with a letter lost: "livs"."""
    lost = {len(word), len(part)} == {SHORT, SHORT + 1} and word[0] == part[0]
    if lost and distance(word, part) == 1:
        return 1 - 1 / max(len(word), len(part))
    return nearly(word, part)


@cache
def _known() -> NearWords:
    return NearWords(sorted(word for word in _numbers() if len(word) >= SHORT))


@lru_cache(2**12)
def spelt(word: str) -> str | None:
    """Return the word of a group that one may be a misspelling of: "jion" is "join"."""
    if len(word) < SHORT or word in _numbers():
        return None
    known = [one for one in _known().candidates(word) if one[0] == word[0]]
    if len(word) < LONG:  # two letters that are swapped, or any short word may be another one
        known = [one for one in known if sorted(one) == sorted(word)]
    best = max(((_nearly(word, one), one) for one in known), default=(0.0, ""))
    return best[1] if best[0] else None


def with_a_letter(word: str) -> Iterator[str]:
    """Yield what a word may be without one of its letters, which is not the first."""
    places = range(1, len(word) + 1)
    longer = (word[:at] + letter + word[at:] for at in places for letter in ascii_lowercase)
    yield from dict.fromkeys(longer)


def named(word: str, relation: Iterable[str]) -> bool:
    """Whether a relation is called so, or by a compound of it: "birth" names "birthplace"."""
    return any(
        same_stem(word, part)
        or (part.startswith(word) and part[len(word) :] in TAILS)
        or (part.endswith(word) and word in TAILS)
        for part in relation
    )


def phrase_at(words: list[str], at: int, phrase: tuple[str, ...]) -> bool:
    """Whether a phrase stands at a place."""
    return words[at : at + 1] == [phrase[0]] and tuple(words[at : at + len(phrase)]) == phrase
