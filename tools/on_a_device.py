"""Train a recipe of each kind for a few updates on a device and on the CPU, and ask it something.

python tools/on_a_device.py --device cuda --log errors.txt

Prints for each whether it ran, the loss of these updates on both devices, and examples a second; 1
if any failed. Data are generated or made up; where files are not at hand (MEMNETS_DATA) a recipe is
skipped. A loss or a dropout that draws numbers draws others on another device.
"""

import argparse
import re
import sys
import tempfile
import traceback
import warnings
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any

from memnets.experiments.run import to_json
from memnets.studies import kinds, recipes
from memnets.training.loop import fit
from memnets.training.record import describe
from memnets.training.runs import RunFolder

WIKIQA = "who founded {0}\tking haakon founded {0}.\t1\nwho founded {0}\t{0} is old.\t0\n"


def chosen(only: str) -> dict[str, Any]:
    """Return a recipe of each kind, one of generated data first; or all whose names match."""
    made = {name: make() for name, make in sorted(recipes().items())}
    if only:
        return {name: run for name, run in made.items() if re.search(only, name)}
    order = sorted(made, key=lambda name: "generated" not in name)
    firsts = [next(name for name in order if made[name].kind == kind) for kind in kinds()]
    return {name: made[name] for name in firsts}


def at_hand(run: Any, folder: Path) -> Any:
    """Return the run on data that take no files, where there are such."""
    others = {"source": "generated", "text": "generated"}
    known = {field.name for field in fields(run.data)} & others.keys()
    data = replace(run.data, **{name: others[name] for name in known})
    if run.kind == "wikiqa":
        data = replace(data, path=folder)
        for split, town in (("train", "oslo"), ("dev", "voss"), ("test", "moss")):
            (folder / f"WikiQASent-{split}.txt").write_text(WIKIQA.format(town))
    return replace(run, data=data)


def trained(run: Any, device: str, updates: int) -> tuple[float, float, str]:
    """Return the loss of the updates, examples a second, and an answer."""
    with tempfile.TemporaryDirectory() as temporary:
        run = at_hand(replace(run, loop=replace(run.loop, device=device)), Path(temporary))
        made = run.prepare()
        phases = [
            replace(p, updates=updates, evaluate_every=updates) for p in made.experiment.phases
        ]
        record = describe(run.kind, to_json(run), run.loop, asdict(made.data))
        folder = RunFolder.create(Path(temporary) / "run", record, made.files)
        result = fit(replace(made.experiment, phases=tuple(phases)), run.loop, folder)
        tries = ((split, task) for split in ("test", "valid") for task in range(1, 21))
        answers = (
            a for split, task in (("test", 0), *tries) for a in told(run, folder, split, task)
        )
        said = next(answers)
        loss = folder.log()[-1]["train"]["loss"]
        return loss, result["per_second"], f"{said.question[-25:]!r}: {said.text[:25]!r}"


def told(run: Any, folder: RunFolder, split: str, task: int) -> Any:
    """Return what the trained thing answers to its own questions; nothing where it has none."""
    try:
        yield from run.restore(folder.path).examples(split, task)
    except (KeyError, IndexError):
        return


def main() -> int:
    """Carry the command out."""
    first, _, rest = (__doc__ or "").partition("\n")
    parser = argparse.ArgumentParser(description=first, epilog=rest)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--updates", type=int, default=5, help="of each phase")
    parser.add_argument("--only", default="", metavar="REGEX", help="names of recipes to take")
    parser.add_argument("--log", type=Path, default=Path("on_a_device.log"), help="for tracebacks")
    asked = parser.parse_args()
    warnings.filterwarnings("ignore")
    failed = 0
    for name, run in chosen(asked.only).items():
        try:
            there = trained(run, asked.device, asked.updates)
            here = trained(run, "cpu", asked.updates)
            losses = f"loss {there[0]:.6g}, cpu {here[0]:.6g}, difference {there[0] - here[0]:+.2g}"
            told_of = f"{losses}; {there[1]:.0f}/s, cpu {here[1]:.0f}/s; {there[2]}, cpu {here[2]}"
            print(f"{name:30} ok     {told_of}", flush=True)
        except FileNotFoundError as error:
            print(f"{name:30} skipped {str(error).splitlines()[0][:120]}", flush=True)
        except Exception as error:  # the others are wanted all the same
            failed += 1
            print(f"{name:30} FAILED {type(error).__name__}: {str(error)[:300]!r}", flush=True)
            with asked.log.open("a", encoding="utf-8") as log:
                log.write(f"{name}\n{traceback.format_exc()}\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
