"""The part of a card that a painter fills."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Frame:
    """A part of a card, in millimetres from the card's upper left corner."""

    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> float:
        """x of the vertical line through its middle."""
        return self.x + self.width / 2

    @property
    def centre(self) -> float:
        """y of the horizontal line through its middle."""
        return self.y + self.height / 2

    @property
    def right(self) -> float:
        """x of its right side."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """y of its lower side."""
        return self.y + self.height

    def inside(self, margin: float) -> "Frame":
        """The part within a margin on every side."""
        return Frame(self.x + margin, self.y + margin, self.width - 2 * margin, self.height - 2 * margin)

    def down(self, top: float, bottom: float) -> "Frame":
        """The part between two heights, given as shares of the whole."""
        return Frame(self.x, self.y + top * self.height, self.width, (bottom - top) * self.height)
