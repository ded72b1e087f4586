"""Text files as a store of sentences, and the facts that can be read from them."""
