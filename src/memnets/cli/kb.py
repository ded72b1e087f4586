"""`memnets kb`: build a knowledge base of facts, learn to answer questions to it, and ask."""

import os
from collections.abc import Sequence
from functools import reduce
from operator import or_
from pathlib import Path
from typing import Annotated, Any

COMMANDS = ("build", "train", "teach", "ask", "eval")


def main(arguments: Sequence[str]) -> int:
    """Run one of the commands; of the others nothing is imported."""
    name, *rest = arguments or [""]
    if name == "ask":  # whose matrices are small: threads of OpenBLAS would spin beside the rest
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if name == "ask" and rest and not any(one.startswith("-") for one in rest):
        from memnets.kb.questions.ranking import read_ahead

        read_ahead()  # what is imported next takes longer
        from memnets.cli.kb_asked import ask

        return ask(Path(rest[0]), rest[1:])  # what reads options takes a third of the time
    from memnets.cli.options import parse

    if name in COMMANDS:
        command = parse(_options(name), rest, prog=f"memnets kb {name}")
    else:
        command = parse(options(), arguments, prog="memnets kb", description=__doc__)
    return int(command.run())


def options() -> Any:
    """Return the options of all commands as one type."""
    import tyro

    every = (Annotated[_options(name), tyro.conf.subcommand(name)] for name in COMMANDS)
    return reduce(or_, every)


def _options(name: str) -> Any:
    """Return the options of a command; what the others need takes long to import."""
    if name == "build":
        from memnets.cli.kb_build import Build

        return Build
    if name == "train":
        from memnets.cli.kb_train import Train

        return Train
    if name == "teach":
        from memnets.cli.kb_teach import Teach

        return Teach
    if name == "ask":
        from memnets.cli.kb_ask import Ask

        return Ask
    from memnets.cli.kb_eval import Evaluate

    return Evaluate
