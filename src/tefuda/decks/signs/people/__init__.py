"""People, cut as in wood: black masses, white lines, a touch of red. A figure is put together from a hat, a beard, a
robe and what it carries, so that a deck's data file can make its own.

A whole figure stands on the line y = 40, its middle at x = 0, its crown near y = 1; it is 16 wide. A bust is the part
above y = 22.
"""

from functools import cache

from tefuda.decks.data import choose
from tefuda.decks.shapes import Drawing, brush, circle, curve, drawing, line, mirrored, rectangle
from tefuda.decks.signs.people.arms import ARMS
from tefuda.decks.signs.people.beards import BEARDS
from tefuda.decks.signs.people.hats import HATS, LADIES
from tefuda.decks.signs.people.robes import ROBES


@cache
def figure(hat: str, beard: str, robe: str, arms: str) -> Drawing:
    """Somebody, from head to foot.

    Raises:
        DeckError: there is no such hat, beard, robe or weapon.
    """
    behind, before = choose(ARMS, arms, "arms")()
    return drawing(behind, choose(ROBES, robe, "robe")(), _head(hat, beard), before)


def _head(hat: str, beard: str) -> Drawing:
    lady = hat in LADIES
    face = curve(
        [
            (0, 5.6),
            (2.5, 6.2),
            (3.1, 8.8),
            (2.5, 12.0),
            (1.1, 13.8),
            (0, 14.2),
            (-1.1, 13.8),
            (-2.5, 12.0),
            (-3.1, 8.8),
            (-2.5, 6.2),
        ],
        closed=True,
        fill="paper",
        line="black",
        width=0.34,
    )
    ear = drawing(
        curve([(3.0, 9.0), (3.7, 8.8), (3.7, 10.2), (2.9, 10.9)], closed=True, fill="paper", line="black", width=0.28)
    )
    neck = rectangle(-1.5, 12.4, 3.0, 4.0, fill="paper", line="black", width=0.3)
    hair = drawing(choose(BEARDS, beard, "beard")(), choose(HATS, hat, "hat")())
    return drawing(neck, ear, mirrored(ear, 0), face, _features(lady), hair)


def _features(lady: bool) -> Drawing:
    """Brows, eyes, nose and mouth."""
    brow = [0.16, 0.3, 0.12] if lady else [0.2, 0.62, 0.24]
    half = drawing(
        brush([(0.55, 8.5), (1.4, 7.95), (2.4, 8.2)], brow),
        brush([(0.6, 9.5), (1.35, 9.25), (2.25, 9.35)], [0.1, 0.32, 0.14]),
        circle(1.4, 9.45, 0.32),
    )
    nose = line((0.1, 9.2), (-0.35, 11.0), (0.3, 11.15), width=0.26)
    lips = brush([(-0.75, 12.35), (0, 12.25), (0.75, 12.35)], [0.1, 0.5 if lady else 0.36, 0.1], fill="red")
    cheeks = drawing(circle(1.9, 11.0, 0.42, fill="red")) if lady else ()
    return drawing(half, mirrored(half, 0), nose, lips, cheeks, mirrored(cheeks, 0))
