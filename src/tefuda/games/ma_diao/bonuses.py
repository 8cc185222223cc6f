"""Ma Diao: the bonuses by name, in the order of the rules, for the table and the score sheet."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from tefuda.engine import bits
from tefuda.games.ma_diao import scoring
from tefuda.games.ma_diao.state import FEMALE_STRIKERS, HUNDRED


class Bonus(NamedTuple):
    """A bonus that a player has.

    Attributes:
        name: key of its texts.
        amount: in half stakes.
        cards: the set of those that it counts by; empty where the name says it all.
    """

    name: str
    amount: int
    cards: int


def bonuses(s: Any, seat: int) -> Iterator[Bonus]:
    """MD-31 to MD-41: what this player's cards bring as things stand, as far as the state or view tells."""
    for name, amount_of, cards_of in _BONUSES:
        amount = int(amount_of(s, seat))
        if amount:
            yield Bonus(name, amount, cards_of(s, seat))


def _tops(s: Any, seat: int) -> int:
    return int(s.won[seat] & scoring.counting_tops(s))


def _strikers(s: Any, seat: int) -> int:
    """Those that have won tricks; MD-34: where only a dead Hundred has, those that were dealt with it."""
    dead = bits.has(s.won[seat], HUNDRED) and not scoring.is_home(s, seat)
    return int((scoring.cards_known(s, seat) if dead else s.won[seat]) & FEMALE_STRIKERS)


def _none(s: Any, seat: int) -> int:
    return bits.EMPTY


_Count = Callable[[Any, int], int]
_BONUSES: tuple[tuple[str, _Count, _Count], ...] = (
    ("tops", scoring.tops, _tops),
    ("small_strike", scoring.small_strike, _strikers),
    ("dead_hundred", scoring.dead_hundred, _none),
    ("dead_hundred_strike", scoring.dead_hundred_strike, _strikers),
    ("small_live", scoring.small_live, _none),
    ("small_live_strike", scoring.small_live_strike, _strikers),
    ("great_live", scoring.great_live, _none),
    ("great_live_strike", scoring.great_live_strike, _strikers),
    ("three_opened", scoring.three_opened, _none),
    ("four_reds", scoring.four_reds, _none),
    ("whole_table", scoring.whole_table, _none),
)
