"""Nothing is trained in this study: its tables measure what learning rules hold."""

from collections.abc import Callable

from memnets.experiments.run import Run

RECIPES: dict[str, Callable[[], Run]] = {}
