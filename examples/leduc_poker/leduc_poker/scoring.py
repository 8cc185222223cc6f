"""Leduc poker: who wins the pot, and what follows a deal."""

import numpy as np

from leduc_poker.state import ANTE, BETS, CARDS, RANKS, State
from tefuda.engine import bits, verbs
from tefuda.engine.description import Bounds
from tefuda.engine.kit import NOBODY, Ints, hand_on, next_seat
from tefuda.engine.verbs import implements, rule


def pack(state: State) -> Ints:
    """LP-1: the six cards."""
    return np.arange(CARDS)


@rule
def strength(s: State, seat: int) -> int:
    """LP-8: the rank, and more than any rank for a pair with the card in the middle."""
    rank: int = bits.lowest(s.hands[seat]) % RANKS
    return rank + RANKS if s.board != NOBODY and rank == s.board % RANKS else rank


@rule
def winner(s: State) -> int:
    """LP-6, LP-8: the seat that takes the pot; nobody if it is shared."""
    if s.folded != NOBODY:
        return next_seat(s, s.folded)
    if strength(s, 0) == strength(s, 1):
        return NOBODY
    return 0 if strength(s, 0) > strength(s, 1) else 1


@implements(verbs.payoff, State)
def payoff(state: State, out: Ints) -> None:
    """LP-9: what the other has put in."""
    taker = winner(state)
    for seat in range(state.seats):
        if taker == NOBODY:
            out[seat] = 0
        else:
            out[seat] = state.stakes[next_seat(state, seat)] if seat == taker else -state.stakes[seat]


@implements(verbs.next_deal, State)
def next_deal(state: State, following: State) -> None:
    """LP-3: the other acts first; players go on as long as they like."""
    hand_on(state, following)
    following.first = next_seat(state, state.first)


def bounds(state: State) -> Bounds:
    """LP-3 to LP-5: an ante and every bet and raise in both rounds; a check before them, a call after them."""
    most = ANTE + int(state.most_raises) * sum(BETS)
    return Bounds(-most, most, actions=len(BETS) * (int(state.most_raises) + 2), zero_sum=True)
