"""Least: why a play is refused."""

from tefuda.engine import bits
from tefuda.engine.kit.defaults import notation
from tefuda.engine.kit.words import legal_words, out_of_turn
from tefuda.engine.sentence import Refusal
from tests.contract.least.state import ACTION_WORDS, Phase, State


def why_not(state: State, seat: int, word: str) -> Refusal | None:
    """The reason why this seat may not play this card, or None if it may; a word that is no card is a NotationError."""
    card = notation(ACTION_WORDS).actions(state, word)[0]
    if state.phase == Phase.OVER:
        return Refusal("LE-5", "deal_over")
    if refusal := out_of_turn(state, seat, "LE-3"):
        return refusal
    legal = legal_words(state, ACTION_WORDS)
    if not bits.has(state.hands[seat], card):
        return Refusal("LE-2", "not_held", {"card": ACTION_WORDS[card]}, legal)
    return None if ACTION_WORDS[card] in legal else Refusal("LE-3", "follow", {}, legal)
