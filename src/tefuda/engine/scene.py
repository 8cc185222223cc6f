"""A view laid out as at a table: the same for the terminal, the page and anyone who draws a deal.

Texts are keys of the game's catalogue; cards are words of its notation."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from tefuda.engine.record import AnyState, StateRecord
from tefuda.engine.views import common

UNSEEN = "▮"  #: a card that lies face down and is not the viewer's own, as scenes and events write it


# Colours that people with any kind of colour vision can tell apart (Okabe and Ito), as ``#rrggbb``. A colour is never
# the only sign of anything.
ORANGE = "#e69f00"
BLUE = "#56b4e9"
GREEN = "#00c08b"
PURPLE = "#cc79a7"

ON_PAPER = {"orange": "#b35900", "blue": "#0072b2", "green": "#00805f"}
"""Darker shades of them, which are read on paper, by the names that the data files of decks use."""

_FORMS = {"ja": str.maketrans("萬錢沒", "万銭没"), "zh-Hans": str.maketrans("萬錢沒貫鵝長紅", "万钱没贯鹅长红")}
"""Characters of cards that a language writes in another form than the old one, in which they stand on the cards."""


@dataclass(frozen=True)
class Face:
    """A card in text, with characters as they stand on the card."""

    text: str  #: the card, its suit by symbol and by letter
    colour: str  #: of the suit, as ``#rrggbb``, or empty for the reader's own; never the only sign of it
    name: str = ""  #: what is written after the word in a hand, where the word alone says too little
    rank: int = 0  #: its place from the best of its suit, 1, where players compare suits by it; else 0

    def written(self, language: str) -> "Face":
        """The face with characters as readers of a language write them."""
        forms = _FORMS.get(language, {})
        return replace(self, text=self.text.translate(forms), name=self.name.translate(forms))


# The next three list their fields in docstrings: the server describes its messages by them.


@dataclass(frozen=True)
class Group:
    """Cards under a label, such as a suit of the hand or the cards somebody has captured.

    Attributes:
        label: text.
        cards: words; in a pile also numbers, such as how many tricks they have won.
        marked: those among them that the game marks, for what ``Scene.mark`` says.
    """

    label: str
    cards: tuple[str, ...]
    marked: tuple[str, ...] = ()


@dataclass(frozen=True)
class SeatScene:
    """One player's place.

    Attributes:
        held: cards in hand.
        played: their latest play to the trick in progress, as a play is written; empty if nothing yet.
        piles: cards that lie before them.
        total: points before this deal.
        side: partners have the same number; every player has their own where there are none.
        tally: how much they have won of what is counted, and how much is wanted; (0, 0) where nothing is.
        notes: what else everybody knows of them, such as points in this deal: texts by key, with their fields.
    """

    held: int
    played: str
    piles: tuple[Group, ...]
    total: int
    side: int
    notes: tuple[tuple[str, Mapping[str, str]], ...] = ()
    tally: tuple[int, int] = (0, 0)


@dataclass(frozen=True)
class Scene:
    """A view, ready to be drawn.

    Attributes:
        phase: text of what is going on.
        number: of the trick in progress, counted from 1; 0 where there is none.
        tricks: how many there will be.
        hand: the viewer's cards in the order in which people hold them.
        seats: by number; seat i + 1 sits at the right of seat i, where play goes clockwise at the left.
        mark: text that says what marked cards are; empty where a game marks none.
        reference: what a player may look up, such as the ranks of a suit, the best first.
        beside: what is shown beside the hand all the time, such as combinations; the cards held are marked.
        lead: the seat that has led to the trick in progress, or is to; −1 where nobody does.
        winning: the seat whose play wins the trick in progress so far; −1 where nothing lies there.
        beating: the viewer's cards that would win that trick so far; none where the plays themselves say it.
        stake: what the trick in progress is about, a line each: texts by key, with their fields.
        clockwise: play goes clockwise.
        middle: what lies in the middle of the table, a line each: texts by key, with their fields.
    """

    phase: str
    number: int
    tricks: int
    hand: tuple[Group, ...]
    seats: tuple[SeatScene, ...]
    mark: str = ""
    reference: tuple[Group, ...] = ()
    beside: tuple[Group, ...] = ()
    middle: tuple[tuple[str, Mapping[str, str]], ...] = ()
    lead: int = -1
    winning: int = -1
    beating: tuple[str, ...] = ()
    stake: tuple[tuple[str, Mapping[str, str]], ...] = ()
    clockwise: bool = False


SceneParts = dict[str, Any]  #: keywords of a ``Scene``: what some function lays out of a view

Lay = Callable[[AnyState, int], SeatScene]  #: lays out one seat's place from a view; see ``tefuda.engine.views.common``


def places(view: StateRecord, lay: Lay, own: Lay | None = None) -> tuple[SeatScene, ...]:
    """Every seat's place, as this view shows it; each is laid out once for all who look.

    ``own`` lays out the viewer's, where players see more of their own place than the others do."""
    seats = range(int(view.seats))
    if own is None:
        return tuple(lay(view, seat) for seat in seats)
    return tuple(own(view, seat) if seat == view.viewer else common(view, lay, seat) for seat in seats)
