"""What every sentence reader must do."""

import torch
import torch.nn.functional as F
from torch import Tensor

from memnets.layers import SentenceReader
from memnets.layers.sentences import PlacedWords
from memnets.testing.conformance.claims import agree, claim, identical
from memnets.testing.conformance.gradients import gradients_hold

SENTENCES, VOCAB, TABLES, DIM = 3, 13, 2, 5
LONGEST = 7
"""Words of a sentence, where a reader takes any number."""


def check_reader(reader_class: type[SentenceReader]) -> None:
    """Check a sentence reader on sentences shorter than its longest and with nil words in them.

    Raises:
        AssertionError: the reader breaks a rule; the text says which, where and by how much.
    """
    name = reader_class.__name__
    torch.manual_seed(0)
    reader = reader_class.example(DIM).double()
    placed = reader if isinstance(reader, PlacedWords) else None
    most = LONGEST if placed is None else placed.words
    words = torch.randint(1, VOCAB, (SENTENCES, max(most - 2, 1)))
    words[1, -1], words[2, 0] = 0, 0
    tables = torch.randn(VOCAB, TABLES, DIM, dtype=torch.float64)
    if placed is not None:
        _is_the_sum_of_placed_words(placed, words, tables, name)
        _too_long(placed, words, tables, name)
    _padding_adds_nothing(reader, words, tables, most - words.shape[-1], name)
    _sentences_are_apart(reader, words, tables, name)
    _tables_are_apart(reader, words, tables, name)
    _no_sentences(reader, words, tables, name)
    gradients_hold(reader, lambda leaf: reader(words, leaf), (tables,), f"{name}: gradient")


def _is_the_sum_of_placed_words(
    reader: PlacedWords, words: Tensor, tables: Tensor, name: str
) -> None:
    whole = reader(words, tables)
    for row, sentence in enumerate(words.tolist()):
        expected = torch.zeros_like(tables[0])
        for position, word in enumerate(sentence, start=1):
            if word:
                expected = expected + reader.place(position, tables) * tables[word]
        agree(whole[row], expected, f"{name}: sentence {row} = the sum of place(j) * E[x_j]")


def _padding_adds_nothing(
    reader: SentenceReader, words: Tensor, tables: Tensor, room: int, name: str
) -> None:
    for dtype in (torch.float32, torch.float64):
        reader, short = reader.to(dtype), tables.to(dtype)
        padded = reader(F.pad(words, (0, room)), short)
        identical(padded, reader(words, short), f"{name}: {room} nil words at the end change it")
        poisoned = short.clone()
        poisoned[0] = torch.nan
        identical(reader(words, poisoned), reader(words, short), f"{name}: the nil word is read")


def _sentences_are_apart(reader: SentenceReader, words: Tensor, tables: Tensor, name: str) -> None:
    alone = [reader(words[row : row + 1], tables) for row in range(SENTENCES)]
    agree(reader(words, tables), torch.cat(alone), f"{name}: sentences are read one by one")


def _tables_are_apart(reader: SentenceReader, words: Tensor, tables: Tensor, name: str) -> None:
    alone = [reader(words, tables[:, t : t + 1]) for t in range(TABLES)]
    agree(reader(words, tables), torch.cat(alone, 1), f"{name}: several tables = one at a time")


def _no_sentences(reader: SentenceReader, words: Tensor, tables: Tensor, name: str) -> None:
    found, width = tuple(reader(words[:0], tables).shape), reader(words, tables).shape[-1]
    claim(found == (0, TABLES, width), f"{name}: no sentences gave {found}.")


def _too_long(reader: PlacedWords, words: Tensor, tables: Tensor, name: str) -> None:
    longer = F.pad(words, (0, reader.words + 1 - words.shape[-1]))
    try:
        reader(longer, tables)
    except ValueError as error:
        claim(
            str(longer.shape[-1]) in str(error) and str(reader.words) in str(error),
            f"{name}: the message for a long sentence lacks both lengths: {error}",
        )
    else:
        claim(False, f"{name}: it took {longer.shape[-1]} words, but says at most {reader.words}.")
