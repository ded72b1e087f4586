"""Pictures and captions as tensors, with what is kept of them beside a model."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor
from torch.nn.utils.rnn import pad_sequence

from memnets.data.pairs import END, SentenceVocabulary
from memnets.data.pictures import NOBODY, Scenes
from memnets.data.pictures.photos import CaptionedPhotos
from memnets.studies.captions.data import CaptionData, Kept, Splits
from memnets.tasks.pointing import Objects


class NumberedCaptions(NamedTuple):
    """Pictures, and captions as numbers.

    Attributes:
        images: a picture each, whole numbers from 0 to 255, or vectors of its places.
        words: a row a caption, with its end, filled up.
        length: words of a caption, its end among them.
        of: the picture of each caption.
        objects: what each picture holds, a row a caption, where it is known.
    """

    images: Tensor
    words: Int[Tensor, "caption word"]
    length: Int[Tensor, " caption"]
    of: Int[Tensor, " caption"]
    objects: Objects | tuple[()] = ()

    def take(self, rows: Int[Tensor, " row"]) -> "NumberedCaptions":
        """Return some captions, cut to the longest of them, with their pictures, once each."""
        words, length = self.words[rows], self.length[rows]
        words = words[:, : int(length.max()) if len(rows) else 0]
        needed, of = self.of[rows].unique(return_inverse=True)
        objects = self.objects.take(rows) if isinstance(self.objects, Objects) else ()
        return NumberedCaptions(self.images[needed], words, length, of, objects)

    @property
    def pictures(self) -> Float[Tensor, "image ..."]:
        """The pictures as numbers from 0 to 1; vectors as they are."""
        return self.images.float() / 255 if self.images.dtype == torch.uint8 else self.images


def numbered(
    texts: Sequence[str], vocabulary: SentenceVocabulary
) -> tuple[Int[Tensor, "caption word"], Int[Tensor, " caption"]]:
    """Return captions as numbers with their ends, filled up, and their lengths.

    Args:
        texts: the captions.
        vocabulary: of their words.
    """
    rows = [torch.tensor([*vocabulary.numbers(text), END]) for text in texts]
    return pad_sequence(rows, batch_first=True), torch.tensor([len(row) for row in rows])


Encoded = tuple[Kept, dict[str, NumberedCaptions], dict[str, list[list[str]]]]


def encode(splits: Splits, data: CaptionData) -> Encoded:
    """Return what is kept, the splits as numbers, and the right captions of each picture."""
    train = splits["train"]
    texts = train.texts if isinstance(train, Scenes) else train.flat
    words = data.vocabulary(texts)
    kept = Kept(words, tuple(train.images.shape[1:3]), None)
    if isinstance(train, CaptionedPhotos) and train.features is not None:
        kept = Kept(words, kept.side, train.features)
    captions, references = {}, {}
    for name, part in splits.items():
        if isinstance(part, Scenes):
            captions[name], references[name] = of_scenes(part, words), [[t] for t in part.texts]
        else:
            captions[name], references[name] = of_photos(part, words)
    return kept, captions, references


def of_scenes(scenes: Scenes, words: SentenceVocabulary) -> NumberedCaptions:
    """Return generated pictures with their captions, and where everything is."""
    said, length = numbered(scenes.texts, words)
    owners = pad_sequence(
        [torch.tensor([*row, NOBODY]) for row in scenes.owners],
        batch_first=True,
        padding_value=NOBODY,
    )
    objects = Objects(
        torch.tensor(scenes.centres, dtype=torch.float32),
        torch.tensor(scenes.radii, dtype=torch.float32),
        owners,
    )
    return NumberedCaptions(
        as_channels(scenes.images), said, length, torch.arange(len(scenes)), objects
    )


def of_photos(
    photos: CaptionedPhotos, words: SentenceVocabulary
) -> tuple[NumberedCaptions, list[list[str]]]:
    """Return photos, or features of them, with captions, and the captions by photo."""
    said, length = numbered(photos.flat, words)
    of = torch.tensor([n for n, texts in enumerate(photos.captions) for _ in texts])
    images = torch.from_numpy(photos.images) if photos.features else as_channels(photos.images)
    return NumberedCaptions(images, said, length, of), [list(texts) for texts in photos.captions]


def as_channels(images: np.ndarray | Sequence[Any]) -> Tensor:
    """Return pictures with their colours first."""
    return torch.from_numpy(np.ascontiguousarray(np.asarray(images).transpose(0, 3, 1, 2)))
