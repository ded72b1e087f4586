"""Whether an error means that the computer has no more memory. Imports no torch."""

_TOLD = ("can't allocate memory", "out of memory", "Storage size calculation overflowed")


def out_of_memory(error: BaseException) -> bool:
    """Whether an error says that there is no more memory; torch has no type of its own for it."""
    return isinstance(error, MemoryError) or (
        isinstance(error, RuntimeError) and any(words in str(error) for words in _TOLD)
    )
