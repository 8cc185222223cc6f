"""Gong Zhu: why the rules of thumb make a play, from what they read off the table."""

from typing import Any

from tefuda.engine import bits
from tefuda.engine.kit.french import SPADES, suit_cards, suit_of
from tefuda.engine.notation import is_declaration
from tefuda.engine.sentence import Sentence, advised_declaration
from tefuda.engine.texts import percentage
from tefuda.engine.verbs import rule
from tefuda.games.gong_zhu.cards import PIG
from tefuda.games.gong_zhu.hints import chance_to_win, read
from tefuda.games.gong_zhu.state import State

CODES = ("gives_away", "sweeps", "flushes_pig", "sure", "ducks", "takes")
GIVES_AWAY, SWEEPS, FLUSHES_PIG, SURE, DUCKS, TAKES = range(len(CODES))


def why_advised(view: State, action: int, word: str) -> Sentence:
    """GZ-6, GZ-12, GZ-14, GZ-19."""
    if is_declaration(word):
        nothing = word == "expose:none"
        return Sentence("advice.exposes_nothing") if nothing else advised_declaration(word)
    code, chance = read_reason(view, action)
    return Sentence(f"advice.{CODES[code]}", {"chance": percentage(chance)})


@rule
def read_reason(s: State, card: int) -> Any:
    """What speaks for a card, as one of ``CODES``, and the chance that it takes the trick."""
    r = read(s, bits.wide(s.turn))
    win = chance_to_win(s, r, card)
    if s.trick_size > 0 and suit_of(card) != suit_of(bits.wide(s.best_card)):
        return GIVES_AWAY, win
    if r.sweeping:
        return SWEEPS, win
    can_catch = bits.above(r.hand & suit_cards(SPADES), PIG) != bits.EMPTY
    if s.trick_size == 0 and suit_of(card) == SPADES and bits.has(r.out, PIG) and not can_catch:
        return FLUSHES_PIG, win
    if win == 1.0:
        return SURE, win
    return (DUCKS if win == 0.0 else TAKES), win
