"""Pictures with captions: scenes and digits that are generated, photos with their files."""

from memnets.data.pictures.digits import digit_grids, load_digits, split_digits
from memnets.data.pictures.metrics import CaptionBleu, caption_bleu, cider_d
from memnets.data.pictures.records import NOBODY, Scenes
from memnets.data.pictures.shape_scenes import held_out_pairs, relation, shape_scenes

__all__ = [
    "NOBODY",
    "CaptionBleu",
    "Scenes",
    "caption_bleu",
    "cider_d",
    "digit_grids",
    "held_out_pairs",
    "load_digits",
    "relation",
    "shape_scenes",
    "split_digits",
]
