"""Faults planted at random: does a test see them?

    python -m tools.mutants --number 40 --seed 1

A fault is one change in one function that was drawn at random: a limit off by one, `<` for `<=`, an
axis, a sum for a mean, a clause, a mask or a statement left out. A first run of the suite notes
which tests reach which line; then each fault is planted in a copy of the tree, and the tests that
reach its line are run until one fails. What none sees is printed. Some of that changes nothing that
anybody could see: look at each before a test is written.
"""
