"""Recipes of language models: equal but for their core, refused where a field would be ignored."""

from dataclasses import replace
from pathlib import Path

import pytest
import torch

from memnets.cli.main import main
from memnets.experiments.configs.cran import CRANCore
from memnets.experiments.execute import start
from memnets.files import read_json
from memnets.inference import open_run
from memnets.studies import recipe
from memnets.studies.language import recipes as language
from memnets.studies.language.data import TextData
from memnets.studies.language.recipes import (
    Around,
    CacheGrid,
    LanguageTraining,
    MemN2NCore,
    MemN2NLanguage,
    RecurrentCore,
)
from memnets.training.config import Loop

NAMES = ("lstm", "gru", "cran", "memn2n")
CORES = {
    "lstm": RecurrentCore(hidden=7),
    "gru": RecurrentCore("gru", hidden=7),
    "cran": CRANCore(hidden=7, key_dim=3, zones=2, slots=3, k=1),
    "memn2n": MemN2NCore(hops=2, memory=11, linear=3),
}


def small(name, **more):
    return replace(
        recipe(f"language/{name}")(),
        data=TextData("generated"),
        model=Around(dim=5),
        core=CORES[name],
        training=LanguageTraining(batch=7, window=11, tokens=1000, evaluations=2),
        cache=CacheGrid(window=13),
        **more,
    )


@pytest.fixture(scope="module", params=NAMES)
def trained(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs") / request.param
    start(small(request.param), folder)
    return folder


def test_a_run_is_measured_and_kept_whole(trained):
    result = read_json(trained / "result.json")
    valid = result["metrics"]["valid"]
    assert result["seen"] == pytest.approx(1000, abs=77)
    assert valid["bits"] == pytest.approx((valid["bits/tuning"] + valid["bits/reporting"]) / 2)
    assert {"cache_bits/reporting", "joint_bits/reporting", "perplexity"} <= valid.keys()
    assert result["metrics"]["test"] == {}
    record = read_json(trained / "run.json")["data"]
    assert record["name"] == "generated stories"


def test_a_trained_model_goes_on_with_a_text(trained):
    answerer = open_run(trained).run.restore(trained)
    written = answerer.write("Mary went", 23, 0.8, seed=1)
    assert len(written.text) >= 23
    assert written.text == answerer.write("Mary went", 23, 0.8, seed=1).text
    assert written.text != answerer.write("Mary went", 23, 0.8, seed=2).text
    assert answerer.answer(["Mary went."], "John").question == "Mary went.\nJohn"
    assert written.steps[-1].name == "neural cache"
    assert sum(one.weight for one in written.steps[-1].supports) == pytest.approx(1, abs=1e-4)


@pytest.mark.slow
def test_examples_are_of_the_runs_own_text(trained):
    answerer = open_run(trained).run.restore(trained)
    examples = answerer.examples("test", 0)  # which this text lacks: of valid
    first = next(examples)
    valid, symbols = answerer.text.splits["valid"], answerer.text.vocabulary.symbols
    assert first.gold == symbols[valid[500]]
    assert first.correct is (first.text == first.gold)
    assert next(examples).gold == symbols[valid[500 + 997]]
    assert list(answerer.examples("test", 1)) == []


@pytest.mark.slow
def test_a_memory_of_zones_tells_what_it_read_at_every_symbol(trained):
    answerer = open_run(trained).run.restore(trained)
    texts = list(answerer.read_texts())
    assert len(texts) == (2 if trained.name == "cran" else 0)
    for text in texts:
        # The same as what a prediction at that place rests on, symbol by symbol.
        valid, symbols = answerer.text.splits["valid"], answerer.text.vocabulary.symbols
        place = 500 if text is texts[0] else 500 + len(valid) // 2 + 1
        units = [symbols[number] for number in valid[place - 500 : place]]
        shown = ["␣" if unit == " " else "⏎" if unit == "\n" else unit for unit in units[-60:]]
        assert text.words == shown
        (memory,) = (s for s in answerer.reader.predict(units).steps if s.name == "memory")
        read = {one.slot - 440: one.weight for one in memory.supports}
        for step, weight in read.items():
            assert text.weights[-1][step] == pytest.approx(weight, abs=1e-6)
        assert text.weights[-1].sum() + text.before[-1] == pytest.approx(sum(read.values()))


@pytest.mark.parametrize("name", NAMES)
def test_the_seed_decides_the_weights_and_nothing_outside(name):
    before = torch.get_rng_state()
    first, again, other = (
        small(name, loop=Loop(seed=seed)).prepare().experiment.model.state_dict()
        for seed in (0, 0, 1)
    )
    assert torch.equal(torch.get_rng_state(), before)
    assert all(torch.equal(first[key], again[key]) for key in first)
    assert any(not torch.equal(first[key], other[key]) for key in first)


def test_the_recipes_differ_in_their_core_alone():
    one, *others = (recipe(f"language/{name}")() for name in NAMES)
    for other in others:
        if not isinstance(other, MemN2NLanguage):  # the width of its embeddings is its core's
            assert other.model == one.model
        assert (one.data, one.training, one.cache) == (other.data, other.training, other.cache)


def test_the_rate_rises_and_falls_to_nothing():
    training = LanguageTraining(learning_rate=0.5, warmup=0.1)
    rates = [training.rate(update, 200) for update in range(200)]
    assert rates[0] == pytest.approx(0.5 / 20, rel=1e-3)
    assert max(rates) == rates[19] == pytest.approx(0.5, rel=0.03)
    assert rates[19:] == sorted(rates[19:], reverse=True)
    assert 0 < rates[-1] < 1e-3
    assert LanguageTraining(warmup=0.0).rate(0, 200) == LanguageTraining().learning_rate


def test_there_may_be_no_cache(tmp_path):
    run = replace(small("lstm"), cache=CacheGrid(window=0))
    start(run, tmp_path / "run")
    valid = read_json(tmp_path / "run" / "result.json")["metrics"]["valid"]
    assert not any("cache" in name for name in valid)
    assert open_run(tmp_path / "run").run.restore(tmp_path / "run").ask("Mary").steps == ()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: TextData("generated", Path("x")), r"data\.path x would be ignored"),
        (
            lambda: Around(dropout=1.0),
            r"model\.dropout is 1\.0: expected a share from 0 to below 1",
        ),
        (lambda: Around(dim=0), r"model\.dim is 0: expected at least 1"),
        (lambda: RecurrentCore(layers=0), r"core\.layers is 0: expected at least 1"),
        (lambda: MemN2NCore(hops=0), r"core\.hops is 0: expected at least 1"),
        (lambda: LanguageTraining(tokens=0), r"training\.tokens is 0: expected at least 1"),
        (lambda: CacheGrid(window=-1), r"cache\.window is -1: expected at least 0"),
        (
            lambda: MemN2NLanguage(model=Around(tied=True)),
            r"model\.tied True would be ignored: this model has neither",
        ),
    ],
)
def test_a_value_that_cannot_be_is_refused(make, message):
    with pytest.raises(ValueError, match=message):
        make()


def test_the_commands_go_on_with_a_text(trained, capsys):
    assert main(["ask", str(trained), "--question", "Mary", "--write.length", "9"]) == 0
    printed = capsys.readouterr().out
    assert "Mary" in printed
    assert "read by the neural cache" in printed
    assert main(["ask", str(trained), "--question", "Mary", "--write.surprisal"]) == 0
    assert "3 symbols," in capsys.readouterr().out
    assert main(["ask", str(trained), "--question", "Mary", "--json"]) == 0
    assert '"steps": [{"name"' in capsys.readouterr().out


def test_the_commands_measure_and_report(trained, tmp_path, capsys):
    assert main(["eval", str(trained), "--split", "valid"]) == 0
    printed = capsys.readouterr().out
    assert "perplexity" in printed
    assert "cache bits, reporting" in printed
    assert main(["eval", str(trained)]) == 2
    assert "--split test: the data of" in capsys.readouterr().err
    if trained.name == "lstm":  # the page is the same for all
        assert main(["report", str(trained), "--out", str(tmp_path)]) == 0
        assert "neural cache" in (tmp_path / "index.html").read_text("utf-8")


def test_prompts_come_from_a_file_or_the_keyboard(trained, tmp_path, capsys, monkeypatch):
    (tmp_path / "story.txt").write_text("Mary went.\nJohn")
    words = ["ask", str(trained), "--write.length", "5"]
    assert main([*words, "--story", str(tmp_path / "story.txt")]) == 0
    assert "Mary went.\nJohn" in capsys.readouterr().out
    monkeypatch.setattr("memnets.cli.ask._typed", lambda hint: ["Sandra\n", "\n", "Daniel\n"])
    assert main(words) == 0
    printed = capsys.readouterr().out
    assert printed.count("first symbol: ") == 2


@pytest.mark.data
def test_shakespeare_is_learnt(tmp_path):
    run = language.lstm()
    training = replace(run.training, tokens=200_000, evaluations=1)
    result = start(replace(run, training=training), tmp_path / "run")
    valid = result["metrics"]["valid"]
    assert valid["predicted"] == 111_539
    assert valid["bits"] < 3.5  # that of its letters' frequencies is 4.8
    assert valid["cache_bits/reporting"] < valid["bits/reporting"]
