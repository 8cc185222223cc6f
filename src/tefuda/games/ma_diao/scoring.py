"""Ma Diao: what a player's cards are worth at the end of play, who pays whom, who deals next.

The payments of a deal are listed once (``write_payments``); payoff, score sheet and settlement follow from them. All
amounts are half stakes (``UNIT`` of them are a stake). Every function needs only what is public at the end of a deal,
so it gives the same for a view."""

from collections.abc import Iterable
from enum import IntEnum
from typing import NamedTuple

import numpy as np

from tefuda.engine.kit import NOBODY, Bounds, Ints, bits, hand_on, implements, next_seat, rule, verbs
from tefuda.games.ma_diao import cards
from tefuda.games.ma_diao.cards import FEMALE_STRIKERS, HUNDRED, SECONDS, SUITS, TOPS, congratulation
from tefuda.games.ma_diao.rules import cards_seen
from tefuda.games.ma_diao.state import HAND, SEATS, UNIT, DoubleExtraordinary, RefusalRedeal, State, StrikeStacking

HOME_TRICKS = 2  # home 正本: so many tricks or more
HANGING_TRICKS = 3  # MD-29: 吊


class Bonuses(NamedTuple):
    """A number for each bonus beside the trick score, in the order of the rules; the names are keys of their texts."""

    tops: int  # MD-31 賞
    small_strike: int  # MD-32 小突
    dead_hundred: int  # MD-33 死百
    dead_hundred_strike: int  # MD-34 死百突
    small_live: int  # MD-35 小活百
    small_live_strike: int  # MD-36 小活百突
    great_live: int  # MD-37 大活百
    great_live_strike: int  # MD-38 大活百突
    three_opened: int  # MD-39 三開
    four_reds: int  # MD-40 四紅
    whole_table: int  # MD-41 八卓全收


@rule
def tricks_of(s: State, seat: int) -> int:
    """Number of tricks that this player has won, each by a card of their own."""
    return bits.size(s.won[seat])


@rule
def is_home(s: State, seat: int) -> bool:
    """正本."""
    return tricks_of(s, seat) >= HOME_TRICKS


@rule
def cards_known(s: State, seat: int) -> int:
    """The cards dealt to this player, as far as the state or view tells."""
    return s.dealt[seat] | cards_seen(s, seat)


@rule
def held_hundred(s: State, seat: int) -> bool:
    """True if the Hundred was dealt to this player."""
    return bits.has(cards_known(s, seat), HUNDRED)


@rule
def has_great_live(s: State, seat: int) -> bool:
    """MD-37."""
    return bits.has(s.won[seat], HUNDRED) and is_home(s, seat)


@rule
def counting_tops(s: State) -> int:
    """MD-31: the top cards; where the face card is the top of a suit, its second instead."""
    found = bits.EMPTY
    for suit in range(SUITS):
        found |= bits.only(SECONDS[suit] if s.face == TOPS[suit] else TOPS[suit])
    return found


@rule
def strikes(s: State, strikers: int) -> int:
    """Number of times that a strike bonus counts for these female strikers; strike_stacking=once: once."""
    count = bits.size(strikers)
    return min(1, count) if s.strike_stacking == StrikeStacking.ONCE else count


@rule
def paired_strikers(s: State, seat: int) -> int:
    """The female strikers by which this player's strike bonuses count: those that have won tricks.

    MD-34: of a pair with a dead Hundred one card has to be on the table; if it is the Hundred, strikers in hand count.
    """
    dead = bits.has(s.won[seat], HUNDRED) and not is_home(s, seat)
    return (cards_known(s, seat) if dead else s.won[seat]) & FEMALE_STRIKERS


@rule
def trick_score(s: State, seat: int) -> int:
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
def bonuses(s: State, seat: int) -> Bonuses:
    """MD-31 to MD-42: what each bonus brings this player as things stand, in half stakes."""
    won, home = s.won[seat], is_home(s, seat)
    held, live = held_hundred(s, seat), bits.has(won, HUNDRED)
    pairs = strikes(s, paired_strikers(s, seat)) if held else 0
    dead, small, great = held and not home, held and home and not live, home and live  # MD-42
    striker = bits.has(won, cards.MALE_STRIKER)
    return Bonuses(
        tops=UNIT * s.tops * bits.size(won & counting_tops(s)) if home else 0,
        small_strike=UNIT * s.small_strike * strikes(s, won & FEMALE_STRIKERS) if striker else 0,
        dead_hundred=UNIT * s.dead_hundred if dead else 0,
        dead_hundred_strike=UNIT * s.dead_hundred_strike * pairs if dead else 0,
        small_live=UNIT * s.small_live if small else 0,
        small_live_strike=UNIT * s.small_live_strike * pairs if small else 0,
        great_live=UNIT * s.great_live if great else 0,
        great_live_strike=UNIT * s.great_live_strike * pairs if great else 0,
        three_opened=UNIT * s.three_opened if bits.inside(cards.THREE_OPENED, won) else 0,
        four_reds=UNIT * s.four_reds if bits.inside(cards.FOUR_REDS, won) else 0,
        whole_table=UNIT * s.whole_table if s.first_seven == seat else 0,
    )


@rule
def value(s: State, seat: int) -> int:
    """MD-43: the trick score and every bonus that applies."""
    total = trick_score(s, seat)
    for amount in bonuses(s, seat):
        total += amount
    return total


@rule
def standings(s: State, out: Ints) -> None:
    """MD-29 to MD-42: of each seat the tricks, then each bonus as things stand; ``out`` has a row for each seat."""
    for seat in range(SEATS):
        out[seat, 0] = tricks_of(s, seat)
        for k, amount in enumerate(bonuses(s, seat)):
            out[seat, 1 + k] = amount


def bonuses_by_name(amounts: Iterable[int]) -> dict[str, int]:
    """MD-31 to MD-41: those of these bonuses that bring something."""
    return {name: int(amount) for name, amount in zip(Bonuses._fields, amounts, strict=True) if amount}


def in_stakes(half_stakes: int) -> int | float:
    """MD-2: an amount as people count it."""
    return half_stakes / UNIT if half_stakes % UNIT else half_stakes // UNIT


class PaymentKind(IntEnum):  # the reason of a payment
    DECLARATION = 0  # MD-12, MD-13
    REFUSAL = 1  # MD-18
    SETTLEMENT = 2  # MD-44
    KNOCK = 3  # MD-44 敲門
    ACCUSER = 4  # MD-45


class Payment(NamedTuple):
    """From one player to another; a negative amount goes the other way."""

    kind: int
    payer: int
    receiver: int
    amount: int


MOST_PAYMENTS = SEATS * (SEATS - 1)


@implements(verbs.payoff, State)
def payoff(state: State, out: Ints) -> None:
    """MD-12, MD-13 after declarations; MD-18 after a refusal; MD-44, MD-45 after play."""
    rows = np.empty((MOST_PAYMENTS, 4), np.int64)
    out[:SEATS] = 0
    for k in range(write_payments(state, rows)):
        out[rows[k, 1]] -= rows[k, 3]
        out[rows[k, 2]] += rows[k, 3]


def payments(state: State) -> list[Payment]:
    """Every payment of a finished deal, by kind; of a player with several others, the right-hand neighbour first."""
    rows = np.zeros((MOST_PAYMENTS, 4), np.int64)
    count = write_payments(state, rows)
    return [Payment(*map(int, row)) for row in rows[:count]]


@rule
def write_payments(s: State, rows: Ints) -> int:
    """Write each ``Payment`` as a row of an int64 array of shape (MOST_PAYMENTS, 4); how many there are."""
    if s.declared != 0:
        return pay_declarers(s, rows)
    if s.refuser != NOBODY:
        return pay_refuser(s, rows)
    return pay_for_accuser(s, rows, pay_knocker(s, rows, settle_with_dealer(s, rows)))


@rule
def pay(rows: Ints, n: int, kind: int, payer: int, receiver: int, amount: int) -> int:
    """One payment more; how many there are then."""
    rows[n, 0], rows[n, 1], rows[n, 2], rows[n, 3] = kind, payer, receiver, amount
    return n + 1


@rule
def all_tricks_stake(s: State) -> int:
    """MD-13, MD-15: from each of the others to a declarer; half of it where several share."""
    shared = s.double_extraordinary == DoubleExtraordinary.SPLIT and bits.size(s.declared) > 1
    return UNIT * s.all_tricks_stakes // (2 if shared else 1)


@rule
def pay_declarers(s: State, rows: Ints) -> int:
    """MD-12, MD-13, MD-15: to each the stake for all tricks, and the congratulation from all without the Hundred."""
    n = 0
    for declarer in range(SEATS):
        if bits.has(s.declared, declarer):
            congratulated = congratulation(s, cards_known(s, declarer))
            for k in range(1, SEATS):
                payer = (declarer + k) % SEATS
                amount = all_tricks_stake(s) + (0 if held_hundred(s, payer) else congratulated)
                n = pay(rows, n, PaymentKind.DECLARATION, payer, declarer, amount)
    return n


@rule
def refuses_lowest(s: State) -> bool:
    """MD-18: whether the four lowest have refused."""
    return bits.inside(cards.FOUR_LOWEST, cards_known(s, s.refuser))


@rule
def pay_refuser(s: State, rows: Ints) -> int:
    """MD-18: the four lowest are paid for by everybody, other kinds by nobody."""
    n = 0
    if refuses_lowest(s):
        for k in range(1, SEATS):
            n = pay(rows, n, PaymentKind.REFUSAL, (s.refuser + k) % SEATS, s.refuser, UNIT * s.refusal_stakes)
    return n


@rule
def settle_with_dealer(s: State, rows: Ints) -> int:
    """MD-44: each of the others receives from the dealer what their value is more."""
    n, dealers = 0, value(s, s.dealer)
    for k in range(1, SEATS):
        seat = (s.dealer + k) % SEATS
        n = pay(rows, n, PaymentKind.SETTLEMENT, s.dealer, seat, value(s, seat) - dealers)
    return n


@rule
def pay_knocker(s: State, rows: Ints, n: int) -> int:
    """MD-44 with knock: 敲門, a non-dealer's great live Hundred is paid by the other non-dealers too."""
    for seat in range(SEATS):
        if s.knock and seat != s.dealer and has_great_live(s, seat):
            for k in range(1, SEATS):
                other = (seat + k) % SEATS
                if other != s.dealer:
                    n = pay(rows, n, PaymentKind.KNOCK, other, seat, UNIT * s.knock_stakes)
    return n


@rule
def accused(s: State) -> int:
    """MD-45: who pays because the accuser is the top of a suit whose second they have on the table; −1 for nobody."""
    for suit in range(SUITS):
        if s.accuser_card == TOPS[suit]:
            for seat in range(SEATS):
                if is_home(s, seat) and bits.has(s.won[seat], SECONDS[suit]):
                    return seat
    return NOBODY


@rule
def pay_for_accuser(s: State, rows: Ints, n: int) -> int:
    """MD-45: a stake to each of the three others."""
    payer = accused(s)
    for k in range(1, SEATS if payer != NOBODY else 1):
        n = pay(rows, n, PaymentKind.ACCUSER, payer, (payer + k) % SEATS, UNIT * s.accuser_stakes)
    return n


def bounds(state: State) -> Bounds:
    """MD-11 to MD-13, MD-29 to MD-45: the sum of all lines, paid by each of the others, or to each of them."""
    strikers = bits.size(FEMALE_STRIKERS)
    strike = max(state.dead_hundred_strike, state.small_live_strike, state.great_live_strike)
    hundred = max(state.dead_hundred, state.small_live, state.great_live) + strikers * strike
    sets = state.three_opened + state.four_reds + state.whole_table
    value_stakes = 1 + SUITS * state.tops + sets + strikers * state.small_strike + hundred
    played = value_stakes + 1 + state.knock_stakes + state.accuser_stakes  # and one more than who hangs, at −1
    declared = sum(cards.CONGRATULATIONS) + state.all_tricks_stakes  # more than any hand is worth
    most = (SEATS - 1) * UNIT * int(max(played, declared, state.refusal_stakes))
    return Bounds(least=-most, most=most, actions=2 * SEATS + SEATS * HAND, zero_sum=True)


@rule
def following_dealer(s: State) -> int:
    """MD-5, MD-14, MD-20."""
    seat = bits.wide(s.dealer)
    if s.declared != 0:  # the first going counter-clockwise from the dealer, who comes first
        while not bits.has(s.declared, seat):
            seat = next_seat(s, seat)
        return seat
    if s.refuser != NOBODY:
        stays = s.refusal_redeal == RefusalRedeal.SAME_DEALER
    else:
        stays = s.dealer_stays_on_great_live and has_great_live(s, seat)
    return seat if stays else next_seat(s, seat)


@implements(verbs.next_deal, State)
def next_deal(state: State, following: State) -> None:
    """MD-5, MD-47: totals, the next dealer, whether the session is over."""
    hand_on(state, following)
    following.dealer = following_dealer(state)
    following.leads_first = NOBODY
    following.finished = following.deals >= following.session_deals
