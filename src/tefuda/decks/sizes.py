"""Sizes of cards: as in life, larger, and those that printers of cards offer; a card drawn in one of them, and how many
of them stand on a sheet of paper, and where."""

from collections.abc import Mapping
from dataclasses import dataclass

from tefuda.decks.backs import back
from tefuda.decks.data import Card, Deck
from tefuda.decks.faces import Style, face
from tefuda.decks.shapes import Drawing
from tefuda.engine.errors import TefudaError, nearest

INCH = 25.4  # millimetres in an inch

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

SIZES = ("life", "large", *PRINTERS)  # names of sizes: life, a third larger, and those of ``PRINTERS``

BLEED, LEAST_BLEED, MOST_BLEED = 3.0, 0.0, 10.0
"""Millimetres beyond the cut that most printers ask for, and what is accepted."""


class SizeError(TefudaError):
    """No such size, or a measure that no card has; the message is one clear line."""


@dataclass(frozen=True)
class CardSize:
    """A size of a deck's cards: faces are composed for this width and height in millimetres, then scaled."""

    composed: tuple[float, float]
    scale: float = 1.0

    @property
    def sides(self) -> tuple[float, float]:
        """Width and height of the card as it is cut, in millimetres."""
        return round(self.composed[0] * self.scale, 2), round(self.composed[1] * self.scale, 2)

    def front(self, deck: Deck, card: Card, style: Style, bleed: float = 0.0) -> Drawing:
        """A face, the upper left corner of the cut card at the origin."""
        return face(deck, card, style, self.composed, bleed / self.scale).scaled(self.scale)

    def back(self, deck: Deck, saving: bool = False, bleed: float = 0.0, colour: str = "black") -> Drawing:
        """The back, placed like a face."""
        return back(deck, saving, self.composed, bleed / self.scale, colour).scaled(self.scale)


def card_size(deck: Deck, name: str) -> CardSize:
    """A size of ``SIZES`` for this deck; ``SizeError`` if there is no such size."""
    if name in PRINTERS:
        return CardSize(PRINTERS[name])
    if name not in SIZES:
        raise SizeError(f"there is no size {name!r}; there are: {', '.join(SIZES)}{nearest(name, SIZES)}")
    return CardSize(deck.size, LARGER if name == "large" else 1.0)


# Paper

PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}  # width and height in millimetres
LEAST_MARGIN = (9.0, 6.0)  # millimetres beside and above the cards, for crop marks and what printers leave white
GUTTER = 2.0  # millimetres between cards that do not share their cuts


class PaperError(TefudaError):
    """No such paper, or what is to be printed does not fit on it."""


@dataclass(frozen=True)
class Grid:
    """The places of cards on a sheet of ``paper``, in millimetres from its upper left corner, a gutter between them."""

    paper: tuple[float, float]
    card: tuple[float, float]
    columns: int
    rows: int
    gutter: float

    @property
    def places(self) -> int:
        """The number of cards on a sheet."""
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
        """The places to cut: from the left, from the top."""
        across, down = (
            sorted(
                {round(first + place * (side + self.gutter) + end, 4) for place in range(count) for end in (0, side)}
            )
            for first, side, count in zip(self.corner, self.card, (self.columns, self.rows), strict=True)
        )
        return across, down


def grid(deck: Deck, paper: str = "a4", size: str = "life", gutter: bool = False) -> Grid:
    """The places of a deck's cards on paper; ``PaperError`` for no such paper, or one on which no card fits."""
    if paper not in PAPERS:
        raise PaperError(f"there is no paper {paper!r}; there are: {', '.join(PAPERS)}{nearest(paper, PAPERS)}")
    card = card_size(deck, size).sides
    gap = GUTTER if gutter else 0.0
    sides = zip(PAPERS[paper], card, LEAST_MARGIN, strict=True)
    columns, rows = (int((whole - 2 * margin + gap) / (part + gap)) for whole, part, margin in sides)
    if not columns or not rows:
        raise PaperError(f"a card of {card[0]:g} × {card[1]:g} mm does not fit on {paper}")
    return Grid(PAPERS[paper], card, columns, rows, gap)
