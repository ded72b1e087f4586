"""`memnets kb train`: learn to answer questions to a knowledge base, from its facts alone."""

import os
import shutil
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tyro
from rich.console import Console

from memnets.cli.train import progress
from memnets.experiments.execute import start
from memnets.files import UNFINISHED
from memnets.kb.linking.opened import open_names
from memnets.kb.questions.phrases import ways_of_asking, write_phrases
from memnets.kb.questions.questions import UNANSWERABLE, Facts
from memnets.kb.store.store import Store
from memnets.studies.kb_qa.data import KBData
from memnets.studies.kb_qa.recipes import OwnKB, OwnKBTraining
from memnets.training.config import Loop


@dataclass(frozen=True)
class Train:
    """Learn to answer questions to a knowledge base; nobody has to write any.

    Questions are made of the facts, by ways of asking that are made of the relations' names. These
    are written to a file beside the KB: edit it and train again. Ways that are held out tell how
    well others are understood, and questions that the KB does not answer when to decline.
    """

    kb: tyro.conf.Positional[Path]
    """The folder that `memnets kb build` has made."""
    out: Path | None = None
    """Where the trained model goes; by default KB.trained, beside the KB."""
    phrases: Path | None = None
    """The ways of asking; by default KB.phrases.toml, beside the KB, written if it is missing."""
    questions: int = OwnKBTraining.questions
    """How many are made to learn from."""
    seed: int = 0
    threads: int = 1

    def run(self) -> int:
        began = time.perf_counter()
        phrases = self.phrases or beside(self.kb, "phrases.toml")
        facts = Facts(Store.open(self.kb).facts)
        if self.phrases is None and not phrases.exists():
            write_phrases(phrases, ways_of_asking(facts.relations, self.seed))
            _say(f"{phrases}: ways of asking, made of the relations' names. Edit them as you like.")
        elif not phrases.is_file():
            raise FileNotFoundError(
                f"{phrases}: no such file. Leave --phrases out to have it written beside the KB."
            )
        run = OwnKB(
            data=KBData(path=self.kb, phrases=phrases),
            training=OwnKBTraining(questions=self.questions),
            loop=Loop(seed=self.seed, threads=self.threads),
        )
        out = self.out or beside(self.kb, "trained")
        result = _train(run, out)
        open_names(Store.open(self.kb))  # written now, so that the first question need not wait
        _report(result["metrics"]["test"])
        _say(f"{out}: trained in {time.perf_counter() - began:.0f} s")
        _say(f'next: memnets kb ask {self.kb} "a question?"')
        return 0


def beside(kb: Path, name: str) -> Path:
    """Return the path of a file or folder beside a KB."""
    return kb.with_name(f"{kb.name}.{name}")


def _train(run: OwnKB, out: Path) -> dict[str, Any]:
    """Train aside, and put the run in the place of the one before when it has ended."""
    aside = out.with_name(f".{out.name}.{os.getpid()}{UNFINISHED}")
    before = out.with_name(f".{out.name}.{os.getpid()}.before")
    if out.exists() and not (out / "run.json").is_file():
        raise ValueError(
            f"{out}: this is there already, and is no trained model. Choose another --out."
        )
    try:
        result = start(run, aside, show=progress())
        if out.exists():
            os.replace(out, before)
        os.replace(aside, out)
    finally:
        shutil.rmtree(aside, ignore_errors=True)
        shutil.rmtree(before, ignore_errors=True)
    return result


def _report(metrics: Mapping[str, float | None]) -> None:
    """Say how well ways of asking that were held out are understood."""
    _say("asked in ways that were held out:")
    for name, words in (
        ("accuracy", "questions of the KB answered rightly, with all objects"),
        ("refused", "of them declined"),
        ("declined", "questions that it does not answer declined"),
        *((f"declined/{kind}", f"  {kind}") for kind in UNANSWERABLE),
    ):
        share = metrics.get(name)
        _say(f"  {'–' if share is None else f'{share:.1%}':>6}  {words}")


def _say(text: str) -> None:
    # Paths must stay whole, for those who copy them or read them by program.
    Console().print(text, highlight=False, soft_wrap=True, markup=False)
