"""Luk Fu: the kernel actions.

0–36 plays that card face up, ``THROW`` + card throws it face down; then come the sets and sequences that can be led or
played, the five tigers as a lead, and what is said.
"""

from itertools import combinations

import numpy as np

from tefuda.engine.bits import of, span
from tefuda.engine.verbs import rule
from tefuda.games.luk_fu.cards import CARDS, FIVE_TIGERS, RANK_CARDS, RANKS, SPECIAL, SPECIAL_CARD, SUITS

SHORTEST_RUN = 3
_triples = [RANK_CARDS[rank] & ~of([suit * RANKS + rank]) for rank in range(RANKS) for suit in range(SUITS)]
_special_triples = [of((a * RANKS, b * RANKS)) | SPECIAL_CARD for a, b in combinations(range(SUITS), 2)]
_special_quads = [FIVE_TIGERS & ~of([suit * RANKS]) for suit in range(SUITS)]
_runs = [
    int(span(suit * RANKS + first, length))
    for suit in range(SUITS)
    for first in range(RANKS - SHORTEST_RUN + 1)
    for length in range(SHORTEST_RUN, RANKS - first + 1)
]

THROW = CARDS
TRIPLES = 2 * CARDS
QUADS = TRIPLES + len(_triples)
SPECIAL_TRIPLES = QUADS + RANKS
SPECIAL_QUADS = SPECIAL_TRIPLES + len(_special_triples)
RUNS = SPECIAL_QUADS + len(_special_quads)
LEAD_TIGERS = RUNS + len(_runs)
SHOW_TIGERS = LEAD_TIGERS + 1
PLAY, PASS, STOP, ON = range(SHOW_TIGERS + 1, SHOW_TIGERS + 5)
ACTIONS = ON + 1

CARDS_OF = np.array(
    [of([card]) for card in range(CARDS)] * 2
    + _triples + list(RANK_CARDS) + _special_triples + _special_quads + _runs + [FIVE_TIGERS] * 2,
    np.int64,
)  # fmt: skip
"""The cards of every action that plays or throws some."""

FIRST_RUN = np.array(
    [RUNS + _runs.index(int(span(card, SHORTEST_RUN))) if card % RANKS <= RANKS - SHORTEST_RUN else -1
     for card in range(SPECIAL)],
    np.int64,
)  # fmt: skip
"""By card, the action of the shortest sequence that begins with it; the longer ones follow. −1 if there is none."""

CARDS_OF.setflags(write=False)
FIRST_RUN.setflags(write=False)


@rule
def is_throw(action: int) -> bool:
    """Whether an action throws a card face down (LF-31)."""
    return THROW <= action < TRIPLES
