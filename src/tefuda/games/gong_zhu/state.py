"""Gong Zhu: the cards, and what a moment of the game looks like.

A card is a number from 0 to 51, suit by suit (spades, hearts, diamonds, clubs), each from the two up to the ace:
``13 * suit + rank``. Sets of cards are the bits of an int64.
"""

from tefuda.engine.bits import of, span
from tefuda.engine.record import COMMON, Field, Holds, Visible, record_type

MOST_SEATS = 5
SUITS, RANKS = 4, 13
SPADES, HEARTS, DIAMONDS, CLUBS = range(SUITS)
TWO, THREE, FOUR, FIVE, SIX, SEVEN, EIGHT, NINE, TEN, JACK, QUEEN, KING, ACE = range(RANKS)

SUIT_LETTERS = "SHDC"
RANK_WORDS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
CARD_WORDS = tuple(suit + rank for suit in SUIT_LETTERS for rank in RANK_WORDS)

CARDS = SUITS * RANKS
PIG = SPADES * RANKS + QUEEN
HEART_ACE = HEARTS * RANKS + ACE
SHEEP = DIAMONDS * RANKS + JACK
TRANSFORMER = CLUBS * RANKS + TEN
SPADE_TWO = SPADES * RANKS + TWO
SPADE_SEVEN = SPADES * RANKS + SEVEN
CLUB_TWO = CLUBS * RANKS + TWO
HEART_TWO = HEARTS * RANKS + TWO
DIAMOND_TWO = DIAMONDS * RANKS + TWO

SUIT_CARDS = tuple(int(span(suit * RANKS, RANKS)) for suit in range(SUITS))
ALL_HEARTS = SUIT_CARDS[HEARTS]
EXPOSABLE = (PIG, HEART_ACE, SHEEP, TRANSFORMER)
EXPOSABLE_CARDS = of(EXPOSABLE)
POINT_CARDS = ALL_HEARTS | of((PIG, SHEEP, TRANSFORMER))

# Actions: 0–51 plays that card; EXPOSE + k exposes a set of cards (bit i of k stands for EXPOSABLE[i]).
EXPOSE = CARDS
ACTIONS = CARDS + 2 ** len(EXPOSABLE)

# phase
EXPOSING, PLAYING, OVER = range(3)

# Values of the options (their names and meanings: options.py).
SINGLE_ROUND, UNTIL_QUIET, SIMULTANEOUS = range(3)
SEED_DECK, PAGAT_DECK = range(2)
STANDARD, PIPS = range(2)
PIG_FLIPS_ALL_HEARTS, PIG_FLIPS_ALL_SCORING = range(2)
TEAM_TOTAL, ANY_INDIVIDUAL = range(2)
LEADS_S2, LEADS_C2, LEADS_S7, LEADS_DRAWN = range(4)

_seats = (MOST_SEATS,)
FIELDS = (
    *COMMON,
    # Options
    Field("partnership", "i1", "1: seats 0 and 2 play against 1 and 3"),
    Field("five_deck", "i1", "which cards leave the pack with five players: SEED_DECK, PAGAT_DECK"),
    Field("expose_order", "i1", "SINGLE_ROUND, UNTIL_QUIET, SIMULTANEOUS"),
    Field("exposed_singleton_lead", "i1", "1: GZ-9 excepts a singleton"),
    Field("target", "i4", "points down at which the game ends, above 0"),
    Field("end_on_plus", "i1", "1: so many points up end it too"),
    Field("team_end", "i1", "whose points are watched in partnership: TEAM_TOTAL, ANY_INDIVIDUAL"),
    Field("all_hearts_transformer_300", "i1", "1: all hearts with the transformer count 300, not 200 doubled"),
    Field("heart_values", "i1", "STANDARD, PIPS"),
    Field("pig_flips", "i1", "PIG_FLIPS_ALL_HEARTS, PIG_FLIPS_ALL_SCORING"),
    Field("sheep_flips", "i1", "1: the sheep counts minus for the taker of all hearts"),
    Field("first_leader", "i1", "LEADS_S2, LEADS_C2, LEADS_S7, LEADS_DRAWN"),
    Field("forced_fourth_exposure", "i1", "1: with three cards open the fourth opens too"),
    Field("exposing", "i1", "1: cards may be exposed before play"),
    # The session
    Field("totals", "i4", "points from earlier deals; a team's for both partners", _seats, carried=True, scale=10),
    Field("own_totals", "i4", "points from earlier deals that each took himself", _seats, carried=True, scale=10),
    Field("deals", "i4", "deals finished before this one", carried=True),
    Field("finished", "i1", "1: the game is over, no deal follows", carried=True),
    Field("leads_first", "i1", "seat that leads to the first trick; −1 before the first deal: its cards decide",
          carried=True, start=-1, holds=Holds.SEAT),
    # The deal
    Field("phase", "i1", "EXPOSING, PLAYING, OVER", holds=Holds.KIND, of=3),
    Field("turn", "i1", "seat that acts, in EXPOSING and PLAYING", holds=Holds.SEAT),
    Field("hands", "i8", "cards held", _seats, Visible.OWNER, Holds.CARDS),
    Field("held", "i1", "how many cards each holds, 0–13", _seats),
    Field("shown", "i8", "cards in each hand that everybody knows to be there", _seats, holds=Holds.CARDS),
    Field("exposed", "i8", "cards exposed in this deal, played or not", holds=Holds.CARDS),
    Field("exposed_by", "i8", "which of them each has exposed", _seats, holds=Holds.CARDS),
    Field("answers", "i1", "answers given in this round of exposing, 0–5"),
    Field("round_exposed", "i1", "1: somebody has exposed a card in this round of exposing"),
    Field("pending", "i8", "chosen to be exposed, not shown before all have chosen", _seats, Visible.OWNER,
          Holds.CARDS),
    Field("led", "i1", "suits led in this deal, as bits", holds=Holds.BITS, of=SUITS),
    Field("voids", "i1", "suits that each is known not to hold, as bits", _seats, holds=Holds.BITS, of=SUITS),
    Field("trick", "i1", "cards of the trick in progress in the order played, −1 after the last", _seats,
          holds=Holds.CARD, in_order=True),
    Field("trick_size", "i1", "cards in the trick in progress, 0–4"),
    Field("fresh", "i1", "1: the suit of the trick in progress is led for the first time in this deal"),
    Field("best_card", "i1", "the card that wins the trick so far, −1 in an empty trick", holds=Holds.CARD),
    Field("best_seat", "i1", "who played it", holds=Holds.SEAT),
    Field("tricks", "i1", "tricks finished, 0–13"),
    Field("won", "i8", "cards taken in tricks", _seats, holds=Holds.CARDS),
)  # fmt: skip

STATE = record_type(FIELDS)
