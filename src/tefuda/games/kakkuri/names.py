"""Kakkuri: what plays of several cards are called, and what a player should know of a card."""

from typing import Any

from tefuda.engine import bits
from tefuda.engine.description import Sentence
from tefuda.games.kakkuri.plays import PAIR, SANBON
from tefuda.games.kakkuri.state import (
    CARD_WORDS,
    CLUB_THREE,
    KING,
    MOST_SEATS,
    RANK_LETTERS,
    RANKS,
    SUITS,
    TWO,
    UTAZU_CARDS,
    WILDS,
)

_GROUPS = {PAIR: "combinations.pair", SANBON: "combinations.sanbon"}


def combination(word: str) -> str:
    """KK-26, KK-32, KK-40: two or three cards of a rank, their own or one that they stand for."""
    cards = word.split("+")
    return _GROUPS.get(len(cards), "") if len({card[-1:] for card in cards}) == 1 else ""


def card_lines(state: Any, word: str) -> list[Sentence]:
    """KK-14, KK-22, KK-30, KK-34, KK-40: where a card stands in the order, and what else it can do."""
    card = CARD_WORDS.index(word)
    rank = card // SUITS
    lines = [Sentence("cards.order", {"place": str(rank + 1), "count": str(RANKS)})]
    if rank == KING:
        lines.append(Sentence("cards.king"))
    else:
        following = RANK_LETTERS[rank : rank + 2] if rank <= TWO else RANK_LETTERS[rank + 1]
        lines.append(Sentence("cards.follows", {"ranks": " ".join(following)}))
    if bits.has(WILDS, card):
        lines.append(Sentence("cards.wild"))
    if bits.has(UTAZU_CARDS, card):
        lines.append(Sentence("cards.utazu"))
    if card == CLUB_THREE and state.seats == MOST_SEATS:
        lines.append(Sentence("scene.tongs"))
    return lines
