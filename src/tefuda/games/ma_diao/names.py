"""Ma Diao: what a player should know of a card."""

from typing import Any

from tefuda.engine import bits
from tefuda.engine.description import Sentence
from tefuda.games.ma_diao import scoring
from tefuda.games.ma_diao.state import (
    CARD_WORDS,
    FEMALE_STRIKERS,
    FOUR_REDS,
    HUNDRED,
    MALE_STRIKER,
    SECONDS,
    SUIT_CARDS,
    SUIT_OF,
    THREE_OPENED,
    TOPS,
)

SUIT_TEXTS = ("scene.tens", "scene.myriads", "scene.strings", "scene.cash")


def card_lines(state: Any, word: str) -> list[Sentence]:
    """MD-24, MD-31 to MD-40: where a card ranks, and the bonuses that it may bring."""
    card = CARD_WORDS.index(word)
    suit = SUIT_CARDS[SUIT_OF[card]]
    place = {"place": str(bits.size(bits.above(suit, card)) + 1), "count": str(bits.size(suit))}
    return [
        Sentence("cards.rank", {"suit": f"@{SUIT_TEXTS[SUIT_OF[card]]}", **place}),
        *(Sentence(code, fields) for code, applies, fields in _roles(card) if applies),
    ]


def _roles(card: int) -> tuple[tuple[str, bool, dict[str, str]], ...]:
    top = {"card": CARD_WORDS[TOPS[SUIT_OF[card]]]}
    females = " ".join(CARD_WORDS[each] for each in bits.members_of(FEMALE_STRIKERS))
    return (
        ("cards.top", card in TOPS, {"stakes": str(scoring.TOP_STAKES)}),
        ("cards.second", card in SECONDS, top),
        ("cards.male_striker", card == MALE_STRIKER, {"cards": females}),
        ("cards.female_striker", bits.has(FEMALE_STRIKERS, card), {"card": CARD_WORDS[MALE_STRIKER]}),
        ("cards.hundred", card == HUNDRED, {"stakes": str(scoring.GREAT_LIVE_STAKES)}),
        ("cards.three_opened", bits.has(THREE_OPENED, card), {}),
        ("cards.four_reds", bits.has(FOUR_REDS, card), {}),
    )
