"""Vocabularies of sentences as they are kept beside a model: JSON that names its kind."""

from typing import Any

from memnets.data.pairs.subwords import Subwords
from memnets.data.pairs.vocabulary import SentenceVocabulary
from memnets.data.pairs.words import Words

KINDS: dict[str, type[Words] | type[Subwords]] = {"words": Words, "subwords": Subwords}
"""The class of each kind of vocabulary."""


def vocabulary_from_json(record: dict[str, Any]) -> SentenceVocabulary:
    """Return the vocabulary of a record that `to_json` made.

    Raises:
        ValueError: the record is of no kind that is known.
    """
    kind = record.get("kind")
    if kind not in KINDS:
        raise ValueError(
            f"a vocabulary of the kind {kind!r} is not known; expected {' or '.join(KINDS)}. "
            f"Open it with the version of memnets that wrote it."
        )
    return KINDS[kind].from_json(record)
