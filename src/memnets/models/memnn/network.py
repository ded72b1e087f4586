"""MemNN: supports found one after another (O), then an answer (R), and the loss of both."""

from typing import NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Float, Int
from torch import Tensor, nn

from memnets.layers.bag_features import Contexts
from memnets.models.memnn.matching import Match, Matching
from memnets.models.memnn.ranking import (
    latest_slots,
    preferred_slot,
    support_loss,
    word_loss,
)
from memnets.models.memnn.reading import CHOICE, SAID, Read, StoryBags, those_told
from memnets.ops.bags import NIL
from memnets.ops.sizes import at_least

END = 1
"""The word that says no more: the stop fact is a sentence of it, and an answer may end with it."""

STOP = 0
"""The slot of the stop fact, where there is one: older than all that is told."""

NEVER = -1e9
"""The score of nil, which is no answer."""


class MemNNOutput(NamedTuple):
    """An answer and its supports, one after another."""

    logits: Float[Tensor, "batch said vocab"]
    """The score of each word as the next one of the answer."""
    margins: Float[Tensor, "batch hop slot"]
    """By how much the slot chosen at a hop, the stop too, was preferred to each slot."""
    words: Int[Tensor, "batch said"]
    """The answer; -1 after its end."""
    supports: Int[Tensor, "batch hop"]
    """The slots chosen; -1 when there were no more."""
    scores: Float[Tensor, "batch hop"]
    """What s_O gave them, time left aside."""


class MemNNLoss(NamedTuple):
    """The ranking loss summed over the questions, and how many were answered right.

    The answers are those from the true supports; a question counts if all its words are right.
    """

    sum: Float[Tensor, ""]
    right: Int[Tensor, ""]


class MemNN(nn.Module):
    r"""Find supports one after another in a memory of sentences, then answer.

    $$ o_1 = \arg\max_i s_O(x, m_i), \qquad o_2 = \arg\max_i s_O([x, m_{o_1}], m_i), \qquad
       r = \arg\max_w s_R([x, m_{o_1}, m_{o_2}], w) $$  (2014, Eqs. 2-5)

    $s_O$ and $s_R$ are two of `Matching`. With time, $o$ is found by a tournament of pairs
    (`tournament`), else by the largest score. An adaptive model (2015, "AM") goes on until the
    stop fact wins; it says words until it says the end.

    Deviations: a feature of write time is 1 or -1, where the paper has 1 or 0, so that "newer"
    says as much as "older". With `latest` the words of the support found last have, in x, one more
    role (D = 4|W|): by three roles alone nothing tells which of two supports came later, on
    which tasks 11 and 13 of bAbI turn. In R the words that were said are a role as well. Where E is
    not linear, it is applied to y and y' each, and the features of time follow it.
    Cite: weston2014, weston2015

    Args:
        features: number of features: nil (0), the words, then what else is counted (3-grams).
        words: how many of them are nil and words; these are the answers.
        matching: the form of both scores.
        hops: the most supports, k.
        adaptive: whether supports end with the stop fact, and answers with the word `END`.
        said: the most words of an answer, its end left aside.
        time: whether it is known when a slot was written.
        latest: whether the support found last has a role of its own.

    Raises:
        ValueError: a size is too small, or contexts are wanted for more than words.
    """

    def __init__(
        self,
        features: int,
        words: int,
        matching: Matching = Matching(),
        hops: int = 2,
        adaptive: bool = False,
        said: int = 1,
        time: bool = True,
        latest: bool = True,
    ) -> None:
        super().__init__()
        at_least(2, "MemNN", "Nil is one of them.", features=features, words=words)
        at_least(1, "MemNN", hops=hops, said=said)
        if words > features:
            raise ValueError(f"MemNN(words={words}): expected at most {features}, all features.")
        if matching.contexts and words != features:
            raise ValueError(
                f"MemNN(features={features}, words={words}): contexts are those of words, and "
                f"{features - words} features are none. Leave these or the contexts out."
            )
        self.words, self.matching, self.hops = words, matching, hops
        self.adaptive, self.said, self.latest = adaptive, said, latest
        roles = 4 if latest else 3
        self.output: Match = matching.build(features, roles)
        self.response: Match = matching.build(features, 5)
        self.time = nn.Parameter(torch.empty(3, matching.dim)) if time else None
        self.reset_parameters()

    def reset_parameters(self, generator: torch.Generator | None = None) -> None:
        """Draw all weights anew."""
        self.output.reset_parameters(generator)
        self.response.reset_parameters(generator)
        if self.time is not None:
            with torch.no_grad():
                self.time.normal_(0.0, self.matching.scale, generator=generator)

    def forward(
        self,
        sentences: Int[Tensor, "sentence feature"],
        story: Int[Tensor, "batch slot"],
        length: Int[Tensor, " batch"],
        question: Int[Tensor, "batch feature_of_question"],
        contexts: Contexts | None = None,
    ) -> MemNNOutput:
        """Answer a question about each story; see `StoryBags`."""
        asked = StoryBags(sentences, story, length, question, contexts)
        supports, margins, scores = self.support(asked)
        words, logits = self.respond(asked, supports)
        return MemNNOutput(logits, margins, words, supports, scores)

    def support(self, asked: StoryBags) -> tuple[Tensor, Tensor, Tensor]:
        """Return the supports, by how much they were preferred to each slot, and their scores.

        See `MemNNOutput` for all three.
        """
        asked = those_told(asked)
        read = Read.by(self.output, asked, self.latest)
        supports = asked.story.new_empty(len(asked.story), 0, dtype=torch.long)
        finished = torch.zeros(len(asked.story), dtype=torch.bool, device=asked.story.device)
        margins, own = [], []
        for _ in range(self.hops + self.adaptive):
            x, counts = read.states(supports)  # [x, m_o1, ...], as far as they are found
            scores, time = self._score_slots(read, x[:, -1:], counts[:, -1:])  # s_O(x, m_i)
            chosen, beaten, score = preferred_slot(  # o = argmax_i s_O(x, m_i)
                scores.squeeze(1),
                None if time is None else time.squeeze(1),
                latest_slots(supports, asked.length)[:, -1],
                asked.length,
            )
            margins.append(beaten.masked_fill(finished[:, None], 0.0))
            finished = finished | (chosen == STOP) if self.adaptive else finished
            own.append(score.masked_fill(finished, 0.0))
            supports = torch.cat([supports, chosen.masked_fill(finished, -1)[:, None]], 1)
            if finished.all():
                break
        return supports[:, : self.hops], torch.stack(margins, 1), torch.stack(own, 1)

    def respond(
        self, asked: StoryBags, supports: Int[Tensor, "batch hop"]
    ) -> tuple[Tensor, Tensor]:
        """Return the words of the answers, and the scores of all words at each place."""
        read = Read.by(self.response, those_told(asked), self.latest)
        words = supports.new_empty(len(supports), 0)
        finished = torch.zeros(len(supports), dtype=torch.bool, device=supports.device)
        logits = []
        for _ in range(self.said + self.adaptive):
            so_far = F.pad(words, (0, 1), value=-1)  # a place for the next word
            logits.append(self._score_words(read, supports, so_far)[:, -1:])  # s_R([x, ...], w)
            word = logits[-1].squeeze(1).argmax(-1)  # r
            finished = finished | (word == END) if self.adaptive else finished
            words = torch.cat([words, word.masked_fill(finished, -1)[:, None]], 1)
            if finished.all():
                break
        return words[:, : self.said], torch.cat(logits, 1)

    def _score_slots(
        self,
        read: Read,
        states: Float[Tensor, "batch state dim"],
        counts: Float[Tensor, "batch state _"],
    ) -> tuple[Float[Tensor, "batch state slot"], Float[Tensor, "batch state time"] | None]:
        """Return s_O of every slot, and what the features of time count."""
        x = self.output.embed(states)
        scores = x @ self.output.embed(read.choice).mT
        if self.matching.exact_match:
            scores = scores + self.matching.exact_match * (counts @ read.counts.mT)
        slots = read.story.unsqueeze(1).expand(-1, states.shape[1], -1)
        time = None if self.time is None else x @ self.time.mT
        return scores.gather(2, slots), time

    def _score_words(
        self, read: Read, supports: Int[Tensor, "batch hop"], words: Int[Tensor, "batch said"]
    ) -> Float[Tensor, "batch said vocab"]:
        """Return s_R of every word at each place of the answer, given the words before it.

        New words come after those of the dictionary; nil never answers.
        """
        states, counts = read.states(supports)
        match, before = self.response, words[:, :-1].long()
        rows = read.table[before.clamp(min=0), SAID] * (before >= 0).unsqueeze(-1)
        x = match.embed(states[:, -1:] + F.pad(rows.cumsum(1), (0, 0, 1, 0)))
        known = torch.arange(len(read.table), device=x.device)
        answers = known[(known < self.words) | (known >= len(match.features.weight))]
        scores = x @ match.embed(read.table[answers, CHOICE]).mT
        if self.matching.exact_match:
            scores = scores + self.matching.exact_match * counts[:, -1:, answers]
        return scores.masked_fill(answers == NIL, NEVER)

    def loss(
        self,
        asked: StoryBags,
        supports: Int[Tensor, "batch hop"],
        answer: Int[Tensor, "batch said"],
        margin: float = 0.1,
        rivals: Int[Tensor, "batch hop_or_stop draw"] | None = None,
        wrong: Int[Tensor, "batch draw_of_words"] | None = None,
    ) -> MemNNLoss:
        r"""Return the margin ranking loss, the true supports given to each next step.

        $$ \sum_{f \ne m_{o_1}} \max(0, \gamma - s_O(x, m_{o_1}) + s_O(x, f)) + \dots +
           \sum_{r' \ne r} \max(0, \gamma - s_R([x, m_{o_1}, \dots], r)
           + s_R([x, m_{o_1}, \dots], r')) $$  (2014, Eqs. 8-10)

        With time a pair counts in both orders:

        $$ \max(0, \gamma - s_{Ot}(x, m_o, f)) + \max(0, \gamma + s_{Ot}(x, f, m_o)) $$

        Args:
            asked: the questions.
            supports: the true supports in order, -1 after the last.
            answer: the true answer's words, -1 after the last; its `END` too, if adaptive.
            margin: gamma.
            rivals: the slots f that were drawn for each support, and for the stop after them if
                adaptive; all slots by default. The true one does not count.
            wrong: the words r' that were drawn; all by default.
        """
        asked, wanted = those_told(asked), self.wanted(supports)
        read = Read.by(self.output, asked, self.latest)
        scores, time = self._score_slots(read, *read.states(wanted[:, :-1]))
        loss = support_loss(scores, time, wanted, asked.length, margin, rivals)  # Eqs. 8, 9
        read = Read.by(self.response, asked, self.latest)
        logits = self._score_words(read, supports[:, : self.hops], answer)
        loss = loss + word_loss(logits, answer, margin, wrong)  # Eq. 10
        hits = (logits.argmax(-1) == answer) | (answer < 0)
        return MemNNLoss(loss, hits.all(-1).sum())

    def wanted(self, supports: Int[Tensor, "batch hop"]) -> Int[Tensor, "batch wanted"]:
        """Return the slot that is to win at each hop, the stop after the last if adaptive."""
        if not self.adaptive:
            return supports[:, : self.hops].long()
        wanted = F.pad(supports[:, : self.hops].long(), (0, 1), value=-1)
        ends = (wanted >= 0).sum(-1, keepdim=True)
        return wanted.scatter(1, ends, STOP)


def example() -> tuple[MemNN, tuple[Tensor, ...]]:
    """Return a small model and its inputs for the conformance tests."""
    matching = Matching(dim=5, nonlinear=True, exact_match=0.1)
    model = MemNN(17, 13, matching, hops=3, adaptive=True, said=2)
    sentences = torch.cat([torch.tensor([[END, 0, 0]]), torch.randint(2, 17, (10, 3))])
    story = F.pad(torch.randint(1, 11, (2, 7)), (1, 0))
    return model, (sentences, story, torch.tensor([8, 5]), torch.randint(2, 17, (2, 4)))
