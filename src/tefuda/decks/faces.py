"""A card's face and back: the traditional drawing, the learner's index and the accessible marks, each by choice."""

from dataclasses import dataclass

from tefuda.decks.data import LANGUAGES, Card, Deck
from tefuda.decks.fonts import BLACK, BOLD, row, typeface
from tefuda.decks.painters import Frame, painters
from tefuda.decks.shapes import (
    Drawing,
    Placed,
    at,
    drawing,
    fitted,
    rectangle,
    turned,
)
from tefuda.decks.signs import SIGNS
from tefuda.engine.description import nearest
from tefuda.engine.errors import TefudaError

LAYERS = ("traditional", "index", "accessible")

BAND, BAR = 10.6, 3.0
"""Heights of the index and of the notch bar in millimetres on a narrow card."""


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
                raise LayerError(f"there is no layer {layer!r}{nearest(layer, LAYERS)}; there are: {', '.join(LAYERS)}")
        if not self.layers:
            raise LayerError(f"a card needs a layer: {', '.join(LAYERS)}")
        if self.language not in LANGUAGES:
            raise LayerError(f"cards have no names in {self.language!r}; they have: {', '.join(LANGUAGES)}")


def face(deck: Deck, card: Card, style: Style) -> Drawing:
    """A card's face in its life size, its upper left corner at the origin."""
    width, height = deck.size
    narrow = width < 28
    bar = BAR if "accessible" in style.layers else 0.0
    band = (BAND if narrow else 6.8) if "index" in style.layers else 0.0
    corner_index = width > 40
    ends: Drawing = ()
    if bar:
        ends = drawing(ends, notches(card, deck))
    if band:
        index = _corner(card, style, bar) if corner_index else _band(card, style, width, bar, band, narrow)
        ends = drawing(ends, index)
    used = bar if corner_index else bar + band
    frame = Frame(0, used, width, height - 2 * used)
    body: Drawing = (
        painters()[deck.painter](card, frame) if "traditional" in style.layers else _plain(card, frame, style)
    )
    return drawing(body, ends, turned(ends, 180, width / 2, height / 2))


def _plain(card: Card, frame: Frame, style: Style) -> Drawing:
    """Without the traditional drawing: the sign, as large as it goes."""
    return fitted(_coloured(card, style), frame.middle, frame.centre, frame.width * 0.7, frame.height * 0.7)


def _coloured(card: Card, style: Style) -> Drawing:
    """The suit's sign; in the accessible layer in a colour that people with any kind of colour vision tell apart."""
    sign = SIGNS[card.suit.sign]()
    if "accessible" not in style.layers:
        return sign
    inks = {"black": card.suit.colour, "red": card.suit.colour, "paper": "paper", "": ""}
    return tuple(
        Placed(part.shape.inked(inks[part.shape.fill], inks[part.shape.line], part.shape.width), part.matrix)
        for part in sign
    )


def _band(card: Card, style: Style, width: float, top: float, height: float, narrow: bool) -> Drawing:
    """Number at the left, sign at the right; the short name beneath them, or between them where there is room."""
    number, size = card.index, 6.4 if narrow else 6.2
    figures = typeface("en", BLACK)
    size = min(size, size * (width * 0.46) / figures.width(number, size))
    line = top + 1.3 + size * 0.74
    left = 1.9
    parts = [row(number, left, line, size, figures, middle=False)]
    radius = 2.55
    parts.append(fitted(_coloured(card, style), width - left - radius, line - size * 0.37, 2 * radius, 2.1 * radius))
    if "accessible" in style.layers:
        x = left + figures.width(number, size) + 1.9
        parts.append(row(card.suit.letter, min(x + 0.4, width - 9.0), line, 4.0, figures, card.suit.colour))
    text = card.short[style.language]
    words = typeface(style.language, BOLD)
    room = width - 3.0 if narrow else width - 2 * left - 2 * radius - figures.width(number, size) - 2.4
    small = min(3.3, 3.3 * room / words.width(text, 3.3))
    middle = width / 2 if narrow else (left + figures.width(number, size) + width - left - 2 * radius) / 2
    parts.append(row(text, middle, top + height - 0.9 if narrow else line - size * 0.37 + small * 0.37, small, words))
    return drawing(*parts)


def _corner(card: Card, style: Style, top: float) -> Drawing:
    """As on western cards: number over sign over short name, in the corner."""
    figures = typeface("en", BLACK)
    x, red = 5.0, SIGNS[card.suit.sign]()[0].shape.fill == "red" and "accessible" not in style.layers
    size = 8.4 if len(card.index) == 1 else 7.0
    line = top + 3.0 + 8.4 * 0.74
    ink = "red" if red else "black"
    parts = [row(card.index, x, line, size, figures, ink), at(_coloured(card, style), x, line + 4.6, 2.9)]
    if card.seal:
        words = typeface(style.language, BOLD)
        text = card.short[style.language]
        parts.append(row(text, x, line + 11.6, min(3.4, 3.4 * 8.4 / words.width(text, 3.4)), words))
    if "accessible" in style.layers:
        parts.append(row(card.suit.letter, x + 6.2, line, 4.4, figures, card.suit.colour))
    return drawing(*parts)


# The notch bar: as many cuts as the card's place in its suit, cut in the suit's own shape


def notches(card: Card, deck: Deck) -> Drawing:
    """A dark bar along the upper edge; cuts in it count the card's place, their shape is the suit's."""
    width = deck.size[0]
    suits = [suit.key for suit in deck.suits]
    cut = _CUTS[suits.index(card.suit.key) % len(_CUTS)]
    bar = rectangle(0, 0, width, BAR - 0.5, fill="black")
    count = card.place
    step = min((width - 4.0) / max(count, 1), 2.6)
    cuts = [
        at(cut, width / 2 + step * (spot - (count - 1) / 2), BAR - 0.5, min(step * 0.42, 0.95)) for spot in range(count)
    ]
    return drawing(bar, *cuts)


def _cut_shapes() -> tuple[Drawing, ...]:
    from tefuda.decks.shapes import circle, polygon

    return (
        drawing(circle(0, -0.9, 0.8, fill="paper")),
        drawing(rectangle(-0.75, -1.7, 1.5, 1.75, fill="paper")),
        drawing(polygon([(-0.95, 0.05), (0.95, 0.05), (0, -1.8)], fill="paper")),
        drawing(rectangle(-0.28, -2.3, 0.56, 2.4, fill="paper")),
        drawing(polygon([(0, -1.9), (0.95, -0.95), (0, 0.0), (-0.95, -0.95)], fill="paper")),
    )


_CUTS = _cut_shapes()
