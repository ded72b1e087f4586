"""Letters without gaps to words in another order: where words begin has to be found.

The small kin of the translation from characters to words of Kim et al. (2017), whose Japanese has
no gaps and its verbs at the end: a clause is spelled subject, object, verb, and told as words
subject, verb, object.

>>> (pair,) = spelled(1, clauses=1, dice=random.Random(0))
>>> len(pair.target.split())
3
"""

import random

from memnets.data.pairs.files import SentencePair

LETTERS, LENGTHS = "abcdef", range(2, 5)
"""Of words; few letters, so that one word's end is often another's beginning."""
NOUNS, VERBS = 24, 12


def spelled(number: int, clauses: int, dice: random.Random) -> list[SentencePair]:
    """Draw sentences, no two alike; the words are always the same ones.

    Args:
        number: how many.
        clauses: in a sentence, at most.
        dice: what they are drawn with.
    """
    words = lexicon()
    nouns, verbs = words[:NOUNS], words[NOUNS:]
    found: dict[SentencePair, None] = {}
    while len(found) < number:
        source: list[str] = []
        target: list[str] = []
        for _ in range(dice.randint(1, clauses)):
            subject, thing, verb = dice.choice(nouns), dice.choice(nouns), dice.choice(verbs)
            source += [subject, thing, verb]
            target += [subject, verb, thing]
        found[SentencePair(" ".join("".join(source)), " ".join(target))] = None
    return list(found)


def lexicon() -> list[str]:
    """Return the words, nouns first; none is the beginning of another, so none is misread."""
    dice, words = random.Random(0), list[str]()
    while len(words) < NOUNS + VERBS:
        word = "".join(dice.choices(LETTERS, k=dice.choice(LENGTHS)))
        if not any(word.startswith(other) or other.startswith(word) for other in words):
            words.append(word)
    return words
