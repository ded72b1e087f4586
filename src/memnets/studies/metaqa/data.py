"""Paths of facts with questions made for them, and MetaQA's questions in two halves."""

import hashlib
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from memnets.data.facts import Triple
from memnets.data.qa import metaqa
from memnets.data.qa.metaqa import MetaQAQuestion
from memnets.data.qa.wikimovies import Entities, load_triples
from memnets.data.sources import locate
from memnets.kb.store.layouts import REVERSED
from memnets.studies.metaqa.english import TOPIC, Asker, is_reversed, plain, words_of
from memnets.training.config import expect_at_least

HALVES = "metaqa 0"
"""What the halves are drawn by, with a question's words."""
DEV = "dev"
HOPS = (1, 2, 3)
NOBODY = -1
"""Stands for an entity that no fact is about: there is nothing to be read of it."""
HELD, HELD_SEED = 2000, 1_000_003
"""Made questions that are held back: the same for every run, whatever its own seed."""
# How paths are drawn.
OFTEN = {1: 1.0, 2: 2.0, 3: 2.0}
"""How often a path has so many hops."""
FROM_A_FILM = 0.7
"""How often a path begins at a film, and not at what is said of films."""
ASKED = {
    **dict.fromkeys(("directed_by", "written_by", "starred_actors"), 3.0),
    **dict.fromkeys(("release_year", "in_language", "has_genre", "has_tags"), 2.0),
    "has_imdb_rating": 0.7,
    "has_imdb_votes": 0.5,
}
"""How often a relation is asked for in the last hop."""
RARELY = 0.15
"""How often, of that, what is no person stands in the middle of a path: films of the same year."""
PEOPLE = frozenset(("directed_by", "written_by", "starred_actors"))


class Taught(NamedTuple):
    """A question with the path that answers it, in numbers of entities and slots."""

    words: tuple[str, ...]
    topic: int
    path: tuple[int, ...]


class Asked(NamedTuple):
    """A published question, its entity as a number."""

    words: tuple[str, ...]
    topic: int
    answers: tuple[str, ...]
    hops: int
    text: str
    """As it was asked, the entity between brackets."""


class Facts:
    """Facts in numbers, in both directions.

    Args:
        triples: what the knowledge base says.
    """

    def __init__(self, triples: Iterable[Triple]) -> None:
        told = list(dict.fromkeys(triples))
        self.names = tuple(sorted({name for one in told for name in (one.subject, one.object)}))
        self.number = {name: number for number, name in enumerate(self.names)}
        relations = sorted({one.relation for one in told})
        self.slots = (*relations, *(REVERSED + relation for relation in relations))
        slot = {name: number for number, name in enumerate(self.slots)}
        self.triples: list[tuple[int, int, int]] = []
        self.ends: list[dict[int, list[int]]] = [{} for _ in self.slots]
        for subject, relation, item in told:
            first, last = self.number[subject], self.number[item]
            self._add(first, slot[relation], last)
            self._add(last, slot[REVERSED + relation], first)

    def _add(self, first: int, slot: int, last: int) -> None:
        self.triples.append((first, slot, last))
        self.ends[slot].setdefault(first, []).append(last)


class Sources(NamedTuple):
    """The facts, and the published questions: "valid", the half that chooses, and "test"."""

    facts: Facts
    asked: Mapping[str, tuple[Asked, ...]]


class Lessons(NamedTuple):
    """What a run learns from, and what was made as that was and is held back."""

    train: tuple[Taught, ...]
    held: tuple[Taught, ...]


@dataclass(frozen=True)
class MetaQAData:
    """Questions made from paths of facts; MetaQA's dev questions, which nothing is made of.

    The halves of dev are divided by template: no question of one half is, but for its entity, a
    question of the other.
    """

    path: Path | None = None
    """Folder of the facts and the questions; by default MEMNETS_DATA."""
    made: int = 16_000
    """Questions that are made and learnt from."""
    one_hop: bool = False
    """Whether the choosing half's questions of one hop are learnt from as well."""
    checked: int = 500
    """Questions of the choosing half, of every number of hops, that choose the weights."""

    def __post_init__(self) -> None:
        expect_at_least("data", self, made=1, checked=1)

    def load(self) -> Sources:
        """Load the facts and divide the published questions."""
        facts = Facts(load_triples(self.path))
        valid, test = ([self._asked(hops, facts, half) for hops in HOPS] for half in (True, False))
        chosen = (spread(of, self.checked) for of in valid)
        asked = {"valid": chain.from_iterable(chosen), "test": chain.from_iterable(test)}
        return Sources(facts, {half: tuple(questions) for half, questions in asked.items()})

    def lessons(self, facts: Facts, seed: int) -> Lessons:
        """Make questions; those of one hop that are learnt from as well stand last."""
        asked = self._asked(1, facts, choosing=True) if self.one_hop else []
        train = chain(made(facts, self.made, seed), with_paths(asked, facts))
        return Lessons(tuple(train), tuple(made(facts, HELD, HELD_SEED)))

    def _asked(self, hops: int, facts: Facts, choosing: bool) -> list[Asked]:
        """Return a half's questions of a number of hops."""
        questions = load_questions(hops, self.path)
        return [numbered(one, facts) for one in questions if chooses(one) == choosing]


def numbered(question: MetaQAQuestion, facts: Facts) -> Asked:
    """Return a published question with its entity as a number."""
    return Asked(
        tuple(words_of(question.words)),
        facts.number.get(question.entity, NOBODY),
        question.answers,
        question.hops,
        question.words.replace(TOPIC, f"[{question.entity}]"),
    )


def load_questions(hops: int, path: Path | None) -> tuple[MetaQAQuestion, ...]:
    """Load dev questions from MetaQA's folder; from that of WikiMovies where they lie there."""
    try:
        return metaqa.load_questions(hops, DEV, path)
    except FileNotFoundError:
        name = f"metaqa_{hops}hop_{DEV}.txt"
        folder = locate("wikimovies", path, holds=("kb_triples.txt", "entities.txt"))
        if not (folder / name).exists():
            raise
        return metaqa.load_questions(hops, DEV, folder)


def chooses(question: MetaQAQuestion) -> bool:
    """Whether questions of these words, whatever their entity, are of the half that chooses."""
    return hashlib.sha256(f"{HALVES} {question.words}".encode()).digest()[0] % 2 == 0


def spread(questions: Sequence[Asked], most: int) -> list[Asked]:
    """Return so many questions, from all over a file."""
    chosen = min(most, len(questions))
    return [questions[place * len(questions) // chosen] for place in range(chosen)]


def made(facts: Facts, number: int, seed: int) -> Iterator[Taught]:
    """Make questions from paths that the facts hold, all drawn by a seed."""
    draw = random.Random(seed)
    asker, walker = Asker(draw), Walker(facts, draw)
    for _ in range(number):
        topic, path = walker.path()
        words = words_of(asker.question([facts.slots[slot] for slot in path]))
        yield Taught(tuple(words), topic, path)


class Walker:
    """Draw paths by walking along facts, so that each of them leads somewhere.

    Args:
        facts: what is walked along.
        draw: what decides.
    """

    def __init__(self, facts: Facts, draw: random.Random) -> None:
        self.facts, self.draw = facts, draw
        self.starts = [list(ends) for ends in facts.ends]

    def path(self) -> tuple[int, tuple[int, ...]]:
        """Return an entity, and the slots that lead on from it; no path returns to it."""
        while True:
            hops = self.draw.choices(HOPS, [OFTEN[hops] for hops in HOPS])[0]
            from_a_film = self.draw.random() < FROM_A_FILM
            slots = self.facts.slots
            first = [n for n, slot in enumerate(slots) if is_reversed(slot) != from_a_film]
            slot = self._one_of(first, hops == 1)
            topic = self.draw.choice(self.starts[slot])
            found = self._on(topic, slot, hops)
            if found:
                return topic, found

    def _on(self, topic: int, slot: int, hops: int) -> tuple[int, ...]:
        """Return a path of so many hops that begins by a slot; nothing where it comes to an end."""
        path, entity = [slot], topic
        while True:
            ends = [end for end in self.facts.ends[path[-1]][entity] if end != topic]
            if not ends:
                return ()
            if len(path) == hops:
                return tuple(path)
            entity = self.draw.choice(ends)
            # From a film to what is said of it, and from that to films again.
            back = is_reversed(self.facts.slots[path[-1]])
            others = [
                number
                for number, slot in enumerate(self.facts.slots)
                if is_reversed(slot) != back and entity in self.facts.ends[number]
            ]
            if not others:
                return ()
            path.append(self._one_of(others, len(path) + 1 == hops))

    def _one_of(self, slots: Sequence[int], is_last: bool) -> int:
        weights = []
        for slot in slots:
            name = self.facts.slots[slot]
            asked = is_last and not is_reversed(name)
            rarely = asked or plain(name) in PEOPLE
            weights.append(ASKED.get(plain(name), 1.0) * (1.0 if rarely else RARELY))
        return self.draw.choices(slots, weights)[0]


def with_paths(questions: Iterable[Asked], facts: Facts) -> Iterator[Taught]:
    """Yield questions of one hop with the slot that has all their answers, where only one has."""
    for one in questions:
        answers = {facts.number.get(answer, -1) for answer in one.answers}
        slots = [
            slot for slot, ends in enumerate(facts.ends) if set(ends.get(one.topic, ())) == answers
        ]
        if len(slots) == 1:
            yield Taught(one.words, one.topic, (slots[0],))


def topic_of(question: str, names: Entities) -> tuple[str, tuple[str, ...]]:
    """Return the entity that a question is about, and its words with `[]` in its place.

    It stands between brackets, or is the longest name in the question; of these, one with a capital
    or a digit goes before all others, as plain words are names too.

    Raises:
        ValueError: it names none.
    """
    before, opened, rest = question.partition("[")
    name, closed, after = rest.rpartition("]")
    if not (opened and closed):
        found = max(
            names.every_mention(question),
            key=lambda one: (not one.entity.islower(), one.end - one.start),
            default=None,
        )
        if found is None:
            raise ValueError(
                f"{question!r} names nothing that the facts know. Write the name as they have it, "
                f"between brackets: who directed [Kismet]?"
            )
        before, name, after = question[: found.start], found.entity, question[found.end :]
    if name not in names:
        raise ValueError(f"the facts know of no {name!r}. Write the name as they have it.")
    return name, tuple(words_of(f"{before}{TOPIC}{after}"))


def digest(sources: Sources) -> str:
    """Return the SHA-256 of the facts and of the questions in their halves."""
    found = hashlib.sha256("".join(sources.facts.names).encode())
    found.update(repr(sources.facts.triples).encode())
    for half, questions in sources.asked.items():
        found.update(f"{half} {[(one.text, one.answers) for one in questions]}".encode())
    return found.hexdigest()
