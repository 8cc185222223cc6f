"""What the views of one moment have in common: worked out once for all who look."""

from collections.abc import Callable, Hashable
from functools import wraps
from typing import Any, TypeVar
from weakref import ref

import numpy as np
from numpy.typing import NDArray

from tefuda.engine.record import SPECTATOR, FrozenRecord, PublicRecord, records, seen_type
from tefuda.engine.views import observe_all

Result = TypeVar("Result")


class CommonKnowledge:
    """All views of one moment.

    Args:
        states: one full state, shape (1,).
        seats: of the table.
        personal: the names of the fields that not all views have in common.
    """

    def __init__(self, states: NDArray[Any], seats: int, personal: frozenset[str]) -> None:
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

    def array(self, seat: int) -> NDArray[Any]:
        """What a seat sees, −1 for a spectator: shape (1,)."""
        return self._arrays[seat + 1 : seat + 2]

    def record(self, seat: int) -> FrozenRecord:
        """The same as a record."""
        view: FrozenRecord = self._records[seat + 1]
        known = view.__dict__
        known.update(self._values, common=self)
        for name, values in self._personal.items():
            known[name] = values[seat + 1]
        return view

    def derived(self, derive: Callable[..., Result], *arguments: Hashable) -> tuple[Result, bool]:
        """What follows for a spectator, and whether that is personal: other viewers may see what changes it."""
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
        """The same of a moment before and of this one: ``derive`` gets the view before first, and the view now last."""
        key = ("since", derive, arguments)
        known = self._found.get(key)
        if known is None:
            then, now = before._public.__dict__, self._public.__dict__
            then["asked"] = now["asked"] = False
            found = derive(before._public, *arguments, self._public)
            known = self._found[key] = found, then["asked"] or now["asked"]
        return known


def _rows(values: NDArray[Any]) -> list[Any] | NDArray[Any]:
    """A field of several records: of each a number, or an array."""
    return values if values.ndim > 1 else values.tolist()


def common(view: Any, derive: Callable[..., Result], *arguments: Hashable) -> Result:
    """What follows from a view, worked out once for all views of a moment where it follows from what everybody sees.

    Args:
        view: record.
        derive: called with the view and the other arguments.
        arguments: of ``derive``.
    """
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
    """The same function of a record, which is known to read no field that not everybody may see.

    Compiled code is otherwise taken to read everything. ``tefuda.testing.check_scenes`` finds out if this is not so.
    """

    @wraps(compiled)
    def call(view: Any, *arguments: Any) -> Result:
        if not isinstance(view, PublicRecord):
            return compiled(view, *arguments)
        asked, derived = view.asked, compiled(view, *arguments)
        view.__dict__["asked"] = asked
        return derived

    return call
