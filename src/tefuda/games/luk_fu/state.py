"""Luk Fu: what a moment of the game looks like."""

from enum import IntEnum

from tefuda.engine.kit.session import NOBODY
from tefuda.engine.kit.state import CardSet, PerSeat, SeatNumber, Series, Small, field
from tefuda.engine.record import Visible
from tefuda.games.luk_fu.cards import HAND, SUITS
from tefuda.games.luk_fu.options import Options


class Phase(IntEnum):
    """What is asked of the seat on turn."""

    DECLARING = 0
    LEADING = 1
    FOLLOWING = 2
    DECIDING = 3
    OVER = 4


class State(Options, most_seats=4):
    """A moment of a deal."""

    __slots__ = ()

    totals: PerSeat[int] = field("chips from earlier deals", carried=True)
    dealer: SeatNumber = field("seat; −1 before the first deal: drawn by lot", carried=True, start=NOBODY)
    phase: Phase = field("DECLARING, LEADING, FOLLOWING, DECIDING, OVER")
    eldest: SeatNumber = field("seat that declares and leads first")
    sitter: SeatNumber = field("seat that does not play; −1 with three players")
    declarer: SeatNumber = field("seat that said play; −1 for nobody")
    answers: Small = field("declarations made, 0–3")
    hands: PerSeat[CardSet] = field("cards held", Visible.OWNER)
    held: PerSeat[Small] = field("how many cards each holds, 0–12")
    dealt: PerSeat[CardSet] = field("cards dealt to each active player", Visible.OWNER)
    sitter_card: PerSeat[CardSet] = field("the sitter's card until it is turned up", Visible.OWNER)
    turned_up: CardSet = field("the sitter's card, turned up at the end")
    dead: CardSet = field("the card left over with three players", Visible.NOBODY)
    opening: bool = field("1: the first lead of the deal is still to come")
    first_leader: SeatNumber = field("seat that led the first trick that ``played`` tells of")
    played: PerSeat[Series[CardSet]] = field("cards each has played face up, trick by trick", length=HAND)
    thrown: PerSeat[Series[CardSet]] = field(
        "cards each has thrown face down, trick by trick", Visible.OWNER, length=HAND
    )
    faceup: CardSet = field("all cards played face up in this deal")
    discards: PerSeat[CardSet] = field("all cards each has thrown face down", Visible.OWNER)
    bounds: PerSeat[Series[Small]] = field(
        "highest rank that each may still hold in each suit by what they did not beat, 1–9", length=SUITS
    )
    number: Small = field("tricks played, 0–12")
    leader: SeatNumber = field("seat that leads or has led the trick in progress")
    led_count: Small = field("cards that each plays to the trick in progress; 0 before the lead")
    best: CardSet = field("the combination that wins the trick so far")
    best_seat: SeatNumber = field("who played it")
    placed: Small = field("players whose cards to the trick in progress are complete, 0–2")
    to_throw: Small = field("cards that the mover has still to throw in a play already begun; 0 where none is begun")
    tricks: PerSeat[Small] = field("tricks credited, 0–12")
    won: PerSeat[CardSet] = field("own cards that have won tricks")
    captured: PerSeat[CardSet] = field("cards of others in the tricks each took", Visible.NOBODY)
    last_to_six: SeatNumber = field("seat that was the last to reach six tricks; −1 if none")
    stopped: bool = field("1: a player with six tricks has ended the deal, or shown the five tigers")
