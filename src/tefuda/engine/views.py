"""``observe``: what one seat may see of a state. It follows from the visibility of the fields, for every game."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numba import carray, from_dtype
from numba.extending import overload
from numpy.typing import NDArray

from tefuda.engine.raw import address, copy
from tefuda.engine.record import Field, records, view_masks
from tefuda.engine.verbs import UNCOMPILED, rule

_masks: dict[np.dtype[Any], NDArray[np.uint8]] = {}


def declare(fields: Sequence[Field], record: np.dtype[Any], seats: int) -> None:
    """Register a record's visibility; done once for each game, by its description."""
    masks = _masks[record] = view_masks(fields, record, seats)
    if UNCOMPILED:
        return
    record_type, width = from_dtype(record), record.itemsize

    @overload(observe, strict=False)  # type: ignore[untyped-decorator]
    def choose(state: Any, seat: Any, view: Any) -> Any:
        def blank(state: Any, seat: int, view: Any) -> None:
            source, target = carray(address(state), width), carray(address(view), width)
            for k in range(width):
                target[k] = source[k] & masks[seat, k]
            view.viewer = seat

        return blank if state == record_type else None


def observe(state: Any, seat: int, view: Any) -> None:
    """Write into ``view`` the same record with everything blanked (0) that this seat may not know.

    Args:
        state: the full state.
        seat: who looks; −1 for a spectator, who sees what is public.
        view: record of the same dtype; its ``viewer`` becomes ``seat``.
    """
    blanked = np.frombuffer(state.tobytes(), np.uint8) & _masks[state.dtype][seat]
    copy(np.frombuffer(blanked.tobytes(), state.dtype)[0], view)
    view.viewer = seat


def observe_all(states: NDArray[Any], viewers: NDArray[np.int64]) -> NDArray[Any]:
    """The views of many states at once.

    Args:
        states: array of shape (n,) of one game's records; one alone is looked at by all.
        viewers: int64 of shape (n,), the seat that looks at each state; −1 for a spectator.
    """
    table = _masks[states.dtype]
    raw = np.ascontiguousarray(states).view(np.uint8).reshape(len(states), -1)
    views = records(raw & table[viewers], states.dtype, viewers.shape)
    views["viewer"] = viewers
    return views


@rule
def observe_one(states: Any, i: int, seat: int, views: Any) -> None:
    """``observe`` of ``states[i]`` into ``views[0]``, for Python callers."""
    observe(states[i], seat, views[0])
