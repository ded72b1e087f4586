"""Questions to a user's own knowledge base, learnt from its facts alone."""
