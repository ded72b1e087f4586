"""Key-value memory networks (Miller, Fisch, Dodge, Karimi, Bordes and Weston, 2016)."""

from collections.abc import Sequence
from typing import NamedTuple

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor, nn

from memnets.memories.keyvalue import KeyValues, Ragged, SlotsRead, read_all, read_candidates
from memnets.ops.masking import widen
from memnets.ops.sizes import at_least, within


class KVMemNNOutput(NamedTuple):
    """Scores of all answers, and what each hop read."""

    logits: Float[Tensor, "query answer"]
    hops: tuple[SlotsRead, ...]


class KVMemNN(nn.Module):
    r"""Find slots by their keys, read their values, several times, then rank the answers.

    $$ q_1 = A \Phi_X(x), \qquad p_i = \mathrm{softmax}_i(q_j \cdot A \Phi_K(k_i)), \qquad
       o_j = \sum_i p_i A \Phi_V(v_i) $$
    $$ q_{j+1} = R_j (q_j + o_j), \qquad
       \hat a = \arg\max_c \mathrm{softmax}_c(q_{H+1} \cdot B \Phi_Y(y_c)) $$  (section 3.1)

    Every $\Phi$ is a bag of words, divided by a power of its number of words $n$: $\Phi(x) =
    n^{-\alpha} \sum_w x_w$. Which slots a question may read is decided before, by key hashing; all
    others cost nothing. A question without candidates reads one NULL slot: zeros.

    Deviations: none. The released code adds a bias to $R_j$ and takes $A$ for $B$; the paper says
    nothing of the first, and names $B$ apart. Both are arguments.
    Cite: miller2016

    Args:
        vocab: number of words, those of questions, keys, values and answers together.
        dim: width of every embedding, d.
        hops: how often the memory is read, H.
        bias: whether $R_j$ has one.
        own_answers: whether $B$ is a table of its own; otherwise it is $A$.
        power: $\alpha$: 0 for the sum of the words, 1 for their mean, 0.5 for about equal lengths.
        length: of a word's initial vector, about; a long one is told from others at once, also if
            it is hardly ever met in training.
        sparse: whether the tables' gradients hold only the rows that were looked up.

    Raises:
        ValueError: a size is below 1, or the power is not from 0 to 1.
    """

    def __init__(
        self,
        vocab: int,
        dim: int = 500,
        hops: int = 2,
        bias: bool = True,
        own_answers: bool = False,
        power: float = 0.5,
        length: float = 1.0,
        sparse: bool = False,
    ) -> None:
        super().__init__()
        at_least(1, "KVMemNN", vocab=vocab, dim=dim, hops=hops)
        expected = "a power from 0 to 1. Pass 0 to sum the words of a bag, 1 to take their mean."
        within(lambda x: 0 <= x <= 1, "KVMemNN", expected, power=power)
        expected = "a number above 0. It is the length of a word's embedding at first."
        within(lambda x: x > 0, "KVMemNN", expected, length=length)
        self.power, self.length, self.sparse = power, length, sparse
        self.table = nn.Parameter(torch.empty(vocab, dim))
        self.answer_table = nn.Parameter(torch.empty(vocab, dim)) if own_answers else None
        self.carry = nn.ModuleList(nn.Linear(dim, dim, bias=bias) for _ in range(hops))
        self.reset_parameters()

    def reset_parameters(self, generator: torch.Generator | None = None) -> None:
        r"""Draw words of the initial length, and begin with every $R_j$ as the identity."""
        with torch.no_grad():
            for name, parameter in self.named_parameters():
                if name.startswith("carry"):
                    square = parameter.dim() == 2
                    parameter.copy_(torch.eye(len(parameter)) if square else torch.zeros(1))
                else:
                    deviation = self.length * parameter.shape[1] ** -0.5
                    parameter.normal_(0.0, deviation, generator=generator)

    def forward(
        self, questions: Ragged, memory: KeyValues, candidates: Ragged, answers: Ragged
    ) -> KVMemNNOutput:
        """Answer questions.

        Args:
            questions: the words of each.
            memory: the words of all slots.
            candidates: which slots each question may read.
            answers: the words of each possible answer.
        """
        state, hops = self.read(questions, memory, candidates)
        return KVMemNNOutput(state @ self.embed_answers(answers).mT, hops)

    def loss(
        self,
        questions: Ragged,
        memory: KeyValues,
        candidates: Ragged,
        right: Ragged,
        others: Ragged,
        spared: Bool[Tensor, "query other"],
    ) -> Float[Tensor, ""]:
        r"""Return the loss of a softmax over a right answer and others, summed over questions.

        $$ -\sum_x \log \frac{\exp(q_{H+1} \cdot B \Phi_Y(y))}
           {\exp(q_{H+1} \cdot B \Phi_Y(y)) + \sum_{c \in N} \exp(q_{H+1} \cdot B \Phi_Y(y_c))} $$

        Where the others are all answers but the right one, this is the full softmax.

        Args:
            questions: as in `forward`.
            memory: as in `forward`.
            candidates: as in `forward`.
            right: the words of the answer that each question should have.
            others: the words of answers that were drawn, N; the same for all questions.
            spared: which of them are right as well, or the right one itself: they do not count.
        """
        state, _ = self.read(questions, memory, candidates)
        scores = widen(state @ self.embed_answers(others).mT).masked_fill(spared, -torch.inf)
        gold = widen((state * self.embed_answers(right)).sum(-1, keepdim=True))
        return (torch.cat([gold, scores], 1).logsumexp(1) - gold.squeeze(1)).sum()

    def read(
        self, questions: Ragged, memory: KeyValues, candidates: Ragged
    ) -> tuple[Float[Tensor, "query dim"], tuple[SlotsRead, ...]]:
        r"""Return the state after the last hop, $q_{H+1}$, and what each hop read."""
        chosen = memory.take(candidates.items)
        keys, values = (self.embed(bags) for bags in chosen)
        state, hops = self.embed(questions), []
        for carry in self.carry:
            hops.append(read_candidates(state, keys, values, candidates))
            state = carry(state + hops[-1].value)
        return state, tuple(hops)

    def read_one(
        self,
        question: Sequence[int],
        keys: Sequence[Sequence[int]],
        values: Sequence[Sequence[int]],
    ) -> tuple[Float[Tensor, " slot"], Float[Tensor, "hop slot"]]:
        """Read for one question that may read every slot, in fewer and plainer operations.

        Args:
            question: its words.
            keys: the words of each slot's key.
            values: the words of each slot's value.

        Returns:
            The score of each value as the answer, and how much each hop read of each slot.
        """
        bags = self.embed(Ragged.of([question, *keys, *values]))
        state, found, read = bags[0], bags[1 : len(keys) + 1], bags[len(keys) + 1 :]
        hops = []
        for carry in self.carry:
            value, weights = read_all(state, found, read)
            hops.append(weights)
            state = carry(state + value)
        own = self.answer_table is not None
        answers = self.embed_answers(Ragged.of(values)) if own else read
        return answers @ state, torch.stack(hops)

    def embed(self, bags: Ragged) -> Float[Tensor, "bag dim"]:
        r"""Return $A \Phi$ of questions, keys or values."""
        return self._bags(bags, self.table)

    def embed_answers(self, answers: Ragged) -> Float[Tensor, "answer dim"]:
        r"""Return $B \Phi_Y$ of answers."""
        own = self.answer_table
        return self._bags(answers, self.table if own is None else own)

    def _bags(self, bags: Ragged, table: Tensor) -> Tensor:
        summed = F.embedding_bag(
            bags.items,
            table,
            bags.offsets,
            mode="sum",
            sparse=self.sparse,
            include_last_offset=True,
        )
        if not self.power:
            return summed
        words = bags.lengths.clamp(min=1).to(summed.dtype)
        return summed * words.pow(-self.power).unsqueeze(-1)


def example() -> tuple[KVMemNN, tuple[Ragged, KeyValues, Ragged, Ragged]]:
    """Return a small model, two questions about five slots, and three answers."""
    keys = Ragged.of([(1, 2), (3, 2), (1, 4), (5,), (3, 4, 6)])
    values = Ragged.of([(7,), (8,), (9, 10), (7,), (10,)])
    questions = Ragged.of([(1, 2, 5), (3, 4)])
    candidates = Ragged.of([(0, 2, 3), (1, 4)])
    answers = Ragged.of([(7,), (8,), (9, 10)])
    model = KVMemNN(vocab=11, dim=5, hops=2, own_answers=True)
    return model, (questions, KeyValues(keys, values), candidates, answers)
