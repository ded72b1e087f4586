"""Trains the rankers of relations that the package is shipped with."""
