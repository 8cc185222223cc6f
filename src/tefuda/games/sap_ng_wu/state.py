"""Sap Ng Wu: what a moment of the game looks like."""

from enum import IntEnum

from tefuda.engine.kit.session import NOBODY
from tefuda.engine.kit.state import ActionNumber, Copies, PerSeat, SeatNumber, SeatSet, Series, Small, field
from tefuda.engine.record import Visible
from tefuda.games.sap_ng_wu.cards import CIVIL, FACES, SUIT_WORDS
from tefuda.games.sap_ng_wu.options import Options

MOST_PLAYS = len(SUIT_WORDS[CIVIL])
"""In one contest: each has to be stronger than the one before."""


class Phase(IntEnum):
    """What is asked of the seat on turn."""

    SUPREMES = 0
    LEADING = 1
    FOLLOWING = 2
    DECIDING = 3
    OVER = 4


class State(Options, most_seats=4):
    """A moment of a deal."""

    __slots__ = ()

    totals: PerSeat[int] = field(
        "counters that each has from earlier deals; negative: debts", carried=True, start="start_counters", scale=2
    )
    dealer: SeatNumber = field(
        "seat that draws first and leads first; −1 before the first deal: chance decides",
        carried=True,
        start=NOBODY,
    )
    phase: Phase = field("SUPREMES, LEADING, FOLLOWING, DECIDING, OVER")
    asked: Small = field("players who have answered whether they lay supreme cards, 0–4")
    hands: PerSeat[Series[Copies]] = field("cards held", Visible.OWNER, length=FACES)
    held: PerSeat[Small] = field("how many cards each holds, 0–28")
    laid: PerSeat[Series[Copies]] = field("supreme cards laid before play", length=FACES)
    won: PerSeat[Series[Copies]] = field("cards won in contests", length=FACES)
    table: Series[Copies] = field("cards of the latest play of the contest in progress", length=FACES)
    discards: Series[Copies] = field("beaten cards: face down, but everybody has seen them", length=FACES)
    aside: Series[Copies] = field("cards dealt to nobody; in the miniature only", Visible.NOBODY, length=FACES)
    contest: Series[ActionNumber] = field(
        "plays of the contest in progress in their order, −1 after the last", length=MOST_PLAYS
    )
    contest_by: Series[SeatNumber] = field("who made each of them", length=MOST_PLAYS)
    contest_size: Small = field("plays of the contest in progress, passes not counted, 0–11")
    passed: SeatSet = field("seats that have passed since their own latest play in this contest, as bits")
    contests: Small = field("contests finished, 0–84")
    fu: PerSeat[Small] = field("points of each, 0–36")
    declined: PerSeat[Small] = field("highest level at which each has declined to stop, 0–5")
    quads: PerSeat[Small] = field("fours of a kind that each has been paid for, 0–7")
    stopper: SeatNumber = field("seat that has stopped the deal, −1 if nobody has")
