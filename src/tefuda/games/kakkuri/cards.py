"""Kakkuri: the pack of 48.

A card is a number from 0 to 47: rank by rank from the ace to the king (A 2 … 9 Q J K), ``4 * rank + suit`` with ranks
from 0. Sets of cards are the bits of an integer.
"""

from tefuda.engine import bits
from tefuda.engine.kit.words import words_of
from tefuda.engine.verbs import rule

SUITS, RANKS = 4, 12
CARDS = SUITS * RANKS

SUIT_LETTERS = "CSDH"
CLUBS, SPADES, DIAMONDS, HEARTS = range(SUITS)
RANK_LETTERS = "A23456789QJK"
ACE, TWO, THREE, JACK, KING = 0, 1, 2, 10, 11

CARD_WORDS = tuple(suit + rank for rank in RANK_LETTERS for suit in SUIT_LETTERS)
CLUB_ACE, DIAMOND_TWO, CLUB_THREE = map(CARD_WORDS.index, ("CA", "D2", "C3"))
WILDS = bits.of((CLUB_ACE, DIAMOND_TWO))
UTAZU_CARDS = bits.of(map(CARD_WORDS.index, ("SA", "DA", "HA")))
PACK = int(bits.span(0, CARDS))

NO_CARD = -1


@rule
def rank_of(card: int) -> int:
    """0 the ace, up to 11 the king, in the order of play."""
    return card // SUITS


@rule
def naturals(hand: int, rank: int) -> int:
    """The cards of a rank in a hand that are not wild, as bits by suit."""
    return bits.section(bits.without(hand, WILDS), SUITS * rank, SUITS)


def card_list(cards: int) -> str:
    """The cards of a set, written with blanks."""
    return " ".join(words_of(int(cards), CARD_WORDS))
