"""Gong Zhu: how plays are written: ``SQ``, ``expose:SQ+HA``, ``expose:none``."""

from tefuda.engine.bits import has
from tefuda.engine.notation import OneActionNotation
from tefuda.games.gong_zhu.cards import CARD_WORDS, EXPOSABLE
from tefuda.games.gong_zhu.rules import exposure_cards
from tefuda.games.gong_zhu.state import ACTIONS, EXPOSE


def exposure_word(cards: int) -> str:
    """The declaration that exposes these cards, the pig first, as in EXPOSABLE."""
    return "expose:" + ("+".join(CARD_WORDS[card] for card in EXPOSABLE if has(cards, card)) or "none")


NOTATION = OneActionNotation(
    CARD_WORDS + tuple(exposure_word(exposure_cards(action)) for action in range(EXPOSE, ACTIONS)),
    example="a card such as SQ or C10; before play expose:SQ+HA or expose:none",
    cards=CARD_WORDS,
)
