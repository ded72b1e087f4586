"""Going on with a text: by the model's own probabilities, and what was read for it."""

import math

import pytest
import torch

from memnets.data.text import END, UNKNOWN
from memnets.experiments.configs.cran import CRANCore
from memnets.layers.recurrent import LSTM
from memnets.models.language import LanguageModel
from memnets.models.memn2n_lm import MemN2NLanguageModel
from memnets.studies.language.inference import TextReader, _draw
from memnets.studies.language.reading import LEAST
from memnets.studies.language.task import read

LETTERS = (*"abc \n", UNKNOWN)
WORDS = ("the", "cat", END, UNKNOWN)


KINDS = {
    "cran": lambda: CRANCore(hidden=7, key_dim=3, zones=3, slots=2, k=2).build(5),
    "blank": lambda: CRANCore(hidden=7, key_dim=3, zones=3, slots=2, k=2, blank=True).build(5),
    "memn2n": lambda: None,
    "lstm": lambda: None,
}


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
    assert (written.first, [each.symbol for each in written]) == ("a", list(text[1:]))
    assert [each.bits for each in written] == pytest.approx(bits.tolist(), rel=1e-5)
    assert written.bits == pytest.approx(float(bits.mean()), rel=1e-5)
    assert [each.probability for each in written] == pytest.approx((2**-bits).tolist(), rel=1e-5)


@pytest.mark.parametrize("place", [1, 2, 5, 8])
@pytest.mark.parametrize("kind", ["cran", "blank", "memn2n", "lstm"])
def test_before_every_symbol_is_told_what_was_expected_and_read(kind, place):
    # At each place it is what is told of the text that ends before it.
    text, one = "abcab caz", reader(core=KINDS[kind]())
    if kind == "memn2n":
        model = MemN2NLanguageModel(len(LETTERS), memory=3, dim=7, hops=2, linear=2).eval()
        one = TextReader(model, LETTERS, "character", window=4, flatness=0.3)
    told = one.surprisal(text)
    expected = (*(each.expected for each in told), told.next)[place - 1]
    answer = one.predict(list(text[:place]))
    first, *others = expected.likeliest
    assert first == (answer.text, pytest.approx(answer.probability))
    assert others == [(each, pytest.approx(share)) for each, share in answer.runners_up]
    found = {}
    for one_read in expected.read:
        name = "memory" if one_read.name.startswith("zone") else one_read.name
        found.setdefault(name, {}).update(zip(one_read.places, one_read.weights, strict=True))
    wanted = {
        step.name: {each.slot: each.weight for each in step.supports if each.weight >= LEAST}
        for step in answer.steps
    }
    assert found == {name: pytest.approx(read, abs=1e-4) for name, read in wanted.items() if read}


def test_of_a_single_symbol_nothing_is_known_but_what_may_follow():
    told = reader().surprisal("a").to_json()
    assert (told["bits"], told["symbols"], told["next"]["read"]) == (None, (), ())
    assert len(told["next"]["likeliest"]) == 4


def test_zones_are_called_by_their_number_and_hold_symbols_that_follow_each_other():
    told = reader(core=KINDS["cran"]()).surprisal("abcab caz")
    assert told.slots == 2
    for each in told:
        for one_read in each.expected.read:
            if one_read.name != "neural cache":
                assert {place // 2 for place in one_read.places} == {int(one_read.name[5:]) - 1}
    assert told.symbols[0].expected.read == ()
    assert reader().surprisal("ab").slots is None


def test_of_a_long_text_the_last_symbols_alone_tell_what_was_read(monkeypatch):
    monkeypatch.setattr("memnets.studies.language.inference.TOLD", 3)
    told = reader().surprisal("abcabcab")
    read = [each.expected.read for each in (*told,)] + [told.next.read]
    assert [one is None for one in read] == [True] * 5 + [False] * 3
    assert [one[0].places[-1] for one in read[5:]] == [4, 5, 6]


def test_what_hardly_was_read_is_left_out_and_symbols_never_seen_are_named():
    record = reader().surprisal("azbz").to_json()
    assert record["unknown_words"] == ("z",)
    weights = [w for one in record["symbols"] for read in one["read"] for w in read["weights"]]
    assert weights
    assert min(weights) >= LEAST
    assert record["symbols"][0].keys() == {"symbol", "bits", "probability", "likeliest", "read"}
    assert record["next"].keys() == {"likeliest", "read"}


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
        (lambda one: one.surprisal(""), "there is no text to go on with"),
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
