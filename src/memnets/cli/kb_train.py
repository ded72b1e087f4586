"""`memnets kb train`: learn to answer questions to a knowledge base, from its facts alone."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import tyro
from rich.console import Console

from memnets.cli.judged import ask_all, tally_table
from memnets.cli.terminal import say
from memnets.data.qa.asked import read_asked
from memnets.data.qa.judged import tallies
from memnets.evidence.heat import visible
from memnets.inference.kb import KB, beside
from memnets.kb.questions.questions import UNANSWERABLE
from memnets.studies.kb_qa.recipes import KBQATraining


@dataclass(frozen=True)
class Train:
    """Train a model on a knowledge base; the training questions are made of its facts.

    Their phrases come from the relations' names and are written to a file beside the knowledge
    base: edit it and train again. A first model is measured on made-up questions in phrases held
    out of its training; then the model that is kept learns all phrases. Unanswerable questions set
    the threshold for declining. How well your own questions are answered tells --test.
    """

    kb: tyro.conf.Positional[Path]
    """Folder of the knowledge base (`memnets kb build`)."""
    out: Path | None = None
    """Folder for the trained model; by default KB.trained, beside the knowledge base."""
    phrases: Path | None = None
    """File of question phrases; by default KB.phrases.toml, written where it is missing."""
    test: Path | None = None
    """File of your own questions with their answers, as `memnets kb eval` reads it, to measure the
    model on that is kept; nothing is learnt from them."""
    questions: int = KBQATraining.questions
    """Number of made-up training questions."""
    seed: int = 0
    """Seed of weights, phrases and questions."""
    threads: int = 1
    """Number of CPU threads."""

    def run(self) -> int:
        began = time.perf_counter()
        kb = KB(self.kb, self.out)
        asked = None if self.test is None else read_asked(self.test)  # before it takes long
        written = self.phrases is None and not beside(self.kb, "phrases.toml").exists()
        phrases = kb.phrases(self.phrases, self.seed)
        if written:
            _say(f"{phrases}: ways of asking, made of the relations' names. Edit them as you like.")
        say(
            f"making {self.questions:,} questions of {len(kb.store.facts):,} facts, in "
            f"{len(kb.store.relations):,} relations; the training begins when they are made",
            error=True,
        )
        kb.train(self.questions, seed=self.seed, threads=self.threads, phrases=phrases)
        _report(kb.metrics["test"])
        _say("the model that was kept has then learnt these phrases too")
        _say(f"{kb.trained}: trained in {time.perf_counter() - began:.0f} s")
        if asked is None:
            _say(f"how well your own are answered: memnets kb eval {self.kb} QUESTIONS")
        else:
            _say(f"the model that was kept, on your own questions ({self.test}):")
            Console().print(tally_table(tallies(ask_all(asked, kb.answerer.given))))
        _say(f'next: memnets kb ask {self.kb} "a question?"')
        return 0


def _report(metrics: Mapping[str, float | None]) -> None:
    """Print what was measured on made-up questions in phrases that were held out of training."""
    _say("a first model, on made-up questions in phrases held out of its training:")
    for name, words in (
        ("accuracy", "answerable questions answered with all objects"),
        ("refused", "answerable questions declined"),
        ("declined", "unanswerable questions declined, among them"),
        *((f"declined/{kind}", f"  {kind}") for kind in UNANSWERABLE),
    ):
        share = metrics.get(name)
        _say(f"  {'–' if share is None else f'{share:.1%}':>6}  {words}")


def _say(text: str) -> None:
    # Paths must stay whole, for those who copy them or read them by program.
    Console().print(visible(text), highlight=False, soft_wrap=True, markup=False)
