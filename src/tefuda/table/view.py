"""What one seat sees: everything that leaves a table is made from a view, never from a state."""

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tefuda.engine import views
from tefuda.engine.bits import members_of
from tefuda.engine.description import Description
from tefuda.engine.record import Field, Holds, Visible, seen_type
from tefuda.engine.scene import Scene


class View:
    """A seat's view of a deal.

    Attributes:
        seat: who looks; −1 a spectator.
        array: the game's record with everything blanked that the seat may not know, shape (1,).
    """

    def __init__(self, game: Description, states: NDArray[Any], seat: int) -> None:
        self.game, self.seat = game, seat
        self.array = views.observe_all(states, np.array([seat]))

    @cached_property
    def record(self) -> Any:
        """The view's record, with a field as an attribute."""
        return self.array.view(seen_type(self.game.record))[0]

    @cached_property
    def scene(self) -> Scene:
        """The view laid out as at a table."""
        return self.game.display.scene(self.record)

    def to_dict(self) -> dict[str, Any]:
        """The view as plain data for JSON: cards as words, hidden fields left out."""
        return {
            field.name: self._plain(field)
            for field in self.game.fields
            if field.visible is Visible.PUBLIC or (field.visible is Visible.OWNER and self.seat >= 0)
        }

    def _plain(self, field: Field) -> Any:
        value = self.array[0][field.name]
        if field.visible is Visible.OWNER:
            return self._value(field, value[self.seat])
        if len(field.shape) > (field.holds is Holds.COUNTS) and field.shape[0] == max(self.game.seats):
            value = value[: self.array[0]["seats"]]
        return self._value(field, value)

    def _value(self, field: Field, value: Any) -> Any:
        if isinstance(value, np.ndarray) and value.ndim > (field.holds is Holds.COUNTS):
            return [self._value(field, entry) for entry in value]
        if field.holds is Holds.CARDS:
            return [self.game.cards[card] for card in members_of(value)]
        if field.holds is Holds.COUNTS:
            return [word for word, copies in zip(self.game.cards, value.tolist(), strict=True) for _ in range(copies)]
        if field.holds is Holds.CARD:
            return self.game.cards[value] if value >= 0 else None
        if field.holds is Holds.ACTION:
            return self.game.notation.word(self.array, [int(value)]) if value >= 0 else None
        return value.tolist()
