"""Facts that answer nothing: they make the candidates of a question as many as in a real memory.

A knowledge base that holds little more than the facts behind its questions leaves nothing to
choose. Here every entity gets more facts, each with the relation and the objects of another fact
drawn at random: so relations come by their frequency, and objects from the relation's own.
"""

from collections.abc import Iterable, Sequence

import numpy as np

from memnets.data.facts import Fact


def grouped(facts: Iterable[Fact]) -> list[Fact]:
    """Join the objects of equal subjects and relations, each once; in order of appearance."""
    objects: dict[tuple[str, str], dict[str, None]] = {}
    for fact in facts:
        objects.setdefault((fact.subject, fact.relation), {}).update(dict.fromkeys(fact.objects))
    return [Fact(subject, relation, tuple(o)) for (subject, relation), o in objects.items()]


def distractors(
    facts: Sequence[Fact], entities: Sequence[str], number: int, seed: int
) -> list[Fact]:
    """Draw facts for every entity, none with a relation that the entity has already.

    Args:
        facts: the true ones, grouped.
        entities: which entities get some.
        number: how many are drawn for each; those that repeat a relation are left out.
        seed: of the draw.

    Raises:
        ValueError: the number is negative, or there are no facts to draw from.
    """
    if number < 0 or (number and not facts):
        raise ValueError(
            f"distractors(number={number}) of {len(facts)} facts: expected 0 or more, and facts "
            f"to draw relations and objects from. Correct the number, or pass facts."
        )
    drawn = np.random.default_rng(seed).integers(max(len(facts), 1), size=(len(entities), number))
    known = {(fact.subject, fact.relation) for fact in facts}
    found = []
    for entity, row in zip(entities, drawn.tolist(), strict=True):
        for place in row:
            like = facts[place]
            if (entity, like.relation) not in known:
                known.add((entity, like.relation))
                found.append(Fact(entity, like.relation, like.objects))
    return found
