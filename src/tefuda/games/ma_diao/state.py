"""Ma Diao: the cards, the actions, and what a moment of the game looks like.

A card is a number from 0 to 39, suit by suit (tens, myriads, strings, cash) and each from its weakest card up: among
cards of a suit the larger number beats the smaller. Cash runs backwards, from nine cash up to no cash. Sets of cards
are the bits of an int64.
"""

from tefuda.engine.bits import of, span
from tefuda.engine.record import COMMON, Field, Holds, Visible, record_type

SEATS = 4
SUITS = 4
TENS, MYRIADS, STRINGS, CASH = range(SUITS)

SUIT_LETTERS = "TWSC"
SUIT_WORDS = (
    ("T2", "T3", "T4", "T5", "T6", "T7", "T8", "T9", "TB", "TQ", "TM"),
    ("W1", "W2", "W3", "W4", "W5", "W6", "W7", "W8", "W9"),
    ("S1", "S2", "S3", "S4", "S5", "S6", "S7", "S8", "S9"),
    ("C9", "C8", "C7", "C6", "C5", "C4", "C3", "C2", "C1", "CH", "C0"),
)
"""The cards of each suit, weakest first."""

CARD_WORDS = tuple(word for suit in SUIT_WORDS for word in suit)
CARDS = len(CARD_WORDS)
SUIT_OF = tuple(suit for suit in range(SUITS) for _ in SUIT_WORDS[suit])
FIRST_CARD = tuple(CARD_WORDS.index(words[0]) for words in SUIT_WORDS)
SUIT_CARDS = tuple(int(span(FIRST_CARD[suit], len(SUIT_WORDS[suit]))) for suit in range(SUITS))

HAND = 8
"""Cards dealt to each, and tricks in a deal."""

WHOLE_TABLE_TRICKS = 7
"""MD-41: so many from the first on, all won by one player."""


def _cards(words: str) -> int:
    return of(CARD_WORDS.index(word) for word in words.split())


HUNDRED = CARD_WORDS.index("TB")
MALE_STRIKER = CARD_WORDS.index("T9")
HUNDRED_CARD = _cards("TB")
FEMALE_STRIKERS = _cards("W5 W6 W8")

TOPS = tuple(CARD_WORDS.index(words[-1]) for words in SUIT_WORDS)
SECONDS = tuple(CARD_WORDS.index(words[-2]) for words in SUIT_WORDS)
FOUR_TOPS = of(TOPS)
FOUR_LOWEST = of(FIRST_CARD)
ALL_STRIKE_ALIVE = _cards("TB T9 W5 W6 W8")
THREE_OPENED = _cards("TB TQ TM")
FOUR_REDS = _cards("TB TQ TM C0")
LOW_TENS = SUIT_CARDS[TENS] & ~THREE_OPENED
HONOURS = FOUR_TOPS | of(SECONDS) | _cards("TB T9")
"""What a hand of the refusal kind ``no_honours`` lacks."""

RED_CARDS = (
    _cards("TM TQ TB W9 W8 S9 S8 C9 C8 C0"),
    _cards("TM TQ TB T2 W9 W1 S9 S1 C0 C9"),
    _cards("TM TQ TB W9 W8 S9 S8 C0 CH"),
)
"""By the values of the option ``red_set``."""

# MD-7: the number on each card; 1 for those without one.
DEALING_VALUE = tuple(int(word[1]) if word[1].isdigit() and word != "C0" else 1 for word in CARD_WORDS)

# Actions: 0–39 plays that card face up, THROW + card throws it face down; then what is said.
THROW = CARDS
SILENT, DECLARE, FIGHT, REFUSE = range(2 * CARDS, 2 * CARDS + 4)
ACTIONS = REFUSE + 1

# phase
DECLARING, REFUSING, PLAYING, OVER = range(4)

# pending
UNANSWERED, SAYS_SILENT, SAYS_DECLARE = range(3)

# orientation
NOT_PLAYED, FACE_UP, FACE_DOWN = range(3)

# Values of the options (their names and meanings: options.py).
LEADS_FIRST_DEALT, LEADS_DEALER = range(2)
BOTTOM, TOP_OF_REST = range(2)
PER_CARD, ONCE = range(2)
TENS_HEAVY, NO_HONOURS = range(2)  # bits of refusal_hands
NEXT_DEALER, SAME_DEALER = range(2)
FULL, SPLIT = range(2)

UNIT = 2
"""MD-2: payments and values are counted in half stakes."""

_seats, _row = (SEATS,), (SEATS, HAND)
FIELDS = (
    *COMMON,
    # Options
    Field("first_leader", "i1", "LEADS_FIRST_DEALT, LEADS_DEALER"),
    Field("must_follow", "i1", "1: who holds cards of the led suit plays one of them"),
    Field("face_card", "i1", "which card of the stock is the face card: BOTTOM, TOP_OF_REST"),
    Field("strike_stacking", "i1", "strike bonuses: PER_CARD, ONCE"),
    Field("refusal_hands", "i1", "hands that may refuse beside the four lowest, as bits: TENS_HEAVY, NO_HONOURS"),
    Field("refusal_redeal", "i1", "who deals after a refusal: NEXT_DEALER, SAME_DEALER"),
    Field("extraordinary_mandatory", "i1", "1: an extraordinary hand must be declared"),
    Field("double_extraordinary", "i1", "the stake for all tricks with several declarers: FULL, SPLIT"),
    Field("knock", "i1", "1: a non-dealer with a great live Hundred is paid by the other non-dealers too"),
    Field("accuser", "i1", "1: the accuser is looked at after play"),
    Field("red_set", "i1", "which cards are red: place in RED_CARDS"),
    Field("stop_after_seven", "i1", "1: who has won the first seven tricks gets the eighth without play"),
    Field("dealer_stays_on_great_live", "i1", "1: a dealer with a great live Hundred deals again"),
    Field("reveal_after", "i1", "1: cards thrown face down are turned up after the settlement"),
    Field("session_deals", "i4", "deals of a session, above 0"),
    # The session
    Field("totals", "i4", "half stakes from earlier deals", _seats, carried=True, scale=4),
    Field("deals", "i4", "deals finished before this one", carried=True),
    Field("finished", "i1", "1: the session is over, no deal follows", carried=True),
    Field("dealer", "i1", "seat; −1 before the first deal: drawn by lot", carried=True, start=-1, holds=Holds.SEAT),
    Field("leads_first", "i1", "seat that leads first whatever the bottom card says, in a deal that a file gives; "
          "−1: MD-21 decides", carried=True, start=-1, holds=Holds.SEAT),
    # The deal
    Field("phase", "i1", "DECLARING, REFUSING, PLAYING, OVER", holds=Holds.KIND, of=4),
    Field("turn", "i1", "seat that acts, until the deal is over", holds=Holds.SEAT),
    Field("first_dealt", "i1", "seat that was dealt to first", holds=Holds.SEAT),
    Field("answers", "i1", "answers given in DECLARING or REFUSING, 0–3"),
    Field("pending", "i1", "answers that are not shown before all have answered: UNANSWERED, SAYS_SILENT, SAYS_DECLARE",
          _seats, Visible.OWNER, holds=Holds.KIND, of=3),
    Field("declared", "i1", "seats that have declared an extraordinary hand, as bits; shown when all have answered",
          holds=Holds.SEATS),
    Field("refuser", "i1", "seat that has refused to play; −1 if none", holds=Holds.SEAT),
    Field("hands", "i8", "cards held", _seats, Visible.OWNER, Holds.CARDS),
    Field("held", "i1", "how many cards each holds, 0–8", _seats),
    Field("dealt", "i8", "cards dealt to each", _seats, Visible.OWNER, Holds.CARDS),
    Field("laid_open", "i8", "cards in each hand that are shown at the end to claim a score", _seats,
          holds=Holds.CARDS),
    Field("face", "i1", "the face card; −1 in a position that gives none", holds=Holds.CARD),
    Field("bottom", "i1", "the bottom card, shown at the cut, where it is not the face card; else −1",
          holds=Holds.CARD),
    Field("accuser_card", "i1", "the accuser once it is shown; −1 before", holds=Holds.CARD),
    Field("accuser_down", "i8", "the accuser until it is shown", visible=Visible.NOBODY, holds=Holds.CARDS),
    Field("stock", "i8", "the other cards that were left over", visible=Visible.NOBODY, holds=Holds.CARDS),
    Field("rows", "i1", "the cards before each player, trick by trick, as far as all have seen them; else −1", _row,
          holds=Holds.CARD),
    Field("orientation", "i1", "how each of them was played: NOT_PLAYED, FACE_UP, FACE_DOWN", _row,
          holds=Holds.KIND, of=3),
    Field("thrown", "i8", "those that lie face down", _row, Visible.OWNER, Holds.CARDS),
    Field("won", "i8", "own cards that have won tricks; their number is that of the tricks", _seats,
          holds=Holds.CARDS),
    Field("number", "i1", "tricks finished, 0–8"),
    Field("leaders", "i1", "seat that led each trick; −1 where none is known", (HAND,), holds=Holds.SEAT),
    Field("placed", "i1", "cards played to the trick in progress, 0–3"),
    Field("best_card", "i1", "the card that wins the trick so far; −1 before the lead", holds=Holds.CARD),
    Field("best_seat", "i1", "who played it", holds=Holds.SEAT),
    Field("first_seven", "i1", "seat that has won all of the first seven tricks; −1 if nobody has", holds=Holds.SEAT),
)  # fmt: skip

STATE = record_type(FIELDS)
