"""Ma Diao: what a player's cards are worth, who pays whom, who deals next, when the session is over.

All amounts are half stakes (``UNIT`` of them are a stake). Every function needs only what is public at the end of a
deal, so it gives the same for a view.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tefuda.engine import bits, verbs
from tefuda.engine.description import Bounds
from tefuda.engine.raw import copy
from tefuda.engine.verbs import implements, rule
from tefuda.games.ma_diao.hands import MOST_CONGRATULATION_STAKES, congratulation, has_four_lowest, has_hundred
from tefuda.games.ma_diao.rules import NOBODY, cards_seen, next_seat
from tefuda.games.ma_diao.state import (
    CARDS,
    FEMALE_STRIKERS,
    FOUR_REDS,
    HAND,
    HUNDRED,
    MALE_STRIKER,
    ONCE,
    SAME_DEALER,
    SEATS,
    SECONDS,
    SPLIT,
    STATE,
    SUITS,
    THREE_OPENED,
    TOPS,
    UNIT,
)

HOME_TRICKS = 2
"""Home 正本: so many tricks or more."""

HANGING_TRICKS = 3
"""MD-29: 吊."""

# Stakes.
TOP_STAKES = 1
SMALL_STRIKE_STAKES = 1
DEAD_HUNDRED_STAKES = 1
DEAD_HUNDRED_STRIKE_STAKES = 2
SMALL_LIVE_STAKES = 2
SMALL_LIVE_STRIKE_STAKES = 4
GREAT_LIVE_STAKES = 3
GREAT_LIVE_STRIKE_STAKES = 6
THREE_OPENED_STAKES = 3
FOUR_REDS_STAKES = 4
WHOLE_TABLE_STAKES = 8
ACCUSER_STAKES = 1
KNOCK_STAKES = 1
REFUSAL_STAKES = 1
ALL_TRICKS_STAKES = 1


def pack(state: Any) -> NDArray[np.int64]:
    """The card numbers of the pack, ascending."""
    return np.arange(CARDS)


def in_stakes(half_stakes: int) -> int | float:
    """MD-2: an amount as people count it."""
    return half_stakes / UNIT if half_stakes % UNIT else half_stakes // UNIT


# What is public of a player


@rule
def tricks_of(s: Any, seat: int) -> int:
    """How many tricks this player has won: each by one of his cards."""
    return bits.size(s.won[seat])


@rule
def is_home(s: Any, seat: int) -> bool:
    """正本."""
    return tricks_of(s, seat) >= HOME_TRICKS


@rule
def cards_known(s: Any, seat: int) -> int:
    """The cards dealt to this player, as far as the state or view tells."""
    return s.dealt[seat] | cards_seen(s, seat)


@rule
def held_hundred(s: Any, seat: int) -> bool:
    """Whether the Hundred was dealt to this player."""
    return has_hundred(cards_known(s, seat))


# The value of a player


@rule
def trick_score(s: Any, seat: int) -> int:
    """MD-29, MD-30: hanging, level or dead; half a stake each for two who hang one."""
    tricks = tricks_of(s, seat)
    if tricks < HOME_TRICKS:
        return -UNIT
    if tricks < HANGING_TRICKS:
        return 0
    hanging, dead = 0, 0
    for other in range(SEATS):
        hanging += 1 if tricks_of(s, other) >= HANGING_TRICKS else 0
        dead += 0 if is_home(s, other) else 1
    return UNIT // 2 if hanging == 2 and dead == 1 else UNIT


@rule
def counting_tops(s: Any) -> int:
    """MD-31: the top cards; where the face card is the top of a suit, its second instead."""
    cards = bits.EMPTY
    for suit in range(SUITS):
        cards |= bits.only(SECONDS[suit] if s.face == TOPS[suit] else TOPS[suit])
    return cards


@rule
def tops(s: Any, seat: int) -> int:
    """MD-31: 賞."""
    return UNIT * TOP_STAKES * bits.size(s.won[seat] & counting_tops(s)) if is_home(s, seat) else 0


@rule
def strikes(s: Any, cards: int) -> int:
    """How often a strike bonus counts for these female strikers: for each of them; strike_stacking=once: once."""
    count = bits.size(cards)
    return min(1, count) if s.strike_stacking == ONCE else count


@rule
def small_strike(s: Any, seat: int) -> int:
    """MD-32: 小突."""
    if not bits.has(s.won[seat], MALE_STRIKER):
        return 0
    return UNIT * SMALL_STRIKE_STAKES * strikes(s, s.won[seat] & FEMALE_STRIKERS)


@rule
def dead_hundred(s: Any, seat: int) -> int:
    """MD-33: 死百."""
    return UNIT * DEAD_HUNDRED_STAKES if held_hundred(s, seat) and not is_home(s, seat) else 0


@rule
def dead_hundred_strike(s: Any, seat: int) -> int:
    """MD-34: 死百突, for each female striker that forms a pair with the Hundred of which one card is on the table."""
    if not held_hundred(s, seat) or is_home(s, seat):
        return 0
    pairs = cards_known(s, seat) if bits.has(s.won[seat], HUNDRED) else s.won[seat]
    return UNIT * DEAD_HUNDRED_STRIKE_STAKES * strikes(s, pairs & FEMALE_STRIKERS)


@rule
def has_small_live(s: Any, seat: int) -> bool:
    """MD-35."""
    return held_hundred(s, seat) and is_home(s, seat) and not bits.has(s.won[seat], HUNDRED)


@rule
def small_live(s: Any, seat: int) -> int:
    """MD-35: 小活百."""
    return UNIT * SMALL_LIVE_STAKES if has_small_live(s, seat) else 0


@rule
def small_live_strike(s: Any, seat: int) -> int:
    """MD-36: 小活百突."""
    if not has_small_live(s, seat):
        return 0
    return UNIT * SMALL_LIVE_STRIKE_STAKES * strikes(s, s.won[seat] & FEMALE_STRIKERS)


@rule
def has_great_live(s: Any, seat: int) -> bool:
    """MD-37."""
    return bits.has(s.won[seat], HUNDRED) and is_home(s, seat)


@rule
def great_live(s: Any, seat: int) -> int:
    """MD-37: 大活百."""
    return UNIT * GREAT_LIVE_STAKES if has_great_live(s, seat) else 0


@rule
def great_live_strike(s: Any, seat: int) -> int:
    """MD-38: 大活百突."""
    if not has_great_live(s, seat):
        return 0
    return UNIT * GREAT_LIVE_STRIKE_STAKES * strikes(s, s.won[seat] & FEMALE_STRIKERS)


@rule
def three_opened(s: Any, seat: int) -> int:
    """MD-39: 三開."""
    return UNIT * THREE_OPENED_STAKES if bits.inside(THREE_OPENED, s.won[seat]) else 0


@rule
def four_reds(s: Any, seat: int) -> int:
    """MD-40: 四紅."""
    return UNIT * FOUR_REDS_STAKES if bits.inside(FOUR_REDS, s.won[seat]) else 0


@rule
def whole_table(s: Any, seat: int) -> int:
    """MD-41: 八卓全收."""
    return UNIT * WHOLE_TABLE_STAKES if s.first_seven == seat else 0


@rule
def hundred_lines(s: Any, seat: int) -> int:
    """MD-33 to MD-38, MD-42: the live ones exclude the dead ones."""
    dead = dead_hundred(s, seat) + dead_hundred_strike(s, seat)
    small = small_live(s, seat) + small_live_strike(s, seat)
    return dead + small + great_live(s, seat) + great_live_strike(s, seat)


@rule
def value(s: Any, seat: int) -> int:
    """MD-43, MD-42: the trick score and every bonus that applies."""
    sets = three_opened(s, seat) + four_reds(s, seat) + whole_table(s, seat)
    return trick_score(s, seat) + tops(s, seat) + small_strike(s, seat) + hundred_lines(s, seat) + sets


# Settlement


@implements(verbs.payoff, STATE)
def payoff(state: Any, out: Any) -> None:
    """MD-12, MD-13 after declarations; MD-18 after a refusal; MD-44, MD-45 after play."""
    s = state
    for seat in range(SEATS):
        out[seat] = 0
    if s.declared != 0:
        pay_declarers(s, out)
    elif s.refuser != NOBODY:
        pay_refuser(s, out)
    else:
        settle_with_dealer(s, out)
        pay_knocker(s, out)
        pay_for_accuser(s, out)


@rule
def pay(out: Any, payer: int, receiver: int, amount: int) -> None:
    """From one to the other."""
    out[payer] -= amount
    out[receiver] += amount


@rule
def all_tricks_stake(s: Any) -> int:
    """MD-13, MD-15: from each of the others to a declarer; half of it where several share."""
    shared = s.double_extraordinary == SPLIT and bits.size(s.declared) > 1
    return UNIT * ALL_TRICKS_STAKES // (2 if shared else 1)


@rule
def owes_declarer(s: Any, seat: int, declarer: int) -> int:
    """MD-12, MD-13: the congratulation, unless he was dealt the Hundred, and the stake for all tricks."""
    return all_tricks_stake(s) + (0 if held_hundred(s, seat) else congratulation(s, cards_known(s, declarer)))


@rule
def pay_declarers(s: Any, out: Any) -> None:
    """MD-15: each declarer is paid by the three others."""
    for declarer in range(SEATS):
        if bits.has(s.declared, declarer):
            for seat in range(SEATS):
                if seat != declarer:
                    pay(out, seat, declarer, owes_declarer(s, seat, declarer))


@rule
def pay_refuser(s: Any, out: Any) -> None:
    """MD-18: the four lowest are paid for by everybody, other kinds by nobody."""
    if has_four_lowest(cards_known(s, s.refuser)):
        for seat in range(SEATS):
            if seat != s.refuser:
                pay(out, seat, s.refuser, UNIT * REFUSAL_STAKES)


@rule
def settle_with_dealer(s: Any, out: Any) -> None:
    """MD-44: each of the others receives from the dealer what his value is more."""
    dealers = value(s, s.dealer)
    for seat in range(SEATS):
        if seat != s.dealer:
            pay(out, s.dealer, seat, value(s, seat) - dealers)


@rule
def pay_knocker(s: Any, out: Any) -> None:
    """MD-44 with knock: 敲門, a non-dealer's great live Hundred is paid by the other non-dealers too."""
    for seat in range(SEATS):
        if s.knock == 1 and seat != s.dealer and has_great_live(s, seat):
            for other in range(SEATS):
                if other != seat and other != s.dealer:
                    pay(out, other, seat, UNIT * KNOCK_STAKES)


@rule
def accused(s: Any) -> int:
    """MD-45: who pays because the accuser is the top of a suit whose second he has on the table; −1 for nobody."""
    for suit in range(SUITS):
        if s.accuser_card == TOPS[suit]:
            for seat in range(SEATS):
                if is_home(s, seat) and bits.has(s.won[seat], SECONDS[suit]):
                    return seat
    return NOBODY


@rule
def pay_for_accuser(s: Any, out: Any) -> None:
    """MD-45: a stake to each of the three others."""
    payer = accused(s)
    if payer != NOBODY:
        for seat in range(SEATS):
            if seat != payer:
                pay(out, payer, seat, UNIT * ACCUSER_STAKES)


def bounds(state: Any) -> Bounds:
    """MD-11 to MD-13, MD-29 to MD-45: the sum of all lines, paid by each of the others, or to each of them."""
    strikes = bits.size(FEMALE_STRIKERS)
    hundred = GREAT_LIVE_STAKES + strikes * GREAT_LIVE_STRIKE_STAKES
    tricks = SUITS * TOP_STAKES + THREE_OPENED_STAKES + FOUR_REDS_STAKES + WHOLE_TABLE_STAKES
    value_stakes = 1 + tricks + strikes * SMALL_STRIKE_STAKES + hundred
    played = value_stakes + 1 + KNOCK_STAKES + ACCUSER_STAKES  # and one more than who hangs, at −1
    declared = MOST_CONGRATULATION_STAKES + ALL_TRICKS_STAKES
    most = (SEATS - 1) * UNIT * max(played, declared)
    answers = 2 * SEATS
    return Bounds(least=-most, most=most, actions=answers + SEATS * HAND, zero_sum=True)


# What follows


@rule
def following_dealer(s: Any) -> int:
    """MD-5, MD-14, MD-20."""
    if s.declared != 0:
        return first_declarer(s)
    if s.refuser != NOBODY:
        stays = s.refusal_redeal == SAME_DEALER
    else:
        stays = s.dealer_stays_on_great_live == 1 and has_great_live(s, s.dealer)
    return bits.wide(s.dealer) if stays else next_seat(s.dealer)


@rule
def first_declarer(s: Any) -> int:
    """MD-14: the one met first going counter-clockwise from the dealer, the dealer himself first."""
    seat = bits.wide(s.dealer)
    while not bits.has(s.declared, seat):
        seat = next_seat(seat)
    return seat


@implements(verbs.next_deal, STATE)
def next_deal(state: Any, following: Any) -> None:
    """MD-5, MD-47: totals, next dealer; the cards of the old deal are left for ``deal`` to clear."""
    received = np.zeros(SEATS, np.int64)
    verbs.payoff(state, received)
    dealer = following_dealer(state)
    copy(state, following)
    for seat in range(SEATS):
        following.totals[seat] += received[seat]
    following.dealer = dealer
    following.leads_first = NOBODY
    following.deals += 1
    following.finished = 1 if following.deals >= following.session_deals else 0
