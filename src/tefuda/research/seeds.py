"""Seeds of many tables, and the generators that follow from them."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tefuda.engine import rng
from tefuda.engine.errors import TefudaError

Seed = int | Sequence[int] | NDArray[np.integer[Any]]
"""Of all tables: one number, or several together; or an array of shape (tables,), one for each table alone. A table
with a seed of its own has the deals of the first table of ``reset`` with that number."""


def generators(seed: Seed, tables: int, *others: int) -> NDArray[np.uint64]:
    """A generator for every table; uint64 of shape (tables, 1).

    Args:
        seed: of all tables, or of each.
        tables: how many.
        others: numbers by which other generators of the same seed differ.

    Raises:
        TefudaError: it is no whole number from 0, nor several; an array has another type or shape.
    """
    if not isinstance(seed, np.ndarray):
        return rng.generators((*numbers(seed), *others) if others else seed, tables)
    if seed.shape != (tables,) or not np.issubdtype(seed.dtype, np.integer):
        raise TefudaError(
            f"seed: an array of shape {seed.shape} and type {seed.dtype}; seeds of tables are whole numbers of "
            f"shape ({tables},)"
        )
    return np.stack([rng.generator((number, *others) if others else number) for number in seed.tolist()])


def numbers(seed: Seed) -> tuple[int, ...]:
    """All numbers of a seed."""
    return tuple(seed) if isinstance(seed, Sequence | np.ndarray) else (seed,)
