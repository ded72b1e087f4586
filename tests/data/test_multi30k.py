"""Multi30k: downloaded from a server of our own, and the real files where they are at hand."""

import gzip
import hashlib
from dataclasses import replace
from itertools import islice

import pytest
import torch

from memnets.cli.data import main
from memnets.data.official import digests, states
from memnets.data.pairs import (
    FILES,
    PAIRS,
    Subwords,
    Words,
    join_words,
    load_multi30k,
    split_words,
)
from memnets.data.sources import SOURCES, Archive
from memnets.tasks.link_agreement import agreement
from memnets.tasks.word_links import WordLinks
from memnets.training.task import shuffled_by_length
from served import Server, member, tar

KNOWN = SOURCES["multi30k"]
PLAIN = [
    *zip(
        ["mann", "frau", "hund", "zwei", "drei"],
        ["man", "woman", "dog", "two", "three"],
        strict=True,
    ),
    *zip(["mädchen", "wasser", "und", ".", ","], ["girl", "water", "and", ".", ","], strict=True),
]
"""German words with one plain translation."""
TEXTS = {"de": "Zwei Männer\nEin Hund\n", "en": "Two men\nA dog\n"}


def archive(texts) -> bytes:
    """An archive of the published layout, its files by their official place."""
    return tar(*(member(f"{KNOWN.folder}/{place}", text) for place, text in texts.items()))


@pytest.fixture
def served(tmp_path, monkeypatch):
    """Where the set is downloaded from, and the cache that it is downloaded into."""
    monkeypatch.setenv("MEMNETS_CACHE", str(tmp_path))
    monkeypatch.delenv("MEMNETS_DATA", raising=False)
    monkeypatch.setattr("pooch.core.time.sleep", lambda _: None)
    server = Server()

    def serve(data: bytes, sha256: str | None = None) -> None:
        server.reply(data)
        one = Archive(server.address(), len(data), sha256)
        monkeypatch.setitem(SOURCES, "multi30k", replace(KNOWN, archives=(one,)))

    yield serve
    server.stop()


def test_what_is_downloaded_is_found_and_read(served, capsys):
    data = archive({place: gzip.compress(TEXTS[place[-5:-3]].encode()) for place in
                    digests("multi30k")})  # fmt: skip
    served(data, hashlib.sha256(data).hexdigest())
    assert main(["get", "multi30k"]) == 0
    told = capsys.readouterr().out
    assert "research and education only" in told
    assert "Elliott et al. 2016" in told
    with pytest.warns(UserWarning, match="published") as warned:
        pairs = load_multi30k("valid")
    assert pairs == (("Zwei Männer", "Two men"), ("Ein Hund", "A dog"))
    told = [str(one.message) for one in warned]
    assert sum("this is not the published file" in one for one in told) == 2
    assert sum("it has 2 records, where 1,014 were published" in one for one in told) == 1
    with pytest.warns(UserWarning, match="published"):
        assert load_multi30k("test", source="en", target="de")[1] == ("A dog", "Ein Hund")


def test_an_archive_whose_bytes_are_not_pinned_must_hold_the_published_files(served):
    served(archive(dict.fromkeys(digests("multi30k"), b"")))
    with pytest.raises(ValueError, match=r"data/task1/raw/train\.de\.gz is not the official file"):
        main(["get", "multi30k"])


def test_where_nothing_is_at_hand_it_says_what_to_do(tmp_path):
    expected = digests("multi30k")["data/task1/raw/val.de.gz"]
    with pytest.raises(FileNotFoundError, match=rf"val\.de\.gz: .*sha256 {expected}.*data get mul"):
        load_multi30k("valid", tmp_path)


def test_other_parts_and_languages_are_refused():
    with pytest.raises(ValueError, match=r"'dev': there is no such part\. .*train, valid"):
        load_multi30k("dev")
    for languages in (("de", "fr"), ("de", "de")):
        with pytest.raises(ValueError, match=rf"from 'de' to '{languages[1]}': Multi30k is read"):
            load_multi30k("train", source=languages[0], target=languages[1])


# The real files


@pytest.fixture(scope="module")
def real():
    try:
        return {split: load_multi30k(split) for split in FILES}
    except FileNotFoundError as missing:
        pytest.skip(f"{missing}")


@pytest.fixture(scope="module")
def files(real):
    places = {file: place for file, (_, place) in states("multi30k").items()}
    return {file: place.read_bytes() for file, place in places.items()}


@pytest.mark.data
def test_the_published_files_have_the_published_pairs(real):
    assert {split: len(pairs) for split, pairs in real.items()} == PAIRS
    assert all(source and target for pairs in real.values() for source, target in pairs)
    assert real["train"][0] == (
        "Zwei junge weiße Männer sind im Freien in der Nähe vieler Büsche.",
        "Two young, White males are outside near many bushes.",
    )
    # Of the pairs that are measured none is trained on.
    assert not set(real["train"]) & {*real["valid"], *real["test"]}
    assert sum(len(target.split()) for _, target in real["train"]) == 345_020


@pytest.mark.data
def test_the_published_files_are_taken_from_an_archive_that_is_not_pinned(real, files, served):
    served(archive(files))
    assert main(["get", "multi30k"]) == 0
    assert load_multi30k("valid") == real["valid"]


@pytest.mark.data
@pytest.mark.parametrize(
    ("side", "size", "unknown", "exact"), [(0, 7_849, 568, 133), (1, 5_919, 273, 35)]
)
def test_words_know_most_of_it_and_give_nearly_all_back(real, side, size, unknown, exact):
    texts = [pair[side] for pair in real["train"]]
    words = Words.of(texts)
    assert len(words) == size
    assert sum(len(words.unknown(pair[side])) for pair in real["valid"]) == unknown
    assert sum(join_words(split_words(text)) != text for text in texts) == exact


@pytest.mark.data
def test_subwords_give_back_every_sentence_of_it(real):
    pytest.importorskip("tokenizers", reason="not installed: pip install memnets[translation]")
    texts = [text for pair in real["train"] for text in pair]
    subwords = Subwords.of(texts, most=8_000)
    assert len(subwords) == 8_000
    assert all(subwords.text(subwords.numbers(text)) == text for text in texts[::7])


@pytest.mark.data
@pytest.mark.parametrize("batch", [32, 64, 128])
def test_batches_of_its_pairs_pad_little(real, batch):
    lengths = torch.tensor([[len(split_words(text)) for text in pair] for pair in real["train"]])
    stream = shuffled_by_length(lengths, batch, torch.Generator().manual_seed(3), 0)
    epoch = [rows for (rows,) in islice(stream, -(-len(lengths) // batch))]
    computed = sum(len(rows) * lengths[rows].amax(0) for rows in epoch)
    assert (computed / lengths.sum(0)).max() < 1.2


@pytest.mark.data
def test_plain_translations_are_linked(real):
    pairs = [*real["train"], *real["valid"]]
    german, english = (Words.of((pair[side] for pair in pairs), least=1) for side in (0, 1))
    sources = [german.numbers(pair.source) for pair in pairs]
    targets = [english.numbers(pair.target) for pair in pairs]
    words = WordLinks.of(sources, targets)
    measured = list(zip(sources, targets, strict=True))[len(real["train"]) :]
    links = [words.links(*pair) for pair in measured]
    plain = {german.numbers(one)[0]: english.numbers(other)[0] for one, other in PLAIN}
    right = [
        one.sure[target.index(plain[word]), source.index(word)]
        for one, (source, target) in zip(links, measured, strict=True)
        for word in plain
        if source.count(word) == target.count(plain[word]) == 1
    ]
    assert len(right) > 1_500
    assert sum(right) > 0.99 * len(right)
    found = agreement([one.possible.astype(float) for one in links], links)
    assert found.words == 8_533
    assert found.diagonal.agreement == pytest.approx(0.577, abs=5e-4)
    assert found.chance.agreement == pytest.approx(0.081, abs=5e-4)
