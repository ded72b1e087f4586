"""How words sound, so that what was spelt by ear is found: "fone", "zefyr", "coal warf".

In English the same sound is spelt in many ways, vowels above all. Of each word a key is made in
which these are one, as Metaphone does (Philips 1990, "Hanging on the Metaphone"); unlike there the
vowels are kept, some together, as "speek" is "speak" and no "spook".
"""

import re
from functools import lru_cache

SHORTEST = 3
"""A word of fewer letters may sound like too many."""
_SPELT = (
    *((r"^(kn|gn|pn)", "n"), (r"^wr", "r"), (r"^wh(?!o)", "w"), (r"^who", "ho"), (r"^ps", "s")),
    *((r"^x", "s"), (r"ph", "f"), (r"eigh", "A"), (r"igh", "I"), (r"gh(?=t|$)", "")),
    *(
        (r"gh", "g"),
        (r"dge?", "j"),
        (r"cz", "C"),
        (r"cea(?=n)", "Se"),
        (r"sch|sh|[tscx](?=i[ao])", "S"),
    ),
    *(
        (r"ch(?=[rls])", "k"),
        (r"tch|ch", "C"),
        (r"c(?=[eiy])", "s"),
        (r"ck|c|qu?", "k"),
        (r"x", "ks"),
        (r"z", "s"),
    ),
    *((r"th", "t"), (r"mb$", "m"), (r"(?<=n)d$", "t"), (r"(?<=.)h", "")),
    (r"(?<=[^aeiouyAI])[aeo]u?r(?=s?$)|(?<=[td])re(?=s?$)", "R"),
    (r"(?<![aeiouy])([aeiouy])(?=[^aeiouy]e)", r"\1_"),  # "crane", as "crain"
    *((r"(?<=[^aeiouyAI])e(?=s?$)", ""), (r"(?<=[^aeiouyAI])[iy]$", "E")),
)
"""What is spelt, and the sound that stands for it, one after the other."""
_VOWELS = {
    **dict.fromkeys(("a_", "ai", "ay", "ae", "au"), "A"),
    **dict.fromkeys(("e_", "ea", "ee", "ie", "ye", "ei", "ey", "ia"), "E"),
    **dict.fromkeys(("i_", "y_"), "I"),
    **dict.fromkeys(("o_", "oa", "ow", "oe", "ou"), "O"),
    **dict.fromkeys(("u_", "oo", "ue", "ui", "eu", "ew"), "U"),
    "y": "i",
}
_RULES = tuple((re.compile(spelt), sound) for spelt, sound in _SPELT)
_VOWEL = re.compile("|".join(sorted(_VOWELS, key=len, reverse=True)))
_VOWEL_SOUND = re.compile("[AEIOUaeiou]")
_TWICE = re.compile(r"(.)\1+")


@lru_cache(2**14)
def sound(word: str) -> str:
    """Return a key that words share which sound the same: capitals are sounds of several letters.

    Args:
        word: in small letters, without accents.
    """
    for spelt, of in _RULES:
        word = spelt.sub(of, word)
    return _TWICE.sub(r"\1", _VOWEL.sub(lambda found: _VOWELS[found[0]], word))


def consonants(word: str) -> str:
    """Return the sounds of a word without its vowels, but for one that it begins with."""
    of = sound(word)
    return of[:1] + _VOWEL_SOUND.sub("", of[1:]).replace("R", "r")


def nearly_alike(one: str, other: str) -> bool:
    """Whether the sounds of two words differ in vowels alone: "renay" and "renee"."""
    return min(len(one), len(other)) >= SHORTEST and consonants(one) == consonants(other)


def sound_alike(one: str, other: str) -> bool:
    """Whether two words of some letters sound the same."""
    return min(len(one), len(other)) >= SHORTEST and sound(one) == sound(other)
