"""Kakkuri: what a deal pays, who deals next, when the session is over."""

from tefuda.engine.kit import NOBODY, Bounds, Ints, bits, hand_on, implements, rule, verbs
from tefuda.games.kakkuri.state import HAND, Bankruptcy, Ending, Phase, State


@rule
def pot(s: State) -> int:
    """KK-18, KK-20: counters in the middle: one of each dropped player, until the deal is settled."""
    return 0 if s.phase == Phase.OVER else bits.size(s.dropped)


@rule
def payment(s: State, seat: int) -> int:
    """KK-50: what a seat pays the winner, its counter in the pot included."""
    if s.result == Ending.UTAZU:
        return s.utazu
    if seat == s.forced_out:
        return bits.wide(s.forced_out_pays) if s.result == Ending.OUT else 0
    if bits.has(s.dropped, seat):
        return 0 if s.result == Ending.GURI and not s.guri_takes_pot else 1
    return s.guri if s.result == Ending.GURI else 1


@implements(verbs.payoff, State)
def payoff(state: State, out: Ints) -> None:
    """KK-50, KK-52, KK-54: counters won and lost; none before the deal is settled, and none if it is void."""
    winner = bits.wide(state.winner) if state.phase == Phase.OVER else NOBODY
    out[: state.seats] = 0
    if winner == NOBODY:
        return
    for seat in range(state.seats):
        if seat != winner:
            counters = payment(state, seat)
            out[seat] -= counters
            out[winner] += counters


def bounds(state: State) -> Bounds:
    """KK-50: the most an ending brings from each; KK-54: before every card of a hand all the turns but the last."""
    seats = int(state.seats)
    before_play = (5 + seats) * seats  # the deal ceded, hands exchanged, C3, dropping before and after first turns
    a_turn = 3 + seats * seats  # sanzoku, raising, ending; each asked about returning, and the others about each
    turns = int(state.stalemate_turns) * (HAND * seats + 1)
    each = int(max(state.utazu, state.guri, 1))
    return Bounds(-each, each * (seats - 1), before_play + turns * a_turn + 2 * seats, zero_sum=True)


@implements(verbs.next_deal, State)
def next_deal(state: State, following: State) -> None:
    """KK-6, KK-53, KK-54: counters, the next dealer, the end; the cards of the old deal are left to ``deal``."""
    hand_on(state, following)
    if state.winner != NOBODY:
        following.dealer = state.winner
    following.coming[:] = 0
    ends_bankrupt = state.bankruptcy == Bankruptcy.END_SESSION and following.totals[: state.seats].min() < 0
    following.finished = ends_bankrupt or following.deals >= state.session_deals
