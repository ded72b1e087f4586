"""WebQuestions: questions that people typed, with the names that answer them.

Two forms are read: the redistributed one, ``{"qId", "qText", "answers"}`` with topic keys in files
of their own, and the original one, ``{"utterance", "targetValue", "url"}``. The answers are
Freebase names: without Freebase none can be reached.
"""

import json
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, TypeGuard

from memnets.data import official
from memnets.data.rows import SHOWN, BadRows, existing

COUNTS = {"trainmodel": 2_834, "val": 755, "devtest": 189, "test": 2_032}
"""Questions as redistributed; the first three divide the original 3,778 training questions."""

_TOKEN = re.compile(r'\(|\)|"(?:[^"\\]|\\.)*"|[^\s()"]+')
_REMEDY = "Correct it, or fetch the file anew."


@dataclass(frozen=True, slots=True)
class WebQuestion:
    """A question and everything that answers it.

    Args:
        name: its id; the original form has none, so there it is its number from 0.
        text: in lower case.
        answers: names; 1,936 of the 2,834 training questions have one.
        topic: the Freebase key of the entity that it is about, ``natalie_portman``; empty where
            none is known.
    """

    name: str
    text: str
    answers: tuple[str, ...]
    topic: str = ""


class Scores(NamedTuple):
    """Means over questions, each from 0 to 1."""

    precision: float
    recall: float
    f1: float
    first: float
    """How often the first predicted answer is right."""
    questions: int


def load_questions(
    split: str, path: str | os.PathLike[str] | None = None
) -> tuple[WebQuestion, ...]:
    """Load the questions of a split with their topics.

    Args:
        split: "trainmodel", "val", "devtest" or "test".
        path: the folder of the set, or one that contains it; by default MEMNETS_DATA.

    Raises:
        FileNotFoundError: a file is not at hand; the text has its digest and how to get it.
        ValueError: there is no such split, or the file is not in the format.
    """
    if split not in COUNTS:
        raise ValueError(f"{split!r}: there is no such split. Choose one of {', '.join(COUNTS)}.")
    file = official.find("webquestions", (f"main/{split}.json", f"{split}.json"), path)
    keys = official.find("webquestions", (f"d-freebase/{split}.json",), path)
    questions = tuple(read_questions(file, read_topics(keys)))
    official.check_count(file, len(questions), COUNTS[split])
    return questions


def read_questions(
    path: str | os.PathLike[str],
    topics: Mapping[str, str] | None = None,
    bad: BadRows | None = None,
) -> list[WebQuestion]:
    """Read questions in either form.

    Args:
        path: a JSON list.
        topics: keys by question id, as `read_topics` reads them.
        bad: counts bad entries; without it the first one is an error.
    """
    path = existing(path)
    questions = []
    for number, entry in enumerate(_entries(path)):
        try:
            questions.append(_question(number, entry, topics or {}))
        except ValueError as error:
            complaint = f"{path}: entry {number + 1}: {error}"
            if bad is None:
                raise ValueError(complaint) from None
            bad.add(complaint)
    return questions


def read_topics(path: str | os.PathLike[str]) -> dict[str, str]:
    """Read the topic key of each question, ``{"qId", "freebaseKey"}``."""
    path = existing(path)
    topics = {}
    for number, entry in enumerate(_entries(path), start=1):
        name, key = entry.get("qId"), entry.get("freebaseKey")
        if not (isinstance(name, str) and isinstance(key, str)):
            raise ValueError(
                f"{path}: entry {number}: came {_shown(entry)}; "
                f'expected {{"qId": "...", "freebaseKey": "..."}}. {_REMEDY}'
            )
        topics[name] = key
    return topics


def scores(predicted: Iterable[Sequence[str]], questions: Sequence[WebQuestion]) -> Scores:
    """Score predicted answers against the right ones, averaged over questions.

    precision = share of the predicted that are right, recall = share of the right ones that were
    predicted, F1 = 2 precision recall / (precision + recall); each per question, then averaged.
    Names match whatever their case. Nothing predicted gives F1 0, recall 0, and precision 1, as in
    the evaluation of Berant et al. 2013, which compares names with their case.

    Args:
        predicted: for each question its answers, the best first.
        questions: in the same order.

    Raises:
        ValueError: there are no questions, or not as many predictions.
    """
    given = list(predicted)
    if not questions or len(given) != len(questions):
        raise ValueError(
            f"{len(given)} predictions for {len(questions)} questions: expected as many, and at "
            f"least one. Give an empty list where nothing is predicted."
        )
    sums = [0.0, 0.0, 0.0, 0.0]
    for answers, question in zip(given, questions, strict=True):
        ours = [answer.casefold() for answer in answers]
        gold = [answer.casefold() for answer in question.answers]
        one = (*berant_f1(ours, gold), float(bool(ours) and ours[0] in gold))
        sums = [total + value for total, value in zip(sums, one, strict=True)]
    precision, recall, f1, first = (total / len(questions) for total in sums)
    return Scores(precision, recall, f1, first, len(questions))


def berant_f1(predicted: Sequence[str], gold: Sequence[str]) -> tuple[float, float, float]:
    """Return precision, recall and F1 of one question; the gold answers are at least one."""
    if not predicted:
        return 1.0, 0.0, 0.0
    precision = sum(answer in gold for answer in predicted) / len(predicted)
    recall = sum(answer in predicted for answer in gold) / len(gold)
    both = precision + recall
    return precision, recall, 2 * precision * recall / both if both else 0.0


def _entries(path: Path) -> list[dict[str, Any]]:
    try:
        value = json.loads(path.read_bytes().decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise ValueError(f"{path}: byte {error.start} is not UTF-8 text. {_REMEDY}") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"{path}:{error.lineno}: damaged JSON ({error.msg}). {_REMEDY}") from None
    if not isinstance(value, list) or not all(isinstance(entry, dict) for entry in value):
        raise ValueError(
            f"{path}: came {_shown(value)}; expected a JSON list of objects. {_REMEDY}"
        )
    return value


def _question(number: int, entry: dict[str, Any], topics: Mapping[str, str]) -> WebQuestion:
    if "utterance" in entry:
        text, target, address = (entry.get(key) for key in ("utterance", "targetValue", "url"))
        if isinstance(text, str) and isinstance(target, str):
            # .../view/en/natalie_portman
            topic = address.rsplit("/", 1)[-1] if isinstance(address, str) else ""
            return WebQuestion(str(number), text, _descriptions(target), topic)
    else:
        name, text, answers = (entry.get(key) for key in ("qId", "qText", "answers"))
        if isinstance(name, str) and isinstance(text, str) and _is_names(answers):
            return WebQuestion(name, text, tuple(answers), topics.get(name, ""))
    raise ValueError(
        f'came {_shown(entry)}; expected {{"qId": "...", "qText": "...", "answers": ["..."]}} or '
        f'{{"utterance": "...", "targetValue": "(list ...)"}}. {_REMEDY}'
    )


def _descriptions(target: str) -> tuple[str, ...]:
    """Read ``(list (description "New York") (description Bahamas))``."""
    tokens = _TOKEN.findall(target)
    names = []
    if tokens[:2] == ["(", "list"] and tokens[-1] == ")":
        inner = tokens[2:-1]
        while inner[:2] == ["(", "description"] and ")" in inner:
            end = inner.index(")")
            names.append(" ".join(map(_unquoted, inner[2:end])))
            inner = inner[end + 1 :]
        if names and all(names) and not inner:
            return tuple(names)
    raise ValueError(
        f'came the answers {target[:SHOWN]!r}; expected (list (description "...") ...). {_REMEDY}'
    )


def _unquoted(token: str) -> str:
    return re.sub(r"\\(.)", r"\1", token[1:-1]) if token.startswith('"') else token


def _is_names(answers: object) -> TypeGuard[list[str]]:
    return (
        isinstance(answers, list)
        and bool(answers)
        and all(isinstance(answer, str) for answer in answers)
    )


def _shown(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)[:SHOWN]
