"""Ma Diao: the cards, and the sets of them that the rules name.

A card is a number from 0 to 39, suit by suit (tens, myriads, strings, cash) and each from its weakest card up: among
cards of a suit the larger number beats the smaller. Cash runs backwards, from nine cash up to no cash. Sets of cards
are the bits of an int64.
"""

from tefuda.engine import bits
from tefuda.engine.verbs import rule

SUITS = 4
TENS, MYRIADS, STRINGS, CASH = range(SUITS)
SUIT_LETTERS = "TWSC"
SUIT_TEXTS = ("scene.tens", "scene.myriads", "scene.strings", "scene.cash")
SUIT_WORDS = (
    ("T2", "T3", "T4", "T5", "T6", "T7", "T8", "T9", "TB", "TQ", "TM"),
    ("W1", "W2", "W3", "W4", "W5", "W6", "W7", "W8", "W9"),
    ("S1", "S2", "S3", "S4", "S5", "S6", "S7", "S8", "S9"),
    ("C9", "C8", "C7", "C6", "C5", "C4", "C3", "C2", "C1", "CH", "C0"),
)
"""The cards of each suit, weakest first."""

CARD_WORDS = tuple(word for suit in SUIT_WORDS for word in suit)
CARDS = len(CARD_WORDS)
PACK = int(bits.span(0, CARDS))
SUIT_OF = tuple(suit for suit in range(SUITS) for _ in SUIT_WORDS[suit])


def _set(words: str) -> int:
    return bits.of(CARD_WORDS.index(word) for word in words.split())


SUIT_CARDS = tuple(_set(" ".join(words)) for words in SUIT_WORDS)
TOPS = tuple(CARD_WORDS.index(words[-1]) for words in SUIT_WORDS)
SECONDS = tuple(CARD_WORDS.index(words[-2]) for words in SUIT_WORDS)

HUNDRED = CARD_WORDS.index("TB")
HUNDRED_CARD = _set("TB")
MALE_STRIKER = CARD_WORDS.index("T9")
FEMALE_STRIKERS = _set("W5 W6 W8")
STRIKERS = FEMALE_STRIKERS | _set("T9")
ALL_STRIKE_ALIVE = STRIKERS | HUNDRED_CARD
THREE_OPENED = _set("TB TQ TM")
FOUR_REDS = _set("TB TQ TM C0")
FOUR_TOPS = bits.of(TOPS)
FOUR_LOWEST = _set("T2 W1 S1 C9")
LOW_TENS = SUIT_CARDS[TENS] & ~THREE_OPENED

HONOURS = FOUR_TOPS | bits.of(SECONDS) | _set("TB T9")
"""What a hand of the refusal kind ``no_honours`` lacks."""

RED_CARDS = (
    _set("TM TQ TB W9 W8 S9 S8 C9 C8 C0"),
    _set("TM TQ TB T2 W9 W1 S9 S1 C0 C9"),
    _set("TM TQ TB W9 W8 S9 S8 C0 CH"),
)
"""By the values of the option ``red_set``."""

DEALING_VALUE = tuple(int(word[1]) if word[1].isdigit() and word != "C0" else 1 for word in CARD_WORDS)
"""MD-7: the number on each card; 1 for those without one."""


@rule
def suit_cards(card: int) -> int:
    """All cards of this card's suit."""
    return bits.wide(SUIT_CARDS[SUIT_OF[card]])


def card_list(cards: int) -> str:
    """The cards of a set, written with blanks, suit by suit and each from its weakest."""
    return " ".join(CARD_WORDS[card] for card in bits.members_of(cards))
