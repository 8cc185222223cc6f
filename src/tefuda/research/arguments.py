"""What callers give to ``vector``, checked before compiled code reads it: that looks at no bounds."""

import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tefuda.engine.errors import TefudaError

FEWEST_PER_THREAD = 1024
"""Tables that make another thread worthwhile."""


def check_whole(name: str, value: int, least: int) -> None:
    """Refuse what is not a whole number from ``least``.

    Raises:
        TefudaError: with the name of the argument.
    """
    if type(value) is not int or value < least:
        raise TefudaError(f"{name}: {value!r} is not a whole number from {least}")


def thread_count(threads: int | None, tables: int) -> int:
    """In how many threads to step: as asked, but at most one for each table; by default as many as there are cores, but
    fewer where each would have few tables.

    Raises:
        TefudaError: it is not a whole number from 1.
    """
    if threads is None:
        return max(1, min(os.cpu_count() or 1, tables // FEWEST_PER_THREAD))
    check_whole("threads", threads, 1)
    return min(threads, tables)


def as_actions(actions: Any, tables: int) -> NDArray[np.int64]:
    """An action for each table, not yet known to be legal.

    Raises:
        TefudaError: these are not whole numbers of shape (tables,).
    """
    chosen = np.asarray(actions)
    if chosen.shape != (tables,) or chosen.dtype.kind not in "iu":
        raise TefudaError(
            f"actions: {chosen.dtype} of shape {chosen.shape}; whole numbers of shape ({tables},) are wanted"
        )
    return np.ascontiguousarray(chosen, np.int64)


def as_flags(name: str, given: Any, tables: int) -> NDArray[np.bool_]:
    """Whether each table is meant.

    Raises:
        TefudaError: these are not bool of shape (tables,).
    """
    flags = np.asarray(given)
    if flags.shape != (tables,) or flags.dtype != np.bool_:
        raise TefudaError(f"{name}: {flags.dtype} of shape {flags.shape}; bool of shape ({tables},) is wanted")
    return np.ascontiguousarray(flags)
