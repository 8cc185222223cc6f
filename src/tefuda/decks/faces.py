"""A card's face: the traditional drawing, the learner's index and the accessible marks, each by choice."""

from dataclasses import dataclass

from tefuda.decks.data import Card, Deck, choose
from tefuda.decks.frame import Frame
from tefuda.decks.index import NARROW, coloured, index, room
from tefuda.decks.notches import BAR, notches
from tefuda.decks.painters import PAINTERS, Painter
from tefuda.decks.shapes import Drawing, drawing, fitted, moved, reinked, scaled, turned
from tefuda.engine.errors import TefudaError, nearest
from tefuda.engine.texts import LANGUAGES

LAYERS = ("traditional", "index", "accessible")

BASE = 57.0
"""Faces of narrow cards in another size are composed on a card of this width in millimetres, and then scaled; those of
wider cards on one as wide as in life."""

SAFE = 1.9
"""So much farther from the edge does everything stand on a card of another size: printers ask for 3 mm in all."""

STOUTEST = 0.62
"""Width of a painter's part in heights, at most."""


class LayerError(TefudaError):
    """No such layer or language, or no layer at all."""


@dataclass(frozen=True)
class Style:
    """What is drawn.

    Attributes:
        layers: some of ``LAYERS``.
        language: of the short names in the index.
    """

    layers: frozenset[str] = frozenset(("traditional", "index"))
    language: str = "en"

    def __post_init__(self) -> None:
        for layer in self.layers:
            if layer not in LAYERS:
                raise LayerError(f"there is no layer {layer!r}; there are: {', '.join(LAYERS)}{nearest(layer, LAYERS)}")
        if not self.layers:
            raise LayerError(f"a card needs a layer: {', '.join(LAYERS)}")
        if self.language not in LANGUAGES:
            raise LayerError(f"cards have no names in {self.language!r}; they have: {', '.join(LANGUAGES)}")


def face(deck: Deck, card: Card, style: Style, size: tuple[float, float] | None = None, bleed: float = 0.0) -> Drawing:
    """A card's face, its upper left corner at the origin.

    Index and notches stand at both ends, the lower ones on their heads; the traditional drawing gets what they leave.

    Args:
        deck: of the card.
        card: to draw.
        style: layers and language.
        size: width and height in millimetres; by default as in life. For another size the face is composed anew.
        bleed: millimetres by which what touches the edge reaches beyond it.
    """
    width, height = size or deck.size
    marked = "accessible" in style.layers
    if (width, height) == deck.size:
        inside, corner = _composed(deck, card, style, deck.size, BAR if marked else 0.0), deck.corner
    else:
        wide = BASE if deck.size[0] < NARROW else deck.size[0]
        scale = (width - 2 * SAFE) / wide
        down = (BAR - SAFE) / scale if marked else 0.0
        base = wide, (height - 2 * SAFE) / scale
        inside = moved(scaled(_composed(deck, card, style, base, down), scale), SAFE, SAFE)
        corner = corner_of(deck, (width, height))
    bar = notches(card, deck, width, corner, bleed) if marked else ()
    return drawing(inside, bar, turned(bar, 180, width / 2, height / 2))


def corner_of(deck: Deck, size: tuple[float, float]) -> float:
    """Radius of the corners of a card of this size, in millimetres."""
    return deck.corner if size == deck.size else min(3.2, size[0] * 0.06)


def _composed(deck: Deck, card: Card, style: Style, size: tuple[float, float], down: float) -> Drawing:
    """Drawing and index on a card of this size, whose first ``down`` millimetres at each end are taken."""
    width, height = size
    marked = "accessible" in style.layers
    end: Drawing = index(card, width, down, style.language, marked) if "index" in style.layers else ()
    frame = _left_over(style, size, down)
    if "traditional" in style.layers:
        body = _painted(deck, card, style, frame)
    else:
        sign = coloured(card, marked)
        sign = reinked(sign, {"black": "red"}) if card.red and not marked else sign
        body = fitted(sign, frame.middle, frame.centre, frame.width * 0.7, frame.height * 0.7)
    whole = drawing(body, end, turned(end, 180, width / 2, height / 2))
    return reinked(whole, {"red": "grey"}) if deck.reds and not card.red else whole


def _left_over(style: Style, size: tuple[float, float], down: float) -> Frame:
    """What index and marks leave of a card."""
    across = 0.0
    if "index" in style.layers:
        beside, below = room(size[0])
        across, down = across + beside, down + below
    return Frame(across, down, size[0] - 2 * across, size[1] - 2 * down)


def _painted(deck: Deck, card: Card, style: Style, frame: Frame) -> Drawing:
    """The traditional drawing, scaled as a whole where the frame is another than on a card of life size."""
    painter: Painter = choose(PAINTERS, deck.painter, f"painter of {deck.name}")
    life = _left_over(style, deck.size, BAR if "accessible" in style.layers else 0.0)
    if frame == life:
        return painter(card, frame)
    width = min(frame.width, frame.height * max(STOUTEST, life.width / life.height))
    scale = min(width / life.width, frame.height / life.height)
    part = painter(card, Frame(0, 0, width / scale, frame.height / scale))
    return moved(scaled(part, scale), frame.middle - width / 2, frame.y)
