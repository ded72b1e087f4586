"""Plots as KV-MemNN's memory: how they are read, what they can answer, what answers untaught.

Plots are in lower case, without accents and nearly without punctuation. So a name is found by its
folded spelling, and a plot, which has no sentences, is read as one; its movie's title stands before
it, as it would in an article.
"""

import random
from collections import Counter
from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from operator import itemgetter
from pathlib import Path

from memnets.data.facts import Triple
from memnets.data.qa.wikimovies import (
    Entities,
    EntityQuestion,
    EntitySpan,
    Plot,
    PlotCoverage,
    PlotTexts,
    Split,
    folded,
    load_plots,
)
from memnets.kb.index.ngrams import INTERROGATIVES, STOP_WORDS
from memnets.kb.store.layouts import ReadDocument, Slot, Words, read
from memnets.studies.wikimovies.knowledge import Knowledge, WikiMovies, WordsAsked

UNTAUGHT = ("frequent", "overlap", "random")
"""What answers without learning."""


class Spelling:
    """The knowledge base's spelling of names that plots write in lower case, without accents.

    Several names may be written alike: "Alien", a movie, and "alien", a tag. A name in a plot is
    taken for one that is no movie's, if there is any; of several, for the one in the most facts,
    then the first of the list. A movie is known by the title of its document, as it is written
    there: of several titles written alike it is the one in the most facts. Stop words are no names.

    Args:
        names: the list, in its order.
        triples: all facts; they say how often a name is used, not what is true of a movie.
    """

    def __init__(self, names: Iterable[str], triples: Iterable[Triple]) -> None:
        used: Counter[str] = Counter()
        self._titles = set()
        for subject, _, item in triples:
            used.update((subject, item))
            self._titles.add(subject)
        alike: dict[str, list[str]] = {}
        for name in names:
            alike.setdefault(folded(name), []).append(name)
        alike.pop("", None)
        self._named = {
            text: max(found, key=lambda name: (name not in self._titles, used[name]))
            for text, found in alike.items()
        }
        titles = {text: self._titles.intersection(found) for text, found in alike.items()}
        self._titled = {
            text: max((name for name in alike[text] if name in found), key=used.__getitem__)
            for text, found in titles.items()
            if found
        }
        self._found = Entities(self._named.keys() - STOP_WORDS - INTERROGATIVES)

    def __call__(self, name: str) -> str:
        """Return a name, or the one that stands for all that plots write alike."""
        known = self._titled if name in self._titles else self._named
        return known.get(folded(name), name)

    def title(self, text: str) -> str:
        """Return the title of a plot as the knowledge base has it; where it has none, as it is."""
        return self._titled.get(folded(text), text)

    def mentions(self, text: str) -> list[EntitySpan]:
        """Find names in a folded text, the longest first."""
        return [one._replace(entity=self._named[one.entity]) for one in self._found.mentions(text)]

    def of(self, movies: WikiMovies) -> WikiMovies:
        """Return the same facts and questions with one spelling for what plots write alike.

        A name that is then on two sides stays on the later one, the test side last.
        """
        triples = (
            Triple(self(head), relation, self(item)) for head, relation, item in movies.triples
        )
        split, sides = movies.split, {}
        later: set[str] = set()
        for side, questions in reversed([*split.sides.items()]):
            spelt = [self._asked(asked) for asked in questions]
            sides[side] = tuple(asked for asked in spelt if asked.entity not in later)
            later.update(asked.entity for asked in spelt)
        lost = sum(len(asked) - len(sides[side]) for side, asked in split.sides.items())
        return movies._replace(
            triples=tuple(dict.fromkeys(triples)),
            split=Split({side: sides[side] for side in split.sides}, split.dropped + lost),
        )

    def _asked(self, asked: EntityQuestion) -> EntityQuestion:
        answers = tuple(dict.fromkeys(map(self, asked.question.answers)))
        return replace(_answered_by(asked, answers), entity=self(asked.entity))


class PlotMemory:
    """The plots, read as documents, and the questions and facts that they hold."""

    def __init__(self, plots: Sequence[Plot]) -> None:
        self.plots, self.texts = plots, PlotTexts(plots)

    def readings(self, titles: Collection[str], spell: Spelling) -> Iterator[ReadDocument]:
        """Read the plots of some movies, each as one sentence that begins with the title."""
        for plot in self.plots:
            title = spell.title(plot.title)
            if title in titles:
                yield read_plot(title, folded(plot.text), spell.mentions)

    def knowledge(self, triples: Iterable[Triple]) -> Knowledge:
        """Return the facts whose movie's plot names their object."""
        return Knowledge(one for one in triples if self.texts.names(one.subject, one.object))

    def taught(self, split: Split) -> Iterator[EntityQuestion]:
        """Yield the training side's questions that plots can answer, with the answers they hold.

        One that a name of another side answers is left out: it may be a test question, turned
        round.
        """
        others = split.entities_elsewhere("train")
        for asked in split.sides["train"]:
            answers = self.texts.answers(asked)
            if answers and others.isdisjoint(answers):
                yield _answered_by(asked, answers)


@lru_cache(maxsize=1)
def load_memory(path: Path | None) -> PlotMemory:
    """Load the plots."""
    return PlotMemory(load_plots(path))


def read_plot(title: str, text: str, find: Callable[[str], list[EntitySpan]]) -> ReadDocument:
    """Read a plot, which has no sentences, as one; its title is its first word."""
    start = len(title) + 1

    def named(_: str) -> list[EntitySpan]:
        found = (EntitySpan(one.entity, start + one.start, start + one.end) for one in find(text))
        return [EntitySpan(title, 0, len(title)), *found]

    return read(title, [f"{title} {text}"], named)


def coverage_in_words(coverage: Mapping[str, PlotCoverage]) -> Iterator[str]:
    """Tell how many questions of each side plots can answer."""
    for side, (questions, with_plot, answerable) in coverage.items():
        share = f"{answerable / questions:.1%}" if questions else "none"
        yield (
            f"{side}: {questions:,} questions, {with_plot:,} about a movie with a plot, "
            f"{answerable:,} that a plot can answer ({share})"
        )


def shares(coverage: PlotCoverage) -> dict[str, float]:
    """Return the coverage of a side as figures."""
    number = max(1, coverage.questions)
    return {
        "coverage/questions": float(coverage.questions),
        "coverage/with_plot": coverage.with_plot / number,
        "coverage/answerable": coverage.answerable / number,
    }


def untaught(
    asked: Sequence[WordsAsked],
    questions: Sequence[Words],
    candidates: Sequence[Sequence[int]],
    slots: Sequence[Slot],
    names: Container[str],
    seed: int,
) -> dict[str, float]:
    """Return how often a right answer is found by nothing learnt, of names in candidates' values.

    `frequent` is the name in the most of them, `overlap` one in the slot whose key shares the most
    words with the question, both the first of equals; `random` is any. The entity asked about is
    none. `reachable` says how often any of them is right.

    Args:
        asked: the questions.
        questions: their words, as keys have them.
        candidates: the slots that each may read.
        slots: all of them.
        names: what an answer can be.
        seed: of the draws.
    """
    draw = random.Random(seed)
    right: Counter[str] = Counter()
    for one, words, found in zip(asked, questions, candidates, strict=True):
        read = [(slots[slot].key, _names(slots[slot].value, names, one.entity)) for slot in found]
        count = Counter(name for _, value in read for name in value)
        right["reachable"] += not count.keys().isdisjoint(one.answers)
        if count:
            named = [(len({*words} & {*key}), value[0]) for key, value in read if value]
            right["frequent"] += max(count, key=count.__getitem__) in one.answers
            right["overlap"] += max(named, key=itemgetter(0))[1] in one.answers
            right["random"] += draw.choice([*count]) in one.answers
    number = max(1, len(asked))
    return {f"untaught/{name}": right[name] / number for name in ("reachable", *UNTAUGHT)}


def _names(value: Words, names: Container[str], asked: str | None) -> list[str]:
    """Return the names of a value, each once, but for what is asked about."""
    return [word for word in dict.fromkeys(value) if word in names and word != asked]


def _answered_by(asked: EntityQuestion, answers: tuple[str, ...]) -> EntityQuestion:
    return replace(asked, question=replace(asked.question, answers=answers))
