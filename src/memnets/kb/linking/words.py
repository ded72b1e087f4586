"""The words of names and questions: without case, accents and punctuation."""

import re
import unicodedata
from collections.abc import Iterator

_LETTERS = str.maketrans(
    {**dict(zip("łøđðħıŧ", "loddhit", strict=True)), "þ": "th", "æ": "ae", "œ": "oe"}
)
"""Letters with a stroke, and ligatures: no accent to be taken off, yet typed without."""
_WORD = re.compile(r"'s\b|[^\W_]+")
_APOSTROPHE = re.compile("['\u2019\u2018\u00b4`]")


def question_words(text: str) -> list[str]:
    """Return the words of a text without case, accents and punctuation; "'s" is a word."""
    plain = text.casefold()
    if not text.isascii():
        apart = unicodedata.normalize("NFKD", re.sub("[’‘´]", "'", text))
        kept = "".join(letter for letter in apart if not unicodedata.combining(letter))
        plain = kept.casefold().translate(_LETTERS)
    return _WORD.findall(plain.replace("`", "'"))


def other_names(entity: str) -> Iterator[str]:
    """Yield what else an entity may be called, as words: without article, remark, or turned."""
    name = re.sub(r"\s*\([^()]*\)\s*$", "", entity)
    last, comma, first = name.partition(", ")
    forms = [name, f"{first} {last}"] if comma and ", " not in first else [name]
    forms += [_APOSTROPHE.sub("", form) for form in forms]  # "the bakers wife", "dartagnan"
    forms += [f"St {form.removeprefix('Saint ')}" for form in forms if form.startswith("Saint ")]
    for form in dict.fromkeys(forms):
        words = question_words(form)
        yield " ".join(words)
        if len(words) > 1 and words[0] in ("the", "a", "an"):
            yield " ".join(words[1:])
