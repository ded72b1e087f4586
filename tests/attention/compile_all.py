"""Compile or export attention and its ops, and say which could be. Run by test_compile.py.

The hook that checks shapes cannot be captured in a graph, so this runs in a process of its own.
"""

import gc
import json
import sys

import torch

from memnets.attention import Align, Attention, GumbelStraightThrough, Sampled, Score
from memnets.ops.additive import additive_scores
from memnets.ops.dot import read_dot
from memnets.ops.windows import read_windows
from memnets.testing import discover
from memnets.testing.conformance.scores import example_with_inputs

SCORES, ALIGNS = ({part.__name__: part for part in discover(base)} for base in (Score, Align))


def arguments(inputs, slots):
    """Return the arguments of a read, its memory cut to some slots, in float32."""
    inputs = inputs.to(torch.float32)
    cut = inputs.reorder(torch.arange(slots))
    context = cut.context()._replace(query=None, positions=inputs.positions[:slots])
    return cut.query, cut.keys, cut.values, cut.mask, context


def compiled(attention, inputs, backend):
    """Compile a read for some slots and use it for fewer too."""
    torch.compiler.reset()
    # A generator cannot be captured: what draws is compiled in two parts, about the draw.
    draws = isinstance(attention.align, Sampled | GumbelStraightThrough)
    function = torch.compile(attention, backend=backend, fullgraph=not draws)
    # A graph does not cut the memory. Noise is drawn slot by slot: there nothing may be to be cut.
    for slots in (11, 10) if draws else (13, 11):
        torch.testing.assert_close(
            function(*arguments(inputs, slots)).value,
            attention(*arguments(inputs, slots)).value,
            rtol=1e-5,
            atol=1e-6,
        )
    return "compiled in parts" if draws else "compiled"


def exported(attention, inputs):
    """Export a read of at least as many slots as queries, and read with it."""
    query, keys, values, mask, _ = arguments(inputs, 13)
    slots = torch.export.Dim("slot", min=3, max=13)
    dynamic = {"query": None, "keys": {1: slots}, "values": {1: slots}, "mask": {2: slots}}
    program = torch.export.export(attention, (query, keys, values, mask), dynamic_shapes=dynamic)
    for size in (13, 11):
        query, keys, values, mask, _ = arguments(inputs, size)
        found = program.module()(query, keys, values, mask).value
        expected = attention(query, keys, values, mask).value
        torch.testing.assert_close(found, expected, rtol=1e-5, atol=1e-6)
    return "exported"


class Scores(torch.nn.Module):
    def forward(self, *parts):
        return additive_scores(*parts)


def op(how, name):
    """Compile or export an op, at a size for which it takes its fast path."""
    query, keys, values = torch.randn(3, 150, 5), torch.randn(3, 157, 5), torch.randn(3, 157, 5)
    mask = torch.rand(3, 1, 157) > 0.3
    function, inputs = {
        "additive_scores": (additive_scores, (query, keys, torch.randn(5))),
        "read_dot": (read_dot, (query, keys, values, mask)),
        "read_windows": (read_windows, (query, keys, values, 3, 1, mask)),
    }[name]
    torch.compiler.reset()
    if how == "export":
        captured = torch.export.export(Scores(), inputs).module()
    else:
        captured = torch.compile(function, fullgraph=True, backend=how)
    torch.testing.assert_close(captured(*inputs), function(*inputs))
    return "exported" if how == "export" else "compiled"


def pair(how, name):
    """Compile or export a pair such as `Dot-Softmax`."""
    score, align = name.split("-")
    inputs, module = example_with_inputs(SCORES[score])
    attention = Attention(module.float(), ALIGNS[align].example())
    return exported(attention, inputs) if how == "export" else compiled(attention, inputs, how)


def main(*jobs):
    """Print what each did, such as `export:Dot-Softmax` or `eager:read_dot`, as JSON."""
    said = {}
    for job in jobs:
        torch.manual_seed(0)
        how, name = job.split(":")
        try:
            said[job] = (pair if "-" in name else op)(how, name)
        except Exception as error:
            said[job] = f"{type(error).__name__}: {error}"
    print(json.dumps(said))


if __name__ == "__main__":
    # A process as short as this needs no search for garbage, and tracing makes much to search.
    gc.disable()
    main(*sys.argv[1:])
