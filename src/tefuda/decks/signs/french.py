"""Spades, hearts, diamonds and clubs, and the animals of the table; drawn round the origin, radius about 1."""

from functools import cache

from tefuda.decks.shapes import (
    Command,
    Drawing,
    Shape,
    brush,
    circle,
    curve,
    drawing,
    ellipse,
    line,
    mirrored,
    rectangle,
    turned,
    union,
)


def _figure(*commands: Command, ink: str) -> Shape:
    return Shape(commands, ink)


def _stalk(top: float) -> Shape:
    return _figure(
        ("M", 0.07, top),
        ("C", 0.08, 0.6, 0.2, 0.86, 0.44, 0.97),
        ("L", -0.44, 0.97),
        ("C", -0.2, 0.86, -0.08, 0.6, -0.07, top),
        ("Z",),
        ink="black",
    )


@cache
def spade() -> Drawing:
    """A spade."""
    leaf = _figure(
        ("M", 0, -1),
        ("C", 0.2, -0.62, 0.86, -0.26, 0.86, 0.24),
        ("C", 0.86, 0.62, 0.5, 0.76, 0.24, 0.66),
        ("C", 0.12, 0.6, 0.05, 0.5, 0, 0.38),
        ("C", -0.05, 0.5, -0.12, 0.6, -0.24, 0.66),
        ("C", -0.5, 0.76, -0.86, 0.62, -0.86, 0.24),
        ("C", -0.86, -0.26, -0.2, -0.62, 0, -1),
        ("Z",),
        ink="black",
    )
    return drawing(union(leaf, _stalk(0.2)))


@cache
def heart() -> Drawing:
    """A heart."""
    return drawing(
        _figure(
            ("M", 0, 0.95),
            ("C", -0.22, 0.52, -0.9, 0.16, -0.9, -0.36),
            ("C", -0.9, -0.74, -0.62, -0.9, -0.4, -0.88),
            ("C", -0.2, -0.86, -0.05, -0.7, 0, -0.48),
            ("C", 0.05, -0.7, 0.2, -0.86, 0.4, -0.88),
            ("C", 0.62, -0.9, 0.9, -0.74, 0.9, -0.36),
            ("C", 0.9, 0.16, 0.22, 0.52, 0, 0.95),
            ("Z",),
            ink="red",
        )
    )


@cache
def diamond() -> Drawing:
    """A diamond."""
    return drawing(
        _figure(
            ("M", 0, -1),
            ("C", 0.16, -0.66, 0.46, -0.24, 0.74, 0),
            ("C", 0.46, 0.24, 0.16, 0.66, 0, 1),
            ("C", -0.16, 0.66, -0.46, 0.24, -0.74, 0),
            ("C", -0.46, -0.24, -0.16, -0.66, 0, -1),
            ("Z",),
            ink="red",
        )
    )


@cache
def club() -> Drawing:
    """A club."""
    leaves = [circle(0, -0.52, 0.43), circle(-0.47, 0.22, 0.43), circle(0.47, 0.22, 0.43), circle(0, 0.02, 0.26)]
    return drawing(union(*leaves, _stalk(0.1)))


@cache
def pig() -> Drawing:
    """A pig's face."""
    half = drawing(
        curve([(-0.78, -0.86), (-0.2, -0.7), (-0.36, -0.36), (-0.72, -0.3)], closed=True),
        curve([(-0.66, -0.7), (-0.36, -0.62), (-0.46, -0.44), (-0.64, -0.42)], closed=True, fill="red"),
        circle(-0.36, -0.16, 0.1),
        circle(-0.33, -0.19, 0.035, fill="paper"),
        brush([(-0.54, -0.34), (-0.36, -0.4), (-0.22, -0.34)], [0.03, 0.08, 0.03]),
    )
    head = ellipse(0, 0.08, 0.84, 0.8, fill="paper", line="black", width=0.09)
    snout = [
        ellipse(0, 0.26, 0.42, 0.3, fill="paper", line="black", width=0.08),
        ellipse(-0.15, 0.26, 0.08, 0.12),
        ellipse(0.15, 0.26, 0.08, 0.12),
    ]
    mouth = brush([(-0.3, 0.66), (0, 0.74), (0.3, 0.66)], [0.03, 0.08, 0.03])
    return drawing(head, half, mirrored(half, 0), *snout, mouth)


@cache
def sheep() -> Drawing:
    """A sheep's face with curled horns."""
    wool = [
        circle(x, y, r, fill="paper", line="black", width=0.07)
        for x, y, r in ((-0.4, -0.66, 0.26), (0.4, -0.66, 0.26), (0, -0.78, 0.28))
    ]
    horn = drawing(
        brush(
            [(-0.36, -0.44), (-0.76, -0.56), (-0.96, -0.2), (-0.78, 0.14), (-0.56, 0.04), (-0.6, -0.14)],
            [0.3, 0.28, 0.24, 0.17, 0.1, 0.03],
            fill="red",
        ),
        brush([(-0.3, -0.06), (-0.6, 0.22), (-0.66, 0.34)], [0.1, 0.2, 0.03]),
    )
    face = curve(
        [(-0.42, -0.5), (0.42, -0.5), (0.44, 0.1), (0.28, 0.76), (0, 0.96), (-0.28, 0.76), (-0.44, 0.1)],
        closed=True,
        fill="paper",
        line="black",
        width=0.09,
    )
    half = drawing(
        ellipse(-0.2, -0.02, 0.07, 0.1),
        brush([(-0.02, 0.62), (-0.12, 0.56)], [0.07, 0.03]),
        brush([(0, 0.74), (-0.12, 0.8)], [0.05, 0.02]),
    )
    return drawing(
        horn, mirrored(horn, 0), face, *wool, half, mirrored(half, 0), line((0, 0.62), (0, 0.75), width=0.05)
    )


@cache
def transformer() -> Drawing:
    """Two windings on one core, the second of twice the turns."""
    core = [rectangle(-0.95, -0.95, 1.9, 1.9, 0.16), rectangle(-0.6, -0.6, 1.2, 1.2, 0.06, fill="paper")]
    coil = [rectangle(-1.1, y, 0.66, 0.2, 0.1, fill="red", line="paper", width=0.06) for y in (-0.42, -0.1, 0.22)]
    fine = [
        rectangle(0.44, y, 0.66, 0.11, 0.05, fill="red", line="paper", width=0.05)
        for y in (-0.5, -0.33, -0.16, 0.01, 0.18, 0.35)
    ]
    bolt = brush([(0.12, -0.42), (-0.14, 0.06), (0.14, -0.02), (-0.1, 0.44)], [0.06, 0.12, 0.12, 0.02])
    return drawing(*core, *coil, *fine, bolt)


@cache
def rosette() -> Drawing:
    """What fills a court card's waist."""
    petal = drawing(ellipse(0, -0.6, 0.2, 0.4, fill="red"))
    return drawing(
        *(turned(petal, 45 * place) for place in range(8)), circle(0, 0, 0.3), circle(0, 0, 0.14, fill="paper")
    )
