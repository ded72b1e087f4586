"""Checks that anyone can run on their own score, align, reader, encoder, gate, memory or model."""

from memnets.testing.conformance import (
    check_align,
    check_encoder,
    check_gate,
    check_memory,
    check_model,
    check_pair,
    check_reader,
    check_score,
)
from memnets.testing.discovery import discover, model_modules

__all__ = [
    "check_align",
    "check_encoder",
    "check_gate",
    "check_memory",
    "check_model",
    "check_pair",
    "check_reader",
    "check_score",
    "discover",
    "model_modules",
]
