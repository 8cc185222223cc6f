"""Luk Fu: what plays of several cards are called, and what a player should know of a card."""

from tefuda.engine import bits
from tefuda.engine.notation import is_declaration
from tefuda.engine.sentence import Sentence
from tefuda.games.luk_fu.cards import ALWAYS_OLD, CARD_WORDS, FIVE_TIGERS, RANKS, RED_CARDS, SPECIAL, SUITS
from tefuda.games.luk_fu.combinations import is_run, is_tigers
from tefuda.games.luk_fu.notation import DOWN, split
from tefuda.games.luk_fu.state import State

SUIT_TEXTS = ("scene.cash", "scene.strings", "scene.kwan", "scene.tens")


def combination(word: str) -> str:
    """LF-14, LF-45: a triple, a quad, a sequence or the five tigers; what is thrown face down has no name."""
    if "+" not in word or is_declaration(word) or word.startswith(DOWN):
        return ""
    cards = split(word)[1]
    count = bits.size(cards)
    if is_tigers(cards, count):
        return "scene.tigers"
    if bits.has(cards, SPECIAL) or not is_run(cards):
        return "combinations.triple" if count < SUITS else "combinations.quad"
    return f"combinations.run_{count}"


def card_lines(state: State, word: str) -> list[Sentence]:
    """LF-18, LF-22, LF-33, LF-45, LF-49: where a card ranks, whether it is always old, a tiger, or red."""
    card = CARD_WORDS.index(word)
    lines = []
    if card != SPECIAL:
        place = {"place": str(RANKS - card % RANKS), "count": str(RANKS)}
        lines.append(Sentence("cards.rank", {"suit": f"@{SUIT_TEXTS[card // RANKS]}", **place}))
        lines.append(Sentence("cards.suit", {"place": str(SUITS - card // RANKS), "count": str(SUITS)}))
    if bits.has(ALWAYS_OLD, card):
        lines.append(Sentence("cards.always_old"))
    if bits.has(FIVE_TIGERS, card):
        lines.append(Sentence("cards.tiger"))
    if state.red_bonus and bits.has(RED_CARDS, card):
        lines.append(Sentence("cards.red"))
    return lines
