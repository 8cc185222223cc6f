"""Gong Zhu: what a player should know of a card."""

from tefuda.engine import bits
from tefuda.engine.kit.french import SUIT_CARDS, SUIT_TEXTS, number, suit_of
from tefuda.engine.sentence import Sentence
from tefuda.engine.texts import signed
from tefuda.games.gong_zhu.cards import ALL_HEARTS, EXPOSABLE_CARDS, HEART_ACE, PIG, SHEEP, TRANSFORMER
from tefuda.games.gong_zhu.scoring import (
    LONE_TRANSFORMER_POINTS,
    PIG_POINTS,
    SHEEP_POINTS,
    deck_in_use,
    heart_points,
)
from tefuda.games.gong_zhu.state import State


def card_lines(state: State, word: str) -> list[Sentence]:
    """GZ-2, GZ-6, GZ-17: where a card ranks, what it counts, and whether it may be exposed."""
    card = number(word)
    suit = deck_in_use(state) & SUIT_CARDS[suit_of(card)]
    place = {"place": str(bits.size(bits.above(suit, card)) + 1), "count": str(bits.size(suit))}
    lines = [Sentence("cards.rank", {"suit": f"@{SUIT_TEXTS[suit_of(card)]}", **place}), *_worth(state, card)]
    if state.exposing and bits.has(EXPOSABLE_CARDS, card):
        lines.append(Sentence("cards.exposable_hearts" if card == HEART_ACE else "cards.exposable"))
    return lines


def _worth(state: State, card: int) -> list[Sentence]:
    """GZ-17."""
    if card == TRANSFORMER:
        return [Sentence("cards.transformer", {"points": signed(LONE_TRANSFORMER_POINTS)})]
    points = {PIG: PIG_POINTS, SHEEP: SHEEP_POINTS}.get(card, int(heart_points(state, ALL_HEARTS & bits.only(card))))
    return [Sentence("cards.points", {"points": signed(points)})] if points else []
