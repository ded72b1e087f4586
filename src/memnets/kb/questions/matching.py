"""Answers by matching of strings alone: what anything that learns has to be better than."""

from collections.abc import Iterable
from functools import lru_cache

from memnets.kb.index.ngrams import INTERROGATIVES, STOP_WORDS
from memnets.kb.linking.naming import Names
from memnets.kb.linking.opened import OpenedFacts, open_names, words_of_relations
from memnets.kb.linking.words import question_words
from memnets.kb.questions.english import relation_words, stem
from memnets.kb.questions.questions import Facts
from memnets.kb.store.layouts import REVERSED
from memnets.kb.store.store import Store


class StringMatcher:
    """Answer with the facts whose relation shares most stems with the question.

    The entity is the one of the longest name in the question or, where none is spelt so, of the
    nearest spelling. Nothing is learnt, and a question that shares no word with a relation of the
    entity is declined.

    Args:
        store: a KB that was opened.
        facts, names: of it, where others look them up too.
    """

    def __init__(
        self,
        store: Store,
        facts: Facts | OpenedFacts | None = None,
        names: Names | None = None,
    ) -> None:
        self._facts = facts or OpenedFacts(store)
        self._names = names.beside(words_of_relations(store)) if names else open_names(store)

    def ask(self, question: str) -> tuple[str, ...]:
        """Return all objects of the best fact; none where the question is declined."""
        words = question_words(question)
        mentions = self._names.mentions(words)
        if not mentions:
            return ()
        longest = max(mentions, key=lambda mention: mention.end - mention.begin)
        rest = [*words[: longest.begin], *words[longest.end :]]
        asked = _stems(rest)
        best: tuple[str, ...] = ()
        most, by = 0, ""
        for entity in longest.entities:
            # Of a relation in both directions the one comes first that the facts are written in.
            facts = self._facts.of(entity).items()
            for relation, objects in sorted(facts, key=lambda one: one[0].startswith(REVERSED)):
                shared = len(asked & _told_by(relation))
                if shared > most:
                    best, most, by = objects, shared, relation
                elif shared == most and relation == by:  # of another of the name
                    best = tuple(dict.fromkeys([*best, *objects]))
        return best


@lru_cache(2**14)
def _told_by(relation: str) -> frozenset[str]:
    return _stems(relation_words(relation.removeprefix(REVERSED)))


def _stems(words: Iterable[str]) -> frozenset[str]:
    """Return words without their endings; those that say nothing are left out."""
    return frozenset(map(stem, {*words} - STOP_WORDS - INTERROGATIVES))
