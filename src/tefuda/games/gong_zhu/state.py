"""Gong Zhu: what a moment of the game looks like, beside what all games of tricks have (``engine/kit/tricks.py``)."""

from enum import IntEnum

from tefuda.engine.kit.french import CARDS
from tefuda.engine.kit.session import NOBODY
from tefuda.engine.kit.state import CardSet, PerSeat, SeatNumber, Small, field
from tefuda.engine.record import Visible
from tefuda.games.gong_zhu.cards import EXPOSABLE
from tefuda.games.gong_zhu.options import Options

# Actions: 0–51 plays that card; EXPOSE + k exposes a set of cards (bit i of k stands for EXPOSABLE[i]).
EXPOSE = CARDS
ACTIONS = CARDS + 2 ** len(EXPOSABLE)


class Phase(IntEnum):
    """What is asked of the seat on turn."""

    EXPOSING = 0
    PLAYING = 1
    OVER = 2


class State(Options, most_seats=5):
    """A moment of a deal."""

    __slots__ = ()

    totals: PerSeat[int] = field("points from earlier deals; a team's for both partners", carried=True, scale=10)
    own_totals: PerSeat[int] = field("points from earlier deals that each seat took", carried=True, scale=10)
    leads_first: SeatNumber = field(
        "seat that leads to the first trick; −1 before the first deal: its cards decide", carried=True, start=NOBODY
    )
    phase: Phase = field("EXPOSING, PLAYING, OVER")
    exposed: CardSet = field("cards exposed in this deal, played or not")
    exposed_by: PerSeat[CardSet] = field("which of them each has exposed")
    answers: Small = field("answers given in this round of exposing, 0–5")
    round_exposed: bool = field("1: somebody has exposed a card in this round of exposing")
    pending: PerSeat[CardSet] = field("chosen to be exposed, not shown before all have chosen", Visible.OWNER)
    aside: CardSet = field("cards dealt to nobody; in the miniature for two only", Visible.NOBODY)
    fresh: bool = field("1: the suit of the trick in progress is led for the first time in this deal")
