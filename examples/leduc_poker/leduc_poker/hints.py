"""Leduc poker: what a careful beginner does."""

from leduc_poker.rules import to_pay
from leduc_poker.scoring import strength
from leduc_poker.state import BET, CALL, CHECK, FOLD, RAISE, RANKS, State
from tefuda.engine import verbs
from tefuda.engine.kit import NOBODY, Rng
from tefuda.engine.verbs import implements

KING = RANKS - 1


@implements(verbs.advise, State)
def advise(state: State, rng: Rng) -> int:
    """Bet and raise with a pair, and with a king before the card in the middle is known; pay to see with a queen."""
    worth, faces_bet = strength(state, state.turn), to_pay(state) > 0
    if worth >= (KING if state.board == NOBODY else RANKS) and state.raises < state.most_raises:
        return RAISE if faces_bet else BET
    if not faces_bet:
        return CHECK
    return CALL if worth >= (1 if state.board == NOBODY else KING) else FOLD
