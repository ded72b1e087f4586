"""Simple questions asked of facts that nothing was trained on: in strings, and of WebQuestions."""

import random
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from memnets import results
from memnets.data.qa import webquestions
from memnets.data.qa.string_kb import in_strings
from memnets.experiments.jobs import FinishedRun, Runs
from memnets.studies.simple_qa import mini_table
from memnets.studies.simple_qa.mini_table import SimpleQATable, share_of, trained_models
from memnets.studies.simple_qa.recipes import SimpleQAMini

if TYPE_CHECKING:
    from torch import Tensor

    from memnets.models.simple_qa import SimpleQA

LINKED = 0.17
"""Share of Reverb's entities that were linked in the paper."""


class TransferTable(SimpleQATable):
    """The runs of the mini table, asked of facts that they were not trained on."""

    def rows(self, found: Mapping[str, Runs], data: Path | None) -> Iterator[results.Row]:
        ran = found["all"].done
        if len(ran) == mini_table.MEMBERS:
            yield from _transfer(ran)
            yield from _web(ran, data)


class Asking(NamedTuple):
    """Facts in strings, and the questions about them."""

    strings: Any
    questions: Any
    right: "list[frozenset[int]]"


def _transfer(ran: Mapping[int, FinishedRun]) -> Iterator[results.Row]:
    """Yield the accuracy on facts in strings: trained, and with vectors as they were drawn."""
    import torch

    from memnets.studies.simple_qa.task import reach
    from memnets.training.task import fold_in

    trained = trained_models(ran)
    drawn = []
    for one, model in zip(ran.values(), trained, strict=True):
        fresh = one.run.model.build(one.run.numbered().vocabulary)
        seed = torch.Generator().manual_seed(one.run.loop.seed)
        fresh.reset_parameters(fold_in(seed, 0))  # where this run began
        fresh.begin_as_called(one.run.numbered().memory.symbol_grams())
        drawn.append(fresh.requires_grad_(False))
        assert fresh.weight.shape == model.weight.shape
    for row, share in (
        ("unlinked", 0.0),
        (f"{LINKED:.0%} of names known", LINKED),
        ("linked", 1.0),
    ):
        asking = _asking(ran[0].run, share)
        note = f"{asking.strings.share_linked:.1%} of the strings linked"
        with_model = {
            one.run.loop.seed: _share(m, asking)
            for one, m in zip(ran.values(), trained, strict=True)
        }
        without = {
            one.run.loop.seed: _share(m, asking) for one, m in zip(ran.values(), drawn, strict=True)
        }
        yield share_of(f"{row}: trained on Freebase", "fact right", ran, with_model, note=note)
        yield share_of(f"{row}: vectors as drawn", "fact right", ran, without, note=note)
        gain = {seed: with_model[seed] - without[seed] for seed in with_model}
        low, high = results.interval(list(gain.values())) or (0.0, 0.0)
        interval = f"95 % interval {100 * low:.1f} to {100 * high:.1f}, over the seeds"
        yield share_of(f"{row}: trained minus drawn", "difference", ran, gain, note=interval)
    guess = [
        len(right & set(row)) / max(1, sum(fact >= 0 for fact in row))
        for row, right in zip(asking.questions.candidates.tolist(), asking.right, strict=True)
    ]
    number = float(reach(asking.questions)["candidates"].double().mean())
    recall = [
        bool(right & set(row))
        for row, right in zip(asking.questions.candidates.tolist(), asking.right, strict=True)
    ]
    yield share_of(
        "candidate recall",
        "right fact among the candidates",
        ran,
        {0: sum(recall) / len(recall)},
        note=f"{number:.1f} facts a question",
    )
    yield share_of("random guess", "fact right", ran, {0: sum(guess) / len(guess)})


def _share(model: "SimpleQA", asking: Asking) -> float:
    from memnets.studies.simple_qa.strings import hits
    from memnets.studies.simple_qa.task import answered, chosen

    found = answered(model, asking.strings.bags, asking.questions)
    right: Tensor = hits(chosen(asking.questions, found), asking.right)
    return float(right.double().mean())


@cache
def _asking(run: SimpleQAMini, share: float) -> Asking:
    """Write the facts that are candidates of the test questions as strings, and attach them."""
    from memnets.studies.simple_qa.memory import question_words
    from memnets.studies.simple_qa.strings import StringBags, ask_strings

    vocabulary, memory, questions = run.numbered()
    world = run.data.load()
    numbers = questions["test"].candidates.unique().tolist()
    facts = {number: memory.facts[number] for number in numbers if number >= 0}
    written = list(in_strings(facts, world.names, run.data.seed))
    draw = random.Random(run.data.seed)
    known = {entity for entity in world.names if draw.random() < share}
    aliases = {
        alias: entities
        for alias, entities in memory.aliases.items()
        # An ambiguous name stays so, whoever is known.
        if len(entities) > 1 or entities[0].name in known
    }
    strings = StringBags([one.extraction for one in written], aliases if share else {}, vocabulary)
    by_path: dict[tuple[str, str], set[int]] = {}
    for number, one in enumerate(written):
        key = " ".join(question_words(one.extraction.subject)), facts[one.fact].relation
        by_path.setdefault(key, set()).add(number)
    test = world.splits["test"]
    right = [
        frozenset(
            by_path.get((" ".join(question_words(world.names.get(q.subject, ""))), q.relation), ())
        )
        for q in test
    ]
    return Asking(strings, ask_strings([q.text for q in test], strings, memory.aliases), right)


def _web(ran: Mapping[int, FinishedRun], data: Path | None) -> Iterator[results.Row]:
    """Yield F1 on WebQuestions, and first how much of it can be answered at all."""
    from memnets.studies.simple_qa.web_questions import answerable, predict, topics

    questions = webquestions.load_questions("val", data)
    _, memory, _ = ran[0].run.numbered()
    names = ran[0].run.data.load().names
    linked = sum(bool(topics(one, memory)) for one in questions) / len(questions)
    texts = {one.text for one in answerable(questions, memory, names)}
    within = [number for number, one in enumerate(questions) if one.text in texts]
    yield share_of("WebQuestions: topic at hand", "questions", ran, {0: linked})
    yield share_of(
        "WebQuestions: answer at hand", "questions", ran, {0: len(within) / len(questions)}
    )
    predicted = predict(trained_models(ran), questions, memory, names)
    everything = webquestions.scores(predicted, questions)
    note = f"ensemble of {len(ran)}"
    yield share_of("WebQuestions: all", "F1", ran, {0: everything.f1}, note=note)
    if within:
        some = webquestions.scores(
            [predicted[number] for number in within], [questions[number] for number in within]
        )
        note = f"{note}; {len(within)} questions"
        yield share_of("WebQuestions: answer at hand, F1", "F1", ran, {0: some.f1}, note=note)


def simple_qa_transfer() -> TransferTable:
    """Facts in strings, attached to a model that was never trained on any."""
    return TransferTable(
        title="Simple QA: facts in strings (a substitute for Reverb), WebQuestions; no training",
        entries=(mini_table.entries()["all"],),
    )
