"""Leduc poker: why a play is refused."""

from leduc_poker.rules import to_pay
from leduc_poker.state import ACTION_WORDS, BET, CHECK, FOLD, RAISE, Phase, State
from tefuda.engine.kit.defaults import notation
from tefuda.engine.kit.words import out_of_turn
from tefuda.engine.sentence import Refusal


def why_not(state: State, seat: int, word: str) -> Refusal | None:
    """The reason why this seat may not make this play, or None if it may; a word that is no play is a NotationError."""
    action = notation(ACTION_WORDS).actions(state, word)[0]
    if state.phase == Phase.OVER:
        return Refusal("LP-8", "deal_over")
    if refusal := out_of_turn(state, seat, "LP-3"):
        return refusal
    faces_bet = to_pay(state) > 0
    if faces_bet and action in (CHECK, BET):
        answers = ("call", "raise", "fold") if state.raises < state.most_raises else ("call", "fold")
        return Refusal("LP-4", "there_is_a_bet", {"chips": str(to_pay(state))}, answers)
    if not faces_bet and action not in (CHECK, BET):
        return Refusal("LP-6" if action == FOLD else "LP-4", "there_is_no_bet")
    if action in (BET, RAISE) and state.raises >= state.most_raises:
        return Refusal("LP-5", "raised_enough", {"count": str(state.most_raises)})
    return None
