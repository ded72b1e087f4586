"""End-to-end memory networks (Sukhbaatar, Szlam, Weston and Fergus, 2015).

`network.py` is the paper; `tying.py` says which of its tables are one and the same, `native.py`
computes the same in one C++ op where that will do.
"""

from memnets.models.memn2n.network import MemN2N, example
from memnets.models.memn2n.reply import MemN2NOutput
from memnets.models.memn2n.tying import Adjacent, LayerWise, Tying, Untied
from memnets.ops.memn2n import Loss

__all__ = ["Adjacent", "LayerWise", "Loss", "MemN2N", "MemN2NOutput", "Tying", "Untied", "example"]
