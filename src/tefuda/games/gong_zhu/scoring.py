"""Gong Zhu: what a deal pays, how totals add up, who leads next, when the game is over."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tefuda.engine import bits, verbs
from tefuda.engine.description import Bounds
from tefuda.engine.raw import copy
from tefuda.engine.verbs import implements, rule
from tefuda.games.gong_zhu.rules import NOBODY
from tefuda.games.gong_zhu.state import (
    ALL_HEARTS,
    ANY_INDIVIDUAL,
    CARDS,
    CLUB_TWO,
    DIAMOND_TWO,
    EXPOSABLE,
    HEART_ACE,
    HEART_TWO,
    HEARTS,
    PIG,
    PIG_FLIPS_ALL_SCORING,
    PIPS,
    POINT_CARDS,
    RANKS,
    SEED_DECK,
    SHEEP,
    STATE,
    TRANSFORMER,
)

# Points of the hearts, from H2 up to HA.
STANDARD_HEARTS = (0, 0, 0, -10, -10, -10, -10, -10, -10, -20, -30, -40, -50)
PIP_HEARTS = (-2, -3, -10, -5, -6, -7, -8, -9, -10, -20, -30, -40, -50)

PIG_POINTS = -100
SHEEP_POINTS = 100
LONE_TRANSFORMER_POINTS = 50
HEARTS_WITH_TRANSFORMER_POINTS = 300  # GZ-27 a


@rule
def deck_in_use(s: Any) -> int:
    """The 52 cards, less two with five players (GZ-G3)."""
    deck = bits.span(0, CARDS)
    if s.seats == 5:
        deck &= ~(bits.only(CLUB_TWO) | bits.only(HEART_TWO if s.five_deck == SEED_DECK else DIAMOND_TWO))
    return deck


def pack(state: Any) -> NDArray[np.int64]:
    """The card numbers of the deck in use, ascending."""
    return np.array(bits.members_of(deck_in_use(state)), np.int64)


@rule
def heart_points(s: Any, hearts: int) -> int:
    """GZ-17: the sum of the values of these hearts, 0 to −200."""
    points = 0
    while hearts != bits.EMPTY:
        rank = bits.lowest(hearts) - HEARTS * RANKS
        points += PIP_HEARTS[rank] if s.heart_values == PIPS else STANDARD_HEARTS[rank]
        hearts = bits.without_lowest(hearts)
    return points


@rule
def doubled(s: Any, points: int, card: int) -> int:
    """GZ-6: these points, twice over if the card is exposed."""
    return 2 * points if bits.has(s.exposed, card) else points


@rule
def has_all_hearts(s: Any, won: int) -> bool:
    """GZ-19: every heart of the deck in use, in one player's captures."""
    return bits.inside(ALL_HEARTS & deck_in_use(s), won)


@rule
def hearts_part(s: Any, won: int) -> int:
    """GZ-17: hearts with their sign and HA's doubling, before the transformer."""
    points = heart_points(s, won & ALL_HEARTS)
    return doubled(s, -points if has_all_hearts(s, won) else points, HEART_ACE)


@rule
def pig_part(s: Any, won: int) -> int:
    """GZ-17, GZ-20: the pig, plus for the taker of all hearts (pig_flips: of all point cards)."""
    if not bits.has(won, PIG):
        return 0
    if s.pig_flips == PIG_FLIPS_ALL_SCORING:
        flips = bits.inside(POINT_CARDS & deck_in_use(s), won)
    else:
        flips = has_all_hearts(s, won)
    return doubled(s, -PIG_POINTS if flips else PIG_POINTS, PIG)


@rule
def sheep_part(s: Any, won: int) -> int:
    """GZ-17, GZ-20: the sheep, always plus (sheep_flips: minus for the taker of all hearts)."""
    if not bits.has(won, SHEEP):
        return 0
    flips = s.sheep_flips == 1 and has_all_hearts(s, won)
    return doubled(s, -SHEEP_POINTS if flips else SHEEP_POINTS, SHEEP)


@rule
def score(s: Any, won: int) -> int:
    """GZ-17, GZ-18, GZ-21: one player's own score for these captures."""
    others = pig_part(s, won) + sheep_part(s, won)
    if not bits.has(won, TRANSFORMER):
        return hearts_part(s, won) + others
    if won & POINT_CARDS == bits.only(TRANSFORMER):
        return doubled(s, LONE_TRANSFORMER_POINTS, TRANSFORMER)
    factor = doubled(s, 2, TRANSFORMER)
    if s.all_hearts_transformer_300 == 1 and has_all_hearts(s, won):  # GZ-27 a, GZ-G16
        hearts = doubled(s, HEARTS_WITH_TRANSFORMER_POINTS, HEART_ACE)
        return doubled(s, hearts, TRANSFORMER) + factor * others
    return factor * (hearts_part(s, won) + others)


@rule
def partner(seat: int) -> int:
    """GZ-22: the seat opposite, of four."""
    return seat ^ 2


@implements(verbs.payoff, STATE)
def payoff(state: Any, out: Any) -> None:
    """GZ-17, GZ-22: in partnership the team's sum, for both partners."""
    for seat in range(state.seats):
        out[seat] = score(state, state.won[seat])
    if state.partnership == 1:
        for seat in range(2):
            out[seat] += out[partner(seat)]
            out[partner(seat)] = out[seat]


def bounds(state: Any) -> Bounds:
    """GZ-17 to GZ-22: everything of value, each exposed, for one seat or team; GZ-7: every card exposed by itself."""
    exposed = 2 if state.exposing == 1 else 1
    hearts, pig, sheep = -sum(STANDARD_HEARTS), -PIG_POINTS, SHEEP_POINTS
    most = 2 * exposed * exposed * max(hearts + pig + sheep, HEARTS_WITH_TRANSFORMER_POINTS + pig + sheep)
    answers = (len(EXPOSABLE) + 1) * state.seats
    return Bounds(least=-most, most=most, actions=int(answers + CARDS), zero_sum=False)


# From one deal to the next


@rule
def pig_taker(s: Any) -> int:
    """GZ-4: the seat that captured the pig; −1 if nobody has."""
    for seat in range(s.seats):
        if bits.has(s.won[seat], PIG):
            return seat
    return NOBODY


@implements(verbs.next_deal, STATE)
def next_deal(state: Any, following: Any) -> None:
    """GZ-4, GZ-24: totals and the next leader; the cards of the old deal are left for ``deal`` to clear."""
    taker = pig_taker(state)
    copy(state, following)
    for seat in range(state.seats):
        own = score(state, state.won[seat])
        following.own_totals[seat] += own
        following.totals[seat] += own
        if state.partnership == 1:  # GZ-22
            following.totals[seat] += score(state, state.won[partner(seat)])
    following.deals += 1
    if taker != NOBODY:
        following.leads_first = taker
    following.finished = 1 if is_finished(following) else 0


@rule
def is_finished(s: Any) -> bool:
    """GZ-24, GZ-26: somebody is down the target (end_on_plus: or up)."""
    for seat in range(s.seats):
        points = s.own_totals[seat] if s.team_end == ANY_INDIVIDUAL else s.totals[seat]
        if points <= -s.target or (s.end_on_plus == 1 and points >= s.target):
            return True
    return False
