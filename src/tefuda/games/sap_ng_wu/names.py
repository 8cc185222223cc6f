"""Sap Ng Wu: what plays of several cards are called, and what a player should know of a card."""

from functools import lru_cache

from tefuda.engine.notation import is_declaration
from tefuda.engine.sentence import Sentence
from tefuda.games.sap_ng_wu.cards import (
    COMBINATION_TEXTS,
    COMBINATION_WORDS,
    COPIES,
    SUIT_TEXTS,
    SUIT_WORDS,
    SUPREME_WORDS,
)
from tefuda.games.sap_ng_wu.state import State


@lru_cache(1024)  # of each play that is legal, at each play
def combination(word: str) -> str:
    """SN-11: a set, a combination or a supreme lead."""
    if "+" not in word or is_declaration(word):
        return ""
    cards = word.split("+")
    if len(set(cards)) == 1:
        return f"combinations.set_{len(cards)}"
    if set(cards) == set(SUPREME_WORDS):
        return "scene.supreme"
    return next(
        (text for text, words in zip(COMBINATION_TEXTS, COMBINATION_WORDS, strict=True) if set(cards) <= set(words)), ""
    )


def card_lines(state: State, word: str) -> list[Sentence]:
    """SN-3 to SN-6, SN-11: where a card ranks, and the combination that it belongs to."""
    suit, words = next((suit, words) for suit, words in enumerate(SUIT_WORDS) if word in words)
    place = {"place": str(words.index(word) + 1), "count": str(len(words))}
    lines = [Sentence("cards.rank", {"suit": f"@{SUIT_TEXTS[suit]}", "copies": str(COPIES), **place})]
    for text, cards in zip(COMBINATION_TEXTS, COMBINATION_WORDS, strict=True):
        if word in cards:
            lines.append(Sentence("cards.combination", {"combination": f"@{text}", "cards": " ".join(cards)}))
    if word in SUPREME_WORDS:
        lines.append(Sentence("cards.supreme", {"cards": " ".join(SUPREME_WORDS)}))
    return lines
