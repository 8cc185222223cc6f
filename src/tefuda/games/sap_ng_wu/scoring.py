"""Sap Ng Wu: fu, four of a kind, levels, what a deal pays, and what one deal hands to the next."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tefuda.engine import bits, verbs
from tefuda.engine.description import Bounds
from tefuda.engine.raw import copy
from tefuda.engine.verbs import implements, rule
from tefuda.games.sap_ng_wu.plays import COMBINATIONS, EIGHT, LAYS, PART_COUNT, PART_FACE, SIZE, SUPREME_LEADS
from tefuda.games.sap_ng_wu.state import (
    ALL_PLAYED,
    CARDS,
    COPIES,
    EIGHT_SCORE_16,
    FACES,
    ONE_PLAY,
    OVER,
    RETURNED,
    STATE,
)

FIRST_LEVEL_FU = 15
FU_A_LEVEL = 3
MOST_LEVEL = 5
EIGHT_FU = 16


def pack(state: Any) -> NDArray[np.int64]:
    """The card numbers of the pack: each face four times."""
    return np.repeat(np.arange(FACES, dtype=np.int64), COPIES)


# Fu


@rule
def level(fu: int) -> int:
    """SN-28: counters from each other player; 0: too few fu to stop."""
    fu = bits.wide(fu)
    return 0 if fu < FIRST_LEVEL_FU else min(MOST_LEVEL, (fu - FIRST_LEVEL_FU) // FU_A_LEVEL + 1)


@rule
def may_stop(s: Any, seat: int) -> bool:
    """SN-27, SN-30: enough fu, and a level above the one declined at; only right after winning (SN-8: laying)."""
    return level(s.fu[seat]) > s.declined[seat]


@rule
def score_laid(s: Any, seat: int, action: int) -> None:
    """SN-6, SN-7: one fu a card, 16 for all eight; SN-21 for what they complete."""
    eight = action == LAYS + EIGHT
    s.fu[seat] += EIGHT_FU if eight else SIZE[action]
    if not eight or s.supreme8_quad_bonus == 1:
        pay_quads(s, seat, action)


@rule
def score_play(s: Any, seat: int, action: int) -> None:
    """score_mode = all_played: fu for cards put down, whether they win or not."""
    if s.score_mode == ALL_PLAYED:
        s.fu[seat] += play_fu(s, action)


@rule
def score_win(s: Any, seat: int, action: int) -> None:
    """SN-19, SN-21: fu for the cards of the last play, already among his won cards, and fours of a kind."""
    if s.score_mode != ALL_PLAYED:
        s.fu[seat] += play_fu(s, action)
    pay_quads(s, seat, action)


@rule
def play_fu(s: Any, action: int) -> int:
    """SN-19: one a card; supreme8_in_play = 16: a supreme lead of all eight is worth 16."""
    if action == SUPREME_LEADS + EIGHT and s.supreme8_in_play == EIGHT_SCORE_16:
        return EIGHT_FU
    return SIZE[action]


# Four of a kind


@rule
def pay_quads(s: Any, seat: int, action: int) -> None:
    """SN-21: each four of a kind that the cards of this action, just added to the others, complete."""
    if s.quad_bonus == 0:
        return
    if s.quad_rule == ONE_PLAY:
        s.quads[seat] += 1 if is_quad_set(action) else 0
        return
    for k in range(PART_COUNT[action]):
        face = PART_FACE[action, k]
        if s.won[seat, face] + s.laid[seat, face] == COPIES:
            s.quads[seat] += 1


@rule
def is_quad_set(action: int) -> bool:
    """Whether it is a set of four."""
    return action < COMBINATIONS and action % COPIES == COPIES - 1


# Payment


@implements(verbs.payoff, STATE)
def payoff(state: Any, out: Any) -> None:
    """SN-21, SN-28, SN-31 to SN-33: counters that each has received and paid in this deal so far."""
    for seat in range(state.seats):
        out[seat] = 0
    for seat in range(state.seats):
        each = 0 if is_returned(state) else bits.wide(state.quads[seat])
        if seat == state.stopper:
            each += level(state.fu[seat])
        for other in range(state.seats):
            out[other] -= each
        out[seat] += each * state.seats


@rule
def is_returned(s: Any) -> bool:
    """quad_in_draw = returned: what was paid for four of a kind goes back when the deal is drawn."""
    return s.quad_in_draw == RETURNED and s.phase == OVER and s.stopper < 0


def bounds(state: Any) -> Bounds:
    """SN-20, SN-21, SN-28: fours of a kind of a hand and the highest level; every play of one card, all passing."""
    others = int(state.seats) - 1
    hand = CARDS // int(state.seats)
    plays = CARDS * (2 + others) + 2 * int(state.seats)  # each with passes and an answer; first what is laid
    return Bounds(-(FACES + MOST_LEVEL), (hand // COPIES + MOST_LEVEL) * others, plays, zero_sum=True)


# From one deal to the next


@implements(verbs.next_deal, STATE)
def next_deal(state: Any, following: Any) -> None:
    """SN-3, SN-32, SN-34: counters, the next dealer, the end; the cards of the old deal are left to ``deal``."""
    copy(state, following)
    paid = np.zeros(state.seats, np.int64)
    payoff(state, paid)
    for seat in range(state.seats):
        following.totals[seat] += paid[seat]
    if state.stopper >= 0:
        following.dealer = state.stopper
    following.deals += 1
    following.finished = 1 if following.deals >= state.session_deals else 0
