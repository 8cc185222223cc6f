"""Backs: a pattern that looks the same upside down, one of its own for each deck.

On cards to be cut out at home it stands inside a margin of paper; with bleed, for printers, it runs beyond the cut. On
a page the pattern alone is a file of a few kilobytes; the colour of the ground comes from the page. Its parts are few
and broad, so that it can be seen on a card 20 pixels wide."""

from collections.abc import Callable, Mapping
from math import sqrt

from tefuda.decks.artwork import shared
from tefuda.decks.data import Deck, choose
from tefuda.decks.faces import corner_of
from tefuda.decks.shapes import Drawing, Frame, Placed, Shape, drawing, flattened, outline

MARGIN = 1.6  # millimetres of paper round the pattern

COLOURS: Mapping[str, str] = {"black": "black", "red": "#a3262b", "blue": "#24508c", "green": "#1f6b43"}
"""Colours of the ground, the usual first; the settings of the page offer these too."""


def back(
    deck: Deck, saving: bool = False, size: tuple[float, float] | None = None, bleed: float = 0.0, colour: str = "black"
) -> Drawing:
    """A deck's back, the upper left corner of the card at the origin.

    ``saving`` ink has lines instead of a dark ground. The size is width and height in millimetres, by default as in
    life; ``bleed`` millimetres beyond the cut are covered by the pattern; the colour is one of ``COLOURS``."""
    width, height = size or deck.size
    dark = choose(COLOURS, colour, "colour of a back")
    ink, ground = (dark, "paper") if saving else ("paper", dark)
    if bleed:
        whole = Frame(0, 0, width, height).inside(-bleed)
        field = outline(whole, fill=ground)
        return drawing(field, _within(whole, pattern(deck, whole, ink)))
    frame = Frame(0, 0, width, height).inside(MARGIN)
    corner = max(corner_of(deck, (width, height)) - MARGIN * 0.6, 0.5)
    field = outline(frame, corner, line=dark, width=0.4) if saving else outline(frame, corner, fill=ground)
    inner = frame.inside(0.9)
    border = outline(inner, line=ink, width=0.35)
    parts = _within(inner, pattern(deck, inner, ink))
    return drawing(field, _thinned(parts, ink) if saving else parts, border)


def _thinned(parts: Drawing, ink: str) -> Drawing:
    """Outlines and finer lines, which take less ink."""
    found: list[Placed] = []
    for part in parts:
        path, width = flattened(part)
        found.append(Placed(Shape(path, "", ink, width * 0.35 if part.shape.line else 0.2)))
    return Drawing(found)


def pattern(deck: Deck, frame: Frame, ink: str) -> Drawing:
    """A deck's pattern over a frame; it may reach beyond it on every side."""
    drawn = choose(PATTERNS, deck.back, f"back of {deck.name}")(frame)
    return Drawing(part for part in drawn if _reaches(part, frame)).reinked({"black": ink})


def _reaches(part: Placed, frame: Frame) -> bool:
    left, top, right, bottom = Drawing((part,)).box()
    half = flattened(part)[1] / 2 if part.shape.line else 0.0
    beside = left - half >= frame.right or right + half <= frame.x
    return not (beside or top - half >= frame.bottom or bottom + half <= frame.y)


def _within(frame: Frame, parts: Drawing) -> Drawing:
    """The part of a pattern inside the frame; only what crosses the frame's edge is written anew."""
    inner = frame.inside(0.001)  # without lines that run along the edge, at whichever side
    found: list[Placed] = []
    for part in parts:
        left, top, right, bottom = Drawing((part,)).box()
        is_inside = left >= inner.x and top >= inner.y and right <= inner.right and bottom <= inner.bottom
        found += [part] if is_inside else Drawing((part,)).framed(inner)
    return Drawing(found)


def _tiled(tile: str, frame: Frame, first: int = 0) -> Drawing:
    """Tiles side by side and one above the other, whole ones in the frame; ``first`` counts from its corner."""
    step = frame.width / _across(frame, 9.4)
    across, down = round(frame.width / step), max(1, round(frame.height / step))
    high, one = frame.height / down, shared("backs")[tile]
    places = ((x + 0.5, y + 0.5) for y in range(first, down) for x in range(first, across))
    return drawing(one.through((step, 0, 0, high, frame.x + x * step, frame.y + y * high)) for x, y in places)


def _waves(frame: Frame) -> Drawing:
    """Waves that rise from the middle to both ends."""
    radius = frame.width / _across(frame, 18.0) / 2
    half = drawing(
        shared("backs")["waves.covered" if row else "waves.whole"].at(x, y, radius)
        for row, x, y in _centres(frame, 2 * radius, radius / 2)
        if row <= 0
    )
    return drawing(half, half.turned(180, frame.middle, frame.centre))


def _hexagons(frame: Frame) -> Drawing:
    across = frame.width / _across(frame, 9.4)
    side = across / sqrt(3)
    return drawing(shared("backs")["hexagons"].at(x, y, side) for _, x, y in _centres(frame, across, side * 1.5))


def _hemp(frame: Frame) -> Drawing:
    side = frame.width / _across(frame, 9.4)
    high = frame.height / 2 / max(1, round(frame.height / side / sqrt(3)))  # near half the root of 3, so that rows fit
    tall = high / (sqrt(3) / 2)
    net = _drawn_out(shared("backs")["hemp"], side, tall)
    return drawing(net.moved(x, y) for _, x, y in _centres(frame, side, high))


def _lozenges(frame: Frame) -> Drawing:
    across = frame.width / _across(frame, 18.0)
    down = frame.height / max(1, round(frame.height / across / 1.4))
    net, flower = _drawn_out(shared("backs")["lozenges.net"], across, down / 1.4), shared("backs")["lozenges.flower"]
    centres = _centres(frame, across, down / 2)
    return drawing(drawing(net.moved(x, y), flower.at(x, y, across)) for _, x, y in centres)


def _drawn_out(net: Drawing, wide: float, high: float) -> Drawing:
    """A net with factors for its width and its height; its lines get no wider by the height."""
    parts = net.scaled(wide, high)
    return drawing(Shape(flattened(part)[0], "", part.shape.line, part.shape.width * wide) for part in parts)


def _across(frame: Frame, wide: float) -> int:
    """The number of parts about so many millimetres wide over the width; at least two."""
    return max(2, round(frame.width / wide))


def _centres(frame: Frame, across: float, down: float) -> list[tuple[int, float, float]]:
    """Rows (0 in the middle) and places, every second row half a step aside; some lie outside the frame."""
    columns, rows = int(frame.width / across / 2) + 2, int(frame.height / down / 2) + 2
    return [
        (y, frame.middle + (x + 0.5 * (y % 2)) * across, frame.centre + y * down)
        for y in range(-rows, rows + 1)
        for x in range(-columns, columns + 1)
    ]


PATTERNS: Mapping[str, Callable[[Frame], Drawing]] = {
    "coins": lambda frame: _tiled("coins", frame, first=-1),
    "hemp": _hemp,
    "hexagons": _hexagons,
    "lattice": lambda frame: _tiled("lattice", frame),
    "lozenges": _lozenges,
    "plain": lambda frame: drawing(),
    "waves": _waves,
}
"""Patterns by name: each composes parts of ``backs.svg`` over a frame."""
