"""What a memory buys on a text: CRAN and MemN2N beside an LSTM, and beside an LSTM with a cache.

Two scalars that are tuned in seconds, the neural cache, are the row that a learned memory has to
beat.
"""

from dataclasses import replace

from memnets.experiments.comparison import CACHED, Comparison, Entry
from memnets.experiments.configs.cran import CRANCore, literal, longterm, recommended
from memnets.studies.language.recipes import (
    CRANLanguage,
    LanguageRun,
    MemN2NLanguage,
    RecurrentLanguage,
    TextData,
)

LSTM = "LSTM"


def language_shakespeare() -> Comparison:
    """Characters of tinyshakespeare, 10 million a run."""
    return _comparison("tinyshakespeare", TextData("shakespeare"))


def language_war_and_peace() -> Comparison:
    """Characters of War and Peace, 10 million a run."""
    return _comparison("War and Peace", TextData("war-and-peace"))


def _comparison(title: str, data: TextData) -> Comparison:
    entries = (
        Entry(row=LSTM, run=RecurrentLanguage(), cached=True),
        _cran("CRAN, literal", literal()),
        replace(_cran("CRAN, recommended", recommended()), cached=True),
        _cran("CRAN, memory off", replace(recommended(), choice="none")),
        _cran("CRAN, zones at random", replace(recommended(), choice="random")),
        _cran("CRAN, as its author trained it", longterm()),
        Entry(row="MemN2N", run=MemN2NLanguage()),
    )
    return Comparison(
        title=f"Language models on the characters of {title}, equal but for their core",
        data=f"{title}, characters",
        metric="bits per character",
        entries=tuple(replace(entry, run=_on(entry.run, data)) for entry in entries),
        baselines=(LSTM, LSTM + CACHED),
    )


def _cran(row: str, core: CRANCore) -> Entry:
    return Entry(row=row, run=CRANLanguage(core=core))


def _on(run: LanguageRun, data: TextData) -> LanguageRun:
    return replace(run, data=data)


TABLES = {
    "language-shakespeare": language_shakespeare,
    "language-war-and-peace": language_war_and_peace,
}
