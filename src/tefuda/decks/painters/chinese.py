"""Cards of China: money cards of two kinds, and dominoes.

Hakka money cards have a brush-written numeral over the sign of the suit; Ming ones the amount in a heading, and under
it coins, strings of coins, or a hero of the tales. Dominoes have both numbers as pips at both ends, ones and fours red,
and between them the card's name on a plaque."""

from collections.abc import Sequence
from itertools import combinations
from math import dist

from tefuda.decks.artwork import figure, seal, shared, sign_of
from tefuda.decks.data import Card
from tefuda.decks.fonts import BLACK, BOLD, column, row, typeface
from tefuda.decks.shapes import Drawing, Frame, drawing, line, outline, polygon, rectangle

HEADING = 6.6  # height of the heading of Ming cards in millimetres
GROUND = 16.6  # width in millimetres of the frame that the drawing of a hero's ground is made for

Rows = Sequence[Sequence[int]]
TWO_ACROSS: Rows = (1,), (1, 1), (1, 1, 1), (2, 2), (2, 1, 2), (2, 2, 2), (2, 2, 1, 2), (2, 2, 2, 2), (2, 2, 1, 2, 2)
THREE_ACROSS: Rows = (1,), (1, 1), (1, 2), (2, 2), (2, 1, 2), (3, 3), (2, 3, 2), (3, 2, 3), (3, 3, 3)
"""The rows of one to nine signs, from above, by the most in a row."""


def hakka(card: Card, frame: Frame) -> Drawing:
    """A numeral over the sign of the suit, and under it what else the card shows."""
    panel = frame.inside(1.5)
    own = card.art.get("own", "")  # a file of numerals, characters and emblems, as in ``cut.svg#``
    signs = [card.suit.sign, *(own + each for each in card.art.get("emblems", ()))]
    above, below = panel.down(0.0, 0.5), panel.down(0.49 + 0.04 * len(signs), 1.0)
    middle = panel.y + panel.height * 0.515
    marks = seal(card.seal, panel.middle, middle, 6.2) if card.red else _knot(panel.middle, middle, panel.width)
    high = below.height / len(signs)
    parts = (
        sign_of(sign).fitted(below.middle, below.y + high * (place + 0.5), panel.width * 0.8, high * 0.74)
        for place, sign in enumerate(signs)
    )
    return drawing(rules(panel, ink="red" if card.red else "black"), _upper(card, above, own), *parts, marks)


def _upper(card: Card, frame: Frame, own: str) -> Drawing:
    wide = min(frame.width * 0.375, frame.height * 0.34)
    text = card.art.get("upper", "")
    if text:
        size = min(wide, frame.height * 0.38 / len(text))
        top = frame.centre - 0.6 - size * 1.06 * (len(text) - 1)
        signs = (sign_of(f"{own}brush-{each}") for each in text)
        return drawing(sign.at(frame.middle, top + 2.12 * size * k, size) for k, sign in enumerate(signs))
    numeral = sign_of(f"{own}numeral-{card.index}").scaled(wide, min(wide * 1.8, frame.height * 0.42))
    return numeral.moved(frame.middle, frame.centre)


def _knot(x: float, y: float, width: float) -> Drawing:
    """A fine rule with a lozenge, between the number and its suit."""
    reach = width * 0.32
    return drawing(
        line((x - reach, y), (x - 1.3, y), width=0.25),
        line((x + 1.3, y), (x + reach, y), width=0.25),
        line((x - 0.7, y), (x, y - 0.7), (x + 0.7, y), (x, y + 0.7), (x - 0.7, y), width=0.25),
    )


def ming(card: Card, frame: Frame) -> Drawing:
    """An amount, and under it coins, strings or the hero who stands for it."""
    panel = frame.inside(1.5)
    below = Frame(panel.x, panel.y + HEADING, panel.width, panel.height - HEADING)
    ink = "red" if card.red else "black"
    border = drawing(rules(panel, 0.8, ink), _corners(panel) if card.red else ())
    return drawing(border, _heading(card, panel, ink), _picture(card, below.inside(1.2)))


def _corners(panel: Frame) -> Drawing:
    """Filled lower corners, which tell a red card from the others where colours are not seen."""
    x, y, reach = panel.x + 0.4, panel.y + panel.height - 0.4, 3.4
    corner = drawing(polygon([(x, y - reach), (x + reach, y), (x, y)], fill="red"))
    return drawing(corner, corner.mirrored(panel.middle))


def _heading(card: Card, panel: Frame, ink: str) -> Drawing:
    """White on a plaque, as the amount stands on a bank note; the plaque of a red card has a white rim."""
    text = card.art["head"]
    size = min(4.6, (panel.width - 1.8) / len(text))
    plaque = Frame(panel.x, panel.y, panel.width, HEADING)
    rim = drawing(outline(plaque.inside(0.55), 0.5, line="paper", width=0.28)) if card.red else ()
    written = row(text, plaque.middle, plaque.centre + size * 0.37, size, typeface("zh-Hant", BLACK), "paper")
    return drawing(outline(plaque, 0.8, fill=ink), rim, written)


def _picture(card: Card, frame: Frame) -> Drawing:
    if "figure" in card.art:
        return _hero(card, frame)
    picture = card.art.get("picture", "")
    if picture == "nothing":
        return drawing(shared("ornaments")["purse"].moved(frame.middle, frame.centre - 2), _sealed(card, frame))
    if picture:
        stem = sign_of(picture).at(frame.middle, frame.centre + 1.5, min(frame.width / 2.4, frame.height / 5.6))
        return drawing(stem, _sealed(card, frame))
    return _money(card, frame)


def _money(card: Card, frame: Frame) -> Drawing:
    count = int(card.index)
    if card.suit.sign == "string":
        rows = THREE_ACROSS[count - 1]
        room = frame.down(0.0, 0.87) if card.seal else frame
        across = frame.width / max(rows) * 0.98
        size = min(room.height / len(rows) * 0.47, across * 0.98, 13.0)
        one = sign_of("string").reinked({"paper": "red"}) if card.red else sign_of("string")
        return drawing(in_rows(one, rows, room, size, min(across, size * 1.25)), _sealed(card, frame))
    rows = TWO_ACROSS[count - 1]
    room = frame.down(0.0, 0.88) if card.seal else frame
    size = min(room.height / len(rows) * 0.46, frame.width / max(rows) * 0.47, 6.6)
    one = sign_of("red-cash" if card.red else "cash")
    return drawing(in_rows(one, rows, room, size, frame.width * 0.5), _sealed(card, frame))


def _sealed(card: Card, frame: Frame) -> Drawing:
    return _stamp(card, frame.middle, frame.y + frame.height - 2.6, 5.2) if card.seal else drawing()


def _stamp(card: Card, x: float, y: float, size: float) -> Drawing:
    """A card's seal: red on red cards, an outline on the others."""
    return seal(card.seal, x, y, size, "red" if card.red else "paper")


def _hero(card: Card, frame: Frame) -> Drawing:
    """The figure on its ground, its name beneath, a seal on the cards that have one."""
    art = card.art
    one = figure(art["hat"], art["beard"], art["robe"], art["arms"])
    plate = 5.4
    room = frame.height - plate - 1.0
    size = min(frame.width / 19.2, room / 41.0)
    foot = frame.y + room
    ground = shared("ornaments")["ground"].scaled(frame.width / GROUND, 1.0).moved(frame.middle, foot)
    spare = room - 41.0 * size
    sky = _clouds(frame, spare) if spare > 6 else ()
    if int(card.place) % 2:
        one = one.mirrored(0)
    lean = 0.55 if int(card.place) % 2 else -0.55
    person = one.scaled(size).moved(frame.middle + lean, foot - 40.0 * size)
    return drawing(sky, ground, person, _name(art["figure"], frame, plate), _badge(card, frame, spare))


def _name(text: str, frame: Frame, height: float) -> Drawing:
    """The name on a plate with a red point at both sides, at the foot of the frame."""
    top, size = frame.bottom - height, 3.8
    half = len(text) * size / 2 + 0.9
    plate = rectangle(
        frame.middle - half, top + 0.3, 2 * half, height - 0.4, 0.7, fill="paper", line="black", width=0.3
    )
    x, y = frame.middle + half, top + height / 2
    wing = drawing(polygon([(x, y - 0.8), (x + 1.3, y + 0.1), (x, y + 1.0)], fill="red"))
    written = row(text, frame.middle, y + 0.1 + size * 0.37, size, typeface("zh-Hant", BOLD))
    return drawing(plate, wing.mirrored(frame.middle), wing, written)


def _badge(card: Card, frame: Frame, spare: float) -> Drawing:
    if not card.seal:
        return drawing()
    if spare > 6:
        return _stamp(card, frame.middle, frame.y + spare * 0.48, 6.0 if len(card.seal) == 1 else 4.6)
    side = 1.7 if card.place % 2 == 0 else frame.width - 1.7
    return _stamp(card, frame.x + side, frame.y + (2.2 if len(card.seal) == 1 else 3.6), 3.9)


def _clouds(frame: Frame, height: float) -> Drawing:
    """Cloud bands over the figure where there is room."""
    places = [(0.22, 0.3, 1.0), (0.74, 0.22, 0.85), (0.3, 0.78, 0.85), (0.8, 0.7, 1.0)]
    cloud = shared("ornaments")["cloud"]
    return drawing(cloud.at(frame.x + x * frame.width, frame.y + y * height, size) for x, y, size in places)


def in_rows(
    sign: Drawing, rows: Sequence[int], frame: Frame, size: float, across: float, turn: bool = False
) -> Drawing:
    """A sign of radius ``size`` as often as each row says, ``across`` millimetres from its neighbour in the row.

    Where they ``turn``, those in the lower half stand on their heads."""
    parts: list[Drawing] = []
    step = frame.height / len(rows)
    for place, count in enumerate(rows):
        y = frame.y + step * (place + 0.5)
        one = sign.turned(180) if turn and y > frame.centre + 0.01 else sign
        parts += [one.at(frame.middle + across * (spot - (count - 1) / 2), y, size) for spot in range(count)]
    return drawing(*parts)


def rules(frame: Frame, corner: float = 1.2, ink: str = "black") -> Drawing:
    """A strong rule and a fine one inside it."""
    inner = outline(frame.inside(0.75), max(corner - 0.6, 0.0), line=ink, width=0.25)
    return drawing(outline(frame, corner, line=ink, width=0.5), inner)


# Dominoes


RED = (1, 4)
PIP, GAP = 1.95, 0.56
"""Largest radius of a pip, and the least paper between two, in millimetres: at arm's length they can be counted."""

CLASP = 18.8  # width in millimetres of the panel that the drawing of the clasp is made for

_SPOTS = {
    2: ((-0.56, 0.0), (0.56, 0.0)),
    3: ((-0.69, -0.56), (0.0, 0.0), (0.69, 0.56)),
    4: ((-0.56, -0.5), (0.56, -0.5), (-0.56, 0.5), (0.56, 0.5)),
    5: ((-0.65, -0.56), (0.65, -0.56), (0.0, 0.0), (-0.65, 0.56), (0.65, 0.56)),
    6: ((-0.5, -0.78), (0.5, -0.78), (-0.5, 0.0), (0.5, 0.0), (-0.5, 0.78), (0.5, 0.78)),
}
"""The places of the pips; the units are about half a domino's width and height."""


def dominoes(card: Card, frame: Frame) -> Drawing:
    """Pips at both ends, coloured as on dominoes, with their name or a seal between them."""
    panel = frame.inside(1.6)
    first, second = card.art["pips"]
    length = min(0.35 * panel.height, 24.0)
    end = _end(first, second, panel.width, length)
    top = end.moved(panel.middle, panel.y + 1.2)
    rest = Frame(panel.x, panel.y + length + 1.2, panel.width, panel.height - 2 * length - 2.4)
    return drawing(rules(panel), top, top.turned(180, panel.middle, panel.centre), _plaque(card, rest))


def _end(first: int, second: int, width: float, length: float) -> Drawing:
    """Both numbers, one above the other, in a place of this size whose upper middle is the origin."""
    both_six = first == second == 6
    half = length / 2
    upper = _pips(first, width, half, both_six).moved(0, half / 2)
    return drawing(upper, _pips(second, width, half, both_six).moved(0, half * 1.5))


def _pips(number: int, width: float, height: float, half_red: bool) -> Drawing:
    if number == 1:
        return shared("ornaments")["great-pip"].at(0, 0, PIP)
    across, down = min(width * 0.3, 4.9), height * 0.41
    spots = [(x * across, y * down) for x, y in _SPOTS[number]]
    edge = height / 2 - max(y for _, y in spots)  # to the other number
    size = min(PIP, (min(dist(one, other) for one, other in combinations(spots, 2)) - GAP) / 2, edge - GAP / 2)
    black, red = shared("ornaments")["pip"], shared("ornaments")["red-pip"]
    return drawing((red if number in RED or (half_red and x < 0) else black).at(x, y, size) for x, y in spots)


def _plaque(card: Card, frame: Frame) -> Drawing:
    """The name from above downwards between two clasps, a seal over it on the supreme cards."""
    name = card.names["zh-Hant"]
    size = min(7.2 if len(name) == 1 else 5.2 if len(name) == 2 else 4.4, (frame.height - 6.0) / (len(name) * 1.05))
    text = column(
        name, frame.middle, frame.centre - size * (1.04 * (len(name) - 1) + 1) / 2, size, typeface("zh-Hant", BLACK)
    )
    half = size * (1.04 * (len(name) - 1) + 1) / 2 + 1.2
    clasp = shared("ornaments")["clasp"].scaled(frame.width / CLASP, 1.0)
    clasp = clasp.moved(frame.middle, frame.centre - half - 0.6)
    mark = seal(card.seal, frame.right - 3.0, frame.centre, 3.9) if card.seal else ()
    return drawing(clasp, clasp.turned(180, frame.middle, frame.centre), text, mark)
