"""Drawings as data: SVG files with named parts, which any editor of SVG can change.

A part is a group with an ``id``; where the group stands on its sheet does not count. An ``id`` with a dot names a piece
of a part, such as ``plume.feather``. Groups, copies (``use``), paths, rectangles, circles, ellipses, lines and polygons
are drawn, with fills and lines of one colour. Black, red and white stand for the inks ``black``, ``red`` and ``paper``
of the deck; other colours are themselves."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from tefuda.decks import shapes
from tefuda.decks.data import choose
from tefuda.decks.fonts import BLACK, glyph, outlined, typeface
from tefuda.decks.shapes import UPRIGHT, Command, Drawing, Matrix, Placed, Shape, drawing, product, rectangle, turning
from tefuda.engine.errors import TefudaError, file_fault, nearest

FOLDER = Path(__file__).parent / "art"  # the drawings that decks share
SIGNS = ("money", "plain", "french", "latin")  # files of signs: drawings round the origin, within a radius of about 1

_INKS = {
    "none": "",
    **dict.fromkeys(("black", "#000", "#000000"), "black"),
    **dict.fromkeys(("red", "#f00", "#ff0000"), "red"),
    **dict.fromkeys(("white", "#fff", "#ffffff"), "paper"),
}
_COLOUR = re.compile(r"#[0-9a-f]{6}")
_STEP = re.compile(r"(\w+)\s*\(([^)]*)\)")
_UNDRAWN = ("title", "desc", "defs", "metadata", "namedview")
_HREF = ("href", "{http://www.w3.org/1999/xlink}href")


class ArtError(TefudaError):
    """A file of drawings that cannot be read, or lacks a part; the message names the file and the part."""


class Sheet(Mapping[str, Drawing]):
    """An SVG file's parts by name; ``ArtError`` if it is not there, or no well-formed SVG."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            root = ElementTree.parse(path).getroot()  # noqa: S314 - the package's own file, or one of the user's deck
        except OSError as error:
            raise ArtError(file_fault(error)) from error
        except ElementTree.ParseError as error:
            raise ArtError(f"{path.name}: this is no well-formed SVG: {error}") from error
        self._elements = {name: element for element in root.iter() if (name := element.get("id"))}
        self._parts = [name for name, element in self._elements.items() if _tag(element) == "g" and "." not in name]
        self._drawn: dict[str, Drawing] = {}

    def __getitem__(self, name: str) -> Drawing:
        if name not in self._drawn:
            if name not in self._elements:
                raise ArtError(f"{self.path.name}: there is no part {name!r}{nearest(name, self._parts)}")
            try:
                self._drawn[name] = Drawing(self._read(self._elements[name], _Look(), UPRIGHT))
            except RecursionError:
                raise ArtError(f"{self.path.name}: part {name!r}: it copies itself") from None
            except (ValueError, TypeError, KeyError, IndexError) as error:
                raise ArtError(f"{self.path.name}: part {name!r}: {error}") from error
        return self._drawn[name]

    def __contains__(self, name: object) -> bool:
        return name in self._elements

    def __iter__(self) -> Iterator[str]:
        return iter(self._parts)

    def __len__(self) -> int:
        return len(self._parts)

    def piece(self, part: str, name: str) -> Drawing:
        """A piece of a part; empty if the part has no such piece."""
        whole = f"{part}.{name}"
        return self[whole] if whole in self else drawing()

    def classes(self, name: str) -> list[str]:
        """The classes of a part, as its ``class`` says."""
        return self._elements[name].get("class", "").split()

    def _read(self, element: Element, look: "_Look", outer: Matrix) -> Iterator[Placed]:
        """An element's shapes, from the back to the front, where ``outer`` puts them."""
        tag, look = _tag(element), look.inside(element)
        matrix = product(outer, _matrix(element.get("transform", "")))
        if tag == "g":
            for child in element:
                yield from self._read(child, look, matrix)
        elif tag == "use":
            name = next((value for key in _HREF if (value := element.get(key))), "").removeprefix("#")
            if name not in self._elements:
                raise ValueError(f"it copies {name!r}, which is not there")
            shift = (1, 0, 0, 1, float(element.get("x", 0)), float(element.get("y", 0)))
            yield from self._read(self._elements[name], look, product(matrix, shift))
        elif tag not in _UNDRAWN and not look.hidden:
            outline = Shape(_outline(tag, element), look.fill, look.line, look.width if look.line else 0.0)
            yield Placed(outline, matrix)


class _Look(NamedTuple):
    """The inks of an element, which those inside it inherit."""

    fill: str = "black"
    line: str = ""
    width: float = 1.0
    hidden: bool = False

    def inside(self, element: Element) -> "_Look":
        """The inks of an element in one of these."""
        style = dict(part.split(":", 1) for part in element.get("style", "").split(";") if ":" in part)
        said = {**element.attrib, **{key.strip(): value.strip() for key, value in style.items()}}
        width = said.get("stroke-width", "").removesuffix("px")
        return _Look(
            _ink(said["fill"]) if "fill" in said else self.fill,
            _ink(said["stroke"]) if "stroke" in said else self.line,
            float(width) if width else self.width,
            self.hidden or said.get("display") == "none",
        )


def _ink(colour: str) -> str:
    colour = colour.lower()
    if colour not in _INKS and not _COLOUR.fullmatch(colour):
        raise ValueError(f"{colour!r} is no colour: write black, red, white, none or #rrggbb")
    return _INKS.get(colour, colour)


def _tag(element: Element) -> str:
    return str(element.tag).rpartition("}")[2]


def _matrix(text: str) -> Matrix:
    matrix = UPRIGHT
    for name, told in _STEP.findall(text):
        matrix = product(matrix, _step(name, *map(float, re.split(r"[\s,]+", told.strip()))))
    return matrix


def _step(name: str, *values: float) -> Matrix:
    match name, values:
        case "matrix", (a, b, c, d, e, f):
            return a, b, c, d, e, f
        case "translate", (x, *y):
            return 1, 0, 0, 1, x, y[0] if y else 0
        case "scale", (x, *y):
            return x, 0, 0, y[0] if y else x, 0, 0
        case "rotate", (degrees, *middle):
            return turning(degrees, *middle)
    raise ValueError(f"the transform {name} of {len(values)} numbers is not known")


def _outline(tag: str, element: Element) -> tuple[Command, ...]:
    """The commands of an element that is no group."""

    def of(*keys: str) -> Iterator[float]:
        return (float(element.get(key, 0)) for key in keys)

    match tag:
        case "path":
            return _path(element.attrib["d"])
        case "rect":
            x, y, width, height = of("x", "y", "width", "height")
            return rectangle(x, y, width, height, float(element.get("rx", element.get("ry", 0)))).path
        case "circle":
            return shapes.ellipse(*of("cx", "cy", "r", "r")).path
        case "ellipse":
            return shapes.ellipse(*of("cx", "cy", "rx", "ry")).path
        case "line":
            return _path("M{} {}L{} {}".format(*of("x1", "y1", "x2", "y2")))
        case "polygon" | "polyline":
            return _path(f"M{element.attrib['points']}{'Z' * (tag == 'polygon')}")
    raise ValueError(f"<{tag}> cannot be drawn: make a path of it")


def _path(data: str) -> tuple[Command, ...]:
    from fontTools.svgLib.path import parse_path

    found: list[Command] = []
    for command in outlined(lambda pen: parse_path(data, pen)):
        if command[0] == "M":
            start = command[1:]
        if command[0] == "Z" and found[-1] == ("L", *start):  # the way back, which closing draws
            found.pop()
        found.append(command)
    return tuple(found)


sheet = cache(Sheet)  # a file's parts, read once


def shared(name: str) -> Sheet:
    """The parts of a file of ``FOLDER``, such as ``hats``."""
    return sheet(FOLDER / f"{name}.svg")


# Signs, seals and people that a deck's data file chooses from by name. People are cut as in wood: black masses, white
# lines, a touch of red. A figure is put together from a hat, a beard, a robe and what it carries. It stands on the line
# y = 40, its middle at x = 0, its crown near y = 1; it is 16 wide.

WAIST = 25.6  # the height at which a figure is cut, in its own measure

_SEAT, _RIDER = (2.0, 24.6), 0.66  # the place of a rider's waist, and the rider's size beside figures that stand


def sign_of(name: str) -> Drawing:
    """A sign of the library, or the part of a deck's own SVG that ``FILE#PART`` names; else ``DeckError``."""
    file, own, part = name.partition("#")
    if own:
        return sheet(Path(file))[part]
    return choose(_signs(), name, "sign")[name]


@cache
def _signs() -> dict[str, Sheet]:
    return {name: file for file in map(shared, SIGNS) for name in file}


@cache
def figure(hat: str, beard: str, robe: str, arms: str) -> Drawing:
    """A person from head to foot; ``DeckError`` for no such hat, beard, robe or weapon."""
    heads, hats, carried = shared("heads"), shared("hats"), shared("arms")
    choose(carried, arms, "arms")
    behind, before = carried.piece(arms, "behind"), carried.piece(arms, "before")
    worn = choose(shared("beards"), beard, "beard"), choose(hats, hat, "hat")
    face = heads["lady" if "lady" in hats.classes(hat) else "man"]
    return drawing(behind, choose(shared("robes"), robe, "robe"), heads["head"], face, *worn, before)


def rider(person: Drawing) -> Drawing:
    """A figure on a horse that goes to the left, 20 wide and 40 high as figures are."""
    heads = shared("heads")
    bust = person.above(WAIST).scaled(_RIDER)
    return drawing(heads["horse"], bust.moved(_SEAT[0], _SEAT[1] - WAIST * _RIDER), heads["saddle"])


def seal(text: str, x: float, y: float, size: float, ground: str = "red") -> Drawing:
    """A seal pressed on a card about (x, y): one or two characters, in a column, cut out of its ground.

    Its width is ``size`` millimetres; on the ink ``paper`` the characters are black."""
    ink = "black" if ground == "paper" else "paper"
    face = typeface("zh-Hant", BLACK)
    height = size * (1.0 if len(text) == 1 else 1.72)
    rim = (-size * 0.43, -height / 2 + size * 0.07, size * 0.86, height - size * 0.14, size * 0.1)
    field = rectangle(-size / 2, -height / 2, size, height, size * 0.16, fill=ground)
    stamp = drawing(field, rectangle(*rim, line=ink, width=size * 0.035))
    middle = (len(text) - 1) / 2
    letters = (
        glyph(character, size * 0.7, face, ink).moved(0, (place - middle) * size * 0.74)
        for place, character in enumerate(text)
    )
    return drawing(stamp, *letters).moved(x, y)
