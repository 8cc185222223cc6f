"""Western cards: pips where players expect them, courts in two halves, emblems on cards with a part of their own."""

from collections.abc import Sequence

from tefuda.decks.artwork import WAIST, figure, seal, shared, sign_of
from tefuda.decks.data import Card
from tefuda.decks.shapes import Drawing, Frame, above, at, drawing, line, moved, outline, scaled, turned

WIDEST = 39.0
"""Millimetres of a card's width that pips and courts use at most."""

PIP = 6.0
"""Radius of a pip in millimetres on a card 57 mm wide."""

_LEFT, _RIGHT = -1.0, 1.0
_SPOTS: dict[int, Sequence[tuple[float, float]]] = {
    2: [(0, -1), (0, 1)],
    3: [(0, -1), (0, 0), (0, 1)],
    4: [(_LEFT, -1), (_RIGHT, -1), (_LEFT, 1), (_RIGHT, 1)],
    5: [(_LEFT, -1), (_RIGHT, -1), (0, 0), (_LEFT, 1), (_RIGHT, 1)],
    6: [(_LEFT, -1), (_RIGHT, -1), (_LEFT, 0), (_RIGHT, 0), (_LEFT, 1), (_RIGHT, 1)],
    7: [(_LEFT, -1), (_RIGHT, -1), (0, -0.5), (_LEFT, 0), (_RIGHT, 0), (_LEFT, 1), (_RIGHT, 1)],
    8: [(_LEFT, -1), (_RIGHT, -1), (0, -0.5), (_LEFT, 0), (_RIGHT, 0), (0, 0.5), (_LEFT, 1), (_RIGHT, 1)],
    9: [(x, y) for y in (-1, -1 / 3, 1 / 3, 1) for x in (_LEFT, _RIGHT)] + [(0, 0)],
    10: [(x, y) for y in (-1, -1 / 3, 1 / 3, 1) for x in (_LEFT, _RIGHT)] + [(0, -2 / 3), (0, 2 / 3)],
}


def paint(card: Card, frame: Frame) -> Drawing:
    """Pips, a figure or a large ace, as on French-suited cards."""
    sign = sign_of(card.suit.sign)
    panel = Frame(frame.x, frame.y + frame.height * 0.06, frame.width, frame.height * 0.88)
    if frame.width > WIDEST:
        panel = Frame(frame.middle - WIDEST / 2, panel.y, WIDEST, panel.height)
    if "hat" in card.art:
        return _court(card, sign, panel)
    emblem = card.art.get("emblem", "")
    if card.index == "A":
        size = panel.width * 0.36
        return drawing(at(sign, panel.middle, panel.centre, size), _seal(card, panel))
    spots = _SPOTS[int(card.index)]
    size = min(PIP, panel.width * 0.165)
    across, down = panel.width * 0.3, panel.height * 0.39
    parts = [
        at(turned(sign, 180) if y > 0.01 else sign, panel.middle + x * across, panel.centre + y * down, size)
        for x, y in spots
    ]
    middle = at(sign_of(emblem), panel.middle, panel.centre, panel.width * 0.15) if emblem else ()
    return drawing(*parts, middle, _seal(card, panel))


def _seal(card: Card, panel: Frame) -> Drawing:
    return seal(card.seal, panel.middle, panel.y + panel.height * 0.965, panel.width * 0.13) if card.seal else ()


def _court(card: Card, sign: Drawing, panel: Frame) -> Drawing:
    """A half figure and the same turned round; between them a sash, or the emblem."""
    art = card.art
    half = panel.height / 2
    size = min(panel.width / 18.5, (half - 1.6) / WAIST)
    whole = figure(art["hat"], art["beard"], art["robe"], art["arms"])
    bust = moved(scaled(above(whole, WAIST), size), panel.middle, panel.centre - WAIST * size)
    pip = at(sign, panel.x + 4.4, panel.y + 5.0, 2.9)
    upper = drawing(bust, pip)
    middle = _waist(card, panel)
    frame = drawing(
        outline(panel, 1.2, line="black", width=0.4), outline(panel.inside(0.8), 0.8, line="black", width=0.2)
    )
    return drawing(upper, turned(upper, 180, panel.middle, panel.centre), middle, frame)


def _waist(card: Card, panel: Frame) -> Drawing:
    emblem = card.art.get("emblem", "")
    high = 8.4 if emblem else 4.4
    sash = Frame(panel.x + 0.8, panel.centre - high, panel.width - 1.6, 2 * high)
    edges = [(sash.y, "black", 0.4), (sash.bottom, "black", 0.4)]
    edges += [(sash.y + 0.9, "red", 0.6), (sash.bottom - 0.9, "red", 0.6)]
    rules = (line((sash.x, y), (sash.right, y), ink=ink, width=width) for y, ink, width in edges)
    band = drawing(outline(sash, fill="paper"), *rules)
    if emblem:
        seals = (seal(card.seal, x, panel.centre, 5.0) for x in (panel.x + 5.0, panel.right - 5.0))
        return drawing(band, at(sign_of(emblem), panel.middle, panel.centre, 6.4), *seals)
    step, rosette = panel.width / 4.4, shared("french")["rosette"]
    return drawing(
        band, *(at(rosette, panel.middle + step * place, panel.centre, 2.7) for place in (-1.5, -0.5, 0.5, 1.5))
    )
