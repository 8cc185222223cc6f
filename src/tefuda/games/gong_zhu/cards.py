"""Gong Zhu: the cards that count, that may be exposed, or that say who leads."""

from tefuda.engine.kit import bits, french

CARD_WORDS = french.CARD_WORDS
PIG, HEART_ACE, SHEEP, TRANSFORMER = map(french.number, ("SQ", "HA", "DJ", "C10"))
SPADE_TWO, SPADE_SEVEN, CLUB_TWO, HEART_TWO, DIAMOND_TWO = map(french.number, ("S2", "S7", "C2", "H2", "D2"))

ALL_HEARTS = french.SUIT_CARDS[french.HEARTS]
EXPOSABLE = (PIG, HEART_ACE, SHEEP, TRANSFORMER)
EXPOSABLE_CARDS = bits.of(EXPOSABLE)
FULL_TABLE = 4  # GZ-1: the fewest players of the whole game; with fewer its miniature is played

MINIATURE_PACKS = tuple(
    bits.of(map(french.number, words.split()))
    for words in ("", "", "SJ SQ SK HQ HA DJ DQ C10", "SJ SQ SK HQ HK HA DJ DQ C10")
)
"""By the number of players, the pack of the miniature (``docs/explanation/exact.md``): every kind of card that counts,
and cards that take it."""
MINIATURE_HAND = 3
"""Cards dealt to each in the miniature. With two players the others lie aside, seen by nobody: who knew them would know
the other hand."""

POINT_CARDS = ALL_HEARTS | bits.of((PIG, SHEEP, TRANSFORMER))
