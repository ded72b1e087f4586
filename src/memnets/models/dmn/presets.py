"""The models of both papers, by the names of their tables' columns."""

from torch import nn

from memnets.attention import Sigmoid, Softmax
from memnets.layers.encoders import SummedDirections
from memnets.layers.gates import KumarGate, XiongGate
from memnets.layers.region_readers import Order, RegionReader, snake
from memnets.layers.sentences import OwnLengthPositionEncoding, RecurrentReader, SentenceReader
from memnets.layers.stems import Stem
from memnets.layers.story_readers import SentencesOfStory, WordsOfStory
from memnets.memories.episodic import (
    AttentionGRU,
    EpisodeRead,
    EpisodicMemory,
    GatedGRU,
    GRUUpdate,
    MemoryUpdate,
    SoftSum,
    UntiedReLU,
)
from memnets.models.dmn.heads import Decoder, OneAnswer
from memnets.models.dmn.network import DMN
from memnets.models.dmn.visual import VisualDMN

DROPOUT = 0.1
"""Of sentences and before the answer (Xiong et al., section 6.2: 0.9 are kept)."""
DROPOUT_OF_PICTURES = 0.5
"""Of what is seen and before the answer (their section 6.3)."""


def dmn(
    vocab: int,
    end: int,
    longest: int,
    hidden: int = 80,
    hops: int = 3,
    dropout: float = DROPOUT,
    ends: bool = True,
) -> DMN:
    """Build the model of Kumar et al.: one GRU over all words, sigmoid gates, a gated GRU.

    Args:
        vocab: number of words, nil (0) included.
        end: the word that ends sentences and answers.
        longest: the most words of an answer, its end among them.
        hidden: width of embeddings and states.
        hops: the most there are.
        dropout: share that is set to zero in training.
        ends: whether a slot of its own ends the hops.
    """
    return DMN(
        vocab,
        hidden,
        story=WordsOfStory(nn.GRU(hidden, hidden), end, dropout),
        question=RecurrentReader(nn.GRU(hidden, hidden)),
        memory=EpisodicMemory(
            KumarGate(hidden), Sigmoid(), GatedGRU(hidden), GRUUpdate(hidden), hops, ends
        ),
        head=Decoder(hidden, vocab, end, longest, dropout),
    )


def odmn(
    vocab: int,
    answers: int,
    end: int,
    hidden: int = 80,
    hops: int = 3,
    dropout: float = DROPOUT,
) -> DMN:
    """Build what Xiong et al. begin with, "ODMN": one GRU over all words, a soft sum.

    They call it the unmodified DMN, yet the change that they name next replaces soft attention.

    Args:
        vocab: number of words, nil (0) included.
        answers: how many are known.
        end: the word that ends sentences.
        hidden: width of embeddings and states.
        hops: how many there are.
        dropout: share that is set to zero in training.
    """
    return DMN(
        vocab,
        hidden,
        story=WordsOfStory(nn.GRU(hidden, hidden), end, dropout),
        question=RecurrentReader(nn.GRU(hidden, hidden)),
        memory=EpisodicMemory(XiongGate(hidden), Softmax(), SoftSum(), GRUUpdate(hidden), hops),
        head=OneAnswer(hidden, answers, dropout),
    )


def dmn2(
    vocab: int, answers: int, hidden: int = 80, hops: int = 3, dropout: float = DROPOUT
) -> DMN:
    """Build "DMN2": sentences by the places of their words, fused in both directions.

    Args:
        vocab: number of words, nil (0) included.
        answers: how many are known.
        hidden: width of embeddings and states.
        hops: how many there are.
        dropout: share that is set to zero in training.
    """
    return _fused(vocab, answers, SoftSum(), GRUUpdate(hidden), hidden, hops, dropout)


def dmn3(
    vocab: int, answers: int, hidden: int = 80, hops: int = 3, dropout: float = DROPOUT
) -> DMN:
    """Build "DMN3": as `dmn2`, but that an attention GRU reads. Arguments are the same."""
    return _fused(vocab, answers, AttentionGRU(hidden), GRUUpdate(hidden), hidden, hops, dropout)


def dmn_plus(
    vocab: int,
    answers: int,
    hidden: int = 80,
    hops: int = 3,
    dropout: float = DROPOUT,
    update: MemoryUpdate | None = None,
) -> DMN:
    """Build DMN+: as `dmn3`, but that every hop has a ReLU layer of its own for the memory.

    Args:
        vocab: number of words, nil (0) included.
        answers: how many are known.
        hidden: width of embeddings and states.
        hops: how many there are.
        dropout: share that is set to zero in training.
        update: in the place of the ReLU layers.
    """
    update = update or UntiedReLU(hidden, hops)
    return _fused(vocab, answers, AttentionGRU(hidden), update, hidden, hops, dropout)


def dmn_plus_vqa(
    vocab: int,
    answers: int,
    stem: Stem,
    grid: tuple[int, int],
    hidden: int = 512,
    hops: int = 3,
    dropout: float = DROPOUT_OF_PICTURES,
    order: Order = snake,
    read: EpisodeRead | None = None,
    question: SentenceReader | None = None,
) -> VisualDMN:
    """Build DMN+ for pictures: regions in snake order where `dmn_plus` has sentences.

    The paper sees pictures of 448 x 448 pixels by VGG-19, up to its last pooling:
    `dmn_plus_vqa(words, answers, VGG19("pool5"), (14, 14))`.

    Args:
        vocab: number of words of questions, nil (0) included.
        answers: how many are known.
        stem: sees pictures, or passes on what was seen.
        grid: rows and columns of what it sees.
        hidden: width of embeddings and states.
        hops: how many there are.
        dropout: share of the numbers of regions, and of what the answer is made of, that is set to
            zero in training.
        order: in which regions are read.
        read: in the place of the attention GRU.
        question: in the place of the GRU over its words.
    """
    fusion = SummedDirections(nn.GRU(hidden, hidden, bidirectional=True))
    read = read or AttentionGRU(hidden)
    return VisualDMN(
        vocab,
        hidden,
        stem,
        RegionReader(stem.dim, grid, hidden, fusion, dropout, order),
        question or RecurrentReader(nn.GRU(hidden, hidden)),
        EpisodicMemory(XiongGate(hidden), Softmax(), read, UntiedReLU(hidden, hops), hops),
        OneAnswer(hidden, answers, dropout),
    )


def _fused(
    vocab: int,
    answers: int,
    read: EpisodeRead,
    update: MemoryUpdate,
    hidden: int,
    hops: int,
    dropout: float,
) -> DMN:
    fusion = SummedDirections(nn.GRU(hidden, hidden, bidirectional=True))
    return DMN(
        vocab,
        hidden,
        story=SentencesOfStory(OwnLengthPositionEncoding(), hidden, fusion, dropout),
        question=RecurrentReader(nn.GRU(hidden, hidden)),
        memory=EpisodicMemory(XiongGate(hidden), Softmax(), read, update, hops),
        head=OneAnswer(hidden, answers, dropout),
    )
