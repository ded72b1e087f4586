"""WikiQA for key-value memories: an article's sentences are read, then ranked by what was read.

The memory of a question is its own candidates. Of a MemNN key and value are a sentence; of a
KV-MemNN keys are windows, and values the sentences that they stand in (Miller et al., section 5.2).
"""

import math
import random
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from memnets.data.qa.wikiqa import WikiQAQuestion, ranking
from memnets.evidence import Answer, Support
from memnets.evidence import Step as Read
from memnets.kb.store.layouts import read, window_slots
from memnets.memories.keyvalue import KeyValues, Ragged, SlotsRead, softmax_by_row
from memnets.models.kv_memnn import KVMemNN
from memnets.studies.wikiqa.words import ASKING, Rarity, asking_words, ordered, shape, words
from memnets.training.task import Ratio, Step, Task, shuffled

Memory = Literal["sentences", "windows"]
"""What keys are."""
ASKED = "?"
"""A word of every question: beside the words that say how rare a shared word is, it weighs them."""
LEVELS = tuple(f"={level}" for level in range(10))
"""Words for shared words, from the commonest to the rarest: ln(N / n), cut to a whole number."""
DRAWS = 20
"""So many orders of equal candidates are drawn."""
RUNNERS_UP = 3
"""How many other sentences are named."""
EVALUATION_BATCH = 64
"""Questions ranked at once when nothing is learnt."""


class WeightedVocabulary:
    """The words that are read, and how rare words are.

    Args:
        words: in the order of their numbers.
        rarity: of the words of the training sentences.
    """

    def __init__(self, words: Iterable[str], rarity: Rarity) -> None:
        self.words = tuple(words)
        self.rarity = rarity
        self._numbers = {word: number for number, word in enumerate(self.words)}

    @classmethod
    def of(cls, questions: Sequence[WikiQAQuestion], least: int) -> "WeightedVocabulary":
        """Take the words that stand in so many questions and sentences at least.

        Words that ask, and the shapes of numbers, are taken however rare.
        """
        counts: Counter[str] = Counter()
        for one in questions:
            counts.update(set(asking_words(one.text)))
            for candidate in one.candidates:
                counts.update(set(words(candidate.sentence)))
        known = {found for word in counts if (found := shape(word))} | (ASKING & counts.keys())
        known |= {word for word, count in counts.items() if count >= least}
        return cls((ASKED, *LEVELS, *sorted(known)), Rarity.of(questions))

    def asked(self, question: str) -> list[int]:
        """Return the numbers of the words of a question."""
        return self._bag([ASKED, *asking_words(question)])

    def said(self, words: Sequence[str], matched: Container[str]) -> list[int]:
        """Return the numbers of words, and of the levels of those that the question has too."""
        levels = (self._level(word) for word in dict.fromkeys(words) if word in matched)
        return self._bag([*words, *levels])

    def _level(self, word: str) -> str:
        return LEVELS[min(int(self.rarity[word]), len(LEVELS) - 1)]

    def _bag(self, words: Iterable[str]) -> list[int]:
        both = (part for word in words for part in (word, shape(word)) if part is not None)
        return [self._numbers[part] for part in both if part in self._numbers]

    def to_json(self) -> dict[str, Any]:
        return {"words": self.words, **self.rarity.to_json()}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> "WeightedVocabulary":
        return cls(record["words"], Rarity(record["sentences"], record["having"]))


class Ranked(NamedTuple):
    """A batch of questions, or all of a split, in numbers.

    Attributes:
        questions: the words of each.
        memory: the words of all slots, key by key.
        slots: which of them are of each question.
        sentences: the words of all candidates.
        candidates: which of them are of each question.
        features: of every candidate: shared words, how rare they are, ln of its place from 1.
        right: whether a candidate is an answer.
        home: the candidate that each slot is from.
    """

    questions: Ragged
    memory: KeyValues
    slots: Ragged
    sentences: Ragged
    candidates: Ragged
    features: Float[Tensor, "candidate feature"]
    right: Bool[Tensor, " candidate"]
    home: Int[Tensor, " slot"]

    def take(self, rows: Int[Tensor, " question"]) -> "Ranked":
        """Return some questions with their own slots and candidates."""
        slots, candidates = self.slots.take(rows), self.candidates.take(rows)
        own = torch.empty_like(self.right, dtype=torch.long)
        own[candidates.items] = candidates.numbered().items
        return Ranked(
            self.questions.take(rows),
            self.memory.take(slots.items),
            slots.numbered(),
            self.sentences.take(candidates.items),
            candidates.numbered(),
            self.features[candidates.items],
            self.right[candidates.items],
            own[self.home[slots.items]],
        )


def number(
    questions: Sequence[WikiQAQuestion], vocabulary: WeightedVocabulary, memory: Memory
) -> Ranked:
    """Turn questions with their candidates into numbers."""
    keys: list[list[int]] = []
    values: list[list[int]] = []
    sentences: list[list[int]] = []
    home, features, right, slots, candidates = [], [], [], [], []
    for one in questions:
        first_slot, first = len(keys), len(sentences)
        asked = set(words(one.text))
        for place, candidate in enumerate(one.candidates):
            said = words(candidate.sentence)
            bag = vocabulary.said(said, asked)
            for key in _keys(said) if memory == "windows" else [said]:
                keys.append(vocabulary.said(key, asked))
                values.append(bag)
                home.append(len(sentences))
            rare = sum(vocabulary.rarity[word] for word in asked.intersection(said))
            features.append([float(len(asked.intersection(said))), rare, math.log(1 + place)])
            right.append(candidate.right)
            sentences.append(bag)
        slots.append(range(first_slot, len(keys)))
        candidates.append(range(first, len(sentences)))
    return Ranked(
        Ragged.of([vocabulary.asked(one.text) for one in questions]),
        KeyValues(Ragged.of(keys), Ragged.of(values)),
        Ragged.of(slots),
        Ragged.of(sentences),
        Ragged.of(candidates),
        torch.tensor(features).reshape(-1, 3),
        torch.tensor(right, dtype=torch.bool),
        torch.tensor(home, dtype=torch.long),
    )


def _keys(said: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield the window around each word; none crosses the border of a sentence."""
    text = " ".join(said)
    spans, start = [], 0
    for word in said:
        spans.append((word, start, start + len(word)))
        start += len(word) + 1
    return (slot.key for slot in window_slots(read("", [text], lambda _: spans)))


class SentenceRanker(nn.Module):
    r"""Rank sentences by a key-value memory, and by the words that they share with the question.

    $$ s(x, y) = q_{H+1} \cdot B \Phi_Y(y) + \lambda \cdot f(x, y) $$

    The first part is Eq. 5 of Miller et al. f counts shared words, sums how rare they are, and says
    where in its article the sentence stands; it begins as the weighted word count.

    Deviations: the paper begins with word vectors that were trained before, here nothing was. Its
    exact matches are words of keys and values; here they are so too, by how rare they are, and
    beside that they are added to the score, as in section 3.6 of Weston et al. (2014). The place
    of a sentence is ours.
    Cite: miller2016, weston2014

    Args:
        memory: reads and compares.
        place: whether the place of a sentence counts.
    """

    def __init__(self, memory: KVMemNN, place: bool = False) -> None:
        super().__init__()
        self.memory = memory
        self.place = place
        self.features = nn.Parameter(torch.tensor([0.0, 0.5, 0.0][: 2 + place]))

    def forward(self, asked: Ranked) -> tuple[Float[Tensor, " candidate"], tuple[SlotsRead, ...]]:
        """Return a score of each candidate, and what each hop read."""
        state, hops = self.memory.read(asked.questions, asked.memory, asked.slots)
        answers = self.memory.embed_answers(asked.sentences)
        read_scores = (state[asked.candidates.owners()] * answers).sum(-1)
        return read_scores + asked.features[:, : len(self.features)] @ self.features, hops


class WikiQATask(Task):
    r"""Rank a right sentence first: the loss is $-\ln \sum_{right} p$, p a softmax over candidates.

    Args:
        questions: by split: "train" and what is to be evaluated. Only those are learnt from of
            which some candidates are right and some are not.
        vocabulary: of the words.
        memory: what keys are.
        batch: questions in an update.
        dropout: share of the words of questions, keys, values and answers that are left out.
    """

    unit = "questions"

    def __init__(
        self,
        questions: Mapping[str, Sequence[WikiQAQuestion]],
        vocabulary: WeightedVocabulary,
        memory: Memory,
        batch: int,
        dropout: float,
    ) -> None:
        self.questions = {
            split: [one for one in asked if one.mixed or (split != "train" and one.answered)]
            for split, asked in questions.items()
        }
        self.numbered = {
            split: number(asked, vocabulary, memory) for split, asked in self.questions.items()
        }
        self.batch, self.dropout = batch, dropout

    @property
    def updates_per_epoch(self) -> int:
        return -(-len(self.questions["train"]) // self.batch)

    def batches(
        self, split: str, generator: torch.Generator, position: int
    ) -> Iterator[tuple[Tensor, ...]]:
        """Yield the numbers of questions, epoch after epoch, each in an order of its own."""
        return shuffled(len(self.questions[split]), self.batch, generator, position)

    def collate(self, split: str, batch: tuple[Tensor, ...]) -> Ranked:
        return self.numbered[split].take(*batch)

    def loss(self, model: nn.Module, batch: Ranked, state: Any, generator: torch.Generator) -> Step:
        losses, first = _losses(model, _with_dropout(batch, self.dropout, generator))
        return Step(losses.sum(), len(losses), state, {"accuracy": first.sum()})

    def in_batches(self, split: str) -> Iterator[Ranked]:
        """Yield all questions of a split in their order, some at a time."""
        numbered = self.numbered[split]
        every = torch.arange(len(self.questions[split]), device=numbered.right.device)
        return map(numbered.take, every.split(EVALUATION_BATCH))

    @torch.no_grad()
    def evaluate(self, model: nn.Module, split: str) -> dict[str, Ratio]:
        """Return the loss, and MAP and MRR over the questions that have an answer.

        `map_mixed` and `mrr_mixed` are of those of which some candidates are no answer. Candidates
        of equal score, such as sentences of which no word is read, are ordered at random: figures
        are means over such orders.
        """
        asked, loss, scores = self.questions[split], 0.0, list[list[float]]()
        for some in self.in_batches(split):
            loss += float(_losses(model, some)[0].sum())
            scores += [part.tolist() for part in _scores(model, some)]
        ratios = {"loss": Ratio(loss, len(asked))}
        pairs = list(zip(asked, scores, strict=True))
        mixed = [pair for pair in pairs if pair[0].mixed]
        for suffix, chosen in (("", pairs), ("_mixed", mixed)):
            found = [_ranked_at_random(chosen, draw) for draw in range(DRAWS)]
            for name, values in zip(("map", "mrr"), zip(*found, strict=True), strict=True):
                ratios[name + suffix] = Ratio(sum(values) / DRAWS * len(chosen), len(chosen))
        return ratios


@torch.no_grad()
def given(model: nn.Module, task: WikiQATask, split: str) -> list[tuple[int, float]]:
    """Return for each question of a split the candidate that answers best, and its share.

    Of candidates of equal score it is the first.
    """
    found = []
    for some in task.in_batches(split):
        for scores in _scores(model, some):
            best = int(scores.argsort(descending=True, stable=True)[0])
            found.append((best, float(scores.softmax(0)[best])))
    return found


def _scores(model: nn.Module, asked: Ranked) -> tuple[Float[Tensor, " candidate"], ...]:
    """Return the scores of each question's candidates."""
    scores: Tensor = model(asked)[0]
    return scores.split(asked.candidates.lengths.tolist())


def _ranked_at_random(
    pairs: Sequence[tuple[WikiQAQuestion, list[float]]], draw: int
) -> tuple[float, float]:
    """Return MAP and MRR with equal candidates in one of many orders."""
    numbers = random.Random(draw)
    scores = [ordered(given, [numbers.random() for _ in given]) for _, given in pairs]
    found = ranking([asked for asked, _ in pairs], scores)
    return found.average_precision, found.reciprocal_rank


def _losses(
    model: nn.Module, asked: Ranked
) -> tuple[Float[Tensor, " question"], Bool[Tensor, " question"]]:
    """Return the loss of each question, and whether a right sentence has the largest share."""
    scores, _ = model(asked)
    shares = softmax_by_row(scores, asked.candidates)
    owners = asked.candidates.owners()
    right = shares.new_zeros(asked.candidates.rows).index_add(0, owners, shares * asked.right)
    best = shares.new_zeros(asked.candidates.rows).scatter_reduce(0, owners, shares, "amax")
    on_top = asked.right & (shares == best[owners])
    first = torch.zeros_like(right).index_add(0, owners, on_top.to(right.dtype)) > 0
    return -right.clamp(min=torch.finfo(right.dtype).tiny).log(), first


def _with_dropout(asked: Ranked, share: float, generator: torch.Generator) -> Ranked:
    def thinned(bags: Ragged) -> Ragged:
        return bags.thinned(share, generator)

    return asked._replace(
        questions=thinned(asked.questions),
        memory=KeyValues(*map(thinned, asked.memory)),
        sentences=thinned(asked.sentences),
    )


def ask(
    model: SentenceRanker, vocabulary: WeightedVocabulary, memory: Memory, asked: WikiQAQuestion
) -> Answer:
    """Return the sentence that answers a question best, and how much was read of each.

    Args:
        model: trained.
        vocabulary: that it was trained with.
        memory: what keys are.
        asked: the question with its candidates; if one of them is right, the first such is gold.
    """
    numbered = number([asked], vocabulary, memory)
    with torch.no_grad():
        scores, hops = model(numbered)
    shares = scores.softmax(0)
    best, *others = shares.argsort(descending=True, stable=True).tolist()
    told, right = zip(*asked.candidates, strict=True)
    steps = tuple(
        Read(f"hop {hop}", tuple(_supports(asked, numbered.home, one.weights)))
        for hop, one in enumerate(hops, start=1)
    )
    gold = told[right.index(True)] if any(right) else None
    if right[best]:
        gold = told[best]
    unknown = [word for word in asking_words(asked.text) if len(vocabulary.asked(word)) < 2]
    return Answer(
        asked.text,
        told[best],
        float(shares[best]),
        tuple((told[other], float(shares[other])) for other in others[:RUNNERS_UP]),
        steps,
        tuple(unknown),
        gold,
    )


def _supports(
    asked: WikiQAQuestion, home: Int[Tensor, " slot"], weights: Float[Tensor, " slot"]
) -> Iterator[Support]:
    """Yield how much was read of every sentence: of all its windows together."""
    known = True if asked.answered else None
    whole = torch.zeros(len(asked.candidates)).index_add(0, home, weights).tolist()
    for slot, ((sentence, right), weight) in enumerate(zip(asked.candidates, whole, strict=True)):
        yield Support(slot, sentence, weight, known and right)
