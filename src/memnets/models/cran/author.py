"""The network as the proposal's author had it in his own code, to compare with the proposal's."""

from memnets.layers.zone_choice import TwiceSoftmaxZones
from memnets.layers.zone_keys import LinearKey
from memnets.memories.zones import PaddedZones
from memnets.models.cran.cell import CRANCell
from memnets.models.cran.network import CRAN
from memnets.models.cran.parts import GatedUpdate, InputQuery, JointRead, ReluUpdate


def longterm(dim: int, hidden: int, zones: int, slots: int, k: int, *, gated: bool = False) -> CRAN:
    r"""Return the network of the proposal's author: variants 1.1, 2.2, 3.1 or 3.2, 4.1.

    It differs from the proposal in that both dot products are scaled, a softmax is taken of the
    chosen zones' softmax, all slots are read whether a state was written to them or not, and
    gradient is cut at every step, so that the zones' keys learn nothing. For comparison only.

    Deviations: rows are independent. In the author's code a zone's key is made of
    slots of several rows where there are several, so that the two agree for a batch of one.

    Args:
        dim: width of the input, and of a zone's key.
        hidden: width of the state.
        zones: how many are remembered, N.
        slots: how many states a zone holds, L.
        k: how many zones are read.
        gated: whether the update is 3.2 rather than 3.1.
    """
    cell = CRANCell(
        query=InputQuery(dim, dim),
        read=JointRead(dim, hidden, hidden),
        update=GatedUpdate(dim, hidden) if gated else ReluUpdate(dim, hidden),
        key=LinearKey(hidden, slots, dim),
        memory=PaddedZones(zones, slots),
        choice=TwiceSoftmaxZones(k),
    )
    return CRAN(cell, refresh="write", detached=True)
