"""`memnets kb`: build a knowledge base of facts, learn to answer questions to it, and ask."""

import importlib
from collections.abc import Sequence
from functools import reduce
from operator import or_
from pathlib import Path
from typing import Annotated, Any

COMMANDS = {"build": "Build", "train": "Train", "teach": "Teach", "ask": "Ask", "eval": "Evaluate"}
"""The options of every command, a class of the module that is called as the command."""


def main(arguments: Sequence[str]) -> int:
    """Run one of the commands; of the others nothing is imported."""
    name, *rest = arguments or [""]
    if name == "ask" and rest and not any(one.startswith("-") for one in rest):
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
    return getattr(importlib.import_module(f"memnets.cli.kb_{name}"), COMMANDS[name])
