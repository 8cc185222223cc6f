"""A game's pack as a list: every card with its word and its name, suit by suit."""

from collections.abc import Sequence
from dataclasses import dataclass

from tefuda.decks.data import Deck


@dataclass(frozen=True)
class Listed:
    """A card of the list.

    Attributes:
        word: as in the game's notation.
        name: of the card in the reader's language.
        copies: how many the pack has.
    """

    word: str
    name: str
    copies: int


@dataclass(frozen=True)
class SuitList:
    """The cards of a suit, from the lowest place to the highest."""

    name: str
    cards: Sequence[Listed]


def pack_list(deck: Deck, language: str) -> list[SuitList]:
    """The pack in this language, the suits in the deck's order."""
    return [
        SuitList(
            suit.names[language],
            [
                Listed(card.word, card.names[language], card.copies)
                for card in sorted(deck.cards.values(), key=lambda card: card.place)
                if card.suit.key == suit.key
            ],
        )
        for suit in deck.suits
    ]
