"""Fit how answers to questions are weighed, to the knowledge bases that are there to choose by.

    python -m tools.weighing --keep FOLDER

Builds the tables of `examples/strangers/choosing`, and those of `examples/strangers` whose
questions were read to mend the parser, trains a model on each, asks the questions that were typed
for them, and fits a logistic regression to whether each answer that might be given is right.
Tables of which no question was read count `TIMES` as much as the others: of what the parser was
mended for alone, it would learn to trust it too much. How far weights are kept small (L2) is chosen
by leaving one of them out at a time, and so are the figures that are printed: what is answered
about a knowledge base by weights that have not seen it.
The last lines are the weights to put into `memnets.kb.programs.possible` and
`memnets.studies.kb_qa.weighing`.

`--keep` names a folder for the trained models, which are taken from there if they are there
already: training does not depend on how questions are parsed, nor on the weights. What reports the
package is never read (`theatre` and `workshop` in `examples/strangers`).
"""

import argparse
import math
import tempfile
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from memnets.data.qa.asked import AskedQuestion, read_asked
from memnets.data.qa.judged import ALL, Judged, Tally, tallies
from memnets.inference.kb import KB, build_kb
from memnets.kb.linking.naming import question_words
from memnets.kb.programs.possible import NONE, Weights, weights_of
from memnets.kb.questions.judged import compared
from memnets.studies.kb_qa.inference import names_of
from memnets.studies.kb_qa.weighing import (
    LEAST,
    Voices,
    features,
    meant_of,
    options,
    weigh,
)

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
TRIPLES = "subject,relation,object"
"""The first line of a file of facts; others are tables."""
QUESTIONS = 2000
"""Made to train each model."""
STRENGTHS = (0.1, 0.3, 1.0, 3.0, 10.0, 30.0)
"""Of L2 that are tried, the weights of all knowledge bases together being the number of answers."""
NEARLY = 0.001
"""Of what loses hardly more about what is left out, the strongest is chosen."""
SMALL = 1e-3
"""How far the weights of what may be asked are kept small."""
CONSTANT = "1"
"""The feature that is 1 for every answer; its weight is not kept small."""


@dataclass(frozen=True)
class Heard:
    """A question, and what was made of it."""

    kb: str
    asked: AskedQuestion
    voices: Voices


@dataclass(frozen=True)
class Options:
    """Every answer that might be given: what speaks for it, and whether it is right."""

    names: tuple[str, ...]
    """Of the features."""
    values: Any
    """A row an answer, a column a feature."""
    right: Any
    kbs: Any
    """The knowledge base of each."""

    def of(self, kb: str) -> "Options":
        """Return those of a knowledge base."""
        return self._kept(self.kbs == kb)

    def without(self, kb: str) -> "Options":
        """Return those of all others."""
        return self._kept(self.kbs != kb)

    def _kept(self, rows: Any) -> "Options":
        return Options(self.names, self.values[rows], self.right[rows], self.kbs[rows])

    @property
    def shares(self) -> Any:
        """How much each counts: every knowledge base by `TIMES`, all as many as there are."""
        names, owners, sizes = np.unique(self.kbs, return_inverse=True, return_counts=True)
        shares = np.where(np.isin(names, UNREAD), TIMES, 1.0)
        return len(self.kbs) * (shares / shares.sum() / sizes)[owners]


def main() -> None:
    """Fit the weights, and print them and what they answer."""
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
    return [Heard(path.stem, one, kb.answerer.voices(one.text)) for one in asked]


def report(heard: Sequence[Heard]) -> Iterable[str]:
    """Yield what was chosen and measured, and the weights."""
    unread = [one for one in heard if one.kb in UNREAD]
    possible = fit_possible(unread)
    answers = options_of(heard, possible)
    losses = {strength: left_out_loss(answers, strength) for strength in STRENGTHS}
    strength = chosen(losses)
    by_kb = {kb: fit(answers.without(kb), strength) for kb in left_out(answers)}
    all_of_them = fit(answers, strength)
    yield f"{len(heard)} questions, {len(answers.right)} answers that might be given"
    yield "L2: " + ", ".join(f"{one:g} {loss:.4f}" for one, loss in losses.items())
    yield f"chosen: {strength:g}, the strongest within {NEARLY:.1%} of the least loss"
    judgements = {
        "today's weights": (heard, judged(heard, lambda _: None)),
        "one knowledge base left out": (unread, judged(unread, lambda kb: by_kb[kb], possible)),
        "fitted to all": (heard, judged(heard, lambda _: all_of_them, possible)),
    }
    for name, (asked, found) in judgements.items():
        yield f"\n{name}"
        yield from table(tallies(found))
        for kb in dict.fromkeys(one.kb for one in asked):
            some = [one for one, of in zip(found, asked, strict=True) if of.kb == kb]
            yield line(tallies(some)[-1]._replace(kind=f"  {kb}"))
    name = "LARGE" if heard[0].voices.large else "SMALL"
    for module, fitted in (("possible", possible), ("weighing", all_of_them)):
        yield f"\n{module}.{name} = {{"
        yield from (f'    "{name}": {weight:.3f},' for name, weight in fitted.items())
        yield "}"


def chosen(losses: Mapping[float, float]) -> float:
    """Return the strongest L2 whose loss is nearly the least."""
    least = min(losses.values())
    return max(one for one, loss in losses.items() if loss <= (1 + NEARLY) * least)


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


def options_of(heard: Sequence[Heard], possible: Weights | None = None) -> Options:
    """Return every answer that might be given to some questions.

    Args:
        heard: the questions.
        possible: weights of what speaks for a program over what they name.
    """
    rows, right, of = [], [], []
    for one in heard:
        meant = meant_of(one.voices, possible)
        for objects, _ in options(one.voices, meant):
            rows.append(features(objects, one.voices, meant))
            right.append(compared(one.asked, objects, 1.0).verdict == "right")
            of.append(one.kb)
    names = tuple(rows[0])
    values = np.array([[row[name] for name in names] for row in rows])
    return Options(names, values, np.array(right), np.array(of))


def left_out(answers: Options) -> list[str]:
    """Return the knowledge bases that are left out in turn: the unread, or all without any."""
    names = sorted(set(answers.kbs.tolist()))
    return [name for name in names if name in UNREAD] or names


def fit(answers: Options, strength: float) -> dict[str, float]:
    """Return the weights of a logistic regression: the likeliest but for their squares' sum."""
    from sklearn.linear_model import LogisticRegression

    named = [name for name in answers.names if name != CONSTANT]
    values = answers.values[:, [answers.names.index(name) for name in named]]
    model = LogisticRegression(C=1 / strength, max_iter=5000)
    model.fit(values, answers.right, sample_weight=answers.shares)
    fitted = dict(zip(named, model.coef_[0].tolist(), strict=True))
    return {CONSTANT: float(model.intercept_[0]), **fitted}


def left_out_loss(answers: Options, strength: float) -> float:
    """Return the mean loss of what is fitted to all knowledge bases but one, about that one."""
    losses = []
    for kb in left_out(answers):
        losses.append(loss(answers.of(kb), fit(answers.without(kb), strength)))
    return math.fsum(losses) / len(losses)


def loss(answers: Options, weights: Weights) -> float:
    """Return the mean of minus the logarithm of what is told of each answer's being right."""
    told = answers.values @ np.array([weights[name] for name in answers.names])
    return float(np.logaddexp(0, np.where(answers.right, -told, told)).mean())


def judged(
    heard: Sequence[Heard],
    weights: Callable[[str], Weights | None],
    possible: Weights | None = None,
) -> list[Judged]:
    """Return what is answered by the weights of each knowledge base."""
    return [compared(one.asked, *given(one, weights(one.kb), possible)) for one in heard]


def given(
    one: Heard, weights: Weights | None, possible: Weights | None = None
) -> tuple[tuple[str, ...], float]:
    """Return what is answered, and how probable it is."""
    best = next(iter(weigh(one.voices, weights, possible)), None)
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
