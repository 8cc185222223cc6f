"""Money cards of the Ming kind: the amount in a heading; under it coins, strings of coins, or a hero of the tales."""

from tefuda.decks.data import Card
from tefuda.decks.fonts import BLACK, BOLD, typeface
from tefuda.decks.frame import Frame
from tefuda.decks.glyphs import row
from tefuda.decks.painters.rows import COLUMNS_OF_THREE, COLUMNS_OF_TWO, in_rows, rules
from tefuda.decks.shapes import (
    Drawing,
    at,
    brush,
    circle,
    curve,
    drawing,
    line,
    mirrored,
    moved,
    polygon,
    rectangle,
    reinked,
    ring,
    scaled,
)
from tefuda.decks.signs import sign_of
from tefuda.decks.signs.money import red_cash
from tefuda.decks.signs.people import figure
from tefuda.decks.signs.plain import chop

HEADING = 6.6
"""Height of the heading in millimetres."""


def paint(card: Card, frame: Frame) -> Drawing:
    """An amount, and under it coins, strings or the hero who stands for it."""
    panel = frame.inside(1.5)
    below = Frame(panel.x, panel.y + HEADING, panel.width, panel.height - HEADING)
    ink = "red" if card.red else "black"
    border = drawing(rules(panel, 0.8, ink), _corners(panel) if card.red else ())
    return drawing(border, _heading(card, panel, ink), _picture(card, below.inside(1.2)))


def _corners(panel: Frame) -> Drawing:
    """What tells a red card from the others where colours are not seen: its lower corners are filled."""
    x, y, reach = panel.x + 0.4, panel.y + panel.height - 0.4, 3.4
    corner = drawing(polygon([(x, y - reach), (x + reach, y), (x, y)], fill="red"))
    return drawing(corner, mirrored(corner, panel.middle))


def _heading(card: Card, panel: Frame, ink: str) -> Drawing:
    """White on a plaque, as the amount stands on a bank note; the plaque of a red card has a white rim."""
    text = card.art["head"]
    size = min(4.6, (panel.width - 1.8) / len(text))
    plaque = drawing(rectangle(panel.x, panel.y, panel.width, HEADING, 0.8, fill=ink))
    if card.red:
        rim = panel.x + 0.55, panel.y + 0.55, panel.width - 1.1, HEADING - 1.1
        plaque = drawing(plaque, rectangle(*rim, 0.5, line="paper", width=0.28))
    return drawing(
        plaque, row(text, panel.middle, panel.y + HEADING / 2 + size * 0.37, size, typeface("zh-Hant", BLACK), "paper")
    )


def _picture(card: Card, frame: Frame) -> Drawing:
    if "figure" in card.art:
        return _hero(card, frame)
    picture = card.art.get("picture", "")
    if picture == "nothing":
        return _nothing(card, frame)
    if picture:
        stem = at(sign_of(picture), frame.middle, frame.centre + 1.5, min(frame.width / 2.4, frame.height / 5.6))
        return drawing(stem, _sealed(card, frame))
    return _money(card, frame)


def _money(card: Card, frame: Frame) -> Drawing:
    count = int(card.index)
    if card.suit.sign == "string":
        rows = COLUMNS_OF_THREE[count]
        room = frame.down(0.0, 0.87) if card.seal else frame
        across = frame.width / max(rows) * 0.98
        size = min(room.height / len(rows) * 0.47, across * 0.98, 13.0)
        one = reinked(sign_of("string"), {"paper": "red"}) if card.red else sign_of("string")
        return drawing(in_rows(one, rows, room, size, min(across, size * 1.25)), _sealed(card, frame))
    rows = COLUMNS_OF_TWO[count]
    room = frame.down(0.0, 0.88) if card.seal else frame
    size = min(room.height / len(rows) * 0.46, frame.width / max(rows) * 0.47, 6.6)
    one = red_cash() if card.red else sign_of("cash")
    return drawing(in_rows(one, rows, room, size, frame.width * 0.5), _sealed(card, frame))


def _sealed(card: Card, frame: Frame) -> Drawing:
    return _stamp(card, frame.middle, frame.y + frame.height - 2.6, 5.2) if card.seal else ()


def _stamp(card: Card, x: float, y: float, size: float) -> Drawing:
    """A card's seal: red on red cards, an outline on the others."""
    return chop(x, y, card.seal, size, "red" if card.red else "paper")


def _nothing(card: Card, frame: Frame) -> Drawing:
    """No cash at all: an empty purse."""
    x, y = frame.middle, frame.centre - 2
    purse = curve(
        [
            (x - 2.2, y - 4),
            (x - 5.6, y + 1),
            (x - 6.2, y + 6),
            (x, y + 8.6),
            (x + 6.2, y + 6),
            (x + 5.6, y + 1),
            (x + 2.2, y - 4),
        ],
        closed=True,
        fill="paper",
        line="black",
        width=0.55,
    )
    mouth = [
        brush([(x + s * 0.4, y - 4), (x + s * 2.6, y - 7.6), (x + s * 4.2, y - 8.8)], [1.0, 1.5, 0.3]) for s in (-1, 1)
    ]
    cord = drawing(
        brush([(x - 2.8, y - 4.2), (x, y - 3.6), (x + 2.8, y - 4.2)], [1.0, 1.2, 1.0], fill="red"),
        brush([(x + 2.4, y - 4), (x + 4.6, y - 2), (x + 4.0, y + 1)], [0.6, 0.7, 0.1], fill="red"),
    )
    hole = drawing(ring(x, y + 3.4, 2.5, 2.2), line((x - 1.8, y + 5.2), (x + 1.8, y + 1.6), width=0.3))
    folds = [brush([(x + s * 1.2, y - 2.6), (x + s * 3.6, y + 1.6)], [0.5, 0.1]) for s in (-1, 1)]
    return drawing(purse, *mouth, *folds, cord, hole, _sealed(card, frame))


def _hero(card: Card, frame: Frame) -> Drawing:
    """The figure on its ground, its name beneath, a seal on the cards that have one."""
    art = card.art
    one = figure(art["hat"], art["beard"], art["robe"], art["arms"])
    plate = 5.4
    room = frame.height - plate - 1.0
    size = min(frame.width / 19.2, room / 41.0)
    foot = frame.y + room
    ground = drawing(
        brush(
            [(frame.x + 0.6, foot), (frame.middle, foot - 0.35), (frame.x + frame.width - 0.6, foot)], [0.2, 0.7, 0.2]
        )
    )
    spare = room - 41.0 * size
    sky = _clouds(frame, spare) if spare > 6 else ()
    if int(card.place) % 2:
        one = mirrored(one, 0)
    lean = 0.55 if int(card.place) % 2 else -0.55
    person = moved(scaled(one, size), frame.middle + lean, foot - 40.0 * size)
    return drawing(sky, ground, person, _name(art["figure"], frame, plate), _badge(card, frame, spare))


def _name(text: str, frame: Frame, height: float) -> Drawing:
    top = frame.y + frame.height - height
    size = 3.8
    half = len(text) * size / 2 + 0.9
    plate = rectangle(
        frame.middle - half, top + 0.3, 2 * half, height - 0.4, 0.7, fill="paper", line="black", width=0.3
    )
    wings = [
        polygon(
            [
                (frame.middle + s * half, top + height / 2 - 0.8),
                (frame.middle + s * (half + 1.3), top + height / 2 + 0.1),
                (frame.middle + s * half, top + height / 2 + 1.0),
            ],
            fill="red",
        )
        for s in (-1, 1)
    ]
    return drawing(
        plate, *wings, row(text, frame.middle, top + height / 2 + 0.1 + size * 0.37, size, typeface("zh-Hant", BOLD))
    )


def _badge(card: Card, frame: Frame, spare: float) -> Drawing:
    if not card.seal:
        return ()
    if spare > 6:
        return _stamp(card, frame.middle, frame.y + spare * 0.48, 6.0 if len(card.seal) == 1 else 4.6)
    side = 1.7 if card.place % 2 == 0 else frame.width - 1.7
    return _stamp(card, frame.x + side, frame.y + (2.2 if len(card.seal) == 1 else 3.6), 3.9)


def _clouds(frame: Frame, height: float) -> Drawing:
    """Cloud bands over the figure where there is room."""
    curl = drawing(
        brush(
            [(-3.6, 0.8), (-1.4, 0.6), (0.6, 0.9), (1.5, 0.0), (0.8, -0.9), (-0.1, -0.4), (0.1, 0.2)],
            [0.1, 0.5, 0.6, 0.55, 0.5, 0.4, 0.1],
        ),
        circle(2.7, 0.8, 0.28),
    )
    places = [(0.22, 0.3, 1.0), (0.74, 0.22, 0.85), (0.3, 0.78, 0.85), (0.8, 0.7, 1.0)]
    return drawing(*(at(curl, frame.x + x * frame.width, frame.y + y * height, size) for x, y, size in places))
