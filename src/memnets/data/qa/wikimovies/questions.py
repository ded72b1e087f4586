"""Questions of WikiMovies: ``1 question<TAB>answer, answer``, and what each one asks about."""

import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from memnets.data import official
from memnets.data.qa.wikimovies.entities import Entities, EntitySpan, read_entities
from memnets.data.rows import BadRows, records, wrong

CLASSES = (
    "actor_to_movie",
    "director_to_movie",
    "movie_to_actors",
    "movie_to_director",
    "movie_to_genre",
    "movie_to_imdbrating",
    "movie_to_imdbvotes",
    "movie_to_language",
    "movie_to_tags",
    "movie_to_writer",
    "movie_to_year",
    "tag_to_movie",
    "writer_to_movie",
)
"""What is asked for, in the words of the published file names."""

COUNTS = {
    "wiki_entities": {"train": 96_185, "dev": 10_000, "test": 9_952},
    "full": {"train": 196_453, "dev": 10_000, "test": 10_000},
}
"""Questions as published: the paper's are ``wiki_entities``."""

PREFIX = {"wiki_entities": "wiki-entities", "full": "full"}
"""How the names of the files begin."""

SLOT = "[entity]"
"""Stands for the entity in a template."""


@dataclass(frozen=True, slots=True)
class MovieQuestion:
    """A question and everything that answers it.

    Args:
        text: as it is asked.
        answers: each one is right.
        category: one of `CLASSES`; empty where no file says it.
    """

    text: str
    answers: tuple[str, ...]
    category: str = ""


@dataclass(frozen=True, slots=True)
class EntityQuestion:
    """A question, its entity, and its words with `SLOT` in place of the entity."""

    question: MovieQuestion
    template: str
    entity: str


def load_entities(path: str | os.PathLike[str] | None = None) -> Entities:
    """Load the entity list of 75,542 lines.

    Args:
        path: the folder of the set, or one that contains it; by default MEMNETS_DATA.
    """
    file = official.find("wikimovies", ("knowledge_source/entities.txt", "entities.txt"), path)
    entities = read_entities(file)
    official.check_count(file, len(entities), 75_542)
    return entities


def load_questions(
    split: str,
    entities: Entities,
    path: str | os.PathLike[str] | None = None,
    form: str = "wiki_entities",
) -> tuple[MovieQuestion, ...]:
    """Load the questions of one file, with their classes where the files by class are there.

    The files by class do not divide the test file: together they have 48 lines more.

    Args:
        split: "train", "dev" or "test".
        entities: they say where an answer ends.
        path: the folder of the set, or one that contains it; by default MEMNETS_DATA.
        form: "wiki_entities" as in the paper, or "full".

    Raises:
        FileNotFoundError: the file is not at hand; the text has its digest and how to get it.
        ValueError: there is no such split or form, or a line is not in the format.
    """
    if form not in COUNTS or split not in COUNTS[form]:
        raise ValueError(
            f"{form!r}, {split!r}: there are no such questions. "
            f"Choose wiki_entities or full, and train, dev or test."
        )
    file = _find(f"{PREFIX[form]}_qa_{split}.txt", form, path)
    questions = tuple(read_questions(file, entities))
    official.check_count(file, len(questions), COUNTS[form][split])
    if split == "train":
        return questions  # published without classes
    category = {
        (asked.text, asked.answers): name
        for name in CLASSES
        if (by_class := file.parent / "categories" / class_file(name, split, form)).is_file()
        for asked in read_questions(by_class, entities)
    }
    return tuple(
        replace(asked, category=category.get((asked.text, asked.answers), ""))
        for asked in questions
    )


def load_class(
    category: str,
    split: str,
    entities: Entities,
    path: str | os.PathLike[str] | None = None,
    form: str = "wiki_entities",
) -> tuple[MovieQuestion, ...]:
    """Load the questions of one class; the arguments are those of `load_questions`."""
    file = _find(f"categories/{class_file(category, split, form)}", form, path)
    return tuple(read_questions(file, entities, category))


def class_file(category: str, split: str, form: str = "wiki_entities") -> str:
    """Name the file with the questions of one class.

    Raises:
        ValueError: there is no such class.
    """
    if category not in CLASSES:
        raise ValueError(
            f"{category!r}: there is no such class. Choose one of {', '.join(CLASSES)}."
        )
    return f"{PREFIX[form]}_qa_{category}_{split}.txt"


def class_of(path: str | os.PathLike[str]) -> str:
    """Return the class that the name of a file holds, as the published ones do; empty for none."""
    name = Path(path).name
    return next((one for one in CLASSES if f"_qa_{one}_" in name), "")


def read_questions(
    path: str | os.PathLike[str],
    entities: Entities,
    category: str = "",
    bad: BadRows | None = None,
) -> list[MovieQuestion]:
    """Read a file of questions, e.g. ``1 what is $ about?<TAB>heist``.

    Args:
        path: the file.
        entities: they say where an answer ends.
        category: what the questions of the file ask for.
        bad: counts bad rows; without it the first one is an error.
    """

    def read(line: str) -> MovieQuestion:
        text, answers = _columns(line)
        return MovieQuestion(text, entities.split(answers), category)

    return list(records(path, read, bad))


def analyse(questions: Iterable[MovieQuestion], entities: Entities) -> list[EntityQuestion]:
    """Say of each question which entity it asks about, and in which words.

    "the movie", "director" and "What" are entities too. So the longest mention is wrong in one
    question of twenty; taken is the mention whose template is used with the most entities, then
    the longest. A question without a mention is left out.
    """
    found = [
        (question, mention, template(question.text, mention))
        for question in questions
        for mention in entities.every_mention(question.text)
    ]
    uses: dict[str, set[str]] = {}
    for _, mention, words in found:
        uses.setdefault(words, set()).add(mention.entity)
    best: dict[MovieQuestion, tuple[tuple[int, int, int], EntityQuestion]] = {}
    for question, mention, words in found:
        rank = (len(uses[words]), mention.end - mention.start, mention.start)
        if question not in best or rank > best[question][0]:
            best[question] = (rank, EntityQuestion(question, words, mention.entity))
    return [asked for _, asked in best.values()]


def template(text: str, mention: EntitySpan) -> str:
    """Return a question with `SLOT` in place of its entity."""
    return f"{text[: mention.start]}{SLOT}{text[mention.end :]}"


def _find(name: str, form: str, path: str | os.PathLike[str] | None) -> Path:
    return official.find("wikimovies", (f"questions/{form}/{name}", name), path)


def _columns(line: str) -> tuple[str, str]:
    number, _, rest = line.partition(" ")
    text, _, answers = rest.partition("\t")
    if not (number.isascii() and number.isdigit() and text and answers) or "\t" in answers:
        raise wrong(line, "1 question\tanswer, answer")
    return text, answers
