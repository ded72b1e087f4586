"""Files of questions about pictures of your own: the JSON of VQA, and the text of DAQUAR.

VQA has two files: questions with the numbers of their pictures, and annotations with ten answers to
each. DAQUAR has one: a line that asks, with the name of a picture in it, then a line that answers.
Neither set may be passed on: they are read where they lie.

Cite: antol2015, malinowski2014
"""

import json
import os
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from memnets.data.pictures.asked import AskedPictures
from memnets.data.pictures.features import read_features
from memnets.data.pictures.images import read_image
from memnets.data.rows import decoded, existing, numbered

PARTS = ("train", "valid", "test")
HELD_OUT = 0.1
"""Share of pictures that choose, and as many that are reported, where nobody says which."""
_NUMBER = re.compile(r"(\d+)$")
_PICTURE = re.compile(r"\s*(?:\b(?:in|on|of)\s+)?(?:the\s+)?\b(image\d+)\b\s*")


class Question(NamedTuple):
    """A question about a picture, as a file has it.

    Attributes:
        picture: the name of its file, or its number.
        text: what is asked.
        answer: the right one.
        kind: of the question, where the file says it.
        humans: all answers that were given.
    """

    picture: str
    text: str
    answer: str
    kind: str = "all"
    humans: tuple[str, ...] = ()


def read_json(path: Path) -> Any:
    """Read a file of JSON.

    Raises:
        ValueError: it is none, or cut off.
    """
    try:
        return json.loads(path.read_bytes())
    except ValueError as error:
        raise ValueError(
            f"{path}: it is no JSON that can be read to its end ({error}). Fetch the file anew."
        ) from None


def read_questions(
    questions: str | os.PathLike[str], annotations: str | os.PathLike[str] | None = None
) -> tuple[Question, ...]:
    """Read the questions of a file.

    Args:
        questions: JSON of VQA, or text of DAQUAR.
        annotations: JSON with the answers, of VQA alone.

    Raises:
        FileNotFoundError: a file is not there.
        ValueError: it has none of the formats, a question is empty, or has no answer.
    """
    path = existing(questions)
    if path.suffix.lower() == ".json":
        if annotations is None:
            raise ValueError(
                f"{path}: questions of VQA have their answers in a file of their own. "
                f"Name it with --data.annotations."
            )
        found = _of_vqa(path, existing(annotations))
    elif annotations is not None:
        raise ValueError(
            f"{path}: it is no JSON, and {annotations} would be ignored. Leave it out, or name the "
            f"JSON of VQA."
        )
    else:
        found = _of_daquar(path)
    if not found:
        raise ValueError(f"{path}: it holds no question. Expected one at least.")
    return found


def load_questions(
    questions: str | os.PathLike[str],
    annotations: str | os.PathLike[str] | None = None,
    folder: str | os.PathLike[str] | None = None,
    splits: str | os.PathLike[str] | None = None,
    features: str | os.PathLike[str] | None = None,
    side: int = 64,
) -> dict[str, AskedPictures]:
    """Load questions about pictures in three parts, none of which shares a picture with another.

    Args:
        questions: the file of questions.
        annotations: the file of answers, of VQA.
        folder: where the pictures are, also in folders below; by default that of the questions.
        splits: a folder with train.txt and test.txt, and valid.txt if you like, a name a line;
            without one the last pictures by name are held back, a tenth for each part.
        features: a file of features, which is read in place of the pictures.
        side: pixels that pictures are resized to.

    Raises:
        FileNotFoundError: a file, or a picture, is not there.
        ValueError: a file cannot be read, a part has no question, or two parts share a picture.
    """
    told, path = read_questions(questions, annotations), Path(questions)
    parts = _parts(path, told, None if splits is None else Path(splits))
    made = None if features is None else read_features(features)
    root = path.parent if folder is None else Path(folder)
    at = _at(root, path) if made is None else {}
    found = {}
    for part, pictures in parts.items():
        rows = [one for one in told if one.picture in pictures]
        if not rows:
            raise ValueError(
                f"{path}: no question is of the part {part!r}. Expected one at least; give more "
                f"questions, or other files of names."
            )
        files = [_file(at, name, path, root) for name in pictures] if made is None else []
        images = (
            np.stack([read_image(file, side) for file in files])
            if made is None
            else made.of(pictures)
        )
        place = {name: n for n, name in enumerate(pictures)}
        found[part] = AskedPictures(
            images,
            np.array([place[one.picture] for one in rows]),
            tuple(one.text for one in rows),
            tuple(one.answer for one in rows),
            tuple(one.kind for one in rows),
            humans=tuple(one.humans for one in rows) if any(one.humans for one in rows) else (),
            features=None if made is None else made.described,
        )
    return found


def _of_vqa(path: Path, annotations: Path) -> tuple[Question, ...]:
    asked, answered = read_json(path), read_json(annotations)
    try:
        texts = {one["question_id"]: one for one in asked["questions"]}
        rows = answered["annotations"]
        found = []
        for row in rows:
            one = texts[row["question_id"]]
            humans = tuple(str(given["answer"]) for given in row.get("answers", ()))
            answer = row.get("multiple_choice_answer")
            if answer is None:
                answer = Counter(humans).most_common(1)[0][0]
            kind = str(row.get("answer_type", "all")).replace("/", "_")
            picture = one.get("image_name", one.get("file_name", one["image_id"]))
            found.append(Question(str(picture), str(one["question"]), str(answer), kind, humans))
    except (KeyError, TypeError, IndexError, AttributeError) as error:
        raise ValueError(
            f"{path} and {annotations}: they are not questions (question_id, image_id, question) "
            f"and annotations (question_id, multiple_choice_answer or answers) as VQA has them: "
            f"{type(error).__name__} {error}. Fetch the files anew."
        ) from None
    for question in found:
        if not question.text.strip() or not question.answer.strip():
            raise ValueError(
                f"{path}: a question about {question.picture} is empty, or its answer is. Expected "
                f"words. Take it out."
            )
    return tuple(found)


def _of_daquar(path: Path) -> tuple[Question, ...]:
    lines = [(row, decoded(data).strip()) for row, data in numbered(path)]
    lines = [(row, line) for row, line in lines if line]
    found = []
    for (row, asked), answered in zip(lines[::2], [*lines[1::2], None], strict=False):
        named = _PICTURE.search(asked)
        if named is None or answered is None:
            what = "no picture" if named is None else "no answer in the line after it"
            raise ValueError(
                f"{path}:{row}: {asked[:80]!r} has {what}; expected a question with the name of "
                f"its picture, as `what is on the table in the image12 ?`, and a line with the "
                f"answer after it. Correct the lines."
            )
        text = f"{asked[: named.start()]} {asked[named.end() :]}".replace("?", " ").split()
        found.append(Question(named[1], f"{' '.join(text)}?", answered[1]))
    return tuple(found)


def _parts(path: Path, told: Sequence[Question], splits: Path | None) -> dict[str, tuple[str, ...]]:
    names = sorted({one.picture for one in told})
    held = max(1, round(HELD_OUT * len(names)))
    if splits is None:
        first, second = len(names) - 2 * held, len(names) - held
        return dict(
            zip(
                PARTS, map(tuple, (names[:first], names[first:second], names[second:])), strict=True
            )
        )
    train, test = (_listed(splits / f"{name}.txt", names) for name in ("train", "test"))
    if (splits / "valid.txt").is_file():
        valid = _listed(splits / "valid.txt", names)
    else:
        held = max(1, round(HELD_OUT * len(train)))
        train, valid = train[:-held], train[-held:]
    shared = sorted({*train, *valid} & {*test} or {*train} & {*valid})
    if shared:
        raise ValueError(
            f"{splits}: {shared[0]} and {len(shared) - 1} other pictures are in two parts. What is "
            f"learnt from must not be reported: take them out of one."
        )
    return {"train": train, "valid": valid, "test": test}


def _listed(path: Path, names: Sequence[str]) -> tuple[str, ...]:
    known = set(names)
    lines = (decoded(data).strip() for _, data in numbered(existing(path)))
    return tuple(line for line in dict.fromkeys(lines) if line in known)


def _at(root: Path, questions: Path) -> Mapping[str, Path]:
    """Return pictures by the names of their files, with and without suffix, and their numbers."""
    found: dict[str, Path] = {}
    for path in sorted(root.rglob("*")):
        if path.is_file() and path != questions:
            number = _NUMBER.search(path.stem)
            names = {path.name, path.stem}
            names |= {str(int(number[1]))} if number else set()
            for name in names:
                found.setdefault(name, path)
    return found


def _file(at: Mapping[str, Path], name: str, questions: Path, root: Path) -> Path:
    if name not in at:
        raise FileNotFoundError(
            f"{root}: {questions} asks about the picture {name}, which is not there. Name the "
            f"folder of the pictures with --data.path, or take its questions out."
        )
    return at[name]
