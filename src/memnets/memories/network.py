"""A memory network is four components: I, G, O and R (Weston et al., 2014, section 2)."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

M = TypeVar("M")
"""What a slot holds, and what an input is encoded as."""
A = TypeVar("A")
"""What a response is."""


class NetworkResponse(NamedTuple):
    """A response, and the slots that it rests on in the order they were found."""

    response: Any
    slots: tuple[int, ...]
    supports: tuple[Any, ...]


def next_free_slot(memory: tuple[M, ...], entry: M) -> tuple[M, ...]:
    r"""Write to the next free slot: $m_N = x, N \leftarrow N + 1$; every old slot stays."""
    return (*memory, entry)


@dataclass(frozen=True)
class MemoryNetwork(Generic[M, A]):
    r"""Any four components, as a network that is told things and asked.

    $$ m_i = G(m_i, I(x), m) \;\forall i, \qquad o = O(I(x), m), \qquad r = R(o) $$

    The memory is a tuple of slots that is passed in and returned. It is written in the same way
    when components are learnt and when they are used; parameters are theirs alone. A component
    may be anything that can be called: an embedding, a search, a decision tree.

    Deviations: none.
    Cite: weston2014

    Args:
        encode: I, from a text to what slots hold.
        support: O, from an encoded question and the memory to the slots that matter, in order.
        respond: R, from the question and what those slots hold to a response.
        write: G, from the memory and an encoded input to the new memory; it may revise every slot.
    """

    encode: Callable[[str], M]
    support: Callable[[M, tuple[M, ...]], Sequence[int]]
    respond: Callable[[M, tuple[M, ...]], A]
    write: Callable[[tuple[M, ...], M], tuple[M, ...]] = next_free_slot

    def tell(self, memory: tuple[M, ...], *texts: str) -> tuple[M, ...]:
        """Return the memory with texts written to it."""
        for text in texts:
            memory = self.write(memory, self.encode(text))
        return memory

    def ask(self, memory: tuple[M, ...], question: str) -> NetworkResponse:
        """Answer a question; the memory stays as it is.

        Raises:
            ValueError: O named a slot that the memory does not have.
        """
        asked = self.encode(question)
        slots = tuple(self.support(asked, memory))
        for slot in slots:
            if not 0 <= slot < len(memory):
                raise ValueError(
                    f"MemoryNetwork.ask({question!r}): the component `support` named slot {slot}, "
                    f"the memory has {len(memory)}. Slots are counted from 0."
                )
        supports = tuple(memory[slot] for slot in slots)
        return NetworkResponse(self.respond(asked, supports), slots, supports)


@dataclass(frozen=True)
class Supersede(Generic[M]):
    r"""A G that revises: what speaks of the same subject as the new input is replaced by nothing.

    $$ m_i = \begin{cases} \mathrm{nothing} & s(m_i) = s(x) \\ m_i & \text{else} \end{cases},
       \qquad m_N = x $$

    Slots keep their numbers, so that the order of writing is kept too.

    Args:
        subject: what an entry speaks of; None where it supersedes nothing.
        nothing: what an emptied slot holds.
    """

    subject: Callable[[M], Hashable | None]
    nothing: M

    def __call__(self, memory: tuple[M, ...], entry: M) -> tuple[M, ...]:
        new = self.subject(entry)
        kept = (self.nothing if self.subject(old) == new else old for old in memory)
        return (*(memory if new is None else kept), entry)


__all__ = ["MemoryNetwork", "NetworkResponse", "Supersede", "next_free_slot"]
