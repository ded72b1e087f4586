"""What is made of the questions to knowledge bases that are there to choose by."""

import warnings
from dataclasses import dataclass
from pathlib import Path

from memnets.data.qa.asked import AskedQuestion, read_asked
from memnets.inference.kb import KB, build_kb
from memnets.kb.linking.naming import question_words
from memnets.kb.linking.opened import OpenedFacts
from memnets.kb.questions.english import relation_words
from memnets.kb.store.store import Store
from memnets.kb.values.columns import open_columns
from memnets.studies.kb_qa.voices import Voices

STRANGERS = Path(__file__).resolve().parents[2] / "examples" / "strangers"
UNREAD = (
    *("assets", "bridges", "cheeses", "choir", "detectives", "gallery", "mills", "missions"),
    *("newspapers", "orchestra", "perfumes", "powerplants", "recipes", "rescue", "runners"),
    *("trees", "universities"),
)
"""Tables of which no question led to a change of the parser."""
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


@dataclass(frozen=True)
class Heard:
    """A question, and what was made of it."""

    kb: str
    asked: AskedQuestion
    voices: Voices


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
