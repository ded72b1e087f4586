"""Train what tells which answer to a question is right, on knowledge bases to choose by.

    python -m tools.weighing --keep FOLDER

Builds the tables of `examples/strangers/choosing`, and those of `examples/strangers` whose
questions were read to mend the parser, trains a model on each, asks the questions that were typed
for them, and trains networks of one hidden layer to say which of the answers that may be given is
right, or that none is (`memnets.studies.kb_qa.reranking`). Tables of which no question was read
count `TIMES` as much as the others: of what the parser was mended for alone, it would learn to
trust it too much. Each of them is left out in turn, and the figures that are printed are what is
answered about it by networks that have not seen it. By the same answers it is chosen how much less
sure the networks are to be than they are of what they learnt: the temperature of Guo et al. 2017.

It writes the networks into the package. The last lines are the weights to put into
`memnets.kb.programs.possible`.

`--keep` names a folder for the trained models, which are taken from there if they are there
already: training does not depend on how questions are parsed, nor on the weights. What reports the
package is never read (`theatre` and `workshop` in `examples/strangers`).
"""

import argparse
import math
import tempfile
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from memnets.data.qa.asked import AskedQuestion, read_asked
from memnets.data.qa.judged import ALL, Judged, Tally, tallies
from memnets.inference.kb import KB, build_kb
from memnets.kb.linking.naming import question_words
from memnets.kb.linking.opened import OpenedFacts
from memnets.kb.programs.possible import NONE, Weights, weights_of
from memnets.kb.questions.english import relation_words
from memnets.kb.questions.judged import compared
from memnets.kb.store.store import Store
from memnets.kb.values.columns import open_columns
from memnets.studies.kb_qa import reranking
from memnets.studies.kb_qa.clues import clues
from memnets.studies.kb_qa.inference import names_of
from memnets.studies.kb_qa.reranking import WITHIN, AnswerReranker
from memnets.studies.kb_qa.voices import Voices, meant_of, options
from memnets.studies.kb_qa.weighing import LEAST, weigh

if TYPE_CHECKING:
    from torch import Tensor

RERANKERS = Path(str(reranking.__file__)).parent / "rerankers"
STRANGERS = Path(__file__).resolve().parents[1] / "examples" / "strangers"
UNREAD = (
    *("assets", "bridges", "cheeses", "choir", "detectives", "gallery", "mills", "missions"),
    *("newspapers", "orchestra", "perfumes", "powerplants", "recipes", "rescue", "runners"),
    *("trees", "universities"),
)
"""Tables of which no question led to a change of the parser."""
TIMES = 3
"""How much each of them counts of what another counts."""
TABLES = (
    *(STRANGERS / f"{name}.csv" for name in ("staff", "seeds", "railway", "museum", "lands")),
    *(STRANGERS / f"{name}.csv" for name in ("kitchen", "league")),
    *sorted((STRANGERS / "choosing").glob("*.csv")),
)
CHAINS, CHAINED = 2, "chained"
"""So many questions are made of one relation after another that lead to something, and as many that
do not; of this kind, which is not reported."""
TRIPLES = "subject,relation,object"
"""The first line of a file of facts; others are tables."""
QUESTIONS = 2000
"""Made to train each model."""
SMALL = 1e-3
"""How far the weights of what may be asked are kept small."""
HIDDEN, NETWORKS = 32, 5
"""Units of a network, and how many are trained."""
EPOCHS, BATCH, RATE, DECAY, DROPPED = 12, 128, 4e-3, 0.05, 0.15
"""Of AdamW, whose rate rises to this one and falls to nothing; of units, so many are left out."""
LEAST_DEVIATION = 1e-3
"""A clue that hardly differs counts as if it did by this."""
TEMPERATURES = tuple(step / 20 for step in range(16, 41))
"""Scores are divided by one of these."""


@dataclass(frozen=True)
class Heard:
    """A question, and what was made of it."""

    kb: str
    asked: AskedQuestion
    voices: Voices


@dataclass(frozen=True)
class Lists:
    """The answers that may be given to N questions, M at most: what speaks for each, and which are
    right."""

    answers: Any
    """Their clues (N, M, F)."""
    there: Any
    """Where there is one (N, M)."""
    questions: Any
    """The clues of the questions (N, Q)."""
    right: Any
    """Which are right (N, M + 1); the last, none, where no other is."""
    kbs: Any
    """The knowledge base of each (N)."""

    def __getitem__(self, rows: Any) -> "Lists":
        """Return those of some questions."""
        return Lists(*(getattr(self, field.name)[rows] for field in fields(self)))

    @property
    def shares(self) -> Any:
        """How much each counts: every knowledge base by `TIMES`, all as many as there are."""
        names, owners, sizes = np.unique(self.kbs, return_inverse=True, return_counts=True)
        shares = np.where(np.isin(names, UNREAD), TIMES, 1.0)
        return len(self.kbs) * (shares / shares.sum() / sizes)[owners]


def main() -> None:
    """Train the networks, put them into the package, and print what they answer."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--keep", type=Path, help="folder of the trained models")
    parser.add_argument("--questions", type=int, default=QUESTIONS, help="made to train each")
    parser.add_argument(
        "--network", type=Path, help="folder of all-MiniLM-L6-v2, to fit what its ranker is worth"
    )
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.keep or Path(temporary)
        heard = [
            one for path in TABLES for one in hear(path, folder, given.questions, given.network)
        ]
    print("\n".join(report(heard)))


def hear(path: Path, folder: Path, questions: int, synonyms: Path | None = None) -> list[Heard]:
    """Ask a knowledge base, which is built and trained where it is not there yet."""
    there = folder / f"{path.stem}.kb"
    if not there.exists():
        with path.open(encoding="utf-8") as file, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the namesakes of the staff are meant to be there
            build_kb(path, there, table=file.readline().strip() != TRIPLES)
    kb = KB(there, synonyms=synonyms)
    if not kb.trained.exists():
        kb.train(questions, show=False)
    asked = read_asked(path.with_name(f"{path.stem}.questions.tsv"))
    asked = [one for one in asked if question_words(one.text)]  # nothing is made of "!!"
    asked += chained(kb.store)
    return [Heard(path.stem, one, kb.answerer.voices(one.text)) for one in asked]


def chained(store: Store) -> list[AskedQuestion]:
    """Make questions of one relation after another, half of which lead to nothing.

    Hardly anybody types one of these, and the programs that lead to nothing are mostly mistaken.
    """
    facts, columns = OpenedFacts(store), open_columns(store)
    links = [one.relation for one in columns if one.kind == "link"]
    found: dict[bool, list[AskedQuestion]] = {True: [], False: []}
    for name in map(store.entities.word, range(len(store.entities))):
        own = facts.of(name)
        for first in links:
            ends = own.get(first, ())
            if len(ends) != 1 or not facts.begins(ends[0]):
                continue
            for second in (one.relation for one in columns):
                answers = facts.of(ends[0]).get(second, ())
                one, then = (" ".join(relation_words(relation)) for relation in (first, second))
                text = f"what is the {then} of the {one} of {name}?"
                found[bool(answers)].append(AskedQuestion(text, answers, CHAINED))
    return [one for some in found.values() for one in some[:: len(some) // CHAINS + 1]]


def report(heard: Sequence[Heard]) -> Iterable[str]:
    """Train, write what was trained into the package, and yield what was measured."""
    typed = [one for one in heard if one.asked.kind != CHAINED]
    unread = [one for one in typed if one.kb in UNREAD]
    possible = fit_possible(unread)
    lists = lists_of(heard, possible)
    by_kb = {kb: train(lists[lists.kbs != kb]) for kb in left_out(lists)}
    losses = {
        heat: math.fsum(loss(lists[lists.kbs == kb], cooled(of, heat)) for kb, of in by_kb.items())
        for heat in TEMPERATURES
    }
    heat = min(losses, key=losses.__getitem__)
    by_kb = {kb: cooled(of, heat) for kb, of in by_kb.items()}
    all_of_them = cooled(train(lists), heat)
    yield f"{len(typed)} questions were typed, and {len(heard) - len(typed)} made"
    yield f"{lists.there.sum()} answers that might be given"
    yield f"scores are divided by {heat:g}"
    judgements = {
        "one knowledge base left out": (unread, judged(unread, lambda kb: by_kb[kb], possible)),
        "trained on all": (typed, judged(typed, lambda _: all_of_them, possible)),
    }
    for name, (asked, found) in judgements.items():
        yield f"\n{name}"
        yield from table(tallies(found))
        for kb in dict.fromkeys(one.kb for one in asked):
            some = [one for one, of in zip(found, asked, strict=True) if of.kb == kb]
            yield line(tallies(some)[-1]._replace(kind=f"  {kb}"))
    name = "LARGE" if heard[0].voices.large else "SMALL"
    write(all_of_them, name.lower())
    yield f"\npossible.{name} = {{"
    yield from (f'    "{name}": {weight:.3f},' for name, weight in possible.items())
    yield "}"


def write(reranker: AnswerReranker, name: str) -> None:
    """Put what was trained into the package."""
    from safetensors.numpy import save_file

    RERANKERS.mkdir(exist_ok=True)
    save_file(dict(reranker.weights), RERANKERS / f"{name}.safetensors")


def fit_possible(heard: Sequence[Heard]) -> dict[str, float]:
    """Return weights by which the right one is likeliest of all that may be asked, or none is.

    They are the likeliest ones but for their squares' sum.
    """
    import torch

    names = tuple(weights_of(heard[0].voices.large))
    asked = []
    for one in heard:
        given = [names_of(p.outcome.answers, one.voices.labels) for p in one.voices.possible]
        answers = bool(one.asked.answers)
        right = [
            compared(one.asked, objects, 1.0).verdict == "right" if answers else not objects
            for objects in given
        ]
        values = [[p.features.get(name, 0.0) for name in names] for p in one.voices.possible]
        values += [[float(name == NONE) for name in names]]
        right += [not answers or not any(right)]
        asked.append((torch.tensor(values, dtype=torch.float64), torch.tensor(right)))
    weights = torch.zeros(len(names), dtype=torch.float64, requires_grad=True)
    by = torch.optim.LBFGS([weights], max_iter=100)

    def loss() -> torch.Tensor:
        by.zero_grad()
        told = [torch.log_softmax(values @ weights, 0) for values, _ in asked]
        likely = [torch.logsumexp(t[right], 0) for t, (_, right) in zip(told, asked, strict=True)]
        mean = SMALL * weights.square().sum() - torch.stack(likely).mean()
        mean.backward()
        return mean

    by.step(loss)
    return dict(zip(names, weights.tolist(), strict=True))


def lists_of(heard: Sequence[Heard], possible: Weights | None = None) -> Lists:
    """Return every answer that might be given to some questions.

    Args:
        heard: the questions.
        possible: weights of what speaks for a program over what they name.
    """
    found = []
    for one in heard:
        meant = meant_of(one.voices, possible)
        some = options(one.voices, meant)
        are = [compared(one.asked, of.objects, 1.0).verdict == "right" for of in some]
        found.append((*clues(one.voices, meant, some), are))
    most = max(len(are) for *_, are in found)
    wide = max((answers.shape[1] for answers, *_ in found if len(answers)))
    answers = np.zeros((len(found), most, wide), np.float32)
    there, right = np.zeros((len(found), most), bool), np.zeros((len(found), most + 1), bool)
    for row, (own, _, are) in enumerate(found):
        if are:
            answers[row, : len(are)] = own
        there[row, : len(are)], right[row, : len(are)] = True, are
    right[:, -1] = ~right.any(1)
    questions = np.stack([question for _, question, _ in found])
    return Lists(answers, there, questions, right, np.array([one.kb for one in heard]))


def left_out(lists: Lists) -> list[str]:
    """Return the knowledge bases that are left out in turn: the unread, or all without any."""
    names = sorted(set(lists.kbs.tolist()))
    return [name for name in names if name in UNREAD] or names


def train(lists: Lists, networks: int = NETWORKS) -> AnswerReranker:
    """Return networks that make the right answer likeliest."""
    every = np.concatenate([lists.answers[lists.there], _beside(lists)[lists.there]], 1)
    mean, deviation = every.mean(0), every.std(0).clip(LEAST_DEVIATION)
    trained = [_trained(lists, mean, deviation, seed) for seed in range(networks)]
    return AnswerReranker(
        {"mean": mean, "deviation": deviation}
        | {name: np.stack([of[name] for of in trained]) for name in trained[0]}
    )


def _beside(lists: Lists) -> Any:
    """Return the clues of the question beside each of its answers (N, M, Q)."""
    return np.repeat(lists.questions[:, None], lists.there.shape[1], 1)


def _trained(lists: Lists, mean: Any, deviation: Any, seed: int) -> dict[str, Any]:
    """Return the weights of a network, by the names that `AnswerReranker` has for them."""
    import torch

    torch.manual_seed(seed)
    both = np.concatenate([lists.answers, _beside(lists)], 2)
    x = torch.from_numpy(((both - mean) / deviation).clip(-WITHIN, WITHIN))
    there, right = torch.from_numpy(lists.there), torch.from_numpy(lists.right)
    shares, wide = torch.from_numpy(lists.shares).float(), lists.questions.shape[1]
    weights = {
        "hidden": _drawn(x.shape[2], HIDDEN), "bias": _drawn(HIDDEN), "out": _drawn(HIDDEN),
        "none.hidden": _drawn(wide + HIDDEN, HIDDEN), "none.bias": _drawn(HIDDEN),
        "none.out": _drawn(HIDDEN),
    }  # fmt: skip
    learner = torch.optim.AdamW(weights.values(), weight_decay=DECAY)
    batches = len(x) // BATCH + 1
    rate = torch.optim.lr_scheduler.OneCycleLR(learner, RATE, total_steps=EPOCHS * batches)
    for _ in range(EPOCHS):
        for rows in torch.randperm(len(x)).tensor_split(batches):
            told = torch.log_softmax(_scores(weights, x[rows], there[rows]), 1)
            likely = torch.logsumexp(told.masked_fill(~right[rows], -math.inf), 1)
            learner.zero_grad()
            (-(shares[rows] @ likely) / shares[rows].sum()).backward()
            learner.step()
            rate.step()
    return {name: one.detach().numpy() for name, one in weights.items()}


def _drawn(*shape: int) -> "Tensor":
    """Return weights to begin from, the smaller the more of them are added up."""
    import torch

    return torch.empty(shape).uniform_(-1, 1).div_(math.sqrt(shape[0])).requires_grad_()


def _scores(w: "Mapping[str, Tensor]", x: "Tensor", there: "Tensor") -> "Tensor":
    """Return the scores of all answers, and of none, where some units are left out (B, M + 1).

    Args:
        w: the weights.
        x: the clues of answers and question, in standard deviations (B, M, F + Q).
        there: where there is an answer (B, M).
    """
    import torch
    from torch.nn.functional import dropout

    h = dropout(torch.relu(x @ w["hidden"] + w["bias"]), DROPPED)
    asked = x[:, 0, len(w["hidden"]) - len(w["none.hidden"]) + HIDDEN :]
    most = torch.cat([asked, (h * there[..., None]).amax(1)], 1)
    none = dropout(torch.relu(most @ w["none.hidden"] + w["none.bias"]), DROPPED)
    scores = (h @ w["out"]).masked_fill(~there, -math.inf)
    return torch.cat([scores, (none @ w["none.out"])[:, None]], 1)


def cooled(reranker: AnswerReranker, heat: float) -> AnswerReranker:
    """Return the same whose scores are divided by a temperature."""
    weights = reranker.weights
    by_heat = {name: weights[name] / np.float32(heat) for name in ("out", "none.out")}
    return AnswerReranker({**weights, **by_heat})


def loss(lists: Lists, reranker: AnswerReranker) -> float:
    """Return the sum of minus the logarithm of what is told of what is right."""
    total = 0.0
    for answers, there, question, right in zip(
        lists.answers, lists.there, lists.questions, lists.right, strict=True
    ):
        told = reranker.probabilities(answers[there], question) if there.any() else np.zeros(0)
        likely = told[right[:-1][there]].sum() if not right[-1] else 1 - told.sum()
        total -= math.log(max(float(likely), 1e-9))
    return total


def judged(
    heard: Sequence[Heard],
    by: Callable[[str], AnswerReranker],
    possible: Weights | None = None,
) -> list[Judged]:
    """Return what is answered by the networks of each knowledge base."""
    return [compared(one.asked, *given(one, by(one.kb), possible)) for one in heard]


def given(
    one: Heard, by: AnswerReranker, possible: Weights | None = None
) -> tuple[tuple[str, ...], float]:
    """Return what is answered, and how probable it is."""
    best = next(iter(weigh(one.voices, by, possible)), None)
    if best is None or best.probability < LEAST:
        return (), 1.0
    return best.objects, best.probability


def table(rows: Sequence[Tally]) -> Iterable[str]:
    """Yield lines of figures, a kind each."""
    yield f"{'':24}{'asked':>6}{'right':>8}{'wrong':>7}{'sure':>6}{'declined':>10}"
    yield from map(line, rows)


def line(row: Tally) -> str:
    """Return the figures of a kind."""
    kind = "all" if row.kind == ALL else row.kind
    share = f"{row.right / row.asked:.1%}"
    return f"{kind:24}{row.asked:6}{share:>8}{row.wrong:7}{row.sure:6}{row.declined:10}"


if __name__ == "__main__":
    main()
