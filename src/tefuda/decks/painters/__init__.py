"""Painters: how the faces of a deck are composed. A deck's data file names one; what it draws, the data say.

A painter gets a card and the part of it that the layers at both ends leave free.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from tefuda.decks.data import Card
from tefuda.decks.shapes import Drawing


@dataclass(frozen=True)
class Frame:
    """A part of a card, in millimetres from the card's upper left corner."""

    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> float:
        return self.x + self.width / 2

    @property
    def centre(self) -> float:
        return self.y + self.height / 2

    def inside(self, margin: float) -> "Frame":
        return Frame(self.x + margin, self.y + margin, self.width - 2 * margin, self.height - 2 * margin)

    def down(self, top: float, bottom: float) -> "Frame":
        """The part between two heights, given as shares of the whole."""
        return Frame(self.x, self.y + top * self.height, self.width, (bottom - top) * self.height)


Painter = Callable[[Card, Frame], Drawing]


def painters() -> Mapping[str, Painter]:
    """All painters by name."""
    from tefuda.decks.painters import dominoes, french, mekuri, money, treasury

    return {
        "dominoes": dominoes.paint,
        "french": french.paint,
        "mekuri": mekuri.paint,
        "money": money.paint,
        "treasury": treasury.paint,
    }
