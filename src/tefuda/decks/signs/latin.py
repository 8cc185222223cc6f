"""The suits that came with Portuguese ships, as abstract as Japan made them: outlines, and blots of colour over them.

Every sign is drawn round the origin; how large, each function says.
"""

from functools import cache
from math import cos, radians, sin

from tefuda.decks.shapes import Drawing, brush, circle, curve, drawing, ellipse, line, polygon, ring, star


@cache
def blot(kind: int, ink: str = "red") -> Drawing:
    """A drop of colour of about radius 1, as it fell."""
    spots = [
        (radians(30 * place), 1 + 0.09 * sin(place * (2.3 + kind % 3)) + 0.06 * cos(place * 1.7 + kind))
        for place in range(12)
    ]
    return drawing(
        curve([(size * cos(angle), 0.86 * size * sin(angle)) for angle, size in spots], closed=True, fill=ink)
    )


@cache
def baton() -> Drawing:
    """A cudgel, 0.5 wide and 2 high."""
    body = curve(
        [
            (-0.13, -0.9),
            (0.0, -1.0),
            (0.13, -0.9),
            (0.2, -0.3),
            (0.24, 0.5),
            (0.2, 0.92),
            (0, 1.0),
            (-0.2, 0.92),
            (-0.24, 0.5),
            (-0.2, -0.3),
        ],
        closed=True,
    )
    cuts = [
        brush([(-0.17, y), (0, y + 0.06), (0.17, y - 0.02)], [0.05, 0.09, 0.04], fill="paper")
        for y in (-0.56, -0.08, 0.44)
    ]
    return drawing(body, *cuts)


@cache
def sword() -> Drawing:
    """A sabre, 0.7 wide and 2 high: a red stroke, black where it is held."""
    blade = brush([(-0.16, 0.58), (-0.1, 0.1), (0.06, -0.46), (0.34, -1.0)], [0.3, 0.32, 0.26, 0.05], fill="red")
    ridge = brush([(-0.2, 0.52), (-0.16, 0.08), (0.0, -0.46), (0.26, -0.9)], [0.06, 0.07, 0.06, 0.02])
    guard = brush([(-0.38, 0.54), (-0.16, 0.62), (0.1, 0.56)], [0.12, 0.16, 0.1])
    grip = brush([(-0.16, 0.66), (-0.2, 0.96)], [0.2, 0.16])
    return drawing(blade, ridge, guard, grip)


@cache
def oru() -> Drawing:
    """A coin, radius 1: a star in a ring, red at heart."""
    return drawing(
        circle(0, 0, 1, fill="paper"),
        ring(0, 0, 1, 0.87),
        star(0, 0, 8, 0.86, 0.42),
        circle(0, 0, 0.36, fill="red"),
        circle(0, 0, 0.12, fill="paper"),
    )


@cache
def cup() -> Drawing:
    """A bulbous cup, 1.4 wide and 2 high."""
    bowl = curve(
        [
            (-0.5, -0.9),
            (0.5, -0.9),
            (0.68, -0.45),
            (0.52, 0.05),
            (0.16, 0.3),
            (-0.16, 0.3),
            (-0.52, 0.05),
            (-0.68, -0.45),
        ],
        closed=True,
        fill="paper",
        line="black",
        width=0.1,
    )
    wine = curve(
        [(-0.44, -0.55), (-0.1, -0.66), (0.42, -0.5), (0.46, -0.15), (0.12, 0.16), (-0.3, 0.08), (-0.5, -0.22)],
        closed=True,
        fill="red",
    )
    foot = drawing(
        brush([(0, 0.26), (0, 0.72)], [0.3, 0.2]), brush([(-0.48, 0.92), (0, 0.8), (0.48, 0.92)], [0.16, 0.26, 0.16])
    )
    lip = ellipse(0, -0.88, 0.56, 0.13, fill="black")
    return drawing(foot, bowl, wine, lip, ellipse(0, -0.9, 0.42, 0.055, fill="paper"))


@cache
def drum() -> Drawing:
    """A drum seen from its skin, radius 1: three commas turning."""
    comma = [
        brush(
            [
                (0.1 * c - 0.2 * s, 0.1 * s + 0.2 * c),
                (0.52 * c + 0.1 * s, 0.52 * s - 0.1 * c),
                (0.3 * c + 0.56 * s, 0.3 * s - 0.56 * c),
            ],
            [0.36, 0.4, 0.05],
            fill="red",
        )
        for c, s in ((cos(radians(a)), sin(radians(a))) for a in (0, 120, 240))
    ]
    nails = [circle(0.86 * cos(radians(a)), 0.86 * sin(radians(a)), 0.06, fill="paper") for a in range(0, 360, 30)]
    return drawing(circle(0, 0, 1), *nails, circle(0, 0, 0.74, fill="paper"), *comma)


@cache
def tongs() -> Drawing:
    """A rod of the fire-tongs, 0.5 wide and 2 high."""
    rod = brush([(0.0, -0.7), (0.02, 0.2), (0.0, 1.0)], [0.34, 0.26, 0.06])
    return drawing(
        rod, ring(0, -0.82, 0.24, 0.12), *(line((-0.16, y), (0.16, y), ink="paper", width=0.05) for y in (-0.46, -0.36))
    )


@cache
def flame() -> Drawing:
    """What stands behind an ace, radius about 1."""
    return drawing(
        polygon(
            [
                (0, -1),
                (0.24, -0.4),
                (0.8, -0.6),
                (0.5, -0.05),
                (1, 0.3),
                (0.4, 0.36),
                (0.3, 1),
                (0, 0.5),
                (-0.3, 1),
                (-0.4, 0.36),
                (-1, 0.3),
                (-0.5, -0.05),
                (-0.8, -0.6),
                (-0.24, -0.4),
            ],
            fill="red",
        ),
    )
