"""Words in the place of unknown ones, by what was read for them."""

from collections.abc import Mapping, Sequence

from jaxtyping import Float
from torch import Tensor


def replace_unknown(
    said: Sequence[str],
    source: Sequence[str],
    weights: Float[Tensor, "word slot"],
    unknown: str,
    dictionary: Mapping[str, str] | None = None,
) -> list[str]:
    """Put the translation of the source word that was read most in the place of an unknown word.

    A source word that the dictionary has not is copied (Luong et al., section 4.1).

    Deviations: none. It is of words; of parts of words only where an unknown one is a whole word.
    Cite: luong2015

    Args:
        said: the words of a target, its end among them or not.
        source: the words of its source.
        weights: what was read for each word that was said; more slots than words are padding.
        unknown: what is said for a word that is not known.
        dictionary: translations of words.

    Raises:
        ValueError: the weights are of fewer words than were said, or of fewer slots than there are.
    """
    if len(weights) < len(said) or weights.shape[1] < len(source):
        raise ValueError(
            f"replace_unknown: weights of shape {tuple(weights.shape)} came for {len(said)} words "
            f"said of {len(source)}, expected a row a word and a column a source word. Pass the "
            f"weights of this sentence's own hypothesis."
        )
    dictionary = dictionary or {}
    if not source:
        return list(said)
    read = [source[slot] for slot in weights[:, : len(source)].argmax(-1).tolist()]
    return [
        dictionary.get(read[place], read[place]) if word == unknown else word
        for place, word in enumerate(said)
    ]
