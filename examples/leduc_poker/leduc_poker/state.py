"""Leduc poker: the cards, the actions, and what a moment of the game looks like."""

from enum import IntEnum

from tefuda.engine.kit.kept import CardNumber, CardSet, PerSeat, SeatNumber, Small
from tefuda.engine.kit.session import NOBODY, SessionState
from tefuda.engine.kit.state import field, option
from tefuda.engine.record import Visible

RANKS = 3
CARD_WORDS = ("SJ", "SQ", "SK", "HJ", "HQ", "HK")
CARDS = len(CARD_WORDS)

ACTION_WORDS = ("fold", "check", "call", "bet", "raise")
ACTIONS = len(ACTION_WORDS)
FOLD, CHECK, CALL, BET, RAISE = range(ACTIONS)

ANTE = 1
BETS = (2, 4)
"""LP-4: chips of a bet or a raise, in the first and in the second round."""


class Phase(IntEnum):
    """What is asked of the seat on turn."""

    BETTING = 0
    OVER = 1


class State(SessionState, most_seats=2):
    """A moment of a deal."""

    __slots__ = ()

    most_raises: Small = option(2, "LP-5", least=1, most=4, comment="bets and raises in a round")
    first: SeatNumber = field("seat that acts first in both rounds", carried=True)
    phase: Phase = field("BETTING, OVER")
    hands: PerSeat[CardSet] = field("the card that each holds", Visible.OWNER)
    held: PerSeat[Small] = field("how many cards each holds, 1")
    hidden: CardNumber = field("the card in the middle, as it was dealt", Visible.NOBODY)
    undealt: CardSet = field("the three cards that nobody gets", Visible.NOBODY)
    board: CardNumber = field("the card in the middle once it is turned up, −1 before")
    shown: PerSeat[CardSet] = field("cards laid open at the end")
    stakes: PerSeat[Small] = field("chips that each has put in")
    street: Small = field("the round of betting: 0, 1")
    raises: Small = field("bets and raises in this round")
    folded: SeatNumber = field("seat that has folded, −1 if nobody has", start=NOBODY)
