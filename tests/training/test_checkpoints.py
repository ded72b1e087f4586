"""Tensors on disk, and the structure of what is carried."""

from types import SimpleNamespace
from typing import NamedTuple

import pytest
import torch
import toy_runs
from safetensors.torch import save_file
from torch import nn

from memnets.training.arrays import read_arrays
from memnets.training.checkpoints import (
    digest,
    load_model,
    load_optimizer,
    optimizer_tensors,
    read_tensors,
    write_tensors,
)
from memnets.training.processes import Processes
from memnets.training.standing import Standing
from memnets.training.state import detached, flatten, map_state, rebuild


class Pair(NamedTuple):
    left: torch.Tensor
    right: tuple[torch.Tensor, ...]


def test_weights_survive_a_round_trip_ties_included(tmp_path):
    one, two = toy_runs.LanguageModel(), toy_runs.LanguageModel()
    write_tensors(tmp_path / "model.safetensors", one.state_dict())
    load_model(two, tmp_path / "model.safetensors")
    assert all(two.state_dict()[name].equal(x) for name, x in one.state_dict().items())
    assert two.words.weight is two.embed.weight


def test_a_digest_is_of_names_types_shapes_and_bytes_in_no_order():
    one = {"a": torch.tensor([1.0, 2.0]), "b": torch.zeros(3)}
    turned = {"b": torch.zeros(3), "a": torch.tensor([[1.0, 5.0], [2.0, 7.0]])[:, 0]}
    assert digest(turned) == digest(one)
    others = (
        {"c": one["a"], "b": one["b"]},
        {"a": one["b"], "b": one["a"]},
        {**one, "a": one["a"][None]},
        {**one, "a": -one["a"]},
        {**one, "b": torch.zeros(3, dtype=torch.int32)},
        {"a": one["a"]},
    )
    assert len({digest(one), *map(digest, others)}) == 7


def test_a_model_of_other_names_or_shapes_is_refused(tmp_path):
    file = tmp_path / "model.safetensors"
    for tensors, complaint in (
        ({"weight": torch.zeros(3, 5)}, r"model\.safetensors: it lacks bias, .* Use the model"),
        (
            {"weight": torch.zeros(3, 5), "bias": torch.zeros(3), "extra": torch.zeros(1)},
            r"model\.safetensors: it holds extra, which the model has not\. Use the model",
        ),
        (
            {"weight": torch.zeros(5, 3), "bias": torch.zeros(3)},
            r"model\.safetensors: weight is \(5, 3\), the model's is \(3, 5\)\. Use the model",
        ),
    ):
        save_file(tensors, file)
        with pytest.raises(ValueError, match=complaint) as caught:
            load_model(nn.Linear(5, 3), file)
        assert caught.value.__suppress_context__ or caught.value.__context__ is None


def test_a_needed_tensor_is_missed_by_name(tmp_path):
    write_tensors(tmp_path / "state.safetensors", {"a": torch.zeros(2)})
    with pytest.raises(ValueError, match=r"state\.safetensors: it lacks random/cpu\. Restore"):
        read_tensors(tmp_path / "state.safetensors", needed=("a", "random/cpu"))


def stepped(kind, **settings):
    model = nn.Linear(5, 3)
    optimizer = kind(model.parameters(), lr=0.1, **settings)
    model(torch.ones(2, 5)).sum().backward()
    optimizer.step()
    return optimizer


@pytest.mark.parametrize(
    ("kind", "settings"),
    [
        (torch.optim.SGD, {}),
        (torch.optim.SGD, {"momentum": 0.9}),
        (torch.optim.Adam, {"amsgrad": True}),
        (torch.optim.Adagrad, {}),
        (torch.optim.RMSprop, {"centered": True}),
    ],
)
def test_an_optimizer_survives_a_round_trip(kind, settings, tmp_path):
    one, two = stepped(kind, **settings), stepped(kind, **settings)
    write_tensors(tmp_path / "optimizer.safetensors", optimizer_tensors(one))
    load_optimizer(two, tmp_path / "optimizer.safetensors")
    torch.testing.assert_close(two.state_dict(), one.state_dict(), rtol=0, atol=0)


def test_another_models_optimizer_is_refused(tmp_path):
    file = tmp_path / "optimizer.safetensors"
    write_tensors(file, optimizer_tensors(stepped(torch.optim.Adam)))
    bias_free = torch.optim.Adam([nn.Parameter(torch.zeros(3, 5))])
    with pytest.raises(
        ValueError, match=r"optimizer\.safetensors: 1\.\w+ belongs to none of 1 para"
    ):
        load_optimizer(bias_free, file)
    bias = torch.optim.Adam([nn.Parameter(torch.zeros(3, 5)), nn.Parameter(torch.zeros(4))])
    with pytest.raises(ValueError, match=r"1\.exp_avg is \(3,\), the parameter is \(4,\)\. Use"):
        load_optimizer(bias, file)
    wider = torch.optim.Adam(nn.Linear(7, 3).parameters())
    with pytest.raises(
        ValueError, match=r"0\.exp_avg is \(3, 5\), the parameter is \(3, 7\)\. Use"
    ):
        load_optimizer(wider, file)


def test_an_optimizer_that_keeps_more_than_tensors_is_refused():
    optimizer = stepped(torch.optim.SGD, momentum=0.9)
    optimizer.state[optimizer.param_groups[0]["params"][0]]["history"] = [1]
    with pytest.raises(ValueError, match=r"SGD keeps history=\[1\]: .* Use another optimizer"):
        optimizer_tensors(optimizer)


def test_a_state_is_rebuilt_as_it_was():
    state = {"a": Pair(torch.arange(3.0), (torch.ones(2), torch.zeros(1))), "b": ()}
    tensors = flatten(state)
    assert list(tensors) == ["state.a.left", "state.a.right.0", "state.a.right.1"]
    zeros = map_state(lambda _, tensor: torch.zeros_like(tensor), state)
    again = rebuild(zeros, tensors, "here")
    assert isinstance(again["a"], Pair)
    torch.testing.assert_close(again, state, rtol=0, atol=0)


def test_a_state_of_another_structure_is_refused():
    with pytest.raises(
        ValueError, match=r"000007: .* \['state\.0'\], the task starts with \[\]\. Tr"
    ):
        rebuild((), {"state.0": torch.zeros(1)}, "checkpoints/000007")


def test_a_state_of_something_else_is_refused():
    with pytest.raises(
        ValueError, match=r"the carried state\.1\.a is 7: expected tensors .* Make it"
    ):
        detached((torch.zeros(1), {"a": 7}))


def test_a_carried_state_has_no_graph_and_memory_of_its_own():
    source = torch.ones(3, 5, requires_grad=True) * 2
    (kept,) = detached((source.T,))
    assert not kept.requires_grad
    assert kept.is_contiguous()
    assert kept.untyped_storage().data_ptr() != source.untyped_storage().data_ptr()


def test_what_a_run_has_seen_and_the_time_it_took_are_restored(tmp_path):
    """Each in its own place: the speed of the next line is of all its seconds."""
    alone = Processes(SimpleNamespace(global_rank=0, world_size=1, device=torch.device("cpu")))

    def standing():
        experiment = toy_runs.endless()
        return Standing(experiment.model, experiment.optimizer, alone, torch.Generator())

    written, read = standing(), standing()
    numbers = {"seen": 35.0, "elapsed": 7.5, "training": 5.25, "window": 1.125}
    for name, number in numbers.items():
        setattr(written, name, number)
    written.write(tmp_path)
    read.read(tmp_path, 5)
    assert {name: getattr(read, name) for name in numbers} == numbers
    assert read.update == 5


def test_weights_are_read_as_arrays_without_torch(tmp_path):
    model, path = toy_runs.LanguageModel(), tmp_path / "model.safetensors"
    write_tensors(path, model.state_dict())
    for name, array in read_arrays(path, "Mend it.").items():
        assert torch.tensor(array).equal(model.state_dict()[name])


def test_weights_that_will_not_do_are_no_arrays(tmp_path):
    path = tmp_path / "model.safetensors"
    with pytest.raises(FileNotFoundError, match=r"there is no such file\. Mend it\."):
        read_arrays(path, "Mend it.")
    save_file({"a": torch.tensor([1.0, torch.inf])}, path)
    with pytest.raises(ValueError, match=r"a holds numbers that are not finite\. Mend it\."):
        read_arrays(path, "Mend it.")
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(ValueError, match=r"not a whole safetensors file\. Mend it\."):
        read_arrays(path, "Mend it.")
