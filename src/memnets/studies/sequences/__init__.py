"""Copying, recalling, predicting and sorting sequences by a memory that is written (NTM)."""
