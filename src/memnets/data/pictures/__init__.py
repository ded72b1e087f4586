"""Pictures with captions: scenes and digits that are generated, photos with their files."""

from memnets.data.pictures.records import NOBODY, Scenes
from memnets.data.pictures.shape_scenes import held_out_pairs, relation, shape_scenes

__all__ = ["NOBODY", "Scenes", "held_out_pairs", "relation", "shape_scenes"]
