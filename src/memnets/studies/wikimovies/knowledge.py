"""WikiMovies for a network that is trained on no published training question.

The published training questions are not at hand, the 10,000 dev questions are. They are divided
by template and by entity; training questions are made from the knowledge base, by the templates
of the training side alone, about entities of no other side.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from memnets.data.facts import Triple
from memnets.data.qa.wikimovies import (
    CLASSES,
    SLOT,
    Entities,
    EntityQuestion,
    EntitySpan,
    Split,
    load_entities,
    load_questions,
    load_triples,
    split_by_template_and_entity,
)
from memnets.kb.store.layouts import REVERSED, Words, words
from memnets.tasks.naive_bayes import NaiveBayes

RELATION: Mapping[str, str] = {
    "actor_to_movie": "!starred_actors",
    "director_to_movie": "!directed_by",
    "movie_to_actors": "starred_actors",
    "movie_to_director": "directed_by",
    "movie_to_genre": "has_genre",
    "movie_to_imdbrating": "has_imdb_rating",
    "movie_to_imdbvotes": "has_imdb_votes",
    "movie_to_language": "in_language",
    "movie_to_tags": "has_tags",
    "movie_to_writer": "written_by",
    "movie_to_year": "release_year",
    "tag_to_movie": "!has_tags",
    "writer_to_movie": "!written_by",
}
"""What each class of questions asks for."""

MOST_ANSWERS = 50
"""A tag with more movies is not asked about, as in the published questions."""
DEV = "dev"
"""The published questions that are at hand."""
LETTERS = 3
"""So many first letters of a word count beside it, for the symbolic baseline."""
NAMED = 6
"""As often as this counts a word of a relation's name, beside those of templates."""
LEAST_SHARE = 0.01
"""So many of the questions made are of each class at least: two classes are hardly ever asked."""


class WordsAsked(NamedTuple):
    """A question as words, its entity one of them; None where none was recognised."""

    words: Words
    entity: str | None
    answers: tuple[str, ...]
    category: str
    text: str = ""
    """As it was asked; empty of a question that was made."""

    @property
    def others(self) -> list[str]:
        """All words but the entity."""
        return [word for word in self.words if word != self.entity]


class WikiMovies(NamedTuple):
    """The questions by side, and what answers them."""

    entities: Entities
    triples: tuple[Triple, ...]
    split: Split

    def learning_valid(self) -> "WikiMovies":
        """Return the same with the validation side as part of the training side."""
        sides = self.split.sides
        joined = {"train": sides["train"] + sides["valid"], "test": sides["test"]}
        return self._replace(split=Split(joined, self.split.dropped))


@lru_cache(maxsize=1)
def load(path: Path | None) -> WikiMovies:
    """Load entities, facts and the published dev questions, divided into sides."""
    entities = load_entities(path)
    questions = load_questions(DEV, entities, path)
    split = split_by_template_and_entity(questions, entities)
    return WikiMovies(entities, load_triples(path), split)


class Knowledge:
    """Facts by entity and relation, in both directions."""

    def __init__(self, triples: Iterable[Triple]) -> None:
        self.objects: dict[str, dict[str, list[str]]] = {}
        for subject, relation, item in dict.fromkeys(triples):
            self._add(relation, subject, item)
            self._add(REVERSED + relation, item, subject)

    def _add(self, relation: str, subject: str, item: str) -> None:
        self.objects.setdefault(relation, {}).setdefault(subject, []).append(item)

    def answers(self, entity: str | None, relation: str) -> list[str]:
        return self.objects.get(relation, {}).get(entity or "", [])

    def holds(self, entities: Iterable[str], answers: Iterable[str]) -> bool:
        """Whether any fact leads from one of the entities to one of the answers."""
        wanted = set(answers)
        return any(
            not wanted.isdisjoint(items.get(entity, ()))
            for entity in entities
            for items in self.objects.values()
        )


class Recogniser:
    """Finds what a question asks about, knowing the training templates.

    Names such as "What", "the movie" or "director" are entities too. A name all of whose words
    stand in training templates is taken for an entity only where there is no other. Of several a
    name that is not all in lower case, as tags and plain words are, comes first, then the longest.

    Args:
        entities: the list of names.
        templates: of the training side.
        spell: how a name is written where its words are numbered.
    """

    def __init__(
        self, entities: Entities, templates: Iterable[str], spell: Callable[[str], str] = str
    ) -> None:
        self.entities, self.spell = entities, spell
        self.ordinary = {
            word for text in templates for word in words(text.replace(SLOT, " "), _nothing)
        }

    def mention(self, text: str) -> EntitySpan | None:
        found = self.entities.every_mention(text)
        named = [one for one in found if not self._is_ordinary(one.entity)]
        return max(named or found, key=_rank, default=None)

    def read(self, asked: EntityQuestion) -> WordsAsked:
        """Return a question as words."""
        text = asked.question.text
        mention = self.mention(text)
        named = [] if mention is None else [mention._replace(entity=self.spell(mention.entity))]
        found = words(text, lambda _: named)
        entity = named[0].entity if named else None
        return WordsAsked(found, entity, asked.question.answers, asked.question.category, text)

    def every_name(self, text: str) -> Iterator[str]:
        """Yield every name in a text, also inside another."""
        return (self.spell(one.entity) for one in self.entities.every_mention(text))

    def _is_ordinary(self, name: str) -> bool:
        return all(word in self.ordinary for word in words(name, _nothing))


def common_words(split: Split, classes: int) -> frozenset[str]:
    """Return the words that stand in training templates of more classes than these."""
    met: dict[str, set[str]] = {}
    for one in split.sides["train"]:
        for word in words(one.template.replace(SLOT, " "), _nothing):
            met.setdefault(word, set()).add(one.question.category)
    return frozenset(word for word, found in met.items() if len(found) > classes)


def made_questions(
    split: Split,
    knowledge: Knowledge,
    number: int,
    seed: int,
    like: Iterable[EntityQuestion] | None = None,
) -> Iterator[WordsAsked]:
    """Make questions from facts, by the templates of the training side.

    No entity of another side is asked about, nor is it an answer, so no fact of it is learnt from;
    the memory holds all facts. Classes come as often as on the training side, but each at
    `LEAST_SHARE` if it comes at all.

    Args:
        split: the questions by side.
        knowledge: facts in both directions.
        number: how many.
        seed: of the draw.
        like: questions whose classes come as often; by default all of the training side.

    Raises:
        ValueError: there is no fact to ask about.
    """
    draw = random.Random(seed)
    others = split.entities_elsewhere("train")
    like = split.sides["train"] if like is None else like
    count = Counter(asked.question.category for asked in like)
    groups = {kind: _groups(knowledge, RELATION[kind], others) for kind in CLASSES if count[kind]}
    kinds = [kind for kind, found in groups.items() if found]
    if not kinds:
        raise ValueError(
            "no training question can be made: no fact of the memory belongs to a class of the "
            "training side, without a name of another side. Let the memory hold more movies."
        )
    least = LEAST_SHARE * count.total()
    templates = {kind: _templates(split, kind) for kind in kinds}
    for kind in draw.choices(kinds, [max(least, count[kind]) for kind in kinds], k=number):
        entity, answers = draw.choice(groups[kind])
        before, after = draw.choice(templates[kind])
        yield WordsAsked((*before, entity, *after), entity, answers, kind)


class SymbolicBaseline:
    """Entity and relation, looked up, without any network.

    Naive Bayes over words and their first letters chooses the relation, learnt from the training
    templates and from the relations' names, of those relations alone that the entity has, in both
    directions. The answer is the first object of the fact. What it counts was chosen on the
    validation side.
    """

    def __init__(self, split: Split, knowledge: Knowledge) -> None:
        self.knowledge = knowledge
        templates = {(one.template, one.question.category) for one in split.sides["train"]}
        names = {kind: RELATION[kind].removeprefix(REVERSED).split("_") for kind in CLASSES}
        self.relation = NaiveBayes(
            (
                (_begun(words(text.replace(SLOT, " "), _nothing)), kind)
                for text, kind in sorted(templates)
            ),
            {kind: _begun(found) for kind, found in names.items()},
            NAMED,
        )

    def answer(self, asked: WordsAsked) -> str | None:
        answers = {kind: self.knowledge.answers(asked.entity, RELATION[kind]) for kind in CLASSES}
        has = [kind for kind, found in answers.items() if found]
        if not has:
            return None
        scores = self.relation.scores(_begun(asked.others), has)
        return answers[max(has, key=scores.__getitem__)][0]


def _begun(found: Iterable[str]) -> list[str]:
    """Return words, and beside each how it begins."""
    return [told for word in found for told in (word, "^" + word[:LETTERS])]


def _groups(
    knowledge: Knowledge, relation: str, others: frozenset[str]
) -> Sequence[tuple[str, tuple[str, ...]]]:
    return [
        (entity, tuple(items))
        for entity, items in knowledge.objects.get(relation, {}).items()
        if entity not in others
        and others.isdisjoint(items)
        and (len(items) <= MOST_ANSWERS or relation != RELATION["tag_to_movie"])
    ]


def _templates(split: Split, kind: str) -> Sequence[tuple[Words, Words]]:
    texts = {one.template for one in split.sides["train"] if one.question.category == kind}
    parts = (text.partition(SLOT) for text in sorted(texts))
    return [(words(before, _nothing), words(after, _nothing)) for before, _, after in parts]


def _rank(mention: EntitySpan) -> tuple[bool, int]:
    return not mention.entity.islower(), mention.end - mention.start


def _nothing(_: str) -> list[EntitySpan]:
    return []
