"""A recurrent net that reads a story as one string of words: the baseline of Memory Networks."""

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from memnets.ops.sizes import at_least


class StoryRNN(nn.Module):
    r"""Read all that is told and asked word by word, and answer each question after its last word.

    $$ h_t = f(E[w_t], h_{t-1}), \qquad \hat a = \mathrm{softmax}(V h_t + b) $$

    Here $f$ is an RNN or an LSTM, and $t$ the place of the question's last word. Questions are read
    on the way, their answers never; so all questions of a story are answered in one pass.

    Deviations: the paper's section 5.2 names the baselines and no more of them; all is ours.
    Cite: weston2014

    Args:
        vocab: number of words, nil (0) included.
        recurrence: `nn.RNN` or `nn.LSTM`, one direction, batch first.

    Raises:
        ValueError: there are fewer than two words, or the recurrence is not batch first, or reads
            from both ends.
    """

    def __init__(self, vocab: int, recurrence: nn.RNNBase) -> None:
        super().__init__()
        at_least(2, "StoryRNN", "Nil is one of them.", vocab=vocab)
        if recurrence.bidirectional or not recurrence.batch_first:
            raise ValueError(
                f"StoryRNN(recurrence={recurrence}): expected one direction, batch first. "
                f"Build it with bidirectional=False, batch_first=True."
            )
        self.recurrence = recurrence
        self.embedding = nn.Embedding(vocab, recurrence.input_size)
        self.answer = nn.Linear(recurrence.hidden_size, vocab)

    def forward(
        self, words: Int[Tensor, "batch time"], place: Int[Tensor, "batch query"]
    ) -> Float[Tensor, "batch query vocab"]:
        """Score all words as the answer to each question of a story.

        Args:
            words: what is told and asked, in its order; filled up at the end.
            place: where the last word of each question stands.
        """
        states, _ = self.recurrence(self.embedding(words))  # batch time hidden
        index = place.long().unsqueeze(-1).expand(-1, -1, states.shape[-1])
        return self.answer(states.gather(1, index))


def example() -> tuple[StoryRNN, tuple[Tensor, ...]]:
    """Return a small model and its inputs for the conformance tests."""
    model = StoryRNN(vocab=13, recurrence=nn.LSTM(3, 5, batch_first=True))
    return model, (torch.randint(1, 13, (2, 17)), torch.tensor([[3, 7, 11], [2, 5, 16]]))


__all__ = ["StoryRNN", "example"]
