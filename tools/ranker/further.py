"""Texts that nobody asked, from which a ranker learns what its teacher makes of words."""

import json
import random
import re
from collections.abc import Sequence
from pathlib import Path

from memnets.kb.programs.associations import LITTLE
from memnets.kb.questions.ranking import SAID, asking
from tools.ranker.phrasings import Table

WORD = re.compile(r"[a-z][a-z'-]*|'s")
SHORT = 2
"""Words of so few letters tell nothing alone."""
BACKWARDS = 3
"""Of one word in so many it is also asked what has it as relation."""
CHANGED = (1, 1, 2)
"""So many words of a question are changed for others, each as likely."""
MOST = 48_000
"""Questions with other words, of which no more are learnt."""


def words_of(tables: Sequence[Table], vocabulary: Path) -> list[str]:
    """Return the words of all tables, and those that are pieces of their own in a network.

    Args:
        tables: whose questions and columns are read.
        vocabulary: the network's `tokenizer.json`.
    """
    texts = {one.text for table in tables for one in table.phrasings}
    columns = (one for table in tables for one in table.columns.values())
    texts |= {text for one in columns for text in asking(*one)}
    pieces = json.loads(vocabulary.read_text("utf-8"))["model"]["vocab"]
    found = {word for text in texts for word in text.split()}
    found |= {piece for piece in pieces if len(piece) > 1}
    return sorted(filter(WORD.fullmatch, found))


def asked_alone(words: Sequence[str]) -> list[str]:
    """Return texts of one word each, as relations are asked for."""
    told = [word for word in words if len(word) > SHORT]
    forwards = [asking(word, "text", ())[0].removesuffix(f" {SAID['text']}") for word in told]
    return forwards + [asking(word, "text", ())[1] for word in told[::BACKWARDS]]


def with_other_words(tables: Sequence[Table], words: Sequence[str], seed: int = 0) -> list[str]:
    """Return the questions of tables with a word or two changed for others, at random."""
    chance = random.Random(seed)
    others = [word for word in words if len(word) > SHORT and "'" not in word]
    changed = (_changed(one.text, others, chance) for table in tables for one in table.phrasings)
    texts = sorted({*filter(None, changed)})
    return chance.sample(texts, min(MOST, len(texts)))


def _changed(text: str, others: Sequence[str], chance: random.Random) -> str:
    """Return a text with other words, or nothing where none tells anything."""
    words = text.split()
    telling = [at for at, word in enumerate(words) if len(word) > SHORT and word not in LITTLE]
    if not telling:
        return ""
    for at in chance.sample(telling, min(len(telling), chance.choice(CHANGED))):
        words[at] = chance.choice(others)
    return " ".join(words)
