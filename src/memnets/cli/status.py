"""Exit statuses of a command that did not do all it was asked for."""

USAGE = 2
"""It was given something it cannot use."""
FAULT = 70
"""A fault of our own."""
