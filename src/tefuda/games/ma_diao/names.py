"""Ma Diao: what a player should know of a card."""

from tefuda.engine import bits
from tefuda.engine.sentence import Sentence
from tefuda.games.ma_diao import cards
from tefuda.games.ma_diao.cards import CARD_WORDS, SUIT_CARDS, SUIT_OF, SUIT_TEXTS, card_list
from tefuda.games.ma_diao.state import State
from tefuda.games.ma_diao.values import STAKES


def card_lines(state: State, word: str) -> list[Sentence]:
    """MD-24, MD-31 to MD-40: where a card ranks, and the bonuses that it may bring."""
    card = CARD_WORDS.index(word)
    suit = SUIT_CARDS[SUIT_OF[card]]
    place = {"place": str(bits.size(bits.above(suit, card)) + 1), "count": str(bits.size(suit))}
    return [
        Sentence("cards.rank", {"suit": f"@{SUIT_TEXTS[SUIT_OF[card]]}", **place}),
        *(Sentence(f"cards.{code}", fields) for code, applies, fields in _roles(card) if applies),
    ]


def _roles(card: int) -> tuple[tuple[str, bool, dict[str, str]], ...]:
    return (
        ("top", card in cards.TOPS, {"stakes": str(STAKES.tops)}),
        ("second", card in cards.SECONDS, {"card": CARD_WORDS[cards.TOPS[SUIT_OF[card]]]}),
        ("male_striker", card == cards.MALE_STRIKER, {"cards": card_list(cards.FEMALE_STRIKERS)}),
        ("female_striker", bits.has(cards.FEMALE_STRIKERS, card), {"card": CARD_WORDS[cards.MALE_STRIKER]}),
        ("hundred", card == cards.HUNDRED, {"stakes": str(STAKES.great_live)}),
        ("three_opened", bits.has(cards.THREE_OPENED, card), {}),
        ("four_reds", bits.has(cards.FOUR_REDS, card), {}),
    )
