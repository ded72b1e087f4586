"""Load what was trained, by its folder alone."""

from pathlib import Path

from memnets.experiments.answerer import Answerer
from memnets.inference.kb import KB, is_kb
from memnets.inference.runs import StrPath, load_run
from memnets.training.runs import place


def load(path: StrPath, device: str | None = None, data: StrPath | None = None) -> Answerer | KB:
    """Load what was trained, to be asked.

        memnets.load("runs/memn2n-babi-1").ask(["Mary moved to the hall."], "Where is Mary?")
        memnets.load("films.kb").ask("who directed Alien?")

    Args:
        path: the folder of a run, or one of its checkpoints; or of a knowledge base with its
            trained model beside it.
        device: where it computes, such as "cuda"; by default the CPU.
        data: where the data of a run are now, if they have moved since the training.

    Raises:
        FileNotFoundError: there is neither, or the data are missing.
        ValueError: it is damaged, of another version, there is no such device, or the data are not
            those of the training.
    """
    path = Path(path)
    if not (place(path)[0] / "run.json").exists() and not is_kb(path):
        raise FileNotFoundError(
            f"{path}: neither the folder of a run (it has no run.json) nor a knowledge base. "
            f"Pass the folder that memnets.train or memnets.build_kb has made{_at_hand()}."
        )
    if not is_kb(path):
        return load_run(path, device, data)
    if data is not None:
        raise ValueError(
            f"data={data}: {path} is a knowledge base, which holds its facts. Leave it out."
        )
    return KB(path, device=device)


def _at_hand() -> str:
    """Name the newest run under runs/, if there is any."""
    runs = sorted(Path("runs").glob("*/run.json"), key=lambda record: record.stat().st_mtime)
    return f", such as {runs[-1].parent}" if runs else ""
