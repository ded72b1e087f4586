"""Multi30k, task 1: captions of photos in English, and their translations into German.

For research and education only: read where it lies, and never passed on. In the raw files some
German lines hold no-break spaces, and 40 of the training part end with white space.

Cite: elliott2016
"""

import os

from memnets.data import official
from memnets.data.pairs.files import SentencePair, read_pairs

LANGUAGES = ("de", "en")
"""The languages that are read, as the names of the files write them."""
FOLDER = "data/task1/raw"
"""Where the files are in the published repository; they are also found without it."""
FILES = {"train": "train", "valid": "val", "test": "test_2016_flickr"}
"""How the files of each part are named."""
PAIRS = {"train": 29_000, "valid": 1_014, "test": 1_000}
"""Pairs of each part, as published."""


def load_multi30k(
    split: str,
    path: str | os.PathLike[str] | None = None,
    *,
    source: str = "de",
    target: str = "en",
) -> tuple[SentencePair, ...]:
    """Load the pairs of a part.

    Args:
        split: "train", "valid" (`val`) or "test" (`test_2016_flickr`).
        path: the set's folder, or one that contains it; by default MEMNETS_DATA, then the cache.
        source: the language that is translated, "de" or "en".
        target: the other one.

    Raises:
        FileNotFoundError: a file is not at hand; the text has its digest and how to get it.
        ValueError: there is no such part or language, or a file is damaged.
    """
    if split not in FILES:
        raise ValueError(f"{split!r}: there is no such part. Choose one of {', '.join(FILES)}.")
    if {source, target} != set(LANGUAGES):
        raise ValueError(
            f"from {source!r} to {target!r}: Multi30k is read from de to en, or from en to de. "
            f"Choose one of the two, or give other files to load_pairs."
        )
    names = (f"{FILES[split]}.{language}.gz" for language in (source, target))
    files = [official.find("multi30k", (f"{FOLDER}/{name}", name), path) for name in names]
    pairs = tuple(read_pairs(*files))
    official.check_count(files[0], len(pairs), PAIRS[split])
    return pairs
