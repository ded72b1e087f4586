"""Go on with a text, see what surprises a model in one, and what was read for it."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

import torch
from jaxtyping import Float
from torch import Tensor, nn

from memnets.data.text import END, UNKNOWN
from memnets.evidence import Answer, CodedText, ReadText, Step, Support
from memnets.evidence.coded_text import CodedSymbol, Expected, PlacesRead
from memnets.studies.language.neural_cache import read_cache
from memnets.studies.language.reading import of_cache, of_hops, of_zones

RUNNERS_UP = 3
"""How many other symbols are named."""
BEFORE = {"character": 20, "word": 4}
"""Symbols that are shown before a place that was read."""
SHOWN = 60
"""Symbols of a text that an answer repeats."""
TOLD = 500
"""Symbols of a text of which is told what was read for them, the last ones."""
SIGNS = {" ": "␣", "\n": "⏎"}
"""What is shown for a symbol that would not be seen at the end of a line."""


class TextReader:
    """A trained language model and its vocabulary.

    Args:
        model: in evaluation.
        symbols: by number.
        unit: "characters" or "words".
        window: how many steps a neural cache remembers; 0 for none.
        flatness: of the cache; None where it was never tuned, so that there is none.
    """

    def __init__(
        self,
        model: nn.Module,
        symbols: Sequence[str],
        unit: str,
        window: int,
        flatness: float | None,
    ) -> None:
        self.model, self.symbols = model, tuple(symbols)
        self.numbers = {symbol: number for number, symbol in enumerate(symbols)}
        self.between = " " if unit == "words" else ""
        self.unit = unit.removesuffix("s")
        self.window, self.flatness = window, flatness

    def units(self, text: str) -> list[str]:
        """Return the symbols of a text that was typed."""
        if self.between:
            return text.replace("\n", f" {END} ").split()
        made_of_words = END in self.numbers  # characters as they are made of files of words
        spelled = {" ": "_", "\n": END} if made_of_words else {}
        return [spelled.get(character, character) for character in text]

    def words(self, units: Sequence[str]) -> str:
        """Return symbols as a text."""
        return self.between.join("\n" if unit == END else unit for unit in units)

    @torch.no_grad()
    def predict(self, units: Sequence[str], gold: str | None = None) -> Answer:
        """Say which symbol follows, and which earlier places were read for it.

        Raises:
            ValueError: there is nothing to read.
        """
        found = self._read(units)
        likely = found.logits[0, -1].softmax(-1).topk(min(1 + RUNNERS_UP, len(self.symbols)))
        (text, probability), *runners_up = [
            (self.symbols[number], chance)
            for number, chance in zip(likely.indices.tolist(), likely.values.tolist(), strict=True)
        ]
        return Answer(
            f"{'…' if len(units) > SHOWN else ''}{self.words(units[-SHOWN:])}",
            text,
            probability,
            tuple(runners_up),
            self._evidence(units, found),
            self._unknown(units),
            gold,
            unit=self.unit,
        )

    @torch.no_grad()
    def read(self, units: Sequence[str], shown: int) -> ReadText | None:
        """Tell what was read at each of the last symbols of a text; None without zones.

        Args:
            units: the text.
            shown: how many of its last symbols are told of.
        """
        trace = self._trace(units)
        if trace is None:
            return None
        first = max(0, len(units) - shown)
        return ReadText(
            [SIGNS.get(unit, unit) for unit in units[first:]],
            trace.zones[0, first:].double().cpu().numpy(),
            trace.slots[0, first:].double().cpu().numpy(),
            trace.steps[0, first:].cpu().numpy() - first,
            first,
            self.unit,
        )

    @torch.no_grad()
    def write(self, prompt: str, length: int, temperature: float, seed: int) -> Answer:
        """Go on with a text; the probability is the geometric mean of the symbols'.

        Args:
            prompt: the text so far.
            length: symbols to write.
            temperature: the likeliest symbol is taken at 0; at 1 all as likely as the model says.
            seed: of the random numbers.

        Raises:
            ValueError: there is nothing to read, the length is below 1 or the temperature
                negative or no finite number.
        """
        if length < 1 or not 0 <= temperature < math.inf:
            raise ValueError(
                f"length {length} and temperature {temperature}: expected at least 1 symbol and "
                f"at least 0. Pass --write.length 200 --write.temperature 0.8, say."
            )
        first = self.predict(units := self.units(prompt))
        generator = torch.Generator().manual_seed(seed)
        found, written, total = self._read(units), [], 0.0
        for _ in range(length):
            logits = found.logits[0, -1]
            number = _draw(logits, temperature, generator)
            total += float(logits.log_softmax(-1)[number])
            written.append(self.symbols[number])
            found = self.model(torch.tensor([[number]]), found.state)
        probability = float(torch.tensor(total / length).exp())
        rivals = ((first.text, first.probability), *first.runners_up)
        return replace(
            first,
            question=prompt,
            text=self.words(written),
            probability=probability,
            runners_up=rivals,
        )

    @torch.no_grad()
    def surprisal(self, text: str) -> CodedText:
        """Tell what each symbol of a text but the first costs in bits, and what was read for it.

        Raises:
            ValueError: there is nothing to read.
        """
        units = self.units(text)
        found = self._read(units)
        log_prob = found.logits[0].log_softmax(-1)
        came = torch.tensor(self._number(units[1:]))
        bits = -log_prob[:-1].gather(-1, came[:, None]).squeeze(-1) / torch.tensor(2.0).log()
        expected = list(self._expected(units, found, log_prob.exp()))
        symbols = map(CodedSymbol, units[1:], bits.tolist(), expected)
        core: Any = getattr(self.model, "core", None)
        slots = core.cell.memory.slots if hasattr(core, "trace") else None
        return CodedText(
            text,
            self.unit,
            units[0],
            tuple(symbols),
            expected[-1],
            slots,
            self._unknown(units),
        )

    def _expected(
        self, units: Sequence[str], found: Any, chances: Float[Tensor, "time vocab"]
    ) -> Iterator[Expected]:
        """Yield what is expected after each symbol, and of the last ones what was read for it."""
        steps = range(len(units))[-TOLD:]
        reads: list[Iterator[list[PlacesRead]]] = []
        if hops := self._hops(found):
            reads.append(of_hops(hops, steps))
        if (trace := self._trace(units)) is not None:
            reads.append(of_zones(trace.zones[0], trace.slots[0], trace.steps[0], steps))
        if self.flatness is not None and self.window:
            reads.append(of_cache(found.hidden[0], self.window, self.flatness, steps))
        told = (tuple(chain(*together)) for together in zip(*reads, strict=True))
        likely = chances.topk(min(1 + RUNNERS_UP, len(self.symbols)))
        pairs = zip(likely.indices.tolist(), likely.values.tolist(), strict=True)
        for step, (numbers, shares) in enumerate(pairs):
            symbols = (self.symbols[number] for number in numbers)
            read = None if step < steps.start else next(told, ())
            yield Expected(tuple(zip(symbols, shares, strict=True)), read)

    def _read(self, units: Sequence[str]) -> Any:
        if not units:
            raise ValueError("there is no text to go on with. Pass --question 'ROMEO:', say.")
        return self.model(torch.tensor([self._number(units)]), None)

    def _trace(self, units: Sequence[str]) -> Any:
        """Return what a memory of zones reads at every symbol; None where there is none."""
        core: Any = getattr(self.model, "core", None)
        if not hasattr(core, "trace"):
            return None
        embedding: Any = self.model.embedding
        return core.trace(embedding(torch.tensor([self._number(units)])))

    def _hops(self, found: Any) -> list[Float[Tensor, "time slot"]]:
        """Return the weights of each hop over the last symbols; none without hops."""
        return [hop.weights[0] for hop in getattr(found, "hops", ())]

    def _number(self, units: Sequence[str]) -> list[int]:
        return [self.numbers.get(unit, self.numbers[UNKNOWN]) for unit in units]

    def _unknown(self, units: Sequence[str]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(unit for unit in units if unit not in self.numbers))

    def _evidence(self, units: Sequence[str], found: Any) -> tuple[Step, ...]:
        """Return what the model read, where it can say so, and what a neural cache reads."""
        steps = [*self._memory(units)]
        for hop, weights in enumerate(self._hops(found), start=1):
            read = weights[-1].tolist()[-len(units) :]
            places = enumerate(read, start=len(units) - len(read))
            steps.append(Step(f"hop {hop}", tuple(self._support(units, *one) for one in places)))
        if self.flatness is not None and self.window and len(units) > 1:
            read = read_cache(found.hidden[0], self.window, self.flatness).tolist()
            places = enumerate(read, start=len(units) - 1 - len(read))
            steps.append(Step("neural cache", tuple(self._support(units, *one) for one in places)))
        return tuple(steps)

    def _memory(self, units: Sequence[str]) -> list[Step]:
        """Return the earlier places whose states a CRAN read for the last one."""
        trace = self._trace(units)
        if trace is None:
            return []
        places = trace.steps[0, -1].flatten().tolist()
        weights = (trace.zones[0, -1, :, None] * trace.slots[0, -1]).flatten().tolist()
        read = sorted(pair for pair in zip(places, weights, strict=True) if pair[0] >= 0)
        return [Step("memory", tuple(self._support(units, *pair) for pair in read))]

    def _support(self, units: Sequence[str], place: int, weight: float) -> Support:
        """Show a place: the symbols up to it, and the one that followed."""
        first = max(0, place + 1 - BEFORE[self.unit])
        before = self.words(units[first : place + 1])
        after = self.words(units[place + 1 : place + 2])
        return Support(place, f"{before} → {SIGNS.get(after, after)}", weight)


def _draw(logits: Float[Tensor, " vocab"], temperature: float, generator: torch.Generator) -> int:
    if temperature == 0:
        return int(logits.argmax())
    chances = ((logits - logits.amax()) / temperature).softmax(-1)  # also next to 0
    return int(torch.multinomial(chances.cpu(), 1, generator=generator))
