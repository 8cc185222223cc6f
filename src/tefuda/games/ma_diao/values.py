"""Ma Diao: what a player's cards are worth at the end of play: the trick score, and every bonus that applies.

All amounts are half stakes (``UNIT`` of them are a stake). Every function needs only what is public at the end of a
deal, so it gives the same for a view.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

from tefuda.engine import bits
from tefuda.engine.verbs import rule
from tefuda.games.ma_diao import cards
from tefuda.games.ma_diao.cards import FEMALE_STRIKERS, HUNDRED, SECONDS, SUITS, TOPS
from tefuda.games.ma_diao.options import StrikeStacking
from tefuda.games.ma_diao.rules import cards_seen
from tefuda.games.ma_diao.state import SEATS, UNIT, State

HOME_TRICKS = 2
"""Home 正本: so many tricks or more."""

HANGING_TRICKS = 3
"""MD-29: 吊."""


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


STAKES = Bonuses(1, 1, 1, 2, 2, 4, 3, 6, 3, 4, 8)
"""Of each bonus; of a top and of a strike, for each card that counts."""


# What is public of a player


@rule
def tricks_of(s: State, seat: int) -> int:
    """How many tricks this player has won: each by a card of their own."""
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
    """Whether the Hundred was dealt to this player."""
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
    """How often a strike bonus counts for these female strikers: for each of them; strike_stacking=once: once."""
    count = bits.size(strikers)
    return min(1, count) if s.strike_stacking == StrikeStacking.ONCE else count


@rule
def paired_strikers(s: State, seat: int) -> int:
    """The female strikers by which this player's strike bonuses count: those that have won tricks.

    MD-34: of a pair with a dead Hundred one card has to be on the table; if it is the Hundred, strikers in hand count.
    """
    dead = bits.has(s.won[seat], HUNDRED) and not is_home(s, seat)
    return (cards_known(s, seat) if dead else s.won[seat]) & FEMALE_STRIKERS


# The value


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
        tops=UNIT * STAKES.tops * bits.size(won & counting_tops(s)) if home else 0,
        small_strike=UNIT * STAKES.small_strike * strikes(s, won & FEMALE_STRIKERS) if striker else 0,
        dead_hundred=UNIT * STAKES.dead_hundred if dead else 0,
        dead_hundred_strike=UNIT * STAKES.dead_hundred_strike * pairs if dead else 0,
        small_live=UNIT * STAKES.small_live if small else 0,
        small_live_strike=UNIT * STAKES.small_live_strike * pairs if small else 0,
        great_live=UNIT * STAKES.great_live if great else 0,
        great_live_strike=UNIT * STAKES.great_live_strike * pairs if great else 0,
        three_opened=UNIT * STAKES.three_opened if bits.inside(cards.THREE_OPENED, won) else 0,
        four_reds=UNIT * STAKES.four_reds if bits.inside(cards.FOUR_REDS, won) else 0,
        whole_table=UNIT * STAKES.whole_table if s.first_seven == seat else 0,
    )


@rule
def value(s: State, seat: int) -> int:
    """MD-43: the trick score and every bonus that applies."""
    total = trick_score(s, seat)
    for amount in bonuses(s, seat):
        total += amount
    return total


@rule
def standings(s: State, out: Any) -> None:
    """MD-29 to MD-42: of each seat the tricks, then each bonus as things stand; ``out`` has a row for each seat."""
    for seat in range(SEATS):
        out[seat, 0] = tricks_of(s, seat)
        for k, amount in enumerate(bonuses(s, seat)):
            out[seat, 1 + k] = amount


# For people


def bonuses_by_name(amounts: Iterable[int]) -> dict[str, int]:
    """MD-31 to MD-41: those of these bonuses that bring something."""
    return {name: int(amount) for name, amount in zip(Bonuses._fields, amounts, strict=True) if amount}


def in_stakes(half_stakes: int) -> int | float:
    """MD-2: an amount as people count it."""
    return half_stakes / UNIT if half_stakes % UNIT else half_stakes // UNIT
