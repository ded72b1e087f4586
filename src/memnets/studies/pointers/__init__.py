"""Pointer networks on sets of points: hulls, triangulations, tours, and numbers to be sorted."""
