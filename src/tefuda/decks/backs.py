"""Backs: a pattern that looks the same upside down, one of its own for each deck.

On cards to be cut out at home it stands inside a margin of paper, so that a cut a little off does not show. With bleed,
for printers, it runs beyond the cut. On a page the pattern alone is a file of a few kilobytes; the colour of the ground
comes from the page. The parts of a pattern are few and broad, so that it can be seen on a card 20 pixels wide.
"""

from collections.abc import Callable, Mapping
from functools import cache
from itertools import pairwise
from math import acos, atan2, cos, pi, radians, sin, sqrt, tan

from tefuda.decks.data import Deck, choose
from tefuda.decks.faces import corner_of
from tefuda.decks.frame import Frame
from tefuda.decks.shapes import (
    Command,
    Drawing,
    Placed,
    Shape,
    at,
    box,
    drawing,
    flattened,
    framed,
    line,
    moved,
    polygon,
    rectangle,
    scaled,
    turned,
    union,
)
from tefuda.decks.svg import Shared, number

MARGIN = 1.6
"""Millimetres of paper round the pattern."""

COLOURS: Mapping[str, str] = {"black": "black", "red": "#a3262b", "blue": "#24508c", "green": "#1f6b43"}
"""Of the ground, the usual first. The settings of the page offer the same."""


def back(
    deck: Deck,
    saving: bool = False,
    size: tuple[float, float] | None = None,
    bleed: float = 0.0,
    colour: str = "black",
) -> Drawing:
    """A deck's back, the upper left corner of the card at the origin.

    Args:
        deck: whose back.
        saving: lines instead of a dark ground, to save ink.
        size: width and height in millimetres; by default as in life.
        bleed: millimetres beyond the cut, all of them covered by the pattern.
        colour: of the ground, one of ``COLOURS``; of the lines where ink is saved.
    """
    width, height = size or deck.size
    dark = choose(COLOURS, colour, "colour of a back")
    ink, ground = (dark, "paper") if saving else ("paper", dark)
    if bleed:
        whole = Frame(0, 0, width, height).inside(-bleed)
        field = rectangle(whole.x, whole.y, whole.width, whole.height, fill=ground)
        return drawing(field, _within(whole, pattern(deck, whole, ink)))
    frame = Frame(0, 0, width, height).inside(MARGIN)
    corner = max(corner_of(deck, (width, height)) - MARGIN * 0.6, 0.5)
    field = rectangle(frame.x, frame.y, frame.width, frame.height, corner, fill=ground)
    if saving:
        field = field.inked(line=dark, width=0.4)
    inner = frame.inside(0.9)
    border = rectangle(inner.x, inner.y, inner.width, inner.height, line=ink, width=0.35)
    parts = _within(inner, pattern(deck, inner, ink))
    return drawing(field, _thinned(parts, ink) if saving else parts, border)


def _thinned(parts: Drawing, ink: str) -> Drawing:
    """Outlines and finer lines, which take less ink."""
    return tuple(
        Placed(part.shape.inked(line=ink, width=part.shape.width * 0.35 if part.shape.line else 0.2), part.matrix)
        for part in parts
    )


def pattern(deck: Deck, frame: Frame, ink: str) -> Drawing:
    """A deck's pattern over a frame; it may reach beyond it on every side."""
    drawn: Drawing = choose(PATTERNS, deck.back, f"back of {deck.name}")(frame, ink)
    return tuple(part for part in drawn if _reaches(part, frame))


def _reaches(part: Placed, frame: Frame) -> bool:
    left, top, right, bottom = box((part,))
    half = part.shape.width / 2 if part.shape.line else 0.0
    beside = left - half >= frame.right or right + half <= frame.x
    return not (beside or top - half >= frame.bottom or bottom + half <= frame.y)


@cache
def pattern_svg(deck: Deck) -> str:
    """The pattern alone, in the colour of paper on nothing; whoever shows it gives the ground and the margin."""
    width, height = deck.size
    frame = Frame(0, 0, width, height).inside(MARGIN)
    parts = moved(pattern(deck, frame, "paper"), -frame.x, -frame.y)
    shared = Shared([parts], deck.inks)
    view = f'viewBox="0 0 {number(frame.width)} {number(frame.height)}" preserveAspectRatio="none"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {view}>{shared.definitions()}{shared.written(parts)}</svg>\n'


def _within(frame: Frame, parts: Drawing) -> Drawing:
    """The part of a pattern inside the frame; only what crosses the frame's edge is written anew."""
    inner = frame.inside(0.001)  # without lines that run along the edge, at whichever side
    found: list[Placed] = []
    for part in parts:
        left, top, right, bottom = box((part,))
        is_inside = left >= inner.x and top >= inner.y and right <= inner.right and bottom <= inner.bottom
        found += [part] if is_inside else framed((part,), inner.x, inner.y, inner.width, inner.height)
    return tuple(found)


def _coins(frame: Frame, ink: str) -> Drawing:
    """Seven treasures: petals between which coins appear, each with its square hole."""
    step, tall = _tiles(frame)
    half, high = step / 2, step * 0.21
    reach = half * 0.36
    there = ("C", -reach, -high, reach, -high, half, 0.0)
    again = ("C", reach, high, -reach, high, -half, 0.0)
    petal = drawing(Shape((("M", -half, 0.0), there, again, ("Z",)), ink))
    hole = drawing(rectangle(-step * 0.14, -step * 0.14, step * 0.28, step * 0.28, line=ink, width=step * 0.09))
    tile = drawing(hole, moved(petal, 0, half), moved(turned(petal, 90), half, 0))
    return _tiled(tile, frame, step, tall, first=-1)


def _lattice(frame: Frame, ink: str) -> Drawing:
    """The window of a study: squares in squares, tied together."""
    step, tall = _tiles(frame)
    half, width = step / 2, step * 0.085
    ties = [line((0, -half), (0, -half * 0.52)), line((half, 0), (half * 0.52, 0))]
    ties += [line((0, half), (0, half * 0.52)), line((-half, 0), (-half * 0.52, 0))]
    square = rectangle(-half, -half, step, step, line=ink, width=width)
    inner = rectangle(-half * 0.52, -half * 0.52, half * 1.04, half * 1.04, line=ink, width=width)
    dot = rectangle(-half * 0.17, -half * 0.17, half * 0.34, half * 0.34, fill=ink)
    tile = drawing(square, inner, union(*ties).inked(line=ink, width=width), dot)
    return _tiled(tile, frame, step, tall)


def _tiles(frame: Frame) -> tuple[float, float]:
    """Width of a square tile, so that whole ones fill the frame, and how much taller than wide it must be for that."""
    step = frame.width / _across(frame, 9.4)
    return step, frame.height / max(1, round(frame.height / step)) / step


def _tiled(tile: Drawing, frame: Frame, step: float, tall: float, first: int = 0) -> Drawing:
    """Tiles about the origin, side by side and one above the other, from ``first`` on; 0 is the first in the frame."""
    across, down = round(frame.width / step), round(frame.height / step / tall)
    whole = scaled(tile, 1, tall)
    return drawing(
        *(
            moved(whole, frame.x + (x + 0.5) * step, frame.y + (y + 0.5) * step * tall)
            for y in range(first, down)
            for x in range(first, across)
        )
    )


def _waves(frame: Frame, ink: str) -> Drawing:
    """Waves of the blue sea, rising from the middle to both ends."""
    radius = frame.width / _across(frame, 18.0) / 2
    rings, width = (0.87, 0.26), radius * 0.25
    round_, scale = (
        drawing(union(*(_arc(radius * share, start(share)) for share in rings)).inked(line=ink, width=width))
        for start in (lambda share: 0.0, _covered)
    )
    parts = []
    for row, x, y in _centres(frame, 2 * radius, radius / 2):
        if row <= 0:
            parts.append(at(scale if row else round_, x, y))
    half = drawing(*parts)
    return drawing(half, turned(half, 180, frame.middle, frame.centre))


def _covered(share: float) -> float:
    """From which angle an arc of a scale shows beside the scales below it, which stand half a radius lower."""
    return acos(min(1.0, (share + 0.25 / share) / sqrt(5))) - atan2(1, 2)


def _arc(radius: float, start: float) -> Shape:
    """An arc from ``start`` (radians above the right) over the top to the same height at the left."""
    step = (pi - 2 * start) / 2
    reach = radius * 4 / 3 * tan(step / 4)
    path: list[Command] = [("M", radius * cos(start), -radius * sin(start))]
    for a, b in pairwise((start, start + step, start + 2 * step)):
        first = (radius * cos(a) - reach * sin(a), -radius * sin(a) - reach * cos(a))
        second = (radius * cos(b) + reach * sin(b), -radius * sin(b) + reach * cos(b))
        path.append(("C", *first, *second, radius * cos(b), -radius * sin(b)))
    return Shape(tuple(path))


def _hexagons(frame: Frame, ink: str) -> Drawing:
    """A tortoise's shell: six-sided scales with a flower of six petals in each."""
    side = frame.width / _across(frame, 9.4) / sqrt(3)
    corners = [(side * sin(radians(60 * k)), side * cos(radians(60 * k))) for k in range(4)]
    edges = line(*corners, ink=ink, width=side * 0.17)  # three of six; the neighbours draw the others
    long, wide = side * 0.66, side * 0.14
    petal = polygon([(0, side * 0.06), (wide, long * 0.6), (0, long), (-wide, long * 0.6)], fill=ink)
    flower = drawing(*(turned(drawing(petal), angle) for angle in range(0, 360, 60)))
    cell = drawing(edges, _merged(flower))
    return drawing(*(at(cell, x, y) for _, x, y in _centres(frame, side * sqrt(3), side * 1.5)))


def _merged(parts: Drawing) -> Shape:
    """Shapes of one ink as one."""
    return union(*(Shape(flattened(part)[0], part.shape.fill) for part in parts))


def _hemp(frame: Frame, ink: str) -> Drawing:
    """Hemp leaves: a net of triangles, each with lines from its corners to its middle."""
    side = frame.width / _across(frame, 9.4)
    high = frame.height / 2 / max(1, round(frame.height / side / sqrt(3)))  # near half the root of 3, so that rows fit
    tall = high / (side * sqrt(3) / 2)
    star: list[Command] = []
    for turn in range(6):
        edge, middle = radians(60 * turn), radians(60 * turn + 30)
        star += [("M", 0.0, 0.0), ("L", side * cos(edge), side * sin(edge) * tall)] if turn < 3 else []
        star += [("M", 0.0, 0.0), ("L", side / sqrt(3) * cos(middle), side / sqrt(3) * sin(middle) * tall)]
    net = drawing(Shape(tuple(star), "", ink, side * 0.075))
    return drawing(*(at(net, x, y) for _, x, y in _centres(frame, side, high)))


def _lozenges(frame: Frame, ink: str) -> Drawing:
    """A net of lozenges with a flower of four petals in each."""
    across = frame.width / _across(frame, 18.0)
    down = frame.height / max(1, round(frame.height / across / 1.4))
    net = line((-across / 2, 0), (0, -down / 2), (across / 2, 0), ink=ink, width=across * 0.11)
    long, wide = across * 0.29, across * 0.1
    petal = polygon([(0, across * 0.03), (wide, long * 0.58), (0, long), (-wide, long * 0.58)], fill=ink)
    flower = _merged(tuple(part for turn in range(0, 360, 90) for part in turned(drawing(petal), turn)))
    return drawing(*(at(drawing(net, flower), x, y) for _, x, y in _centres(frame, across, down / 2)))


def _across(frame: Frame, wide: float) -> int:
    """How often a part about so many millimetres wide repeats over the width; twice at least."""
    return max(2, round(frame.width / wide))


def _centres(frame: Frame, across: float, down: float) -> list[tuple[int, float, float]]:
    """Places in rows, every second row half a step aside, one in the frame's middle; some lie outside the frame.

    Returns:
        The row, 0 for the one in the middle, and x and y.
    """
    columns, rows = int(frame.width / across / 2) + 2, int(frame.height / down / 2) + 2
    return [
        (y, frame.middle + (x + 0.5 * (y % 2)) * across, frame.centre + y * down)
        for y in range(-rows, rows + 1)
        for x in range(-columns, columns + 1)
    ]


PATTERNS: Mapping[str, Callable[[Frame, str], Drawing]] = {
    "coins": _coins,
    "hemp": _hemp,
    "hexagons": _hexagons,
    "lattice": _lattice,
    "lozenges": _lozenges,
    "waves": _waves,
}
