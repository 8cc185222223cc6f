"""Luk Fu: the cards.

A card is a number from 0 to 36: suit by suit from the weakest (cash, strings, kwan, tens), each from the one up to the
nine, ``9 * suit + rank`` with ranks from 0; last the suitless special card L. Sets of cards are the bits of an int64.
"""

from tefuda.engine.bits import of, span
from tefuda.engine.kit import bits, rule

SUITS, RANKS = 4, 9
CASH, STRINGS, KWAN, TENS = range(SUITS)
ONE, EIGHT, NINE = 0, 7, 8

SUIT_LETTERS = "CSKT"
CARD_WORDS = (*(suit + str(rank + 1) for suit in SUIT_LETTERS for rank in range(RANKS)), "L")
CARDS = len(CARD_WORDS)
SPECIAL = CARDS - 1
HAND = 12  # cards dealt to each active player, and the most tricks that can be played

PACK = int(span(0, CARDS))
SUIT_CARDS = tuple(int(span(suit * RANKS, RANKS)) for suit in range(SUITS))
RANK_CARDS = tuple(of(suit * RANKS + rank for suit in range(SUITS)) for rank in range(RANKS))
SPECIAL_CARD = of([SPECIAL])
ALWAYS_OLD = of((TENS * RANKS, CASH * RANKS, SPECIAL))
FIVE_TIGERS = RANK_CARDS[ONE] | SPECIAL_CARD
RED_CARDS = RANK_CARDS[NINE] | of((TENS * RANKS + EIGHT,)) | ALWAYS_OLD


@rule
def suit_of(card: int) -> int:
    """0 cash, 1 strings, 2 kwan, 3 tens; 4 for L, which has none (LF-21)."""
    return bits.wide(card) // RANKS


@rule
def rank_of(card: int) -> int:
    """0 for the ones up to 8 for the nines; 0 for L too (LF-15, LF-50)."""
    return bits.wide(card) % RANKS


@rule
def suit_cards(suit: int) -> int:
    """All cards of a suit."""
    return bits.span(suit * RANKS, RANKS)


@rule
def suit_ranks(cards: int, suit: int) -> int:
    """The ranks of a suit that are among the cards, as a set of ranks."""
    return bits.section(cards, suit * RANKS, RANKS)
