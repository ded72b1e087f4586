"""Which words are one in other forms: "rides" and "ridden", "geese", "create" and "creator"."""

import re
from collections import defaultdict
from collections.abc import Mapping
from functools import cache, lru_cache


def word_set(words: str) -> frozenset[str]:
    """Return words that blanks part."""
    return frozenset(words.split())


_IRREGULAR = (
    "came come, won win, wrote write, written write, made make, built build, shot shoot, "
    "sold sell, taught teach, held hold, ran run, sang sing, sung sing, drove drive, "
    "driven drive, flew fly, flown fly, gave give, given give, went go, gone go, knew know, "
    "known know, met meet, paid pay, "
    "sent send, spent spend, stood stand, took take, taken take, bought buy, caught catch, "
    "chose choose, chosen choose, drew draw, drawn draw, grew grow, grown grow, kept keep, "
    "spoke speak, spoken speak, wore wear, worn wear, fed feed, bred breed, ate eat, eaten eat, "
    "lent lend, lain lie, wove weave, woven weave, hung hang, slept sleep, swam swim, wins win, "
    "rode ride, ridden ride, broke break, broken break, began begin, begun begin, bit bite, "
    "bitten bite, blew blow, brought bring, became become, dug dig, drank drink, drunk drink, "
    "fell fall, fought fight, forgot forget, forgotten forget, froze freeze, frozen freeze, "
    "hid hide, hidden hide, led lead, lost lose, rang ring, rung ring, risen rise, saw see, "
    "seen see, sought seek, shook shake, shaken shake, shrank shrink, shrunk shrink, sank sink, "
    "sunk sink, sat sit, sewn sew, sown sow, shorn shear, shod shoe, spun spin, sprang spring, "
    "stole steal, stolen steal, stuck stick, stung sting, struck strike, swore swear, "
    "sworn swear, swept sweep, swum swim, swung swing, tore tear, torn tear, threw throw, "
    "thrown throw, thought think, woke wake, woken wake, withdrew withdraw, withdrawn withdraw, "
    "arose arise, arisen arise, bore bear, borne bear, mown mow, spelt spell, burnt burn, "
    "learnt learn, underwent undergo, undergone undergo, undertook undertake, overcame overcome, "
    "oversaw oversee, overseen oversee, overtook overtake, rewrote rewrite, rewritten rewrite, "
    "rebuilt rebuild, repaid repay, dealt deal, crept creep, clung cling, bled bleed, fled flee, "
    "felt feel, knelt kneel, laid lay, lit light, sped speed, spilt spill, spoilt spoil, "
    "forbade forbid, forbidden forbid, forgave forgive, forgiven forgive, bent bend"
)
BASES = dict(pair.split() for pair in _IRREGULAR.split(", "))
"""Of irregular verbs, by their past tenses and participles."""
LONG_STEM = 5
"""Letters that two words of any endings have in common at least."""
_ENDING = re.compile(
    r"(e|y|s|es|d|ed|er|ers|or|ors|r|rs|ing|ings|ion|ions|ation|ations|ment|ments|al|[ae]nces?|"
    r"ive|age|ian|ist|ee|ees|cation|shed|sher|shing|shes|sh|ship|ies|ied|ity|ure|ant|ent|ator)?"
)
_SHORT_ENDINGS = word_set("e es ed er ers ing ings")
_ACTING, _NO_ACTORS = word_set("er ers ing"), word_set("tower towers offer offers offing")
TAILS = word_set("place date day town land year time house name number")
"""What compounds end in: a "birthplace" is named by "birth" and by "place"."""
_LETTERS = word_set("d r t n hip hips")
"""Ends of words that are one with those without: "members" and "membership"."""
_TAILS = TAILS | word_set("house houses room rooms size type mark")
_OF_E = word_set("s d r rs")
"""The same behind an "e": "makes" and "maker"."""
_OF_D = word_set("d ds ded ding de des sion sions sive se")
"""What words end in that are one beside those: "expand" and "expansion"."""
_SUFFIXES = {"", *_SHORT_ENDINGS} | word_set(
    "s or ors ion ions ation ations ition ment ments ance ances ence ences ive ives al als ial ic "
    "ical y ies ied ity ship ships hood age ages ee ees ant ants ent ents ist ists ian ians ery "
    "eries ness less ful ise ize ised ized ising izing able ible ous man men en ure ures ary ory "
    "ish th ate ated ates ating ator ators ly up ups"
)
"""What words end in that are one: "created" and "creator"."""
_SHORT_VERB, _LAST_Y = re.compile(r"[^aeiou]*[aeiou][bdgklmnprt]"), re.compile(r"(?<=[^aeiou])y$")
_PLURALS = {
    **{"people": "person", "children": "child", "mice": "mouse", "geese": "goose", "oxen": "ox"},
    **{"feet": "foot", "teeth": "tooth", "lice": "louse", "phenomena": "phenomenon"},
}


@lru_cache(2**16)
def same_stem(one: str, other: str) -> bool:
    """Whether two words differ by an ending alone: "managed" and "manager"."""
    one, other = base_of(one), base_of(other)
    if one == other:
        return True
    if one[:2] != other[:2]:
        return False
    common = 0
    for a, b in zip(one, other, strict=False):
        if a != b:
            break
        common += 1
    rests = one[common:], other[common:]
    if min(map(len, rests)) == 0 and max(rests) in ("s", "es"):
        return common > 1
    if common >= 3 and {*rests} <= _SHORT_ENDINGS:  # "rated" and "rating"
        return True
    if (
        common == 3
        and min(rests) in ("", "s")
        and max(rests) in _ACTING
        and not _NO_ACTORS & {one, other}
    ):
        return True  # "buys" and "buyer"
    if common == 3 and one[2] == "e" and {*rests} == {"s", "d"}:  # "owes" and "owed"
        return True
    if common >= LONG_STEM and all(_ENDING.fullmatch(rest) for rest in rests):
        return True
    if common >= 4 and _may_end(*rests, common):
        return True
    short = _undoubled(one), _undoubled(other)
    return short != (one, other) and short[0] == short[1]


def _undoubled(verb: str) -> str:
    """Return "run" of "running", and what ends in no doubled letter as it is."""
    return re.sub(r"([bdgmnprt])\1(ing|ed)$", r"\1", verb)


@lru_cache(2**16)
def base_of(word: str) -> str:
    """Return the base of an irregular verb, and "apply" of "applied"."""
    base = BASES.get(word) or re.sub(r"(?<=[^aeiou]{2})ie[ds]$", "y", word)
    return re.sub(r"(?<=[bt])re(?=s?$)", "er", re.sub(r"(?<=[a-z]{2})our", "or", base))


def _may_end(one: str, other: str, common: int) -> bool:
    """Whether words that begin alike may be one, by what each ends in: no "chance" and "change"."""
    rest = one or other
    if "" in (one, other) and (rest in _LETTERS or (rest in _TAILS and common > len(rest))):
        return True
    return any({one, other} <= ends for ends in (_SUFFIXES, _OF_E, _OF_D))


def inflected(phrase: str) -> list[str]:
    """Return a phrase, with its verb in all forms where a "~" stands before that."""
    verb, blank, rest = phrase.partition(" ")
    return [form + blank + rest for form in forms_of(verb[1:])] if verb[0] == "~" else [phrase]


@cache
def forms_of(verb: str) -> frozenset[str]:
    """Return the forms of an English verb, some of which nobody says: "makes" and "maked"."""
    if verb == "be":
        return word_set("be is are was were been being")
    silent = verb.removesuffix("e")
    short = _SHORT_VERB.fullmatch(verb)  # "stop" has "stopped"
    stem = verb + verb[-1] if short else silent
    many = _LAST_Y.sub("ie", verb) + "e" * verb.endswith(("s", "sh", "ch", "x", "o"))
    past = _LAST_Y.sub("i", stem) + "ed"
    regular = (verb, many + "s", (verb if verb.endswith("ee") else stem) + "ing", past)
    return frozenset(regular).union(_irregular().get(verb, ()))


@cache
def _irregular() -> Mapping[str, list[str]]:
    """Return the irregular forms of verbs."""
    found = defaultdict[str, list[str]](list)
    for form, base in BASES.items():
        found[base].append(form)
    return found


@lru_cache(2**14)
def singulars(word: str) -> tuple[str, ...]:
    """Return what a word may be the plural of: "duties" of "duty"."""
    found = []
    if word.endswith("ies"):
        found.append(word[:-3] + "y")
    if re.search(r"(s|sh|ch|x|z|o)es$", word):
        found.append(word[:-2])
    if word.endswith("s") and not word.endswith("ss") and len(word) > 3 and word[-2].isalpha():
        found.append(word[:-1])  # but "1790s" are ten years
    if word.endswith("ves"):
        found += [word[:-3] + "f", word[:-3] + "fe"]
    if word.endswith("i") and len(word) > 4:  # "cacti"
        found.append(word[:-1] + "us")
    if word.endswith("men"):
        found.append(word[:-3] + "man")
    if word in _PLURALS:
        found.append(_PLURALS[word])
    return tuple(found)
