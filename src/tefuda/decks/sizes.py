"""Sizes of cards: as in life, larger, and those that printers of cards offer; and a card drawn in one of them."""

from collections.abc import Mapping
from dataclasses import dataclass

from tefuda.decks.backs import back
from tefuda.decks.data import Card, Deck
from tefuda.decks.faces import Style, face
from tefuda.decks.shapes import Drawing, scaled
from tefuda.engine.errors import TefudaError, nearest

INCH = 25.4

PRINTERS: Mapping[str, tuple[float, float]] = {
    "bridge": (2.25 * INCH, 3.5 * INCH),
    "poker": (63.0, 88.0),
    "poker-us": (2.5 * INCH, 3.5 * INCH),
    "mini": (1.75 * INCH, 2.5 * INCH),
    "tarot": (2.75 * INCH, 4.75 * INCH),
    "jumbo": (3.5 * INCH, 5 * INCH),
}
"""Width and height in millimetres of cards as printers cut them, most of whom count in inches; faces are composed anew
for them."""

LARGER = 1.35

SIZES = ("life", "large", *PRINTERS)
"""As in life, a third larger, or one of ``PRINTERS``."""

BLEED, LEAST_BLEED, MOST_BLEED = 3.0, 0.0, 10.0
"""Millimetres beyond the cut that most printers ask for, and what is accepted."""


class SizeError(TefudaError):
    """No such size, or a measure that no card has; the message is one clear line."""


@dataclass(frozen=True)
class CardSize:
    """A size of a deck's cards.

    Attributes:
        composed: width and height in millimetres for which faces are composed.
        scale: by which they are then drawn.
    """

    composed: tuple[float, float]
    scale: float = 1.0

    @property
    def sides(self) -> tuple[float, float]:
        """Width and height of the card as it is cut, in millimetres."""
        return round(self.composed[0] * self.scale, 2), round(self.composed[1] * self.scale, 2)

    def front(self, deck: Deck, card: Card, style: Style, bleed: float = 0.0) -> Drawing:
        """A face, the upper left corner of the cut card at the origin."""
        return scaled(face(deck, card, style, self.composed, bleed / self.scale), self.scale)

    def back(self, deck: Deck, saving: bool = False, bleed: float = 0.0, colour: str = "black") -> Drawing:
        """The back, placed like a face."""
        return scaled(back(deck, saving, self.composed, bleed / self.scale, colour), self.scale)


def card_size(deck: Deck, name: str) -> CardSize:
    """A size of ``SIZES`` for this deck.

    Raises:
        SizeError: there is no such size.
    """
    if name in PRINTERS:
        return CardSize(PRINTERS[name])
    if name not in SIZES:
        raise SizeError(f"there is no size {name!r}; there are: {', '.join(SIZES)}{nearest(name, SIZES)}")
    return CardSize(deck.size, LARGER if name == "large" else 1.0)
