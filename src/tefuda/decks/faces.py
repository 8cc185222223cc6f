"""A card's face: the traditional drawing, the learner's index and the accessible marks, each by choice.

The index is number, sign and short name at the end of a card, to be read when only its top is seen. Narrow cards have
number and sign side by side and the name beneath, small ones the name between them; cards as wide as western ones have
all three in the corner. The notch bar is read as old Chinese cards are, from their edge: as many cuts as the card's
place in its suit, whose shape tells the suit."""

from dataclasses import dataclass

from tefuda.decks.artwork import shared, sign_of
from tefuda.decks.data import Card, Deck, choose
from tefuda.decks.fonts import BLACK, BOLD, row, typeface
from tefuda.decks.painters import PAINTERS
from tefuda.decks.shapes import Drawing, Frame, drawing, rectangle
from tefuda.engine.errors import TefudaError, nearest
from tefuda.engine.texts import LANGUAGES

LAYERS = ("traditional", "index", "accessible")

BASE = 57.0
"""Faces of narrow cards in another size are composed on a card of this width in millimetres, and then scaled; those of
wider cards on one as wide as in life."""

SAFE = 1.9  # millimetres that all stands farther from the edge on a card of another size: printers ask for 3 mm in all
STOUTEST = 0.62  # width of a painter's part in heights, at most

NARROW, WIDE = 28.0, 40.0  # millimetres: cards below and above these widths have an index of their own kind

MARGIN = 1.6  # millimetres between the index and the card's edge
NAME = 3.3  # size of the short name, where it fits
_CAP = 0.74  # height of figures and capitals, as a share of the size
BAR = 3.0  # millimetres of the notch bar at each end
_HIGH = 2.6  # height of the bar
_WIDEST = 2.6  # width of a cut and the space beside it, where there is room

_CUTS = ("hole", "block", "wedge", "slit", "lozenge")
"""Shapes of cuts, parts of ``ornaments.svg``, each about 1 high and 1 wide."""


class LayerError(TefudaError):
    """No such layer or language, or no layer at all."""


@dataclass(frozen=True)
class Style:
    """The layers that are drawn, some of ``LAYERS``, and the language of the short names in the index."""

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
        inside = _composed(deck, card, style, base, down).scaled(scale).moved(SAFE, SAFE)
        corner = corner_of(deck, (width, height))
    bar = _notches(card, deck, width, corner, bleed) if marked else drawing()
    return drawing(inside, bar, bar.turned(180, width / 2, height / 2))


def corner_of(deck: Deck, size: tuple[float, float]) -> float:
    """Radius of the corners of a card of this size, in millimetres."""
    return deck.corner if size == deck.size else min(3.2, size[0] * 0.06)


def _composed(deck: Deck, card: Card, style: Style, size: tuple[float, float], down: float) -> Drawing:
    """Drawing and index on a card of this size, whose first ``down`` millimetres at each end are taken."""
    width, height = size
    marked = "accessible" in style.layers
    end: Drawing = index(card, width, down, style.language, marked) if "index" in style.layers else drawing()
    frame = _left_over(style, size, down)
    if "traditional" in style.layers:
        body = _painted(deck, card, style, frame)
    else:
        sign = _coloured(card, marked)
        sign = sign.reinked({"black": "red"}) if card.red and not marked else sign
        body = sign.fitted(frame.middle, frame.centre, frame.width * 0.7, frame.height * 0.7)
    whole = drawing(body, end, end.turned(180, width / 2, height / 2))
    return whole.reinked({"red": "grey"}) if deck.reds and not card.red else whole


def _left_over(style: Style, size: tuple[float, float], down: float) -> Frame:
    """The part of a card that index and marks leave."""
    across = 0.0
    if "index" in style.layers:
        beside, below = _room(size[0])
        across, down = across + beside, down + below
    return Frame(across, down, size[0] - 2 * across, size[1] - 2 * down)


def _painted(deck: Deck, card: Card, style: Style, frame: Frame) -> Drawing:
    """The traditional drawing, scaled as a whole where the frame is another than on a card of life size."""
    painter = choose(PAINTERS, deck.painter, f"painter of {deck.name}")
    life = _left_over(style, deck.size, BAR if "accessible" in style.layers else 0.0)
    if frame == life:
        return painter(card, frame)
    width = min(frame.width, frame.height * max(STOUTEST, life.width / life.height))
    scale = min(width / life.width, frame.height / life.height)
    part = painter(card, Frame(0, 0, width / scale, frame.height / scale))
    return part.scaled(scale).moved(frame.middle - width / 2, frame.y)


# The index


def _room(width: float) -> tuple[float, float]:
    """The room of a card's index at each side and at each end, in millimetres."""
    if width < NARROW:
        return 0.0, 12.0
    return (0.0, 8.2) if width < WIDE else (12.4, 0.0)


def index(card: Card, width: float, top: float, language: str, marked: bool) -> Drawing:
    """The index at the upper end, from ``top`` down; ``marked`` suits have a letter and a colour for any sight."""
    if width < NARROW:
        return _narrow(card, width, top, language, marked)
    return (_small if width < WIDE else _corner)(card, width, top, language, marked)


def _coloured(card: Card, marked: bool) -> Drawing:
    """The suit's sign, in the colour that goes with its letter if it is to be marked."""
    sign: Drawing = sign_of(card.suit.sign)
    if not marked:
        return sign
    return sign.reinked({"black": card.suit.colour, "red": card.suit.colour})


def _narrow(card: Card, width: float, top: float, language: str, marked: bool) -> Drawing:
    figures = typeface("en", BLACK)
    sign = 5.8
    size = min(8.0, 8.0 * (width - sign - 2 * MARGIN - 0.8) / figures.width(card.index, 8.0))
    foot = top + 1.3 + 8.0 * _CAP
    middle = foot - 8.0 * _CAP / 2
    number, end = _number(card, MARGIN, middle + size * _CAP / 2, size)
    parts = [number, _coloured(card, marked).fitted(width - MARGIN - sign / 2, middle, sign, sign)]
    between = width - MARGIN - sign - end
    if marked and between > 3.6:
        parts.append(row(card.suit.letter, end + between / 2, foot, min(4.2, between), figures, card.suit.colour))
    parts.append(_name(card, width / 2, top + _room(width)[1] - 1.0, width - 2.4, language))
    return drawing(*parts)


def _small(card: Card, width: float, top: float, language: str, marked: bool) -> Drawing:
    figures = typeface("en", BLACK)
    size, sign = 7.6, 6.0
    foot = top + 1.3 + size * _CAP
    middle = foot - size * _CAP / 2
    number, end = _number(card, MARGIN, foot, size)
    left = end + 0.7
    parts = [number, _coloured(card, marked).fitted(width - MARGIN - sign / 2, middle, sign, sign)]
    if marked:
        parts.append(row(card.suit.letter, left + 1.6, foot, 4.2, figures, card.suit.colour))
        left += 3.8
    right = width - MARGIN - sign - 0.7
    parts.append(_name(card, (left + right) / 2, middle + NAME * _CAP / 2, right - left, language))
    return drawing(*parts)


def _corner(card: Card, width: float, top: float, language: str, marked: bool) -> Drawing:
    red = sign_of(card.suit.sign)[0].shape.fill == "red"
    ink = card.suit.colour if marked else "red" if red else "black"
    share = 0.86 if marked else 1.0  # all of it stands in the upper fifth of the card
    x, high = 7.0, 11.6 * share
    foot = top + 1.9 + high * _CAP
    sign = 7.0 * share
    size = min(high, 10.4 / typeface("en", BLACK).width(card.index, 1.0))
    parts = [
        _number(card, x, foot, size, ink, middle=True)[0],
        _coloured(card, marked).fitted(x, foot + 1.2 + sign / 2, sign, sign),
    ]
    foot += sign + 5.2
    if marked:
        parts.append(row(card.suit.letter, x, foot, 5.0, typeface("en", BLACK), ink))
        foot += 4.6
    if card.seal or card.short != card.suit.names:
        parts.append(_name(card, x, foot, 11.0, language))
    return drawing(*parts)


def _number(
    card: Card, x: float, foot: float, size: float, ink: str = "black", *, middle: bool = False
) -> tuple[Drawing, float]:
    """The largest characters, and x of their right end; on red cards cut out of a red field.

    Nothing reaches below ``foot``, not even the tail of a Q; ``x`` is the left end, or the middle if ``middle``."""
    figures = typeface("en", BLACK)
    number = row(card.index, x, foot, size, figures, "paper" if card.red else ink, middle=middle)
    left, top, right, bottom = number.box()
    if bottom - foot > 0.04 * size:
        number = number.moved(-left, -top).scaled((foot - top) / (bottom - top)).moved(left, top)
        left, top, right, bottom = number.box()
        if middle:
            number = number.moved(x - (left + right) / 2, 0)
    if not card.red:
        return number, max(right, x + (0 if middle else figures.width(card.index, size)))
    side = 0.9 if middle else 0.6
    field = rectangle(left - side, top - 0.5, right - left + 2 * side, bottom - top + 0.9, 0.8, fill="red")
    return drawing(field, number), right + side


def _name(card: Card, x: float, foot: float, width: float, language: str) -> Drawing:
    words = typeface(language, BOLD)
    text = card.short[language]
    return row(text, x, foot, min(NAME, NAME * width / words.width(text, NAME)), words)


# The notch bar


def _notches(card: Card, deck: Deck, width: float, corner: float, bleed: float) -> Drawing:
    """The bar along the upper edge, and beyond it by the bleed; of a red card it is red, and has a line under it."""
    suits = [suit.key for suit in deck.suits]
    cut = shared("ornaments")[_CUTS[suits.index(card.suit.key) % len(_CUTS) if card.place else 0]]
    step = min((width - 4.0) / max(card.place, 1), _WIDEST)
    first = width / 2 - step * (card.place - 1) / 2
    cuts = (cut.at(first + step * spot, _HIGH, min(step * 0.42, 0.95)) for spot in range(card.place))
    ink = "red" if card.red else "black"
    if bleed:
        bar = drawing(rectangle(-bleed, -bleed, width + 2 * bleed, bleed + _HIGH, fill=ink))
    else:
        bar = drawing(rectangle(0, 0, width, 2 * BAR, min(corner, BAR), fill=ink)).above(_HIGH)
    under = drawing(rectangle(1.2, _HIGH + 0.35, width - 2.4, 0.45, fill="red")) if card.red else ()
    return drawing(bar, *cuts, under)
