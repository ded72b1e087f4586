"""Text that somebody typed, cut into words as English treebanks cut theirs."""

import re

_WORD = re.compile(
    r"""
    \w+?(?=n['’]t\b)             # do n't
    | n['’]t\b
    | ['’](?:s|m|d|re|ve|ll)\b   # it 's, they 'll
    | \w(?:\.\w)+\.?             # U.S.
    | \d+(?:[.,:]\d+)+           # 3.5, 1,000, 10:30
    | \w+
    | ([^\w\s])\1*               # ... and --
    """,
    re.VERBOSE | re.IGNORECASE,
)


def treebank_words(text: str) -> tuple[str, ...]:
    """Return the words of a text; contractions are two, marks stand alone.

    >>> treebank_words("It doesn't work...")
    ('It', 'does', "n't", 'work', '...')
    """
    return tuple(found[0] for found in _WORD.finditer(text))
