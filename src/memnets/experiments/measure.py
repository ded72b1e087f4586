"""Measure what a run has learnt on a part of its data. Imports no torch."""

from typing import TYPE_CHECKING, Any

from memnets.waiting import said_if_long

if TYPE_CHECKING:
    from memnets.training.runs import RunFolder


SPLITS = ("train", "valid", "test")


def prepare(run: Any) -> Any:
    """Prepare a run, its data and all, and say so where that takes long."""
    with said_if_long(f"reading the data of {run.kind}"):
        return run.prepare()


def measure(run: Any, folder: "RunFolder", split: str) -> dict[str, float]:
    """Return the metrics of a trained run on a split.

    Args:
        run: its configuration; its data may have moved since the training.
        folder: with the weights.
        split: "train", "valid" or "test".

    Raises:
        FileNotFoundError: the training has not ended.
        ValueError: the data have no such part, or are not those of the training.
    """
    if split not in SPLITS:
        raise ValueError(f"split {split!r}: expected one of {', '.join(SPLITS)}.")
    folder.weights.stat()  # before the data are read, which may take long
    prepared = prepare(run)
    folder.check_data(prepared.data.sha256)
    folder.check_files(prepared.files)  # its numbers are those of what was prepared just now
    experiment = prepared.experiment
    folder.load_weights(experiment.model)
    experiment.phases[-1].prepare(experiment.model)
    experiment.model.eval()
    ratios = experiment.task.evaluate(experiment.model, split)
    if not ratios:
        raise ValueError(
            f"--split {split}: the data of {folder.path} have no such part. Pass --split valid."
        )
    return {name: ratio.mean for name, ratio in ratios.items()}
