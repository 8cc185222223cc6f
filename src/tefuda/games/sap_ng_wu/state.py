"""Sap Ng Wu: the cards, and what a moment of the game looks like.

A card is a number from 0 to 20, one for each face, suit by suit and each from its strongest card down: among cards of a
suit the smaller number beats the larger. Each face exists four times; sets of cards are counts, one for each face.
"""

import numpy as np
from numpy.typing import NDArray

from tefuda.engine.record import COMMON, Field, Holds, Visible, record_type

MOST_SEATS = 4
COPIES = 4
SUITS = 3
CIVIL, MILITARY_1, MILITARY_2 = range(SUITS)

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

SUPREME_WORDS = ("12", "24")
SUPREME = TWELVE, TWENTY_FOUR = tuple(map(CARD_WORDS.index, SUPREME_WORDS))

COMBINATION_WORDS = (("13", "14", "23"), ("44", "34", "25"), ("11", "26", "35"), ("66", "45", "36"))
"""By strength from 0: goose-five, man-seven, earth-eight, heaven-nine; each civil, military 1, military 2."""

COMBINATION_FACES: NDArray[np.int64] = np.array(
    [[CARD_WORDS.index(word) for word in words] for words in COMBINATION_WORDS], np.int64
)

MOST_PLAYS = len(SUIT_WORDS[CIVIL])
"""In one contest: each has to be stronger than the one before."""

# phase
SUPREMES, LEADING, FOLLOWING, DECIDING, OVER = range(5)

# Values of the options (their names and meanings: options.py).
LEADS_ANY, LEADS_NONE_LAID = range(2)
EIGHT_SCORE_8, EIGHT_SCORE_16 = range(2)
PLAYS_ON, ENDS = range(2)
KEPT, RETURNED = range(2)
WON_CARDS, ONE_PLAY = range(2)
LAST_PLAY, ALL_PLAYED = range(2)

_seats, _faces = (MOST_SEATS,), (MOST_SEATS, FACES)
FIELDS = (
    *COMMON,
    # Options
    Field("supreme_partial", "i1", "1: some of one's 12s and 24s may be laid; 0: all or none"),
    Field("supreme_lead", "i1", "who may lead a supreme: LEADS_ANY, LEADS_NONE_LAID"),
    Field("supreme8_in_play", "i1", "a supreme lead of all eight cards: EIGHT_SCORE_8, EIGHT_SCORE_16"),
    Field("supreme8_quad_bonus", "i1", "1: eight supreme cards laid together are two fours of a kind as well"),
    Field("pass_locks", "i1", "1: who has passed is out of this contest"),
    Field("last_holder", "i1", "when one player alone has cards: PLAYS_ON, ENDS"),
    Field("quad_bonus", "i1", "1: four of a kind are paid"),
    Field("quad_in_draw", "i1", "what was paid for four of a kind in a drawn deal: KEPT, RETURNED"),
    Field("quad_rule", "i1", "where four of a kind are looked for: WON_CARDS, ONE_PLAY"),
    Field("score_mode", "i1", "what gives fu: LAST_PLAY, ALL_PLAYED"),
    Field("start_counters", "i4", "counters that each begins with, from 0"),
    Field("session_deals", "i4", "deals of a session, from 1"),
    # The session
    Field("totals", "i4", "counters that each has from earlier deals; negative: debts", _seats, carried=True,
          start="start_counters", scale=2),
    Field("deals", "i4", "deals finished before this one", carried=True),
    Field("finished", "i1", "1: the session is over, no deal follows", carried=True),
    Field("dealer", "i1", "the seat that draws first and leads first; −1 before the first deal: chance decides",
          carried=True, start=-1, holds=Holds.SEAT),
    # The deal
    Field("phase", "i1", "SUPREMES, LEADING, FOLLOWING, DECIDING, OVER", holds=Holds.KIND, of=5),
    Field("turn", "i1", "seat that acts, unless OVER", holds=Holds.SEAT),
    Field("asked", "i1", "players who have answered whether they lay supreme cards, 0–4"),
    Field("hands", "i1", "cards held", _faces, Visible.OWNER, Holds.COUNTS),
    Field("held", "i1", "how many cards each holds, 0–28", _seats),
    Field("laid", "i1", "supreme cards laid before play", _faces, holds=Holds.COUNTS),
    Field("won", "i1", "cards won in contests", _faces, holds=Holds.COUNTS),
    Field("table", "i1", "cards of the latest play of the contest in progress", (FACES,), holds=Holds.COUNTS),
    Field("discards", "i1", "beaten cards: face down, but everybody has seen them", (FACES,), holds=Holds.COUNTS),
    Field("contest", "i2", "plays of the contest in progress in their order, −1 after the last", (MOST_PLAYS,),
          holds=Holds.ACTION),
    Field("contest_by", "i1", "who made each of them", (MOST_PLAYS,), holds=Holds.SEAT),
    Field("contest_size", "i1", "plays of the contest in progress, passes not counted, 0–11"),
    Field("passed", "i1", "seats that have passed since their own latest play in this contest, as bits",
          holds=Holds.SEATS),
    Field("contests", "i1", "contests finished, 0–84"),
    Field("fu", "i1", "points of each, 0–36", _seats),
    Field("declined", "i1", "highest level at which each has declined to stop, 0–5", _seats),
    Field("quads", "i1", "fours of a kind that each has been paid for, 0–7", _seats),
    Field("stopper", "i1", "seat that has stopped the deal, −1 if nobody has", holds=Holds.SEAT),
)  # fmt: skip

STATE = record_type(FIELDS)
