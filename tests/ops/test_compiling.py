"""The ops of attention in captured graphs."""

import subprocess
import sys

SCRIPT = """
import torch
from memnets.ops.additive import additive_scores
from memnets.ops.dot import read_dot
from memnets.ops.windows import read_windows

query, keys, values = torch.randn(3, 150, 5), torch.randn(3, 157, 5), torch.randn(3, 157, 5)
mask = torch.rand(3, 1, 157) > 0.3
for op, inputs in (
    (additive_scores, (query, keys, torch.randn(5))),
    (read_dot, (query, keys, values, mask)),
    (read_windows, (query, keys, values, 3, 1, mask)),
):
    found = torch.compile(op, fullgraph=True, backend="eager")(*inputs)
    torch.testing.assert_close(found, op(*inputs))


class Scores(torch.nn.Module):
    def forward(self, *parts):
        return additive_scores(*parts)


parts = (query, keys, torch.randn(5))
exported = torch.export.export(Scores(), parts).module()
torch.testing.assert_close(exported(*parts), additive_scores(*parts))
"""


def test_they_can_be_compiled_and_exported_without_a_break():
    """In a process of its own: the shape annotations that pytest checks break the graph."""
    subprocess.run([sys.executable, "-c", SCRIPT], check=True)
