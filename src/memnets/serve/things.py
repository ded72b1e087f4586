"""What is served: a run, a knowledge base or documents, each opened, asked and described alike."""

import gc
import json
import os
import re
import tempfile
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from memnets.experiments.answerer import Answerer, as_question, without_frames
from memnets.files import read_json
from memnets.inference import KB, load
from memnets.inference.kb import beside, is_kb
from memnets.kb.documents.docstore import FORMAT as DOCUMENTS
from memnets.kb.documents.docstore import DocStore
from memnets.serve.apart import Apart, Told
from memnets.serve.bodies import FIELDS, SHOWN, WRITING, Body, Field, check
from memnets.serve.examples import Example, of_documents, of_kb, of_run, plain

NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,63}")
"""What a thing may be called: it stands in an address."""

Stamp = tuple[tuple[int, int, int] | None, ...]


class Opened(ABC):
    """A thing that can be asked.

    Attributes:
        kind: of run, or "kb", or "documents".
        title: what it is, in plain words.
        takes: what has to be given to it.
        may_take: what may be given besides.
        gives: "answer", "text", or "sentences".
        fields: of a body that asks it.
    """

    kind: str
    title: str
    takes: tuple[str, ...]
    may_take: tuple[str, ...] = ()
    gives: str
    fields: Mapping[str, Field]

    @abstractmethod
    def ask(self, body: Body) -> Any:
        """Return the record that the command line prints as JSON.

        Raises:
            ValueError: the question cannot be answered; the text says why.
        """

    def ask_all(self, bodies: Sequence[Body]) -> list[Any]:
        """Answer several bodies; an error stands in the place of an answer that there is not."""
        return [self._tried(body) for body in bodies]

    def lines(self, bodies: Sequence[Body]) -> list[Told]:
        """Answer several bodies as `ask_all` does; answers are lines of JSON."""
        found = self.ask_all(bodies)
        return [one if isinstance(one, Exception) else line_of(one).encode() for one in found]

    def _tried(self, body: Body) -> Any:
        try:
            return self.ask(body)
        except ValueError as error:
            return without_frames(error)
        except Exception as error:  # a fault of ours, of which the log is to tell all
            return error

    @abstractmethod
    def examples(self) -> Iterator[Example]:
        """Yield bodies that ask it, with what is known of the right answer."""


class OpenedRun(Opened):
    """A trained model.

    Args:
        answerer: it, and all that it needs to answer.
    """

    def __init__(self, answerer: Answerer) -> None:
        self.answerer = answerer
        self.kind, self.takes, self.gives = answerer.run.kind, answerer.takes, answerer.gives
        self.may_take = answerer.may_take
        self.title = _title_of(answerer)
        fields = {name: FIELDS[name] for name in answerer.takes}
        fields |= {name: FIELDS[name]._replace(needed=False) for name in answerer.may_take}
        self.fields = fields | (WRITING if answerer.gives == "text" else {})

    def ask(self, body: Body) -> Any:
        if self.gives == "text":
            return self._written(**body)
        if "points" in body:
            return self.answerer.ask(body["points"]).to_json()
        if picture := self.fields.keys() & {"image", "picture"}:
            return self._seen(body, *picture)
        return self.answerer.ask(**_asking(body)).to_json()

    def _seen(self, body: Body, name: str) -> Any:
        """Ask about a picture, which models read from a file."""
        with tempfile.TemporaryDirectory(prefix="memnets-") as folder:
            file = Path(folder) / "picture"
            file.write_bytes(body[name])
            try:
                if name == "picture":
                    return self.answerer.ask(str(file)).to_json()
                return self.answerer.ask([str(file)], _asking(body)["question"]).to_json()
            except ValueError as error:
                raise ValueError(str(error).replace(str(file), name)) from None

    def ask_all(self, bodies: Sequence[Body]) -> list[Any]:
        if self.takes != ("story", "question"):
            return super().ask_all(bodies)
        replies = self.answerer.ask_each([_asking(body) for body in bodies])
        return [one if isinstance(one, Exception) else one.to_json() for one in replies]

    def _written(self, text: str, surprisal: bool = False, **how: Any) -> Any:
        model: Any = self.answerer
        if not surprisal:
            return model.write(text, **how).to_json()
        return model.surprisal(text).to_json()

    def examples(self) -> Iterator[Example]:
        return of_run(self.answerer)


class OpenedKB(Opened):
    """A knowledge base with its trained model.

    Args:
        kb: it.
    """

    kind, takes, gives = "kb", ("question",), "answer"

    def __init__(self, kb: KB) -> None:
        self.kb, self.answerer = kb, kb.answerer
        facts, relations = len(kb.store.facts), len(kb.store.relations)
        self.title = f"A knowledge base of {facts:,} facts in {relations:,} relations"
        self.fields = {"question": FIELDS["question"]}

    def ask(self, body: Body) -> Any:
        return self.answerer.ask(body["question"]).to_json()

    def examples(self) -> Iterator[Example]:
        return of_kb(self.kb)


class OpenedDocuments(Opened):
    """Documents, of which the sentences that match a question are shown.

    Args:
        store: of them.
    """

    kind, takes, gives = "documents", ("question",), "sentences"

    def __init__(self, store: DocStore) -> None:
        self.store = store
        self.title = f"{len(store):,} sentences of {len(store.titles):,} documents"
        self.fields = {"question": FIELDS["question"], "most": SHOWN}

    def ask(self, body: Body) -> Any:
        found = self.store.ask(**body)
        return {"question": body["question"], "sentences": [one._asdict() for one in found]}

    def examples(self) -> Iterator[Example]:
        return of_documents(self.store)


def open_thing(path: Path) -> Opened:
    """Open what a folder holds.

    Raises:
        FileNotFoundError: it holds nothing that can be asked.
        ValueError: it is damaged, or of another version.
    """
    if is_kb(path) and read_json(path / "index.json").get("format") == DOCUMENTS.name:
        return OpenedDocuments(DocStore.open(path))
    found = load(path)
    return OpenedKB(found) if isinstance(found, KB) else OpenedRun(found)


def open_alone(path: Path) -> Opened:
    """Open what a folder holds in a process that does nothing else."""
    import torch

    torch.set_num_threads(1)
    collected()
    return open_thing(path)


def open_things(
    named: Mapping[str, Path], tell: Callable[["Thing"], None], processes: int = 0
) -> "list[Thing]":
    """Open what is served.

    Args:
        named: the folders by their names.
        tell: is told of each when it is open.
        processes: of each thing, that answer; with none, this process does.

    Raises:
        FileNotFoundError: a folder holds nothing that can be asked.
        ValueError: it is damaged, or of another version.
    """
    collected()
    things = []
    for name, path in named.items():
        things.append(Thing(name, path, processes))
        tell(things[-1])
    return things


def collected() -> None:
    """Keep what was imported: a search for garbage among it would hold everybody who asks."""
    import torch  # noqa: F401

    gc.collect()
    gc.freeze()


class Thing:
    """Something that is served under a name, opened anew where it has changed on disk.

    Args:
        name: in addresses.
        path: of its folder.
        processes: that answer; with none, this process does.
    """

    apart: Apart | None = None

    def __init__(self, name: str, path: Path, processes: int = 0) -> None:
        self.name, self.path, self.processes = name, path, processes
        self._open()

    def lines(self, bodies: Sequence[Body]) -> list[Told]:
        """Answer several bodies, here or in processes of its own."""
        return (self.apart or self.opened).lines(bodies)

    def renew(self) -> bool:
        """Open it anew if it has changed, and return whether it had; the old one answers till then.

        Raises:
            Exception: of opening it.
        """
        if self._stamp() == self.stamp:
            return False
        self._open()
        return True

    def _open(self) -> None:
        stamp, opened = self._stamp(), open_thing(self.path)
        described = self._described(opened)
        apart = Apart(open_alone, self.path, self.processes) if self.processes else None
        self.opened, self.apart = opened, apart
        self.described, self.stamp = described, stamp

    def _described(self, opened: Opened) -> dict[str, Any]:
        """Return what `/v1/things` tells of it: examples that it answers, and what is right."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            examples = _some(opened, opened.examples()) or _some(opened, plain(opened.takes))
        return {
            "name": self.name,
            "kind": opened.kind,
            "takes": list(opened.takes),
            "may_take": list(opened.may_take),
            "gives": opened.gives,
            "title": opened.title,
            "examples": [example.body for example in examples],
            "gold": [example.gold for example in examples],
        }

    def _stamp(self) -> Stamp:
        """Return what tells one state of the files from another."""
        trained = beside(self.path, "trained")
        phrases = beside(self.path, "phrases.toml")
        files = (self.path / "index.json", self.path / "run.json", self.path / "result.json")
        return tuple(map(_state, (*files, trained / "run.json", trained / "result.json", phrases)))


def named_paths(given: Sequence[str]) -> dict[str, Path]:
    """Return what is served by its name: NAME=PATH, or a path whose last part is its name.

    Raises:
        ValueError: a name will not do, or came twice.
    """
    named: dict[str, Path] = {}
    for word in given:
        name, equals, path = word.partition("=")
        if not equals or "/" in name or os.sep in name:
            name, path = Path(word).resolve().name, word
        if not NAME.fullmatch(name):
            raise ValueError(
                f"{word}: {name!r} cannot stand in an address; expected letters, digits, '.', '_' "
                f"and '-', 64 at most. Name it: NAME={path or word}"
            )
        if name in named:
            raise ValueError(
                f"{word}: {named[name]} is called {name} too. Name one of them: {name}-2={path}"
            )
        named[name] = Path(path)
    return named


def line_of(record: Any) -> str:
    """Return a record as the command line prints it."""
    return json.dumps(record, ensure_ascii=False)


def _asking(body: Body) -> Body:
    """Return a body whose question is in plain form, as `memnets ask` asks it."""
    if "question" not in body:
        return body
    question = body["question"].strip()
    return body | {"question": as_question(question) or f"{question}?"}


def _some(opened: Opened, examples: Iterator[Example]) -> list[Example]:
    """Return the examples that are answered; none where its data are not at hand, or changed."""
    try:
        return [one for one in examples if _answered(opened, one)]
    except (OSError, ValueError):
        return []


def _answered(opened: Opened, example: Example) -> bool:
    """Whether an example is answered; one that is not would mislead."""
    reply = opened.ask_all([check(example.body, opened.fields)])[0]
    return not isinstance(reply, Exception) and reply.get("objects") != []


def _title_of(answerer: Answerer) -> str:
    """Return what a run is, by the first sentence of its recipe, or of its kind."""
    from memnets.studies import recipes

    made = recipes().get(answerer.name)
    told = (made.__doc__ if made else None) or type(answerer.run).__doc__ or answerer.name
    return " ".join(told.strip().split("\n\n")[0].split())


def _state(path: Path) -> tuple[int, int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_ino, found.st_size
