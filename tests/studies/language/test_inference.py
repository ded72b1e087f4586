"""Going on with a text: by the model's own probabilities, and what was read for it."""

import math

import pytest
import torch

from memnets.data.text import END, UNKNOWN
from memnets.experiments.configs.cran import CRANCore
from memnets.layers.recurrent import LSTM
from memnets.models.language import LanguageModel
from memnets.studies.language.inference import TextReader, _draw
from memnets.studies.language.task import read

LETTERS = (*"abc \n", UNKNOWN)
WORDS = ("the", "cat", END, UNKNOWN)


def reader(symbols=LETTERS, unit="characters", flatness=0.3, core=None):
    model = LanguageModel(len(symbols), core or LSTM(5, 7), dim=5).eval()
    return TextReader(model, symbols, unit, window=4, flatness=flatness)


def test_a_text_is_read_in_its_units():
    assert reader().units("ab\nz") == ["a", "b", "\n", "z"]
    assert reader(WORDS, "words").units("the cat\nthe") == ["the", "cat", END, "the"]
    made_of_words = (*"ab_", END, UNKNOWN)
    assert reader(made_of_words).units("a b\n") == ["a", "_", "b", END]
    assert reader(WORDS, "words").words(["the", END, "cat"]) == "the \n cat"


def test_the_likeliest_symbol_is_the_answer():
    one = reader()
    answer = one.predict(list("abca"), gold="b")
    logits = one.model(torch.tensor([[0, 1, 2, 0]])).logits[0, -1].detach()
    assert answer.text == LETTERS[int(logits.argmax())]
    assert answer.probability == pytest.approx(float(logits.softmax(-1).max()))
    assert answer.gold == "b"
    assert len(answer.runners_up) == 3


def test_surprise_is_what_the_model_pays():
    one, text = reader(), "ab cab"
    numbers = torch.tensor([LETTERS.index(letter) for letter in text])
    bits = -read(one.model, numbers).log_prob / math.log(2)
    written = one.surprisal(text)
    assert [each.symbol for each in written] == list(text[1:])
    assert [each.bits for each in written] == pytest.approx(bits.tolist(), rel=1e-5)


def test_at_temperature_zero_the_likeliest_is_written():
    one = reader()
    written = one.write("ab", 5, temperature=0.0, seed=0)
    units = list("ab")
    for _ in range(5):
        units.append(one.predict(units).text)
    assert one.words(units[2:]) == written.text
    assert one.write("ab", 5, 0.0, seed=1).text == written.text


def test_a_long_text_is_shown_from_its_end():
    assert reader().predict(list(61 * "a")).question == "…" + 60 * "a"


def test_symbols_that_were_never_seen_are_named():
    answer = reader().predict(list("azbyz"))
    assert answer.unknown_words == ("z", "y")
    assert answer.remarks == ("unknown characters: z, y",)


def test_the_caches_evidence_is_the_places_in_its_window():
    answer = reader().predict(list("abcab c"))
    (step,) = answer.steps
    assert [support.slot for support in step.supports] == [2, 3, 4, 5]
    assert [support.text[-1] for support in step.supports] == list("ab␣c")
    assert step.supports[0].text == "abc → a"
    assert sum(support.weight for support in step.supports) == pytest.approx(1.0)


def test_without_a_tuned_cache_there_is_none():
    assert reader(flatness=None).predict(list("abc")).steps == ()


@pytest.mark.parametrize("blank", [False, True])
def test_a_cran_shows_the_steps_it_read(blank):
    core = CRANCore(hidden=7, key_dim=3, zones=3, slots=2, k=2, blank=blank).build(5)
    one = reader(core=core)
    memory, cache = one.predict(list("abcab ca")).steps
    assert (memory.name, cache.name) == ("memory", "neural cache")
    places = [support.slot for support in memory.supports]
    assert places == sorted(set(places))
    assert set(places) <= set(range(7))
    numbers = torch.tensor([[0, 1, 2, 0, 1, 3, 2, 0]])
    with torch.no_grad():
        trace = core.trace(one.model.embedding(numbers))
    total = float((trace.zones[0, -1, :, None] * trace.slots[0, -1]).sum())
    assert sum(support.weight for support in memory.supports) == pytest.approx(total)
    shown = one.predict(list("ab")).steps[0].supports
    assert [(each.slot, each.text) for each in shown] == [(0, "a → b")]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda one: one.write("", 3, 1.0, 0), "there is no text to go on with"),
        (lambda one: one.write("a", 0, 1.0, 0), "length 0 and temperature 1.0: expected at least"),
        (lambda one: one.write("a", 3, -1.0, 0), "length 3 and temperature -1.0: expected"),
        (lambda one: one.surprisal("a"), "'a': a text of 1 symbols surprises nobody"),
    ],
)
def test_what_cannot_be_read_or_written_is_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call(reader())


def test_what_could_have_been_written_first_stands_beside_what_was():
    one = reader()
    first, written = one.predict(list("ab")), one.write("ab", 3, 0.0, seed=0)
    assert written.question == "ab"
    assert written.runners_up == ((first.text, first.probability), *first.runners_up)
    assert written.steps == first.steps


def test_a_temperature_sharpens_what_is_drawn():
    logits, generator = torch.tensor([0.0, math.log(3.0)]), torch.Generator().manual_seed(0)
    for temperature, share in ((1.0, 3 / 4), (0.5, 9 / 10), (2.0, 3**0.5 / (1 + 3**0.5))):
        drawn = [_draw(logits, temperature, generator) for _ in range(300)]
        assert sum(drawn) / 300 == pytest.approx(share, abs=0.06)
    assert _draw(logits, 0.0, generator) == 1
    assert _draw(logits, 1e-9, generator) == 1


def test_a_place_is_shown_with_the_twenty_symbols_up_to_it():
    text = "".join("abc"[n * n % 3] for n in range(31))
    (step,) = reader().predict(list(text)).steps
    last = step.supports[-1]
    assert (last.slot, last.text) == (29, f"{text[10:30]} → {text[30]}")
