"""The notch bar: as old Chinese cards are read from their edge. As many cuts as the card's place in its suit, and the
suit says what shape they have."""

from tefuda.decks.data import Card, Deck
from tefuda.decks.shapes import Drawing, above, at, circle, drawing, polygon, rectangle

BAR = 3.0
"""Millimetres at each end."""

_HIGH = 2.6
_WIDEST = 2.6
"""Height of the bar; width of a cut and the space beside it, where there is room."""

_CUTS = (
    drawing(circle(0, -0.9, 0.8, fill="paper")),
    drawing(rectangle(-0.75, -1.7, 1.5, 1.75, fill="paper")),
    drawing(polygon([(-0.95, 0.05), (0.95, 0.05), (0, -1.8)], fill="paper")),
    drawing(rectangle(-0.28, -2.3, 0.56, 2.4, fill="paper")),
    drawing(polygon([(0, -1.9), (0.95, -0.95), (0, 0.0), (-0.95, -0.95)], fill="paper")),
)
"""Holes, blocks, wedges, slits and lozenges, each about 1 high and 1 wide."""


def notches(card: Card, deck: Deck, width: float, corner: float, bleed: float) -> Drawing:
    """The bar along the upper edge; the bar of a red card is red, and has a line under it.

    Args:
        width: of the card as it is cut.
        corner: radius of its corners; with bleed the bar reaches beyond them.
        bleed: millimetres beyond the cut.
    """
    suits = [suit.key for suit in deck.suits]
    cut = _CUTS[suits.index(card.suit.key) % len(_CUTS)]
    step = min((width - 4.0) / max(card.place, 1), _WIDEST)
    first = width / 2 - step * (card.place - 1) / 2
    cuts = (at(cut, first + step * spot, _HIGH, min(step * 0.42, 0.95)) for spot in range(card.place))
    ink = "red" if card.red else "black"
    if bleed:
        bar = drawing(rectangle(-bleed, -bleed, width + 2 * bleed, bleed + _HIGH, fill=ink))
    else:
        bar = above(drawing(rectangle(0, 0, width, 2 * BAR, min(corner, BAR), fill=ink)), _HIGH)
    under = drawing(rectangle(1.2, _HIGH + 0.35, width - 2.4, 0.45, fill="red")) if card.red else ()
    return drawing(bar, *cuts, under)
