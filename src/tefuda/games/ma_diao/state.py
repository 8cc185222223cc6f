"""Ma Diao: what a moment of the game looks like."""

from enum import IntEnum

from tefuda.engine.kit.session import NOBODY
from tefuda.engine.kit.state import CardNumber, CardSet, PerSeat, SeatNumber, SeatSet, Series, Small, field
from tefuda.engine.record import Visible
from tefuda.games.ma_diao.options import Options

SEATS = 4

HAND = 8
"""Cards dealt to each, and tricks in a deal."""

WHOLE_TABLE_TRICKS = 7
"""MD-41: so many from the first on, all won by one player."""

UNIT = 2
"""MD-2: payments and values are counted in half stakes."""


class Phase(IntEnum):
    """What is asked of the seat on turn."""

    DECLARING = 0
    REFUSING = 1
    PLAYING = 2
    OVER = 3


class Answer(IntEnum):
    """MD-16: what a player has answered, which is not shown before all four have."""

    NONE_YET = 0
    SILENT = 1
    DECLARE = 2


class Side(IntEnum):
    """MD-24: how a card was played."""

    NOT_PLAYED = 0
    FACE_UP = 1
    FACE_DOWN = 2


class State(Options, most_seats=SEATS):
    """A moment of a deal."""

    __slots__ = ()

    totals: PerSeat[int] = field("half stakes from earlier deals", carried=True, scale=4)
    dealer: SeatNumber = field("seat; −1 before the first deal: drawn by lot", carried=True, start=NOBODY)
    leads_first: SeatNumber = field(
        "seat that leads first whatever the bottom card says, in a deal that a file gives; −1: MD-21 decides",
        carried=True,
        start=NOBODY,
    )
    phase: Phase = field("DECLARING, REFUSING, PLAYING, OVER")
    first_dealt: SeatNumber = field("seat that was dealt to first")
    answers: Small = field("answers given in DECLARING or REFUSING, 0–3")
    pending: PerSeat[Answer] = field("answers that are not shown before all have answered", Visible.OWNER)
    declared: SeatSet = field("seats that have declared an extraordinary hand; shown when all have answered")
    refuser: SeatNumber = field("seat that has refused to play; −1 if none")
    hands: PerSeat[CardSet] = field("cards held", Visible.OWNER)
    held: PerSeat[Small] = field("how many cards each holds, 0–8")
    dealt: PerSeat[CardSet] = field("cards dealt to each", Visible.OWNER)
    laid_open: PerSeat[CardSet] = field("cards in each hand that are shown at the end to claim a score")
    face: CardNumber = field("the face card; −1 in a position that gives none")
    bottom: CardNumber = field("the bottom card, shown at the cut, where it is not the face card; else −1")
    accuser_card: CardNumber = field("the accuser once it is shown; −1 before")
    accuser_down: CardSet = field("the accuser until it is shown", Visible.NOBODY)
    stock: CardSet = field("the other cards that were left over", Visible.NOBODY)
    rows: PerSeat[Series[CardNumber]] = field(
        "the cards before each player, trick by trick, as far as all have seen them; else −1", length=HAND
    )
    orientation: PerSeat[Series[Side]] = field("how each of them was played", length=HAND)
    thrown: PerSeat[Series[CardSet]] = field("those that lie face down", Visible.OWNER, length=HAND)
    won: PerSeat[CardSet] = field("own cards that have won tricks; their number is that of the tricks")
    number: Small = field("tricks finished, 0–8")
    leaders: Series[SeatNumber] = field("seat that led each trick; −1 where none is known", length=HAND)
    placed: Small = field("cards played to the trick in progress, 0–3")
    best_card: CardNumber = field("the card that wins the trick so far; −1 before the lead")
    best_seat: SeatNumber = field("who played it")
    first_seven: SeatNumber = field("seat that has won all of the first seven tricks; −1 if nobody has")
