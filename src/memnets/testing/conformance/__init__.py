"""Conformance: what every part must do, whatever it computes. One chapter a kind of part."""

from memnets.testing.conformance.aligns import check_align
from memnets.testing.conformance.encoders import check_encoder
from memnets.testing.conformance.gates import check_gate
from memnets.testing.conformance.memories import check_memory
from memnets.testing.conformance.models import check_model
from memnets.testing.conformance.pairs import check_pair
from memnets.testing.conformance.readers import check_reader
from memnets.testing.conformance.scores import check_score

__all__ = [
    "check_align",
    "check_encoder",
    "check_gate",
    "check_memory",
    "check_model",
    "check_pair",
    "check_reader",
    "check_score",
]
