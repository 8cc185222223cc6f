"""Sap Ng Wu: how plays are written: ``34+34``, ``44+34+25``, ``12+24``, ``supreme:12+24``, ``pass``, ``stop``."""

from collections.abc import Mapping

from tefuda.engine.notation import OneActionNotation
from tefuda.games.sap_ng_wu.cards import CARD_WORDS
from tefuda.games.sap_ng_wu.plays import ACTIONS, LAY_NONE, LAYS, ON, PARTS, PASS, STOP

_WORDS: Mapping[int, str] = {LAY_NONE: "supreme:none", PASS: "pass", STOP: "stop", ON: "on"}


def cards_of(action: int) -> list[str]:
    """The cards of a play, in the order in which they are written."""
    return [CARD_WORDS[face] for face, cards in PARTS[action] for _ in range(cards)]


def word_of(action: int) -> str:
    """The word of a play."""
    if action in _WORDS:
        return _WORDS[action]
    return "supreme:" + "+".join(sorted(cards_of(action))) if action >= LAYS else "+".join(cards_of(action))


NOTATION = OneActionNotation(
    tuple(word_of(action) for action in range(ACTIONS)),
    example="cards such as 34, 34+34, 44+34+25 or 12+24; pass, stop or on; before play supreme:12+24 or supreme:none",
    cards=CARD_WORDS,
)
