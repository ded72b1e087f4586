"""`memnets --print-completion SHELL`: a script that completes commands and their options."""

from collections.abc import Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Annotated, Any, Literal

import tyro

from memnets.studies import recipes

SHELLS = ("bash", "zsh", "fish")
HOW = "Expected one of bash, zsh and fish: memnets --print-completion bash"


def completion(words: Sequence[str]) -> str:
    """Return the script for a shell.

    Raises:
        ValueError: the shell is none of those that are known.
    """
    if len(words) != 1 or words[0] not in SHELLS:
        raise ValueError(f"--print-completion came with {' '.join(words) or 'no shell'}. {HOW}")
    script = StringIO()
    with redirect_stdout(script):
        try:
            tyro.cli(_commands(), args=["--tyro-print-completion", words[0]], prog="memnets")
        except SystemExit as ended:
            if ended.code:
                raise
    return script.getvalue()


def _commands() -> Any:
    """Return all commands as one, to be completed; that of a recipe's fields is left to --help."""
    from memnets.cli import (
        ask,
        capacity,
        caption,
        cite,
        data,
        docs,
        evaluate,
        kb,
        listing,
        new,
        quickstart,
        recall,
        report,
        reproduce,
        results,
        serve,
        translate,
    )

    names: Any = Literal[tuple(recipes())]

    @dataclass(frozen=True)
    class Train:
        """Train a recipe, or go on with a run."""

        recipe: tyro.conf.Positional[names]
        out: Path | None = None
        data: Path | None = None
        resume: Path | None = None

    kinds = {
        "quickstart": quickstart.Quickstart,
        "list": listing.List,
        "train": Train,
        "eval": evaluate.Evaluate,
        "ask": ask.Ask,
        "translate": translate.Translate,
        "caption": caption.Caption,
        "capacity": capacity.Capacity,
        "recall": recall.Recall,
        "report": report.Report,
        "reproduce": reproduce.Reproduce,
        "results": results.Results,
        "kb": kb.options(),
        "data": data.Data,
        "docs": docs.Docs,
        "serve": serve.Serve,
        "new": new.New,
        "cite": cite.Cite,
    }
    both: Any = None
    for name, kind in kinds.items():
        one = Annotated[kind, tyro.conf.subcommand(name)]  # type: ignore[valid-type]
        both = one if both is None else both | one
    return both
