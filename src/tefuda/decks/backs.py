"""Backs: a pattern that looks the same upside down.

On cards to be cut out at home it stands inside a margin of paper, so that a cut a little off does not show. With bleed,
for printers, it runs beyond the cut.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from math import cos, radians, sin, sqrt

from tefuda.decks.data import Deck, choose
from tefuda.decks.faces import corner_of
from tefuda.decks.frame import Frame
from tefuda.decks.shapes import (
    Command,
    Drawing,
    Shape,
    at,
    circle,
    curve,
    drawing,
    framed,
    moved,
    rectangle,
    scaled,
    turned,
)

MARGIN = 1.6
"""Millimetres of paper round the pattern."""


def back(deck: Deck, saving: bool = False, size: tuple[float, float] | None = None, bleed: float = 0.0) -> Drawing:
    """A deck's back, the upper left corner of the card at the origin.

    Args:
        deck: whose back.
        saving: lines instead of a dark ground, to save ink.
        size: width and height in millimetres; by default as in life.
        bleed: millimetres beyond the cut, all of them covered by the pattern.
    """
    width, height = size or deck.size
    ink, ground = ("black", "paper") if saving else ("paper", "black")
    pattern = choose(PATTERNS, deck.back, f"back of {deck.name}")
    if bleed:
        whole = Frame(0, 0, width, height).inside(-bleed)
        return drawing(rectangle(whole.x, whole.y, whole.width, whole.height, fill=ground), pattern(whole, ink, ground))
    frame = Frame(0, 0, width, height).inside(MARGIN)
    corner = max(corner_of(deck, (width, height)) - MARGIN * 0.6, 0.5)
    field = rectangle(frame.x, frame.y, frame.width, frame.height, corner, fill="black")
    if saving:
        field = field.inked(line="black", width=0.4)
    return drawing(field, pattern(frame.inside(0.9), ink, ground))


def _coins(frame: Frame, ink: str, ground: str) -> Drawing:
    """Seven treasures: petals between which coins appear."""
    across = max(2, round(frame.width / 4.6))
    step = frame.width / across
    down = max(1, round(frame.height / step))
    petal = drawing(
        curve([(0, 0), (step / 2, -step * 0.2), (step, 0), (step / 2, step * 0.2)], closed=True, line=ink, width=0.22)
    )
    upright = turned(petal, 90)
    parts = [at(petal, x * step, y * step) for x in range(across) for y in range(1, down)]
    parts += [at(upright, x * step, y * step) for x in range(1, across) for y in range(down)]
    hole = drawing(rectangle(-0.5, -0.5, 1.0, 1.0, line=ink, width=0.2))
    parts += [at(hole, (x + 0.5) * step, (y + 0.5) * step) for x in range(across) for y in range(down)]
    return _stretched(drawing(*parts), frame, down * step)


def _lattice(frame: Frame, ink: str, ground: str) -> Drawing:
    """The window of a study: squares in squares, tied together."""
    across = max(2, round(frame.width / 6.0))
    step = frame.width / across
    down = max(1, round(frame.height / step))
    h = step / 2
    pane = drawing(
        rectangle(-h, -h, step, step, line=ink, width=0.3),
        rectangle(-h * 0.52, -h * 0.52, h * 1.04, h * 1.04, line=ink, width=0.3),
        *(
            turned(drawing(curve([(0, -h), (0, -h * 0.52)], line=ink, width=0.3)), quarter)
            for quarter in (0, 90, 180, 270)
        ),
        circle(0, 0, h * 0.16, fill=ink),
    )
    panes = (at(pane, (x + 0.5) * step, (y + 0.5) * step) for x in range(across) for y in range(down))
    return _stretched(drawing(*panes), frame, down * step)


def _stretched(pattern: Drawing, frame: Frame, height: float) -> Drawing:
    """A pattern of this height, drawn from the origin, put into the frame so that its rows fill it."""
    return moved(scaled(pattern, 1, frame.height / height), frame.x, frame.y)


def _waves(frame: Frame, ink: str, ground: str) -> Drawing:
    """Waves of the blue sea, from both ends to the middle."""
    across = max(3, round(frame.width / 8.0))
    step = frame.width / across
    centre = frame.y + frame.height / 2
    rows = max(1, round((frame.height - step) / 2 / (step / 4)))
    rise = (frame.height - step) / 2 / rows
    arcs = [_arch(step * share / 2, ink, ground) for share in (0.98, 0.72, 0.46, 0.2)]
    parts = []
    for row in range(rows + 1):
        count = across if row % 2 == 0 else across - 1
        y = centre - (rows - row) * rise
        left = frame.x + (frame.width - count * step) / 2
        for place in range(count):
            parts.append(at(drawing(*arcs), left + (place + 0.5) * step, y))
    half = drawing(*parts)
    return drawing(half, turned(half, 180, frame.middle, centre))


def _arch(radius: float, ink: str, ground: str) -> Drawing:
    whole = circle(0, 0, radius, fill=ground, line=ink, width=0.28)
    _, _, _, left, right, _ = whole.path  # a circle goes round by way of its lower half
    return drawing(replace(whole, path=(("M", -radius, 0.0), left, right)))


def _hexagons(frame: Frame, ink: str, ground: str) -> Drawing:
    """A tortoise's shell: six-sided scales, one inside the other, a star of six rays in each."""
    side = frame.width / max(2, round(frame.width / 7.2)) / sqrt(3)
    parts: list[Shape] = []
    scale = [_hexagon(side * share) for share in (1.0, 0.74)]
    rays = tuple(
        command
        for angle in range(30, 390, 60)
        for command in (("M", 0.0, 0.0), ("L", side * 0.4 * cos(radians(angle)), side * 0.4 * sin(radians(angle))))
    )
    lines = [(scale[0], 0.38), (scale[1], 0.2), (rays, 0.32)]
    places = _centres(frame, side * sqrt(3), side * 1.5)
    for outline, width in lines:
        parts.append(Shape(tuple(c for x, y in places for c in _moved(outline, x, y)), "", ink, width))
    return _bordered(drawing(*parts), frame, ink)


def _hexagon(side: float) -> tuple[Command, ...]:
    corners = [(side * sin(radians(60 * k)), side * cos(radians(60 * k))) for k in range(7)]
    return (("M", *corners[0]), *(("L", *corner) for corner in corners[1:]))


def _hemp(frame: Frame, ink: str, ground: str) -> Drawing:
    """Hemp leaves: a net of triangles, each with lines from its corners to its middle."""
    side = frame.width / max(2, round(frame.width / 7.0))
    high = frame.height / 2 / max(1, round(frame.height / side / sqrt(3)))  # near half the root of 3, so that rows fit
    tall = high / (side * sqrt(3) / 2)
    star: list[Command] = []
    for turn in range(6):
        edge, middle = radians(60 * turn), radians(60 * turn + 30)
        star += [("M", 0.0, 0.0), ("L", side * cos(edge), side * sin(edge) * tall)] if turn < 3 else []
        star += [("M", 0.0, 0.0), ("L", side / sqrt(3) * cos(middle), side / sqrt(3) * sin(middle) * tall)]
    places = _centres(frame, side, high)
    net = Shape(tuple(c for x, y in places for c in _moved(tuple(star), x, y)), "", ink, 0.3)
    return _bordered(drawing(net), frame, ink)


def _bordered(pattern: Drawing, frame: Frame, ink: str) -> Drawing:
    """A pattern cut off at the frame, which is drawn."""
    border = rectangle(frame.x, frame.y, frame.width, frame.height, line=ink, width=0.35)
    return drawing(framed(pattern, frame.x, frame.y, frame.width, frame.height), border)


def _centres(frame: Frame, across: float, down: float) -> list[tuple[float, float]]:
    """Places in rows, every second row half a step aside, one in the frame's middle; some lie outside the frame."""
    columns, rows = int(frame.width / across / 2) + 2, int(frame.height / down / 2) + 2
    return [
        (frame.middle + (x + 0.5 * (y % 2)) * across, frame.centre + y * down)
        for y in range(-rows, rows + 1)
        for x in range(-columns, columns + 1)
    ]


def _moved(path: tuple[Command, ...], x: float, y: float) -> list[Command]:
    return [(head, float(a) + x, float(b) + y) for head, a, b in path]


PATTERNS: Mapping[str, Callable[[Frame, str, str], Drawing]] = {
    "coins": _coins,
    "hemp": _hemp,
    "hexagons": _hexagons,
    "lattice": _lattice,
    "waves": _waves,
}
