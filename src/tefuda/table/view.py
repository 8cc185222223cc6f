"""Views, one for each seat: everything that leaves a table is made from a view, never from a state."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tefuda.engine import turn, verbs, views
from tefuda.engine.bits import members_of
from tefuda.engine.description import Description
from tefuda.engine.record import Field, Holds, Visible, records, seen_type
from tefuda.engine.scene import Scene, SeatScene
from tefuda.engine.sentence import Sentence
from tefuda.engine.texts import LANGUAGES, TEXTS, catalogue, signed
from tefuda.engine.views import CommonKnowledge
from tefuda.table.reasons import say_line, seat_name
from tefuda.table.table_rules import TableRules

PICTURED_IN = LANGUAGES[0]  #: the language of pictures in notebooks
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

    def __init__(
        self, game: Description, states: NDArray[np.void], seat: int, common: CommonKnowledge | None = None
    ) -> None:
        self.game, self.seat, self._common = game, seat, common
        self.array = common.array(seat) if common else views.observe_all(states, np.array([seat]))
        self.told: Sequence[Sentence] = ()

    def __repr__(self) -> str:
        who = "a spectator" if self.seat == SPECTATOR else f"seat {self.seat}"
        now = "the deal is over" if self.mover < 0 else f"seat {self.mover} to move"
        return f"<View of {self.game.name} from {who}: {now}>"

    @property
    def mover(self) -> int:
        """The seat that acts now; −1 when the deal is over."""
        return int(verbs.mover(self.array[0]))

    @cached_property
    def record(self) -> Any:
        """The view's record, its fields as attributes; the game's ``state.py`` says what each holds."""
        if self._common is not None:
            return self._common.record(self.seat)
        return records(self.array, seen_type(self.game.record), (1,))[0]

    @cached_property
    def scene(self) -> Scene:
        """The view laid out as at a table: hand, seats, what has been played."""
        return self.game.display.scene(self.record)

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
        state, options = self.array[0], self.game.rules.options
        values = {option.name: option.word(int(state[option.name])) for option in options}
        return TableRules(self.game, int(state["seats"]), values)

    def hand(self) -> list[str]:
        """List the words of the cards that the seat holds, in the order of its scene; none for a spectator."""
        return [card for group in self.scene.hand for card in group.cards]

    def _repr_svg_(self) -> str | None:
        """Draw the table as this seat sees it, for notebooks."""
        near = max(self.seat, 0)
        hands = [self.hand() if seat == self.seat else [] for seat in range(len(self.scene.seats))]
        return table_picture(self.game, self.scene, hands, near, self.mover)

    def to_dict(self, named: bool = True) -> dict[str, Any]:
        """Convert to plain data for JSON: fields by name, hidden fields left out, cards as words.

        Args:
            named: phases, options, suits and other kinds by their names, switches as true or false, and sets as lists
                of their members. If false, all of these as the numbers that the record has, as servers send them.

        Example:
            >>> import tefuda
            >>> view = tefuda.load("gong-zhu").deal(seed=24).view(1)
            >>> view.to_dict()["phase"], view.to_dict(named=False)["phase"]
            ('exposing', 0)
        """
        return {
            field.name: self._plain(field, named)
            for field in self.game.fields
            if field.visible is Visible.PUBLIC or (field.visible is Visible.OWNER and self.seat >= 0)
        }

    def _plain(self, field: Field, named: bool) -> object:
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


# Pictures


def table_picture(game: Description, scene: Scene, hands: Sequence[Sequence[str]], near: int, mover: int) -> str | None:
    """Draw a table as SVG, for notebooks, with the cards of the game's first deck.

    ``hands`` has the words of each seat's cards that are shown; ``near`` is the seat at the lower edge. None if the
    game has no deck, or what draws it (the extra ``decks``) is not installed."""
    if not game.files.decks:
        return None
    from tefuda.decks import data, table  # fonts and drawings take a while

    texts, words = catalogue(game.files.texts, PICTURED_IN), catalogue(TEXTS, PICTURED_IN)
    title = f"{texts('title')} {texts('native')} · {texts(scene.phase)}"
    if scene.number:
        title += f" · {words('play.trick', number=scene.number, tricks=scene.tricks)}"
    places = [
        table.Place(
            name=seat_name(seat, PICTURED_IN),
            facts=_facts(game, place),
            hand=hands[seat],
            held=place.held,
            played=place.played.rpartition(":")[2].split("+") if place.played else (),
            piles=[(texts(pile.label), pile.cards) for pile in place.piles],
            turn=seat == mover,
        )
        for seat, place in enumerate(scene.seats)
    ]
    try:
        return table.table_svg(data.load(game), title, places, near, max(scene.lead, 0), _said(game, scene.middle))
    except ModuleNotFoundError:
        return None


def _facts(game: Description, place: SeatScene) -> list[str]:
    words = catalogue(TEXTS, PICTURED_IN)
    held = words("play.held", count=place.held)
    total = words("play.total", points=signed(place.total, game.rules.unit)) if place.total else ""
    return [" · ".join(filter(None, (held, total))), *_said(game, place.notes)]


def _said(game: Description, lines: Sequence[tuple[str, Mapping[str, str]]]) -> list[str]:
    return [say_line(game, Sentence(code, fields), PICTURED_IN) for code, fields in lines]
