"""Dynamic memory networks (Kumar et al., 2016; Xiong, Merity and Socher, 2016).

`network.py` is what all of them share: a story is read into slots, an episodic memory reads these
several times, and an answer is made of what it found. `heads.py` has the answers; `presets.py`
composes the models of both papers, each on one screen. `tagger.py` answers behind every word of a
sentence instead; `visual.py` reads a picture in the place of a story.
"""

from memnets.models.dmn.heads import AnswerHead, Decoder, OneAnswer
from memnets.models.dmn.network import DMN, DMNOutput, EpisodicNetwork, example
from memnets.models.dmn.presets import dmn, dmn2, dmn3, dmn_plus, dmn_plus_vqa, odmn
from memnets.models.dmn.tagger import DMNTagger, TaggerOutput
from memnets.models.dmn.visual import VisualDMN

__all__ = [
    "DMN",
    "AnswerHead",
    "DMNOutput",
    "DMNTagger",
    "Decoder",
    "EpisodicNetwork",
    "OneAnswer",
    "TaggerOutput",
    "VisualDMN",
    "dmn",
    "dmn2",
    "dmn3",
    "dmn_plus",
    "dmn_plus_vqa",
    "example",
    "odmn",
]
