"""Which entities a question names, in a store that is opened."""
