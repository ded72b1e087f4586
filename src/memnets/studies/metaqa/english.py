"""English questions for paths of relations: a small grammar, whose phrases stand in a file.

A path leads from a film or from what is said of films: `("directed_by", "!directed_by")` asks for
the films by the director of a film. What it leads to is named by a noun phrase, hop by hop; the
last hop is asked for.
"""

import random
import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import lru_cache, partial
from importlib import resources
from typing import Any, NamedTuple

from memnets.kb.store.layouts import REVERSED

TOPIC = "[]"
"""Stands for the entity that a question is about."""
JOINED = 0.5
"""How often films by the people of a film are named as those that share them with it."""
_ALTERNATIVES = re.compile(r"\(([^()]*)\)")
_NAMED = re.compile(r"{(\w+)}")
_WORD = re.compile(r"\[\]|[^\W_]+")

Rules = Sequence[str]


class NounPhrase(NamedTuple):
    """What a hop has led to, in words."""

    text: str
    many: bool
    is_topic: bool = False


@lru_cache(maxsize=1)
def phrases() -> Mapping[str, Mapping[str, Any]]:
    """Return the phrases of the grammar, by relation or place in it."""
    return tomllib.loads(resources.files(__package__).joinpath("phrases.toml").read_text("utf-8"))


def words_of(question: str) -> list[str]:
    """Return the words of a question in small letters, the entity as `[]`."""
    return _WORD.findall(question.lower())


class Asker:
    """Ask for paths in words that are drawn.

    Args:
        draw: what the words are drawn by.
    """

    def __init__(self, draw: random.Random) -> None:
        self.draw, self.known = draw, phrases()

    def question(self, path: Sequence[str]) -> str:
        """Return a question for what a path leads to, `[]` in place of where it begins."""
        last = path[-1]
        rules, bound = self._reversed(path) if is_reversed(last) else self._forward(path)
        return self._fill(self.draw.choice(self.draw.choice(rules)), plain(last), bound)

    # Questions

    def _forward(self, path: Sequence[str]) -> tuple[list[Rules], dict[str, str]]:
        """Return rules for what is said of films, and what they name."""
        relation, before = path[-1], path[:-1]
        films = self.named(before, relation)
        bound = self._bound("F", films)
        own: Rules = self.known[relation].get("asks", ())
        if not self._is_person(relation):
            return [own], bound
        rules = self.known["asks_people"]
        found: list[Rules] = [rules["any"], rules["any"], *([own, own] if own else ())]
        if films.is_topic:
            found.append(rules["topic"])
        if before and self._is_person(plain(before[-1])):
            found.extend(self._of_people(path, bound))
        return found, bound

    def _of_people(self, path: Sequence[str], bound: dict[str, str]) -> list[Rules]:
        """Return rules for people who are found by other people."""
        *before, through, relation = path
        if not before:
            rules = self.known["asks_company"]
            bound |= {"T": self._topic(through).text} | self._words("P", plain(through))
            same = plain(through) == relation
            return [rules["same"], rules["same"]] if same else [rules["any"]]
        if not self._is_person(plain(before[-1])):
            return []
        film = self.named(before[:-1], before[-1])
        bound |= self._bound("G", film) | self._words("P", before[-1])
        bound |= self._words("M", plain(through))
        return [self.known["asks_their"]["any"]]

    def _reversed(self, path: Sequence[str]) -> tuple[list[Rules], dict[str, str]]:
        """Return rules for films, and what they name."""
        *before, last = path
        relation = plain(last)
        people = self.named(before, last)
        bound = self._bound("P", people)
        rules = self.known["asks_films"]
        films = self.named(path, "")
        bound |= self._bound("FILMS", films)
        if not self._is_person(relation):
            own = self.known[relation].get("asks_films")
            return [rules["whole"], *([own, own] if own else ())], bound
        found = [rules["any"], rules["any"], rules["whole"]]
        if before and plain(before[-1]) == relation:
            bound |= self._bound("F", self.named(before[:-1], before[-1]))
            bound |= self._words("P", relation)
            found += [rules["joined"], rules["whole"]]
        return found, bound

    # Noun phrases

    def named(self, path: Sequence[str], after: str) -> NounPhrase:
        """Return what a path leads to as a noun phrase.

        Args:
            path: from where the question begins; empty for that itself.
            after: the slot that is read next, which tells what the topic is.
        """
        if not path:
            return self._topic(after)
        *before, last = path
        relation, by = plain(last), self.named(before, last)
        if is_reversed(last):
            template, bound = self._films(before, relation, by)
        else:
            rules = self.known["people"]
            person = self._is_person(relation)
            any_film = rules["any" if person else "other"]
            template = self._pick(any_film, rules["topic"] if person and by.is_topic else ())
            bound = self._bound("F", by)
        many = is_reversed(last) or not re.search(r"{noun}|\|one\)", template)
        return NounPhrase(self._fill(template, relation, bound), many)

    def _films(
        self, before: Sequence[str], relation: str, by: NounPhrase
    ) -> tuple[str, dict[str, str]]:
        if before and not is_reversed(before[-1]) and self.draw.random() < JOINED:
            template = self._joined(relation, before[-1])
            bound = self._bound("F", self.named(before[:-1], before[-1]))
            if template:
                return template, bound | self._words("P", before[-1])
        rules = self.known["made"]
        if not self._is_person(relation):
            return self._pick(self.known[relation]["made"]), self._bound("P", by)
        return self._pick(rules["any"], rules["topic"] if by.is_topic else ()), self._bound("P", by)

    def _joined(self, relation: str, other: str) -> str:
        if self._is_person(relation) and self._is_person(other):
            rules = self.known["joined"]
            return self._pick(rules["any"], rules["same"] if relation == other else ())
        own = self.known[relation].get("joined", ()) if relation == other else ()
        return self._pick(own) if own else ""

    def _topic(self, after: str) -> NounPhrase:
        kind = "film"
        if is_reversed(after):
            kind = "person" if self._is_person(plain(after)) else "other"
        text = self._fill(self._pick(self.known["topic"][kind]), plain(after), {})
        return NounPhrase(text, False, True)

    # Words

    def _pick(self, *rules: Rules) -> str:
        return self.draw.choice(self.draw.choice([some for some in rules if some]))

    def _bound(self, name: str, phrase: NounPhrase) -> dict[str, str]:
        many = phrase.many
        return {
            name: phrase.text,
            f"{name}_be": self.draw.choice(("are", "were") if many else ("is", "was")),
            f"{name}_does": self.draw.choice(("do", "did") if many else ("does", "did")),
            "be": self.draw.choice(("is", "are", "was", "were")),
        }

    def _words(self, name: str, relation: str) -> dict[str, str]:
        """Return words of another relation of the path, under names of their own."""
        if not self._is_person(relation):
            return {}
        return {
            f"{name}_{kind}": self._fill(self._pick(self.known[relation][kind]), relation, {})
            for kind in ("noun", "nouns", "past", "base")
        }

    def _is_person(self, relation: str) -> bool:
        return bool(self.known[relation]["kind"] == "person")

    def _fill(self, template: str, relation: str, bound: Mapping[str, str]) -> str:
        while found := _ALTERNATIVES.search(template):
            chosen = self.draw.choice(found[1].split("|"))
            template = template[: found.start()] + chosen + template[found.end() :]
        put = partial(self._put, relation, bound)
        return " ".join(_NAMED.sub(put, template).split())

    def _put(self, relation: str, bound: Mapping[str, str], found: re.Match[str]) -> str:
        """Return the words for a name between braces."""
        if found[1] in bound:
            return bound[found[1]]
        own = self.known.get(relation, {}).get(found[1]) or self.known["words"][found[1]]
        return self._fill(self.draw.choice(own), relation, bound)


def is_reversed(slot: str) -> bool:
    """Whether a slot leads to films."""
    return slot.startswith(REVERSED)


def plain(slot: str) -> str:
    """Return the relation of a slot, whichever its direction."""
    return slot.removeprefix(REVERSED)
