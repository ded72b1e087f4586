"""What is printed reaches every terminal and file, also those that do not know all of Unicode."""

import codecs
import sys
import unicodedata
from io import TextIOWrapper
from json import dumps
from typing import Any

SPELLED = {
    **{"─": "-", "━": "-", "═": "-", "│": "|", "┃": "|", "║": "|", "–": "-", "—": "-", "−": "-"},
    **{"→": "->", "←": "<-", "×": "x", "…": "...", "±": "+-", "≤": "<=", "≥": ">=", "≈": "~"},
    **{"★": "*", "✓": "+", "✗": "x", "’": "'", "‘": "'", "“": '"', "”": '"', "␣": "_", "⏎": "\\n"},
}
"""How signs are written where there are none of them; parts of boxes beside these become +."""
ERRORS = "memnets.spelled"


def spell_what_is_missing() -> None:
    """Let signs that the encoding of stdout or stderr lacks be spelled, not be an error."""
    codecs.register_error(ERRORS, _spelled)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=ERRORS)


def print_json(record: Any) -> None:
    """Print a record as a line of JSON; what the encoding of stdout lacks is escaped."""
    line = dumps(record, ensure_ascii=False)
    try:
        line.encode(sys.stdout.encoding or "utf-8")
    except (UnicodeEncodeError, LookupError):
        line = dumps(record)
    print(line)


def _spelled(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(map(_spell, error.object[error.start : error.end])), error.end


def _spell(sign: str) -> str:
    if sign in SPELLED:
        return SPELLED[sign]
    if unicodedata.name(sign, "").startswith("BOX DRAWINGS"):
        return "+"
    letters = unicodedata.normalize("NFKD", sign).encode("ascii", "ignore").decode()
    return letters or "?"
