"""Questions made from the facts of a KB alone: ones that it answers, and ones that it does not.

Nobody has to write any. Facts and ways of asking give questions; wrong letters, lost and swapped
little words make them less tidy; and a KB from which a fact or an entity is thought away gives
questions to which "I don't know" is right.
"""

import random
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Literal, NamedTuple

import numpy as np

from memnets.data.facts import Triple
from memnets.kb.index.ngrams import INTERROGATIVES, STOP_WORDS
from memnets.kb.linking.words import other_names, question_words
from memnets.kb.questions.english import KINDS
from memnets.kb.questions.phrases import IT, SIDES, Phrases, realise, templates
from memnets.kb.store.layouts import REVERSED, reverse
from memnets.kb.store.store import Store

Kind = Literal[
    "known", "unknown entity", "missing fact", "inapplicable relation", "foreign", "nonsense"
]
UNANSWERABLE: tuple[Kind, ...] = (
    "unknown entity",
    "missing fact",
    "inapplicable relation",
    "foreign",
    "nonsense",
)
"""An entity that the KB lacks, a fact that it lacks of an entity that has others, a relation that
others have and this one not, one that nothing has, and no question at all."""

OFTENER = dict(zip(UNANSWERABLE, (1, 3, 2, 1, 1), strict=True))
"""How often each is learnt; they are tested with equally often."""
SAMPLE = 50
"""Objects of a relation that are looked at to tell what they are."""
LONG = 8
"""An entity of more words is a text: nobody asks by it."""
NOISE = 0.1
"""How often each kind of untidiness occurs in a question."""
ALIAS = 0.2
"""How often an entity is called by another of its names."""
CARRIED = 0.15
"""How often something like "tell me" stands before a question."""
SAID_WHAT = 0.07
"""How often something like "the film" stands before a name."""
BOTH_WAYS = 0.5
"""How often a relation is learnt from an entity that has it in both directions, where any has: of
somebody who manages and is managed, only the words tell who is asked for."""
STRANGE = 0.7
"""How often a relation that the KB lacks is learnt from one that it has, in other words."""


class GeneratedQuestion(NamedTuple):
    """A question with all that is known about it."""

    text: str
    kind: Kind
    entity: str = ""
    """The one that is named; of "unknown entity" one that is to be thought away."""
    relation: str = ""
    """What is asked of it; of "missing fact" one that is to be thought away."""
    answers: tuple[str, ...] = ()
    """All of them; none where the KB does not answer."""
    phrase: str = ""
    """The way of asking."""


class Facts:
    """Facts by entity and relation, in both directions: all objects of a question at once.

    Args:
        triples: a "!" stands before a relation from its object to its subject.
    """

    def __init__(self, triples: Iterable[Triple]) -> None:
        found: defaultdict[str, defaultdict[str, dict[str, None]]]
        found = defaultdict(lambda: defaultdict(dict))
        self.relations: dict[str, list[str]] = {}
        """Every relation, with some of its objects."""
        for subject, relation, item in triples:
            found[subject][relation][item] = None
            found[item][REVERSED + relation][subject] = None
            sample = self.relations.setdefault(relation, [])
            if len(sample) < SAMPLE:
                sample.append(item)
        self._facts = {
            entity: {relation: tuple(items) for relation, items in of.items()}
            for entity, of in found.items()
        }

    def of(self, entity: str) -> Mapping[str, tuple[str, ...]]:
        """Return every relation of an entity with its objects."""
        return self._facts.get(entity, {})

    def begins(self, entity: str) -> bool:
        """Return whether a fact begins with an entity."""
        return any(not relation.startswith(REVERSED) for relation in self.of(entity))

    def links(self) -> dict[str, int]:
        """Return how many facts each entity stands in."""
        return {e: sum(map(len, of.values())) for e, of in self._facts.items()}

    @cached_property
    def askable(self) -> list[str]:
        """The entities by which somebody would ask."""
        return [entity for entity in self if 0 < len(question_words(entity)) <= LONG]

    @cached_property
    def having(self) -> Mapping[str, list[str]]:
        """Those of them that have a relation, by relation."""
        found: dict[str, list[str]] = {}
        for entity in self.askable:
            for relation in self.of(entity):
                found.setdefault(relation, []).append(entity)
        return found

    @cached_property
    def both_ways(self) -> Mapping[str, list[str]]:
        """Those of them that have a relation in both directions, by relation."""
        either = ((name, reverse(name), having) for name, having in self.having.items())
        return {name: [e for e in having if back in self.of(e)] for name, back, having in either}

    def __iter__(self) -> Iterator[str]:
        return iter(self._facts)

    def __len__(self) -> int:
        return len(self._facts)


def examples_of(store: Store) -> dict[str, list[str]]:
    """Return every relation, in the order of the facts, with some of its objects, as `Facts`."""
    facts, numbers = store.facts, np.asarray(store.facts.relations)
    order = np.argsort(numbers, kind="stable")
    starts = np.flatnonzero(np.diff(numbers[order], prepend=-1))
    some = [order[start:end][:SAMPLE] for start, end in pairwise([*starts, len(order)])]
    return {
        store.relations.word(numbers[rows[0]]): [*map(store.entities.word, facts.objects[rows])]
        for rows in sorted(some, key=lambda rows: int(rows[0]))
    }


class QuestionGenerator:
    """Asks questions that nobody has written.

    Args:
        facts: what is asked after.
        phrases: ways of asking, by relation.
        side: which of them: "learn", "tune" or "test".
        seed: another one gives other questions.
    """

    def __init__(
        self, facts: Facts, phrases: Mapping[str, Phrases], side: str, seed: int = 0
    ) -> None:
        self._facts, self._side = facts, SIDES.index(side)
        self._dice = random.Random(f"{seed} {side}")
        self._phrases = {name: ways[self._side] for name, ways in phrases.items()}
        self._entities, self._having = facts.askable, facts.having
        self._asked = [relation for relation in self._having if self._phrases.get(relation)]
        self._both_ways = facts.both_ways if self._side == 0 else {}
        stock = templates()["foreign"]
        every = " ".join(phrase for ways in phrases.values() for of in ways for phrase in of)
        known = _stems(set(question_words(every)))
        foreign = [
            q for q in stock["questions"] if not _stems(question_words(q.replace(IT, ""))) & known
        ]
        self._foreign = _share(foreign, self._side)
        self._nonsense = _share(stock["nonsense"], self._side)

    def known(self) -> GeneratedQuestion | None:
        """Ask for a fact; every relation as often as any other. None where there is no way to."""
        if not self._asked:
            return None
        relation = self._dice.choice(self._asked)
        having = self._having[relation]
        if self._both_ways.get(relation) and self._dice.random() < BOTH_WAYS:
            having = self._both_ways[relation]
        entity = self._dice.choice(having)
        phrase = self._dice.choice(self._phrases[relation])
        answers = self._facts.of(entity)[relation]
        return self._question("known", entity, relation, phrase)._replace(answers=answers)

    def unanswerable(self, kind: Kind) -> GeneratedQuestion | None:
        """Ask what the KB does not answer. None where it gives no occasion for such a question."""
        if kind in ("unknown entity", "missing fact"):
            question = self.known()
            return question and question._replace(kind=kind, answers=())
        if not self._entities:
            return None
        entity = self._dice.choice(self._entities)
        if kind == "inapplicable relation":
            has = self._facts.of(entity)
            others = [r for r in self._asked if r not in has]
            if self._side == 0 and self._dice.random() < 0.5:
                others = [r for r in others if reverse(r) in has] or others
            if not others:
                return None
            relation = self._dice.choice(others)
            return self._question(
                kind, entity, relation, self._dice.choice(self._phrases[relation])
            )
        if kind == "foreign" and self._foreign:
            phrase = self._dice.choice(self._foreign)
            if self._side == 0 and self._asked and self._dice.random() < STRANGE:
                phrase = self._strange()
            return self._question(kind, entity, "", phrase)
        return self._question(kind, entity, "", self._babble())

    def questions(self, number: int, unanswerable: float) -> list[GeneratedQuestion]:
        """Ask many.

        Args:
            number: of questions.
            unanswerable: the share that the KB does not answer; all kinds equally often.
        """
        asked: list[GeneratedQuestion] = []
        while len(asked) < number:
            if self._dice.random() < unanswerable:
                question = self.unanswerable(self._unanswerable_kind())
            else:
                question = self.known()
            asked.append(question or self._question("nonsense", "", "", self._babble()))
        return asked

    def _unanswerable_kind(self) -> Kind:
        learns = self._side == 0
        return self._dice.choices(UNANSWERABLE, list(OFTENER.values()) if learns else None)[0]

    def _strange(self) -> str:
        """A way of asking in which all that is not common has become another word."""
        phrase = realise(
            self._dice.choice(self._phrases[self._dice.choice(self._asked)]), self._dice
        )
        common = STOP_WORDS | INTERROGATIVES | {IT, "'s", *KINDS}
        words = (w if w in common else self._dice.choice(self._nonsense) for w in phrase.split())
        return " ".join(words)

    def _babble(self) -> str:
        """A row of words that ask for nothing; half of them name an entity."""
        words = self._dice.choices(self._nonsense, k=self._dice.randint(1, 5))
        words += self._dice.choices(sorted(INTERROGATIVES), k=self._dice.randint(0, 1))
        words += [IT] * self._dice.randint(0, 1)
        self._dice.shuffle(words)
        return " ".join(words)

    def _question(self, kind: Kind, entity: str, relation: str, phrase: str) -> GeneratedQuestion:
        dice = self._dice
        words = untidy(realise(phrase, dice).split(), dice)
        if dice.random() < CARRIED:
            words = [dice.choice(templates()["carriers"]), *words]
        name = entity
        if dice.random() < ALIAS:
            name = dice.choice([other for other in other_names(entity) if other] or [entity])
        if name and dice.random() < SAID_WHAT:
            name = f"the {dice.choice(KINDS)} {name}"
        text = " ".join(words).replace(IT, name).replace(" 's", "'s")
        casing = dice.choice((str, str, str.lower, str.upper, str.title))
        text = casing(text) + dice.choice(("", "?", " ?"))
        return GeneratedQuestion(text, kind, entity, relation, (), phrase)


def untidy(words: Sequence[str], dice: random.Random) -> list[str]:
    """Lose a little word, swap two that are neighbours, or spell one wrongly, now and then."""
    words = list(words)
    little = [place for place, word in enumerate(words) if word in STOP_WORDS]
    if len(words) > 3 and little and dice.random() < NOISE:
        del words[dice.choice(little)]
    pairs = [at for at in range(len(words) - 1) if STOP_WORDS.issuperset(words[at : at + 2])]
    if pairs and dice.random() < NOISE:
        at = dice.choice(pairs)
        words[at : at + 2] = words[at + 1], words[at]
    long = [place for place, word in enumerate(words) if word != IT and len(word) > 4]
    if long and dice.random() < NOISE:
        place = dice.choice(long)
        words[place] = misspelt(words[place], dice)
    return words


def misspelt(word: str, dice: random.Random) -> str:
    """Return a word with a letter lost, doubled, or swapped with the next."""
    at = dice.randrange(1, len(word) - 1)
    return dice.choice(
        (
            word[:at] + word[at + 1 :],
            word[:at] + word[at] + word[at:],
            word[:at] + word[at + 1] + word[at] + word[at + 2 :],
        )
    )


def _stems(words: Iterable[str]) -> set[str]:
    """Return what is left of words without their endings: "own" of "owned" and "owns"."""
    telling = (word for word in words if word not in STOP_WORDS | INTERROGATIVES | {"it"})
    return {re.sub(r"(ed|ing|er|or|s)$", "", word)[:5] for word in telling}


def _share(stock: Sequence[str], side: int) -> list[str]:
    """Return a side's part of what all of them would say alike: three fifths are learnt."""
    return [item for place, item in enumerate(stock) if max(0, place % 5 - 2) == side]
