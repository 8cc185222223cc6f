"""Cards of the Japanese pattern: signs that fill the card to its edge, and colour dropped on them by hand."""

from collections.abc import Callable, Mapping

from tefuda.decks.data import Card
from tefuda.decks.frame import Frame
from tefuda.decks.shapes import Drawing, at, box, drawing, fitted, line, moved, rectangle, scaled, turned
from tefuda.decks.signs import sign_of
from tefuda.decks.signs.latin import blot, drum, flame, tongs
from tefuda.decks.signs.people import figure
from tefuda.decks.signs.people.riders import rider
from tefuda.decks.signs.plain import chop

COURT = 10
"""The first rank that is a person."""


def paint(card: Card, frame: Frame) -> Drawing:
    """Signs of the Japanese export pattern: batons, swords, coins and cups, with blots of colour."""
    panel = frame.inside(1.4)
    picture = _court(card, panel) if card.place >= COURT else _number(card, panel)
    mark = chop(panel.x + panel.width - 2.4, panel.centre, card.seal, 4.2) if card.seal else ()
    border = rectangle(panel.x, panel.y, panel.width, panel.height, 0.8, line="black", width=0.45)
    return drawing(_washes(card, panel), picture, border, mark)


def _washes(card: Card, frame: Frame) -> Drawing:
    """Ochre under the lines and red beside them, never twice in the same place."""
    turn = card.place * 5 + len(card.suit.sign)
    spots = ((0.3, 0.3), (0.68, 0.7), (0.62, 0.24), (0.34, 0.78))
    parts = []
    for place in range(2):
        x, y = spots[(turn + 2 * place) % 4]
        drop = turned(blot(turn + place, "ochre"), 40 * (turn + place) % 360)
        parts.append(at(drop, frame.x + x * frame.width, frame.y + y * frame.height, frame.width * 0.19))
    return drawing(*parts)


def _number(card: Card, frame: Frame) -> Drawing:
    if card.place == 1:
        return _ace(card, frame)
    own = _OWN.get((card.suit.sign, card.place))
    if own is not None and card.seal:
        return own(frame)
    return _LAYOUTS[card.suit.sign](card.place, frame)


def _ace(card: Card, frame: Frame) -> Drawing:
    """One sign as large as the card, a flame behind it."""
    size = min(frame.width * 0.36, frame.height * 0.4)
    sign = fitted(sign_of(card.suit.sign), frame.middle, frame.centre, frame.width * 0.66, frame.height * 0.86)
    return drawing(at(flame(), frame.middle, frame.centre, size * (1.22 if card.seal else 0.7)), sign)


def _bars(count: int, frame: Frame) -> Drawing:
    """Batons upright side by side, in one row or two."""
    rows = [count] if count <= 4 else [count - count // 2, count // 2]
    height = frame.height / len(rows)
    parts = []
    for place, number in enumerate(rows):
        size = min(height * 0.46, frame.width / number / 0.66)
        step = min(frame.width / (number + 0.4), size * 0.8)
        y = frame.y + height * (place + 0.5)
        one = scaled(sign_of("baton"), min(size * 0.8, step * 1.7), height * 0.45)
        parts += [
            moved(turned(one, 180) if (place + spot) % 2 else one, frame.middle + step * (spot - (number - 1) / 2), y)
            for spot in range(number)
        ]
    band = line((frame.x + 2.0, frame.centre), (frame.x + frame.width - 2.0, frame.centre), ink="red", width=1.3)
    return drawing(*parts, band)


def _blades(count: int, frame: Frame) -> Drawing:
    """Swords leaning side by side."""
    rows = [count] if count <= 4 else [count - count // 2, count // 2]
    height = frame.height / len(rows)
    parts = []
    for place, number in enumerate(rows):
        size = min(height * 0.47, frame.width / number * 0.86)
        step = min(frame.width / (number + 0.3), size * 1.1)
        one = scaled(sign_of("sword"), min(size, step * 1.15), height * 0.46)
        y = frame.y + height * (place + 0.5)
        one = turned(one, 180) if place else one
        parts += [moved(one, frame.middle + step * (spot - (number - 1) / 2), y) for spot in range(number)]
    return drawing(*parts)


def _grid(sign: str, count: int, frame: Frame) -> Drawing:
    """Coins and cups in columns, those below on their heads."""
    rows = {2: (1, 1), 3: (1, 1, 1), 4: (2, 2), 5: (2, 1, 2), 6: (2, 2, 2), 7: (2, 3, 2), 8: (3, 2, 3), 9: (3, 3, 3)}[
        count
    ]
    height = frame.height / len(rows)
    size = min(height * 0.43, frame.width / max(rows) * 0.45)
    parts = []
    for place, number in enumerate(rows):
        y = frame.y + height * (place + 0.5)
        one = turned(sign_of(sign), 180) if y > frame.centre + 0.1 else sign_of(sign)
        parts += [
            at(one, frame.middle + frame.width / max(rows) * (spot - (number - 1) / 2), y, size)
            for spot in range(number)
        ]
    return drawing(*parts)


_LAYOUTS: Mapping[str, Callable[[int, Frame], Drawing]] = {
    "baton": _bars,
    "sword": _blades,
    "oru": lambda count, frame: _grid("oru", count, frame),
    "cup": lambda count, frame: _grid("cup", count, frame),
}


def _drums(frame: Frame) -> Drawing:
    size = min(frame.width * 0.36, frame.height * 0.235)
    return drawing(*(at(drum(), frame.middle, frame.y + frame.height * y, size) for y in (0.26, 0.74)))


def _fire_tongs(frame: Frame) -> Drawing:
    size = frame.height * 0.45
    return drawing(
        *(
            moved(scaled(tongs(), frame.width * 0.42, size), frame.middle + x * frame.width * 0.28, frame.centre)
            for x in (-1, 0, 1)
        )
    )


_OWN: Mapping[tuple[str, int], Callable[[Frame], Drawing]] = {("oru", 2): _drums, ("baton", 3): _fire_tongs}


def _court(card: Card, frame: Frame) -> Drawing:
    """A person with the sign of the suit; some ride."""
    art = card.art
    who = figure(art["hat"], art["beard"], art["robe"], art["arms"])
    if art.get("horse"):
        who = rider(who)
    left, _, right, _ = box(who)
    middle = frame.middle + frame.width * (0.05 if art.get("horse") else 0.1)
    widest = min((frame.x + frame.width - 0.4 - middle) / right, (middle - frame.x - 0.4) / -left)
    high = (frame.height - 1.0) / 40.6 * (1.12 if art.get("horse") else 1.0)  # a rider's head is lower
    size = min(widest, high, frame.width / 17.0)
    person = moved(scaled(who, size), middle, frame.y + frame.height - 40.2 * size - 0.6)
    sign = sign_of(card.suit.sign)
    high = frame.height * (0.15 if card.place < COURT + 2 else 0.17)
    return drawing(
        person,
        fitted(sign, frame.x + frame.width * 0.17, frame.y + frame.height * 0.24, frame.width * 0.26, high * 1.8),
    )
