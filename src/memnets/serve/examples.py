"""Examples of what a thing may be asked, with what is known of the right answers."""

import base64
import re
from collections.abc import Iterator, Mapping
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
BRIEF = 1000
"""Letters up to which an example comes before longer ones."""
LONGEST = 2**18
"""Letters of an example, at most."""
TOLD = ("story", "sentences", "steps", "facts")
"""What a thing is told, line by line, before it is asked."""

PLAIN: Mapping[tuple[str, ...], tuple[Body, ...]] = {
    ("story", "question"): (
        {
            "story": ["Mary went to the kitchen.", "John moved to the garden."],
            "question": "Where is Mary?",
        },
    ),
    ("sentences", "question"): (
        {
            "sentences": ["Rome lies on the Tiber.", "Oslo lies on a fjord."],
            "question": "Where does Rome lie?",
        },
    ),
    ("steps", "question"): ({"steps": ["k1 v2", "k0 v3"], "question": "k1"},),
    ("text",): (
        {"text": "two dogs run through the snow"},
        {"text": "zwei hunde laufen durch den schnee"},
    ),
    ("points",): ({"points": [[0.1, 0.2], [0.9, 0.3], [0.5, 0.8], [0.4, 0.4], [0.2, 0.7]]},),
    ("image", "question"): ({"image": "", "question": "what colour is it?"},),
    ("picture",): ({"picture": ""},),
}
"""By what it takes: what a run may be asked whose own data are not at hand, or tell nothing."""


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
    found: list[Example] = []
    try:
        for task in tasks:
            for answer in islice(answerer.examples("test", task), each):
                body = _body(answerer, answer)
                if body is not None and len(str(body)) <= LONGEST:
                    found.append(Example(body, _gold(answer)))
    finally:
        for name in vars(answerer).keys() - stays:
            delattr(answerer, name)
    yield from sorted(found, key=lambda one: len(str(one.body)) > BRIEF)


def plain(takes: tuple[str, ...]) -> Iterator[Example]:
    """Yield examples of nobody's data, whose right answers nobody knows."""
    for body in PLAIN.get(takes, ()):
        pictures = {name: _square() for name in body.keys() & {"image", "picture"}}
        yield Example(body | pictures, None)


def _square() -> str:
    """Return the picture of a red square on white."""
    import numpy as np

    from memnets.evidence.regions import png

    picture = np.full((64, 64, 3), 255, np.uint8)
    picture[20:44, 20:44] = (200, 30, 30)
    return base64.b64encode(png(picture)).decode()


def _body(answerer: Answerer, answer: Answer) -> Body | None:
    """Return what asks for an answer; None where the answer does not tell all of it."""
    body: Body = {}
    for name in answerer.takes:
        if name in TOLD:
            if answer.unread or not answer.given:
                return None
            body[name] = list(answer.given)
        elif name == "points":
            body[name] = [list(point) for point in getattr(answer, "points", ())]
        elif name in ("image", "picture"):
            if answer.regions is None:
                return None
            from memnets.evidence.regions import png

            body[name] = base64.b64encode(png(answer.regions.image)).decode()
        elif name == "text" and answer.given:
            body[name] = answer.given[0]
        else:
            body[name] = _whole(answer.question)
    return body


def _whole(text: str) -> str:
    """Return a text from its first whole line, or word, on, where its beginning was cut off."""
    if not text.startswith("…"):
        return text
    return text.partition("\n" if "\n" in text[:-20] else " ")[2] or text[1:]


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
