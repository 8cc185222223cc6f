"""Domino cards: both numbers as pips at both ends, ones and fours red; between them the card's name on a plaque."""

from itertools import combinations
from math import dist

from tefuda.decks.artwork import seal, shared
from tefuda.decks.data import Card
from tefuda.decks.fonts import BLACK, column, typeface
from tefuda.decks.painters.money import rules
from tefuda.decks.shapes import Drawing, Frame, at, drawing, moved, scaled, turned

RED = (1, 4)
PIP, GAP = 1.95, 0.56
"""Largest radius of a pip, and the least paper between two, in millimetres: at arm's length they can be counted."""

CLASP = 18.8
"""Width in millimetres of the panel that the drawing of the clasp is made for."""

_SPOTS = {
    2: ((-0.56, 0.0), (0.56, 0.0)),
    3: ((-0.69, -0.56), (0.0, 0.0), (0.69, 0.56)),
    4: ((-0.56, -0.5), (0.56, -0.5), (-0.56, 0.5), (0.56, 0.5)),
    5: ((-0.65, -0.56), (0.65, -0.56), (0.0, 0.0), (-0.65, 0.56), (0.65, 0.56)),
    6: ((-0.5, -0.78), (0.5, -0.78), (-0.5, 0.0), (0.5, 0.0), (-0.5, 0.78), (0.5, 0.78)),
}
"""The places of the pips; the units are about half a domino's width and height."""


def paint(card: Card, frame: Frame) -> Drawing:
    """Pips at both ends, coloured as on dominoes, with their name or a seal between them."""
    panel = frame.inside(1.6)
    first, second = card.art["pips"]
    length = min(0.35 * panel.height, 24.0)
    end = _end(first, second, panel.width, length)
    top = moved(end, panel.middle, panel.y + 1.2)
    rest = Frame(panel.x, panel.y + length + 1.2, panel.width, panel.height - 2 * length - 2.4)
    return drawing(rules(panel), top, turned(top, 180, panel.middle, panel.centre), _plaque(card, rest))


def _end(first: int, second: int, width: float, length: float) -> Drawing:
    """Both numbers, one above the other, in a place of this size whose upper middle is the origin."""
    both_six = first == second == 6
    half = length / 2
    upper = moved(_pips(first, width, half, both_six), 0, half / 2)
    return drawing(upper, moved(_pips(second, width, half, both_six), 0, half * 1.5))


def _pips(number: int, width: float, height: float, half_red: bool) -> Drawing:
    if number == 1:
        return at(shared("ornaments")["great-pip"], 0, 0, PIP)
    across, down = min(width * 0.3, 4.9), height * 0.41
    spots = [(x * across, y * down) for x, y in _SPOTS[number]]
    edge = height / 2 - max(y for _, y in spots)  # to the other number
    size = min(PIP, (min(dist(one, other) for one, other in combinations(spots, 2)) - GAP) / 2, edge - GAP / 2)
    black, red = shared("ornaments")["pip"], shared("ornaments")["red-pip"]
    return drawing(*(at(red if number in RED or (half_red and x < 0) else black, x, y, size) for x, y in spots))


def _plaque(card: Card, frame: Frame) -> Drawing:
    """The name from above downwards between two clasps, a seal over it on the supreme cards."""
    name = card.names["zh-Hant"]
    size = min(7.2 if len(name) == 1 else 5.2 if len(name) == 2 else 4.4, (frame.height - 6.0) / (len(name) * 1.05))
    text = column(
        name, frame.middle, frame.centre - size * (1.04 * (len(name) - 1) + 1) / 2, size, typeface("zh-Hant", BLACK)
    )
    half = size * (1.04 * (len(name) - 1) + 1) / 2 + 1.2
    clasp = scaled(shared("ornaments")["clasp"], frame.width / CLASP, 1.0)
    clasp = moved(clasp, frame.middle, frame.centre - half - 0.6)
    mark = seal(card.seal, frame.right - 3.0, frame.centre, 3.9) if card.seal else ()
    return drawing(clasp, turned(clasp, 180, frame.middle, frame.centre), text, mark)
