"""Ask a trained model about a KB, and see what it read. Imports no torch."""

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from memnets.evidence import Answer, Support
from memnets.evidence import Step as Read
from memnets.kb.linking.mention import Mention
from memnets.kb.linking.recognising import LEARNT
from memnets.kb.linking.words import question_words
from memnets.kb.questions.relations import RelationFound, RelationScorer, fits
from memnets.studies.kb_qa.encoding import (
    NO_FACT,
    SHOWN_BESIDE,
    CandidateFact,
    FactsOf,
    QuestionEncoder,
    Understood,
    in_words,
    slots_of,
)
from memnets.studies.kb_qa.reading import ReadsOne, softmax

RUNNERS_UP = 3
"""How many other answers are named."""
LEAST_SHOWN = 0.1
"""A relation that an entity has not is shown where it takes this share of what a hop reads."""
UNSURE = "I don't know"
MOST_MEANT = 5
"""So many entities of one name are answered for; of more, a longer name is asked for."""
DECIDED = 0.95
"""The probability of an answer about which words leave no doubt, apart from what is learnt."""


@dataclass(frozen=True)
class KBAnswer:
    """An answer of a KB, what it was read from, and how the question was understood."""

    answer: Answer
    objects: tuple[str, ...]
    """All that the facts name; none where the answer is declined."""
    mentions: tuple[Mention, ...]
    corrected: tuple[tuple[str, str], ...]
    """Words that were taken for another, and that."""
    likeness: float = 1.0
    """Of the names as they were asked to those of the KB; the answer's probability is the model's
    times this."""
    by_words: bool = False
    """Whether the words of the question decided, and not what was learnt."""
    taught: bool = False
    """Whether a user taught some of these words."""

    @property
    def text(self) -> str:
        return self.answer.text

    @property
    def probability(self) -> float:
        return self.answer.probability

    @property
    def declined(self) -> bool:
        return not self.objects

    def __str__(self) -> str:
        return str(self.answer)

    def __repr__(self) -> str:
        return f"KBAnswer({self.answer})"

    def _repr_html_(self) -> str:
        """Draw it in a notebook, with the facts that were read."""
        return self.answer._repr_html_()

    def to_json(self) -> dict[str, Any]:
        return {
            **self.answer.to_json(),
            "objects": list(self.objects),
            "mentions": [mention._asdict() for mention in self.mentions],
            "corrected": dict(self.corrected),
            "likeness": self.likeness,
        }


class Reading(NamedTuple):
    """What was read of one entity that a question may mean, or of all that it names."""

    entity: str
    objects: tuple[str, ...]
    """All that the fact names; none where the answer is declined."""
    probability: float
    rivals: tuple[tuple[str, float], ...]
    steps: tuple[Read, ...]
    understood: Understood
    by_words: bool
    """Whether the words of the question decided, and not what was learnt."""


class KBReader:
    """Answers questions of a KB: by their words where these leave no doubt, else by what is learnt.

    Args:
        model: reads with what was learnt.
        listener: over the KB; it may hold other facts than those of the training.
        scorer: compares words with relations.
        least: the support below which no answer is given.
    """

    def __init__(
        self, model: ReadsOne, listener: QuestionEncoder, scorer: RelationScorer, least: float
    ) -> None:
        self.model, self.listener, self.scorer, self.least = model, listener, scorer, least

    def ask(self, text: str, namesakes: Mapping[str, str] | None = None) -> KBAnswer:
        """Answer a question, or say that the KB does not.

        Of a name that several entities have, each is asked, and all that have an answer give it.

        Args:
            text: the question.
            namesakes: names under which there may be several entities, and where these stand.

        Raises:
            ValueError: the question has no words.
        """
        words = question_words(text)
        if not words:
            raise ValueError(
                f"the question {text!r} holds no word. Ask with words and a name of the KB."
            )
        mentions = self.listener.names.mentions(words)
        given: list[Reading] = []
        if beyond := self.scorer.beyond(words, mentions):
            few = [one._replace(entities=one.entities[:LEARNT]) for one in mentions]
            declined = self._read(words, few)._replace(objects=(), probability=1.0)
            answer = _in_one(text, words, mentions, [declined], {})
            caution = f"more than one fact is asked for ({beyond}), which is not understood"
            return replace(answer, answer=replace(answer.answer, caution=caution))
        if len(mentions) == 1 and (mentions[0].others or len(mentions[0].entities) > 1):
            given = self._each(words, mentions[0], mentions[0].entities)
            given = given or self._each(words, mentions[0], self._others(mentions[0]))
        if len(given) > MOST_MEANT:
            return _too_many(text, mentions, given)
        if not given:
            few = [one._replace(entities=one.entities[:LEARNT]) for one in mentions]
            given = [self._read(words, few)]
        answer = _in_one(text, words, mentions, given, namesakes or {})
        return replace(answer, taught=self.scorer.is_taught(words))

    def _others(self, mention: Mention) -> list[str]:
        """Return those with a name in theirs that are of another kind than what is called so.

        "Moon", a tent that nobody designed, is not asked of the tent Half Moon; but Ostra, a town
        without a coach, is the club FC Ostra.
        """
        own = [{*self.listener.facts.of(one)} for one in mention.entities]
        return [
            other
            for other in mention.others
            if not any(_are_alike(one, {*self.listener.facts.of(other)}) for one in own)
        ]

    def _each(
        self, words: Sequence[str], mention: Mention, entities: Sequence[str]
    ) -> list[Reading]:
        """Return what is read of each entity that has an answer, and of these by words if any."""
        one = (self._read(words, [mention._replace(entities=(entity,))]) for entity in entities)
        given = [reading for reading in one if reading.objects]
        return [reading for reading in given if reading.by_words] or given

    def _read(self, words: Sequence[str], mentions: Sequence[Mention]) -> Reading:
        understood = self.listener.understand(words, mentions)
        heard = understood.heard  # what words of a relation's name are like was understood
        unknown = tuple(word for word in heard.unknown if not self.scorer.scores([word]))
        understood = understood._replace(heard=heard._replace(unknown=unknown))
        facts = (NO_FACT, *understood.facts)
        slots = slots_of(self.listener.vocabulary, understood.facts)
        scores, hops = self.model.read_one(heard.tokens, *slots)
        shares = softmax(scores).tolist()
        likely: dict[tuple[str, ...], float] = {}
        for fact, share in zip(facts, shares, strict=True):
            said = fact.objects if fact.objects and fits(words, fact.objects) else ()
            likely[said] = likely.get(said, 0.0) + share
        entity = mentions[0].entities[0] if mentions else ""
        # A name that is only similar may be another one: no answer about it is surer than that.
        likeness = math.prod((mention.likeness for mention in mentions), start=1.0)
        steps = tuple(_steps(facts, hops))
        found = self._by_words(words, mentions)
        if found is not None:
            likely = {objects: share * (1 - DECIDED) for objects, share in likely.items()}
            likely[found.objects] = likely.get(found.objects, 0.0) + DECIDED
            chosen = CandidateFact(entity, found.relation, found.objects)
            steps = (*steps, _words_step(steps[0], facts, chosen))
        nothing = likely.pop((), 0.0)
        ranked = sorted(likely.items(), key=lambda one: -one[1])
        given = bool(ranked) and ranked[0][1] >= self.least
        if found is not None:
            given = bool(found.objects)
        rivals = tuple(
            (in_words(objects, SHOWN_BESIDE), share * likeness)
            for objects, share in ranked[given:][:RUNNERS_UP]
        )
        objects, probability = ranked[0] if given else ((), nothing)
        sure = probability * likeness if given else probability
        return Reading(entity, objects, sure, rivals, steps, understood, found is not None)

    def _by_words(self, words: Sequence[str], mentions: Sequence[Mention]) -> RelationFound | None:
        """Return the fact that the words alone ask for; None where they leave a doubt."""
        if len(mentions) != 1 or len(mentions[0].entities) != 1:
            return None
        facts = self.listener.facts.of(mentions[0].entities[0])
        objects = {one for of in facts.values() for one in of[:SHOWN_BESIDE]}
        return self.scorer.decide(words, mentions, facts, _Subjects(objects, self.listener.facts))


@dataclass(frozen=True, slots=True)
class _Subjects:
    """Those of some entities that have facts themselves; looked up only where it matters."""

    some: Collection[str]
    facts: FactsOf

    def __contains__(self, entity: object) -> bool:
        return entity in self.some and self.facts.begins(str(entity))


def _are_alike(one: set[str], other: set[str]) -> bool:
    """Whether two have mostly facts of the same relations."""
    return bool(one) and 2 * len(one & other) > min(len(one), len(other))


def _words_step(read: Read, facts: Sequence[CandidateFact], chosen: CandidateFact) -> Read:
    """Return which of the slots that were shown the words of a question chose."""
    slot = facts.index(chosen) if chosen.objects and chosen in facts else 0
    supports = (Support(one.slot, one.text, float(one.slot == slot)) for one in read.supports)
    return Read("words", tuple(supports))


def _too_many(text: str, mentions: Sequence[Mention], given: Sequence[Reading]) -> KBAnswer:
    """Decline a question that may mean too many, and name some of them."""
    some = in_words([one.entity for one in given], MOST_MEANT)
    caution = f"{mentions[0].name!r} may be any of {some}; ask by a longer name"
    answer = Answer(text, UNSURE, 1.0, (), given[0].steps, caution=caution)
    heard = given[0].understood.heard
    return KBAnswer(answer, (), tuple(mentions), heard.corrected)


def _in_one(
    text: str,
    words: Sequence[str],
    mentions: Sequence[Mention],
    given: Sequence[Reading],
    namesakes: Mapping[str, str],
) -> KBAnswer:
    """Return the answers of all that a question may mean as one."""
    first = given[0]
    objects = tuple(dict.fromkeys(one for reading in given for one in reading.objects))
    said = in_words(objects) if objects else UNSURE
    cautions = list(_cautions(words, mentions, namesakes if objects else {}))
    if len(given) > 1:
        said = "; ".join(f"{one.entity}: {in_words(one.objects)}" for one in given)
        named = " or ".join(repr(one.entity) for one in given)
        cautions.append(f"{mentions[0].name!r} may be {named}; each is answered for")
    answer = Answer(
        question=text,
        text=said,
        probability=min(one.probability for one in given),
        runners_up=first.rivals if len(given) == 1 else (),
        steps=tuple(_side_by_side([one.steps for one in given])),
        unknown_words=first.understood.heard.unknown,
        caution="; ".join(cautions),
    )
    likeness = math.prod((mention.likeness for mention in mentions), start=1.0)
    corrected, by_words = first.understood.heard.corrected, all(one.by_words for one in given)
    return KBAnswer(answer, objects, tuple(mentions), corrected, likeness, by_words)


def called(answer: KBAnswer, labels: Mapping[str, str]) -> KBAnswer:
    """Return an answer in which entities have the names that their table gives them.

    Args:
        answer: of entities, some of which were told apart from namesakes.
        labels: the names of these.
    """
    objects = names_of(answer.objects, labels)
    if objects == answer.objects:
        return answer
    told = answer.answer
    if told.text == in_words(answer.objects):  # and not said of each whom the question may mean
        told = replace(told, text=in_words(objects))
    return replace(answer, answer=told, objects=objects)


def names_of(entities: Sequence[str], labels: Mapping[str, str]) -> tuple[str, ...]:
    """Return what entities are called, each name once; see `called`."""
    return tuple(dict.fromkeys(labels.get(one, one) for one in entities))


def _side_by_side(readings: Sequence[Sequence[Read]]) -> Iterator[Read]:
    """Yield what the readings of several entities read, hop by hop, each an equal part."""
    if len(readings) == 1:
        yield from readings[0]
        return
    for hop in zip(*readings, strict=True):
        nothing = sum(step.supports[0].weight for step in hop) / len(hop)
        supports = [replace(hop[0].supports[0], weight=nothing)]
        for step in hop:
            for one in step.supports[1:]:
                supports.append(Support(len(supports), one.text, one.weight / len(hop)))
        yield Read(hop[0].name, tuple(supports))


def _cautions(
    words: Sequence[str], mentions: Sequence[Mention], namesakes: Mapping[str, str]
) -> Iterator[str]:
    """Yield what is not certain about the names of a question."""
    for mention in mentions:
        if mention.how == "spelling":
            asked = " ".join(words[mention.begin : mention.end])
            entities = " or ".join(map(repr, mention.entities[:SHOWN_BESIDE]))
            yield f"taking {asked!r} for {entities} ({mention.likeness:.0%} alike)"
        for entity in mention.entities:
            if entity in namesakes:
                yield f"perhaps several of one name, {namesakes[entity]}"


def _steps(facts: Sequence[CandidateFact], hops: NDArray[np.floating]) -> Iterator[Read]:
    """Yield what each hop read; what lacks and is hardly read counts with the empty slot."""
    much = (hops.max(0) >= LEAST_SHOWN).tolist()
    shown = [
        (slot, fact.in_words())
        for slot, fact in enumerate(facts)
        if slot == 0 or fact.objects or much[slot]
    ]
    for number, weights in enumerate(hops.tolist(), start=1):
        rest = sum(weights) - sum(weights[slot] for slot, _ in shown)
        supports = [Support(slot, text, weights[slot]) for slot, text in shown]
        supports[0] = replace(supports[0], weight=weights[0] + max(rest, 0.0))
        yield Read(f"hop {number}", tuple(supports))
