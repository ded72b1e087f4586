"""`memnets COMMAND`: find the command, run it, and say in one sentence what went wrong."""

import atexit
import errno
import gc
import importlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from memnets.cli.status import FAULT, USAGE
from memnets.cli.streams import spell_what_is_missing
from memnets.lookup import named


class Command(NamedTuple):
    """Where a command lives (a module with `main(arguments) -> int`), and what it does."""

    module: str
    help: str


COMMANDS = {
    "quickstart": Command("quickstart", "train on generated stories, ask, show the evidence"),
    "list": Command("listing", "the recipes, each with one line"),
    "train": Command("train", "train a recipe, or go on with a run: train --resume RUN"),
    "eval": Command("evaluate", "measure a trained run on its data"),
    "ask": Command("ask", "tell a run a story, ask it questions, see what it read"),
    "translate": Command("translate", "translate a file, or what is typed, with a trained run"),
    "caption": Command("caption", "tell what pictures show with a trained run, word by word"),
    "capacity": Command("capacity", "how many patterns a Hopfield network recalls"),
    "recall": Command("recall", "recall a picture or a row of a CSV from a damaged one"),
    "report": Command("report", "write a page with curves, tables and evidence of a run"),
    "reproduce": Command("reproduce", "fill a paper's table, cell by cell"),
    "results": Command("results", "the measured tables beside the published ones"),
    "kb": Command("kb", "build a knowledge base of facts, train on it, ask and judge it"),
    "data": Command("data", "list, download, inspect and generate data sets"),
    "docs": Command("docs", "build a store of documents, ask it, read facts from it"),
    "serve": Command("serve", "answer over HTTP, and on a page in the browser"),
    "new": Command("new", "write a new study into a checkout, to be filled in"),
    "cite": Command("cite", "the papers of a recipe, as BibTeX"),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status; no traceback reaches a user."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    spell_what_is_missing()
    gc.set_threshold(200_000)  # what is imported is no garbage, and there are many small parts
    atexit.register(gc.freeze)  # nor is it looked through for garbage when the process ends
    try:
        return _dispatch(words)
    except BrokenPipeError:  # the reader of our output has left
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115, or Python flushes into the pipe at exit
        return 0
    except (ValueError, OSError, ImportError, MemoryError) as error:
        if os.environ.get("MEMNETS_TRACEBACK"):
            raise
        from memnets.evidence.heat import brief

        print(f"memnets: {brief(_in_words(error))}", file=sys.stderr)
        return USAGE
    except SystemExit as stopped:  # --help, a refused option, a run that was asked to stop
        return stopped.code if isinstance(stopped.code, int) else USAGE
    except KeyboardInterrupt:
        print("memnets: stopped.", file=sys.stderr)
        return 130
    except Exception as error:
        if os.environ.get("MEMNETS_TRACEBACK"):
            raise
        from memnets.experiments.execute import out_of_memory

        if out_of_memory(error):
            print(f"memnets: {_NO_MEMORY}", file=sys.stderr)
            return USAGE
        return _apologise(error)


def _dispatch(words: list[str]) -> int:
    if not words or words[0] in ("-h", "--help"):
        from memnets.cli.options import Wrapping

        print(_help(), file=Wrapping(sys.stdout))
        return 0 if words else USAGE
    if words[0] == "--print-completion":
        from memnets.cli.completion import completion

        print(completion(words[1:]))
        return 0
    if words[0] in ("-V", "--version"):
        from memnets import __version__

        print(f"memnets {__version__}")
        return 0
    command = named(words[0], COMMANDS, "command", "memnets --help")
    module = importlib.import_module(f"memnets.cli.{command.module}")
    return int(module.main(words[1:]))


def _in_words(error: Exception) -> str:
    """Return what went wrong, and what to do where the system alone has said it."""
    if isinstance(error, OSError) and error.errno is not None:
        where = f"{error.filename}: " if error.filename else ""
        reason = (error.strerror or type(error).__name__).lower()
        mend = _MEND.get(error.errno, "Check the path, and try again.")
        return f"{where}{reason}. {mend}"
    return str(error) or _NO_MEMORY


_NO_MEMORY = (
    "there is not enough memory for this. Ask for less at once, close other programs, or use a "
    "machine with more."
)
_MEND = {
    errno.ENOSPC: "Free some space on that disk, or name a folder on another one.",
    errno.EDQUOT: "Free some space on that disk, or name a folder on another one.",
    errno.EACCES: "Name a place that you may read and write, or have the permissions changed.",
    errno.EPERM: "Name a place that you may read and write, or have the permissions changed.",
    errno.EROFS: "Name a folder on a disk that can be written to.",
    errno.EISDIR: "This is a folder; name a file.",
    errno.ENOTDIR: "A part of this path is a file; name a folder.",
    errno.EEXIST: "Something is there already; name another place.",
    errno.ENOENT: "There is no such place; correct the path.",
    errno.ENAMETOOLONG: "Name a shorter path.",
    errno.EMFILE: "Close other programs, or raise the limit of open files (ulimit -n).",
}
"""What to do about an error of the system."""


def _help() -> str:
    width = max(len(name) for name in COMMANDS)
    lines = [f"  {name:<{width}}  {command.help}" for name, command in COMMANDS.items()]
    return "\n".join(
        [
            "memnets: memory and attention networks, verified.",
            "",
            "usage: memnets COMMAND [OPTIONS]",
            "       memnets COMMAND --help",
            "       memnets --version",
            "       memnets --print-completion bash|zsh|fish",
            "",
            *lines,
        ]
    )


def _apologise(error: Exception) -> int:
    import tempfile
    from traceback import format_exc

    with tempfile.NamedTemporaryFile(
        "w", prefix="memnets-", suffix=".txt", delete=False, encoding="utf-8"
    ) as file:
        file.write(format_exc())
    print(
        f"memnets: a fault of ours ({type(error).__name__}: {error}). "
        f"Please report it with {Path(file.name)}.",
        file=sys.stderr,
    )
    return FAULT


if __name__ == "__main__":
    sys.exit(main())
