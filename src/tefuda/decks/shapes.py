"""The shape model: everything on a card is an outline with a fill or a line, placed by a matrix.

Lengths are millimetres, x to the right and y downwards. Inks are names (``black``, ``red``, ``paper``, …); what colour
a name stands for is said when a picture is written. One outline is shared by all its copies, so that a writer can
define it once. Nothing changes a drawing: ``moved``, ``turned`` and their like return another one."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import cos, radians, sin, sqrt

Point = tuple[float, float]
Command = tuple[str | float, ...]
"""``("M", x, y)``, ``("L", x, y)``, ``("C", x1, y1, x2, y2, x, y)`` or ``("Z",)``."""

Matrix = tuple[float, float, float, float, float, float]
"""a, b, c, d, e, f as in SVG: x' = ax + cy + e, y' = bx + dy + f."""

UPRIGHT: Matrix = (1, 0, 0, 1, 0, 0)

_ROUND = 0.5522847498  # how far a Bézier handle reaches for a quarter of a circle of radius 1


@dataclass(frozen=True)
class Shape:
    """An outline: commands, inks (empty for none), and the line's width in the outline's own units."""

    path: tuple[Command, ...]
    fill: str = "black"
    line: str = ""
    width: float = 0.0


@dataclass(frozen=True)
class Placed:
    """A shape where it stands."""

    shape: Shape
    matrix: Matrix = UPRIGHT


class Drawing(tuple[Placed, ...]):
    """Shapes from the back to the front."""

    def through(self, matrix: Matrix) -> "Drawing":
        """See it through a matrix."""
        return Drawing([Placed(part.shape, product(matrix, part.matrix)) for part in self])

    def moved(self, x: float, y: float) -> "Drawing":
        """Move it right by ``x`` and down by ``y``."""
        return self.through((1, 0, 0, 1, x, y))

    def scaled(self, x: float, y: float | None = None) -> "Drawing":
        """Scale it about the origin; in height too by ``x`` unless ``y`` is given."""
        return self.through((x, 0, 0, x if y is None else y, 0, 0))

    def turned(self, degrees: float, x: float = 0.0, y: float = 0.0) -> "Drawing":
        """Turn it clockwise about a point."""
        return self.through(turning(degrees, x, y))

    def mirrored(self, x: float) -> "Drawing":
        """Exchange left and right about a vertical line."""
        return self.through((-1, 0, 0, 1, 2 * x, 0))

    def at(self, x: float, y: float, size: float = 1.0) -> "Drawing":
        """Put it, made round the origin, somewhere in some size."""
        return self.through((size, 0, 0, size, x, y))

    def fitted(self, x: float, y: float, width: float, height: float) -> "Drawing":
        """Scale it to fit a box of this size whose middle is (x, y)."""
        left, top, right, bottom = self.box()
        size = min(width / (right - left), height / (bottom - top))
        return self.at(x - size * (left + right) / 2, y - size * (top + bottom) / 2, size)

    def reinked(self, inks: Mapping[str, str]) -> "Drawing":
        """Give it other inks; those that are not named stay."""

        def changed(shape: Shape) -> Shape:
            return replace(shape, fill=inks.get(shape.fill, shape.fill), line=inks.get(shape.line, shape.line))

        return Drawing(Placed(changed(part.shape), part.matrix) for part in self)

    def box(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom, by its points and handles; lines reach half their width farther."""
        xs: list[float] = []
        ys: list[float] = []
        for part in self:
            path, width = flattened(part)
            reach = width / 2 if part.shape.line else 0.0
            for _, *rest in path:
                values = [float(value) for value in rest]
                xs += [x + side for x in values[::2] for side in (-reach, reach)]
                ys += [y + side for y in values[1::2] for side in (-reach, reach)]
        return min(xs), min(ys), max(xs), max(ys)

    def above(self, y: float) -> "Drawing":
        """The part above a horizontal line; curves become short straight pieces."""
        found: list[Placed] = []
        for part in self:
            path, width = flattened(part)
            runs = [_cut(points, y) for points in _straightened(path)]
            if part.shape.fill:
                outline = [command for points in runs if len(points) > 2 for command in (*_run(points), ("Z",))]
                found += [Placed(Shape(tuple(outline), part.shape.fill))] if outline else []
            if part.shape.line:
                lines = [command for points in runs for piece in _off(points, y) for command in _run(piece)]
                found += [Placed(Shape(tuple(lines), "", part.shape.line, width))] if lines else []
        return Drawing(found)

    def framed(self, frame: "Frame") -> "Drawing":
        """The part inside a frame; curves become short straight pieces."""
        parts = self
        for limit in (frame.bottom, frame.right, -frame.y, -frame.x):  # each side in turn, brought down by a quarter
            parts = parts.above(limit).turned(90)
        return parts


def drawing(*parts: "Part | Iterable[Part]") -> Drawing:
    """One drawing of shapes and other drawings, the first at the back."""
    found: list[Placed] = []
    for part in parts:
        if isinstance(part, Shape):
            found.append(Placed(part))
        elif isinstance(part, Placed):
            found.append(part)
        else:
            found.extend(part if isinstance(part, Drawing) else drawing(*part))
    return Drawing(found)


Part = Shape | Placed | Drawing


def product(outer: Matrix, inner: Matrix) -> Matrix:
    """The matrix that does ``inner`` first."""
    a, b, c, d, e, f = outer
    g, h, i, j, k, m = inner
    return (a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * m + e, b * k + d * m + f)


def turning(degrees: float, x: float = 0.0, y: float = 0.0) -> Matrix:
    """The matrix that turns clockwise about a point; quarter turns are exact."""
    quarters = {0.0: (1.0, 0.0), 90.0: (0.0, 1.0), 180.0: (-1.0, 0.0), 270.0: (0.0, -1.0)}
    c, s = quarters.get(degrees % 360) or (cos(radians(degrees)), sin(radians(degrees)))
    return c, s, -s, c, x - c * x + s * y, y - s * x - c * y


@dataclass(frozen=True)
class Frame:
    """A part of a card that a painter fills, in millimetres from the card's upper left corner."""

    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> float:
        """x of the vertical line through its middle."""
        return self.x + self.width / 2

    @property
    def centre(self) -> float:
        """y of the horizontal line through its middle."""
        return self.y + self.height / 2

    @property
    def right(self) -> float:
        """x of its right side."""
        return self.x + self.width

    @property
    def bottom(self) -> float:
        """y of its lower side."""
        return self.y + self.height

    def inside(self, margin: float) -> "Frame":
        """The part within a margin on every side."""
        return Frame(self.x + margin, self.y + margin, self.width - 2 * margin, self.height - 2 * margin)

    def down(self, top: float, bottom: float) -> "Frame":
        """The part between two heights, given as shares of the whole."""
        return Frame(self.x, self.y + top * self.height, self.width, (bottom - top) * self.height)


# Outlines


def rectangle(x: float, y: float, width: float, height: float, corner: float = 0.0, /, **ink: str | float) -> Shape:
    """A rectangle, its corners rounded with this radius."""
    r, k = corner, corner * (1 - _ROUND)
    right, bottom = x + width, y + height
    if not r:
        path: tuple[Command, ...] = (("M", x, y), ("L", right, y), ("L", right, bottom), ("L", x, bottom), ("Z",))
    else:
        path = (
            ("M", x + r, y),
            ("L", right - r, y),
            ("C", right - k, y, right, y + k, right, y + r),
            ("L", right, bottom - r),
            ("C", right, bottom - k, right - k, bottom, right - r, bottom),
            ("L", x + r, bottom),
            ("C", x + k, bottom, x, bottom - k, x, bottom - r),
            ("L", x, y + r),
            ("C", x, y + k, x + k, y, x + r, y),
            ("Z",),
        )
    return _shape(path, ink)


def outline(frame: Frame, corner: float = 0.0, **ink: str | float) -> Shape:
    """The rectangle of a frame, its corners rounded with this radius."""
    return rectangle(frame.x, frame.y, frame.width, frame.height, corner, **ink)


def ellipse(x: float, y: float, rx: float, ry: float, **ink: str | float) -> Shape:
    """An ellipse round (x, y) with half-axes ``rx`` and ``ry``."""
    i, j = rx * _ROUND, ry * _ROUND
    path: tuple[Command, ...] = (
        ("M", x + rx, y),
        ("C", x + rx, y + j, x + i, y + ry, x, y + ry),
        ("C", x - i, y + ry, x - rx, y + j, x - rx, y),
        ("C", x - rx, y - j, x - i, y - ry, x, y - ry),
        ("C", x + i, y - ry, x + rx, y - j, x + rx, y),
        ("Z",),
    )
    return _shape(path, ink)


def polygon(points: Sequence[Point], **ink: str | float) -> Shape:
    """A closed figure with straight sides."""
    return _shape((*_run(points), ("Z",)), ink)


def line(*points: Point, ink: str = "black", width: float = 0.3) -> Shape:
    """An open line from point to point."""
    return Shape(_run(points), "", ink, width)


def _run(points: Sequence[Point]) -> tuple[Command, ...]:
    return (("M", *points[0]), *(("L", *point) for point in points[1:]))


def curve(points: Sequence[Point], closed: bool = False, **ink: str | float) -> Shape:
    """A smooth line through all points (Catmull and Rom's)."""
    count = len(points)

    def point(place: int) -> Point:
        return points[place % count] if closed else points[min(max(place, 0), count - 1)]

    path: list[Command] = [("M", *points[0])]
    for place in range(count if closed else count - 1):
        (x0, y0), (x1, y1), (x2, y2), (x3, y3) = (point(place + step) for step in (-1, 0, 1, 2))
        handles = (x1 + (x2 - x0) / 6, y1 + (y2 - y0) / 6, x2 - (x3 - x1) / 6, y2 - (y3 - y1) / 6)
        path.append(("C", *handles, x2, y2))
    return _shape((*path, ("Z",)) if closed else tuple(path), ink)


def _shape(path: tuple[Command, ...], ink: dict[str, str | float]) -> Shape:
    if "line" in ink and "fill" not in ink:
        ink = {**ink, "fill": ""}
    return Shape(path, str(ink.get("fill", "black")), str(ink.get("line", "")), float(ink.get("width", 0.3)))


# Placing an outline for writers


def flattened(part: Placed) -> tuple[tuple[Command, ...], float]:
    """A shape's commands in the drawing's own units, and the width of its line there."""
    a, b, c, d, e, f = part.matrix
    path: list[Command] = []
    for head, *rest in part.shape.path:
        values = [float(value) for value in rest]
        spots = zip(values[::2], values[1::2], strict=True)
        path.append((head, *(value for x, y in spots for value in (a * x + c * y + e, b * x + d * y + f))))
    return tuple(path), part.shape.width * sqrt(abs(a * d - b * c))


def _straightened(path: tuple[Command, ...]) -> list[list[Point]]:
    """Each part of an outline as points, six to a curve."""
    from fontTools.misc.bezierTools import cubicPointAtT

    runs: list[list[Point]] = []
    for head, *rest in path:
        values = [float(value) for value in rest]
        if head == "M":
            runs.append([(values[0], values[1])])
        elif head == "L":
            runs[-1].append((values[0], values[1]))
        elif head == "C":
            handles = runs[-1][-1], values[:2], values[2:4], values[4:]
            runs[-1] += [cubicPointAtT(*handles, step / 6) for step in range(1, 7)]
        else:
            runs[-1].append(runs[-1][0])
    return runs


def _cut(points: Sequence[Point], y: float) -> list[Point]:
    """The part of a figure above a line (Sutherland and Hodgman's); where it was cut it runs along the line."""
    found: list[Point] = []
    for place, here in enumerate(points):
        before = points[place - 1] if place else here
        if (before[1] > y) != (here[1] > y):
            share = (y - before[1]) / (here[1] - before[1])
            found.append((before[0] + share * (here[0] - before[0]), y))
        if here[1] <= y:
            found.append(here)
    return found


def _off(points: Sequence[Point], y: float) -> list[list[Point]]:
    """A cut figure's outline without the sides along the cut."""
    pieces: list[list[Point]] = []
    for before, here in pairwise(points):
        if before[1] == here[1] == y:
            continue
        if not pieces or pieces[-1][-1] != before:
            pieces.append([before])
        pieces[-1].append(here)
    return pieces
