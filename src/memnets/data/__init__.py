"""Data sets as plain records: one reader a set, downloads with checksums, generators.

Nothing here knows of tensors; ``memnets.tasks`` turns these records into them.
"""
