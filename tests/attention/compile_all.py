"""Compile or export attention whole, and say which pairs could be. Run by test_compile.py.

The hook that checks shapes cannot be captured in a graph, so this runs in a process of its own.
"""

import json
import sys

import torch

from memnets.attention import Align, Attention, GumbelStraightThrough, Sampled, Score
from memnets.testing import discover
from memnets.testing.conformance.scores import example_with_inputs


def pairs(names):
    """Yield the pairs of these names, such as `Dot-Softmax`."""
    scores, aligns = ({part.__name__: part for part in discover(base)} for base in (Score, Align))
    for name in names:
        score, align = name.split("-")
        yield name, scores[score], aligns[align]


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


def main(how, *names):
    """Print what each pair did, as JSON."""
    said = {}
    for name, score, align in pairs(names):
        torch.manual_seed(0)
        inputs, module = example_with_inputs(score)
        attention = Attention(module.float(), align.example())
        try:
            if how == "export":
                said[name] = exported(attention, inputs)
            else:
                said[name] = compiled(attention, inputs, how)
        except Exception as error:
            said[name] = f"{type(error).__name__}: {error}"
    print(json.dumps(said))


if __name__ == "__main__":
    main(*sys.argv[1:])
