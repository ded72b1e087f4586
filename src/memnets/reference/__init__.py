"""The papers as plain NumPy loops, equation by equation: the oracle, and a text for learners."""
