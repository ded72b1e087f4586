"""Compile or export attention whole, and say which pairs could be. Run by test_compile.py.

The hook that checks shapes cannot be captured in a graph, so this runs in a process of its own.
"""

import json
import sys

import torch

from memnets.attention import Align, Attention, Dot, Score, Softmax
from memnets.testing import discover
from memnets.testing.conformance.scores import example_with_inputs


def pairs(whole):
    """Return the pairs to be tried: every part once, or all of the grid."""
    scores, aligns = discover(Score), discover(Align)
    if whole:
        return [(score, align) for score in scores for align in aligns]
    return [*((score, Softmax) for score in scores), *((Dot, a) for a in aligns if a != Softmax)]


def arguments(inputs, slots):
    """Return the arguments of a read, its memory cut to some slots, in float32."""
    inputs = inputs.to(torch.float32)
    cut = inputs.reorder(torch.arange(slots))
    context = cut.context()._replace(query=None, positions=inputs.positions[:slots])
    return cut.query, cut.keys, cut.values, cut.mask, context


def compiled(attention, inputs, backend):
    """Compile a read for 13 slots and use it for 11 too."""
    torch.compiler.reset()
    function = torch.compile(attention, backend=backend, fullgraph=True)
    for slots in (13, 11):
        torch.testing.assert_close(
            function(*arguments(inputs, slots)).value,
            attention(*arguments(inputs, slots)).value,
            rtol=1e-5,
            atol=1e-6,
        )
    return "compiled"


def exported(attention, inputs):
    """Export a read of any number of slots, and read with it."""
    query, keys, values, mask, _ = arguments(inputs, 13)
    slots = torch.export.Dim("slot", min=2, max=13)
    dynamic = {"query": None, "keys": {1: slots}, "values": {1: slots}, "mask": {2: slots}}
    program = torch.export.export(attention, (query, keys, values, mask), dynamic_shapes=dynamic)
    for size in (13, 11):
        query, keys, values, mask, _ = arguments(inputs, size)
        found = program.module()(query, keys, values, mask).value
        expected = attention(query, keys, values, mask).value
        torch.testing.assert_close(found, expected, rtol=1e-5, atol=1e-6)
    return "exported"


def main(how, whole):
    """Print what each pair did, as JSON."""
    said = {}
    for score, align in pairs(whole):
        torch.manual_seed(0)
        inputs, module = example_with_inputs(score)
        attention = Attention(module.float(), align.example())
        name = f"{score.__name__}-{align.__name__}"
        try:
            said[name] = (
                exported(attention, inputs) if how == "export" else compiled(attention, inputs, how)
            )
        except Exception as error:
            said[name] = f"{type(error).__name__}: {error}"
    print(json.dumps(said))


if __name__ == "__main__":
    main(sys.argv[1], "whole" in sys.argv)
