"""Answer a question by a path of facts, and show what was read at every hop."""

import math
from collections.abc import Sequence
from itertools import islice

import torch

from memnets.evidence import Answer, Step, Support
from memnets.memories.frontiers import FactMemory, Frontier
from memnets.models.kv_paths import Hop, KVPaths
from memnets.studies.metaqa.data import Asked, Facts
from memnets.studies.metaqa.english import is_reversed, plain
from memnets.studies.metaqa.task import EVALUATION_BATCH, MOST_HOPS, AskedPaths, PathVocabulary

RUNNERS_UP = 3
NAMED = 3
"""Names that a line of the evidence has on either side; the others are counted."""
STOP = "(that is the answer)"
NOTHING = "(nothing)"


@torch.no_grad()
def answer(
    model: KVPaths, vocabulary: PathVocabulary, memory: FactMemory, facts: Facts, asked: Asked
) -> Answer:
    """Answer a question.

    A step of the evidence is a hop; its slots are those that the entities of the frontier have,
    with the facts that each would read. An answer's probability is that of the path, times its
    share of the ways in which the path leads to entities.

    Args:
        model: a trained model.
        vocabulary: that it was trained with.
        memory: the facts.
        facts: the same with their names.
        asked: what is asked, with the right answers where they are known.
    """
    nobody = len(facts.names)
    topic = torch.tensor([nobody if asked.topic < 0 else asked.topic])
    words = vocabulary.numbered([asked.words])
    frontier, hops = model.walk(*words, memory, topic, MOST_HOPS)
    shares = [hop.addressed.scores[0].softmax(-1) for hop in hops]
    sure = math.prod(float(share[hop.chosen[0]]) for share, hop in zip(shares, hops, strict=True))
    ranked = frontier.ranked()
    ways = (ranked.weights / ranked.weights.sum()).tolist()
    found = [
        (_name(facts, entity), sure * way)
        for entity, way in zip(ranked.entities.items.tolist(), ways, strict=True)
    ]
    text, probability = found[0] if found else (NOTHING, sure)
    right = text if text in asked.answers else next(iter(asked.answers), None)
    steps = tuple(
        Step(f"hop {number}", tuple(_supports(memory, facts, hop, share.tolist(), topic)))
        for number, (hop, share) in enumerate(zip(hops, shares, strict=True), start=1)
    )
    unknown = dict.fromkeys(word for word in asked.words if not vocabulary.knows(word))
    rivals = tuple(islice(found, 1, 1 + RUNNERS_UP))
    return Answer(asked.text, text, probability, rivals, steps, tuple(unknown), right)


@torch.no_grad()
def given(
    model: KVPaths,
    vocabulary: PathVocabulary,
    memory: FactMemory,
    facts: Facts,
    asked: Sequence[Asked],
) -> list[tuple[str, float]]:
    """Return what `answer` gives to each question, and its probability."""
    found = []
    paths = AskedPaths.of(asked, vocabulary, facts)
    for rows in torch.arange(len(asked)).split(EVALUATION_BATCH):
        words, topics = paths.words.take(rows), paths.topics[rows]
        frontier, hops = model.walk(*words, memory, topics, MOST_HOPS)
        sure = torch.ones(len(rows))
        for hop in hops:
            shares = hop.addressed.scores.softmax(-1)
            sure = sure * shares.gather(1, hop.chosen[:, None]).squeeze(1)
        owners, ways = frontier.entities.owners(), frontier.weights
        most = torch.zeros(len(rows)).scatter_reduce(0, owners, ways, "amax")
        every = torch.zeros(len(rows)).index_add(0, owners, ways)
        sure = sure * torch.where(every > 0, most / every.clamp(min=1), 1.0)
        for entity, probability in zip(frontier.first().tolist(), sure.tolist(), strict=True):
            found.append((NOTHING if entity < 0 else _name(facts, entity), probability))
    return found


def _supports(
    memory: FactMemory, facts: Facts, hop: Hop, shares: Sequence[float], topic: torch.Tensor
) -> list[Support]:
    """Return the slots that could be addressed, each with what it leads to."""
    here = _names(hop.frontier, facts)
    supports = []
    for slot, share in enumerate(shares):
        if math.isinf(float(hop.addressed.scores[0, slot])):
            continue
        if slot == memory.slots:
            supports.append(Support(slot, STOP, share))
            continue
        there = _names(memory.read(hop.frontier, torch.tensor([slot])).without(topic), facts)
        name = facts.slots[slot]
        first, last = (there, here) if is_reversed(name) else (here, there)
        supports.append(Support(slot, f"{first} | {plain(name)} | {last}", share))
    return supports


def _names(frontier: Frontier, facts: Facts) -> str:
    """Return the names of a frontier, those first that were come to in most ways."""
    entities = frontier.ranked().entities.items.tolist()
    names = [_name(facts, entity) for entity in entities[:NAMED]]
    more = len(entities) - len(names)
    return ", ".join(names) + (f" and {more:,} more" if more else "") if names else NOTHING


def _name(facts: Facts, entity: int) -> str:
    """Return the name of an entity; the one behind the last is nobody."""
    return facts.names[entity] if entity < len(facts.names) else NOTHING
