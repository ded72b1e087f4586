"""Plots, and which questions they can answer at all."""

import os
import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from memnets.data import official
from memnets.data.qa.wikimovies.entities import Entities
from memnets.data.qa.wikimovies.knowledge import PLOT
from memnets.data.qa.wikimovies.questions import EntityQuestion, MovieQuestion, analyse
from memnets.data.rows import BadRows, records, wrong

TO_MOVIE = "_to_movie"
"""How the classes of questions end that ask for movies."""


class Plot(NamedTuple):
    """What happens in a movie; title and text are in lower case and without most punctuation."""

    title: str
    text: str


class PlotCoverage(NamedTuple):
    """How many questions plots can answer at all."""

    questions: int
    with_plot: int
    """The movie that is asked about, or one that is an answer, has a plot."""
    answerable: int
    """A plot of the movie that is asked about names an answer; or, where movies are asked for, a
    plot of an answer names what is asked about."""


class PlotTexts:
    """What the plots of each movie name.

    Titles and names are compared as they are `folded`; of several plots under one title each is
    taken for the movie's.

    Args:
        plots: in any order.
    """

    def __init__(self, plots: Iterable[Plot]) -> None:
        self._texts: dict[str, str] = {}
        for plot in plots:
            title = folded(plot.title)
            self._texts[title] = f"{self._texts.get(title, ' ')}{folded(plot.text)} "

    def __contains__(self, title: str) -> bool:
        return _folded(title) in self._texts

    def names(self, title: str, name: str) -> bool:
        """Whether a plot of a movie names something, in whole words."""
        word = _folded(name)
        return bool(word) and f" {word} " in self._texts.get(_folded(title), "")

    def answers(self, asked: EntityQuestion) -> tuple[str, ...]:
        """Return the answers of a question that plots hold; without any it is not answerable.

        Where movies are asked for these are those whose plot names what is asked about, otherwise
        those that the plot of the movie asked about names.
        """
        question = asked.question
        if question.category.endswith(TO_MOVIE):
            return tuple(one for one in question.answers if self.names(one, asked.entity))
        return tuple(one for one in question.answers if self.names(asked.entity, one))

    def coverage(self, questions: Iterable[EntityQuestion]) -> PlotCoverage:
        """Count the questions that plots can answer: figures on plots are figures on these."""
        number = with_plot = answerable = 0
        for asked in questions:
            movies: Iterable[str] = (asked.entity,)
            if asked.question.category.endswith(TO_MOVIE):
                movies = asked.question.answers
            number += 1
            with_plot += any(movie in self for movie in movies)
            answerable += bool(self.answers(asked))
        return PlotCoverage(number, with_plot, answerable)


def load_plots(path: str | os.PathLike[str] | None = None) -> tuple[Plot, ...]:
    """Load the plots, 17,341 lines ``movie|has_plot|text``; not to be passed on (see docs)."""
    return tuple(read_plots(official.find("wikimovies", ("omdb_plots.txt",), path)))


def read_plots(path: str | os.PathLike[str], bad: BadRows | None = None) -> Iterator[Plot]:
    """Stream plots, ``movie|has_plot|text``; a "|" in the text belongs to it."""

    def read(line: str) -> Plot:
        title, _, rest = line.partition("|")
        relation, _, text = rest.partition("|")
        if not (title and text and relation == PLOT):
            raise wrong(line, f"movie|{PLOT}|text")
        return Plot(title, text)

    return records(path, read, bad)


def folded(text: str) -> str:
    """Return a text as the plots spell it: lower case, no accents, only letters, digits, spaces."""
    plain = unicodedata.normalize("NFKD", text).lower()
    return " ".join(re.sub(r"[^\w\s]|_", "", plain.replace("-", " ")).split())


def coverage(
    questions: Iterable[MovieQuestion], plots: Iterable[Plot], entities: Entities
) -> PlotCoverage:
    """Count the questions that plots can answer; one that names no entity is never answerable."""
    questions = list(questions)
    found = PlotTexts(plots).coverage(analyse(questions, entities))
    return found._replace(questions=len(questions))


_folded = lru_cache(maxsize=2**18)(folded)
"""Names come again and again."""
