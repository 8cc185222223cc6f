"""Ma Diao: the cards, and the sets of them that the rules name.

A card is a number from 0 to 39, suit by suit (tens, myriads, strings, cash) and each from its weakest card up: among
cards of a suit the larger number beats the smaller. Cash runs backwards, from nine cash up to no cash. Sets of cards
are the bits of an int64."""

from typing import NamedTuple

from tefuda.engine.kit import bits, rule
from tefuda.games.ma_diao.state import HAND, UNIT, RefusalHand, State

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

HONOURS = FOUR_TOPS | bits.of(SECONDS) | _set("TB T9")  #: cards that a hand of the refusal kind ``no_honours`` lacks

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


# Actions: 0–39 plays that card face up, THROW + card throws it face down; then what is said
THROW = CARDS
SILENT, DECLARE, FIGHT, REFUSE = range(2 * CARDS, 2 * CARDS + 4)
ACTIONS = REFUSE + 1


# Hands that end a deal before play: extraordinary ones (MD-10, MD-11), and those that may refuse (MD-17)
FEWEST_LOW_TENS = 6  # the option value tens_heavy: so many may refuse, if no higher card of the suit is there


class HandLines(NamedTuple):
    """MD-10: a number for each line of an extraordinary hand; the names are keys of their texts."""

    four_tops: int  # 四尊
    four_tops_hundred: int  # with 百老
    four_tops_lowest: int  # with 四極
    eight_reds: int  # 八紅, by the cards that are red at this table
    eight_reds_hundred: int
    one_suit: int  # 渾成
    tens_hundred: int  # 渾成 in the suit of the Hundred
    all_strike_alive: int  # 全突大活


CONGRATULATIONS = HandLines(4, 5, 8, 6, 7, 4, 5, 5)  # MD-10: stakes of each line


@rule
def hand_lines(s: State, hand: int) -> HandLines:
    """MD-10: what each line brings a hand, in half stakes."""
    whole, hundred = bits.size(hand) == HAND, bits.has(hand, HUNDRED)
    tops, lowest = bits.inside(FOUR_TOPS, hand), bits.inside(FOUR_LOWEST, hand)
    reds = whole and bits.inside(hand, RED_CARDS[s.red_set])
    suit = whole and bits.inside(hand, suit_cards(bits.lowest(hand)))
    return HandLines(
        four_tops=UNIT * CONGRATULATIONS.four_tops if tops else 0,
        four_tops_hundred=UNIT * CONGRATULATIONS.four_tops_hundred if tops and hundred else 0,
        four_tops_lowest=UNIT * CONGRATULATIONS.four_tops_lowest if tops and lowest else 0,
        eight_reds=UNIT * CONGRATULATIONS.eight_reds if reds else 0,
        eight_reds_hundred=UNIT * CONGRATULATIONS.eight_reds_hundred if reds and hundred else 0,
        one_suit=UNIT * CONGRATULATIONS.one_suit if suit else 0,
        tens_hundred=UNIT * CONGRATULATIONS.tens_hundred if suit and hundred else 0,
        all_strike_alive=UNIT * CONGRATULATIONS.all_strike_alive if bits.inside(ALL_STRIKE_ALIVE, hand) else 0,
    )


@rule
def congratulation(s: State, hand: int) -> int:
    """MD-11: the sum of all lines that apply, in half stakes."""
    total = 0
    for amount in hand_lines(s, hand):
        total += amount
    return total


@rule
def is_extraordinary(s: State, hand: int) -> bool:
    """MD-10: whether one of the lines applies."""
    return congratulation(s, hand) > 0


@rule
def may_refuse(s: State, hand: int) -> bool:
    """MD-17: the four lowest, and what the option refusal_hands adds."""
    tens = hand & SUIT_CARDS[TENS]
    heavy = bits.size(tens) >= FEWEST_LOW_TENS and bits.inside(tens, LOW_TENS)
    if heavy and bits.has(s.refusal_hands, RefusalHand.TENS_HEAVY):
        return True
    honourless = hand != bits.EMPTY and hand & HONOURS == bits.EMPTY
    if honourless and bits.has(s.refusal_hands, RefusalHand.NO_HONOURS):
        return True
    return bits.inside(FOUR_LOWEST, hand)
