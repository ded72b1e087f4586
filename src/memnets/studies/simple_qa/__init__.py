"""Simple question answering over a large knowledge base (Bordes et al., 2015)."""
