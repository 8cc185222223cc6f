"""Kakkuri: what plays of several cards are called, and what a player should know of a card."""

from tefuda.engine import bits
from tefuda.engine.sentence import Sentence
from tefuda.games.kakkuri import cards
from tefuda.games.kakkuri.plays import PAIR, SANBON
from tefuda.games.kakkuri.state import MOST_SEATS, State

_GROUPS = {PAIR: "combinations.pair", SANBON: "combinations.sanbon"}


def combination(word: str) -> str:
    """KK-26, KK-32, KK-40: two or three cards of a rank, their own or one that they stand for."""
    parts = word.split("+")
    return _GROUPS.get(len(parts), "") if len({part[-1:] for part in parts}) == 1 else ""


def card_lines(state: State, word: str) -> list[Sentence]:
    """KK-14, KK-22, KK-30, KK-34, KK-40: where a card stands in the order, and what else it can do."""
    card = cards.CARD_WORDS.index(word)
    rank = cards.rank_of(card)
    lines = [Sentence("cards.order", {"place": str(rank + 1), "count": str(cards.RANKS)})]
    if rank == cards.KING:
        lines.append(Sentence("cards.king"))
    else:
        following = cards.RANK_LETTERS[rank : rank + 2] if rank <= cards.TWO else cards.RANK_LETTERS[rank + 1]
        lines.append(Sentence("cards.follows", {"ranks": " ".join(following)}))
    if bits.has(cards.WILDS, card):
        lines.append(Sentence("cards.wild"))
    if bits.has(cards.UTAZU_CARDS, card):
        lines.append(Sentence("cards.utazu"))
    if card == cards.CLUB_THREE and state.seats == MOST_SEATS:
        lines.append(Sentence("scene.tongs"))
    return lines
