"""What commands that build and ask say on a terminal."""

from rich.console import Console

from memnets.evidence.heat import visible


def say(text: str, *, error: bool = False) -> None:
    """Print a text as it is: no markup in it, no line broken, nothing that steers the terminal.

    Paths must stay whole, for those who copy them or read them by program.

    Args:
        text: of one line or several.
        error: whether it goes to standard error, beside what a command is asked for.
    """
    console = Console(stderr=error)
    console.print(visible(text), highlight=False, soft_wrap=True, markup=False, emoji=False)
