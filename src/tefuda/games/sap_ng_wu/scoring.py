"""Sap Ng Wu: fu, four of a kind, levels, what a deal pays, and what one deal hands to the next."""

import numpy as np
from numpy.typing import NDArray

from tefuda.engine.kit import Bounds, Ints, bits, hand_on, implements, rule, verbs
from tefuda.games.sap_ng_wu import plays
from tefuda.games.sap_ng_wu.plays import CARDS, COPIES, EIGHT, FACES, FULL_TABLE, LAYS, MINIATURE_COPIES, SIZE
from tefuda.games.sap_ng_wu.state import Phase, QuadInDraw, QuadRule, ScoreMode, State, SupremeEight

MINIATURE_FIRST_LEVEL_FU, MINIATURE_FU_A_LEVEL = 2, 1
EIGHT_PLAYED_FU = 16  # SN-19: with supreme8_in_play = 16


def pack(state: State) -> NDArray[np.int64]:
    """The card numbers of the pack, ascending, each as often as it exists."""
    return np.repeat(np.arange(FACES, dtype=np.int64), [copies_of(state, face) for face in range(FACES)])


@rule
def copies_of(s: State, face: int) -> int:
    """SN-4: each face exists four times; in the miniature fewer times, or not at all."""
    return MINIATURE_COPIES[face] if s.seats < FULL_TABLE else COPIES


@rule
def hand_size(s: State) -> int:
    """SN-4: how many cards each draws: all of them in equal parts; in the miniature some lie aside."""
    return plays.MINIATURE_HAND if s.seats < FULL_TABLE else CARDS // s.seats


@rule
def fu_of_level(s: State, step: int) -> int:
    """SN-28: the fewest fu of a level from 1 on; in the miniature, with fewer cards to win, fewer."""
    if s.seats < FULL_TABLE:
        return MINIATURE_FIRST_LEVEL_FU + MINIATURE_FU_A_LEVEL * (step - 1)
    return s.fu_to_stop + s.fu_a_level * (step - 1)


@rule
def level(s: State, fu: int) -> int:
    """SN-28: counters from each other player; 0: too few fu to stop."""
    first = fu_of_level(s, 1)
    above = bits.wide(fu) - first
    return 0 if above < 0 else min(s.highest_level, above // (fu_of_level(s, 2) - first) + 1)


@rule
def may_stop(s: State, seat: int) -> bool:
    """SN-27, SN-30: enough fu, and a level above the one declined at; only right after winning (SN-8: laying).

    With score_mode = shed right after putting down cards, too."""
    return level(s, s.fu[seat]) > s.declined[seat]


@rule
def score_laid(s: State, seat: int, action: int) -> None:
    """SN-6, SN-7: one fu a card, usually 16 for all eight; SN-21 for what they complete."""
    eight = action == LAYS + EIGHT
    s.fu[seat] += s.eight_laid if eight else SIZE[action]
    if not eight or s.supreme8_quad_bonus:
        count_quads(s, seat, action)


@rule
def winning_fu(s: State, action: int) -> int:
    """SN-19: fu of a play if it wins the contest; none where cards score when they are put down."""
    return play_fu(s, action) if s.score_mode == ScoreMode.LAST_PLAY else 0


@rule
def play_fu(s: State, action: int) -> int:
    """SN-19: one a card; supreme8_in_play = 16: a supreme lead of all eight is worth 16."""
    if action == plays.SUPREME_LEADS + EIGHT and s.supreme8_in_play == SupremeEight.SIXTEEN:
        return EIGHT_PLAYED_FU
    return SIZE[action]


@rule
def count_quads(s: State, seat: int, action: int) -> None:
    """SN-21: each four of a kind that the cards of this action, just added to the others, complete."""
    if not s.quad_bonus:
        return
    if s.quad_rule == QuadRule.ONE_PLAY:
        s.quads[seat] += 1 if action < plays.COMBINATIONS and action % COPIES == COPIES - 1 else 0
        return
    for k in range(plays.PART_COUNT[action]):
        face = plays.PART_FACE[action, k]
        if s.won[seat, face] + s.laid[seat, face] == COPIES:
            s.quads[seat] += 1


@implements(verbs.payoff, State)
def payoff(state: State, out: Ints) -> None:
    """SN-21, SN-28, SN-31 to SN-33: counters that each has received and paid in this deal so far."""
    out[: state.seats] = 0
    for seat in range(state.seats):
        each = stop_payment(state, seat) + (0 if is_returned(state) else state.quad * state.quads[seat])
        for other in range(state.seats):
            out[other] -= each
        out[seat] += each * state.seats


@rule
def stop_payment(s: State, seat: int) -> int:
    """SN-28, SN-31: what each of the others pays this seat for stopping."""
    return level(s, s.fu[seat]) if seat == s.stopper else 0


@rule
def is_returned(s: State) -> bool:
    """quad_in_draw = returned: what was paid for four of a kind goes back when the deal is drawn."""
    return s.quad_in_draw == QuadInDraw.RETURNED and s.phase == Phase.OVER and s.stopper < 0


def bounds(state: State) -> Bounds:
    """SN-20, SN-21, SN-28: fours of a kind of a hand and the highest level; every play of one card, all passing."""
    seats, hand = int(state.seats), int(hand_size(state))
    others = seats - 1
    plays = seats * hand * (2 + others) + 2 * seats  # each with passes and an answer; first what is laid
    quad, highest = int(state.quad), int(state.highest_level)
    return Bounds(-(FACES * quad + highest), (hand // COPIES * quad + highest) * others, plays, zero_sum=True)


@implements(verbs.next_deal, State)
def next_deal(state: State, following: State) -> None:
    """SN-3, SN-32, SN-34: counters, the next dealer, the end."""
    hand_on(state, following)
    if state.stopper >= 0:
        following.dealer = state.stopper
    following.finished = following.deals >= following.session_deals
