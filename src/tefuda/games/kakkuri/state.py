"""Kakkuri: the cards, and what a moment of the game looks like.

A card is a number from 0 to 47: rank by rank from the ace to the king (A 2 … 9 Q J K), ``4 * rank + suit`` with ranks
from 0. Sets of cards and of seats are the bits of an integer. Seats count counter-clockwise: seat i + 1 is the
right-hand neighbour of seat i.
"""

from tefuda.engine.bits import of, span
from tefuda.engine.record import COMMON, Field, Holds, Visible, record_type

MOST_SEATS = 8
SUITS, RANKS = 4, 12
CARDS = SUITS * RANKS
HAND = 6
"""Cards dealt to each player."""

SUIT_LETTERS = "CSDH"
CLUBS, SPADES, DIAMONDS, HEARTS = range(SUITS)
RANK_LETTERS = "A23456789QJK"
ACE, TWO, THREE, JACK, KING = 0, 1, 2, 10, 11

CARD_WORDS = tuple(suit + rank for rank in RANK_LETTERS for suit in SUIT_LETTERS)
CLUB_ACE = CARD_WORDS.index("CA")
DIAMOND_TWO = CARD_WORDS.index("D2")
CLUB_THREE = CARD_WORDS.index("C3")
WILDS = of((CLUB_ACE, DIAMOND_TWO))
UTAZU_CARDS = of(map(CARD_WORDS.index, ("SA", "DA", "HA")))
PACK = int(span(0, CARDS))

NOBODY = -1
NO_CARD = -1

# phase
CEDING, SWAPPING, LEAVING, EARLY, TURN, RIGHT, RETURNING, CONSENT, CLAIMING, OVER = range(10)

# result
NO_RESULT, OUT, GURI, SURVIVOR, UTAZU_WIN, VOID = range(6)

# Values of the options (their names and meanings: options.py).
FREE_OWNER, FREE_ANYONE, FREE_WRAP = range(3)
UPCARD_TURNER, UPCARD_DEAD, UPCARD_ANYONE = range(3)
SHUFFLE, CUT_ONLY = range(2)
ALL_OTHERS, ACTIVE_OTHERS, NEVER = range(3)
FIRST_TURN, FIRST_CARD = range(2)
WINS_AT_ONCE, PLAYS_ON = range(2)
DEBT, END_SESSION = range(2)

_seats, _cards = (MOST_SEATS,), (CARDS,)
FIELDS = (
    *COMMON,
    # Options
    Field("k_free", "i1", "who may play on a K: FREE_OWNER, FREE_ANYONE, FREE_WRAP"),
    Field("k_upcard", "i1", "who may play on a K from the box: UPCARD_TURNER, UPCARD_DEAD, UPCARD_ANYONE"),
    Field("sanbon_wild", "i1", "1: a wild may be one of the three cards of a sanbon"),
    Field("sanzoku_wild", "i1", "1: a wild may be one of the two cards of a sanzoku pair"),
    Field("ceded_may_continue", "i1", "1: who has been ceded the right may continue on the old card"),
    Field("rebuild", "i1", "SHUFFLE, CUT_ONLY"),
    Field("guri_takes_pot", "i1", "1: the pot is the winner's after a guri as well"),
    Field("forced_out_pays", "i1", "what the player forced out pays for a normal win, 0–1"),
    Field("utazu_by_dropped", "i1", "1: a dropped player may claim utazu"),
    Field("utazu_before_c3", "i1", "1: the holder of C3 may claim utazu before he leaves"),
    Field("return_consent", "i1", "ALL_OTHERS, ACTIVE_OTHERS, NEVER"),
    Field("early_drop", "i1", "1: everybody may drop after the first upcard, before the first turn"),
    Field("drop_until", "i1", "FIRST_TURN, FIRST_CARD"),
    Field("last_survivor", "i1", "WINS_AT_ONCE, PLAYS_ON"),
    Field("fuwaru", "i1", "1: hands may be exchanged with the dealer's unseen"),
    Field("deal_cede", "i1", "1: the deal may be handed on from the second deal"),
    Field("session_deals", "i4", "deals of a session, from 1"),
    Field("start_counters", "i4", "counters that each begins with, from 0"),
    Field("bankruptcy", "i1", "DEBT, END_SESSION"),
    Field("stalemate_turns", "i4", "turns in a row without a card that make the deal void, from 1"),
    # The session
    Field("totals", "i4", "counters that each has from earlier deals; negative: debts", _seats, carried=True,
          start="start_counters"),
    Field("deals", "i4", "deals finished before this one", carried=True),
    Field("finished", "i1", "1: the session is over, no deal follows", carried=True),
    Field("dealer", "i1", "the seat that deals, before the deal that is due to; −1 before the first: drawn",
          carried=True, start=NOBODY, holds=Holds.SEAT),
    # The deal
    Field("phase", "i1", "CEDING (the deal), SWAPPING (fuwaru), LEAVING (C3), EARLY (dropping), TURN, RIGHT (to "
          "raise), RETURNING, CONSENT, CLAIMING (utazu at the end), OVER", holds=Holds.KIND, of=10),
    Field("turn", "i1", "seat that acts, unless OVER", holds=Holds.SEAT),
    Field("due", "i1", "seat that was due to deal, before anybody ceded the deal", holds=Holds.SEAT),
    Field("ceded", "i1", "1: the deal (the right to raise) has been ceded by the seat that had it first"),
    Field("first", "i1", "seat that raises the first card and has the first turn: the dealer, unless forced out",
          holds=Holds.SEAT),
    Field("swapped", "i2", "seats that have exchanged hands with the dealer, as bits", holds=Holds.SEATS),
    Field("hands", "i8", "cards held; those of a dropped player too", _seats, Visible.OWNER, Holds.CARDS),
    Field("unseen", "i8", "cards before each, until fuwaru is over", _seats, Visible.NOBODY, Holds.CARDS),
    Field("held", "i1", "how many cards each has in hand or unseen before him, 0–6", _seats),
    Field("box", "i1", "the box, the top card last; −1 above it", _cards, Visible.NOBODY, Holds.CARD),
    Field("box_size", "i1", "cards in the box, 0–48"),
    Field("table", "i1", "cards face up in the order in which they came to the table, −1 after the last", _cards,
          holds=Holds.CARD),
    Field("table_by", "i1", "who laid or raised each of them", _cards, holds=Holds.SEAT),
    Field("table_size", "i1", "cards face up, 0–48"),
    Field("turned", "i8", "those of them that were raised from the box", holds=Holds.CARDS),
    Field("rank", "i1", "rank of the field card, 0 (A) – 11 (K), a wild as declared; −1 before the first",
          holds=Holds.KIND, of=RANKS),
    Field("field_by", "i1", "seat that laid or raised the field card", holds=Holds.SEAT),
    Field("field_raised", "i1", "1: the field card was raised from the box"),
    Field("lap_by", "i1", "seat of the last play or raising; the lap is closed when play comes back to it",
          holds=Holds.SEAT),
    Field("right_first", "i1", "seat that was the first to hold the right to raise now open; −1 if it is not open",
          holds=Holds.SEAT),
    Field("fresh", "i2", "seats whose first turn has not begun, as bits", holds=Holds.SEATS),
    Field("first_turn", "i1", "1: this is the first turn of the seat on turn"),
    Field("begun", "i1", "1: the seat on turn has laid, raised or declared something in this turn"),
    Field("turn_cards", "i1", "cards laid in this turn, 0–6"),
    Field("played", "i2", "seats that have played a card in this deal, as bits", holds=Holds.SEATS),
    Field("declined", "i2", "ranks that each could have laid one card of when it stopped, as bits", _seats,
          holds=Holds.BITS, of=RANKS),
    Field("sanzoku", "i2", "seats that have declared sanzoku, as bits", holds=Holds.SEATS),
    Field("dropped", "i2", "seats that have dropped out, as bits; each has a counter in the pot", holds=Holds.SEATS),
    Field("forced_out", "i1", "seat that held C3 and sits the deal out; −1 if none", holds=Holds.SEAT),
    Field("asked", "i2", "dropped seats that have been asked in this lap whether they return, as bits",
          holds=Holds.SEATS),
    Field("asker", "i1", "seat that asks to return; −1 if none does", holds=Holds.SEAT),
    Field("quiet", "i4", "turns in a row without a card", scale=4),
    Field("winner", "i1", "seat that wins, subject to a claim while CLAIMING; −1 for nobody", holds=Holds.SEAT),
    Field("result", "i1", "NO_RESULT, OUT, GURI, SURVIVOR, UTAZU_WIN, VOID", holds=Holds.KIND, of=6),
    # What is known of the box
    Field("rebuilds", "i2", "how often the box has been rebuilt"),
    Field("in_box", "i8", "cards that everybody knows to be in the box", holds=Holds.CARDS),
    Field("gathered", "i2", "the box that each seat's hand went into, 0 the first, then by rebuilding; −1: none",
          _seats),
    Field("gave_up", "i8", "cards of a hand that went into the box", _seats, Visible.OWNER, Holds.CARDS),
    Field("surfaced", "i8", "of hands that went into a box together, the cards known since, the same for each of them; "
          "cut_only: each hand's own once that box is used up", _seats, holds=Holds.CARDS),
    Field("order", "i1", "cut_only: the cards of the box as they were gathered, before the cut; −1 for those of "
          "hands", _cards, holds=Holds.CARD),
    Field("order_size", "i1", "cut_only: cards gathered for the box, 0–48"),
    Field("coming", "i1", "the order in which the next shuffle puts the cards of the pack; all 0 before the deal",
          _cards, Visible.NOBODY),
)  # fmt: skip

STATE = record_type(FIELDS)
