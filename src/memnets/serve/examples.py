"""Examples of what a thing may be asked, with what is known of the right answers."""

import base64
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from memnets.evidence import Answer
from memnets.experiments.answerer import Answerer
from memnets.inference import KB
from memnets.kb.documents.docstore import DocStore
from memnets.serve.bodies import Body

MOST = 8
"""Examples of a thing, about as many."""
EACH = 3
"""Examples of one task."""
LONGEST = 2**18
"""Letters of an example, at most."""
TOLD = ("story", "sentences", "steps", "facts")
"""What a thing is told, line by line, before it is asked."""


class Example(NamedTuple):
    """A body that asks a thing, and what is known of the right answer: itself, and its supports."""

    body: Body
    gold: dict[str, Any] | None


def of_run(answerer: Answerer) -> Iterator[Example]:
    """Yield examples of a run's own test data.

    Raises:
        FileNotFoundError: they are not at hand.
        ValueError: they are damaged.
    """
    tasks = getattr(getattr(answerer.run, "data", None), "tasks", None) or (0,)
    each = MOST if len(tasks) == 1 else EACH if len(tasks) < MOST else 1
    answerer.model  # noqa: B018, stays; the data that it was trained on go when this has ended
    stays = set(vars(answerer))
    try:
        for task in tasks:
            for answer in islice(answerer.examples("test", task), each):
                body = _body(answerer, answer)
                if body is not None and len(str(body)) <= LONGEST:
                    yield Example(body, _gold(answer))
    finally:
        for name in vars(answerer).keys() - stays:
            delattr(answerer, name)


def _body(answerer: Answerer, answer: Answer) -> Body | None:
    """Return what asks for an answer; None where the answer does not tell all of it."""
    body: Body = {}
    for name in answerer.takes:
        if name in TOLD:
            if answer.unread or not answer.steps:
                return None
            body[name] = [support.text for support in answer.steps[0].supports]
        elif name == "points":
            body[name] = [list(point) for point in getattr(answer, "points", ())]
        elif name in ("image", "picture"):
            if answer.regions is None:
                return None
            from memnets.evidence.regions import png

            body[name] = base64.b64encode(png(answer.regions.image)).decode()
        else:
            body[name] = answer.question.removeprefix("…")  # a text that was cut short
    return body


def _gold(answer: Answer) -> dict[str, Any] | None:
    if answer.gold is None:
        return None
    supports = answer.steps[0].supports if answer.steps else ()
    known = any(one.gold is not None for one in supports)
    slots = [one.slot for one in supports if one.gold] if known else None
    return {"answer": answer.gold, "supports": slots}


def of_kb(kb: KB) -> Iterator[Example]:
    """Yield a question for each of the first relations, in plain words."""
    store, asked = kb.store, set[str]()
    for number in range(0, len(store.facts), max(1, len(store.facts) // 2000)):
        subject, relation, _ = store.facts[number]
        if relation in asked:
            continue
        asked.add(relation)
        words = re.sub(r"[_\s]+", " ", Path(relation).name).strip().lower()
        gold = {"answer": ", ".join(store.objects(subject, relation)), "supports": None}
        yield Example({"question": f"What is the {words} of {subject}?"}, gold)
        if len(asked) == MOST:
            return


def of_documents(store: DocStore) -> Iterator[Example]:
    """Yield a question about each of the first documents, by its title."""
    for title in islice(dict.fromkeys(store.titles), 3):
        yield Example({"question": f"What is {title}?"}, None)
