"""Views, one for each seat: everything that leaves a table is made from a view, never from a state."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from tefuda.engine import turn, verbs, views
from tefuda.engine.bits import members_of
from tefuda.engine.description import Description
from tefuda.engine.record import Field, Holds, States, Visible, records, seen_type
from tefuda.engine.scene import Scene, SceneParts
from tefuda.engine.sentence import Sentence
from tefuda.engine.views import CommonKnowledge
from tefuda.table.table_rules import TableRules

SPECTATOR = -1  #: the seat of a viewer who holds no cards and sees what is public


class View:
    """A seat's knowledge of a deal; the literature says observation, or information state. Made by ``Deal.view``.

    Bots are handed views, never states.

    Args:
        game: the description.
        states: one full state, shape (1,).
        seat: whose view; −1 (``SPECTATOR``) for a spectator.
        common: all views of the moment, if there are others.

    Attributes:
        array: the game's record with everything blanked (0) that the seat may not know, shape (1,).
        told: the play so far, as the seat was told of it; empty unless it was asked for (``Deal.view``).

    Example:
        >>> import tefuda
        >>> deal = tefuda.load("gong-zhu").position({"hands": ["SA H2", "SK H3", "SQ H4", "SJ H5"]})
        >>> deal.view(2)
        <View of gong-zhu from seat 2: seat 0 to move>
        >>> int(deal.view(2).record.turn)
        0
    """

    def __init__(self, game: Description, states: States, seat: int, common: CommonKnowledge | None = None) -> None:
        self.game, self.seat, self._common = game, seat, common
        self.array = common.array(seat) if common else views.observe_all(states, np.array([seat]))
        self.told: Sequence[Sentence] = ()
        self._record: Any = None  # this and the next once they are asked for: a server makes them at every play,
        self._parts: tuple[SceneParts, SceneParts] | None = None  # and a ``cached_property`` takes as long as a scene

    def __repr__(self) -> str:
        who = "a spectator" if self.seat == SPECTATOR else f"seat {self.seat}"
        now = "the deal is over" if self.mover < 0 else f"seat {self.mover} to move"
        return f"<View of {self.game.name} from {who}: {now}>"

    @property
    def mover(self) -> int:
        """The seat that acts now; −1 when the deal is over."""
        return int(verbs.mover(self.array[0]))

    @property
    def record(self) -> Any:
        """The view's record, its fields as attributes; the game's ``state.py`` says what each holds."""
        if self._record is None:
            own, alone = self._common, (1,)
            self._record = own.record(self.seat) if own else records(self.array, seen_type(self.game.record), alone)[0]
        return self._record

    @property
    def scene(self) -> Scene:
        """The view laid out as at a table: hand, seats, what has been played."""
        own, shared = self.scene_parts
        return Scene(**own, **shared)

    @property
    def scene_parts(self) -> tuple[SceneParts, SceneParts]:
        """The parts of the scene that follow from what the viewer alone sees, and those that views share."""
        if self._parts is None:
            display = self.game.display
            self._parts = display.own_scene(self.record), views.common(self.record, display.shared_scene)
        return self._parts

    def told_since(self, before: "View", seat: int, word: str) -> list[Sentence]:
        """List the events worth telling of a seat's play that led from this viewer's view ``before`` to this one."""
        events = self.game.display.events
        if self._common is not None and before._common is not None:
            found, is_personal = self._common.derived_since(before._common, events, seat, word)
            if not is_personal:
                return found
        return events(before.record, seat, word, self.record)

    def legal(self) -> list[str]:
        """List what the seat may play now, as ``Deal.legal`` does for the mover; nothing for another seat."""
        if self.seat != self.mover:
            return []
        actions = np.empty(self.game.actions + 1, np.int64)
        return self.game.notation.plays(self.array, actions[: turn.write_turn(self.array, actions)].tolist())

    @property
    def table_rules(self) -> TableRules:
        """The rules that the table plays by."""
        state = self.array[0]
        options = {name: each.word(each.number_in(state)) for name, each in self.game.rules.settings.items()}
        return TableRules(self.game, int(state["seats"]), options)

    def hand(self) -> list[str]:
        """List the words of the cards that the seat holds, in the order of its scene; none for a spectator."""
        return [card for group in self.scene_parts[0]["hand"] for card in group.cards]

    def to_dict(self, named: bool = True) -> dict[str, Any]:
        """Convert to plain data for JSON: fields by name, hidden fields left out, cards as words.

        Args:
            named: phases, options, suits and other kinds by their names, switches as true or false, and sets as lists
                of their members. If false, all of these as the numbers that the record has.

        Example:
            >>> import tefuda
            >>> view = tefuda.load("gong-zhu").deal(seed=24).view(1)
            >>> view.to_dict()["phase"], view.to_dict(named=False)["phase"]
            ('exposing', 0)
        """
        shown = (Visible.PUBLIC, Visible.OWNER) if self.seat >= 0 else (Visible.PUBLIC,)
        return {field.name: self.plain(field, named) for field in self.game.fields if field.visible in shown}

    def plain(self, field: Field, named: bool = True) -> Any:
        """A field that the seat may see, as ``to_dict`` has it."""
        value = self.array[0][field.name]
        if field.visible is Visible.OWNER:
            return self._value(field, value[self.seat], named)
        if len(field.shape) > (field.holds is Holds.COUNTS) and field.shape[0] == max(self.game.seats):
            value = value[: self.array[0]["seats"]]
        return self._value(field, value, named)

    def _value(self, field: Field, value: Any, named: bool) -> object:
        if isinstance(value, np.ndarray) and value.ndim > (field.holds is Holds.COUNTS):
            return [self._value(field, entry, named) for entry in value]
        if field.holds is Holds.CARDS:
            return [self.game.cards[card] for card in members_of(value)]
        if field.holds is Holds.COUNTS:
            return [word for word, copies in zip(self.game.cards, value.tolist(), strict=True) for _ in range(copies)]
        if field.holds is Holds.CARD:
            return self.game.cards[value] if value >= 0 else None
        if field.holds is Holds.ACTION:
            return self.game.notation.word(self.array, [int(value)]) if value >= 0 else None
        return _named(field, int(value)) if named else value.tolist()


def _named(field: Field, value: int) -> object:
    """Name a number, or the members of a set; None for a kind that there is not."""
    if field.holds in (Holds.BITS, Holds.SEATS):
        return [field.names[member] if field.names else member for member in members_of(value)]
    if not field.names:
        return value
    return field.names[value] if value >= 0 else None
