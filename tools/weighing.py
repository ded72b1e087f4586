"""Fit how answers to questions are weighed, to the knowledge bases that are there to choose by.

    python -m tools.weighing --keep FOLDER

Builds the tables of `examples/strangers/choosing`, and those of `examples/strangers` whose
questions were read to mend the parser, trains a model on each, asks the questions that were typed
for them, and fits a logistic regression to whether each answer that might be given is right. Every
knowledge base weighs the same. How far weights are kept small (L2) is chosen by leaving one
knowledge base out at a time, and so are the figures that are printed: what is answered about a
knowledge base by weights that have not seen it.
The last lines are the weights to put into `memnets.studies.kb_qa.weighing`.

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
from memnets.kb.questions.judged import compared
from memnets.studies.kb_qa.weighing import LEAST, WEIGHTS, Voices, features, options, weigh

STRANGERS = Path(__file__).resolve().parents[1] / "examples" / "strangers"
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
NEARLY = 0.01
"""Of what loses hardly more about what is left out, the strongest is chosen."""
CONSTANT = "1"
"""The feature that is 1 for every answer; its weight is not kept small."""
Weights = Mapping[str, float]


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
        """How much each counts: every knowledge base the same, all as many as there are."""
        _, owners, sizes = np.unique(self.kbs, return_inverse=True, return_counts=True)
        return len(self.kbs) / len(sizes) / sizes[owners]


def main() -> None:
    """Fit the weights, and print them and what they answer."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--keep", type=Path, help="folder of the trained models")
    parser.add_argument("--questions", type=int, default=QUESTIONS, help="made to train each")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.keep or Path(temporary)
        heard = [one for path in TABLES for one in hear(path, folder, given.questions)]
    print("\n".join(report(heard)))


def hear(path: Path, folder: Path, questions: int) -> list[Heard]:
    """Ask a knowledge base, which is built and trained where it is not there yet."""
    there = folder / f"{path.stem}.kb"
    if not there.exists():
        with path.open(encoding="utf-8") as file, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the namesakes of the staff are meant to be there
            build_kb(path, there, table=file.readline().strip() != TRIPLES)
    kb = KB(there)
    if not kb.trained.exists():
        kb.train(questions, show=False)
    asked = read_asked(path.with_name(f"{path.stem}.questions.tsv"))
    asked = [one for one in asked if question_words(one.text)]  # nothing is made of "!!"
    return [Heard(path.stem, one, kb.answerer.voices(one.text)) for one in asked]


def report(heard: Sequence[Heard]) -> Iterable[str]:
    """Yield what was chosen and measured, and the weights."""
    answers = options_of(heard)
    losses = {strength: left_out_loss(answers, strength) for strength in STRENGTHS}
    strength = chosen(losses)
    by_kb = {kb: fit(answers.without(kb), strength) for kb in kbs(answers)}
    all_of_them = fit(answers, strength)
    yield f"{len(heard)} questions, {len(answers.right)} answers that might be given"
    yield "L2: " + ", ".join(f"{one:g} {loss:.4f}" for one, loss in losses.items())
    yield f"chosen: {strength:g}, the strongest within {NEARLY:.0%} of the least loss"
    judgements = {
        "today's weights": judged(heard, lambda _: WEIGHTS),
        "one knowledge base left out": judged(heard, lambda kb: by_kb[kb]),
        "fitted to all": judged(heard, lambda _: all_of_them),
    }
    for name, found in judgements.items():
        yield f"\n{name}"
        yield from table(tallies(found))
        for kb in kbs(answers):
            some = [one for one, of in zip(found, heard, strict=True) if of.kb == kb]
            yield line(tallies(some)[-1]._replace(kind=f"  {kb}"))
    yield "\nWEIGHTS = {"
    yield from (f'    "{name}": {weight:.3f},' for name, weight in all_of_them.items())
    yield "}"


def chosen(losses: Mapping[float, float]) -> float:
    """Return the strongest L2 whose loss is nearly the least."""
    least = min(losses.values())
    return max(one for one, loss in losses.items() if loss <= (1 + NEARLY) * least)


def options_of(heard: Sequence[Heard]) -> Options:
    """Return every answer that might be given to some questions."""
    rows, right, of = [], [], []
    for one in heard:
        for objects, _ in options(one.voices):
            rows.append(features(objects, one.voices))
            right.append(compared(one.asked, objects, 1.0).verdict == "right")
            of.append(one.kb)
    names = tuple(rows[0])
    values = np.array([[row[name] for name in names] for row in rows])
    return Options(names, values, np.array(right), np.array(of))


def kbs(answers: Options) -> list[str]:
    """Return the names of the knowledge bases."""
    return sorted(set(answers.kbs.tolist()))


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
    for kb in kbs(answers):
        losses.append(loss(answers.of(kb), fit(answers.without(kb), strength)))
    return math.fsum(losses) / len(losses)


def loss(answers: Options, weights: Weights) -> float:
    """Return the mean of minus the logarithm of what is told of each answer's being right."""
    told = answers.values @ np.array([weights[name] for name in answers.names])
    return float(np.logaddexp(0, np.where(answers.right, -told, told)).mean())


def judged(heard: Sequence[Heard], weights: Callable[[str], Weights]) -> list[Judged]:
    """Return what is answered by the weights of each knowledge base."""
    return [compared(one.asked, *given(one, weights(one.kb))) for one in heard]


def given(one: Heard, weights: Weights) -> tuple[tuple[str, ...], float]:
    """Return what is answered, and how probable it is."""
    best = next(iter(weigh(one.voices, weights)), None)
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
