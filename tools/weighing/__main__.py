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
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import numpy as np
from safetensors.numpy import save

from memnets.data.qa.judged import Judged, tallies
from memnets.files import write_bytes
from memnets.kb.programs.possible import WEIGHTS, Weights
from memnets.kb.questions.judged import compared
from memnets.results import results_folder, write
from memnets.studies.kb_qa import reranking
from memnets.studies.kb_qa.reranking import AnswerReranker
from memnets.studies.kb_qa.weighing import LEAST, weigh
from tools.weighing.hearing import MADE, QUESTIONS, TABLES, UNREAD, Heard, hear
from tools.weighing.possible import fit_possible
from tools.weighing.told import as_result, line, table
from tools.weighing.training import Lists, cooled, left_out, lists_of, loss, train

TEMPERATURES = tuple(step / 20 for step in range(16, 41))
"""Scores are divided by one of these."""
FOLDS, FEWER = 10, 2
"""Of the knowledge bases whose questions were read one in so many is left out at a time, of so many
networks."""


def main() -> None:
    """Train the networks, put them into the package, and print what they answer."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--keep", type=Path, help="folder of the trained models")
    parser.add_argument("--questions", type=int, default=QUESTIONS, help="made to train each")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.keep or Path(temporary)
        heard = [one for path in TABLES for one in hear(path, folder, given.questions)]
    print("\n".join(report(heard, results_folder())))


def report(heard: Sequence[Heard], results: Path) -> Iterable[str]:
    """Train, write what was trained into the package, and yield what was measured.

    Args:
        heard: all questions.
        results: the folder that gets the table of what was measured.
    """
    typed = [one for one in heard if one.asked.kind not in MADE]
    made = [one for one in heard if one.asked.kind in MADE and one.kb in UNREAD]
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
    read = [one for one in typed if one.kb not in UNREAD]
    by_read = dict(of_read(lists, sorted({one.kb for one in read}), heat))
    judgements = {
        "one knowledge base left out": (unread, judged(unread, by_kb.__getitem__, possible)),
        "likewise, questions that were made": (made, judged(made, by_kb.__getitem__, possible)),
        "of those that were read some left out": (
            read,
            judged(read, by_read.__getitem__, possible),
        ),
        "trained on all": (typed, judged(typed, lambda _: all_of_them, possible)),
    }
    for name, (asked, found) in judgements.items():
        yield f"\n{name}"
        yield from table(tallies(found))
        for kb in dict.fromkeys(one.kb for one in asked):
            some = [one for one, of in zip(found, asked, strict=True) if of.kb == kb]
            yield line(tallies(some)[-1]._replace(kind=f"  {kb}"))
    first, second, third, _ = (found for _, found in judgements.values())
    write(as_result(first, second, third, len(by_kb)), results)
    write_bytes(reranking.WEIGHTS, save(dict(all_of_them.weights)))
    yield "\npossible.WEIGHTS = {"
    yield from (f'    "{name}": {weight:.3f},' for name, weight in possible.items())
    yield "}"


def of_read(lists: Lists, kbs: Sequence[str], heat: float) -> Iterable[tuple[str, AnswerReranker]]:
    """Yield the knowledge bases whose questions were read, with networks that saw none of theirs.

    A tenth of them is left out at a time.
    """
    for left in (kbs[at::FOLDS] for at in range(min(FOLDS, len(kbs)))):
        networks = cooled(train(lists[~np.isin(lists.kbs, left)], FEWER), heat)
        yield from ((kb, networks) for kb in left)


def judged(
    heard: Sequence[Heard],
    by: Callable[[str], AnswerReranker],
    possible: Weights = WEIGHTS,
) -> list[Judged]:
    """Return what is answered by the networks of each knowledge base."""
    return [compared(one.asked, *given(one, by(one.kb), possible)) for one in heard]


def given(
    one: Heard, by: AnswerReranker, possible: Weights = WEIGHTS
) -> tuple[tuple[str, ...], float]:
    """Return what is answered, and how probable it is."""
    best = next(iter(weigh(one.voices, by, possible)), None)
    if best is None or best.probability < LEAST:
        return (), 1.0
    return best.objects, best.probability


if __name__ == "__main__":
    main()
