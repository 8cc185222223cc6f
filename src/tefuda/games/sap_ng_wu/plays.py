"""Sap Ng Wu: the cards, the sets of them that the rules name, and every play, numbered once.

A card is a number from 0 to 20, one for each face, suit by suit and each from its strongest card down: among cards of a
suit the smaller number beats the larger. Each face exists four times; sets of cards are counts, one for each face.
A play is one kernel action:

| actions | plays |
|---|---|
| 0–83 | one to four cards of a face: ``4 * face + cards − 1`` |
| 84–467 | a combination: by strength, civil cards, then cards of military 1 and 2 |
| 468–483 | a supreme lead: ``4 * (12s − 1) + 24s − 1`` |
| 484, 485–500 | before play: laying nothing, or supreme cards numbered as the leads are |
| 501, 502, 503 | pass; stop; go on |
"""

from collections import Counter
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from tefuda.engine.kit import PlayTable, inlined, rule
from tefuda.engine.record import Row

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

FULL_TABLE = 3  # SN-1: the fewest players of the whole game; with two its miniature is played

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


_SOME = range(1, COPIES + 1)
_PAIRS_OF_NUMBERS = [(a, b) for a in range(COPIES + 1) for b in range(COPIES + 1)]
_SUPREMES = [[TWELVE] * a + [TWENTY_FOUR] * b for a, b in _PAIRS_OF_NUMBERS if a and b]

STRENGTHS = len(COMBINATION_FACES)
SHAPES = COPIES * (len(_PAIRS_OF_NUMBERS) - 1)  # numbers (c, m1, m2) that a combination may have

TABLE = PlayTable(CARD_WORDS)
SETS = TABLE.add([face] * cards for face in range(FACES) for cards in _SOME)
COMBINATIONS = TABLE.add(
    [civil] * c + [military_1] * m1 + [military_2] * m2
    for civil, military_1, military_2 in COMBINATION_FACES.tolist()
    for c in _SOME
    for m1, m2 in _PAIRS_OF_NUMBERS
    if m1 + m2 > 0
)
SUPREME_LEADS = TABLE.add(_SUPREMES)
(LAY_NONE,) = TABLE.say("supreme:none")
LAYS = TABLE.add(_SUPREMES, "supreme:{}")
PASS, STOP, ON = TABLE.say("pass", "stop", "on")
ACTIONS = len(TABLE.words)

EIGHT = COPIES * COPIES - 1  # number of all eight supreme cards among the selections of supreme cards


@rule
def set_action(face: int, cards: int) -> int:
    """A single card, or this many (1–4) of the same face."""
    return face * COPIES + cards - 1


@rule
def combination_action(strength: int, c: int, m1: int, m2: int) -> int:
    """A combination of c civil cards (1–4) with m1 and m2 military ones (0–4, not both 0)."""
    return COMBINATIONS + strength * SHAPES + (c - 1) * (SHAPES // COPIES) + m1 * (COPIES + 1) + m2 - 1


@rule
def is_set(action: int) -> bool:
    """True if it is a single card or a set."""
    return action < COMBINATIONS


@rule
def is_supreme_lead(action: int) -> bool:
    """True if it is a supreme lead."""
    return SUPREME_LEADS <= action < LAY_NONE


PARTS = tuple(tuple(Counter(cards).items()) for cards in TABLE.cards)
"""For Python callers: the cards of each action, as (face, how many)."""

MOST_PARTS = 3
PART_COUNT: NDArray[np.int8] = np.array([len(each) for each in PARTS], np.int8)
PART_FACE: NDArray[np.int8] = np.zeros((ACTIONS, MOST_PARTS), np.int8)
PART_CARDS: NDArray[np.int8] = np.zeros((ACTIONS, MOST_PARTS), np.int8)
"""No card of face 0 after the last part: it is faster to go through all MOST_PARTS than to find where they end."""
for _action, _each in enumerate(PARTS):
    for _k, (_face, _cards) in enumerate(_each):
        PART_FACE[_action, _k], PART_CARDS[_action, _k] = _face, _cards

SIZE = TABLE.sizes


@inlined
def holds(counts: Row, action: int) -> bool:
    """True if the cards of an action are among these (counts by face)."""
    enough = True
    for k in range(MOST_PARTS):
        enough &= counts[PART_FACE[action, k]] >= PART_CARDS[action, k]
    return enough
