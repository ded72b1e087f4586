"""From one sequence to another: trees that are written otherwise, words in another order."""
