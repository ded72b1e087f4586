"""BLEU as sacrebleu has it, with its signature, for all sentences and by their length."""

import sys

import pytest

from memnets.data.pairs import bleu, bleu_by_length

SAID = ["A dog runs in the snow.", "Two men are talking to a woman .", "", "a red ball rolls away"]
WRITTEN = [
    "A dog runs in the snow.",
    "Two men talk to a woman.",
    "A child sleeps.",
    "A red ball rolls away.",
]


@pytest.fixture(scope="module")
def library():
    return pytest.importorskip(
        "sacrebleu", reason="not installed: pip install memnets[translation]"
    )


def test_it_is_sacrebleus_figure_with_its_signature(library):
    found = bleu(SAID, WRITTEN)
    assert found.score == library.corpus_bleu(SAID, [WRITTEN]).score
    assert 20 < found.score < 90
    assert found.signature == (
        f"nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:{library.__version__}"
    )
    assert found.sentences == 4
    assert bleu(WRITTEN, WRITTEN).score == 100
    assert bleu(["", ""], WRITTEN[:2]).score == 0


def test_small_letters_are_in_the_signature(library):
    found = bleu(SAID, WRITTEN, lower=True)
    assert found.score > bleu(SAID, WRITTEN).score
    assert "|case:lc|" in found.signature


def test_by_length_every_sentence_is_in_one_bin(library):
    found = bleu_by_length([6, 7, 5, 60], SAID, WRITTEN, edges=(5, 6, 10))
    assert [(one.shortest, one.longest, one.bleu.sentences) for one in found] == [
        (0, 5, 1), (6, 6, 1), (7, 10, 1), (11, None, 1)
    ]  # fmt: skip
    assert [one.bleu.score for one in found] == [
        bleu([said], [written]).score
        for said, written in zip(
            (SAID[2], SAID[0], SAID[1], SAID[3]),
            (WRITTEN[2], WRITTEN[0], WRITTEN[1], WRITTEN[3]),
            strict=True,
        )
    ]
    assert len(bleu_by_length([6, 7, 5, 5], SAID, WRITTEN, edges=(10,))) == 1
    small = bleu_by_length([6, 7, 5, 60], SAID, WRITTEN, edges=(10,), lower=True)
    assert [one.bleu.score for one in small] == [
        bleu(SAID[:3], WRITTEN[:3], lower=True).score, bleu(SAID[3:], WRITTEN[3:], lower=True).score
    ]  # fmt: skip
    assert [one.longest for one in bleu_by_length([5, 6, 30, 31], SAID, WRITTEN)] == [
        *(5, 10, 30), None
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: bleu(["a"], []), "BLEU: 1 translations for 0 references; expected at least one"),
        (lambda: bleu([], []), "BLEU: 0 translations for 0 references"),
        (lambda: bleu_by_length([1], ["a"], ["a", "b"]), "1 lengths, 1 translations and 2 refer"),
        (lambda: bleu_by_length([1], ["a"], ["a"], edges=(5, 5)), r"edges \(5, 5\) do not rise"),
    ],
)
def test_what_compares_with_nothing_is_refused(call, said):
    with pytest.raises(ValueError, match=said):
        call()


def test_without_sacrebleu_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "sacrebleu", None)
    with pytest.raises(ModuleNotFoundError, match=r"sacrebleu.*'memnets\[translation\]'"):
        bleu(SAID, WRITTEN)
