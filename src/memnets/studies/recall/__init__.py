"""Synthetic recall: what a memory can say again that it was told some steps before."""
