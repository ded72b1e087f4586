"""Compile attention and models whole, and say which could be. Run by test_compile.py.

The hook that checks shapes cannot be captured in a graph, so this runs in a process of its own.
"""

import json
import sys

import torch

from memnets.attention import Attention, Dot, Entmax, Identity, ScaledDot, Softmax
from memnets.models import memn2n


def cases():
    """Yield a name, a module, its inputs and others of another size."""
    query, keys, mask = torch.randn(2, 3, 5), torch.randn(2, 13, 5), torch.rand(2, 1, 13) < 0.7
    longer = query, torch.randn(2, 17, 5), None, torch.rand(2, 1, 17) < 0.7
    for score in (Dot(), ScaledDot()):
        for align in (Softmax(), Identity()):
            name = f"{type(score).__name__}-{type(align).__name__}"
            yield name, Attention(score, align), (query, keys, None, mask), longer
            yield f"{name}-no-mask", Attention(score, align), (query, keys), (query, longer[1])
    yield "Dot-Entmax", Attention(Dot(), Entmax()), (query, keys, None, mask), longer
    model, inputs = memn2n.example()
    sentences, story, time, question = inputs
    pad = torch.nn.functional.pad
    yield "MemN2N", model, inputs, (sentences, pad(story, (0, 4)), pad(time, (0, 4)), question)


def first(outputs):
    return outputs[0]


def main(backend, *wanted):
    """Print what each case did, or each of those wanted, as JSON."""
    said = {}
    for name, module, inputs, others in cases():
        if wanted and name not in wanted:
            continue
        torch.manual_seed(0)
        torch.compiler.reset()
        compiled = torch.compile(module, backend=backend, fullgraph=True)
        try:
            for arguments in (inputs, others):
                found, expected = first(compiled(*arguments)), first(module(*arguments))
                torch.testing.assert_close(found, expected, rtol=1e-5, atol=1e-6)
            said[name] = "compiled"
        except Exception as error:
            said[name] = f"{type(error).__name__}: {error}"
    print(json.dumps(said))


if __name__ == "__main__":
    main(*sys.argv[1:])
