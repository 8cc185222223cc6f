"""Leduc poker: dealing, whose turn it is, what may be done and what it does."""

from leduc_poker.state import ANTE, BET, BETS, CALL, CHECK, FOLD, RAISE, Phase, State
from tefuda.engine import bits, verbs
from tefuda.engine.kit import NOBODY, Ints, next_seat
from tefuda.engine.verbs import implements, rule


@implements(verbs.deal, State)
def deal(state: State, deck: Ints) -> None:
    """LP-2: one card each, one face down in the middle; LP-3: an ante each."""
    for seat in range(state.seats):
        state.hands[seat] = bits.only(deck[seat])
        state.held[seat] = 1
        state.shown[seat] = bits.EMPTY
        state.stakes[seat] = ANTE
    state.hidden, state.board = deck[2], NOBODY
    state.undealt = bits.only(deck[3]) | bits.only(deck[4]) | bits.only(deck[5])
    state.street = state.raises = 0
    state.folded = NOBODY
    state.phase, state.turn = Phase.BETTING, state.first


@implements(verbs.mover, State)
def mover(state: State) -> int:
    """LP-3."""
    return NOBODY if state.phase == Phase.OVER else state.turn


@rule
def to_pay(s: State) -> int:
    """LP-4: chips by which the seat on turn is behind."""
    return s.stakes[next_seat(s, s.turn)] - s.stakes[s.turn]


@implements(verbs.legal, State)
def legal(state: State, out: Ints) -> int:
    """LP-4 to LP-6, in the order of the actions' numbers."""
    faces_bet = to_pay(state) > 0
    n = 0
    if faces_bet:
        out[n] = FOLD
        n += 1
    out[n] = CALL if faces_bet else CHECK
    n += 1
    if state.raises < state.most_raises:
        out[n] = RAISE if faces_bet else BET
        n += 1
    return n


@implements(verbs.apply, State)
def apply(state: State, action: int) -> None:
    """LP-4 to LP-8."""
    seat = state.turn
    if action == FOLD:
        state.folded = seat
        state.phase = Phase.OVER
        return
    state.stakes[seat] += to_pay(state)
    state.turn = next_seat(state, seat)
    if action in (BET, RAISE):
        state.stakes[seat] += BETS[state.street]
        state.raises += 1
    elif action == CALL or seat != state.first:  # LP-7
        end_round(state)


@rule
def end_round(s: State) -> None:
    """LP-7: the card in the middle is turned up, or the hands are shown."""
    if s.street == 0:
        s.board = s.hidden
        s.street, s.raises, s.turn = 1, 0, s.first
        return
    for seat in range(s.seats):
        s.shown[seat] = s.hands[seat]
    s.phase = Phase.OVER
