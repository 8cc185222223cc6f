"""Gong Zhu: the cards that count, that may be exposed, or that say who leads."""

from tefuda.engine.bits import of
from tefuda.engine.kit import french
from tefuda.engine.kit.french import number

CARD_WORDS = french.CARD_WORDS

PIG, HEART_ACE, SHEEP, TRANSFORMER = map(number, ("SQ", "HA", "DJ", "C10"))
SPADE_TWO, SPADE_SEVEN, CLUB_TWO, HEART_TWO, DIAMOND_TWO = map(number, ("S2", "S7", "C2", "H2", "D2"))

ALL_HEARTS = french.SUIT_CARDS[french.HEARTS]
EXPOSABLE = (PIG, HEART_ACE, SHEEP, TRANSFORMER)
EXPOSABLE_CARDS = of(EXPOSABLE)
POINT_CARDS = ALL_HEARTS | of((PIG, SHEEP, TRANSFORMER))
