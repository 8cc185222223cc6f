"""Luk Fu: the cards, the plays, and what a moment of the game looks like.

A card is a number from 0 to 36: suit by suit from the weakest (cash, strings, kwan, tens), each from the one up to the
nine, ``9 * suit + rank`` with ranks from 0; last the suitless special card L. Sets of cards are the bits of an int64.
"""

from itertools import combinations

import numpy as np

from tefuda.engine.bits import of, span
from tefuda.engine.record import COMMON, Field, Holds, Visible, record_type

MOST_SEATS = 4
SUITS, RANKS = 4, 9
CASH, STRINGS, KWAN, TENS = range(SUITS)
ONE, EIGHT, NINE = 0, 7, 8

SUIT_LETTERS = "CSKT"
CARD_WORDS = (*(suit + str(rank + 1) for suit in SUIT_LETTERS for rank in range(RANKS)), "L")
CARDS = len(CARD_WORDS)
SPECIAL = CARDS - 1
HAND = 12
"""Cards dealt to each active player, and the most tricks that can be played."""

SUIT_CARDS = tuple(int(span(suit * RANKS, RANKS)) for suit in range(SUITS))
RANK_CARDS = tuple(of(suit * RANKS + rank for suit in range(SUITS)) for rank in range(RANKS))
SPECIAL_CARD = of([SPECIAL])
ALWAYS_OLD = of((TENS * RANKS, CASH * RANKS, SPECIAL))
FIVE_TIGERS = RANK_CARDS[ONE] | SPECIAL_CARD
RED_CARDS = RANK_CARDS[NINE] | of((TENS * RANKS + EIGHT,)) | ALWAYS_OLD

# Actions: 0–36 plays that card face up, THROW + card throws it face down; then the sets and runs that can be led or
# played, the five tigers as a lead, and what is said.
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

# The cards of every action that plays or throws some, and for each card the first run that begins with it.
CARDS_OF = np.array(
    [of([card]) for card in range(CARDS)] * 2
    + _triples + list(RANK_CARDS) + _special_triples + _special_quads + _runs + [FIVE_TIGERS] * 2,
    np.int64,
)  # fmt: skip
FIRST_RUN = np.array(
    [RUNS + _runs.index(int(span(card, SHORTEST_RUN))) if card % RANKS <= RANKS - SHORTEST_RUN else -1
     for card in range(SPECIAL)],
    np.int64,
)  # fmt: skip
CARDS_OF.setflags(write=False)
FIRST_RUN.setflags(write=False)

# phase
DECLARING, LEADING, FOLLOWING, DECIDING, OVER = range(5)

# Values of the options (their names and meanings: options.py).
PRIVATE, PUBLIC = range(2)
SIXTH_TRICK, HAS_SIX = range(2)  # bits of lead_exceptions
LED_ONLY, SECOND = range(2)
SIX, EIGHT_TRICKS = range(2)
OWN_TRICK, ANY_TRICK = range(2)
OWN_WINNING, CAPTURED = range(2)
FLAT, PER_CARD = range(2)
ELDEST, NEVER = range(2)

_seats = (MOST_SEATS,)
_tricks = (MOST_SEATS, HAND)
FIELDS = (
    *COMMON,
    # Options
    Field("old_reading", "i1", "PRIVATE, PUBLIC"),
    Field("old_infer", "i1", "1: not beating a single shows that nothing higher is held"),
    Field("lead_exceptions", "i1", "cases in which old singles may be led beside the usual two, as bits: SIXTH_TRICK, "
          "HAS_SIX"),
    Field("special_in_sets", "i1", "1: L stands as a fifth 1 in sets of three or four"),
    Field("ones_set", "i1", "LED_ONLY, SECOND"),
    Field("tigers_value", "i1", "tricks for showing the five tigers: SIX, EIGHT_TRICKS"),
    Field("tigers_lead", "i1", "1: the five tigers may be led"),
    Field("stop_timing", "i1", "OWN_TRICK, ANY_TRICK"),
    Field("multiplier_10_12", "i1", "1: ten and more tricks pay double, twelve three times"),
    Field("red_bonus", "i1", "1: a chip for each red card"),
    Field("red_scope", "i1", "OWN_WINNING, CAPTURED"),
    Field("sitter_bonus", "i1", "1: the sitter is paid for a card of his rank"),
    Field("sitter_bonus_mode", "i1", "FLAT, PER_CARD"),
    Field("pass_penalty", "i1", "1: an eldest who passed with a quad or a long run gets one share only"),
    Field("dealer_stays_on", "i1", "ELDEST, NEVER; four players"),
    Field("draw_keeps_dealer", "i1", "1: after a draw that eldest declared the dealer stays"),
    Field("session_deals", "i4", "deals of a session, above 0"),
    # The session
    Field("totals", "i4", "chips from earlier deals", _seats, carried=True),
    Field("deals", "i4", "deals finished before this one", carried=True),
    Field("finished", "i1", "1: the session is over, no deal follows", carried=True),
    Field("dealer", "i1", "seat; −1 before the first deal: drawn by lot", carried=True, start=-1, holds=Holds.SEAT),
    # The deal
    Field("phase", "i1", "DECLARING, LEADING, FOLLOWING, DECIDING, OVER", holds=Holds.KIND, of=5),
    Field("turn", "i1", "seat that acts, until the deal is over", holds=Holds.SEAT),
    Field("eldest", "i1", "seat that declares and leads first", holds=Holds.SEAT),
    Field("sitter", "i1", "seat that does not play; −1 with three players", holds=Holds.SEAT),
    Field("declarer", "i1", "seat that said play; −1 for nobody", holds=Holds.SEAT),
    Field("answers", "i1", "declarations made, 0–3"),
    Field("hands", "i8", "cards held", _seats, Visible.OWNER, Holds.CARDS),
    Field("held", "i1", "how many cards each holds, 0–12", _seats),
    Field("dealt", "i8", "cards dealt to each active player", _seats, Visible.OWNER, Holds.CARDS),
    Field("sitter_card", "i8", "the sitter's card until it is turned up", _seats, Visible.OWNER, Holds.CARDS),
    Field("turned_up", "i8", "the sitter's card, turned up at the end", holds=Holds.CARDS),
    Field("dead", "i8", "the card left over with three players", visible=Visible.NOBODY, holds=Holds.CARDS),
    Field("opening", "i1", "1: the first lead of the deal is still to come"),
    Field("first_leader", "i1", "seat that led the first trick that ``played`` tells of", holds=Holds.SEAT),
    Field("played", "i8", "cards each has played face up, trick by trick", _tricks, holds=Holds.CARDS),
    Field("thrown", "i8", "cards each has thrown face down, trick by trick", _tricks, Visible.OWNER, Holds.CARDS),
    Field("faceup", "i8", "all cards played face up in this deal", holds=Holds.CARDS),
    Field("discards", "i8", "all cards each has thrown face down", _seats, Visible.OWNER, Holds.CARDS),
    Field("bounds", "i1", "highest rank that each may still hold in each suit by what he did not beat, 1–9",
          (MOST_SEATS, SUITS)),
    Field("number", "i1", "tricks played, 0–12"),
    Field("leader", "i1", "seat that leads or has led the trick in progress", holds=Holds.SEAT),
    Field("led_count", "i1", "cards that each plays to the trick in progress; 0 before the lead"),
    Field("best", "i8", "the combination that wins the trick so far", holds=Holds.CARDS),
    Field("best_seat", "i1", "who played it", holds=Holds.SEAT),
    Field("placed", "i1", "players whose cards to the trick in progress are complete, 0–2"),
    Field("to_throw", "i1", "cards that the mover has still to throw in a play he has begun; 0 where none is begun"),
    Field("tricks", "i1", "tricks credited, 0–12", _seats),
    Field("won", "i8", "own cards that have won tricks", _seats, holds=Holds.CARDS),
    Field("captured", "i8", "cards of others in the tricks each took", _seats, Visible.NOBODY, Holds.CARDS),
    Field("last_to_six", "i1", "seat that was the last to reach six tricks; −1 if none", holds=Holds.SEAT),
    Field("stopped", "i1", "1: a player with six tricks has ended the deal, or shown the five tigers"),
)  # fmt: skip

STATE = record_type(FIELDS)
