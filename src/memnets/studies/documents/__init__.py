"""Sentences of a folder of texts, asked for in a stranger's words."""
