"""Ma Diao: hands that end a deal before play: extraordinary ones (MD-10, MD-11), and those that may refuse (MD-17)."""

from typing import NamedTuple

from tefuda.engine import bits
from tefuda.engine.verbs import rule
from tefuda.games.ma_diao import cards
from tefuda.games.ma_diao.cards import SUIT_CARDS, TENS, suit_cards
from tefuda.games.ma_diao.options import RefusalHand
from tefuda.games.ma_diao.state import HAND, UNIT, State

FEWEST_LOW_TENS = 6
"""The option value tens_heavy: so many may refuse, if no higher card of the suit is there."""


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


CONGRATULATIONS = HandLines(4, 5, 8, 6, 7, 4, 5, 5)
"""MD-10: stakes of each line."""


@rule
def hand_lines(s: State, hand: int) -> HandLines:
    """MD-10: what each line brings a hand, in half stakes."""
    whole, hundred = bits.size(hand) == HAND, bits.has(hand, cards.HUNDRED)
    tops, lowest = bits.inside(cards.FOUR_TOPS, hand), bits.inside(cards.FOUR_LOWEST, hand)
    reds = whole and bits.inside(hand, cards.RED_CARDS[s.red_set])
    suit = whole and bits.inside(hand, suit_cards(bits.lowest(hand)))
    return HandLines(
        four_tops=UNIT * CONGRATULATIONS.four_tops if tops else 0,
        four_tops_hundred=UNIT * CONGRATULATIONS.four_tops_hundred if tops and hundred else 0,
        four_tops_lowest=UNIT * CONGRATULATIONS.four_tops_lowest if tops and lowest else 0,
        eight_reds=UNIT * CONGRATULATIONS.eight_reds if reds else 0,
        eight_reds_hundred=UNIT * CONGRATULATIONS.eight_reds_hundred if reds and hundred else 0,
        one_suit=UNIT * CONGRATULATIONS.one_suit if suit else 0,
        tens_hundred=UNIT * CONGRATULATIONS.tens_hundred if suit and hundred else 0,
        all_strike_alive=UNIT * CONGRATULATIONS.all_strike_alive if bits.inside(cards.ALL_STRIKE_ALIVE, hand) else 0,
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
    heavy = bits.size(tens) >= FEWEST_LOW_TENS and bits.inside(tens, cards.LOW_TENS)
    if heavy and bits.has(s.refusal_hands, RefusalHand.TENS_HEAVY):
        return True
    honourless = hand != bits.EMPTY and hand & cards.HONOURS == bits.EMPTY
    if honourless and bits.has(s.refusal_hands, RefusalHand.NO_HONOURS):
        return True
    return bits.inside(cards.FOUR_LOWEST, hand)
