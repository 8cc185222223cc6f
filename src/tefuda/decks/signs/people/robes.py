"""Robes, armour and bare shoulders, with hands and feet."""

from collections.abc import Callable, Mapping

from tefuda.decks.shapes import (
    Drawing,
    Shape,
    brush,
    circle,
    curve,
    drawing,
    ellipse,
    line,
    mirrored,
    moved,
    rectangle,
    ring,
)

_BODY = [
    (-1.6, 14.6),
    (-5.6, 16.2),
    (-7.4, 20.0),
    (-7.8, 26.5),
    (-5.6, 27.2),
    (-6.2, 38.6),
    (0, 39.4),
    (6.2, 38.6),
    (5.6, 27.2),
    (7.8, 26.5),
    (7.4, 20.0),
    (5.6, 16.2),
    (1.6, 14.6),
]


def _silhouette(fill: str) -> Shape:
    return curve(_BODY, closed=True, fill=fill, line="black", width=0.36)


def _hands() -> Drawing:
    """Folded before the belt, inside wide cuffs."""
    cuff = drawing(
        curve([(0.4, 22.6), (3.6, 21.6), (4.4, 25.4), (0.9, 26.4)], closed=True, fill="paper", line="black", width=0.3)
    )
    fist = ellipse(0, 24.4, 1.35, 1.2, fill="paper", line="black", width=0.3)
    return drawing(
        cuff,
        mirrored(cuff, 0),
        fist,
        line((-0.5, 23.6), (-0.5, 25.2), width=0.2),
        line((0.3, 23.5), (0.3, 25.2), width=0.2),
    )


def _feet() -> Drawing:
    boot = drawing(curve([(0.8, 38.6), (4.2, 38.6), (5.0, 40.0), (0.6, 40.0)], closed=True))
    return drawing(boot, mirrored(boot, 0))


def _robe() -> Drawing:
    """A wide black robe with a red sash and a crossed collar."""
    collar = drawing(
        brush([(-1.9, 14.8), (-0.3, 18.2), (0.9, 21.2)], [0.9, 0.9, 0.8], fill="paper"),
        brush([(1.9, 14.8), (0.2, 18.4), (-0.5, 19.6)], [0.9, 0.9, 0.6], fill="paper"),
    )
    folds = [
        brush([(x * 0.55, 28.6), (x * 0.8, 33.0), (x, 37.8)], [0.1, 0.24, 0.34], fill="paper")
        for x in (-4.4, -1.5, 1.5, 4.4)
    ]
    sleeves = drawing(brush([(5.4, 18.4), (6.4, 21.6), (6.5, 25.2)], [0.1, 0.24, 0.1], fill="paper"))
    sash = brush([(-5.6, 27.4), (0, 28.0), (5.6, 27.4)], [1.1, 1.3, 1.1], fill="red")
    return drawing(_feet(), _silhouette("black"), collar, *folds, sleeves, mirrored(sleeves, 0), sash, _hands())


def _coat() -> Drawing:
    """A short white coat over black trousers."""
    legs = curve(
        [(-4.6, 30.0), (-5.2, 39.0), (-0.8, 39.0), (0, 32.0), (0.8, 39.0), (5.2, 39.0), (4.6, 30.0)], closed=True
    )
    coat = curve(
        [
            (-1.6, 14.6),
            (-5.6, 16.2),
            (-7.4, 20.0),
            (-7.6, 26.4),
            (-5.4, 27.0),
            (-5.6, 33.6),
            (0, 34.4),
            (5.6, 33.6),
            (5.4, 27.0),
            (7.6, 26.4),
            (7.4, 20.0),
            (5.6, 16.2),
            (1.6, 14.6),
        ],
        closed=True,
        fill="paper",
        line="black",
        width=0.4,
    )
    edges = drawing(
        brush([(-1.8, 14.8), (-0.2, 18.4), (0.5, 22.0)], [0.8, 0.9, 0.8]),
        brush([(1.8, 14.8), (0.4, 18.0)], [0.8, 0.6]),
        brush([(0.5, 28.0), (0.7, 34.0)], [0.7, 0.7]),
        brush([(-5.6, 33.4), (0, 34.2), (5.6, 33.4)], [0.7, 0.8, 0.7]),
    )
    folds = [brush([(x * 0.6, 29.2), (x, 32.6)], [0.12, 0.3]) for x in (-4.0, -2.0, 2.6, 4.2)]
    belt = brush([(-5.4, 27.4), (0, 28.0), (5.4, 27.4)], [1.1, 1.2, 1.1], fill="red")
    ends = brush([(-1.2, 28.4), (-1.9, 31.0), (-1.4, 33.0)], [0.7, 0.8, 0.9], fill="red")
    return drawing(_feet(), legs, coat, edges, *folds, ends, belt, _hands())


def _armour() -> Drawing:
    """Scales to the knee, a round plate on the breast, tiger shoulders."""
    scales = [
        curve([(x - 0.75, y), (x, y + 1.0), (x + 0.75, y)], line="paper", width=0.24)
        for place, y in enumerate((29.4, 31.0, 32.6, 34.2, 35.8))
        for x in ([-4.2, -2.4, -0.6, 1.2, 3.0, 4.6] if place % 2 else [-3.3, -1.5, 0.3, 2.1, 3.9])
    ]
    shoulder = drawing(
        curve(
            [(3.0, 15.2), (6.6, 15.6), (8.2, 18.6), (7.4, 20.6), (4.0, 19.8)],
            closed=True,
            fill="paper",
            line="black",
            width=0.36,
        ),
        brush([(4.4, 17.6), (6.6, 18.0), (7.6, 19.4)], [0.2, 0.4, 0.1]),
        brush([(4.0, 16.4), (6.0, 16.4)], [0.3, 0.12]),
    )
    plate = drawing(circle(0, 18.8, 2.2, fill="paper"), ring(0, 18.8, 1.8, 1.45), circle(0, 18.8, 0.75, fill="red"))
    belt = brush([(-5.7, 27.4), (0, 28.0), (5.7, 27.4)], [1.3, 1.5, 1.3], fill="red")
    buckle = drawing(rectangle(-1.1, 26.9, 2.2, 2.0, 0.4, fill="paper", line="black", width=0.3))
    return drawing(
        _feet(),
        _silhouette("black"),
        *scales,
        plate,
        shoulder,
        mirrored(shoulder, 0),
        belt,
        _hands(),
        moved(buckle, 0, 0.1),
    )


def _monk() -> Drawing:
    """One shoulder bare, beads round the neck."""
    wrap = curve(
        [
            (-2.2, 15.0),
            (-6.0, 17.0),
            (-7.6, 22.0),
            (-7.6, 26.6),
            (-5.6, 27.2),
            (-6.0, 38.4),
            (0, 39.2),
            (6.0, 38.4),
            (4.8, 24.0),
            (2.2, 20.0),
        ],
        closed=True,
    )
    chest = curve(
        [(-1.8, 14.6), (1.8, 14.6), (5.6, 16.2), (7.4, 20.0), (7.0, 26.2), (5.0, 26.0), (4.6, 23.0), (2.0, 20.0)],
        closed=True,
        fill="paper",
        line="black",
        width=0.36,
    )
    folds = [brush([(-4.6, 18.0), (0.0, 23.0), (4.0, 30.0)], [0.1, 0.3, 0.2], fill="paper")] + [
        brush([(x * 0.6, 29.0), (x, 37.4)], [0.12, 0.34], fill="paper") for x in (-4.0, -1.4, 1.4, 3.8)
    ]
    places = [
        (-3.0, 16.2),
        (-2.4, 17.6),
        (-1.6, 18.8),
        (-0.6, 19.6),
        (0.6, 19.6),
        (1.6, 18.8),
        (2.4, 17.6),
        (3.0, 16.2),
    ]
    beads = [circle(x, y, 0.62, fill="red", line="paper", width=0.16) for x, y in places]
    return drawing(_feet(), chest, wrap, *folds, _hands(), *beads)


def _tattoo() -> Drawing:
    """Bare to the waist, flowers or dragons on arms and breast."""
    legs = curve(
        [(-5.2, 27.4), (-5.8, 38.8), (-0.8, 39.0), (0, 33.0), (0.8, 39.0), (5.8, 38.8), (5.2, 27.4)], closed=True
    )
    skin = curve(
        [
            (-1.6, 14.6),
            (-5.4, 16.0),
            (-7.2, 19.6),
            (-7.2, 26.0),
            (-5.2, 26.6),
            (-4.8, 28.0),
            (4.8, 28.0),
            (5.2, 26.6),
            (7.2, 26.0),
            (7.2, 19.6),
            (5.4, 16.0),
            (1.6, 14.6),
        ],
        closed=True,
        fill="paper",
        line="black",
        width=0.4,
    )
    ink = drawing(
        brush([(6.2, 17.6), (5.4, 19.2), (6.5, 20.6), (5.6, 22.2)], [0.2, 0.5, 0.5, 0.1]),
        circle(6.0, 18.6, 0.34, fill="red"),
        circle(6.1, 21.6, 0.3, fill="red"),
        brush([(1.0, 18.0), (2.6, 17.2), (3.6, 18.6), (2.4, 19.8)], [0.1, 0.4, 0.5, 0.1]),
        circle(2.7, 18.5, 0.4, fill="red"),
        line((0, 19.4), (0, 22.0), width=0.18),
    )
    folds = [brush([(x * 0.6, 30.2), (x, 37.2)], [0.12, 0.3], fill="paper") for x in (-4.2, -2.4, 2.4, 4.2)]
    belt = drawing(
        brush([(-5.0, 28.2), (0, 28.8), (5.0, 28.2)], [1.4, 1.5, 1.4], fill="red"),
        brush([(1.2, 29.2), (1.9, 31.8), (1.4, 34.6)], [0.8, 0.9, 1.0], fill="red"),
    )
    return drawing(_feet(), legs, *folds, skin, ink, mirrored(ink, 0), belt, _hands())


def _skirts() -> Drawing:
    """A lady's: white jacket, long skirt, scarf."""
    skirt = curve([(-3.6, 26.6), (-6.8, 39.2), (0, 40.0), (6.8, 39.2), (3.6, 26.6)], closed=True)
    pleats = [
        brush([(x * 0.42, 28.2), (x * 0.8, 33.0), (x, 38.6)], [0.1, 0.26, 0.4], fill="paper")
        for x in (-5.4, -3.2, -1.0, 1.2, 3.4, 5.4)
    ]
    jacket = curve(
        [
            (-1.5, 14.6),
            (-4.6, 16.0),
            (-6.8, 20.6),
            (-7.2, 27.4),
            (-4.4, 28.0),
            (-3.6, 26.8),
            (3.6, 26.8),
            (4.4, 28.0),
            (7.2, 27.4),
            (6.8, 20.6),
            (4.6, 16.0),
            (1.5, 14.6),
        ],
        closed=True,
        fill="paper",
        line="black",
        width=0.38,
    )
    collar = [
        brush([(-1.8, 14.8), (0, 18.6), (0.6, 21.4)], [0.7, 0.8, 0.6], fill="red"),
        brush([(1.8, 14.8), (0.2, 18.0)], [0.7, 0.6], fill="red"),
    ]
    scarf = drawing(brush([(5.0, 17.6), (7.8, 22.0), (6.4, 29.0), (7.6, 36.0)], [0.3, 0.9, 0.9, 0.2], fill="red"))
    flowers = [
        circle(x, y, 0.36) for x, y in ((-4.6, 19.4), (-5.4, 22.6), (4.6, 19.4), (5.4, 22.6), (-3.2, 21.0), (3.2, 21.0))
    ]
    return drawing(skirt, *pleats, scarf, mirrored(scarf, 0), jacket, *flowers, *collar, _hands())


def _gown() -> Drawing:
    """A lady's in black with white flowers, long sleeves, and a broad red sash."""
    collar = [
        brush([(-1.9, 14.6), (0, 18.4), (0.8, 22.0)], [0.8, 1.0, 0.7], fill="paper"),
        brush([(1.9, 14.6), (0.2, 17.8)], [0.8, 0.7], fill="paper"),
    ]
    sleeve = curve(
        [(-5.4, 17.4), (-8.0, 24.0), (-8.6, 33.0), (-5.2, 33.4), (-4.2, 26.4)],
        closed=True,
        line="paper",
        width=0.3,
        fill="black",
    )
    sash = rectangle(-4.9, 25.6, 9.8, 3.4, fill="red")
    flowers = drawing(
        *(
            circle(x + 0.62 * dx, y + 0.62 * dy, 0.42, fill="paper")
            for x, y in (
                (-6.6, 29.6),
                (6.6, 29.6),
                (-2.6, 33.4),
                (2.4, 32.2),
                (0.4, 36.6),
                (-4.6, 37.0),
                (4.6, 36.6),
                (-4.4, 20.4),
                (4.4, 20.4),
            )
            for dx, dy in ((0, -1), (0.95, -0.31), (0.59, 0.81), (-0.59, 0.81), (-0.95, -0.31))
        )
    )
    knot = rectangle(-1.3, 26.4, 2.6, 1.8, 0.4, fill="paper", line="black", width=0.2)
    return drawing(
        _silhouette("black"), drawing(sleeve), mirrored(drawing(sleeve), 0), sash, flowers, *collar, _hands(), knot
    )


ROBES: Mapping[str, Callable[[], Drawing]] = {
    "robe": _robe,
    "coat": _coat,
    "armour": _armour,
    "monk": _monk,
    "tattoo": _tattoo,
    "lady": _skirts,
    "gown": _gown,
}
