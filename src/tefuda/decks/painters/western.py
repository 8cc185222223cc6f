"""Cards of Europe and what became of them: French-suited ones, and those of the Japanese pattern.

French-suited cards have pips where players expect them, courts in two halves, emblems on cards with a part of their
own. On Japanese ones the signs fill the card to its edge, and colour is dropped on them by hand."""

from collections.abc import Callable, Mapping, Sequence
from math import cos, radians, sin

from tefuda.decks.artwork import WAIST, figure, rider, seal, shared, sign_of
from tefuda.decks.data import Card
from tefuda.decks.painters.chinese import THREE_ACROSS, in_rows
from tefuda.decks.shapes import Drawing, Frame, curve, drawing, line, outline

WIDEST = 39.0  # millimetres of a card's width that pips and courts use at most
PIP = 6.0  # radius of a pip in millimetres on a card 57 mm wide

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


def french(card: Card, frame: Frame) -> Drawing:
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
        return drawing(sign.at(panel.middle, panel.centre, size), _seal(card, panel))
    spots = _SPOTS[int(card.index)]
    size = min(PIP, panel.width * 0.165)
    across, down = panel.width * 0.3, panel.height * 0.39
    parts = [
        (sign.turned(180) if y > 0.01 else sign).at(panel.middle + x * across, panel.centre + y * down, size)
        for x, y in spots
    ]
    middle = sign_of(emblem).at(panel.middle, panel.centre, panel.width * 0.15) if emblem else ()
    return drawing(*parts, middle, _seal(card, panel))


def _seal(card: Card, panel: Frame) -> Drawing:
    return seal(card.seal, panel.middle, panel.y + panel.height * 0.965, panel.width * 0.13) if card.seal else drawing()


def _court(card: Card, sign: Drawing, panel: Frame) -> Drawing:
    """A half figure and the same turned round; between them a sash, or the emblem."""
    art = card.art
    half = panel.height / 2
    size = min(panel.width / 18.5, (half - 1.6) / WAIST)
    whole = figure(art["hat"], art["beard"], art["robe"], art["arms"])
    bust = whole.above(WAIST).scaled(size).moved(panel.middle, panel.centre - WAIST * size)
    pip = sign.at(panel.x + 4.4, panel.y + 5.0, 2.9)
    upper = drawing(bust, pip)
    middle = _waist(card, panel)
    frame = drawing(
        outline(panel, 1.2, line="black", width=0.4), outline(panel.inside(0.8), 0.8, line="black", width=0.2)
    )
    return drawing(upper, upper.turned(180, panel.middle, panel.centre), middle, frame)


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
        return drawing(band, sign_of(emblem).at(panel.middle, panel.centre, 6.4), *seals)
    step, rosette = panel.width / 4.4, shared("french")["rosette"]
    return drawing(
        band, *(rosette.at(panel.middle + step * place, panel.centre, 2.7) for place in (-1.5, -0.5, 0.5, 1.5))
    )


# The Japanese pattern


COURT = 10  # the first rank that is a person


def mekuri(card: Card, frame: Frame) -> Drawing:
    """Signs of the Japanese export pattern: batons, swords, coins and cups, with blots of colour."""
    panel = frame.inside(1.4)
    picture = _person(card, panel) if card.place >= COURT else _number(card, panel)
    mark = seal(card.seal, panel.right - 2.4, panel.centre, 4.2) if card.seal else ()
    border = outline(panel, 0.8, line="black", width=0.45)
    return drawing(_washes(card, panel), picture, border, mark)


def _washes(card: Card, frame: Frame) -> Drawing:
    """Ochre under the lines and red beside them, never twice in the same place."""
    turn = card.place * 5 + len(card.suit.sign)
    spots = ((0.3, 0.3), (0.68, 0.7), (0.62, 0.24), (0.34, 0.78))
    parts = []
    for place in range(2):
        x, y = spots[(turn + 2 * place) % 4]
        drop = _blot(turn + place).turned(40 * (turn + place) % 360)
        parts.append(drop.at(frame.x + x * frame.width, frame.y + y * frame.height, frame.width * 0.19))
    return drawing(*parts)


def _blot(kind: int) -> Drawing:
    """A drop of ochre of about radius 1, as it fell."""
    spots = [
        (radians(30 * place), 1 + 0.09 * sin(place * (2.3 + kind % 3)) + 0.06 * cos(place * 1.7 + kind))
        for place in range(12)
    ]
    return drawing(
        curve([(size * cos(angle), 0.86 * size * sin(angle)) for angle, size in spots], closed=True, fill="ochre")
    )


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
    sign = sign_of(card.suit.sign).fitted(frame.middle, frame.centre, frame.width * 0.66, frame.height * 0.86)
    return drawing(shared("latin")["flame"].at(frame.middle, frame.centre, size * (1.22 if card.seal else 0.7)), sign)


def _bars(count: int, frame: Frame) -> Drawing:
    """Batons upright side by side, in one row or two, every second one on its head."""
    parts: list[Drawing] = []
    for place, (number, row) in enumerate(_halves(count, frame)):
        size = min(row.height * 0.46, row.width / number / 0.66)
        step = min(row.width / (number + 0.4), size * 0.8)
        one = sign_of("baton").scaled(min(size * 0.8, step * 1.7), row.height * 0.45)
        parts += _beside([one.turned(180) if (place + spot) % 2 else one for spot in range(number)], step, row)
    band = line((frame.x + 2.0, frame.centre), (frame.right - 2.0, frame.centre), ink="red", width=1.3)
    return drawing(*parts, band)


def _blades(count: int, frame: Frame) -> Drawing:
    """Swords leaning side by side, in one row or two, those below on their heads."""
    parts: list[Drawing] = []
    for place, (number, row) in enumerate(_halves(count, frame)):
        size = min(row.height * 0.47, row.width / number * 0.86)
        step = min(row.width / (number + 0.3), size * 1.1)
        one = sign_of("sword").scaled(min(size, step * 1.15), row.height * 0.46).turned(180 * place)
        parts += _beside([one] * number, step, row)
    return drawing(*parts)


def _halves(count: int, frame: Frame) -> list[tuple[int, Frame]]:
    """The numbers of one row up to four, of two beyond, and their parts of the frame."""
    numbers = [count] if count <= 4 else [count - count // 2, count // 2]
    share = 1 / len(numbers)
    return [(number, frame.down(place * share, (place + 1) * share)) for place, number in enumerate(numbers)]


def _beside(signs: list[Drawing], step: float, frame: Frame) -> list[Drawing]:
    """Signs side by side in the middle of a frame, a step apart."""
    first = frame.middle - step * (len(signs) - 1) / 2
    return [sign.moved(first + step * spot, frame.centre) for spot, sign in enumerate(signs)]


def _grid(sign: str, count: int, frame: Frame) -> Drawing:
    """Coins and cups in columns, those below on their heads."""
    rows = {3: (1, 1, 1), 6: (2, 2, 2)}.get(count, THREE_ACROSS[count - 1])
    across = frame.width / max(rows)
    size = min(frame.height / len(rows) * 0.43, across * 0.45)
    return in_rows(sign_of(sign), rows, frame, size, across, turn=True)


_LAYOUTS: Mapping[str, Callable[[int, Frame], Drawing]] = {
    "baton": _bars,
    "sword": _blades,
    "oru": lambda count, frame: _grid("oru", count, frame),
    "cup": lambda count, frame: _grid("cup", count, frame),
}


def _drums(frame: Frame) -> Drawing:
    size = min(frame.width * 0.36, frame.height * 0.235)
    return drawing(shared("latin")["drum"].at(frame.middle, frame.y + frame.height * y, size) for y in (0.26, 0.74))


def _fire_tongs(frame: Frame) -> Drawing:
    rod = shared("latin")["tongs"].scaled(frame.width * 0.42, frame.height * 0.45)
    return drawing(rod.moved(frame.middle + x * frame.width * 0.28, frame.centre) for x in (-1, 0, 1))


_OWN: Mapping[tuple[str, int], Callable[[Frame], Drawing]] = {("oru", 2): _drums, ("baton", 3): _fire_tongs}


def _person(card: Card, frame: Frame) -> Drawing:
    """A person with the sign of the suit; some ride."""
    art = card.art
    who = figure(art["hat"], art["beard"], art["robe"], art["arms"])
    if art.get("horse"):
        who = rider(who)
    left, _, right, _ = who.box()
    middle = frame.middle + frame.width * (0.05 if art.get("horse") else 0.1)
    widest = min((frame.x + frame.width - 0.4 - middle) / right, (middle - frame.x - 0.4) / -left)
    high = (frame.height - 1.0) / 40.6 * (1.12 if art.get("horse") else 1.0)  # a rider's head is lower
    size = min(widest, high, frame.width / 17.0)
    person = who.scaled(size).moved(middle, frame.y + frame.height - 40.2 * size - 0.6)
    sign = sign_of(card.suit.sign)
    high = frame.height * (0.15 if card.place < COURT + 2 else 0.17)
    return drawing(
        person, sign.fitted(frame.x + frame.width * 0.17, frame.y + frame.height * 0.24, frame.width * 0.26, high * 1.8)
    )
