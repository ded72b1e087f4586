"""Show, Attend and Tell (Xu et al., 2015): a caption, word by word, and where each word looked."""

from typing import Any, NamedTuple

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from memnets.attention import Baseline, reinforce
from memnets.layers.decoding import (
    Divisor,
    Hypotheses,
    beam_search,
    by_log_prob,
    never,
)
from memnets.layers.recurrent import FedLSTM, LSTMState
from memnets.layers.stepwise import Annotations, StepReader, in_turn
from memnets.models.seq2seq import State
from memnets.models.seq2seq.initial import Initial, modern_initial
from memnets.models.seq2seq.targets import Given
from memnets.models.show_attend_tell.parts import DeepOutput, StartByMean, doubly_stochastic
from memnets.ops.bags import NIL
from memnets.ops.sizes import at_least, at_least_one, share_of_it


class Seen(NamedTuple):
    r"""What was seen for the words of some steps: the evidence.

    Attributes:
        weights: $\alpha$, how much of each place.
        gate: $\beta$, how much of that was taken.
        log_prob: of draws, where places are drawn.
        entropy: of what they were drawn from.
    """

    weights: Float[Tensor, "row ... slot"]
    gate: Float[Tensor, "row ..."]
    log_prob: Float[Tensor, "row ..."] | None = None
    entropy: Float[Tensor, "row ..."] | None = None


class NextWord(NamedTuple):
    """What may follow: log-probabilities of all words, what is carried on, what was seen."""

    log_prob: Float[Tensor, "row vocab"]
    state: State
    seen: Seen


class DecoderState(NamedTuple):
    """What a caption carries from word to word: the LSTM's state, and what its reader must know."""

    core: LSTMState
    past: Any

    @property
    def hidden(self) -> Float[Tensor, "row hidden"]:
        return self.core.hidden[:, -1]


class Told(NamedTuple):
    """Captions that were given, word by word.

    Attributes:
        log_prob: of every right word; 0 behind the last.
        seen: what was seen for each, 0 likewise.
        told: where a caption has a word.
        best: whether the right word was the likeliest.
    """

    log_prob: Float[Tensor, "row word"]
    seen: Seen
    told: Bool[Tensor, "row word"]
    best: Bool[Tensor, "row word"]

    def objective(
        self, baseline: Baseline, reward_weight: float = 1.0, entropy_weight: float = 0.0
    ) -> Float[Tensor, " row"]:
        r"""Return what is to be maximised: $\log p$ of the captions, or of draws the estimator.

        Args:
            baseline: of rewards, the log-probabilities; it matters for draws only.
            reward_weight: as in `reinforce`.
            entropy_weight: as in `reinforce`.
        """
        reward, drawn, spread = self.log_prob.sum(-1), self.seen.log_prob, self.seen.entropy
        if drawn is None or spread is None:
            return reward
        weights = reward_weight, entropy_weight
        return reinforce(reward, drawn.sum(-1), spread.sum(-1), baseline, *weights)

    def objective_as_run(self, baseline: Baseline) -> Float[Tensor, " row"]:
        r"""Return what the authors' code maximises where places are drawn.

        $$ \log p(y) + B \Big( \frac{r - b}{10} \log p(\tilde s) + 0.002 \, H \Big), \qquad
           r = \frac{1}{T} \log p(y) $$

        Their gradient of the draws is not divided by the batch, $B$, as the loss of the words is.

        Deviations: $T$ is a caption's own length, where theirs counts what fills it up.
        Cite: xu2015

        Args:
            baseline: of $r$, the mean log-probability of a word.
        """
        reward, drawn, spread = self.log_prob.sum(-1), self.seen.log_prob, self.seen.entropy
        if drawn is None or spread is None:
            return reward
        rows, words = self.told.shape[0], self.told.sum(-1).clamp(min=1)
        advantage = reward.detach() / words - baseline.mean
        policy = advantage / 10 * drawn.sum(-1) + 0.002 * spread.sum(-1)
        return reward + rows * policy

    @property
    def unevenness(self) -> Float[Tensor, " row"]:
        """How unevenly each caption looked at all places; see `doubly_stochastic`."""
        return doubly_stochastic(self.seen.weights, self.told)


class ShowAttendTell(nn.Module):
    r"""Say a caption of a picture, given as vectors of its places.

    $$ \hat z_t = \beta_t \, \phi(\{a_i\}, \{\alpha_{ti}\}), \qquad
       \alpha_t = \mathrm{align}(f_{\mathrm{att}}(a_i, h_{t-1})) $$

    $$ (i, f, o, g) = (\sigma, \sigma, \sigma, \tanh)
       \, T_{D+m+n,4n} [E y_{t-1}; h_{t-1}; \hat z_t], \qquad
       c_t = f c_{t-1} + i g, \qquad h_t = o \tanh c_t $$  (Xu et al., Eq. 1 to 3)

    $p(y_t) \propto \exp(L_o \, d_t)$: `features` makes $d_t$ of $E y_{t-1}$, $h_t$ and
    $\hat z_t$. Where to look for a word is decided before the word is known. Nil (word 0) fills
    rows up, and stands before the first word, embedded as zeros. What words give to all gates, all
    keys and all outputs are computed at once, before and after the steps.

    Deviations: none of its own; see the parts. `presets` composes the variants.
    Cite: xu2015

    Args:
        vocab: number of words, nil included.
        dim: width of an embedded word, $m$.
        start: the state before the first word.
        reader: sees places; its queries are as wide as the state.
        gate: says how much of what is read is taken: `ContextGate` or `NoGate`.
        core: the LSTM, given $E y$ and fed $\hat z$.
        features: what a word is chosen by: `DeepOutput` or `OutputAsRun`.
        dropout: share of the numbers of states and features that is set to zero in training.
        initial: draws the first weights.

    Raises:
        ValueError: a size is too small, or the dropout is no share.
    """

    def __init__(
        self,
        vocab: int,
        dim: int,
        start: StartByMean,
        reader: StepReader,
        gate: nn.Module,
        core: FedLSTM,
        features: DeepOutput,
        dropout: float = 0.0,
        initial: Initial = modern_initial,
    ) -> None:
        super().__init__()
        at_least(2, "ShowAttendTell", "Nil is one of them.", vocab=vocab)
        at_least_one("ShowAttendTell", dim=dim)
        share_of_it("ShowAttendTell", dropout=dropout)
        self.embedding = nn.Embedding(vocab, dim, padding_idx=NIL)
        self.begin, self.reader, self.gate = start, reader, gate
        self.core, self.features = core, features
        self.dropout = nn.Dropout(dropout)
        self.output = nn.Linear(dim, vocab, bias=features.bias)
        self.initial = initial
        self.reset_parameters()

    def reset_parameters(self, generator: torch.Generator | None = None) -> None:
        """Draw the first weights; nil is embedded as zeros."""
        with torch.no_grad():
            self.initial(self, generator)
            self.embedding.weight[NIL] = 0.0

    def start(
        self, places: Float[Tensor, "image slot dim"], generator: torch.Generator | None = None
    ) -> State:
        """See pictures, once for all words that are said of them.

        Args:
            places: annotations of each picture, $a_1 ... a_L$, row after row.
            generator: source of randomness where places are drawn.
        """
        length = torch.full((len(places),), places.shape[1], device=places.device)
        mean = places.mean(1)
        annotations = self.reader.remember(places, mean, length, generator)
        core = self.begin(self.dropout(mean))
        return State(annotations, DecoderState(core, self.reader.start(annotations)))

    def step(self, state: State, word: Int[Tensor, " row"]) -> NextWord:
        """Return what may follow a word: the step that `memnets.layers.decoding` searches.

        Args:
            state: `start`'s at first, then the one that the step before returned.
            word: the word before, nil at first; one for each hypothesis.
        """
        features, decoder, seen = self._say(state, word.unsqueeze(1))
        log_prob = self.output(features.squeeze(1)).log_softmax(-1)
        here = Seen._make(None if part is None else part.squeeze(1) for part in seen)
        return NextWord(log_prob, State(state.annotations, decoder), here)

    def forward(
        self,
        places: Float[Tensor, "image slot dim"],
        target: Int[Tensor, "row _"],
        generator: torch.Generator | None = None,
        samples: int = 1,
    ) -> Told:
        """Return the log-probability of every right word, the right ones before it given.

        Args:
            places: annotations of each picture.
            target: captions with their ends, and nil behind them; those of a picture stand one
                behind the other, as many for each, and share what is remembered of it.
            generator: source of randomness where places are drawn.
            samples: how often every caption is gone through with draws of its own; its rows stand
                one behind the other.

        Raises:
            ValueError: nil stands before a word, or the captions are not as many for each picture.
        """
        images, rows = len(places), len(target)
        if images < 1 or rows % images:
            raise ValueError(
                f"ShowAttendTell: {rows} captions came for {images} pictures, expected as many for "
                f"each. Repeat a picture, or leave captions out."
            )
        given = Given.of(target.repeat_interleave(samples, 0), "ShowAttendTell")
        state = self.start(places, generator)
        if (several := rows // images * samples) > 1:
            each = torch.arange(images, device=target.device).repeat_interleave(several)
            state = state.index_select(each)
        features, _, seen = self._say(state, given.before)
        there = given.told
        seen = Seen._make(
            None if part is None else part.masked_fill(~_widened(there, part), 0.0) for part in seen
        )
        log_prob, best = given.scored(self.output, features)
        return Told(log_prob, seen, there, best.bool())

    def loss(
        self,
        places: Float[Tensor, "image slot dim"],
        target: Int[Tensor, "row _"],
        generator: torch.Generator | None = None,
    ) -> Float[Tensor, " row"]:
        r"""Return $-\log p$ of every caption; `forward` has it word by word."""
        return -self(places, target, generator).log_prob.sum(-1)

    def caption(
        self,
        places: Float[Tensor, "image slot dim"],
        end: int,
        longest: int,
        width: int = 1,
        divisor: Divisor = by_log_prob,
        generator: torch.Generator | None = None,
    ) -> Hypotheses:
        """Search for the likeliest captions; their evidence is what was seen for each word.

        Args:
            places: annotations of each picture.
            end: the word that ends a caption.
            longest: the most words of one.
            width: of the beam.
            divisor: how hypotheses of unequal lengths are ranked.
            generator: source of randomness where places are drawn.
        """
        with torch.no_grad():
            state = self.start(places, generator)
        first = torch.full_like(state.annotations.length, NIL)
        allowed = never(self.output.out_features, NIL)
        return beam_search(self.step, state, first, end, longest, width, divisor, allowed)

    def _say(
        self, state: State, words: Int[Tensor, "row step"]
    ) -> tuple[Float[Tensor, "row step dim"], DecoderState, Seen]:
        """Take steps, each given the word before the one that it says."""
        annotations: Annotations = state.annotations
        core, past = state.decoder
        embedded, layers = self.embedding(words), self.core.opened()
        h, states, read, taken = state.decoder.hidden, [], [], []
        for given in self.core.given(embedded).unbind(1):
            readout, past = self.reader(annotations, h.unsqueeze(1), past)
            beta = self.gate(h)
            z = beta * readout.value.squeeze(1)
            h, core = self.core.feed(layers, given, z, core)
            states.append(h)
            taken.append(z)
            read.append((readout, beta))
        found = in_turn([readout for readout, _ in read])
        gate = torch.cat([beta for _, beta in read], 1)
        hidden = self.dropout(torch.stack(states, 1))
        features = self.dropout(self.features(embedded, hidden, torch.stack(taken, 1)))
        seen = Seen(found.weights, gate, found.log_prob, found.entropy)
        return features, DecoderState(core, past), seen


def _widened(there: Tensor, part: Tensor) -> Tensor:
    return there[(..., *[None] * (part.ndim - there.ndim))]
