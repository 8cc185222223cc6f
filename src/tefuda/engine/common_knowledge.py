"""What the views of one moment have in common: worked out once for all who look."""

from collections.abc import Callable, Hashable
from functools import wraps
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from tefuda.engine.record import SPECTATOR, FrozenRecord, PublicRecord, records, seen_type, values_of
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
        viewers = np.arange(-1, seats)  # the spectator first
        self._arrays = observe_all(states.repeat(len(viewers)), viewers)
        self._public: PublicRecord = records(self.array(SPECTATOR), seen_type(states.dtype, PublicRecord), (1,))[0]
        self._values = {name: value for name, value in values_of(self._public).items() if name not in personal}
        self._public.__dict__.update(self._values)
        self._found: dict[Hashable, Any] = {}

    def array(self, seat: int) -> NDArray[Any]:
        """What a seat sees, −1 for a spectator: shape (1,)."""
        return self._arrays[seat + 1 : seat + 2]

    def record(self, seat: int) -> FrozenRecord:
        """The same as a record."""
        view: FrozenRecord = records(self.array(seat), seen_type(self._arrays.dtype), (1,))[0]
        view.__dict__.update(self._values, common=self)
        return view

    def find(self, derive: Callable[..., Result], *arguments: Hashable) -> Result | None:
        """What follows from what everybody sees now; None if that does not tell. See ``common``."""
        return self._find((self,), derive, arguments)

    def find_since(
        self, before: "CommonKnowledge", derive: Callable[..., Result], *arguments: Hashable
    ) -> Result | None:
        """The same of a moment before and of this one: ``derive`` gets the view before first, and the view now last."""
        return self._find((before, self), derive, arguments)

    def _find(
        self, moments: tuple["CommonKnowledge", ...], derive: Callable[..., Result], arguments: tuple[Hashable, ...]
    ) -> Result | None:
        key = (derive, arguments)
        if key not in self._found:
            first, *later = (moment._public for moment in moments)
            for public in (first, *later):
                public.__dict__["asked"] = False
            found = derive(first, *arguments, *later)
            self._found[key] = None if any(public.__dict__["asked"] for public in (first, *later)) else found
        return self._found[key]


def common(view: Any, derive: Callable[..., Result], *arguments: Hashable) -> Result:
    """What follows from a view, worked out once for all views of a moment where it follows from what everybody sees.

    Args:
        view: record.
        derive: called with the view and the other arguments.
        arguments: of ``derive``.
    """
    shared: CommonKnowledge | None = view.common if isinstance(view, FrozenRecord) else None
    found = None if shared is None else shared.find(derive, *arguments)
    return derive(view, *arguments) if found is None else found


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
