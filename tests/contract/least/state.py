"""Least: the cards, and what a moment of the game looks like."""

from enum import IntEnum

from tefuda.engine.kit.french import CARD_WORDS, SUITS, TEN, number
from tefuda.engine.kit.state import field
from tefuda.engine.kit.tricks import TrickState

__all__ = ["ACTIONS", "ACTION_WORDS", "CARD_WORDS", "PACK", "Phase", "State"]

ACTION_WORDS = CARD_WORDS
ACTIONS = len(ACTION_WORDS)
PACK = tuple(number(word) for word in CARD_WORDS if word[1:] in ("10", "J", "Q", "K", "A"))
assert len(PACK) == SUITS * (SUITS + 1)
assert min(PACK) == TEN


class Phase(IntEnum):
    """What is asked of the seat on turn."""

    PLAYING, OVER = range(2)


class State(TrickState, most_seats=4):
    """A moment of a deal."""

    __slots__ = ()

    phase: Phase = field("PLAYING, OVER")
