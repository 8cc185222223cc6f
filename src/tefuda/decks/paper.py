"""Paper: how many cards of a size stand on a sheet, and where."""

from dataclasses import dataclass

from tefuda.decks.data import Deck
from tefuda.decks.sizes import card_size
from tefuda.engine.errors import TefudaError, nearest

PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
"""Width and height in millimetres."""

LEAST_MARGIN = (9.0, 6.0)
"""Millimetres beside and above the cards, for crop marks and what printers leave white."""

GUTTER = 2.0
"""Millimetres between cards that do not share their cuts."""


class PaperError(TefudaError):
    """No such paper, or what is to be printed does not fit on it."""


@dataclass(frozen=True)
class Grid:
    """Where cards stand on a sheet, in millimetres from its upper left corner.

    Attributes:
        paper, card: width and height.
        columns, rows: cards across and down.
        gutter: between cards.
    """

    paper: tuple[float, float]
    card: tuple[float, float]
    columns: int
    rows: int
    gutter: float

    @property
    def places(self) -> int:
        """Cards on a sheet."""
        return self.columns * self.rows

    @property
    def extent(self) -> tuple[float, float]:
        """Width and height of all cards of a sheet together."""
        (width, height), gap = self.card, self.gutter
        return self.columns * (width + gap) - gap, self.rows * (height + gap) - gap

    @property
    def corner(self) -> tuple[float, float]:
        """Left and top of the first card: in the middle across, so that backs meet fronts."""
        width, height = self.extent
        spare = self.paper[1] - height
        return (self.paper[0] - width) / 2, max(spare / 2, 6.0) if spare < 22 else 9.0

    def spot(self, place: int, mirrored: bool = False) -> tuple[float, float]:
        """Left and top of a card on its sheet; mirrored: of its back, on the sheet turned over its long edge."""
        row, column = divmod(place, self.columns)
        if mirrored:
            column = self.columns - 1 - column
        left, top = self.corner
        return left + column * (self.card[0] + self.gutter), top + row * (self.card[1] + self.gutter)

    def cuts(self) -> tuple[list[float], list[float]]:
        """Where to cut: from the left, from the top."""
        left, top = self.corner
        across = [
            left + column * (self.card[0] + self.gutter) + side
            for column in range(self.columns)
            for side in (0, self.card[0])
        ]
        down = [
            top + row * (self.card[1] + self.gutter) + side for row in range(self.rows) for side in (0, self.card[1])
        ]
        return _different(across), _different(down)


def _different(places: list[float]) -> list[float]:
    return sorted({round(place, 4) for place in places})


def grid(deck: Deck, paper: str = "a4", size: str = "life", gutter: bool = False) -> Grid:
    """How a deck stands on paper.

    Raises:
        PaperError: no such paper, or the cards do not fit on it.
        SizeError: no such size.
    """
    if paper not in PAPERS:
        raise PaperError(f"there is no paper {paper!r}; there are: {', '.join(PAPERS)}{nearest(paper, PAPERS)}")
    card = card_size(deck, size).sides
    gap = GUTTER if gutter else 0.0
    sides = zip(PAPERS[paper], card, LEAST_MARGIN, strict=True)
    columns, rows = (int((whole - 2 * margin + gap) / (part + gap)) for whole, part, margin in sides)
    if not columns or not rows:
        raise PaperError(f"a card of {card[0]:g} × {card[1]:g} mm does not fit on {paper}")
    return Grid(PAPERS[paper], card, columns, rows, gap)
