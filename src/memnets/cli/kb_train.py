"""`memnets kb train`: learn to answer questions to a knowledge base, from its facts alone."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import tyro
from rich.console import Console

from memnets.inference.kb import KB, beside
from memnets.kb.questions.questions import UNANSWERABLE
from memnets.studies.kb_qa.recipes import KBQATraining


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
    questions: int = KBQATraining.questions
    """How many are made to learn from."""
    seed: int = 0
    threads: int = 1

    def run(self) -> int:
        began = time.perf_counter()
        kb = KB(self.kb, self.out)
        written = self.phrases is None and not beside(self.kb, "phrases.toml").exists()
        phrases = kb.phrases(self.phrases, self.seed)
        if written:
            _say(f"{phrases}: ways of asking, made of the relations' names. Edit them as you like.")
        kb.train(self.questions, seed=self.seed, threads=self.threads, phrases=phrases)
        _report(kb.metrics["test"])
        _say(f"{kb.trained}: trained in {time.perf_counter() - began:.0f} s")
        _say(f'next: memnets kb ask {self.kb} "a question?"')
        return 0


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
