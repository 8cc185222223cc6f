"""Signs, seals and people that a deck's data file chooses from by name: parts of the drawings in ``art``.

People are cut as in wood: black masses, white lines, a touch of red. A figure is put together from a hat, a beard, a
robe and what it carries. It stands on the line y = 40, its middle at x = 0, its crown near y = 1; it is 16 wide.
"""

from functools import cache
from pathlib import Path

from tefuda.decks.artwork import SIGNS, Sheet, shared, sheet
from tefuda.decks.data import choose
from tefuda.decks.fonts import BLACK, glyph, typeface
from tefuda.decks.shapes import Drawing, above, drawing, moved, rectangle, scaled

WAIST = 25.6
"""The height at which a figure is cut, in its own measure."""

_SEAT, _RIDER = (2.0, 24.6), 0.66
"""The place of a rider's waist, and the rider's size beside figures that stand."""


def sign_of(name: str) -> Drawing:
    """A sign of the library, or the part of a deck's own SVG that ``FILE#PART`` names.

    Raises:
        DeckError: there is no such sign.
        ArtError: a deck's own SVG cannot be read, or lacks the part.
    """
    file, own, part = name.partition("#")
    if own:
        return sheet(Path(file))[part]
    file_of: Sheet = choose(_signs(), name, "sign")
    return file_of[name]


@cache
def _signs() -> dict[str, Sheet]:
    return {name: file for file in map(shared, SIGNS) for name in file}


@cache
def figure(hat: str, beard: str, robe: str, arms: str) -> Drawing:
    """A person from head to foot.

    Raises:
        DeckError: there is no such hat, beard, robe or weapon.
    """
    heads, hats, carried = shared("heads"), shared("hats"), shared("arms")
    choose(carried, arms, "arms")
    behind, before = carried.piece(arms, "behind"), carried.piece(arms, "before")
    worn = choose(shared("beards"), beard, "beard"), choose(hats, hat, "hat")
    face = heads["lady" if "lady" in hats.classes(hat) else "man"]
    return drawing(behind, choose(shared("robes"), robe, "robe"), heads["head"], face, *worn, before)


def rider(person: Drawing) -> Drawing:
    """A figure on a horse that goes to the left, 20 wide and 40 high as figures are."""
    heads = shared("heads")
    bust = scaled(above(person, WAIST), _RIDER)
    return drawing(heads["horse"], moved(bust, _SEAT[0], _SEAT[1] - WAIST * _RIDER), heads["saddle"])


def seal(text: str, x: float, y: float, size: float, ground: str = "red") -> Drawing:
    """A seal pressed on a card about (x, y): characters cut out of its ground, one or a column of two.

    Args:
        text: one or two characters.
        x: of its middle.
        y: of its middle.
        size: width in millimetres.
        ground: ink of the ground; the characters are black on ``paper``.
    """
    ink = "black" if ground == "paper" else "paper"
    face = typeface("zh-Hant", BLACK)
    height = size * (1.0 if len(text) == 1 else 1.72)
    rim = (-size * 0.43, -height / 2 + size * 0.07, size * 0.86, height - size * 0.14, size * 0.1)
    stamp = drawing(
        rectangle(-size / 2, -height / 2, size, height, size * 0.16, fill=ground),
        rectangle(*rim, line=ink, width=size * 0.035),
    )
    middle = (len(text) - 1) / 2
    letters = (
        moved(glyph(character, size * 0.7, face, ink), 0, (place - middle) * size * 0.74)
        for place, character in enumerate(text)
    )
    return moved(drawing(stamp, *letters), x, y)
