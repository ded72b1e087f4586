"""What is built or called where nobody says otherwise: the numbers of the papers, and of results.

Whoever leaves an argument out is told nothing where its default moves: here it is told.
"""

import inspect
import math

import pytest
import torch

from memnets import attention, layers, memories, models, ops
from memnets.attention import Baseline, reinforce
from memnets.data import pairs
from memnets.data.pictures import held_out_pairs, split_digits
from memnets.data.pictures.photos import load_photos
from memnets.layers import bag_features, decoding, encoders, recurrent, stems, stepwise, zone_keys
from memnets.layers.stems import published
from memnets.memories import nearest
from memnets.models import (
    cran,
    kv_memnn,
    language,
    memn2n,
    memn2n_lm,
    memnn,
    pointer,
    segmenter,
    seq2seq,
    show_attend_tell,
    simple_qa,
)
from memnets.ops import chain, dot, four_bits, matrix_tree, windows
from memnets.studies.translation.inference import translate
from memnets.studies.translation.recipes import TranslationAnswerer
from memnets.studies.translation.task import TranslationTask
from memnets.tasks import word_links
from memnets.tasks.episodes import EpisodeTask
from memnets.tasks.picture_features import compute_features
from memnets.tasks.pointing import on_objects

POINTER = {"dim": 2, "hidden": 256, "inputs": None, "source": None}
LUONG = {"dim": 1000, "hidden": 1000, "layers": 4, "attention": None, "dropout": 0.2}
DEFAULTS = {
    attention.Additive: {"hidden": 1000, "bias": False},
    attention.NormalisedAdditive: {"hidden": 1000},
    attention.Concat: {"hidden": 1000},
    attention.GumbelStraightThrough: {"temperature": 1.0},
    attention.LocalM: {"window": 10},
    attention.LocalP: {"window": 10},
    attention.NormalisedLocalP: {"window": 10},
    attention.LocationConvolution: {"filters": 10, "width": 201},
    attention.Monotonic: {"bias": 0.0, "noise": 0.0},
    attention.ClippedMonotonic: {"bias": 0.0, "noise": 0.0},
    attention.MultiHead: {"key_dim": None, "value_dim": None, "bias": False},
    attention.Saliency: {"bias": 0.0},
    attention.Cosine: {"strength": 10.0},
    attention.LearnedCosine: {"strength": 10.0},
    attention.Entmax: {"alpha": 1.5},
    Baseline.start: {"mean": 0.0},
    Baseline.update: {"decay": 0.9},
    reinforce: {"reward_weight": 1.0, "entropy_weight": 0.0},
    nearest.inverted: {"lists": None, "probes": 16},
    bag_features.BagFeatures: {"contexts": False, "scale": 0.05},
    encoders.ConvolutionalEncoder: {"width": 3, "layers": 1},
    encoders.SelfAttentionEncoder: {"layers": 1, "inner": None, "norm": "after"},
    recurrent.LSTM: {"layers": 1, "dropout": 0.0},
    recurrent.GRU: {"layers": 1, "dropout": 0.0},
    zone_keys.MLPKey: {"relu": True},
    zone_keys.LinearKey: {"relu": True},
    zone_keys.TransformerKey: {"heads": 1, "layers": 1},
    cran.longterm: {"gated": False},
    cran.CRAN: {"refresh": "window", "detached": False},
    cran.CRANCell: {"zone_score": None, "slot_score": None},
    kv_memnn.KVMemNN: {
        **{"dim": 500, "hops": 2, "bias": True, "own_answers": False},
        **{"power": 0.5, "length": 1.0, "sparse": False},
    },
    language.LanguageModel: {"dropout": 0.0, "tied": False},
    memn2n.MemN2N: {"memory": 50, "dim": 20, "hops": 3, "slots": 0, "tying": memn2n.Adjacent()},
    memn2n_lm.MemN2NLanguageModel: {"memory": 100, "dim": 150, "hops": 6, "linear": 75},
    memnn.Matching: {
        **{"dim": 50, "nonlinear": False, "exact_match": 0.0, "contexts": False, "scale": 0.05}
    },
    memnn.MemNN: {
        **{"matching": memnn.Matching(), "hops": 2, "adaptive": False, "said": 1},
        **{"time": True, "latest": True},
    },
    memnn.MemNN.loss: {"margin": 0.1, "rivals": None, "wrong": None},
    segmenter.Segmenter: {"dim": 50, "margin": 0.1},
    seq2seq.rnnsearch: {"dim": 620, "hidden": 1000, "maxout": 500, "dropout": 0.0},
    seq2seq.rnnsearch_torch: {"dim": 620, "hidden": 1000, "maxout": 500, "dropout": 0.0},
    seq2seq.luong: {**LUONG, "backwards": True, "initial": seq2seq.luong_initial},
    seq2seq.luong_fed: {**LUONG, "backwards": True, "initial": seq2seq.luong_initial},
    show_attend_tell.show_attend_tell: {"dim": 512, "hidden": 512, "dropout": 0.0},
    show_attend_tell.as_run: {
        **{"context": 512, "dim": 512, "hidden": 1800, "dropout": 0.5, "hard": False}
    },
    show_attend_tell.coin_for_each: {"share": 0.5},
    show_attend_tell.coin_for_all: {"share": 0.5},
    show_attend_tell.StartByMean: {"shared": 0},
    show_attend_tell.ungated: {"dim": 512, "hidden": 512, "reader": None},
    show_attend_tell.without_attention: {"dim": 512, "hidden": 512},
    show_attend_tell.soft: {"width": None},
    show_attend_tell.ShowAttendTell: {"dropout": 0.0, "initial": seq2seq.modern_initial},
    show_attend_tell.ShowAttendTell.caption: {"width": 1, "divisor": decoding.by_log_prob},
    show_attend_tell.ShowAttendTell.forward: {"samples": 1},
    show_attend_tell.Captioner.caption: {"width": 1, "divisor": decoding.by_log_prob},
    show_attend_tell.Captioner.forward: {"of": None, "samples": 1},
    pointer.paper: POINTER | {"initial": pointer.paper_initial},
    pointer.notes: POINTER,
    pointer.attentive: POINTER,
    pointer.plain: POINTER,
    pointer.PointNetwork.choose: {"width": 1, "rule": pointer.anything},
    pointer.PointNetwork: {"initial": pointer.paper_initial},
    pointer.PointerDecoder: {"keys": pointer.by_states, "align": None},
    stems.VGG19: {"layer": "conv5_4"},
    stems.ResNet: {"depth": 101, "layer": "layer4"},
    stems.SmallCNN: {"deep": 0, "colours": 3, "batch_norm": False},
    compute_features: {"side": 224},
    load_photos: {"folder": None, "splits": None, "features": None, "side": 64},
    held_out_pairs: {"number": 3},
    split_digits: {"seed": 0},
    on_objects: {"margin": 4.0},
    stepwise.Stepwise: {"begins": None},
    seq2seq.Seq2Seq: {"dropout": 0.0, "initial": seq2seq.modern_initial},
    decoding.beam_search: {"divisor": decoding.by_log_prob, "allowed": None},
    decoding.by_length: {"power": 1.0},
    simple_qa.SimpleQA: {"dim": 64, "sparse": False},
    simple_qa.SimpleQA.loss: {"margin": 0.1},
    attention.LinearChain: {"stay": 0.0},
    attention.Segments: {"longest": 4, "length": 0.0},
    attention.SoftParents: {"trees": attention.NonProjectiveTrees, "single_root": True},
    attention.NonProjectiveTrees: {"mask": None, "single_root": True},
    attention.ProjectiveTrees: {"mask": None, "single_root": True},
    layers.SentencesOfStory: {"fusion": None, "dropout": 0.0},
    layers.WordsOfStory: {"dropout": 0.0},
    memories.EpisodicMemory: {"hops": 3, "ends": False},
    pairs.Subwords.of: {"most": 8000, "least": 2},
    pairs.Words.of: {"lower": True, "least": 2, "most": None},
    pairs.bleu: {"lower": False},
    pairs.bleu_by_length: {"edges": (5, 10, 15, 20, 25, 30), "lower": False},
    pairs.load_multi30k: {"path": None, "source": "de", "target": "en"},
    pairs.load_pairs: {"most_words": 1000},
    pairs.read_pairs: {"most_words": 1000, "left_out": None},
    pairs.read_sentences: {"most_words": 1000},
    word_links.Model1.of: {"rounds": 5},
    word_links.WordLinks.of: {"rounds": 5},
    translate: {"beam": 5, "references": (), "longest": 1000},
    TranslationAnswerer.translate: {"beam": 5, "references": ()},
    TranslationTask: {"entropy": 0.0, "sources": None, "links": None},
    EpisodeTask: {"ordered": True},
    dot.read_dot: {"mask": None, "scale": 1.0},
    windows.read_windows: {"first": 0, "mask": None, "attend": dot.read_dot},
    windows.band: {"first": 0, "mask": None},
}


@pytest.mark.parametrize("part", DEFAULTS, ids=lambda part: part.__qualname__)
def test_an_argument_left_out_is_what_it_was(part):
    found = {
        name: parameter.default
        for name, parameter in inspect.signature(part).parameters.items()
        if name in DEFAULTS[part]
    }
    assert found == DEFAULTS[part]


def test_what_has_no_argument_is_what_the_papers_name():
    """Numbers of a module: each with the section or the proof it comes from."""
    assert encoders.LONGEST_WAVE == 10_000  # Vaswani et al., section 3.5
    assert models.memn2n.network.INITIAL_SCALE == 0.1  # Sukhbaatar et al., section 4.2
    initial = models.seq2seq.initial
    assert (initial.SPREAD, initial.LITTLE, initial.LEAST) == (0.1, 0.01, 0.001)
    assert (memn2n_lm.INITIAL_SCALE, memn2n_lm.QUERY) == (0.05, 0.1)  # section 5
    assert attention.monotonic.SMALLEST_DIVISOR == 1e-10  # Raffel et al.'s released code
    assert attention.scores.SMALLEST_NORM == 1e-6
    assert nearest.ERROR == 2**-7  # three roundings to bfloat16, and room
    assert four_bits.MIDDLE == 7.5  # of sixteen codes
    assert (chain.NEVER, matrix_tree.NEAR) == (-1e30, 12.0)
    assert (nearest.CANDIDATES, nearest.LEAST_CANDIDATES, nearest.MANY) == (4, 40, 1 / 8)
    assert pairs.PAIRS == {"train": 29_000, "valid": 1_014, "test": 1_000}  # as published
    assert pairs.FILES == {"train": "train", "valid": "val", "test": "test_2016_flickr"}
    assert pointer.initial.SPREAD == 0.08  # Vinyals et al., section 4.1
    assert published.MEAN == (0.485, 0.456, 0.406)  # torchvision's
    assert published.SPREAD == (0.229, 0.224, 0.225)
    assert (ops.bags.NIL, memnn.END, memnn.STOP, simple_qa.NO_FACT) == (0, 1, 0, -1)
    assert simple_qa.NEVER < -1 <= math.cos(math.pi)


def test_a_scale_left_out_makes_what_it_says():
    """The first weights of parts whose scale is no argument."""
    torch.manual_seed(0)
    spread = {
        "U": (segmenter.Segmenter(999, 40).features.weight, 0.1),
        "W_seg": (segmenter.Segmenter(9, 9999).weight, 0.1),
        "bag": (bag_features.BagFeatures(999, 2, 20).weight, 0.05),
        "O": (language.LanguageModel(999, recurrent.LSTM(2, 25), 2).weight, 0.2),
        "tied": (
            language.LanguageModel(999, recurrent.LSTM(25, 25), 25, tied=True).embedding.weight,
            0.2,
        ),
        "filters": (encoders.ConvolutionalEncoder(2, 40, 5).filters[0].weight, 2 / 200**0.5),
        "time": (memnn.MemNN(9, 9, memnn.Matching(999, scale=0.3)).time, 0.3),
        "W": (memnn.Matching(100, nonlinear=True).build(9, 1).layer.weight, 0.1),
        "A": (kv_memnn.KVMemNN(999, 25, length=0.5).table, 0.1),
    }
    for name, (weight, expected) in spread.items():
        assert float(weight.detach().std()) == pytest.approx(expected, rel=0.1), name
        assert abs(float(weight.detach().mean())) < 0.1 * expected, name
    assert not encoders.ConvolutionalEncoder(2, 4).filters[0].bias.any()
    assert not language.LanguageModel(9, recurrent.LSTM(2, 3), 2).bias.any()
    carry = kv_memnn.KVMemNN(9, 5).carry
    for matrix in carry:
        assert torch.equal(matrix.weight, torch.eye(5))
        assert not matrix.bias.any()
    normalised = attention.NormalisedAdditive(3, 3, hidden=16)
    assert normalised.gain.item() == 0.25
    assert not normalised.key_weight.bias.any()
    assert layers.SelfAttentionEncoder(3, 4, heads=2).blocks[0].inner_weight.out_features == 16
