"""Sap Ng Wu: the cards, and the sets of them that the rules name.

A card is a number from 0 to 20, one for each face, suit by suit and each from its strongest card down: among cards of a
suit the smaller number beats the larger. Each face exists four times; sets of cards are counts, one for each face.
"""

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

COPIES = 4
SUITS = 3
CIVIL, MILITARY_1, MILITARY_2 = range(SUITS)

SUIT_TEXTS = ("scene.civil", "scene.military_1", "scene.military_2")
SUIT_WORDS = (
    ("66", "11", "44", "13", "55", "33", "22", "56", "46", "16", "15"),
    ("45", "26", "34", "24", "14", "12"),
    ("36", "35", "25", "23"),
)
"""The cards of each suit, strongest first."""

CARD_WORDS = tuple(word for suit in SUIT_WORDS for word in suit)
FACES = len(CARD_WORDS)
CARDS = FACES * COPIES
SUIT_OF = tuple(suit for suit in range(SUITS) for _ in SUIT_WORDS[suit])
STRONGEST = tuple(CARD_WORDS.index(SUIT_WORDS[suit][0]) for suit in SUIT_OF)
"""For each face, the strongest face of its suit."""

FULL_TABLE = 3
"""SN-1: the fewest players of the whole game; with two its miniature is played."""

MINIATURE_WORDS = "66 66 11 11 45 45 26 24 12"
"""SN-4: the pack of the miniature (``docs/explanation/exact.md``): singles, pairs, combinations of two strengths, and
supremes."""
MINIATURE_COPIES = tuple(MINIATURE_WORDS.split().count(word) for word in CARD_WORDS)
MINIATURE_HAND = 3
"""Cards dealt to each in the miniature. The others lie aside, seen by nobody: who knew them would know the other
hand."""

SUPREME_WORDS = ("12", "24")
SUPREME = TWELVE, TWENTY_FOUR = tuple(map(CARD_WORDS.index, SUPREME_WORDS))

COMBINATION_TEXTS = ("scene.goose_five", "scene.man_seven", "scene.earth_eight", "scene.heaven_nine")
COMBINATION_WORDS = (("13", "14", "23"), ("44", "34", "25"), ("11", "26", "35"), ("66", "45", "36"))
"""By strength from 0: goose-five, man-seven, earth-eight, heaven-nine; each civil, military 1, military 2."""

COMBINATION_FACES: NDArray[np.int64] = np.array(
    [[CARD_WORDS.index(word) for word in words] for words in COMBINATION_WORDS], np.int64
)


def card_list(counts: Iterable[int]) -> str:
    """Cards given as counts by face, written with blanks."""
    return " ".join(word for word, copies in zip(CARD_WORDS, counts, strict=True) for _ in range(copies))
