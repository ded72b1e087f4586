"""Answers by matching of strings alone: what anything that learns has to be better than."""

from collections.abc import Iterator, Sequence

from memnets.kb.index.ngrams import INTERROGATIVES, STOP_WORDS
from memnets.kb.linking.naming import question_words
from memnets.kb.linking.opened import OpenedFacts, open_names
from memnets.kb.questions.english import relation_words, stem
from memnets.kb.store.layouts import REVERSED
from memnets.kb.store.store import Store


class StringMatcher:
    """Answer with the facts whose relation shares most stems with the question.

    The entity is the one of the longest name in the question or, where none is spelt so, of the
    nearest spelling. Nothing is learnt, and a question that shares no word with a relation of the
    entity is declined.

    Args:
        store: a KB that was opened.
    """

    def __init__(self, store: Store) -> None:
        self._facts, self._names = OpenedFacts(store), open_names(store)

    def ask(self, question: str) -> tuple[str, ...]:
        """Return all objects of the best fact; none where the question is declined."""
        words = question_words(question)
        mentions = self._names.mentions(words)
        if not mentions:
            return ()
        longest = max(mentions, key=lambda mention: mention.end - mention.begin)
        rest = [*words[: longest.begin], *words[longest.end :]]
        asked = frozenset(_stems(rest))
        best: tuple[str, ...] = ()
        most = 0
        for entity in longest.entities:
            # Of a relation in both directions the one comes first that the facts are written in.
            facts = self._facts.of(entity).items()
            for relation, objects in sorted(facts, key=lambda one: one[0].startswith(REVERSED)):
                told = relation_words(relation.removeprefix(REVERSED))
                shared = len(asked.intersection(_stems(told)))
                if shared > most:
                    best, most = objects, shared
        return best


def _stems(words: Sequence[str]) -> Iterator[str]:
    """Yield words without their endings; those that say nothing are left out."""
    telling = (word for word in words if word not in STOP_WORDS | INTERROGATIVES)
    return map(stem, telling)
