"""What a memory buys on a text: three of them beside an LSTM, and beside an LSTM with a cache.

Two scalars that are tuned in seconds, the neural cache, are the row that a learned memory has to
beat.
"""

from dataclasses import replace

from memnets.experiments.comparison import CACHED, Comparison
from memnets.experiments.configs.cran import literal, recommended, unrepaired
from memnets.experiments.seeds import Entry
from memnets.studies.language.data import TextData
from memnets.studies.language.recipes import (
    CRANLanguage,
    LanguageRun,
    MemN2NLanguage,
    NTMLanguage,
    RecurrentLanguage,
)

LSTM, RECOMMENDED = "LSTM", "CRAN, recommended"


def language_shakespeare() -> Comparison:
    """Characters of tinyshakespeare, 10 million a run."""
    return _comparison("tinyshakespeare", TextData("shakespeare"))


def language_war_and_peace() -> Comparison:
    """Characters of War and Peace, 10 million a run."""
    return _comparison("War and Peace", TextData("war-and-peace"))


def _comparison(title: str, data: TextData) -> Comparison:
    runs: dict[str, LanguageRun] = {
        LSTM: RecurrentLanguage(),
        "CRAN, literal": CRANLanguage(core=literal()),
        RECOMMENDED: CRANLanguage(core=recommended()),
        "CRAN, memory off": CRANLanguage(core=replace(recommended(), choice="none")),
        "CRAN, zones at random": CRANLanguage(core=replace(recommended(), choice="random")),
        "CRAN, gradient cut, softmax twice": CRANLanguage(core=unrepaired()),
        "NTM": NTMLanguage(),
        "MemN2N": MemN2NLanguage(),
    }
    return Comparison(
        title=f"Language models on the characters of {title}, equal but for their core",
        data=f"{title}, characters",
        metric="bits per character",
        entries=tuple(Entry(row=row, run=replace(run, data=data)) for row, run in runs.items()),
        cached=(LSTM, RECOMMENDED),
        baselines=(LSTM, LSTM + CACHED),
    )


TABLES = {
    "language-shakespeare": language_shakespeare,
    "language-war-and-peace": language_war_and_peace,
}
