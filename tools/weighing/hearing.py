"""What is made of the questions to knowledge bases that are there to choose by."""

import csv
import io
import random
import re
import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from memnets.data.qa.asked import AskedQuestion, read_asked
from memnets.files import write_bytes
from memnets.inference.kb import KB, build_kb
from memnets.kb.linking.opened import OpenedFacts
from memnets.kb.linking.words import question_words
from memnets.kb.questions.english import relation_words
from memnets.kb.store.store import Store
from memnets.kb.values.columns import open_columns
from memnets.studies.kb_qa.voices import Voices

STRANGERS = Path(__file__).resolve().parents[2] / "examples" / "strangers"
UNREAD = (
    *("appliances", "assets", "bridges", "cheeses", "choir", "detectives", "gallery", "heroes"),
    *("mills", "missions", "newspapers", "orchestra", "perfumes", "powerplants", "recipes"),
    *("rescue", "runners", "trees", "universities", "villagers"),
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
ONE_IN, LACKING = 4, "lacking"
"""One relation in so many is left out where it is asked what is answered then; of this kind."""
MADE = (CHAINED, LACKING)
"""The kinds of questions that nobody typed of this knowledge base; they are not reported."""
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


def hear(path: Path, folder: Path, questions: int) -> list[Heard]:
    """Ask a knowledge base, and the same without some relations.

    Args:
        path: its facts; the questions lie beside it.
        folder: where both are built and trained if they are not there yet.
        questions: made to train each.
    """
    typed = path.with_name(f"{path.stem}.questions.tsv")
    asked = [one for one in read_asked(typed) if question_words(one.text)]  # not of "!!"
    kb = _trained(path, folder, questions)
    found = _heard(path.stem, kb, [*asked, *chained(kb.store)])
    lesser, lost = lacking(path, typed, folder)
    return found + _heard(path.stem, _trained(lesser, folder, questions), lost)


def _heard(name: str, kb: KB, asked: Iterable[AskedQuestion]) -> list[Heard]:
    return [Heard(name, one, kb.answerer.voices(one.text)) for one in asked]


def _trained(path: Path, folder: Path, questions: int) -> KB:
    there = folder / f"{path.stem}.kb"
    if not there.exists():
        with path.open(encoding="utf-8") as file, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the namesakes of the staff are meant to be there
            build_kb(path, there, table=file.readline().strip() != TRIPLES)
    kb = KB(there)
    if not kb.trained.exists():
        kb.train(questions, show=False)
    return kb


def lacking(path: Path, typed: Path, folder: Path) -> tuple[Path, list[AskedQuestion]]:
    """Write facts without some relations, and return the questions that have no answer then.

    Strangers ask for what is not there as they ask for what is; few questions were typed for that.

    Args:
        path: of the facts.
        typed: of the questions, each with the query of its answers.
        folder: to write to.
    """
    with path.open(encoding="utf-8", newline="") as file:
        first, *rows = csv.reader(file)
    wide = ",".join(first) != TRIPLES
    relations = first[1:] if wide else list(dict.fromkeys(row[1] for row in rows))
    lost = random.Random(path.stem).sample(relations, max(1, len(relations) // ONE_IN))
    kept = [at for at, name in enumerate(first) if name not in lost]
    facts = [[row[at] for at in kept] for row in rows if wide or row[1] not in lost]
    written = io.StringIO()
    csv.writer(written).writerows([[first[at] for at in kept], *facts])
    lesser = folder / f"{path.stem}-lacking.csv"
    write_bytes(lesser, written.getvalue().encode())
    return lesser, _asking_for(lost, typed)


def _asking_for(relations: Iterable[str], typed: Path) -> list[AskedQuestion]:
    """Return the questions whose answers are queried by relations, without these answers."""
    with typed.open(encoding="utf-8", newline="") as file:
        asked = [*csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)]
    names = re.compile(rf"\b(?:{'|'.join(map(re.escape, relations))})\b")
    return [
        AskedQuestion(one["question"], (), LACKING)
        for one in asked
        if one["answers"] and names.search(one["query"])
    ]


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
