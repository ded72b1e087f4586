"""Small parts of training at their edges: defaults, limits, orders, and what a person is told."""

import io
import math
import os
import signal
from types import SimpleNamespace
from typing import NamedTuple

import pytest
import torch
from rich.console import Console
from torch import nn

from memnets.training import progress
from memnets.training.best import Best, Kept
from memnets.training.checkpoints import (
    check_finite,
    digest,
    named,
    norm,
    state_name,
    under,
    write_tensors,
)
from memnets.training.checksums import check_unchanged, checksums
from memnets.training.config import (
    MOST,
    MOST_FLOAT,
    MOST_HOPS,
    MOST_SEED,
    MOST_THREADS,
    Loop,
    expect_above,
    expect_at_least,
    expect_at_most,
    expect_numbers,
    expect_share,
)
from memnets.training.experiment import Experiment, Phase, Place
from memnets.training.fingerprint import likeness
from memnets.training.plateau import Plateau
from memnets.training.processes import Processes
from memnets.training.progress import Bar, Lines, in_words, show_on
from memnets.training.record import append_line, check_record, describe, read_lines
from memnets.training.runs import RunFolder, place
from memnets.training.schedules import seeded
from memnets.training.standing import FINGERPRINT_UPDATES, Standing
from memnets.training.state import detached, moved
from memnets.training.stopping import Interrupted, StopRequest
from memnets.training.tally import DWARFED, PENDING, Tally
from memnets.training.task import Ratio, Step, Task, fold_in, shuffled

# Configurations


def test_limits_are_where_they_are_said_to_be():
    assert (MOST, MOST_SEED, MOST_THREADS) == (2147483647, 9223372036854775807, 1024)
    assert (MOST_HOPS, MOST_FLOAT) == (1000, 1e38)
    made = Loop()
    assert (made.seed, made.threads, made.device, made.precision) == (0, 1, "cpu", "32-true")
    assert (made.checkpoint_seconds, made.keep) == (15.0, 2)
    Loop(threads=1024, checkpoint_seconds=0.0, keep=1)
    for wrong in ({"threads": 1025}, {"keep": 0}, {"seed": -1}, {"checkpoint_seconds": -0.1}):
        with pytest.raises(ValueError, match=rf"loop\.{next(iter(wrong))} is "):
            Loop(**wrong)
    with pytest.raises(ValueError, match=r"loop\.device is 'tpu': expected one of cpu, cuda,"):
        Loop(device="tpu")


def refused(check, *given, **bounds) -> bool:
    try:
        check("part", *given, **bounds)
    except ValueError as error:
        return str(error).startswith("part.x is ")
    return False


def test_a_bound_is_within_or_beyond_as_it_is_called():
    class At:
        x = 0.5

        def __init__(self, x):
            self.x = x

    values = (-0.1, 0, 0.5, 1, 1.1, 2, math.nan)
    found = {
        "at least": [refused(expect_at_least, At(x), x=1) for x in values],
        "at most": [refused(expect_at_most, At(x), x=1) for x in values[:-1]],
        "above": [refused(expect_above, At(x), x=1) for x in values],
        "share": [refused(expect_share, At(x), "x") for x in values],
        "or all": [refused(expect_share, At(x), "x", all_of_it=True) for x in values],
    }
    assert found == {
        "at least": [True, True, True, False, False, False, True],
        "at most": [False, False, False, False, True, True],
        "above": [True, True, True, True, False, False, True],
        "share": [True, False, False, True, True, True, True],
        "or all": [True, False, False, False, True, True, True],
    }


@pytest.mark.parametrize(
    ("name", "largest", "beyond"),
    [("a.dim", 2**31 - 1, 2**31), ("a.seed", 2**63 - 1, 2**63), ("a.rate", 1e38, 1.1e38)],
)
def test_the_largest_number_is_taken_and_the_next_is_not(name, largest, beyond):
    expect_numbers(name, largest)
    expect_numbers(name, -largest)
    for one in (beyond, -beyond):
        with pytest.raises(ValueError, match=rf"{name} is {one}".replace("+", r"\+")):
            expect_numbers(name, one)


# Orders and rates


@pytest.mark.parametrize(("number", "batch"), [(7, 3), (6, 3), (1, 5)])
def test_epochs_are_permutations_whatever_batch_they_begin_at(number, batch):
    generator, updates = torch.Generator().manual_seed(5), math.ceil(number / batch)
    stream = shuffled(number, batch, generator, 0)
    first = [next(stream)[0] for _ in range(3 * updates)]
    epochs = [torch.cat(first[at : at + updates]) for at in range(0, 3 * updates, updates)]
    assert all(sorted(epoch.tolist()) == list(range(number)) for epoch in epochs)
    if number > 1:
        assert len({tuple(epoch.tolist()) for epoch in epochs}) > 1
    for position in range(2 * updates):
        again = shuffled(number, batch, generator, position)
        for rows in first[position : position + updates]:
            assert torch.equal(next(again)[0], rows)


def test_streams_of_neighbouring_keys_and_seeds_have_nothing_in_common():
    roots = [torch.Generator().manual_seed(seed) for seed in (0, 1, 2**62)]
    seeds = [fold_in(root, *key).initial_seed() for root in roots for key in ((0,), (1,), (0, 0))]
    assert len(set(seeds)) == 9
    assert max(seeds) > 2**60
    assert seeds[0] != 0
    # The first number of splitmix64 from 1234567, as it is published.
    published = fold_in(torch.Generator().manual_seed(1234567), 0).initial_seed()
    assert published == 6457827717110365317
    assert seeded(5).initial_seed() == fold_in(torch.Generator().manual_seed(5), 0).initial_seed()


def test_a_loss_at_exactly_the_ratio_has_fallen_enough():
    plateau = Plateau(factor=2.0, ratio=0.5, least=0.1)
    assert plateau.rate(0.8, [4.0, 2.0]) == 0.8
    assert plateau.rate(0.8, [4.0, 2.1, 2.0]) == 0.2
    assert (Plateau.factor, Plateau.ratio, Plateau.least) == (1.5, 0.9999, 1e-5)
    at_least = Phase("a", 1, lambda update: 0.1, 1, plateau=plateau)
    assert not at_least.ends(0.1)
    assert at_least.ends(0.0999)
    assert not Phase("a", 1, lambda update: 0.1, 1).ends(0.0)


def test_a_phase_begins_at_its_first_rate_and_is_of_something():
    falling = Plateau(least=0.5)
    Phase("a", 1, lambda update: 1.0 - update, 1, plateau=falling)
    with pytest.raises(ValueError, match="begins at 0, below the plateau"):
        Phase("a", 1, lambda update: float(update), 1, plateau=falling)
    for wrong in ((0, 1, "updates"), (1, 0, "evaluate_every")):
        with pytest.raises(ValueError, match=rf"Phase\({wrong[2]}=0\) named 'a'"):
            Phase("a", wrong[0], lambda update: 1.0, wrong[1])


def test_the_place_of_every_update_by_counting():
    def phase(updates: int, stream: str) -> Phase:
        return Phase(stream, updates, lambda update: 1.0, 1, stream=stream)

    parts = ((2, "x"), (1, "x"), (2, "y"), (1, "x"), (2, "x"))
    phases = tuple(phase(*part) for part in parts)
    whole = Experiment.__new__(Experiment)
    object.__setattr__(whole, "phases", phases)
    expected = []
    for index, (updates, stream) in enumerate(parts):
        began = index
        while began and parts[began - 1][1] == stream:
            began -= 1
        before = sum(number for number, _ in parts[began:index])
        expected += [Place(index, within, began, before + within) for within in range(updates)]
    assert [whole.place(update) for update in range(8)] == expected
    assert whole.place(8) == Place(4, 2, 3, 3)  # the end, in the last phase
    assert whole.updates == 8


# Sums


def test_a_ratio_is_added_up_in_double_precision():
    assert Ratio.of(torch.tensor([2**24, 1.0, 1.0])) == (2**24 + 2, 3)
    assert Ratio.of(torch.tensor([True, False, True])) == (2.0, 3)
    assert Ratio(3.0, 4).mean == 0.75
    assert math.isnan(Ratio.of(torch.tensor([])).mean)
    assert (Task.splits, Task.final_splits) == (("valid",), ("train", "valid", "test"))


def test_a_tally_in_order_with_its_first_broken_update():
    assert (PENDING, DWARFED) == (100, 10)
    found = Tally()
    for update, loss in ((5, math.inf), (6, 1.0), (7, math.nan)):
        step = Step(torch.tensor(loss), 2, (), {"z": torch.tensor(1.0), "a": torch.tensor(3.0)})
        found.add(update, step)
        found.flush()
    assert found.broken == 5
    assert found.names == ["loss", "a", "z"]
    assert found.means["a"] == 9 / 6
    assert found.losses[6] == (1.0, 2)
    nothing = Tally()
    nothing.add(1, Step(torch.tensor(0.0), 0, (), {}))
    nothing.flush()
    assert nothing.means == {"loss": 0.0}
    assert Tally().tensors()["losses"].shape == (0, 3)


def test_the_median_is_of_the_loss_for_each_unit_of_weight():
    found = Tally()
    for update, (loss, weight) in enumerate(((3.0, 3), (4.0, 2), (1e6, 1), (8.0, 2))):
        found.add(update, Step(torch.tensor(loss), weight, (), {}))
    found.flush()
    assert found.means[progress.MEDIAN] == 3.0  # of 1, 2, 1e6 and 4
    zeros = Tally()
    for update, loss in enumerate((0.0, 0.0, 100.0)):
        zeros.add(update, Step(torch.tensor(loss), 1, (), {}))
    zeros.flush()
    assert progress.MEDIAN not in zeros.means  # a loss of 0 is not dwarfed: it is none
    half = Tally()
    for update, loss in enumerate((1.0, 100.0)):
        half.add(update, Step(torch.tensor(loss), 1, (), {}))
    half.flush()
    assert progress.MEDIAN not in half.means  # as many are not as are


# Telling

LINE = {
    "update": 1234,
    "phase": "all",
    "learning_rate": 0.012345,
    "train": {"loss": 1.23456, "accuracy": None, "accuracy/7": 0.5},
    "per_second": 12345.6,
}


def test_a_line_of_the_log_in_words():
    said = "update 1,234  all  rate 0.0123  train: loss 1.2346 accuracy -  12,346 words/s"
    assert in_words(LINE, "words") == said
    there = io.StringIO()
    shown = Lines(there)
    shown.begin(1, 0, "words")
    shown.line(LINE)
    assert there.getvalue() == f"{said}\n"
    assert isinstance(show_on(there), Lines)


def test_a_bar_goes_on_where_the_run_does_and_takes_notes_as_they_are():
    there = io.StringIO()
    bar = Bar(Console(file=there, width=200, force_terminal=False))
    bar.begin(2000, 17, "words")
    try:
        task = bar.bar.tasks[0]
        assert (task.total, task.completed) == (2000, 17)
        figures = {"loss": 54935.0, progress.MEDIAN: 1.5}
        bar.tick(20, "linear", figures, 1234.5)
        assert (task.completed, task.description) == (20, "linear")
        assert task.fields["figures"] == "loss 1.50 1,234 words/s"
        bar.line(LINE)
        assert task.completed == 1234
        bar.note("[red]a note[/red]")
    finally:
        bar.end()
    assert "[red]a note[/red]" in there.getvalue()


# Files


def test_a_log_is_added_to_and_a_line_cut_short_is_left_out(tmp_path):
    path = tmp_path / "log.jsonl"
    assert read_lines(path) == []
    append_line(path, {"update": 1, "loss": math.nan})
    append_line(path, {"update": 2})
    with path.open("a") as file:
        file.write('{"update": 3}')
    assert read_lines(path) == [{"update": 1, "loss": None}, {"update": 2}]
    for second in ('{"update": "2"}', "[2]", "{"):
        path.write_text(f'{{"update": 1}}\n{second}\n{{"update": 3}}\n')
        with pytest.raises(ValueError, match=r"log\.jsonl:2: damaged JSON"):
            read_lines(path)


def test_a_record_says_what_was_asked_and_is_checked(tmp_path, monkeypatch):
    monkeypatch.setenv("WORLD_SIZE", "3")
    made = describe("kind", {"a": 1}, Loop(seed=7, threads=2), {"sha256": "ab"}, "a/recipe")
    wanted = {"kind": "kind", "recipe": "a/recipe", "config": {"a": 1}, "data": {"sha256": "ab"}}
    wanted |= {"seed": 7, "threads": 2, "processes": 3, "device": "cpu"}
    assert wanted.items() <= made.items()
    monkeypatch.delenv("WORLD_SIZE")
    bare = describe("kind", {}, Loop())
    assert (bare["data"], bare["recipe"], bare["processes"]) == (None, None, 1)
    check_record(tmp_path, {"format": 1, "config": {}})  # as runs of before have it
    for wrong in ({"format": 2}, {"data": {}}, {"data": {"sha256": 3}}, {"kind": 3}, {"config": 1}):
        with pytest.raises(ValueError, match=r": (its format|data|kind|config) "):
            check_record(tmp_path, {"format": 1, "config": {}, **wrong})


def test_only_what_differs_from_the_beginning_is_told(tmp_path):
    loop = Loop(seed=3)
    folder = RunFolder.create(tmp_path / "run", describe("k", {}, loop))
    assert folder.differences(loop) == []
    other = folder.differences(Loop(seed=4, threads=2))
    assert other == ["seed was 3, is 4", "threads was 1, is 2"]
    older = RunFolder(folder.path, {k: v for k, v in folder.record.items() if k != "torch"})
    assert [one.partition(" was ")[0] for one in older.differences(loop)] == ["torch"]


def test_the_log_is_cut_after_an_update_and_checkpoints_are_by_number(tmp_path):
    folder = RunFolder.create(tmp_path / "a" / "run", describe("k", {}, Loop()))
    assert folder.at is None
    for update in (1, 2, 3):
        folder.append({"update": update})
    folder.cut_log(2)
    assert [line["update"] for line in folder.log()] == [1, 2]
    for update in (1000000, 999999, 7):
        path = folder.unfinished_checkpoint(update)
        path.mkdir(parents=True)
        assert path.name == f".{update:06d}" + path.name.partition(f"{update:06d}")[2]
        folder.keep_checkpoint(update, keep=5)
    (tmp_path / "a" / "run" / "checkpoints" / "notes").mkdir()
    assert list(folder.checkpoints()) == [7, 999999, 1000000]
    assert [path.name for path in folder.checkpoints().values()] == ["000007", "999999", "1000000"]
    with pytest.raises(FileNotFoundError, match=r"of update 1000000\. .*checkpoints/1000000;"):
        _ = folder.weights
    assert place(folder.path / "checkpoints" / "000007") == (folder.path, 7)
    assert place(folder.path / "checkpoints" / "notes")[1] is None
    opened = RunFolder.open(folder.path / "checkpoints" / "000007")
    assert opened.weights == folder.path / "checkpoints" / "000007" / "model.safetensors"
    again = folder.unfinished_checkpoint(8)
    again.mkdir()
    folder.keep_checkpoint(8, keep=2)
    assert list(folder.checkpoints()) == [999999, 1000000]
    (folder.path / (".x" + again.name.partition("000008")[2])).write_text("")
    folder.clear_unfinished()
    assert sorted(path.name for path in folder.path.iterdir()) == [
        *("checkpoints", "log.jsonl", "run.json")
    ]


def test_a_run_is_forgotten_only_before_anything_was_learnt(tmp_path):
    for begun in ("log.jsonl", "model.safetensors", "checkpoints/000001"):
        folder = RunFolder.create(tmp_path / begun[:3], describe("k", {}, Loop()))
        (folder.path / begun).parent.mkdir(exist_ok=True)
        (folder.path / begun).mkdir() if "/" in begun else (folder.path / begun).write_text("")
        folder.forget_unbegun()
        assert folder.path.exists()
    bare = RunFolder.create(tmp_path / "bare", describe("k", {}, Loop()))
    bare.forget_unbegun()
    assert not bare.path.exists()


@pytest.mark.parametrize("name", ["run.json", "result.json", "a/b.json", "words.txt"])
def test_a_further_file_has_a_name_of_its_own(tmp_path, name):
    with pytest.raises(ValueError, match=r"expected a name such as vocabulary\.json"):
        RunFolder.create(tmp_path / "run", describe("k", {}, Loop()), {name: {}})
    (tmp_path / "empty").mkdir()
    RunFolder.create(tmp_path / "empty", describe("k", {}, Loop()), {"words.json": {"a": 1}})


def test_files_of_before_may_lack_what_is_written_today(tmp_path):
    made = {"vocabulary.json": {"a": 1}}
    folder = RunFolder.create(tmp_path / "run", describe("k", {}, Loop()), made)
    folder.check_files({"vocabulary.json": {"a": 1, "b": 2}})
    for other in ({"a": 2}, {"b": 1}):
        with pytest.raises(ValueError, match=r"makes another vocabulary\.json"):
            folder.check_files({"vocabulary.json": other})
    folder.finish({"metrics": {"test": {}}})
    assert folder.result == {"metrics": {"test": {}}}  # checksums are no figure


# Weights and what is carried


def test_names_shapes_and_norms_of_tensors():
    assert [state_name(rank) for rank in (0, 1)] == ["state.safetensors", "state-rank1.safetensors"]
    tensors = named("a", {"x": torch.ones(1)}) | named("ab", {"y": torch.zeros(1)})
    assert list(tensors) == ["a/x", "ab/y"]
    assert list(under("a", tensors)) == ["x"]
    assert norm({"a": torch.full((2,), 1e30), "b": torch.zeros(3)}) == pytest.approx(2**0.5 * 1e30)
    assert digest({"a": torch.ones(2), "b": torch.ones(1)}) != digest({"a": torch.ones(3)})
    for bad in (math.nan, math.inf):
        with pytest.raises(ValueError, match="w holds numbers that are not finite"):
            check_finite({"w": torch.tensor([0.0, bad])}, "file", "")


def test_a_file_is_as_it_was_written_or_missing_or_nobody_vouches_for_it(tmp_path):
    file, other = tmp_path / "b.json", tmp_path / "a.json"
    file.write_text("1")
    other.write_text("2")
    found = checksums([file, other])
    assert list(found) == ["a.json", "b.json"]
    record = {"sha256": found}
    check_unchanged(file, record, "Mend it.")
    file.write_text("2")
    check_unchanged(file, {"sha256": {"a.json": "0"}}, "Mend it.")
    check_unchanged(file, {"sha256": "0"}, "Mend it.")
    check_unchanged(file, {}, "Mend it.")
    with pytest.raises(ValueError, match=r"b\.json: changed since the run wrote it .* Mend it\.$"):
        check_unchanged(file, record, "Mend it.")
    file.unlink()
    check_unchanged(file, record, "Mend it.")


def test_shared_and_sliced_tensors_are_written(tmp_path):
    whole = torch.arange(6.0).view(2, 3)
    write_tensors(tmp_path / "x", {"a": whole, "b": whole, "c": whole.T, "d": whole[:, 1]})


class Pair(NamedTuple):
    left: torch.Tensor
    right: int


def test_what_is_carried_has_memory_of_its_own_in_order():
    source = torch.arange(6.0, requires_grad=True)
    kept = detached((source.view(2, 3).T, {"a": source}))
    assert kept[0].is_contiguous()
    assert not kept[0].requires_grad
    with torch.no_grad():
        source += 1
    assert kept[1]["a"].tolist() == [0, 1, 2, 3, 4, 5]
    there = moved({"a": Pair(torch.ones(1), 3), "b": (torch.ones(1),)}, torch.device("meta"))
    assert isinstance(there["a"], Pair)
    assert (there["a"].left.device.type, there["a"].right) == ("meta", 3)
    assert type(there["b"]) is tuple


def test_the_fingerprint_is_of_the_fifth_update_or_the_last():
    def taken(updates: int) -> list[bool]:
        alone = Processes(SimpleNamespace(world_size=1, global_rank=0))
        model = nn.Linear(2, 1)
        at = Standing(model, torch.optim.SGD(model.parameters()), alone, torch.Generator())
        found = []
        for _ in range(updates):
            at.count(3.0, updates)
            found.append(at.fingerprint is not None)
        assert (at.update, at.seen) == (updates, 3.0 * updates)
        checksum, size = at.fingerprint.split()
        assert checksum == digest(model.state_dict())[:16]
        assert float(size) == pytest.approx(norm(model.state_dict()), rel=1e-8)
        return found

    assert FINGERPRINT_UPDATES == 5
    assert taken(7) == [False] * 4 + [True] * 3
    assert taken(2) == [False, True]


def test_norms_are_alike_up_to_2e_8():
    for further, found in ((1.9e-8, "but for rounding"), (2.1e-8, "other")):
        assert likeness("a 1", f"b {1 + further:.12g}") == found
    assert likeness("a 1", "b 1") == "but for rounding"


def test_the_patience_ends_after_so_many_lines_and_weights_are_copies():
    model = nn.Linear(1, 1)
    best = Best("valid/loss", patience=2)
    kept = best.keep(None, 1, 3.0, model)
    before = kept.weights["weight"].clone()
    with torch.no_grad():
        model.weight += 1
    assert kept.weights["weight"].equal(before)
    waits = []
    for update in (2, 3):
        kept = best.keep(kept, update, 3.0, model)
        waits.append((kept.waited, best.gives_up(kept)))
    assert waits == [(1, False), (2, True)]
    assert not Best("valid/loss").gives_up(Kept(0, 0.0, 10**6, {}))
    assert Best("valid/loss").better == "lower"
    higher = Best("valid/loss", "higher")
    assert higher.keep(kept, 9, 3.0, model).update == 1
    assert higher.keep(kept, 9, 3.1, model).update == 9
    assert math.isnan(best.value({"valid": {"loss": None}}))
    with pytest.raises(ValueError, match="a split and a name"):
        Best("/loss")
    with pytest.raises(ValueError, match="expected 'lower' or 'higher'"):
        Best("valid/loss", "least")


# The end


def test_the_first_wish_to_stop_is_noted_and_the_second_ends_at_once():
    assert Interrupted().code == 130
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    for number in (signal.SIGINT, signal.SIGTERM):
        with StopRequest() as stop:
            assert not stop.asked
            os.kill(os.getpid(), number)
            assert stop.asked
            with pytest.raises(KeyboardInterrupt):
                os.kill(os.getpid(), number)
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == before


def test_a_batch_is_shared_out_in_turns():
    parts = []
    for rank in range(3):
        fabric = SimpleNamespace(world_size=3, global_rank=rank, device=torch.device("cpu"))
        parts.append(Processes(fabric).share((torch.arange(5), torch.arange(5) * 2)))
    assert [part[0].tolist() for part in parts] == [[0, 3], [1, 4], [2]]
    assert [part[1].tolist() for part in parts] == [[0, 6], [2, 8], [4]]
