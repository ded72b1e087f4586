"""Captions of pictures: what is there, word by word, and where each word looked."""
