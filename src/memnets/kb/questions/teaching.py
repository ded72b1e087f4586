"""What a user calls a relation, added to the file of phrases: heard at once, learnt later."""

import json
import tomllib
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path

from memnets.files import write_bytes
from memnets.kb.index.ngrams import INTERROGATIVES, STOP_WORDS
from memnets.kb.linking.words import question_words
from memnets.kb.questions.english import relation_words
from memnets.kb.questions.phrase_files import TAUGHT, read_phrases, taught
from memnets.kb.questions.phrases import IT
from memnets.kb.store.layouts import REVERSED

NEAREST = 3
"""So many relations are named in place of one that the KB lacks."""


def teach(path: Path, phrase: str, relation: str, relations: Sequence[str]) -> str:
    """Add a phrase for a relation to a file of phrases, and return the relation's name.

    All else in the file stays as it is; it is replaced at once, or not at all.

    Args:
        path: the file of phrases.
        phrase: what a user calls the relation, such as "boss".
        relation: its name, in any case; with a "!" before it its subjects are asked for.
        relations: of the KB.

    Raises:
        ValueError: the KB has no such relation, or the phrase will not do.
    """
    name = relation_named(relation, relations)
    words = question_words(phrase.replace(IT, " "))
    if not {*words} - STOP_WORDS - INTERROGATIVES:
        raise ValueError(
            f"the phrase came as {phrase!r}, which holds no word that tells anything. Give what "
            f"the relation is called, such as 'boss', or a question with {IT} for the name."
        )
    before = taught(path, relations)
    for other, phrases in before.items():
        if other != name and any(question_words(one) == question_words(phrase) for one in phrases):
            raise ValueError(
                f"{path}: {phrase!r} is taught for {other!r} already. Delete it there first, or "
                f"choose another phrase."
            )
    if phrase in before.get(name, ()):
        return name
    changed = _with(path.read_text("utf-8"), name, (*before.get(name, ()), phrase))
    aside = path.with_name(f".{path.name}.checked")
    aside.write_text(changed, "utf-8")
    try:
        read_phrases(aside, relations)
    except ValueError as error:
        message = str(error).partition(": ")[2].partition(" Correct the file")[0]
        raise ValueError(f"the phrase {phrase!r} will not do: {message}") from None
    finally:
        aside.unlink()
    write_bytes(path, changed.encode())
    return name


def relation_named(relation: str, relations: Sequence[str]) -> str:
    """Return the relation of a KB that is meant, whatever its case and signs.

    Raises:
        ValueError: there is none, or there are several; the nearest are named.
    """
    back = REVERSED if relation.startswith(REVERSED) else ""
    asked = relation.removeprefix(REVERSED)
    if asked in relations:
        return back + asked
    alike = [one for one in relations if relation_words(one) == relation_words(asked)]
    if len(alike) == 1:
        return back + alike[0]
    words = {" ".join(relation_words(one)): one for one in relations}
    near = get_close_matches(" ".join(relation_words(asked)), words, NEAREST, 0.4)
    nearest = alike or [words[one] for one in near]
    named = ", ".join(map(repr, nearest or sorted(relations)[: 2 * NEAREST]))
    which = "the nearest are" if nearest else "some of those that it has:"
    raise ValueError(
        f"the relation came as {asked!r}, which the knowledge base does not have; {which} {named}. "
        f"Give one of its relations."
    )


def _with(text: str, name: str, phrases: Sequence[str]) -> str:
    """Return the text of a file of phrases with those that are taught for a relation."""
    line = f"{TAUGHT} = {json.dumps(list(phrases), ensure_ascii=False)}\n"
    kept, inside, found = [], False, False
    dropped = ""
    for old in text.splitlines(keepends=True):
        if not dropped and old.lstrip().startswith("[") and (header := _header(old)) is not None:
            inside = header == name
            kept.append(old if old.endswith("\n") else f"{old}\n")
            if inside:
                kept.append(line)
                found = True
            continue
        if inside and (dropped or old.split("=")[0].strip() == TAUGHT):
            dropped += old
            if _parses(dropped):
                dropped = ""
            continue
        kept.append(old)
    if not found:
        key = json.dumps(name, ensure_ascii=False)
        kept.append(f"{'' if text.endswith(chr(10)) else chr(10)}\n[{key}]\n{line}")
    return "".join(kept)


def _header(line: str) -> str | None:
    """Return the relation whose table a line begins; None of any other line."""
    try:
        tables: Mapping[str, object] = tomllib.loads(line)
    except tomllib.TOMLDecodeError:
        return None
    return next((name for name, of in tables.items() if of == {}), None)


def _parses(text: str) -> bool:
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return False
    return True
