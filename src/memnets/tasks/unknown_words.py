"""Words never seen in training, known by the company they keep (Weston 2014, section 3.5)."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

import torch
from jaxtyping import Float
from torch import Tensor

from memnets.data.babi import Statement, Story, tokens
from memnets.layers.bag_features import Contexts
from memnets.models.memnn import END
from memnets.tasks.supported import FeatureVocabulary


def with_new_words(vocabulary: FeatureVocabulary, stories: Iterable[Story]) -> FeatureVocabulary:
    """Return a vocabulary that has numbers for all words of some stories, new ones at its end.

    Raises:
        ValueError: the vocabulary counts n-grams, whose numbers would be in the way.
    """
    if vocabulary.gram != 1:
        raise ValueError(
            f"with_new_words: the vocabulary counts n-grams of up to {vocabulary.gram} words. New "
            f"words are known by contexts, and those are of single words: expected gram 1."
        )
    said = (word for story in stories for item in story.items for word in tokens(item.text))
    new = sorted({word for word in said if word not in set(vocabulary.features)})
    return replace(vocabulary, features=(*vocabulary.features, *new))


def word_contexts(
    stories: Iterable[Story], vocabulary: FeatureVocabulary, known: FeatureVocabulary
) -> Contexts:
    """Return what stands left and right of each word in the statements of some stories.

    All words on a side of a sentence count. Questions and answers are not looked at.

    Args:
        stories: what is read; of a test split, its statements alone.
        vocabulary: numbers all words of these stories.
        known: the vocabulary of training; words beyond it are read by their contexts.
    """
    met = torch.zeros(2, len(vocabulary.features), len(known.features))
    for words in _statements(stories, vocabulary):
        for place, word in enumerate(words):
            for side, others in enumerate((words[:place], words[place + 1 :])):
                for other in others:
                    if other < len(known.features):
                        met[side, word, other] += 1
    left, right = _shares(met)
    return Contexts(left, right, torch.arange(len(vocabulary.features)) >= len(known.features))


def drop_words(contexts: Contexts, share: float, generator: torch.Generator) -> Contexts:
    """Return contexts by which some known words are read too, drawn anew at every update."""
    draw = torch.rand(contexts.replaced.shape, generator=generator, device=generator.device)
    hidden = draw.to(contexts.replaced.device) < share
    hidden[: END + 1] = False  # nil and the end are no words
    return contexts._replace(replaced=contexts.replaced | hidden)


def _statements(stories: Iterable[Story], vocabulary: FeatureVocabulary) -> Iterator[list[int]]:
    for story in stories:
        for item in story.items:
            if isinstance(item, Statement):
                yield vocabulary.bag(item.text)


def _shares(counts: Float[Tensor, "*side feature"]) -> Float[Tensor, "*side feature"]:
    return counts / counts.sum(-1, keepdim=True).clamp(min=1)
