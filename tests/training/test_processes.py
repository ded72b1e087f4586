"""Two processes learn what one learns."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
import toy_runs
from safetensors.torch import load_file
from torch.testing import assert_close
from toy_runs import outcome, train

from memnets.training import processes
from memnets.training.config import Loop
from memnets.training.loop import _check_agreement
from memnets.training.processes import Processes, launch, recurrences_on


@pytest.fixture(scope="module")
def two(tmp_path_factory):
    """Toy runs of two processes; the one named with a number was killed then, and resumed."""
    return of_two(tmp_path_factory.mktemp("two"), "sum", "language", "language:17")


@pytest.fixture(scope="module")
def two_more(tmp_path_factory):
    return of_two(tmp_path_factory.mktemp("more"), "mean", "patient", "patient:29", torchrun=True)


def of_two(out, *names, torchrun=False):
    """Start the toys by torchrun, or as it does, by one that forks: what is imported, is once."""
    start = ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2"]
    command = [*start, toy_runs.__file__] if torchrun else [toy_runs.__file__, "--two"]
    done = subprocess.run(
        [sys.executable, *command, str(out), *names],
        capture_output=True,
        text=True,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    patient = sum(name.startswith("patient") for name in names)
    assert done.stdout.count("update 29 ") == len(names) - patient, "each line is printed once"
    assert done.stdout.count("update 32 ") == patient
    for name in names:
        assert json.loads((out / name / "run.json").read_text())["processes"] == 2
    return out


@pytest.mark.parametrize(
    ("reduction", "runs"),
    [("sum", "two"), pytest.param("mean", "two_more", marks=pytest.mark.slow)],
)
def test_two_processes_learn_the_same_weights_as_one(reduction, runs, request, tmp_path):
    # A batch of 7 gives shares of 4 and 3.
    two = request.getfixturevalue(runs)
    train(reduction, tmp_path / "one")
    one, both = (
        load_file(path / "model.safetensors") for path in (tmp_path / "one", two / reduction)
    )
    assert_close(both, one, rtol=1e-5, atol=1e-6)
    losses = [
        [line["train"]["loss"] for line in outcome(path)[1]]
        for path in (tmp_path / "one", two / reduction)
    ]
    assert losses[1] == pytest.approx(losses[0], rel=1e-4)


def test_two_processes_resume_to_the_same_bits(two):
    assert outcome(two / "language") == outcome(two / "language:17")
    last = two / "language:17" / "checkpoints" / "000029"
    names = ("state.safetensors", "state-rank1.safetensors")
    first, second = (load_file(last / name)["carried/state.hidden"] for name in names)
    assert first.shape == (1, 3, 7)
    assert second.shape == (1, 2, 7)


@pytest.mark.slow
def test_two_processes_keep_and_end_as_one(two_more, tmp_path):
    train("patient", tmp_path / "one")
    assert outcome(two_more / "patient") == outcome(two_more / "patient:29")
    one, both = (outcome(path)[2] for path in (tmp_path / "one", two_more / "patient"))
    assert one["kept"]["update"] == both["kept"]["update"] == 26
    assert one["updates"] == both["updates"] == 32


def test_a_carried_state_belongs_to_its_number_of_processes(two):
    path = two / "language:17"
    (path / "result.json").unlink()
    with pytest.raises(
        ValueError,
        match=r"000029/state.safetensors: 2 processes carried .* now there are 1\. Go on",
    ):
        train("language", path)


def test_without_a_carried_state_one_process_goes_on_with_the_run_of_two(two):
    path = two / "sum"
    expected = json.loads((path / "result.json").read_text())["metrics"]
    (path / "result.json").unlink()
    assert train("sum", path)["metrics"] == expected


def test_a_world_that_fabric_does_not_see_is_refused(monkeypatch):
    monkeypatch.setenv("WORLD_SIZE", "2")
    with pytest.raises(ValueError, match=r"WORLD_SIZE=2, but .* world of 1\. Start with torchrun"):
        launch(Loop())


def test_a_run_is_launched_as_it_is_asked_for(monkeypatch):
    """Alone, and as one of six under torchrun, two on each of three machines."""
    given, threads = [], torch.get_num_threads()

    class Fabric:
        world_size = 1

        def __init__(self, **settings):
            given.append(settings)

        def launch(self):
            given.append("launched")

    monkeypatch.setattr("lightning_fabric.Fabric", Fabric)
    asked = {"accelerator": "auto", "precision": "bf16-mixed"}
    loop = Loop(device="auto", precision="bf16-mixed", threads=2)
    try:
        assert launch(loop).world == 1
        assert torch.get_num_threads() == 2
        assert given == [{**asked, "devices": 1, "num_nodes": 1}, "launched"]
        monkeypatch.setattr(Fabric, "world_size", 6)
        monkeypatch.setattr(torch.distributed, "is_torchelastic_launched", lambda: True)
        monkeypatch.setenv("WORLD_SIZE", "6")
        monkeypatch.setenv("LOCAL_WORLD_SIZE", "2")
        assert launch(loop).world == 6
        assert given[2:] == [{**asked, "devices": 2, "num_nodes": 3}, "launched"]
    finally:
        torch.set_num_threads(threads)


def test_a_weight_that_no_process_used_has_no_gradient():
    """Beside one that this process alone used, and one that the other did: zeros came of it."""

    class Fabric:
        world_size, device = 2, torch.device("cpu")

        def all_reduce(self, told, reduce_op):
            assert reduce_op == "sum"
            return told + torch.tensor([0.0, 1.0, 0.0, 0, 0, 3.0, 4.0, 0, 0])

    model = torch.nn.ParameterList([torch.zeros(2) for _ in range(3)])
    model[0].grad = torch.tensor([1.0, 2.0])
    Processes(Fabric()).sum_gradients(model)
    found = [None if part.grad is None else part.grad.tolist() for part in model]
    assert found == [[1.0, 2.0], [3.0, 4.0], None]


def test_processes_that_were_told_different_things_do_not_hang():
    class Second(Processes):
        rank = 1

        def agree(self, value):
            return ["runs/a-1", False]

    with pytest.raises(
        ValueError,
        match=r"process 1 was given runs/a-2 with resume=False, process 0 runs/a-1 .*--out",
    ):
        _check_agreement(Second(None), "runs/a-2", False)
    _check_agreement(Second(None), "runs/a-1", False)


@pytest.mark.skipif(torch.cuda.is_available(), reason="needs a machine without CUDA")
def test_a_device_that_is_not_there_is_refused():
    with pytest.raises(ValueError, match=r"loop.device='cuda': .* no such device. Pass --loop.dev"):
        launch(Loop(device="cuda"))


def test_bfloat16_is_used_where_it_is_asked_for(tmp_path, monkeypatch):
    seen = set()
    loss = toy_runs.EndlessTask.loss

    def look(task, model, batch, state, generator):
        seen.add(model(batch[0]).dtype)
        return loss(task, model, batch, state, generator)

    monkeypatch.setattr(toy_runs.EndlessTask, "loss", look)
    train("endless", tmp_path / "run", Loop(precision="bf16-mixed"))
    assert seen == {torch.bfloat16}
    assert (
        load_file(Path(tmp_path / "run" / "model.safetensors"))["0.weight"].dtype == torch.float32
    )


@pytest.mark.parametrize(
    ("capability", "device", "cast", "enabled"),
    [
        ("AVX2", "cpu", True, False),
        ("DEFAULT", "cpu", True, False),
        ("AVX512", "cpu", True, True),
        ("AVX2", "cpu", False, True),
        ("AVX2", "cuda", True, True),
    ],
)
def test_recurrences_are_cast_on_processors_that_have_no_kernel_of_it(
    monkeypatch, capability, device, cast, enabled
):
    monkeypatch.setattr(processes, "get_cpu_capability", lambda: capability)
    before = torch.backends.mkldnn.enabled
    with torch.autocast("cpu", torch.bfloat16, enabled=cast):
        with recurrences_on(torch.device(device)):
            assert torch.backends.mkldnn.enabled is (before and enabled)
        assert torch.backends.mkldnn.enabled is before


def test_a_forward_pass_is_cast_as_the_run_says():
    for precision, kind in (("bf16-mixed", torch.bfloat16), ("32-true", torch.float32)):
        with launch(Loop(precision=precision)).autocast():
            assert torch.nn.Linear(2, 2)(torch.ones(1, 2)).dtype is kind
            assert torch.nn.LSTM(2, 2)(torch.ones(1, 2))[0].isfinite().all()
