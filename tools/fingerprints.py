"""Fingerprints of every recipe and every table: proof that a restructuring changes nothing.

    export MEMNETS_DATA=FOLDER_OF_DATA_SETS
    python tools/fingerprints.py --write before.json      # the code as it was
    python tools/fingerprints.py --check before.json      # the code as it is now

Both take `--only REGEX` (matched against `recipes/NAME` and `tables/NAME`) and `--keep FOLDER`,
where the answers, configurations and tables themselves are put: where fingerprints differ, compare
two such folders. `--check` prints each name with `ok`, `changed` (and which parts), `skipped` (and
why) or `failed`, and succeeds only where all that has a fingerprint in the file has the same now.

A recipe is prepared with its own data and seed on one thread, makes a few updates in each phase by
the real loop, and is restored from its folder. Its fingerprint is the SHA-256 of the weights, of
the configuration without the place of the data, of the files beside the weights, of the log and
the final figures, of its first answers and of a text it reads, and its data's own checksum.

A table's fingerprint is the SHA-256 of its list of runs (names, seeds, folders, configurations)
and of the file that it collects from run folders: where nothing was run, where every run has
ended, and where some diverged and some are missing. The folders are fabricated, with figures that
follow from each folder's name. What varies by nature (moment, machine, commit) is taken out.

Bits depend on torch, on the C++ kernels and on the processor: write and check on one machine.
"""

import argparse
import copy
import hashlib
import json
import platform
import re
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import safetensors.torch
import torch

from memnets.experiments.run import RENAMED, to_json
from memnets.files import without_nan
from memnets.results import records
from memnets.results import write as write_result
from memnets.studies import recipes, tables
from memnets.training import checkpoints
from memnets.training.loop import fit
from memnets.training.record import describe
from memnets.training.runs import RunFolder

Parts = dict[str, str]
"""A fingerprint: a checksum, or a plain text, by what it is of."""
Keep = Callable[[str, Any], None]
"""Is told the name and the content of everything that has a checksum, weights aside."""

UPDATES = 3
"""Of each phase."""
ANSWERS = 2
"""Of each of the first and the last task that has some."""
TASKS = range(21)
"""Numbers that a task may have: 1 to 20 of bAbI, 0 where there is one."""


def digest(content: Any) -> str:
    """Return the SHA-256 of what JSON can hold."""
    return hashlib.sha256(canonical(content).encode()).hexdigest()


def canonical(content: Any) -> str:
    """Return JSON that is the same text for the same content."""
    return json.dumps(plain(content), sort_keys=True, ensure_ascii=False, allow_nan=False)


def plain(content: Any) -> Any:
    """Return content as JSON would give it back, with null for what is no number."""
    return without_nan(json.loads(json.dumps(content, default=str)))


def fraction(*key: object) -> float:
    """Return a number between 0 and 1 that follows from the key alone."""
    named = hashlib.sha256(json.dumps(key, default=str).encode()).digest()
    return (1 + int.from_bytes(named[:4], "big")) / (2**32 + 1)


# Recipes


def of_recipe(name: str, make: Callable[[], Any], folder: Path, keep: Keep) -> Parts:
    """Return the fingerprint of a recipe, whose run goes into a new folder."""
    own = make()
    run = with_data_at_hand(name, own, folder)
    run = replace(run, loop=replace(run.loop, threads=1, checkpoint_seconds=1e9))
    prepared = run.prepare()
    experiment = briefly(prepared.experiment)
    data = asdict(prepared.data)
    opened = RunFolder.create(
        folder / "run", describe(run.kind, to_json(run), run.loop, data), prepared.files
    )
    phases = [(phase.name, phase.updates) for phase in prepared.experiment.phases]
    result = fit(experiment, run.loop, opened)
    untimed = [timeless(line) for line in opened.log()]
    answerer = run.restore(opened.path)
    told = {
        "config": without_path(to_json(own)),
        "papers": list(own.cite),
        "phases": phases,
        "files": prepared.files,
        "log": untimed,
        "metrics": result["metrics"],
        "answers": [answer.to_json() for answer in answers(answerer)],
        "read texts": as_lists([asdict(text) for text in islice(answerer.read_texts(), 1)]),
    }
    parts: Parts = {}
    for part, content in told.items():
        keep(part, content)
        parts[part] = digest(content)
    return {
        **parts,
        "data": data["sha256"],
        "weights": checkpoints.digest(safetensors.torch.load_file(opened.weights)),
    }


def with_data_at_hand(name: str, run: Any, folder: Path) -> Any:
    """Return the run on data made up for it where its own may not be passed on."""
    if name.startswith("wikiqa/"):
        return replace(run, data=replace(run.data, path=wikiqa_made_up(folder / "wikiqa")))
    if name == "memn2n_lm/words":  # the Penn Treebank
        return replace(run, data=replace(run.data, text="generated"))
    return run


def briefly(experiment: Any) -> Any:
    """Return the experiment with a few updates in each phase, its model and data as they are."""
    phases = tuple(
        replace(phase, updates=min(UPDATES, phase.updates), evaluate_every=UPDATES)
        for phase in experiment.phases
    )
    return replace(experiment, phases=phases)


def timeless(line: Mapping[str, Any]) -> dict[str, Any]:
    """Return a line of the log without what a clock said."""
    return {name: what for name, what in line.items() if name not in ("elapsed", "per_second")}


def answers(answerer: Any) -> list[Any]:
    """Return the first answers of the first and of the last task that has any."""
    for split in ("test", "valid"):
        found: list[list[Any]] = []
        for task in TASKS:
            try:
                some = list(islice(answerer.examples(split, task), ANSWERS))
            except (KeyError, IndexError):  # no such split, or no such task
                some = []
            found += [some] if some else []
            if task == 0 and some:
                break  # 0 stands for all
        if found:
            return found[0] if len(found) == 1 else [*found[0], *found[-1]]
    raise ValueError("no task of the run's own data has an example")


def as_lists(content: Any) -> Any:
    """Return content with lists in the place of arrays."""
    if hasattr(content, "tolist"):
        return content.tolist()
    if isinstance(content, dict):
        return {key: as_lists(item) for key, item in content.items()}
    return [as_lists(item) for item in content] if isinstance(content, list | tuple) else content


def without_path(config: Mapping[str, Any]) -> dict[str, Any]:
    """Return a configuration without the place of the data."""
    whole = copy.deepcopy(dict(config))
    if isinstance(whole.get("data"), dict) and "path" in whole["data"]:
        whole["data"]["path"] = None
    return first_names(whole)


def first_names(config: Mapping[str, Any], section: str = "") -> dict[str, Any]:
    """Return a configuration whose fields have the names that they had first."""
    first = {new: old.rpartition(".")[2] for old, new in RENAMED.items()}
    return {
        first.get(f"{section}.{name}", name): (
            first_names(value, name) if isinstance(value, Mapping) else value
        )
        for name, value in config.items()
    }


WIKIQA = {
    "where is {0}": ["{0} is a town.|0", "the town {0} is in norway.|1", "it rains there.|0"],
    "who founded {0}": ["{0} is old.|0", "king haakon founded {0} once.|1"],
    "when was {0} built": ["nobody knows.|0", "it was small.|0"],
    "what is {0}": ["{0} is a town.|1"],
}
"""Questions of a town, each with its sentences and whether they answer it."""
TOWNS = {"train": ("oslo", "bergen", "moss"), "dev": ("hamar", "molde"), "test": ("voss", "narvik")}


def wikiqa_made_up(folder: Path) -> Path:
    """Write a set in the form of WikiQA, whose licence is for research only."""
    folder.mkdir(parents=True, exist_ok=True)
    for split, towns in TOWNS.items():
        lines = [
            f"{question}\t{sentence}\t{label}\n".format(town)
            for town in towns
            for question, candidates in WIKIQA.items()
            for sentence, label in (one.split("|") for one in candidates)
        ]
        (folder / f"WikiQASent-{split}.txt").write_text("".join(lines))
    return folder


# Tables

Fate = Callable[[Any, str], str]
"""What became of a job, given the place of its folder: "ended", "diverged" or "missing"."""


def some_lost(job: Any, place: str) -> str:
    """Return another fate for some runs of seeds 1 and 2, and for some trials of a rate."""
    # No trial (of seed 100) is missing: a table does not go on before all of them have ended.
    # The search of MemNN's settings expects figures of every run that has ended.
    if place.startswith("memnn-babi-1k-search/"):
        return "missing" if job.seed and fraction(place, "lost") < 0.1 else "ended"
    other = {1: "diverged", 2: "missing", 100: "diverged"}.get(job.seed, "ended")
    return other if fraction(place, "lost") < 0.4 else "ended"


STATES: Mapping[str, Fate | None] = {
    "nothing run": None,
    "all ended": lambda job, place: "ended",
    "some lost": some_lost,
}
"""How far a table's runs are; None where none was begun."""

NUMBERED = range(1, 21)
METRICS = (
    *("loss", "perplexity", "threshold", "accuracy", "gold_read", "gold_zone", "ceiling"),
    *(f"accuracy/{task}" for task in NUMBERED),
    *(f"gold_read/{task}" for task in NUMBERED),
    *("accuracy_near", "accuracy_beyond", "ceiling_near", "ceiling_beyond"),
    *(f"{curve}/{lag}" for curve in ("recall", "cliff", "young") for lag in (1, 8, 64)),
    *("bits", "bits/tuning", "bits/reporting", "cache_bits/reporting"),
    *("cache_flatness", "cache_share"),
    *("symbolic", "symbolic/in_kb", "in_kb", "hits/in_kb"),
    *("coverage/with_plot", "coverage/answerable"),
    *(f"hits/{one}_to_movie" for one in ("actor", "director", "tag", "writer")),
    *(f"hits/movie_to_{one}" for one in ("actors", "director", "genre", "imdbrating", "imdbvotes")),
    *(f"hits/movie_to_{one}" for one in ("language", "tags", "writer", "year")),
    *(f"untaught/{what}" for what in ("frequent", "overlap", "random", "reachable")),
    *("refused", "declined", "declined/unknown entity", "declined/missing fact"),
    *("declined/inapplicable relation", "declined/foreign", "declined/nonsense"),
    *("subject", "relation", "answer", "recall"),
    *("map", "mrr", "map_mixed", "mrr_mixed"),
)
"""All that any table reads of a run's final figures; a table that reads another name fails."""
COUNTS = ("coverage/asked", "coverage/questions", "candidates")
"""Figures that are no shares."""
LOGGED = (10_000, 200_000, 1_000_000)
"""After how many symbols a fabricated log has lines."""


def of_table(name: str, make: Callable[[], Any], folder: Path, keep: Keep) -> Parts:
    """Return the fingerprint of a table."""
    data = wikiqa_made_up(folder / "data") if name == "wikiqa" else None
    parts: Parts = {}
    for number, (state, fate) in enumerate(STATES.items()):
        root = folder / f"runs{number}"
        root.mkdir()
        if fate is not None:
            planned = plan(name, make(), root, data, fate)
            keep(f"runs, {state}", planned)
            parts[f"runs, {state}"] = digest(planned)
        collected = collect(name, make(), root, data)
        keep(f"table, {state}", collected)
        parts[f"table, {state}"] = digest(collected)
    return parts


def plan(name: str, table: Any, root: Path, data: Path | None, fate: Fate) -> list[list[Any]]:
    """Fabricate the folders of a table's runs, stage by stage, and return what was asked for."""
    stages = []
    for stage in table.stages(name, root, data, ""):
        for job in stage:
            fabricate(name, job, root, fate(job, place_of(job, root)))
        stages.append([described(job, root) for job in stage])
    return stages


def place_of(job: Any, root: Path) -> str:
    """Return where a run folder is, from the folder of all runs."""
    return job.folder.relative_to(root).as_posix()


def described(job: Any, root: Path) -> dict[str, Any]:
    """Return what a table asks for with one run."""
    return {
        "name": job.name,
        "rows": list(job.cells),
        "seed": job.seed,
        "folder": place_of(job, root),
        "config": without_path(to_json(job.run)),
    }


def fabricate(table: str, job: Any, root: Path, fate: str) -> None:
    """Write the folder of a run as it would be after it had ended, diverged, or never begun."""
    if fate == "missing":
        return
    place, config = place_of(job, root), to_json(job.run)
    job.folder.mkdir(parents=True)
    record = {
        "format": 1,
        "kind": job.run.kind,
        "config": config,
        "data": {"name": "made up", "sha256": digest(without_path(config).get("data"))},
        "seed": job.run.loop.seed,
        "processes": 1,
        "threads": 1,
        "device": "cpu",
        "kernels": True,
        "version": "0",
        "torch": "0",
        "commit": ("abc1234", "def5678")[job.seed % 2],
        "created": "2020-01-01T00:00:00+00:00",
        "command": ["memnets"],
    }
    write(job.folder / "run.json", record)
    if fate == "diverged":
        write(job.folder / "diverged.json", {"message": f"made up of {place}"})
        return
    write(job.folder / "vocabulary.json", {"symbols": ["a", "b", "c"], "unit": "characters"})
    lines = [
        {"update": seen // 100, "seen": seen, "quick": {"bits": fraction(place, "quick", seen)}}
        for seen in LOGGED
    ]
    text = "".join(f"{json.dumps(line)}\n" for line in lines)
    (job.folder / "log.jsonl").write_text(text, "utf-8")
    safetensors.torch.save_file(weights_for(table, job), job.folder / "model.safetensors")
    result = {
        "metrics": {split: figures(place, split) for split in ("train", "valid", "test")},
        "updates": 10_000,
        "seen": float(LOGGED[-1]),
        "wall_s": 100 * fraction(place, "seconds"),
        "per_second": 1000.0,
    }
    write(job.folder / "result.json", result)


def figures(place: str, split: str) -> dict[str, float]:
    """Return figures of a split, made up of the name of the folder."""
    shares = {metric: fraction(place, split, metric) for metric in METRICS}
    counts = {count: 100 + int(900 * fraction(place, split, count)) for count in COUNTS}
    return {**shares, **counts}


def weights_for(table: str, job: Any) -> dict[str, torch.Tensor]:
    """Return weights of a run: of two small parts, or those it would begin with.

    The latter where a table asks the trained models themselves: the ensemble of simple QA.
    """
    if table.startswith("simple-qa") and job.name == "all":
        model = job.run.prepare().experiment.model
        return {name: tensor.clone() for name, tensor in model.state_dict().items()}
    return {"core.weight": torch.zeros(3, 2 + job.seed % 2), "embedding.weight": torch.zeros(3, 5)}


def write(path: Path, content: Any) -> None:
    """Write a file of a fabricated folder."""
    path.write_text(json.dumps(content, default=str), "utf-8")


def collect(name: str, table: Any, root: Path, data: Path | None) -> Any:
    """Return what the file that a table collects holds."""
    collected = table.collect(name, root, data)
    with tempfile.TemporaryDirectory() as folder:
        written = json.loads(write_result(collected, Path(folder)).read_text("utf-8"))
    return {**written, "config": first_names(written["config"])}


# All of them


def fingerprints(only: str, keep: Path | None) -> Iterator[tuple[str, Any]]:
    """Yield every name with its fingerprint, and the seconds it took."""
    kinds: tuple[tuple[str, Mapping[str, Any], Callable[..., Parts]], ...] = (
        ("recipes", recipes(), of_recipe),
        ("tables", tables(), of_table),
    )
    for kind, known, fingerprint in kinds:
        for short, make in sorted(known.items()):
            name = f"{kind}/{short}"
            if not re.search(only, name):
                continue
            began = time.monotonic()
            with tempfile.TemporaryDirectory() as folder:
                try:
                    parts = fingerprint(short, make, Path(folder), keeper(keep, name))
                except FileNotFoundError as error:
                    parts = {"skipped": str(error)}
                except Exception as error:  # the others are wanted all the same
                    traceback.print_exc()
                    parts = {"failed": f"{type(error).__name__}: {error}"}
            yield name, (parts, time.monotonic() - began)


def keeper(folder: Path | None, name: str) -> Keep:
    """Return what keeps the parts of a fingerprint in files; nothing where no folder is given."""

    def keep(part: str, content: Any) -> None:
        if folder is None:
            return
        path = folder / name / f"{part.replace(', ', '-').replace(' ', '-')}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps(plain(content), indent=1, sort_keys=True, ensure_ascii=False)
        path.write_text(f"{text}\n", "utf-8")

    return keep


def conditions() -> dict[str, Any]:
    """Return what bits may depend on beside the code."""
    return {"torch": torch.__version__, "machine": f"{platform.machine()}, {platform.system()}"}


def compare(name: str, before: Parts | None, now: Parts) -> tuple[str, bool]:
    """Return what to say of a name, and whether it is as it was."""
    if before is None:
        return "changed: it is new, the file has no such name", False
    if "failed" in now:
        return f"failed: {now['failed']}", False
    if "skipped" in now:
        return f"skipped: {now['skipped']}", "skipped" in before
    if "skipped" in before:
        return "skipped: it could not be made when the file was written", True
    differing = [part for part in {**before, **now} if before.get(part) != now.get(part)]
    return (f"changed: {'; '.join(differing)}", False) if differing else ("ok", True)


def run_write(file: Path, only: str, keep: Path | None) -> int:
    """Write the fingerprints to a file."""
    made: dict[str, Parts] = {}
    for name, (parts, seconds) in fingerprints(only, keep):
        made[name] = parts
        empty = [f"{what}: {parts[what]}" for what in ("skipped", "failed") if what in parts]
        told = empty[0] if empty else f"{len(parts)} parts"
        print(f"{name:45}{seconds:7.1f} s  {told}", flush=True)
    content = {"conditions": conditions(), "fingerprints": made}
    file.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", "utf-8")
    skipped = sum("skipped" in parts for parts in made.values())
    failed = sum("failed" in parts for parts in made.values())
    print(
        f"{file}: {len(made) - skipped - failed} fingerprints, {skipped} skipped, {failed} failed"
    )
    return 1 if failed else 0


def run_check(file: Path, only: str, keep: Path | None) -> int:
    """Compare the fingerprints with those of a file; 1 where one is not the same."""
    content = json.loads(file.read_text("utf-8"))
    if content["conditions"] != conditions():
        print(f"Written under other conditions: {content['conditions']}, now {conditions()}.")
    before = {name: of for name, of in content["fingerprints"].items() if re.search(only, name)}
    bad, seen = [], set()
    for name, (parts, seconds) in fingerprints(only, keep):
        seen.add(name)
        told, alike = compare(name, before.get(name), parts)
        bad += [] if alike else [name]
        print(f"{name:45}{seconds:7.1f} s  {told}", flush=True)
    for name in before.keys() - seen:
        bad.append(name)
        print(f"{name:45}           changed: there is no such name any more")
    print(f"{len(seen)} compared, {len(bad)} not as they were{': ' * bool(bad)}{', '.join(bad)}")
    return 1 if bad else 0


def main(arguments: Sequence[str]) -> int:
    """Carry the command out."""
    first, _, rest = (__doc__ or "").partition("\n")
    parser = argparse.ArgumentParser(
        description=first, epilog=rest, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--write", type=Path, metavar="FILE", help="file to write fingerprints to")
    what.add_argument("--check", type=Path, metavar="FILE", help="file to compare them with")
    parser.add_argument("--only", default="", metavar="REGEX", help="names to take, all by default")
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="folder for what they are of")
    asked = parser.parse_args(arguments)
    torch.set_num_threads(1)
    # What varies by nature; git is slow, too.
    constant = {"commit": "of the checkout", "now": "now", "machine": "here"}
    for name, value in constant.items():
        setattr(records, name, partial(str, value))
    warnings.filterwarnings("ignore")  # of made-up data, that they are not the published ones
    if asked.write:
        return run_write(asked.write, asked.only, asked.keep)
    return run_check(asked.check, asked.only, asked.keep)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
