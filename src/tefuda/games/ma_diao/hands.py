"""Ma Diao: hands that end a deal before play: extraordinary ones (MD-10, MD-11), and those that may refuse (MD-17)."""

from typing import Any

from tefuda.engine import bits
from tefuda.engine.verbs import rule
from tefuda.games.ma_diao.state import (
    ALL_STRIKE_ALIVE,
    FOUR_LOWEST,
    FOUR_TOPS,
    HAND,
    HONOURS,
    HUNDRED_CARD,
    LOW_TENS,
    NO_HONOURS,
    RED_CARDS,
    SUIT_CARDS,
    SUITS,
    TENS,
    TENS_HEAVY,
    UNIT,
)

# MD-10: stakes of each line.
FOUR_TOPS_STAKES = 4
FOUR_TOPS_AND_HUNDRED_STAKES = 5
FOUR_TOPS_AND_LOWEST_STAKES = 8
EIGHT_REDS_STAKES = 6
EIGHT_REDS_AND_HUNDRED_STAKES = 7
ONE_SUIT_STAKES = 4
TENS_AND_HUNDRED_STAKES = 5
ALL_STRIKE_ALIVE_STAKES = 5

FEWEST_LOW_TENS = 6
"""The option value tens_heavy: so many may refuse, if no higher card of the suit is there."""


@rule
def has_four_tops(hand: int) -> bool:
    """MD-10: 四尊."""
    return bits.inside(FOUR_TOPS, hand)


@rule
def has_four_lowest(hand: int) -> bool:
    """MD-10, MD-17: 四極."""
    return bits.inside(FOUR_LOWEST, hand)


@rule
def has_hundred(cards: int) -> bool:
    """百老."""
    return bits.inside(HUNDRED_CARD, cards)


@rule
def is_all_red(s: Any, hand: int) -> bool:
    """MD-10: 八紅, by the cards that are red at this table."""
    return bits.size(hand) == HAND and bits.inside(hand, RED_CARDS[s.red_set])


@rule
def is_one_suit(hand: int) -> bool:
    """MD-10: 渾成."""
    if bits.size(hand) == HAND:
        for suit in range(SUITS):
            if bits.inside(hand, SUIT_CARDS[suit]):
                return True
    return False


@rule
def is_all_tens(hand: int) -> bool:
    """MD-10: 渾成 in the suit of the Hundred."""
    return bits.size(hand) == HAND and bits.inside(hand, SUIT_CARDS[TENS])


@rule
def is_all_strike_alive(hand: int) -> bool:
    """MD-10: 全突大活."""
    return bits.inside(ALL_STRIKE_ALIVE, hand)


@rule
def is_extraordinary(s: Any, hand: int) -> bool:
    """MD-10: whether one of the lines applies."""
    return has_four_tops(hand) or is_all_red(s, hand) or is_one_suit(hand) or is_all_strike_alive(hand)


MOST_CONGRATULATION_STAKES = (
    FOUR_TOPS_STAKES
    + FOUR_TOPS_AND_HUNDRED_STAKES
    + FOUR_TOPS_AND_LOWEST_STAKES
    + EIGHT_REDS_STAKES
    + EIGHT_REDS_AND_HUNDRED_STAKES
    + ONE_SUIT_STAKES
    + TENS_AND_HUNDRED_STAKES
    + ALL_STRIKE_ALIVE_STAKES
)
"""More than any hand is worth: no hand has all of these lines."""


@rule
def congratulation(s: Any, hand: int) -> int:
    """MD-11: the sum of all lines that apply, in half stakes."""
    stakes = 0
    if has_four_tops(hand):
        stakes += FOUR_TOPS_STAKES
        stakes += FOUR_TOPS_AND_HUNDRED_STAKES if has_hundred(hand) else 0
        stakes += FOUR_TOPS_AND_LOWEST_STAKES if has_four_lowest(hand) else 0
    if is_all_red(s, hand):
        stakes += EIGHT_REDS_STAKES
        stakes += EIGHT_REDS_AND_HUNDRED_STAKES if has_hundred(hand) else 0
    if is_one_suit(hand):
        stakes += ONE_SUIT_STAKES
        stakes += TENS_AND_HUNDRED_STAKES if is_all_tens(hand) and has_hundred(hand) else 0
    if is_all_strike_alive(hand):
        stakes += ALL_STRIKE_ALIVE_STAKES
    return stakes * UNIT


@rule
def may_refuse(s: Any, hand: int) -> bool:
    """MD-17: the four lowest, and what the option refusal_hands adds."""
    return has_four_lowest(hand) or is_tens_heavy(s, hand) or has_no_honours(s, hand)


@rule
def is_tens_heavy(s: Any, hand: int) -> bool:
    """refusal_hands=tens_heavy: six Tens or more, none of the three strongest."""
    tens = hand & SUIT_CARDS[TENS]
    return bits.has(s.refusal_hands, TENS_HEAVY) and bits.size(tens) >= FEWEST_LOW_TENS and bits.inside(tens, LOW_TENS)


@rule
def has_no_honours(s: Any, hand: int) -> bool:
    """refusal_hands=no_honours: no top, no second, neither the Hundred nor the male striker."""
    return bits.has(s.refusal_hands, NO_HONOURS) and hand != bits.EMPTY and hand & HONOURS == bits.EMPTY
