"""The file in which the phrases of a KB are kept, to be edited: its reading and its writing."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from memnets.files import write_bytes
from memnets.kb.questions.phrases import EITHER, IT, SIDES, Phrases
from memnets.kb.store.layouts import REVERSED

TAUGHT = "taught"
"""What users call a relation, beside these: "boss", or a phrase with the entity's place in it."""
_MEND = "Correct the file, or delete it: it is then written anew from the relations' names."
_HEAD = """\
# How each relation may be asked after. Add, change or delete lines, and train again.
#   {it}    the entity that a question names; after "!" it is an object, and subjects are asked for
#   (a|b)   either of them; {kind}: a general noun, such as thing, person or place
# learn: to be learnt; tune: to find out when to say "I don't know"; test: only to test with."""


def write_phrases(path: Path, phrases: Mapping[str, Phrases]) -> None:
    """Write phrases to a file, in a form to be edited."""
    lines = [_HEAD]
    for relation, ways in phrases.items():
        lines.append(f"\n[{_quoted(relation)}]")
        for side, of_side in zip(SIDES, ways, strict=True):
            items = "".join(f"    {_quoted(phrase)},\n" for phrase in of_side)
            lines.append(f"{side} = [\n{items}]" if items else f"{side} = []")
    write_bytes(path, ("\n".join(lines) + "\n").encode())


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def read_phrases(path: Path, relations: Iterable[str]) -> dict[str, Phrases]:
    """Read phrases that `write_phrases` has written and a user has edited.

    Args:
        path: the file.
        relations: of the KB; others are refused.

    Raises:
        ValueError: the file is no TOML, names a relation that the KB lacks, or a phrase will not
            do; the text names file, relation and phrase.
    """
    import tomllib

    try:
        tables = tomllib.loads(path.read_text("utf-8"))
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: byte {error.start} is not UTF-8. {_MEND}") from None
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{path}: this is not TOML ({error}). {_MEND}") from None
    known = {name for relation in relations for name in (relation, REVERSED + relation)}
    for name, table in tables.items():
        if name not in known:
            raise ValueError(
                f"{path}: the KB has no relation {name.removeprefix(REVERSED)!r}; it has "
                f"{', '.join(sorted(n for n in known if not n.startswith(REVERSED)))}. {_MEND}"
            )
        _check(path, name, table)
    return {
        name: Phrases(
            (*table.get("learn", ()), *_learnt_of(table.get(TAUGHT, ()))),
            *(tuple(table.get(side, ())) for side in SIDES[1:]),
        )
        for name, table in tables.items()
        if table.keys() != {TAUGHT}  # all that a file need not hold is made of the name
    }


def taught(path: Path, relations: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return what users call relations; nothing where the file is missing or teaches nothing.

    Args:
        path: the file of phrases.
        relations: of the KB.

    Raises:
        ValueError: the file is damaged; see `read_phrases`.
    """
    if not path.is_file() or TAUGHT.encode() not in path.read_bytes():  # it may be of megabytes
        return {}
    read_phrases(path, relations)  # which tells what is wrong with it
    import tomllib

    tables = tomllib.loads(path.read_text("utf-8"))
    return {name: tuple(table[TAUGHT]) for name, table in tables.items() if table.get(TAUGHT)}


def _learnt_of(taught: Iterable[str]) -> Iterator[str]:
    """Yield how the name that a user gave to a relation is learnt."""
    for phrase in taught:
        if IT in phrase:
            yield phrase
        else:
            yield from (f"{phrase} of {IT}", f"(what|who) is the {phrase} of {IT}")
            yield f"{IT} 's {phrase}"


def _check(path: Path, name: str, table: Any) -> None:
    if not isinstance(table, dict) or not table.keys() <= {*SIDES, TAUGHT}:
        raise ValueError(
            f"{path}: [{name}] holds {table!r:.60}; expected the lists learn, tune and test. "
            f"{_MEND}"
        )
    for side, phrases in table.items():
        if not isinstance(phrases, list) or not all(isinstance(one, str) for one in phrases):
            raise ValueError(
                f"{path}: {side} of [{name}] is {phrases!r:.60}; expected a list of texts. {_MEND}"
            )
        for phrase in (one if side != TAUGHT or IT in one else f"{one} {IT}" for one in phrases):
            bare = phrase.replace("{kind}", "").replace(IT, "", 1)
            while EITHER.search(bare):
                bare = EITHER.sub("", bare)
            if phrase.count(IT) != 1 or re.search(r"[{}()|]", bare):
                raise ValueError(
                    f"{path}: {side} of [{name}] has {phrase!r}; expected {IT} once, {{kind}} if "
                    f"wanted, and (this|that) for a choice. {_MEND}"
                )
