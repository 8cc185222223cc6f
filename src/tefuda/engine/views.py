"""``observe``: what one seat may see of a state. It follows from the visibility of the fields, for every game.

``CommonKnowledge`` holds all views of one moment, and works out once what follows for everyone who looks."""

from collections.abc import Callable, Hashable, Sequence
from functools import wraps
from typing import Any, TypeVar
from weakref import ref

import numpy as np
from numba import carray, from_dtype, types
from numba.extending import overload
from numpy.typing import NDArray

from tefuda.engine.raw import address, copy
from tefuda.engine.record import SPECTATOR, FrozenRecord, Ints, PublicRecord, StateRecord, States, records, seen_type
from tefuda.engine.verbs import UNCOMPILED

Result = TypeVar("Result")

_masks: dict[np.dtype[np.void], NDArray[np.uint8]] = {}


def declare(record: np.dtype[np.void], masks: NDArray[np.uint8]) -> None:
    """Register a record's visibility (``view_masks``); done once for each game, by its description."""
    _masks[record] = masks
    if UNCOMPILED:
        return
    record_type, width = from_dtype(record), record.itemsize

    @overload(observe, strict=False)  # type: ignore[untyped-decorator]
    def choose(state: types.Type, seat: types.Type, view: types.Type) -> Callable[..., None] | None:
        def blank(state: StateRecord, seat: int, view: StateRecord) -> None:
            source, target = carray(address(state), width), carray(address(view), width)
            for k in range(width):
                target[k] = source[k] & masks[seat, k]
            view.viewer = seat

        return blank if state == record_type else None


def observe(state: StateRecord, seat: int, view: StateRecord) -> None:
    """Write a state into ``view``, a record of the same dtype, with everything blanked (0) that this seat may not know.

    The seat −1 is a spectator, who sees what is public. The view's ``viewer`` becomes the seat."""
    blanked = np.frombuffer(state.tobytes(), np.uint8) & _masks[state.dtype][seat]
    copy(np.frombuffer(blanked.tobytes(), state.dtype)[0], view)
    view.viewer = seat


def observe_all(states: States, viewers: Ints) -> States:
    """The views of many states at once, shape (n,), each for the seat in ``viewers``, int64 of shape (n,); −1 for a
    spectator. One state alone is looked at by all."""
    table = _masks[states.dtype]
    raw = np.ascontiguousarray(states).view(np.uint8).reshape(len(states), -1)
    views = records(raw & table[viewers], states.dtype, viewers.shape)
    views["viewer"] = viewers
    return views


class CommonKnowledge:
    """All views of one moment: of one full state, shape (1,), at a table with so many seats.

    ``personal`` are the names of the fields that not all views have in common."""

    def __init__(self, states: States, seats: int, personal: frozenset[str]) -> None:
        self._arrays = observe_all(states, np.arange(-1, seats))  # the spectator first
        # Read from a record that nothing keeps: arrays that NumPy gives refer back to the record they stand in.
        all_values = zip(states.dtype.names or (), self._arrays[0].item(), strict=True)
        self._values = {name: value for name, value in all_values if name not in personal}
        self._public: PublicRecord = records(self.array(SPECTATOR), seen_type(states.dtype, PublicRecord), (1,))[0]
        # Weakly: who holds whom would otherwise go in a circle, and what one play has needed would stay in memory until
        # the next collection of garbage.
        self._public.__dict__.update(self._values, asked=False, common=ref(self))
        # Of all views at once: to read a field of one record takes as long.
        self._personal = {name: _rows(self._arrays[name]) for name in personal}
        self._records = records(self._arrays, seen_type(states.dtype), (1 + seats,))
        self._found: dict[Hashable, tuple[Any, bool]] = {}

    def array(self, seat: int) -> States:
        """The view of a seat, −1 for a spectator: shape (1,)."""
        return self._arrays[seat + 1 : seat + 2]

    def record(self, seat: int) -> FrozenRecord:
        """The view of a seat as a record."""
        view: FrozenRecord = self._records[seat + 1]
        known = view.__dict__
        known.update(self._values, common=self)
        for name, values in self._personal.items():
            known[name] = values[seat + 1]
        return view

    def derived(self, derive: Callable[..., Result], *arguments: Hashable) -> tuple[Result, bool]:
        """Derive something for a spectator, and tell if it is personal: other viewers may see what changes it."""
        key = (derive, arguments)
        known = self._found.get(key)
        if known is None:
            notes = self._public.__dict__
            asked, notes["asked"] = notes["asked"], False
            found = derive(self._public, *arguments)
            known = self._found[key] = found, notes["asked"]
            notes["asked"] |= asked
        return known

    def derived_since(
        self, before: "CommonKnowledge", derive: Callable[..., Result], *arguments: Hashable
    ) -> tuple[Result, bool]:
        """Derive something from an earlier moment and this one, whose views ``derive`` gets first and last."""
        key = ("since", derive, arguments)
        known = self._found.get(key)
        if known is None:
            then, now = before._public.__dict__, self._public.__dict__
            then["asked"] = now["asked"] = False
            found = derive(before._public, *arguments, self._public)
            known = self._found[key] = found, then["asked"] or now["asked"]
        return known


def _rows(values: NDArray[np.generic]) -> Sequence[object] | NDArray[np.generic]:
    """A field of several records: of each a number, or an array."""
    return values if values.ndim > 1 else values.tolist()


def common(view: StateRecord, derive: Callable[..., Result], *arguments: Hashable) -> Result:
    """Derive something from a view and other arguments, once for all views of a moment where it follows from what
    everybody sees."""
    if type(view) is PublicRecord:  # within what is being worked out for all
        found, is_personal = view.common().derived(derive, *arguments)
        view.__dict__["asked"] |= is_personal
        return found
    shared: CommonKnowledge | None = view.common if type(view) is FrozenRecord else None
    if shared is None:
        return derive(view, *arguments)
    found, is_personal = shared.derived(derive, *arguments)
    return derive(view, *arguments) if is_personal else found


def reads_public(compiled: Callable[..., Result]) -> Callable[..., Result]:
    """Mark a compiled function of a record that reads no field that not everybody may see.

    Compiled code is otherwise taken to read everything. ``tefuda.testing.check_scenes`` finds out if this is not so."""

    @wraps(compiled)
    def call(view: StateRecord, *arguments: object) -> Result:
        if not isinstance(view, PublicRecord):
            return compiled(view, *arguments)
        asked, derived = view.asked, compiled(view, *arguments)
        view.__dict__["asked"] = asked
        return derived

    return call
